/** Identifiers of what is tracked; at least one is there. */
export interface Subject {
  readonly tracking_number?: string
  readonly external_tracking_number?: string
  readonly gs1_sscc?: string
  readonly piece_id?: string
  readonly package_id?: number
  readonly order_id?: number
}

/** A postal address, in part or whole; `country` is ISO 3166-1 alpha-2. */
export interface Address {
  readonly street?: string
  readonly locality?: string
  readonly region?: string
  readonly postal_code?: string
  readonly country?: string
}

/** Where it happened; every part is optional. `latitude` and `longitude` are WGS 84 degrees. */
export interface Location {
  readonly name?: string
  readonly unlocode?: string
  readonly gln?: string
  readonly latitude?: number
  readonly longitude?: number
  readonly address?: Address
}

/** Who says so: the kind of source, the provider's name, and the provider's own code for the event. */
export interface Source {
  readonly type: string
  readonly provider?: string
  readonly code?: string
}

/** The provider in whose name the platform itself reports what the drivers of businesses do. */
export const platformProvider = 'self-delivery'

/** Proof of delivery (or of pick-up). */
export interface ProofOfDelivery {
  readonly recipient?: string
  readonly signed_at?: string
  readonly signature_url?: string
  readonly photo_urls?: readonly string[]
  readonly note?: string
}

/** That an event was withdrawn: when, and why. */
export interface Withdrawal {
  readonly declared_at: string
  readonly reason?: string
}

/** One event of a timeline, in the protocol's own words; instants are RFC 3339 with the producer's offset. */
export interface TimelineEvent {
  readonly event_id: string
  readonly otep_version: string
  readonly occurred_at: string
  readonly recorded_at: string
  readonly status_code: string
  /** Derived from the code, never taken from a producer. */
  readonly phase: string
  readonly location?: Location
  readonly source?: Source
  readonly incident_reason?: string
  readonly description?: string
  readonly pod?: ProofOfDelivery
  readonly estimated_delivery_at?: string
  /** True where the source gave only a current status, and this event was made of the change. */
  readonly synthesized?: boolean
  readonly withdrawn?: Withdrawal
}

/** One subject and its events in order of occurrence: the only input of a projection. */
export interface Timeline {
  readonly otep_version: string
  readonly profile: string
  readonly subject: Subject
  /** Code of the latest event in force, where there is any. */
  readonly current_status?: string
  readonly delivered: boolean
  readonly events: readonly TimelineEvent[]
  /** Events that were withdrawn, in the same order; absent where there are none. */
  readonly withdrawn_events?: readonly TimelineEvent[]
}
