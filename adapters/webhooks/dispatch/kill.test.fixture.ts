import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { NewDelivery } from '../../node/deliveries.ts'
import { createDeliveryRepository } from '../../sqlite/deliveries/index.ts'
import { openDeliveries } from '../../sqlite/deliveries/open.ts'
import { openReceivers } from './receivers.test.fixture.ts'

/** How often the process is killed; a nightly run does it 20 times. */
export const kills = Number(process.env.OTEP_KILL_ROUNDS ?? 3)
const inFlight = 32
const [endpoints, each] = [20, 150]

/** The result of killing a sending process repeatedly. */
interface Killed {
  /** The ids of the received deliveries, with repetitions. */
  readonly got: readonly string[]
  readonly wanted: readonly string[]
  readonly inFlight: number
  /** The integrity check of SQLite at the end. */
  readonly damage: string
}

/** Runs a process that sends from a file, kills it after some deliveries each time, and lets the last run finish. */
export async function killed(t: Test): Promise<Killed> {
  const file = join(t.testdir(), 'deliveries.db')
  const program = join(import.meta.dirname, 'sending.test.child.js')
  let sending: ReturnType<typeof startSending> | undefined
  let count = 0
  let limit = 0
  const receivers = await openReceivers(Date.now, () => {
    if (++count === limit) sending?.kill('SIGKILL')
    return 200
  })
  t.teardown(() => {
    sending?.kill('SIGKILL')
    return receivers.close()
  })
  const wanted = await fill(file, receivers.url)
  for (let round = 0; round < kills; round++) {
    limit = count + 1 + Math.floor((Math.random() * 2 * wanted.length) / (kills + 2))
    sending = startSending(program, file)
    await once(sending, 'exit')
  }
  limit = 0
  sending = startSending(program, file)
  await once(sending, 'exit')
  const got = receivers.got.map(({ headers }) => String(headers['x-id']))
  return { got, wanted, inFlight, damage: checked(file) }
}

/** Starts the program of `sending.test.child.ts`. */
function startSending(program: string, file: string) {
  return spawn(process.execPath, [program, file, String(inFlight)], { stdio: 'inherit' })
}

async function fill(file: string, urlOf: (path: string) => string): Promise<readonly string[]> {
  const repository = createDeliveryRepository({ file, clock: Date.now })
  const made = Array.from({ length: endpoints * each }, (_, n) => deliveryTo(n % endpoints, n, urlOf))
  await repository.add(made)
  await repository.close()
  return made.map(({ id }) => id)
}

function deliveryTo(place: number, n: number, urlOf: (path: string) => string): NewDelivery {
  const native = new TextEncoder().encode(JSON.stringify({ n }))
  return {
    ...{ id: `d${n}`, event: 'order.created', eventId: `EVT-${n}`, subject: `order/${n}`, businessId: 7 },
    ...{ occurredAt: '2026-06-10T10:00:00.000Z', isTest: false, isSandbox: false, dueAt: 0, state: 'waiting' },
    ...{ native, body: native },
    endpoint: {
      ...{ id: `e${place}`, owner: 'business.7', channel: 'tenant', field: 'order_create_webhook_url' },
      ...{ url: urlOf(`/${place}`), format: 'native', standard: false },
    },
  }
}

function checked(file: string): string {
  const database = openDeliveries(file)
  const { integrity_check } = database.prepare('PRAGMA integrity_check').get() as { readonly integrity_check: string }
  database.close()
  return integrity_check
}
