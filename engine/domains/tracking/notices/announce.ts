import { fold } from '../../../kernel/decider.ts'
import type { RecordedEvent } from '../../../kernel/event.ts'
import { deriveId, deriveNumber } from '../../../kernel/id.ts'
import type { Announcement, NoticeFacts, NoticeSource, Reader } from '../../../kernel/notice.ts'
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
import { tracking } from '../commands.ts'
import type { StoredEvent, TrackingEvent, TrackingEventRecorded } from '../events.ts'
import { withPersonal } from '../personal.ts'
import type { TrackedOrder } from '../ports.ts'
import { descriptionOf } from './describe.ts'
import { type TrackingEventData, trackingEventNotice } from './tracking-event.ts'

/**
 * What was recorded in timelines, as the businesses of their orders are told it. What was added to an event or withdrawn
 * tells nothing: document 3 knows one notice for each event, and a second one of the same event would be taken for a
 * repetition.
 */
export const trackingNotices: NoticeSource = {
  category: 'tracking',
  types: ['TrackingEventRecorded'],
  announce: async (facts, event) => {
    const recorded = event as RecordedEvent<TrackingEvent>
    return recorded.type === 'TrackingEventRecorded' ? announce(facts, recorded) : []
  },
  forgets: {
    types: ['PersonalDataErased'],
    subjects: async (facts, event) => {
      const order = await facts.ports.tracking.orderOf(facts, await subjectAt(facts, event), event.position)
      return order === undefined ? [] : [`order/${order.id}`]
    },
  },
}

async function announce(
  facts: NoticeFacts,
  recorded: RecordedEvent<TrackingEventRecorded>,
): Promise<readonly Announcement[]> {
  if (!(await mayHaveOrder(facts, recorded))) return []
  const subject = await subjectAt(facts, recorded)
  const order = await facts.ports.tracking.orderOf(facts, subject, recorded.position)
  if (order === undefined) return []
  const { profiles } = facts
  const eventFacts = {
    profiles,
    recorded,
    subject,
    order,
    event: withPersonal(recorded.data.event, recorded.data.personal),
  }
  return [
    {
      notice: trackingEventNotice.name,
      id: `EVT-${deriveId(trackingEventNotice.name, recorded.id)}`,
      audience: { kind: 'tenant', businessId: order.businessId, customerId: order.customerId },
      occurredAt: isoOf(instantOf(eventFacts.event.occurred_at)),
      subject: `order/${order.id}`,
      data: (reader) => dataOf(eventFacts, reader),
    },
  ]
}

/** Whether there is reason to read the timeline: most parcels that are tracked are of no order, which their number tells. */
async function mayHaveOrder(facts: NoticeFacts, { data, position }: RecordedEvent<TrackingEventRecorded>) {
  if (data.subject.tracking_number === undefined) return true
  return (await facts.ports.tracking.orderOf(facts, data.subject, position)) !== undefined
}

/** What was known to be tracked when the event was recorded: a later report may name an order by a number of before. */
async function subjectAt({ store }: NoticeFacts, { stream, revision }: RecordedEvent): Promise<Subject> {
  const history = await store.read(stream as StreamName, { limit: revision + 1 })
  return fold(tracking, history as readonly TrackingEvent[]).subject
}

interface EventFacts {
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

/** As the platform's own reports name the parcel, so that the files of an order have the same numbers wherever they are told. */
function nameOf({ recorded: { data, stream }, subject }: EventFacts): TrackedEventName {
  const trackingNumber = data.subject.tracking_number ?? subject.tracking_number ?? stream
  return { provider: data.provider, event_id: data.event.event_id, trackingNumber }
}

/**
 * Whether a customer must not learn from the place who carries: what says of itself that it delivers for others, and of an
 * order that another carrier has had, all that is not told by the business's own drivers. An order may be given to a carrier
 * before it is recorded to have been handed over.
 */
function revealsCarrier({ recorded: { data }, order, event: { source } }: EventFacts): boolean {
  if (source?.type === 'third_party_delivery') return true
  return order.isByCarrier && (data.provider !== platformProvider || source?.type !== 'self_delivery')
}

function locationIdOf({ gln, unlocode, name }: Location = {}): number {
  const known = [gln, unlocode, name].find((one) => one !== undefined && one !== '')
  return known === undefined ? 0 : deriveNumber('location', known)
}

/** The files of an event; lists without any where one could be, and nothing where none is. */
function proofOf({ pod }: StoredEvent, names: EventNames, name: TrackedEventName) {
  const context = proofContextOf(names, trackingEventIdOf(name))
  const file = (kind: ProofFileKind) => (url: string, place: number) =>
    proofFileOf({ id: proofFileIdOf(name, kind, place), kind, url }, context)
  const signature = pod?.signature_url === undefined ? [] : [pod.signature_url]
  const files: ProofFileRecord[] = [...(pod?.photo_urls ?? []).map(file('photo')), ...signature.map(file('signature'))]
  if (files.length === 0 && context.service_status !== 1) return {}
  return { proof_files: files.map(({ url }) => url), proof_files_detail: files }
}
