import { setTimeout } from 'node:timers/promises'
import type { Endpoint } from '../../../engine/index.ts'
import { errorLog } from '../../node/log.ts'
import { createDeliveryRepository } from '../../sqlite/deliveries/index.ts'
import { createDispatcher } from './index.ts'
import { createPlainSender } from './receivers.test.fixture.ts'

/** A process that sends the deliveries of a repository, `<file> <slots>`, until none is waiting. */
const [file = '', places = '1'] = process.argv.slice(2)
const clock = Date.now
const repository = createDeliveryRepository({ file, clock })
const sender = createPlainSender(clock)
const ending = new AbortController()
const dispatcher = createDispatcher(
  {
    ...{ repository, sender, clock, random: Math.random },
    endpointOf: async (owner, id) => ({ id, owner, keys: [{ secret: 'sixteen letters!' }] }) as unknown as Endpoint,
    requestOf: ({ delivery: { id, url, body } }) => ({ url, headers: { 'X-Id': id }, body }),
    redacted: (headers) => headers,
  },
  // None becomes slow, so there are never more concurrent attempts than slots.
  { fast: Number(places), unrecorded: Number(places), slowAfter: Number.MAX_SAFE_INTEGER },
)
const wait = (milliseconds: number, signal: AbortSignal) =>
  setTimeout(milliseconds, undefined, { signal }).catch(() => {})
const running = dispatcher.run({ signal: ending.signal, log: errorLog, wait })
while ((await left()) > 0) await setTimeout(20)
ending.abort()
await running
await Promise.all([repository.close(), sender.close()])

/** The number of unfinished deliveries. */
async function left(): Promise<number> {
  const open = { businessId: 7, state: ['waiting', 'sending'] } as const
  return (await repository.page(open, { limit: 1, offset: 0 })).total ?? 0
}
