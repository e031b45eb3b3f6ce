import { type AttemptFailure, endpointId } from '../../../../engine/index.ts'
import type { NewDelivery } from '../../../node/deliveries.ts'
import { createDeliveryRepository } from '../../../sqlite/deliveries/index.ts'

/** A log of a business to be made, to these URLs of fields. */
interface ManyDeliveries {
  readonly file: string
  readonly business: number
  readonly urls: readonly (readonly [field: 'order_create_webhook_url' | 'order_deleted_webhook_url', url: string])[]
  readonly count: number
  /** Epoch milliseconds at which the last one was made; the first one was made a week before. */
  readonly now: number
}

const week = 7 * 86_400_000

const batch = 2_000

/** Writes finished deliveries through the repository that the dispatcher uses; one in sixteen has failed. */
export async function writeDeliveries({ file, business, urls, count, now }: ManyDeliveries): Promise<void> {
  let time = now
  const repository = createDeliveryRepository({ file, clock: () => time })
  const endpoints = urls.map(([field, url]) => {
    const owner = `business.${business}`
    return { id: endpointId(owner, field, url), owner, channel: 'tenant', field, url, format: 'native' } as const
  })
  const made = (number: number): NewDelivery => {
    const endpoint = endpoints[number % endpoints.length] ?? endpoints[0]
    const event = endpoint?.field === 'order_deleted_webhook_url' ? 'order.deleted' : 'order.created'
    const createdAt = now - week + Math.floor((week * (number + 1)) / count)
    const native = Buffer.from(JSON.stringify({ event, business_id: business, data: { order_id: number } }))
    return {
      ...{ id: `dlv_many_${number}`, event, eventId: `EVT-many-${number}`, subject: `order/${number % 5_000}` },
      ...{ occurredAt: new Date(createdAt).toISOString(), businessId: business, isTest: false, isSandbox: false },
      ...{ endpoint: { ...endpoint, standard: false } as NewDelivery['endpoint'], body: native, native },
      ...{ dueAt: createdAt, createdAt, state: 'waiting' },
    }
  }
  for (let first = 0; first < count; first += batch) {
    const deliveries = Array.from({ length: Math.min(batch, count - first) }, (_, place) => made(first + place))
    time = deliveries.at(-1)?.createdAt ?? now
    await repository.add(deliveries)
    for (const { id } of endpoints) await repository.claim(id, now, batch)
    await Promise.all(deliveries.map((delivery, place) => repository.record(attemptOf(delivery, first + place))))
  }
  await repository.close()
}

function attemptOf({ id, createdAt: startedAt = 0 }: NewDelivery, number: number) {
  const failure: AttemptFailure | undefined = number % 16 > 0 ? undefined : number % 32 > 0 ? 'status' : 'timeout'
  const status = failure === undefined ? 200 : failure === 'status' ? 503 : undefined
  const answered = { ...(status === undefined ? {} : { status }), ...(failure === undefined ? {} : { failure }) }
  const duration = 5 + (number % 200)
  const connected = { dns: 2, connect: 1 }
  const measured =
    failure === 'timeout'
      ? { failedPhase: 'tls' as const, phases: { ...connected, tls: duration - 3 } }
      : { phases: { ...connected, tls: 2, wait: duration - 5, read: 3 } }
  const attempt = { number: 1, startedAt, duration, ...answered, ...measured }
  const headers = { requestHeaders: { 'Content-Type': 'application/json' }, responseHeaders: { server: 'shop' } }
  const state = failure === undefined ? ('delivered' as const) : ('failed' as const)
  return { id, state, attempt: { ...attempt, ...headers, responseBody: 'thanks', isResponseCut: false } }
}
