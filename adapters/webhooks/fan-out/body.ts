import {
  type Family,
  type Members,
  type Reader,
  type WebhookEvent,
  type WebhookEventType,
  withoutPrices,
} from '../../../engine/index.ts'

/** For whom a body is made. */
interface Rendering {
  readonly reader: Reader
  /** The order families whose prices are hidden from the reader. */
  readonly hidden: readonly Family[]
}

const encoder = new TextEncoder()

/** Channels whose bodies say whether they come from a real machine (`livemode`). */
const livemodeChannels: readonly WebhookEventType['channel'][] = ['provider_locker', 'third_party_delivery']

/** The native body of a webhook event in UTF-8: the same envelope for all events. */
export function bodyOf(
  eventType: WebhookEventType,
  webhookEvent: WebhookEvent,
  { reader, hidden }: Rendering,
): Uint8Array {
  const { id, occurredAt, audience, isSandbox = false } = webhookEvent
  const data = webhookEvent.data(reader)
  return bytesOf(eventType, {
    id,
    occurredAt,
    businessId: audience.businessId,
    isSandbox,
    data: hidden.length === 0 ? data : withoutPrices(eventType.data, data, hidden),
  })
}

/** The body of a test event: the example of the event type, marked as a test. */
export function testBodyOf(
  eventType: WebhookEventType,
  id: string,
  occurredAt: string,
  businessId: number,
): Uint8Array {
  const data: Members = { ...eventType.example, test: true }
  return bytesOf(eventType, { id, occurredAt, businessId, isSandbox: false, data })
}

interface EventEnvelope {
  readonly id: string
  readonly occurredAt: string
  readonly businessId: number
  readonly isSandbox: boolean
  readonly data: unknown
}

function bytesOf({ name, channel, idMember }: WebhookEventType, envelope: EventEnvelope): Uint8Array {
  const body = {
    event: name,
    ...(idMember === undefined ? {} : { [idMember]: envelope.id }),
    occurred_at: envelope.occurredAt,
    business_id: envelope.businessId,
    ...(livemodeChannels.includes(channel) ? { livemode: !envelope.isSandbox } : {}),
    data: envelope.data,
  }
  return encoder.encode(JSON.stringify(body))
}
