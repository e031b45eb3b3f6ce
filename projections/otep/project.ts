import type {
  Address,
  Aggregation,
  Location,
  PagedTimeline,
  ProofOfDelivery,
  Source,
  Subject,
  Timeline,
  TimelineEvent,
  Withdrawal,
} from '../../engine/index.ts'
import { places, sources } from '../shared/identity.ts'
import { addressMembers, placeMembers, proofMembers, sourceMembers, subjectMembers } from '../shared/members.ts'
import {
  cachedPart,
  documents,
  flag,
  json,
  object,
  piecesFrom,
  streamedList,
  text,
  within,
} from '../shared/template/index.ts'

const subject = object<Subject, Subject>(subjectMembers)

const address = object<Address, Address>(addressMembers)

const location = object<Location, Location>({
  ...placeMembers,
  address: within(({ address }) => address, address),
})

const source = object<Source, Source>(sourceMembers)

const pod = object<ProofOfDelivery, ProofOfDelivery>(proofMembers)

const withdrawal = object<Withdrawal, Withdrawal>({
  declared_at: text(({ declared_at }) => declared_at),
  reason: text(({ reason }) => reason),
})

const aggregation = object<Aggregation, Aggregation>({
  action: text(({ action }) => action),
  parent: within(({ parent }) => parent, subject),
  all: flag(({ all }) => all),
})

const event = object<TimelineEvent, TimelineEvent>({
  event_id: text(({ event_id }) => event_id),
  otep_version: text(({ otep_version }) => otep_version),
  occurred_at: text(({ occurred_at }) => occurred_at),
  recorded_at: text(({ recorded_at }) => recorded_at),
  status_code: text(({ status_code }) => status_code),
  phase: text(({ phase }) => phase),
  location: cachedPart(({ location }) => location, location, places),
  source: cachedPart(({ source }) => source, source, sources),
  incident_reason: text(({ incident_reason }) => incident_reason),
  description: text(({ description }) => description),
  pod: within(({ pod }) => pod, pod),
  estimated_delivery_at: text(({ estimated_delivery_at }) => estimated_delivery_at),
  estimated_delivery_from: text(({ estimated_delivery_from }) => estimated_delivery_from),
  synthesized: flag(({ synthesized }) => synthesized),
  aggregation: within(({ aggregation }) => aggregation, aggregation),
  inherited_from: within(({ inherited_from }) => inherited_from, subject),
  withdrawn: within(({ withdrawn }) => withdrawn, withdrawal),
})

/** A timeline, all of it or in pages. */
type Input = Omit<Timeline, 'events'> & { readonly events: Iterable<TimelineEvent> }

const document = object<Input, Timeline>({
  otep_version: text(({ otep_version }) => otep_version),
  profile: text(({ profile }) => profile),
  subject: within(({ subject }) => subject, subject),
  current_status: text(({ current_status }) => current_status),
  delivered: flag(({ delivered }) => delivered),
  events: streamedList(({ events }) => events, event),
  future_events: streamedList(({ future_events }) => future_events, event),
  withdrawn_events: streamedList(({ withdrawn_events }) => withdrawn_events, event),
  sensors: json(({ sensors }) => sensors),
})

/** The timeline unchanged, with its members in the order of the protocol (OTEP 0.1, section 3). */
export const { project, steps, write, pieces } = documents<Input, Timeline>((timeline) => timeline, document)

/** The same for a timeline in pages. */
export const paged: (timeline: PagedTimeline) => Iterable<string> = piecesFrom(document)
