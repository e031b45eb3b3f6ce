/**
 * One description of a value in a document. It gives the value and the JSON text of the value, and the two agree:
 * `JSON.stringify(make(given))` is what `writer('')(given)` writes.
 */
export interface Template<Given, Made> {
  /** The value; undefined where the member is left out. */
  make(given: Given): Made
  /** Writes the text behind these characters; writes nothing at all where the member is left out. */
  writer(before: string): Writer<Given>
  /** Takes the text apart around its long list, where it holds one. */
  split?(given: Given): Split | undefined
  /** Writes the member with those that stand beside it and are of the same group, as one text. */
  readonly group?: Group<Given>
  /** The text, where it is always the same. */
  readonly fixed?: string
}

/** Members that are written as one text behind these characters; nothing at all where all of them are left out. */
export interface Group<Given> {
  writer(before: string): Writer<Given>
}

/** Makes the text of what is given. */
export type Writer<Given> = (given: Given) => string

/** A text around a long list: what stands before it, its items, each written when it is asked for, and what stands behind it. */
export interface Split {
  readonly before: string
  readonly count: number
  readonly item: (at: number) => string
  readonly after: string
}

/** The text in parts, each item of a long list being one; as one, of this writer, where there is no such list. */
export function* inParts<Given>(
  { split }: Template<Given, unknown>,
  write: Writer<Given>,
  given: Given,
): Generator<string> {
  const parts = split?.(given)
  if (parts === undefined) return yield write(given)
  const { before, count, item, after } = parts
  yield before
  for (let at = 0; at < count; at++) yield item(at)
  yield after
}
