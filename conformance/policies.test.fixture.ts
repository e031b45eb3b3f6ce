import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { openStore } from '../adapters/engine.ts'
import { storeFrom } from '../adapters/node/config.ts'
import { copiesIn, recordSlowly, startRunners } from './nodes/policies.test.fixture.ts'
import { sharedStores } from './nodes/shared.ts'

/** How often the process that has the turn is killed. */
const kills = Number(process.env.OTEP_KILL_ROUNDS ?? 3)

/** Kills processes that run a policy on a store of this name. */
export async function killHolders(name: keyof typeof sharedStores): Promise<void> {
  const makeStore = sharedStores[name]
  await t.test(
    `given a policy in two processes on ${name}, when the holder is killed ${kills} times, then each effect is recorded once, in order`,
    async (t) => {
      const shared = await makeStore(join(t.testdir({}), 'data'))
      const store = await openStore(storeFrom({ OTEP_STORE: shared.address }))
      const runners = startRunners(shared.address, store)
      t.teardown(async () => {
        runners.close()
        await store.close()
        await shared.close()
      })
      const events: string[] = []
      for (let round = 0; round < kills; round++) {
        const recording = recordSlowly(store, 40)
        await setTimeout(randomInt(300))
        await runners.killHolder()
        events.push(...(await recording))
      }
      events.push(...(await recordSlowly(store, 10)))
      t.same(await copiesIn(store, events.length), events)
      t.same(await runners.stop(), [0, 0])
      t.equal((await store.leases.read('copying'))?.holder, '', 'the turn is given back')
      t.equal((await store.read('copy-all')).length, events.length, 'and nothing more came')
    },
  )
}
