import type { Event } from '../../kernel/event.ts'
import type { ShapesOf } from '../../kernel/event-shape.ts'
import type { StreamName } from '../../kernel/stream.ts'
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

/** A fact that was recorded before in this timeline, or in the one that this was split off from; when that was, ISO 8601. */
interface MayBeMoved {
  readonly moved?: string
}

/**
 * Whether an event of the timeline was so far ahead of the clock, when this was recorded, that it did not count yet. It
 * tells this of the last event of a stream.
 */
interface MayBeAhead {
  readonly ahead?: true
}

/** Whether readings of sensors were recorded for the thing before. It tells this of the last event of a stream. */
interface MayBeMeasured {
  readonly measured?: true
}

/** A producer reported an event. */
export type TrackingEventRecorded = Event<
  'TrackingEventRecorded',
  WithPersonalData &
    MayBeMoved &
    MayBeContained &
    MayBeMeasured &
    MayBeAhead &
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
  WithPersonalData & MayBeMoved & MayBeContained & MayBeMeasured & MayBeAhead & EventName & { readonly added: Addition }
>

/** The producer withdrew an event. */
type TrackingEventWithdrawn = Event<
  'TrackingEventWithdrawn',
  WithPersonalData &
    MayBeMoved &
    MayBeContained &
    MayBeMeasured &
    MayBeAhead &
    EventName & { readonly withdrawn: Withdrawal }
>

/** A report without news about its event named new identifiers of the subject. Old facts do not say whose report it was. */
type SubjectIdentified = Event<
  'SubjectIdentified',
  MayBeMoved &
    MayBeContained &
    MayBeMeasured &
    MayBeAhead &
    BeforeVersions & { readonly subject: Subject; readonly provider?: string }
>

/**
 * The events of some providers became a separate timeline. It is the first fact of that one (`from`), and also a fact of the
 * one that they leave (`to`). The facts of each follow once more, as if there had been two timelines from the beginning.
 */
export type TimelineSplit = Event<
  'TimelineSplit',
  BeforeVersions & {
    readonly at: string
    readonly providers: readonly string[]
    readonly to?: StreamName
    readonly from?: StreamName
    /** The timeline that the ids of events are derived from, if they come without. */
    readonly ids?: StreamName
  }
>

/** The time has come of an event that was reported ahead of it: it counts from now on. */
export type TrackingEventBecameDue = Event<
  'TrackingEventBecameDue',
  MayBeMoved &
    MayBeContained &
    MayBeMeasured &
    MayBeAhead &
    BeforeVersions &
    EventName & { readonly profile: string; readonly subject: Subject }
>

/** The personal data of all events of the timeline was erased; later personal data is not stored. */
type PersonalDataErased = Event<
  'PersonalDataErased',
  MayBeAhead & MayBeMeasured & BeforeVersions & { readonly at: string }
>

/** The events of a timeline's stream. */
export type TrackingEvent =
  | SubjectIdentified
  | TrackingEventRecorded
  | TrackingEventEnriched
  | TrackingEventWithdrawn
  | TrackingEventBecameDue
  | PersonalDataErased
  | TimelineSplit

/** The shapes of the events of a timeline's stream. */
export const trackingEventShapes: ShapesOf<TrackingEvent> = {
  SubjectIdentified: {
    contained: 'flag?',
    measured: 'flag?',
    ahead: 'flag?',
    before_versions: 'flag?',
    moved: 'text?',
    provider: 'text?',
    subject: 'object',
  },
  TrackingEventRecorded: {
    before_versions: 'flag?',
    moved: 'text?',
    contained: 'flag?',
    measured: 'flag?',
    ahead: 'flag?',
    former_namespace: 'flag?',
    profile: 'text',
    subject: 'object',
    provider: 'text',
    event: { event_id: 'text', otep_version: 'text', occurred_at: 'text', recorded_at: 'text', status_code: 'text' },
  },
  TrackingEventEnriched: {
    before_versions: 'flag?',
    moved: 'text?',
    contained: 'flag?',
    measured: 'flag?',
    ahead: 'flag?',
    provider: 'text',
    event_id: 'text',
    added: 'object',
  },
  TrackingEventWithdrawn: {
    before_versions: 'flag?',
    moved: 'text?',
    contained: 'flag?',
    measured: 'flag?',
    ahead: 'flag?',
    provider: 'text',
    event_id: 'text',
    withdrawn: { declared_at: 'text' },
  },
  TrackingEventBecameDue: {
    before_versions: 'flag?',
    moved: 'text?',
    contained: 'flag?',
    measured: 'flag?',
    ahead: 'flag?',
    provider: 'text',
    event_id: 'text',
    profile: 'text',
    subject: 'object',
  },
  TimelineSplit: { before_versions: 'flag?', at: 'text', providers: 'list', to: 'text?', from: 'text?', ids: 'text?' },
  PersonalDataErased: { ahead: 'flag?', measured: 'flag?', before_versions: 'flag?', at: 'text' },
}
