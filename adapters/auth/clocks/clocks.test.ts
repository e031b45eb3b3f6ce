import t from 'tap'
import { createMemoryStore, isEngineError } from '../../../engine/index.ts'
import { createCountTry } from '../tries.ts'

const start = Date.parse('2026-06-10T10:00:00.000Z')
const hour = 3_600_000

t.test(
  'given nodes whose clocks differ by an hour, when one thing is tried at all, then they count together',
  async (t) => {
    const { leases } = createMemoryStore(() => start)
    const nodes = [0, hour, -hour, 12 * hour].map((ahead) => createCountTry(leases, () => start + ahead))
    let tries = 0
    for (let round = 0; round < 50; round++)
      for (const countTry of round % 2 === 0 ? nodes : nodes.toReversed())
        await countTry('a code', 5).then(
          () => {
            tries += 1
          },
          (error: unknown) => t.ok(isEngineError(error, 'too_many_attempts')),
        )
    t.equal(tries, 5)
  },
)
