import { once } from '../node/once.ts'

/** A letter of a script that runs from right to left. */
export const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

const algorithm = once(async () => {
  // Its types are of a module with a default export, but what Node loads is that export itself.
  const loaded = (await import('bidi-js')) as unknown as { readonly default: typeof import('bidi-js').default }
  return loaded.default()
})

/** The levels of a text (Unicode Bidirectional Algorithm, UAX 9): that of the whole, and of each unit of UTF-16. */
export interface Levels {
  readonly base: number
  readonly of: (index: number) => number
}

/** The levels of a text that begins in the direction of its first letter. */
export async function levelsOf(text: string): Promise<Levels> {
  if (!rightToLeft.test(text)) return { base: 0, of: () => 0 }
  const { levels, paragraphs } = (await algorithm()).getEmbeddingLevels(text)
  return { base: paragraphs[0]?.level ?? 0, of: (index) => levels[index] ?? 0 }
}

/** A character as it is in text from right to left: brackets open to the other side. */
export async function mirrored(character: string): Promise<string> {
  return (await algorithm()).getMirroredCharacter(character) ?? character
}

/** The parts of a line from left to right (UAX 9, L2). */
export function fromLeft<Part extends { readonly level: number }>(parts: readonly Part[]): readonly Part[] {
  const ordered = [...parts]
  for (let level = Math.max(0, ...parts.map((part) => part.level)); level > 0; level--)
    for (let start = 0; start < ordered.length; start++) {
      let end = start
      while ((ordered[end]?.level ?? -1) >= level) end++
      if (end === start) continue
      ordered.splice(start, end - start, ...ordered.slice(start, end).reverse())
      start = end
    }
  return ordered
}
