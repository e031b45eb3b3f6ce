import { setTimeout } from 'node:timers/promises'
import type { AttemptResult, DeliveryRepository, NewDelivery } from '../../adapters/node/deliveries.ts'
import { errorLog } from '../../adapters/node/log.ts'
import { packageVersion } from '../../adapters/node/version.ts'
import { createDeliveryRepository } from '../../adapters/sqlite/deliveries/index.ts'
import { createSealer } from '../../adapters/vault/sealer.ts'
import { createDispatcher } from '../../adapters/webhooks/dispatch/index.ts'
import { createSender } from '../../adapters/webhooks/reach/index.ts'
import { redactedHeaders, requestOf } from '../../adapters/webhooks/signing/index.ts'
import { deriveId, type Endpoint } from '../../engine/index.ts'
import { removeDatabase } from '../stores.ts'

/** The sending side of a node, but for what makes webhook events. */
export interface Sending {
  readonly repository: DeliveryRepository
  /** Sends the deliveries of the repository, from now on. */
  start(): void
  /** Stores a delivery, and wakes the dispatcher for it. */
  emit(delivery: NewDelivery): Promise<void>
  /** Resolves once this many deliveries have arrived and been recorded. */
  delivered(count: number): Promise<void>
  /** Stops, and removes the file. */
  stop(): Promise<void>
}

const clock = Date.now

/** The signing secret of endpoints in the benchmarks. */
export const secret = 'correct horse battery staple'

/** Stored data is encrypted, as at a node with a secret. */
const sealing = new Uint8Array(32)
const box = createSealer({ read: () => sealing, make: () => sealing }, 'webhooks')

/** An endpoint whose requests are signed for tenants and by Standard Webhooks. */
export function endpointAt(url: string): Endpoint {
  return {
    ...{ id: deriveId('bench endpoint', url), owner: 'business.7', businessId: 7, channel: 'tenant', url },
    ...{ field: 'order_create_webhook_url', format: 'native', standard: true, interval: 0, keys: [{ secret }] },
  }
}

/** Creates deliveries, each with its own id and its own body of this many bytes. */
export function createDeliveries(size: number): (endpoint: Endpoint) => NewDelivery {
  let made = 0
  return (endpoint) => {
    const id = deriveId('bench delivery', String(made++))
    const [eventId, subject, occurredAt] = [`EVT-${id}`, `order/${made}`, new Date(clock()).toISOString()]
    const said = { event: 'order.created', event_id: eventId, occurred_at: occurredAt, business_id: 7, data: '' }
    const data = 'x'.repeat(size - JSON.stringify(said).length)
    const body = Buffer.from(JSON.stringify({ ...said, data }))
    return {
      ...{ id, event: 'order.created', eventId, subject, occurredAt, businessId: 7, isTest: false, isSandbox: false },
      ...{ endpoint, body, native: body, dueAt: clock(), state: 'waiting' },
    }
  }
}

/** Prepares to send to endpoints from a new file. */
export function createSending(file: string, endpoints: readonly Endpoint[]): Sending {
  removeDatabase(file)
  const kept = createDeliveryRepository({ file, clock, box })
  const counted = createCount()
  const repository: DeliveryRepository = {
    ...kept,
    record: (attempted) => kept.record(attempted).then(() => counted.add(attempted)),
  }
  const version = packageVersion()
  const sender = createSender({ allow: ['127.0.0.0/8'], userAgent: `otep-engine/${version}`, clock })
  const known = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]))
  const dispatcher = createDispatcher({
    ...{ repository, sender, clock, redacted: redactedHeaders, random: Math.random },
    endpointOf: async (_, id) => known.get(id),
    requestOf: (attempt) => requestOf({ ...attempt, version, publicUrl: 'https://example.com', seedOf: () => '' }),
  })
  const ending = new AbortController()
  let running: Promise<void> | undefined
  let claimed = 0

  return {
    repository,
    start: () => {
      running = dispatcher.run({ signal: ending.signal, log: errorLog, wait })
    },
    emit: async (delivery) => {
      const revision = claimed++
      await repository.save(
        [delivery],
        { position: String(revision), stream: 'bench-1', revision, id: delivery.id },
        [],
      )
      dispatcher.wake([delivery.endpoint.id])
    },
    delivered: counted.reached,
    stop: async () => {
      ending.abort()
      await running
      await Promise.all([sender.close(), kept.close()])
      removeDatabase(file)
    },
  }
}

/** Counts the finished deliveries. */
function createCount() {
  let count = 0
  let goal = Number.POSITIVE_INFINITY
  let tell = () => {}
  return {
    add: ({ state }: AttemptResult) => {
      if (state === 'delivered') count++
      if (count >= goal) tell()
    },
    reached: (wanted: number) =>
      new Promise<void>((resolve) => {
        goal = wanted
        tell = resolve
        if (count >= goal) resolve()
      }),
  }
}

async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { signal }).catch(() => {})
}
