import { setTimeout } from 'node:timers/promises'
import { openStore } from '../../adapters/engine.ts'
import { storeFrom } from '../../adapters/node/config.ts'
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

await runPolicy(store, copying(store), {
  name,
  signal: stopping.signal,
  now: () => performance.now(),
  wait: (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal }).catch(() => {}),
  onFailure: ({ error, failures }) => console.error(name, failures, error),
  ttl: Number(ttl),
})
await store.close()
