import {
  deriveId,
  type Endpoint,
  type Family,
  pricesIn,
  type Recipient,
  type WebhookEvent,
  type WebhookEventType,
} from '../../../engine/index.ts'
import type { Envelope, NewDelivery, Structured } from '../../node/deliveries.ts'

import { bodyOf } from './body.ts'

/** Dependencies of rendering. */
export interface RenderOptions {
  readonly structured: Structured
  /** The order families whose prices are hidden from a customer. */
  readonly hiddenFrom: (customerId: number) => Promise<readonly Family[]>
  /** Epoch milliseconds. */
  readonly clock: () => number
}

/** The place of a webhook event among those of its subject. */
interface Place {
  readonly sequence: string
  /** When the recorded event was recorded; epoch milliseconds. */
  readonly createdAt: number
}

/** The deliveries of a webhook event. The body is made once for each kind of reader. */
export async function render(
  eventType: WebhookEventType,
  webhookEvent: WebhookEvent,
  recipients: readonly Recipient[],
  { structured, hiddenFrom, clock, sequence, createdAt }: RenderOptions & Place,
): Promise<readonly NewDelivery[]> {
  const envelope = envelopeOf(webhookEvent, sequence)
  const bodies = new Map<string, Uint8Array>()
  const prices = pricesIn(eventType.data)
  const nativeFor = async ({ endpoint, reader }: Recipient) => {
    const { customerId } = endpoint
    const mayHide = prices.length > 0 && reader === 'customer' && customerId !== undefined
    const hidden = mayHide ? (await hiddenFrom(customerId)).filter((family) => prices.includes(family)) : []
    const kind = `${reader} ${hidden.join(' ')}`
    const body = bodies.get(kind) ?? bodyOf(eventType, webhookEvent, { reader, hidden })
    bodies.set(kind, body)
    return body
  }
  const dueAt = clock()
  const deliveries: NewDelivery[] = []
  for (const recipient of recipients) {
    const { endpoint } = recipient
    const native = await nativeFor(recipient)
    const body = endpoint.format === 'ce_structured' ? structured(envelope, native) : native
    const id = deliveryId(webhookEvent, endpoint)
    deliveries.push({ ...envelope, id, endpoint, body, native, dueAt, createdAt, state: 'waiting' })
  }
  return deliveries
}

function envelopeOf(webhookEvent: WebhookEvent, sequence: string): Envelope {
  const { type: event, id: eventId, subject, occurredAt, audience, isSandbox = false } = webhookEvent
  return { event, eventId, subject, occurredAt, businessId: audience.businessId, isTest: false, isSandbox, sequence }
}

/** Derived from the event and the endpoint, so a repeated event yields the same delivery. */
function deliveryId({ type: eventType, id }: WebhookEvent, endpoint: Endpoint): string {
  return `dlv_${deriveId('delivery', eventType, id, endpoint.id).replaceAll('-', '')}`
}
