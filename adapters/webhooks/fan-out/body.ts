import {
  type Announcement,
  type Family,
  type Members,
  type Notice,
  type Reader,
  withoutPrices,
} from '../../../engine/index.ts'

/** For whom a body is made. */
export interface Rendering {
  readonly reader: Reader
  /** The order families whose prices are hidden from the reader. */
  readonly hidden: readonly Family[]
}

const encoder = new TextEncoder()

/** Channels whose bodies say whether they come from a real machine (`livemode`). */
const livemodeChannels: readonly Notice['channel'][] = ['provider_locker', 'third_party_delivery']

/** The native body of a webhook event in UTF-8: the same envelope for all events. */
export function bodyOf(notice: Notice, announcement: Announcement, { reader, hidden }: Rendering): Uint8Array {
  const { id, occurredAt, audience, isSandbox = false } = announcement
  const data = announcement.data(reader)
  return bytesOf(notice, {
    id,
    occurredAt,
    businessId: audience.businessId,
    isSandbox,
    data: hidden.length === 0 ? data : withoutPrices(notice.data, data, hidden),
  })
}

/** The body of a test event: the example of the event type, marked as a test. */
export function testBodyOf(notice: Notice, id: string, occurredAt: string, businessId: number): Uint8Array {
  const data: Members = { ...notice.example, test: true }
  return bytesOf(notice, { id, occurredAt, businessId, isSandbox: false, data })
}

interface EventEnvelope {
  readonly id: string
  readonly occurredAt: string
  readonly businessId: number
  readonly isSandbox: boolean
  readonly data: unknown
}

function bytesOf({ name, channel, idMember }: Notice, envelope: EventEnvelope): Uint8Array {
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
