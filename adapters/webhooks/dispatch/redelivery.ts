import { type Endpoint, isObject } from '../../../engine/index.ts'
import type { DueDelivery, Envelope, NewDelivery, Original, Structured } from '../../node/deliveries.ts'

/** What a new delivery is given. */
export interface Fresh {
  /** A UUID. */
  readonly id: string
  /** Epoch milliseconds. */
  readonly dueAt: number
  readonly structured: Structured
}

/** Whether something may go to an endpoint: what comes from the sandbox not where that is switched off. */
export function isTaking({ isSandboxOff }: Endpoint, { isSandbox }: Pick<NewDelivery, 'isSandbox'>): boolean {
  return !(isSandbox && isSandboxOff === true)
}

/** What a native body is sent as to an endpoint. */
export function bodyFor(
  endpoint: Endpoint,
  envelope: Envelope,
  native: Uint8Array,
  structured: Structured,
): Uint8Array {
  return endpoint.format === 'ce_structured' ? structured(envelope, native) : native
}

/**
 * The same native bytes again, for the endpoint as it stands now. An id that the body carries stays; any other is new
 * (document 3, "Tenant webhooks").
 */
export function redeliveryOf(original: Original, endpoint: Endpoint, { id, dueAt, structured }: Fresh): NewDelivery {
  const { event, subject, occurredAt, businessId, isTest, isSandbox, native } = original
  const eventId = hasOwnId(native) ? original.eventId : `EVT-${id}`
  const envelope = { event, eventId, subject, occurredAt, businessId, isTest, isSandbox }
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

/** The first attempt of a delivery that whoever keeps it makes. */
export function firstAttempt(delivery: NewDelivery): DueDelivery {
  const { id: endpointId, owner, channel, url, format, standard } = delivery.endpoint
  const { id, event, eventId, subject, occurredAt, businessId, isTest, isSandbox, body } = delivery
  return {
    ...{ id, event, eventId, subject, occurredAt, businessId, isTest, isSandbox, body },
    ...{ endpointId, owner, channel, url, format, standard, attempts: 0, attemptNumber: 1 },
  }
}
