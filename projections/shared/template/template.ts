/**
 * One description of a value in a document. It gives the value and the JSON text of the value, and the two agree:
 * `writer('')(input)` writes `JSON.stringify(make(input))`.
 */
export interface Template<Input, Output> {
  /** The value. Undefined if the member is left out. */
  make(input: Input): Output
  /** A writer of the text with a prefix. It writes nothing, not even the prefix, if the member is left out. */
  writer(before: string): Writer<Input>
  /** The value, with some items of its streamed lists made in each step. Only with streamed lists. */
  steps?(input: Input): Generator<void, Output>
  /** The text in parts. Only with streamed lists; undefined if this input has none. */
  split?(input: Input): Split | undefined
  /** Set on neighbouring members that are written together, as one text. */
  readonly group?: Group<Input>
  /** The text of a constant. */
  readonly fixed?: string
}

/** Members that are written as one text. Like `Template.writer`, it writes nothing if all of them are left out. */
interface Group<Input> {
  writer(before: string): Writer<Input>
}

/** Writes the text for an input. */
export type Writer<Input> = (input: Input) => string

/**
 * A text that is split at its streamed lists. It yields the text before a list, which begins with `before`, and each item
 * of the list, which is written on demand. It returns the text after the last list.
 */
export type Split = (before: string) => Generator<string, string>

/** The text in parts, one for each item of a streamed list. Without such a list it is one part. */
export function* inParts<Input>(
  { split }: Template<Input, unknown>,
  write: Writer<Input>,
  input: Input,
): Generator<string> {
  const parts = split?.(input)
  yield parts === undefined ? write(input) : yield* parts('')
}

/** The value of a template in steps; in one step if it has no streamed list. */
export function* madeInSteps<Input, Output>(template: Template<Input, Output>, input: Input): Generator<void, Output> {
  return template.steps === undefined ? template.make(input) : yield* template.steps(input)
}
