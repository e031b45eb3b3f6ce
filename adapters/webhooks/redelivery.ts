import { type Endpoint, isObject } from '../../engine/index.ts'
import type { DueDelivery, Envelope, NewDelivery, OriginalDelivery, Structured } from '../node/deliveries.ts'

/** Id and due time of a new delivery. */
interface RedeliveryStamp {
  /** A UUID. */
  readonly id: string
  /** Epoch milliseconds. */
  readonly dueAt: number
  readonly structured: Structured
}

/** Whether an endpoint accepts a delivery: sandbox events only while it receives them. */
export function acceptsDelivery({ isSandboxOff }: Endpoint, { isSandbox }: Pick<NewDelivery, 'isSandbox'>): boolean {
  return !(isSandbox && isSandboxOff === true)
}

/** The body for an endpoint: the native bytes, or the CloudEvent around them. */
export function bodyFor(
  endpoint: Pick<Endpoint, 'format'>,
  envelope: Envelope,
  native: Uint8Array,
  structured: Structured,
): Uint8Array {
  return endpoint.format === 'ce_structured' ? structured(envelope, native) : native
}

/**
 * The same native bytes for the current endpoint. An event id in the body is kept; otherwise the event gets a new one
 * (document 3, "Tenant webhooks").
 */
export function redeliveryOf(
  original: OriginalDelivery,
  endpoint: NewDelivery['endpoint'],
  { id, dueAt, structured }: RedeliveryStamp,
): NewDelivery {
  const { native } = original
  const eventId = hasOwnId(native) ? original.eventId : `EVT-${id}`
  const envelope = { ...envelopeOf(original), eventId }
  const body = bodyFor(endpoint, envelope, native, structured)
  return { ...envelope, id, endpoint, body, native, dueAt, state: 'waiting', redeliveryOf: original.id }
}

function hasOwnId(native: Uint8Array): boolean {
  try {
    const body: unknown = JSON.parse(new TextDecoder().decode(native))
    return isObject(body) && ('event_id' in body || 'message_id' in body)
  } catch {
    return false
  }
}

/** The first attempt of a delivery that its creator sends itself. */
export function firstAttempt(delivery: NewDelivery): DueDelivery {
  const { id: endpointId, owner, channel, url, format, standard, isInOrder = false } = delivery.endpoint
  const { id, body } = delivery
  return {
    ...envelopeOf(delivery),
    ...{ id, body, endpointId, owner, channel, url, format, standard, isInOrder, attempts: 0, attemptNumber: 1 },
  }
}

function envelopeOf({
  event,
  eventId,
  subject,
  occurredAt,
  businessId,
  isTest,
  isSandbox,
  sequence,
}: Envelope): Envelope {
  return {
    ...{ event, eventId, subject, occurredAt, businessId, isTest, isSandbox },
    ...(sequence === undefined ? {} : { sequence }),
  }
}
