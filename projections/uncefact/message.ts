import {
  deriveId,
  isAfter,
  nearestCode,
  type Profile,
  type ProofOfDelivery,
  type Source,
  type Subject,
  type Target,
  type Timeline,
  type TimelineEvent,
} from '../../engine/index.ts'
import { sources } from '../shared/identity.ts'
import { sourceWords } from '../shared/members.ts'
import { profileOf } from '../shared/profile.ts'
import { containerOf, nameOf } from '../shared/subject.ts'
import {
  cachedPart,
  constant,
  filled,
  flag,
  list,
  object,
  only,
  type Prepared,
  plain,
  ready,
  text,
  within,
  wrapped,
} from '../shared/template/index.ts'
import { type Row, rowFor } from './codes.ts'
import { type Delivery, deliveryOf } from './delivery.ts'
import type { Message, MessageConsignment, MessageStatus } from './message-schema.ts'
import { descriptionOf, nameOfCode } from './names.ts'
import { messagePlace } from './places.ts'
import { reasonCodeOf } from './reasons.ts'

/** A text in the form of the message. */
function content<Input, Value extends string | undefined>(get: (input: Input) => Value) {
  return wrapped((made) => ({ content: made as string }), text(get))
}

/** A code of a UNECE list. */
function code<Input, Value extends string | undefined>(get: (input: Input) => Value) {
  return wrapped((made) => ({ content: made as string, listAgencyId: '6' as const }), text(get))
}

const subject = object<Subject, MessageConsignment['x-subject']>({
  tracking_number: text(({ tracking_number }) => tracking_number),
  external_tracking_number: text(({ external_tracking_number }) => external_tracking_number),
  gs1_sscc: text(({ gs1_sscc }) => gs1_sscc),
  piece_id: text(({ piece_id }) => piece_id),
  package_id: text(({ package_id }) => package_id?.toString()),
  order_id: text(({ order_id }) => order_id?.toString()),
})

const source = object<Source, Source>({
  type: text(({ type }) => type),
  provider: text(({ provider }) => provider),
  code: text((one) => one.code),
  event: within(({ event }) => event, sourceWords),
})

const proof = object<ProofOfDelivery, NonNullable<MessageStatus['x-proofOfDelivery']>>({
  recipient: text(({ recipient }) => recipient),
  signed_at: text(({ signed_at }) => signed_at),
  signature_url: text(({ signature_url }) => signature_url),
  note: text(({ note }) => note),
  photo_urls: list(
    ({ photo_urls }) => photo_urls,
    text((url: string) => url),
  ),
})

/** The input of one status. */
interface StatusInput {
  readonly profile: Profile
  readonly event: TimelineEvent
  readonly row: Row
}

const status = object<StatusInput, MessageStatus>({
  conditionCode: code(({ row }) => row.code),
  referenceDateTime: text(({ event }) => event.occurred_at),
  description: content(({ profile, event, row }) => descriptionOf(profile, event, row)),
  reasonCode: wrapped((made) => [made], code(reasonOf)),
  reason: wrapped(
    (made) => [made],
    content(({ event }: StatusInput) => event.incident_reason),
  ),
  specifiedLogisticsLocation: within(({ event }) => event, messagePlace),
  'x-eventId': text(({ event }) => event.event_id),
  'x-statusCode': text(({ profile, event }) => nameOfCode(profile, event.status_code)),
  'x-recordedDateTime': text(({ event }) => event.recorded_at),
  'x-source': cachedPart(({ event }) => event.source, source, sources),
  'x-proofOfDelivery': within(({ event }) => event.pod, proof),
  'x-estimatedDeliveryDateTime': text(({ event }) => event.estimated_delivery_at),
  'x-estimatedDeliveryStartDateTime': text(({ event }) => event.estimated_delivery_from),
  'x-synthesized': flag(({ event }) => event.synthesized),
  'x-inheritedFrom': text(({ event }) => containerOf(event)),
})

/** A timeline, and the profile that its codes have. */
interface ConsignmentInput {
  readonly timeline: Timeline
  readonly profile: Profile
}

const consignment = object<ConsignmentInput, MessageConsignment>({
  id: only(content(({ timeline }) => nameOf(timeline.subject).value)),
  carrierAssignedId: content(({ timeline }) => timeline.subject.tracking_number),
  pickUpEvent: wrapped((actualOccurrenceDateTime) => ({ actualOccurrenceDateTime }), text(pickedUpAt)),
  deliveryEvent: within(
    ({ timeline, profile }) => deliveryOf(timeline, profile),
    object<Delivery, NonNullable<MessageConsignment['deliveryEvent']>>({
      estimatedOccurrenceDateTime: text(({ estimate }) => estimate),
      actualOccurrenceDateTime: text(({ event }) => event?.occurred_at),
    }),
  ),
  reportedLogisticsStatus: list(statusInputs, status),
  'x-subject': within(({ timeline }) => timeline.subject, subject),
})

/** A timeline and its consignment. */
export interface MessageInput {
  readonly timeline: Timeline
  readonly consignment: Prepared<MessageConsignment>
}

const withdrawnOf = ({ timeline }: MessageInput) => timeline.withdrawn_events ?? []

/** The timeline as a status report (MultimodalTransportConsignmentStatusReport, D23B). */
export const message = object<MessageInput, Message>({
  exchangedDocument: object<MessageInput, Message['exchangedDocument']>({
    // Derived from the content: equal reports have the same identifier, different ones do not.
    id: wrapped(
      (id) => ({ content: id }),
      text((input: MessageInput) => deriveId('uncefact', input.consignment.text)),
    ),
    typeCode: constant({ content: '44', listAgencyId: '6' }),
    issueDateTime: text((input) => issuedAt(input.timeline.events, withdrawnOf(input))),
    // A report that omits events of an earlier report replaces that report (UNTDID 1225).
    purposeCode: only(
      object({
        content: plain((input: MessageInput) => (withdrawnOf(input).length > 0 ? '5' : '9')),
        listAgencyId: constant('6'),
      }),
    ),
  }),
  specifiedConsignment: only(ready((input: MessageInput) => input.consignment)),
})

const consignmentOf = filled(consignment)

/** The input of a status report. */
export function messageInput(timeline: Timeline, target: Target): MessageInput {
  return { timeline, consignment: consignmentOf({ timeline, profile: profileOf(timeline, target) }) }
}

function statusInputs({ timeline: { events }, profile }: ConsignmentInput): readonly StatusInput[] {
  return events.map((event) => ({ profile, event, row: rowFor(profile, event.status_code) }))
}

function reasonOf({ profile, event: { status_code, incident_reason } }: StatusInput): string | undefined {
  return incident_reason === undefined ? undefined : reasonCodeOf(nearestCode(profile, status_code), incident_reason)
}

function pickedUpAt({ timeline: { events }, profile }: ConsignmentInput): string | undefined {
  return events.findLast(({ status_code }) => nearestCode(profile, status_code) === 'picked_up')?.occurred_at
}

/** When the latest part of the report was recorded; 1970 if the report is empty, because it must have a date. */
function issuedAt(events: readonly TimelineEvent[], withdrawn: readonly TimelineEvent[]): string {
  let latest = '1970-01-01T00:00:00Z'
  const consider = (dateTime: string | undefined) => {
    if (dateTime !== undefined && isAfter(dateTime, latest)) latest = dateTime
  }
  for (const { recorded_at } of events) consider(recorded_at)
  for (const { recorded_at, withdrawn: withdrawal } of withdrawn) {
    consider(recorded_at)
    consider(withdrawal?.declared_at)
  }
  return latest
}
