import { deriveId, deriveNumber } from '../../../kernel/id.ts'
import { type EventNames, eventNamesOf, type Profile } from '../../../kernel/profile.ts'
import {
  type ProofFileKind,
  type ProofFileRecord,
  proofContextOf,
  proofFileIdOf,
  proofFileOf,
  type TrackedEventName,
  trackingEventIdOf,
} from '../../../kernel/proof-file.ts'
import { instantOf, isoOf } from '../../../kernel/time.ts'
import { type Location, platformProvider, type Subject } from '../../../kernel/timeline.ts'
import type { Reader, WebhookEvent } from '../../../kernel/webhook-event.ts'
import type { StoredEvent } from '../events.ts'
import type { TrackedOrder } from '../ports.ts'
import { descriptionOf } from './describe.ts'
import { type TrackingEventData, trackingEventType } from './tracking-event.ts'

/** What a webhook event about an event of a timeline is made of. */
interface EventFacts {
  /** The profile of the timeline: other trades may use the same code for something else. */
  readonly profiles: readonly Profile[]
  readonly provider: string
  readonly event: StoredEvent
  /** The identifiers of the parcel. */
  readonly subject: Subject
  /** As in the platform's own reports, so that the files of an order have the same ids everywhere. */
  readonly trackingNumber: string
  readonly order: TrackedOrder
}

/** The webhook event about an event of the parcel of an order; `names` identify it. */
export function trackingWebhookEvent(names: readonly string[], eventFacts: EventFacts): WebhookEvent {
  const { order, event } = eventFacts
  return {
    type: trackingEventType.name,
    id: `EVT-${deriveId(trackingEventType.name, ...names)}`,
    audience: { kind: 'tenant', businessId: order.businessId, customerId: order.customerId, shop: order.shop },
    occurredAt: isoOf(instantOf(event.occurred_at)),
    subject: `order/${order.id}`,
    data: (reader) => dataOf(eventFacts, reader),
  }
}

function dataOf(eventFacts: EventFacts, reader: Reader): TrackingEventData {
  const { profiles, subject, order, event } = eventFacts
  const names = eventNamesOf(profiles, event.status_code)
  const name = nameOf(eventFacts)
  const { location, inherited_from } = reader === 'customer' && revealsCarrier(eventFacts) ? ({} as StoredEvent) : event
  const place = location?.name ?? ''
  return {
    id: trackingEventIdOf(name),
    order_id: order.id,
    order_ref: order.reference ?? '',
    location_id: locationIdOf(location),
    location_name: place,
    tracking_event_type: names.type,
    tracking_event_status_id: names.statusId,
    tracking_event_key: names.key,
    otep_status: event.status_code,
    ...proofOf(event, names, name),
    description: { ...descriptionOf(profiles, event.status_code, place) },
    tracking_number: listed(subject.tracking_number),
    external_tracking_number: listed(subject.external_tracking_number),
    ...(inherited_from === undefined ? {} : { inherited_from }),
  }
}

function listed(number: string | undefined): string[] {
  return number === undefined ? [] : [number]
}

function nameOf({ provider, trackingNumber, event: { event_id } }: EventFacts): TrackedEventName {
  return { provider, event_id, trackingNumber }
}

/**
 * Whether the place and the container would reveal the carrier to a customer. This is the case for events of third-party deliveries,
 * and for orders that another carrier has had, unless the business's own drivers reported the event. An order may be
 * given to a carrier before the handover is recorded.
 */
function revealsCarrier({ provider, order, event: { source } }: EventFacts): boolean {
  if (source?.type === 'third_party_delivery') return true
  return order.isByCarrier && (provider !== platformProvider || source?.type !== 'self_delivery')
}

function locationIdOf({ gln, unlocode, name }: Location = {}): number {
  const known = [gln, unlocode, name].find((one) => one !== undefined && one !== '')
  return known === undefined ? 0 : deriveNumber('location', known)
}

/** The files of an event; empty lists if it could have files, no members otherwise. */
function proofOf({ pod }: StoredEvent, names: EventNames, name: TrackedEventName) {
  const context = proofContextOf(names, trackingEventIdOf(name))
  const file = (kind: ProofFileKind) => (url: string, place: number) =>
    proofFileOf({ id: proofFileIdOf(name, kind, place), kind, url }, context)
  const signature = pod?.signature_url === undefined ? [] : [pod.signature_url]
  const files: ProofFileRecord[] = [...(pod?.photo_urls ?? []).map(file('photo')), ...signature.map(file('signature'))]
  if (files.length === 0 && context.service_status !== 1) return {}
  return { proof_files: files.map(({ url }) => url), proof_files_detail: files }
}
