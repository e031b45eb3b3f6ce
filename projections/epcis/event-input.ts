import type {
  Address,
  Location,
  Profile,
  ProofOfDelivery,
  Source,
  SourceWords,
  Subject,
  TimelineEvent,
} from '../../engine/index.ts'
import { places, sources } from '../shared/identity.ts'
import { addressMembers, placeMembers, proofMembers, sourceMembers, subjectMembers } from '../shared/members.ts'
import { flag, type Prepared, ready, text } from '../shared/template/index.ts'
import type { Step } from './codes.ts'
import { type Extension, type Native, type OwnForm, part } from './extension.ts'
import type { BizTransaction } from './identifiers.ts'

/** The parts that all events of a timeline share. */
export interface Common {
  readonly profile: Profile
  /** How events write OTEP's own members. */
  readonly form: OwnForm
  readonly epcList: Prepared<readonly string[]>
  readonly bizTransactionList: Prepared<readonly BizTransaction[]> | undefined
  readonly subject: Prepared<Extension>
  /** Their parts of the text from which event hash ids are computed. */
  readonly hashed: Readonly<Record<'epcList' | 'bizTransactionList' | 'subject', string>>
}

/** The declaration that an event was replaced by one in which more is known. */
export interface Replaced {
  readonly declared_at: string
  /** The id of the other event. */
  readonly by: string
}

/** The input of one event. */
export interface EventInput {
  readonly common: Common
  readonly event: TimelineEvent
  /** Its id, if it is known: that of its source event, for example. It is made of the content otherwise. */
  readonly id: string | undefined
  readonly replaced: Replaced | undefined
  /** Whether it says what was learnt after the event had been recorded. */
  readonly isLater: boolean
  readonly row: Step
  readonly eventTimeZoneOffset: string
  /** URI of the place where it happened. */
  readonly readPoint: string | undefined
  /** URI of the place where the item may be found afterwards. */
  readonly bizLocation: string | undefined
  /** URI of the place where its transfer ends. */
  readonly destination: string | undefined
}

/** The identifiers of the subject. */
export const subjectNative: Native<Subject> = subjectMembers

const address: Native<Address> = addressMembers

const location: Native<Location> = { ...placeMembers, address: part(({ address }) => address, address) }

const sourceEvent: Native<SourceWords> = { id: text(({ id }) => id) }

/** The words of its source event are the words of the event itself. */
const source: Native<Source> = { ...sourceMembers, event: part(({ event }) => event, sourceEvent) }

const pod: Native<ProofOfDelivery> = proofMembers

/** Members that no standard member expresses, or expresses exactly, under OTEP's own names. */
export const ownMembers: Native<EventInput> = {
  event_id: text(({ event }) => event.event_id),
  otep_version: text(({ event }) => event.otep_version),
  profile: text(({ common }) => common.profile.name),
  subject: ready(({ common }) => common.subject),
  status_code: text(({ event }) => event.status_code),
  location: part(({ event }) => event.location, location, places),
  source: part(({ event }) => event.source, source, sources),
  incident_reason: text(({ event }) => event.incident_reason),
  description: text(({ event }) => event.description),
  pod: part(({ event }) => event.pod, pod),
  estimated_delivery_at: text(({ event }) => event.estimated_delivery_at),
  estimated_delivery_from: text(({ event }) => event.estimated_delivery_from),
  synthesized: flag(({ event }) => event.synthesized),
}
