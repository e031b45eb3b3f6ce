import type { Projection } from '../../engine/index.ts'

/** The context of a rule beside the format. */
export interface Setting {
  /** All formats, the native one first. */
  readonly formats: readonly [Projection, ...Projection[]]
  /** The folder with a folder for each format, each with `golden`; if absent, golden files are not checked. */
  readonly golden?: string
}

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
