import { setTimeout } from 'node:timers/promises'
import { openStore } from '../../adapters/engine.ts'
import { storeFrom } from '../../adapters/node/config.ts'
import { startLife } from '../../engine/store/policy/life.ts'
import { runPolicy } from '../../engine/store/policy/policy.ts'
import { copying } from './copying.test.fixture.ts'

/**
 * A process that runs the policy of the tests: `<name> <ttl>`, on the store of `OTEP_STORE`. It stops cleanly on
 * SIGTERM, and says when it is ready for that. Errors are lines on standard error.
 */
const [name = '', ttl] = process.argv.slice(2)
const store = await openStore(storeFrom(process.env))
const stopping = new AbortController()
process.once('SIGTERM', () => stopping.abort())
process.stdout.write('listens\n')

const run = {
  signal: stopping.signal,
  now: () => performance.now(),
  wait: (milliseconds: number, signal: AbortSignal) => setTimeout(milliseconds, undefined, { signal }).catch(() => {}),
}
const failed = (error: unknown) => console.error(name, error)
const life = startLife(store.leases, { ...run, name, ttl: Number(ttl), failed })
await runPolicy(store, copying(store), { ...run, life, onFailure: ({ error }) => failed(error) })
await life.ended
await store.close()
