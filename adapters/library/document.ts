import type { Subject, TimelineEvent } from '../../engine/kernel/timeline.ts'

/**
 * An event as a document may give it: when it occurred and its status code. All other members are optional.
 * `recorded_at` is `occurred_at` if absent, and an event without `event_id` gets one that is derived from its content.
 */
export interface EventDocument
  extends Pick<TimelineEvent, 'occurred_at' | 'status_code'>,
    Partial<Omit<TimelineEvent, 'occurred_at' | 'status_code'>> {}

/**
 * A timeline as a document may give it (OTEP 0.1, section 3): its events in any order, or only a current status. Every
 * `Timeline` is one.
 */
export interface TimelineDocument {
  readonly otep_version?: string
  /** The name of its profile; `parcel` if absent. */
  readonly profile?: string
  /** At least one identifier. */
  readonly subject: Subject
  readonly events?: readonly EventDocument[]
  readonly withdrawn_events?: readonly EventDocument[]
  readonly current_status?: string
  /** When the current status was reached, for a document without events. */
  readonly current_status_at?: string
  readonly delivered?: boolean
}
