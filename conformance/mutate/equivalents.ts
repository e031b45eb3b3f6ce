import type { Mutant } from './mutants.ts'

/** A mutant that behaves as the original does, so that no test can catch it. */
export interface Equivalent {
  readonly file: string
  /** The line, without indentation. */
  readonly before: string
  /** The line with the mutant, as the report shows it. */
  readonly after: string
  readonly reason: string
}

/** Found by hand. An entry that fits no mutant any more is reported. */
export const equivalents: readonly Equivalent[] = []

/** Whether an entry speaks of this mutant. */
export function speaksOf(entry: Equivalent, { file, before, after }: Mutant): boolean {
  return entry.file === file && entry.before === before && entry.after === after
}
