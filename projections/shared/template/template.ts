/**
 * One description of a value in a document. It gives the value and the JSON text of the value, and the two agree:
 * `JSON.stringify(make(given))` is what `writer('')(given)` writes.
 */
export interface Template<Input, Output> {
  /** The value; undefined where the member is left out. */
  make(input: Input): Output
  /** Writes the text behind these characters; writes nothing at all where the member is left out. */
  writer(before: string): Writer<Input>
  /** Takes the text apart around its long list, where it holds one. */
  split?(input: Input): Split | undefined
  /** Writes the member with those that stand beside it and are of the same group, as one text. */
  readonly group?: Group<Input>
  /** The text, where it is always the same. */
  readonly fixed?: string
}

/** Members that are written as one text behind these characters; nothing at all where all of them are left out. */
export interface Group<Input> {
  writer(before: string): Writer<Input>
}

/** Makes the text of what is given. */
export type Writer<Input> = (input: Input) => string

/** A text around a long list: what stands before it, its items, each written when it is asked for, and what stands behind it. */
export interface Split {
  readonly before: string
  readonly count: number
  readonly item: (at: number) => string
  readonly after: string
}

/** The text in parts, each item of a long list being one; as one, of this writer, where there is no such list. */
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
