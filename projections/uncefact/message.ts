import {
  deriveId,
  identifiersOf,
  instantOf,
  type ProofOfDelivery,
  type Timeline,
  type TimelineEvent,
} from '../../engine/index.ts'
import { nameOf } from '../shared/subject.ts'
import { rowFor } from './codes.ts'
import { type Delivery, deliveryOf } from './delivery.ts'
import type { Message, MessageConsignment, MessageStatus } from './message-schema.ts'
import { descriptionOf, nameOfCode } from './names.ts'
import { messagePlace } from './places.ts'
import { reasonCodeOf } from './reasons.ts'

/** The timeline as a status report (MultimodalTransportConsignmentStatusReport, D23B). */
export function messageOf(timeline: Timeline): Message {
  const consignment = consignmentOf(timeline)
  const withdrawn = timeline.withdrawn_events ?? []
  return {
    exchangedDocument: {
      // From the content: the same report has the same identifier, another report another.
      id: { content: deriveId('uncefact', JSON.stringify(consignment)) },
      typeCode: { content: '44', listAgencyId: '6' },
      issueDateTime: issuedAt(timeline.events, withdrawn),
      // A report that leaves events out that were reported replaces what was reported (UNTDID 1225).
      purposeCode: [{ content: withdrawn.length > 0 ? '5' : '9', listAgencyId: '6' }],
    },
    specifiedConsignment: [consignment],
  }
}

function consignmentOf(timeline: Timeline): MessageConsignment {
  const { subject, profile, events } = timeline
  const picked = events.findLast(({ status_code }) => status_code === 'picked_up')
  const delivery = deliveryOf(timeline)
  return {
    id: [{ content: nameOf(subject).value }],
    ...(subject.tracking_number === undefined
      ? undefined
      : { carrierAssignedId: { content: subject.tracking_number } }),
    ...(picked === undefined ? undefined : { pickUpEvent: { actualOccurrenceDateTime: picked.occurred_at } }),
    ...(delivery === undefined ? undefined : { deliveryEvent: deliveryEvent(delivery) }),
    reportedLogisticsStatus: events.map((event) => statusOf(profile, event)),
    'x-subject': Object.fromEntries(identifiersOf(subject).map(({ kind, value }) => [kind, value])),
  }
}

function statusOf(profile: string, event: TimelineEvent): MessageStatus {
  const { status_code, incident_reason, source, pod, estimated_delivery_at, synthesized } = event
  const row = rowFor(profile, status_code)
  const description = descriptionOf(profile, event, row)
  const reason = incident_reason === undefined ? undefined : reasonCodeOf(status_code, incident_reason)
  const place = messagePlace(event.location)
  const status: MessageStatus = {
    ...(row.code === undefined ? undefined : { conditionCode: { content: row.code, listAgencyId: '6' } }),
    referenceDateTime: event.occurred_at,
    ...(description === undefined ? undefined : { description: { content: description } }),
    ...(reason === undefined ? undefined : { reasonCode: [{ content: reason, listAgencyId: '6' }] }),
    ...(incident_reason === undefined ? undefined : { reason: [{ content: incident_reason }] }),
    ...(place === undefined ? undefined : { specifiedLogisticsLocation: [place] }),
    'x-eventId': event.event_id,
    'x-statusCode': nameOfCode(profile, status_code),
    'x-recordedDateTime': event.recorded_at,
  }
  if (source !== undefined) status['x-source'] = source
  if (pod !== undefined) status['x-proofOfDelivery'] = copyOf(pod)
  if (estimated_delivery_at !== undefined) status['x-estimatedDeliveryDateTime'] = estimated_delivery_at
  if (synthesized !== undefined) status['x-synthesized'] = synthesized
  return status
}

function copyOf({ photo_urls, ...pod }: ProofOfDelivery): NonNullable<MessageStatus['x-proofOfDelivery']> {
  return photo_urls === undefined ? pod : { ...pod, photo_urls: [...photo_urls] }
}

function deliveryEvent({ event, estimate }: Delivery): NonNullable<MessageConsignment['deliveryEvent']> {
  return {
    ...(estimate === undefined ? undefined : { estimatedOccurrenceDateTime: estimate }),
    ...(event === undefined ? undefined : { actualOccurrenceDateTime: event.occurred_at }),
  }
}

/** When the last word of the report was known; 1970 where there is none, since the report must have a date. */
function issuedAt(events: readonly TimelineEvent[], withdrawn: readonly TimelineEvent[]): string {
  let latest = '1970-01-01T00:00:00Z'
  let instant = 0
  const consider = (dateTime: string | undefined) => {
    const at = dateTime === undefined ? instant : instantOf(dateTime)
    if (dateTime === undefined || at <= instant) return
    latest = dateTime
    instant = at
  }
  for (const { recorded_at } of events) consider(recorded_at)
  for (const { recorded_at, withdrawn: withdrawal } of withdrawn) {
    consider(recorded_at)
    consider(withdrawal?.declared_at)
  }
  return latest
}
