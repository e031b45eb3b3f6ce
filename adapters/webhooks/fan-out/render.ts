import { type Announcement, deriveId, type Endpoint, type Notice, type Recipient } from '../../../engine/index.ts'
import type { Envelope, NewDelivery, Structured } from '../../node/deliveries.ts'
import { bodyOf } from './body.ts'

/** What deliveries are made with. */
export interface RenderOptions {
  readonly structured: Structured
  /** Whether the prices that an announcement tells are hidden from a customer. */
  readonly isHidden: (announcement: Announcement, customerId: number) => Promise<boolean>
  /** Epoch milliseconds. */
  readonly clock: () => number
}

/** The deliveries of an announcement: the body is made once for each kind of reader, whoever else is told. */
export async function render(
  notice: Notice,
  announcement: Announcement,
  recipients: readonly Recipient[],
  { structured, isHidden, clock }: RenderOptions,
): Promise<readonly NewDelivery[]> {
  const envelope = envelopeOf(announcement)
  const bodies = new Map<string, Uint8Array>()
  const nativeFor = async ({ endpoint, reader }: Recipient) => {
    const { customerId } = endpoint
    const isPriceHidden =
      reader === 'customer' && customerId !== undefined && (await isHidden(announcement, customerId))
    const kind = `${reader} ${isPriceHidden}`
    const body = bodies.get(kind) ?? bodyOf(notice, announcement, { reader, isPriceHidden })
    bodies.set(kind, body)
    return body
  }
  const dueAt = clock()
  const deliveries: NewDelivery[] = []
  for (const recipient of recipients) {
    const { endpoint } = recipient
    const native = await nativeFor(recipient)
    const body = endpoint.format === 'ce_structured' ? structured(envelope, native) : native
    const id = deliveryId(announcement, endpoint)
    deliveries.push({ ...envelope, id, endpoint, body, native, dueAt, state: 'waiting' })
  }
  return deliveries
}

function envelopeOf({ notice, id, subject, occurredAt, audience, isSandbox = false }: Announcement): Envelope {
  return {
    event: notice,
    eventId: id,
    subject,
    occurredAt,
    businessId: audience.businessId,
    isTest: false,
    isSandbox,
  }
}

/** The same each time an announcement is made for an endpoint: so it is kept once. */
function deliveryId({ notice, id }: Announcement, endpoint: Endpoint): string {
  return `dlv_${deriveId('delivery', notice, id, endpoint.id).replaceAll('-', '')}`
}
