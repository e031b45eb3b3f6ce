import type { Projection } from '../../../engine/index.ts'
import type { Judged } from './documents.ts'

/** The options of the tests of a format. */
export interface Setting {
  /** All formats in use, `otep` first; the built-in formats and the tested one if absent. */
  readonly formats: readonly [Projection, ...Projection[]]
  /** The folder of the golden files, which are in `NAME/golden`; without it there are none. `writeGolden` writes them. */
  readonly golden?: string
  /** A validator of the format that is not your own code: what is wrong with a document, a sentence each. */
  readonly judge?: Judge
}

/** What an independent validator says about a document: what is wrong, a sentence each. */
export type Judge = (document: Judged) => Faults | Promise<Faults>

/** What is wrong, a sentence each. */
export type Faults = readonly string[]

/** A rule for formats. */
export type Rule = (format: Projection, setting: Setting) => Faults | Promise<Faults>

/** Rules by their sentences. */
export type Rules = Readonly<Record<string, Rule>>

/** Faults of one look, each with what was looked at; what is thrown is a fault. */
export async function looked(what: string, look: () => Faults | Promise<Faults>): Promise<Faults> {
  try {
    return (await look()).map((fault) => `${what}: ${fault}`)
  } catch (error) {
    return [`${what}: throws ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`]
  }
}

/** Faults of looks at many things, the first of them. */
export async function eachOf<Item>(
  items: Iterable<Item>,
  look: (item: Item) => Faults | Promise<Faults>,
  limit = 8,
): Promise<Faults> {
  const faults: string[] = []
  for (const item of items) {
    faults.push(...(await look(item)))
    if (faults.length >= limit) return [...faults.slice(0, limit), 'and perhaps more']
  }
  return faults
}

/** The fault itself, where something is not as it should be. */
export function unless(isRight: boolean, fault: string): Faults {
  return isRight ? [] : [fault]
}

/** Where two texts part, with a few characters around. */
export function parting(one: string, other: string): string {
  if (one === other) return 'nowhere'
  let at = 0
  while (one[at] === other[at]) at++
  const around = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 60), at + 40))
  return `at ${at}: ${around(one)} and ${around(other)}`
}
