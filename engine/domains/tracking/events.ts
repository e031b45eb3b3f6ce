import type { Event } from '../../kernel/event.ts'
import type { ShapesOf } from '../../kernel/event-shape.ts'
import type { Subject, TimelineEvent, Withdrawal } from '../../kernel/timeline.ts'
import type { SealedPersonal } from './personal.ts'

/** An event of the protocol as it is stored: without derived members (phase) and without later changes (withdrawal). */
export type StoredEvent = Omit<TimelineEvent, 'phase' | 'withdrawn'>

/** Members added by a later report of the same event. */
export type Addition = Partial<Omit<StoredEvent, 'event_id' | 'occurred_at' | 'status_code'>>

/** A fact that was recorded before versions of events were kept. All that is known at the first later fact counts as known from the start. */
interface BeforeVersions {
  readonly before_versions?: true
}

/** Identifies an event within its timeline. Ids are the producer's own, so the producer is part of the name. */
export interface EventName {
  readonly provider: string
  readonly event_id: string
}

/** Personal data, kept apart and encrypted; absent if there is none, or after an erasure. */
interface WithPersonalData extends BeforeVersions {
  readonly personal?: SealedPersonal
}

/** An event that was recorded when documents had another namespace for OTEP's own members, or that came in such a document. */
interface MayHaveFormerNamespace {
  readonly former_namespace?: true
}

/** Whether the thing was put into a container with this event or before. It tells this of the last event of a stream. */
interface MayBeContained {
  readonly contained?: true
}

/** A producer reported an event. */
export type TrackingEventRecorded = Event<
  'TrackingEventRecorded',
  WithPersonalData &
    MayBeContained &
    MayHaveFormerNamespace & {
      readonly profile: string
      readonly subject: Subject
      readonly provider: string
      readonly event: StoredEvent
    }
>

/** The producer sent an event again with more details. */
type TrackingEventEnriched = Event<
  'TrackingEventEnriched',
  WithPersonalData & MayBeContained & EventName & { readonly added: Addition }
>

/** The producer withdrew an event. */
type TrackingEventWithdrawn = Event<
  'TrackingEventWithdrawn',
  WithPersonalData & MayBeContained & EventName & { readonly withdrawn: Withdrawal }
>

/** A report without news about its event named new identifiers of the subject. */
type SubjectIdentified = Event<'SubjectIdentified', MayBeContained & BeforeVersions & { readonly subject: Subject }>

/** The personal data of all events of the timeline was erased; later personal data is not stored. */
type PersonalDataErased = Event<'PersonalDataErased', BeforeVersions & { readonly at: string }>

/** The events of a timeline's stream. */
export type TrackingEvent =
  | SubjectIdentified
  | TrackingEventRecorded
  | TrackingEventEnriched
  | TrackingEventWithdrawn
  | PersonalDataErased

/** The shapes of the events of a timeline's stream. */
export const trackingEventShapes: ShapesOf<TrackingEvent> = {
  SubjectIdentified: { contained: 'flag?', before_versions: 'flag?', subject: 'object' },
  TrackingEventRecorded: {
    before_versions: 'flag?',
    contained: 'flag?',
    former_namespace: 'flag?',
    profile: 'text',
    subject: 'object',
    provider: 'text',
    event: { event_id: 'text', otep_version: 'text', occurred_at: 'text', recorded_at: 'text', status_code: 'text' },
  },
  TrackingEventEnriched: {
    before_versions: 'flag?',
    contained: 'flag?',
    provider: 'text',
    event_id: 'text',
    added: 'object',
  },
  TrackingEventWithdrawn: {
    before_versions: 'flag?',
    contained: 'flag?',
    provider: 'text',
    event_id: 'text',
    withdrawn: { declared_at: 'text' },
  },
  PersonalDataErased: { before_versions: 'flag?', at: 'text' },
}
