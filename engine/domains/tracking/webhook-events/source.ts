import { fold } from '../../../kernel/decider.ts'
import type { RecordedEvent } from '../../../kernel/event.ts'
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
import type { StreamName } from '../../../kernel/stream.ts'
import { instantOf, isoOf } from '../../../kernel/time.ts'
import { type Location, platformProvider, type Subject } from '../../../kernel/timeline.ts'
import type { Reader, WebhookEvent, WebhookEventFacts, WebhookEventSource } from '../../../kernel/webhook-event.ts'
import { tracking } from '../commands.ts'
import type { StoredEvent, TrackingEvent, TrackingEventRecorded } from '../events.ts'
import { withPersonal } from '../personal.ts'
import type { TrackedOrder } from '../ports.ts'
import { descriptionOf } from './describe.ts'
import { type TrackingEventData, trackingEventType } from './tracking-event.ts'

/**
 * Makes a webhook event from each recorded event of the parcel of an order. Enrichments and withdrawals have none:
 * document 3 has one webhook event for each event, and a second one would look like a repetition.
 */
export const trackingEventSource: WebhookEventSource = {
  category: 'tracking',
  types: ['TrackingEventRecorded'],
  webhookEventsOf: async (facts, event) => {
    const recorded = event as RecordedEvent<TrackingEvent>
    return recorded.type === 'TrackingEventRecorded' ? webhookEventsOf(facts, recorded) : []
  },
  forgets: {
    types: ['PersonalDataErased'],
    subjects: async (facts, event) => {
      const order = await facts.ports.tracking.orderOf(facts, await subjectAt(facts, event), event.position)
      return order === undefined ? [] : [`order/${order.id}`]
    },
  },
}

async function webhookEventsOf(
  facts: WebhookEventFacts,
  recorded: RecordedEvent<TrackingEventRecorded>,
): Promise<readonly WebhookEvent[]> {
  if (!(await mayHaveOrder(facts, recorded))) return []
  const subject = await subjectAt(facts, recorded)
  const order = await facts.ports.tracking.orderOf(facts, subject, recorded.position)
  if (order === undefined) return []
  const eventFacts = {
    profiles: facts.profiles.filter(({ name }) => name === recorded.data.profile),
    recorded,
    subject,
    order,
    event: withPersonal(recorded.data.event, recorded.data.personal),
  }
  return [
    {
      type: trackingEventType.name,
      id: `EVT-${deriveId(trackingEventType.name, recorded.id)}`,
      audience: { kind: 'tenant', businessId: order.businessId, customerId: order.customerId },
      occurredAt: isoOf(instantOf(eventFacts.event.occurred_at)),
      subject: `order/${order.id}`,
      data: (reader) => dataOf(eventFacts, reader),
    },
  ]
}

/** Whether the timeline has to be read: most tracked parcels have no order, which the tracking number shows. */
async function mayHaveOrder(facts: WebhookEventFacts, { data, position }: RecordedEvent<TrackingEventRecorded>) {
  if (data.subject.tracking_number === undefined) return true
  return (await facts.ports.tracking.orderOf(facts, data.subject, position)) !== undefined
}

/** The subject as known when the event was recorded; later reports may add an order. */
async function subjectAt({ store }: WebhookEventFacts, { stream, revision }: RecordedEvent): Promise<Subject> {
  const history = await store.read(stream as StreamName, { limit: revision + 1 })
  return fold(tracking, history as readonly TrackingEvent[]).subject
}

interface EventFacts {
  /** The profile of the timeline: other trades may use the same code for something else. */
  readonly profiles: readonly Profile[]
  readonly recorded: RecordedEvent<TrackingEventRecorded>
  readonly subject: Subject
  readonly order: TrackedOrder
  readonly event: StoredEvent
}

function dataOf(eventFacts: EventFacts, reader: Reader): TrackingEventData {
  const { profiles, subject, order, event } = eventFacts
  const names = eventNamesOf(profiles, event.status_code)
  const name = nameOf(eventFacts)
  const location = reader === 'customer' && revealsCarrier(eventFacts) ? undefined : event.location
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
  }
}

function listed(number: string | undefined): string[] {
  return number === undefined ? [] : [number]
}

/**
 * Uses the same tracking number as the platform's own reports, so that the files of an order have the same ids
 * everywhere.
 */
function nameOf({ recorded: { data, stream }, subject }: EventFacts): TrackedEventName {
  const trackingNumber = data.subject.tracking_number ?? subject.tracking_number ?? stream
  return { provider: data.provider, event_id: data.event.event_id, trackingNumber }
}

/**
 * Whether the location would reveal the carrier to a customer. This is the case for events of third-party deliveries,
 * and for orders that another carrier has had, unless the business's own drivers reported the event. An order may be
 * given to a carrier before the handover is recorded.
 */
function revealsCarrier({ recorded: { data }, order, event: { source } }: EventFacts): boolean {
  if (source?.type === 'third_party_delivery') return true
  return order.isByCarrier && (data.provider !== platformProvider || source?.type !== 'self_delivery')
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
