import type { AttemptRecord } from '../../../engine/index.ts'
import type { Checkpoint, NewDelivery } from '../../node/deliveries.ts'

/** The options of a delivery in these tests. */
export type Given = Partial<Omit<NewDelivery, 'endpoint'>> & { readonly endpoint?: Partial<NewDelivery['endpoint']> }

/** A delivery to the business 7, as the fan-out creates them. */
export function delivery(id: string, given: Given = {}): NewDelivery {
  const native = given.native ?? new TextEncoder().encode(JSON.stringify({ event: 'order.assigned', for: id }))
  return {
    ...{
      id,
      event: 'order.assigned',
      eventId: `EVT-${id}`,
      subject: 'order/42',
      occurredAt: '2026-06-10T10:00:00.000Z',
    },
    ...{ businessId: 7, isTest: false, isSandbox: false, body: native, dueAt: 1_000, state: 'waiting' },
    ...given,
    native,
    endpoint: {
      ...{ id: 'e1', owner: 'business.7', channel: 'tenant', field: 'order_create_webhook_url', format: 'native' },
      ...{ url: 'https://shop.example/hook?token=secret', standard: false },
      ...given.endpoint,
    },
  }
}

/** How far the webhook events were made. */
export function reached(revision: number): Checkpoint {
  return { position: String(revision).padStart(8, '0'), stream: 'order-42', revision, id: `event-${revision}` }
}

/** An attempt that got a response with a status. */
export function attempt(number: number, status: number): AttemptRecord {
  return {
    ...{ number, startedAt: 1_000 + number, duration: 12, status, ...(status < 300 ? {} : { failure: 'status' }) },
    requestHeaders: { 'Content-Type': 'application/json' },
    ...{ responseHeaders: { server: 'shop' }, responseBody: 'an answer', isResponseCut: false },
  }
}
