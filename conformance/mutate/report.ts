import type { Equivalent } from './equivalents.ts'
import type { Mutant } from './mutants.ts'
import type { Room } from './rooms.ts'
import type { Fate, Outcome } from './trial.ts'

const fates: readonly Fate[] = ['caught', 'survived', 'refused', 'equivalent']

/** The result of one room; the score is in per cent of the mutants that a test could catch. */
interface Score {
  readonly room: Room
  readonly counts: Readonly<Record<Fate, number>>
  readonly score: number
}

/** The scores by room, in the order of the outcomes. */
export function scoresOf(outcomes: readonly Outcome[]): readonly Score[] {
  const rooms = [...new Set(outcomes.map(({ room }) => room))]
  return rooms.map((room) =>
    scoreOf(
      room,
      outcomes.filter((outcome) => outcome.room === room),
    ),
  )
}

function scoreOf(room: Room, outcomes: readonly Outcome[]): Score {
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

/**
 * Whether a room misses its goal: the sample has more survivors than chance explains, which is two standard deviations
 * above the number that the goal allows. A room without a goal misses none.
 */
export function missesGoal({ room, counts }: Score): boolean {
  if (room.goal === undefined) return false
  const tried = counts.caught + counts.survived
  const rate = 1 - room.goal / 100
  return counts.survived > tried * rate + 2 * Math.sqrt(tried * rate * (1 - rate))
}

/** A table of the scores, then each survivor, then the entries of the list of equivalents that fit no mutant. */
export function reportOf(outcomes: readonly Outcome[], stale: readonly Equivalent[], leftOut: number): string {
  const rows = scoresOf(outcomes).map((score) => [
    ...[score.room.name, ...fates.map((fate) => String(score.counts[fate])), `${score.score.toFixed(1)} %`],
    score.room.goal === undefined ? '-' : `${score.room.goal} %${missesGoal(score) ? ' missed' : ''}`,
  ])
  const survivors = outcomes.filter(({ fate }) => fate === 'survived').map(({ mutant }) => shown(mutant))
  const entries = stale.map(
    ({ file, before, after }) => `${file}: no mutant fits the entry\n  - ${before}\n  + ${after}`,
  )
  const extent = `${outcomes.length} mutants tried, ${leftOut} left out by --sample.`
  return [table([['room', ...fates, 'score', 'goal'], ...rows]), extent, ...survivors, ...entries].join('\n\n')
}

/** A mutant as a change of a line. */
export function shown({ file, line, operator, before, after }: Mutant): string {
  return `${file}:${line} ${operator}\n  - ${before}\n  + ${after}`
}

function table(rows: readonly (readonly string[])[]): string {
  return rows
    .map((row) => row.map((cell, column) => (column === 0 ? cell.padEnd(12) : cell.padStart(12))).join(''))
    .join('\n')
}
