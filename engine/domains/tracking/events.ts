import type { Event } from '../../kernel/event.ts'
import type { Subject, TimelineEvent, Withdrawal } from '../../kernel/timeline.ts'
import type { Personal } from './personal.ts'

/** An event of the protocol as it is kept: without what is derived (phase) and without what later facts add (withdrawal). */
export type StoredEvent = Omit<TimelineEvent, 'phase' | 'withdrawn'>

/** Members that a later report of the same event brought. */
export type Addition = Partial<Omit<StoredEvent, 'event_id' | 'occurred_at' | 'status_code'>>

/** What names an event within its timeline: ids are the producer's own, so the producer belongs to the name. */
export interface EventName {
  readonly provider: string
  readonly event_id: string
}

/** What a fact tells of people, kept apart from the rest and sealed; absent where it tells nothing, or it was erased. */
interface WithPersonalData {
  readonly personal?: Personal
}

/** A producer reported an event. */
export type TrackingEventRecorded = Event<
  'TrackingEventRecorded',
  WithPersonalData & {
    readonly profile: string
    readonly subject: Subject
    readonly provider: string
    readonly event: StoredEvent
  }
>

/** The producer sent an event again and said more about it. */
export type TrackingEventEnriched = Event<
  'TrackingEventEnriched',
  WithPersonalData & EventName & { readonly added: Addition }
>

/** The producer took an event back. */
export type TrackingEventWithdrawn = Event<
  'TrackingEventWithdrawn',
  WithPersonalData & EventName & { readonly withdrawn: Withdrawal }
>

/** A report that said nothing new of its event named identifiers of the subject that were not known. */
export type SubjectIdentified = Event<'SubjectIdentified', { readonly subject: Subject }>

/** What all facts of the timeline tell of people was erased, and what later ones would tell is not kept. */
export type PersonalDataErased = Event<'PersonalDataErased', { readonly at: string }>

/** The events of a timeline's stream. */
export type TrackingEvent =
  | SubjectIdentified
  | TrackingEventRecorded
  | TrackingEventEnriched
  | TrackingEventWithdrawn
  | PersonalDataErased

const types: Readonly<Record<TrackingEvent['type'], true>> = {
  SubjectIdentified: true,
  TrackingEventRecorded: true,
  TrackingEventEnriched: true,
  TrackingEventWithdrawn: true,
  PersonalDataErased: true,
}

/** The types of the events of a timeline's stream. */
export const trackingEventTypes: readonly string[] = Object.keys(types)
