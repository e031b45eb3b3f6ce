import type { Equivalent } from './equivalents.ts'
import type { Mutant } from './mutants.ts'
import type { Fate, Outcome } from './trial.ts'

const fates: readonly Fate[] = ['caught', 'survived', 'refused', 'equivalent']

/** What was found in one room; the score is in per cent of the mutants that a test could catch. */
export interface Score {
  readonly room: string
  readonly counts: Readonly<Record<Fate, number>>
  readonly score: number
}

/** The scores by room, in the order of the outcomes. */
export function scoresOf(outcomes: readonly Outcome[]): readonly Score[] {
  const names = [...new Set(outcomes.map(({ room }) => room.name))]
  return names.map((name) =>
    scoreOf(
      name,
      outcomes.filter(({ room }) => room.name === name),
    ),
  )
}

function scoreOf(room: string, outcomes: readonly Outcome[]): Score {
  const count = (fate: Fate) => outcomes.filter((outcome) => outcome.fate === fate).length
  const counts = {
    caught: count('caught'),
    survived: count('survived'),
    refused: count('refused'),
    equivalent: count('equivalent'),
  }
  const possible = counts.caught + counts.survived
  return { room, counts, score: possible === 0 ? 100 : (100 * counts.caught) / possible }
}

/** A table of the scores, then each survivor, then the entries of the list of equivalents that fit nothing. */
export function reportOf(outcomes: readonly Outcome[], stale: readonly Equivalent[]): string {
  const rows = scoresOf(outcomes).map(({ room, counts, score }) => [
    ...[room, ...fates.map((fate) => String(counts[fate]))],
    `${score.toFixed(1)} %`,
  ])
  const survivors = outcomes.filter(({ fate }) => fate === 'survived').map(({ mutant }) => shown(mutant))
  const entries = stale.map(
    ({ file, before, after }) => `${file}: no mutant fits the entry\n  - ${before}\n  + ${after}`,
  )
  return [table([['room', ...fates, 'score'], ...rows]), ...survivors, ...entries].join('\n\n')
}

/** A mutant as a change of a line. */
export function shown({ file, line, operator, before, after }: Mutant): string {
  return `${file}:${line} ${operator}\n  - ${before}\n  + ${after}`
}

function table(rows: readonly (readonly string[])[]): string {
  return rows
    .map((row) => row.map((cell, column) => (column === 0 ? cell.padEnd(12) : cell.padStart(11))).join(''))
    .join('\n')
}
