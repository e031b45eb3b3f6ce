import type { Event } from '../../kernel/event.ts'
import type { Subject, TimelineEvent, Withdrawal } from '../../kernel/timeline.ts'

/** An event of the protocol as it is kept: without what is derived (phase) and without what later facts add (withdrawal). */
export type KeptEvent = Omit<TimelineEvent, 'phase' | 'withdrawn'>

/** Members that a later report of the same event brought. */
export type Addition = Partial<Omit<KeptEvent, 'event_id' | 'occurred_at' | 'status_code'>>

/** What names an event within its timeline: ids are the producer's own, so the producer belongs to the name. */
export interface EventName {
  readonly provider: string
  readonly event_id: string
}

/** A producer reported an event. */
export type TrackingEventRecorded = Event<
  'TrackingEventRecorded',
  { readonly profile: string; readonly subject: Subject; readonly provider: string; readonly event: KeptEvent }
>

/** The producer sent an event again and said more about it. */
export type TrackingEventEnriched = Event<'TrackingEventEnriched', EventName & { readonly added: Addition }>

/** The producer took an event back. */
export type TrackingEventWithdrawn = Event<'TrackingEventWithdrawn', EventName & { readonly withdrawn: Withdrawal }>

/** A report that said nothing new of its event named identifiers of the subject that were not known. */
export type SubjectIdentified = Event<'SubjectIdentified', { readonly subject: Subject }>

/** The events of a timeline's stream. */
export type TrackingEvent = SubjectIdentified | TrackingEventRecorded | TrackingEventEnriched | TrackingEventWithdrawn

/** Version of the shape of these events' data. */
export const schemaVersion = 1
