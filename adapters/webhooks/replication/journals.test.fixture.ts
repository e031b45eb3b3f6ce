import type { Journals } from '../../../engine/index.ts'

/** Journals of one process, and the texts in them. */
export function journalsInMemory(): Journals & { readonly texts: string[] } {
  const texts: string[] = []
  return {
    texts,
    append: async (_, text) => void texts.push(text),
    read: async (_, from, limit) =>
      texts.slice(from, from + limit).map((text, place) => ({ number: from + place, text })),
    last: async () => (texts.length === 0 ? undefined : texts.length - 1),
  }
}
