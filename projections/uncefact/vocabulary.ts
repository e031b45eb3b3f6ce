import { nearestCode, type Profile, type Target, type Timeline, type TimelineEvent } from '../../engine/index.ts'
import { profileOf } from '../shared/profile.ts'
import { identifierUri, nameOf, segment, timelineUrl } from '../shared/subject.ts'
import { constant, joined, object, type Plain, plain, streamedList, text, within } from '../shared/template/index.ts'
import { type Row, rowFor } from './codes.ts'
import { type Delivery, deliveryOf } from './delivery.ts'
import { descriptionOf, nameOfCode } from './names.ts'
import { eventNotes, subjectNotes } from './notes.ts'
import { vocabularyPlace } from './places.ts'
import { reasonCodeOf } from './reasons.ts'
import { contextUrl, type TransportEvent, type Vocabulary } from './vocabulary-schema.ts'

/** The input of a document. */
export interface VocabularyInput {
  readonly timeline: Timeline
  readonly profile: Profile
  readonly baseUrl: string
  /** The prefix of the ids of events. */
  readonly base: Plain
  readonly delivery: Delivery | undefined
}

/** The input of one event. */
interface EventInput {
  readonly profile: Profile
  readonly base: Plain
  readonly event: TimelineEvent
  readonly row: Row
}

const transportEvent = object<EventInput, TransportEvent>({
  id: plain(({ base, event }) => joined(base, localId(event))),
  type: constant('TransportEvent'),
  identifier: text(({ event }) => event.event_id),
  typeCode: text(({ profile, event }) => nameOfCode(profile, event.status_code)),
  reportedConditionTypeCode: text(({ row }) => iriOf(row)),
  actualOccurrenceDateTime: text(({ event }) => event.occurred_at),
  receivedDateTime: text(({ event }) => event.recorded_at),
  description: text(({ profile, event, row }) => descriptionOf(profile, event, row)),
  reasonTypeCode: text(({ profile, event: { status_code, incident_reason } }) =>
    incident_reason === undefined ? undefined : reasonCodeOf(nearestCode(profile, status_code), incident_reason),
  ),
  occurrenceLogisticsLocation: within(({ event }) => event, vocabularyPlace),
  applicableNote: within(({ event }) => event, eventNotes),
})

type Status = NonNullable<Vocabulary['specifiedLogisticsStatus']>

const specifiedStatus = object<{ readonly event: TimelineEvent; readonly code: string }, Status>({
  type: constant('LogisticsStatus'),
  logisticsStatusConditionCode: text(({ code }) => code),
  referenceDateTime: text(({ event }) => event.occurred_at),
})

/** The timeline as a consignment with its transport events (UN/CEFACT vocabulary D23B). */
export const vocabulary = object<VocabularyInput, Vocabulary>({
  '@context': constant(contextUrl),
  // Not the URI of an SSCC or a piece, because that identifies the parcel and not the consignment.
  id: text(({ baseUrl, timeline }) => consignmentUri(baseUrl, timeline)),
  type: constant('Consignment'),
  identifier: text(({ timeline }) => nameOf(timeline.subject).value),
  globalId: text(({ baseUrl, timeline: { subject } }) =>
    subject.gs1_sscc === undefined ? undefined : identifierUri(baseUrl, { kind: 'gs1_sscc', value: subject.gs1_sscc }),
  ),
  carrierAssignedId: text(({ timeline }) => timeline.subject.tracking_number),
  specifiedLogisticsStatus: within(currentStatus, specifiedStatus),
  pickUpEvent: within(pickUpId, object({ id: plain((id: Plain) => id), type: constant('TransportEvent') })),
  deliveryTransportEvent: within(
    ({ delivery, base }) => delivery && { ...delivery, base },
    object<Delivery & { readonly base: Plain }, NonNullable<Vocabulary['deliveryTransportEvent']>>({
      id: plain(({ event, base }) => (event === undefined ? undefined : joined(base, localId(event)))),
      type: constant('TransportEvent'),
      estimatedOccurrenceDateTime: text(({ estimate }) => estimate),
    }),
  ),
  statementNote: within(({ timeline }) => timeline.subject, subjectNotes),
  transportEvent: streamedList(eventInputs, transportEvent),
})

/** The input of a document. */
export function vocabularyInput(timeline: Timeline, target: Target): VocabularyInput {
  const base = joined(timelineUrl(target, timeline.subject), '/uncefact/events/')
  const profile = profileOf(timeline, target)
  return { timeline, profile, baseUrl: target.baseUrl, base, delivery: deliveryOf(timeline, profile) }
}

function* eventInputs({ timeline: { events }, profile, base }: VocabularyInput): Generator<EventInput> {
  for (const event of events) yield { profile, base, event, row: rowFor(profile, event.status_code) }
}

/** The event of a document whose `id` has this path below the document's address, encoded or decoded. */
export function eventAt({ transportEvent }: Vocabulary, path: string): object | undefined {
  const pathOf = (id: string) => id.slice(id.lastIndexOf('/uncefact/') + '/uncefact/'.length)
  const event =
    transportEvent.find(({ id }) => path === pathOf(id)) ??
    transportEvent.find(({ id }) => path === decodeURIComponent(pathOf(id)))
  return event === undefined ? undefined : { '@context': contextUrl, ...event }
}

function consignmentUri(baseUrl: string, { subject }: Timeline): string {
  const { kind, value } = nameOf(subject)
  return `${baseUrl}/id/${kind}/${segment(value)}`
}

/** Event ids are unique only for their producer, so the producer is part of the name; a segment has no colon. */
function localId({ event_id, source }: TimelineEvent): Plain {
  return source?.provider ? joined(segment(source.provider), ':', segment(event_id)) : segment(event_id)
}

/** A code of Recommendation 24 as the context reads it; a bare number would be a relative IRI. */
function iriOf({ code }: Row): string | undefined {
  return code === undefined ? undefined : `unece:LogisticsStatusCodeList#${code}`
}

function pickUpId({ timeline, profile, base }: VocabularyInput): Plain | undefined {
  const event = timeline.events.findLast(({ status_code }) => nearestCode(profile, status_code) === 'picked_up')
  return event && joined(base, localId(event))
}

function currentStatus({
  profile,
  timeline: { current_status, events },
}: VocabularyInput): { event: TimelineEvent; code: string } | undefined {
  const event = events.findLast(({ status_code }) => status_code === current_status)
  const code = event && iriOf(rowFor(profile, event.status_code))
  return event && code !== undefined ? { event, code } : undefined
}
