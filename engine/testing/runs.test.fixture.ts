import type { Test } from 'tap'

const times = Number(process.env.OTEP_RANDOM_RUNS ?? 1)

/** How many random cases a test tries, and says that it does: so many, times `OTEP_RANDOM_RUNS`, which is 10 at night. */
export function runs(t: Pick<Test, 'comment'>, few: number): number {
  t.comment(`${few * times} random cases`)
  return few * times
}

/** Whether the random cases are so many that everything must have happened in one of them. */
export const areMany = times >= 10
