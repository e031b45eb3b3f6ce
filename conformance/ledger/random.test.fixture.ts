import fc from 'fast-check'
import type { Test } from 'tap'
import { turns } from './deeds.ts'
import { playTurns } from './office.test.fixture.ts'

/** The currencies that random work is done in, by the number of decimals that each has. */
const currencies = { CAD: 2, JPY: 0, KWD: 3 } as const

/** Does random work with the money of a business and holds it against books by double entry: `numRuns` histories in each currency. */
export async function workAtRandom(t: Test, numRuns: number, length: number): Promise<void> {
  const seed = process.env.OTEP_TEST_SEED === undefined ? Date.now() % 1_000_000 : Number(process.env.OTEP_TEST_SEED)
  t.comment(`OTEP_TEST_SEED=${seed} chooses the same work again`)
  for (const [currency, decimals] of Object.entries(currencies))
    await fc.assert(
      fc.asyncProperty(turns(decimals, length), (work) => playTurns(currency, decimals, work)),
      { seed, numRuns, interruptAfterTimeLimit: 270_000 },
    )
}
