import type { Target, Timeline, TimelineEvent } from '../../engine/index.ts'
import { identifierUri, nameOf, segment, timelineUrl } from '../shared/subject.ts'
import { rowFor } from './codes.ts'
import { deliveryOf } from './delivery.ts'
import { descriptionOf, nameOfCode } from './names.ts'
import { eventNotes, subjectNotes } from './notes.ts'
import { vocabularyPlace } from './places.ts'
import { reasonCodeOf } from './reasons.ts'
import { contextUrl, type TransportEvent, type Vocabulary } from './vocabulary-schema.ts'

/** The timeline as a consignment with its transport events (UN/CEFACT vocabulary D23B). */
export function vocabularyOf(timeline: Timeline, target: Target): Vocabulary {
  const { baseUrl } = target
  const { subject, profile, events } = timeline
  const name = nameOf(subject)
  const base = `${timelineUrl(target, subject)}/uncefact/events/`
  const consignment: Partial<Vocabulary> = {}
  if (subject.gs1_sscc !== undefined) {
    consignment.globalId = identifierUri(baseUrl, { kind: 'gs1_sscc', value: subject.gs1_sscc })
  }
  if (subject.tracking_number !== undefined) consignment.carrierAssignedId = subject.tracking_number
  const status = currentStatus(timeline)
  if (status !== undefined) consignment.specifiedLogisticsStatus = status
  const pickup = events.findLast(({ status_code }) => status_code === 'picked_up')
  if (pickup !== undefined) consignment.pickUpEvent = { id: base + localId(pickup), type: 'TransportEvent' }
  const delivery = deliveryOf(timeline)
  if (delivery !== undefined) {
    consignment.deliveryTransportEvent = {
      ...(delivery.event === undefined ? undefined : { id: base + localId(delivery.event) }),
      type: 'TransportEvent',
      ...(delivery.estimate === undefined ? undefined : { estimatedOccurrenceDateTime: delivery.estimate }),
    }
  }
  const notes = subjectNotes(subject)
  if (notes.length > 0) consignment.statementNote = notes
  return {
    '@context': contextUrl,
    // Not the URI of an SSCC or a piece: that is the parcel's, and the consignment is no parcel.
    id: `${baseUrl}/id/${name.kind}/${segment(name.value)}`,
    type: 'Consignment',
    identifier: name.value,
    ...consignment,
    transportEvent: events.map((event) => transportEvent(profile, event, base)),
  }
}

/** The event of a document that is meant by the path of its `id` below the document's address, as it stands or decoded. */
export function eventAt({ transportEvent }: Vocabulary, path: string): object | undefined {
  const pathOf = (id: string) => id.slice(id.lastIndexOf('/uncefact/') + '/uncefact/'.length)
  const event =
    transportEvent.find(({ id }) => path === pathOf(id)) ??
    transportEvent.find(({ id }) => path === decodeURIComponent(pathOf(id)))
  return event === undefined ? undefined : { '@context': contextUrl, ...event }
}

/** Ids of events are their producers' own, so the producer is part of the name; a segment has no colon. */
function localId({ event_id, source }: TimelineEvent): string {
  return source?.provider ? `${segment(source.provider)}:${segment(event_id)}` : segment(event_id)
}

function transportEvent(profile: string, event: TimelineEvent, base: string): TransportEvent {
  const { event_id, status_code, incident_reason } = event
  const row = rowFor(profile, status_code)
  const made: TransportEvent = {
    id: base + localId(event),
    type: 'TransportEvent',
    identifier: event_id,
    typeCode: nameOfCode(profile, status_code),
    ...(row.code === undefined ? undefined : { reportedConditionTypeCode: iriOf(row.code) }),
    actualOccurrenceDateTime: event.occurred_at,
    receivedDateTime: event.recorded_at,
  }
  const description = descriptionOf(profile, event, row)
  if (description !== undefined) made.description = description
  const reason = incident_reason === undefined ? undefined : reasonCodeOf(status_code, incident_reason)
  if (reason !== undefined) made.reasonTypeCode = reason
  const place = vocabularyPlace(event.location)
  if (place !== undefined) made.occurrenceLogisticsLocation = place
  const notes = eventNotes(event)
  if (notes.length > 0) made.applicableNote = notes
  return made
}

/** A code of Recommendation 24 as the context reads it; a bare number would be a relative IRI. */
function iriOf(code: string): string {
  return `unece:LogisticsStatusCodeList#${code}`
}

function currentStatus({ profile, current_status, events }: Timeline): Vocabulary['specifiedLogisticsStatus'] {
  const event = events.findLast(({ status_code }) => status_code === current_status)
  const code = event === undefined ? undefined : rowFor(profile, event.status_code).code
  if (event === undefined || code === undefined) return undefined
  return {
    type: 'LogisticsStatus',
    logisticsStatusConditionCode: iriOf(code),
    referenceDateTime: event.occurred_at,
  }
}
