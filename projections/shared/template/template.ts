/**
 * One description of a value in a document. It gives the value and the JSON text of the value, and the two agree:
 * `writer('')(input)` writes `JSON.stringify(make(input))`.
 */
export interface Template<Input, Output> {
  /** The value. Undefined if the member is left out. */
  make(input: Input): Output
  /** A writer of the text with a prefix. It writes nothing, not even the prefix, if the member is left out. */
  writer(before: string): Writer<Input>
  /** Splits the text at its streamed list, if it has one. */
  split?(input: Input): Split | undefined
  /** Set on neighbouring members that are written together, as one text. */
  readonly group?: Group<Input>
  /** The text of a constant. */
  readonly fixed?: string
}

/** Members that are written as one text. Like `Template.writer`, it writes nothing if all of them are left out. */
export interface Group<Input> {
  writer(before: string): Writer<Input>
}

/** Writes the text for an input. */
export type Writer<Input> = (input: Input) => string

/**
 * A text that is split at a streamed list: the text before it, its items, which are written on demand, and the text
 * after it.
 */
export interface Split {
  readonly before: string
  readonly count: number
  readonly item: (at: number) => string
  readonly after: string
}

/** The text in parts, one for each item of the streamed list. Without such a list it is one part. */
export function* inParts<Input>(
  { split }: Template<Input, unknown>,
  write: Writer<Input>,
  input: Input,
): Generator<string> {
  const parts = split?.(input)
  if (parts === undefined) return yield write(input)
  const { before, count, item, after } = parts
  yield before
  for (let at = 0; at < count; at++) yield item(at)
  yield after
}
