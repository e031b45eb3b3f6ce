/** A passage that is generated, in a text that people write: the file, where in it, and what it says. */
export interface Passage {
  readonly path: string
  readonly place: RegExp
  readonly text: string
}

/** A text with a passage as it is generated now. */
export function withPassage(text: string, { path, place, text: passage }: Passage): string {
  if (!place.test(text)) throw new Error(`${path} has no place for: ${passage}`)
  return text.replace(place, () => passage)
}
