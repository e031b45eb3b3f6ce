import type { Address, Location, ProofOfDelivery, Source, Subject, TimelineEvent } from '../../engine/index.ts'
import { places, sources } from '../shared/likeness.ts'
import { flag, label, list, number, type Prepared, plain, ready, text } from '../shared/template/index.ts'
import type { Row } from './codes.ts'
import { type Extension, extension, type Native, part } from './extension.ts'
import type { BizTransaction } from './identifiers.ts'

/** What all events of a timeline have in common. */
export interface Common {
  readonly profile: string
  readonly epcList: Prepared<readonly string[]>
  readonly bizTransactionList: Prepared<readonly BizTransaction[]> | undefined
  readonly subject: Prepared<Extension>
  /** Their parts of the text that event hash ids are taken of. */
  readonly hashed: Readonly<Record<'epcList' | 'bizTransactionList' | 'subject', string>>
}

/** All that is told of one event. */
export interface Told {
  readonly common: Common
  readonly event: TimelineEvent
  readonly row: Row
  readonly eventTimeZoneOffset: string
  /** URI of where it happened. */
  readonly readPoint: string | undefined
  /** URI of where the thing may be found afterwards. */
  readonly bizLocation: string | undefined
  /** URI of where its transfer ends. */
  readonly destination: string | undefined
}

/** The identifiers of what is tracked. */
export const subjectExtension = extension<Subject>({
  tracking_number: text(({ tracking_number }) => tracking_number),
  external_tracking_number: text(({ external_tracking_number }) => external_tracking_number),
  gs1_sscc: plain(({ gs1_sscc }) => gs1_sscc),
  piece_id: text(({ piece_id }) => piece_id),
  package_id: number(({ package_id }) => package_id),
  order_id: number(({ order_id }) => order_id),
})

const address = extension<Address>({
  street: text(({ street }) => street),
  locality: label(({ locality }) => locality),
  region: label(({ region }) => region),
  postal_code: text(({ postal_code }) => postal_code),
  country: plain(({ country }) => country),
})

const location = extension<Location>({
  name: label(({ name }) => name),
  unlocode: plain(({ unlocode }) => unlocode),
  gln: plain(({ gln }) => gln),
  latitude: number(({ latitude }) => latitude),
  longitude: number(({ longitude }) => longitude),
  address: part(({ address }) => address, address),
})

const source = extension<Source>({
  type: label(({ type }) => type),
  provider: label(({ provider }) => provider),
  code: label(({ code }) => code),
})

const pod = extension<ProofOfDelivery>({
  recipient: text(({ recipient }) => recipient),
  signed_at: plain(({ signed_at }) => signed_at),
  signature_url: text(({ signature_url }) => signature_url),
  photo_urls: list(
    ({ photo_urls }) => photo_urls,
    text((url: string) => url),
  ),
  note: text(({ note }) => note),
})

/** What no standard member tells, or tells exactly, under OTEP's own names. */
export const ownMembers: Native<Told> = {
  event_id: text(({ event }) => event.event_id),
  otep_version: label(({ event }) => event.otep_version),
  profile: label(({ common }) => common.profile),
  subject: ready(({ common }) => common.subject),
  status_code: label(({ event }) => event.status_code),
  location: part(({ event }) => event.location, location, places),
  source: part(({ event }) => event.source, source, sources),
  incident_reason: label(({ event }) => event.incident_reason),
  description: text(({ event }) => event.description),
  pod: part(({ event }) => event.pod, pod),
  estimated_delivery_at: plain(({ event }) => event.estimated_delivery_at),
  synthesized: flag(({ event }) => event.synthesized),
}
