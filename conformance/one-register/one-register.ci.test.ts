import fc from 'fast-check'
import t from 'tap'
import { runs } from '../../engine/testing/runs.test.fixture.ts'
import type { Work } from './command.test.fixture.ts'
import { office } from './office.test.fixture.ts'
import { compareWebhooks } from './receiver.test.fixture.ts'
import { lookAround } from './rooms.test.fixture.ts'
import { anyWork, take } from './work.test.fixture.ts'

t.test('given any work on orders of all families, when each room is looked at, then all show the same', async (t) => {
  await fc.assert(
    fc.asyncProperty(anyWork, async (steps) => {
      const opened = await office()
      const work: Work = { office: opened, model: { clock: opened.clock, orders: [], changes: 0 }, told: [], events: 0 }
      for (const [place, step] of steps.entries()) {
        await take(work, step)
        if (place % 6 === 5) await lookAround(work, step.which)
      }
      await lookAround(work, steps.length)
      await compareWebhooks(work)
    }),
    { numRuns: runs(t, 12) },
  )
})
