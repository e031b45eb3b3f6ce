import type {
  Address,
  Location,
  ProofOfDelivery,
  Source,
  Subject,
  Timeline,
  TimelineEvent,
  Withdrawal,
} from '../../engine/index.ts'
import { places, sources } from '../shared/likeness.ts'
import {
  documents,
  flag,
  label,
  list,
  longList,
  number,
  object,
  plain,
  recurring,
  text,
  within,
} from '../shared/template/index.ts'

const subject = object<Subject, Subject>({
  tracking_number: text(({ tracking_number }) => tracking_number),
  external_tracking_number: text(({ external_tracking_number }) => external_tracking_number),
  gs1_sscc: plain(({ gs1_sscc }) => gs1_sscc),
  piece_id: text(({ piece_id }) => piece_id),
  package_id: number(({ package_id }) => package_id),
  order_id: number(({ order_id }) => order_id),
})

const address = object<Address, Address>({
  street: text(({ street }) => street),
  locality: text(({ locality }) => locality),
  region: text(({ region }) => region),
  postal_code: text(({ postal_code }) => postal_code),
  country: plain(({ country }) => country),
})

const location = object<Location, Location>({
  name: text(({ name }) => name),
  unlocode: plain(({ unlocode }) => unlocode),
  gln: plain(({ gln }) => gln),
  latitude: number(({ latitude }) => latitude),
  longitude: number(({ longitude }) => longitude),
  address: within(({ address }) => address, address),
})

const source = object<Source, Source>({
  type: label(({ type }) => type),
  provider: label(({ provider }) => provider),
  code: label(({ code }) => code),
})

const pod = object<ProofOfDelivery, ProofOfDelivery>({
  recipient: text(({ recipient }) => recipient),
  signed_at: plain(({ signed_at }) => signed_at),
  signature_url: text(({ signature_url }) => signature_url),
  photo_urls: list(
    ({ photo_urls }) => photo_urls,
    text((url: string) => url),
  ),
  note: text(({ note }) => note),
})

const withdrawal = object<Withdrawal, Withdrawal>({
  declared_at: plain(({ declared_at }) => declared_at),
  reason: text(({ reason }) => reason),
})

const event = object<TimelineEvent, TimelineEvent>({
  event_id: text(({ event_id }) => event_id),
  otep_version: label(({ otep_version }) => otep_version),
  occurred_at: plain(({ occurred_at }) => occurred_at),
  recorded_at: plain(({ recorded_at }) => recorded_at),
  status_code: label(({ status_code }) => status_code),
  phase: label(({ phase }) => phase),
  location: recurring(({ location }) => location, location, places),
  source: recurring(({ source }) => source, source, sources),
  incident_reason: label(({ incident_reason }) => incident_reason),
  description: text(({ description }) => description),
  pod: within(({ pod }) => pod, pod),
  estimated_delivery_at: plain(({ estimated_delivery_at }) => estimated_delivery_at),
  synthesized: flag(({ synthesized }) => synthesized),
  withdrawn: within(({ withdrawn }) => withdrawn, withdrawal),
})

/** The timeline as it is, its members in the order in which the protocol lists them (OTEP 0.1, section 3). */
export const { project, write, pieces } = documents(
  (timeline) => timeline,
  object<Timeline, Timeline>({
    otep_version: label(({ otep_version }) => otep_version),
    profile: label(({ profile }) => profile),
    subject: within(({ subject }) => subject, subject),
    current_status: label(({ current_status }) => current_status),
    delivered: flag(({ delivered }) => delivered),
    events: longList(({ events }) => events, event),
    withdrawn_events: list(({ withdrawn_events }) => withdrawn_events, event),
  }),
)
