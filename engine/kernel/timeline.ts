/** Identifiers of a tracked thing; at least one is present. */
export interface Subject {
  readonly tracking_number?: string
  readonly external_tracking_number?: string
  readonly gs1_sscc?: string
  readonly piece_id?: string
  readonly package_id?: number
  readonly order_id?: number
}

/** A postal address, complete or in part; `country` is ISO 3166-1 alpha-2. */
export interface Address {
  readonly street?: string
  readonly locality?: string
  readonly region?: string
  readonly postal_code?: string
  readonly country?: string
}

/** Where an event happened; all members are optional. `latitude` and `longitude` are WGS 84 degrees. */
export interface Location {
  readonly name?: string
  readonly unlocode?: string
  readonly gln?: string
  readonly latitude?: number
  readonly longitude?: number
  readonly address?: Address
}

/** The event of an EPCIS document that an event was made of: its id, and its own words. */
export interface SourceWords {
  readonly id: string
  readonly action: string
  /** A word of CBV, or a URI; so is the disposition. */
  readonly biz_step?: string
  readonly disposition?: string
}

/** Who reported an event: the kind of source, the provider's name, and the provider's own code. */
export interface Source {
  readonly type: string
  readonly provider?: string
  readonly code?: string
  readonly event?: SourceWords
}

/** The provider name under which the platform reports what the drivers of businesses do. */
export const platformProvider = 'self-delivery'

/** Proof of delivery or pick-up. */
export interface ProofOfDelivery {
  readonly recipient?: string
  readonly signed_at?: string
  readonly signature_url?: string
  readonly photo_urls?: readonly string[]
  readonly note?: string
}

/** The withdrawal of an event: when and why. */
export interface Withdrawal {
  readonly declared_at: string
  readonly reason?: string
}

/**
 * That the thing was put into a container or taken out of it; without `parent`, that the contents of the thing itself
 * changed: with `all`, it is empty from then on.
 */
export interface Aggregation {
  readonly action: 'ADD' | 'DELETE'
  /** Identifiers of the container, all of them public. */
  readonly parent?: Subject
  readonly all?: boolean
}

/** An event as it was known for a time, and the identifiers that its subject had then. */
export interface EventVersion {
  readonly event: TimelineEvent
  readonly subject: Subject
  /** When it became known, if that was after the event had been recorded. */
  readonly since?: string
}

/** One event of a timeline in the protocol's terms; instants are RFC 3339 with the producer's offset. */
export interface TimelineEvent {
  readonly event_id: string
  readonly otep_version: string
  readonly occurred_at: string
  readonly recorded_at: string
  readonly status_code: string
  /** Derived from the code; a producer's value is never stored. */
  readonly phase: string
  readonly location?: Location
  readonly source?: Source
  readonly incident_reason?: string
  readonly description?: string
  readonly pod?: ProofOfDelivery
  readonly estimated_delivery_at?: string
  /** From when on delivery is expected, if that is a window; it ends at `estimated_delivery_at`. */
  readonly estimated_delivery_from?: string
  /** True if the source reported only a current status, and the engine created this event from the change. */
  readonly synthesized?: boolean
  readonly aggregation?: Aggregation
  /** The container that it happened to, while the thing was in it. Such an event is joined on read and never stored. */
  readonly inherited_from?: Subject
  readonly withdrawn?: Withdrawal
}

/** What a sensor of a thing has measured, over all its readings. */
export interface SensorSummary {
  /** What was measured: `temperature`. */
  readonly type: string
  readonly device?: string
  readonly component?: string
  /** Of UCUM; absent where values have none. */
  readonly unit?: string
  readonly count: number
  /** Absent, as the other two, where values are no numbers. */
  readonly minimum?: number
  readonly maximum?: number
  readonly mean?: number
  readonly first: SensorValue
  readonly last: SensorValue
}

/** A reading of a sensor: when (ISO 8601, UTC), and the value; positions have none here. */
export interface SensorValue {
  readonly time: string
  readonly value?: number | boolean
}

/** One subject and its events in order of occurrence: the only input of a projection. */
export interface Timeline {
  readonly otep_version: string
  readonly profile: string
  readonly subject: Subject
  /** Code of the latest event in force, if there is one. */
  readonly current_status?: string
  readonly delivered: boolean
  readonly events: readonly TimelineEvent[]
  /** Events that are so far ahead of the clock that they do not count yet, in the same order; absent if there are none. */
  readonly future_events?: readonly TimelineEvent[]
  /** Withdrawn events in the same order; absent if there are none. */
  readonly withdrawn_events?: readonly TimelineEvent[]
  /** What sensors of the thing have measured; absent if nothing. */
  readonly sensors?: readonly SensorSummary[]
}

/** The key of the versions of an event. It is a symbol, so that no document shows them by mistake. */
const versions = Symbol('versions')

/**
 * What was known of an event over time, oldest first; the last version is what is known now. Undefined if nothing was
 * learnt after it had been recorded, nor any identifier of its subject.
 */
export function versionsOf(event: TimelineEvent): readonly EventVersion[] | undefined {
  return (event as { readonly [versions]?: readonly EventVersion[] })[versions]
}

/** The key of the mark of an event that documents tell with the former namespace of OTEP's own members. */
const formerNamespace = Symbol('former namespace')

/**
 * Whether an event was recorded when documents had another namespace for OTEP's own members. Its event hash id is made
 * with that one.
 */
export function hasFormerNamespace(event: TimelineEvent): boolean {
  return formerNamespace in event
}

/** The event, marked as recorded when documents had that namespace. */
export function withFormerNamespace(event: TimelineEvent): TimelineEvent {
  return { ...event, [formerNamespace]: true } as TimelineEvent
}

/** The event with its versions. */
export function withVersions(event: TimelineEvent, known: readonly EventVersion[]): TimelineEvent {
  return { ...event, [versions]: known } as TimelineEvent
}

/** The key of the mark of a subject that shares its number with another parcel. */
const splitOff = Symbol('split off')

/** The subject, marked as that of a timeline that was split off: its number belongs to another parcel. */
export function asSplitOff(subject: Subject): Subject {
  return { ...subject, [splitOff]: true } as Subject
}

/** Whether a subject is that of a timeline that was split off. */
export function isSplitOff(subject: Subject): boolean {
  return splitOff in subject
}

/** What a subject names orders and labels by: not by a number that belongs to another parcel. */
export function namingSubject(subject: Subject): Subject {
  if (!isSplitOff(subject)) return subject
  const { tracking_number, external_tracking_number, ...rest } = subject
  return rest
}
