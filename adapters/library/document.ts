import type { Subject, TimelineEvent } from '../../engine/kernel/timeline.ts'
import type { ProfileCodes } from '../../profiles/index.ts'

/** A status code of a built-in profile, or one that is not registered and starts with `x-`. */
export type KnownCode =
  | { readonly [Name in keyof ProfileCodes]: keyof ProfileCodes[Name] & string }[keyof ProfileCodes]
  | `x-${string}`

/**
 * An event as a document may give it: when it occurred and its status code. All other members are optional.
 * `recorded_at` is `occurred_at` if absent, and an event without `event_id` gets one that is derived from its content.
 */
export interface EventDocument<Code extends string = KnownCode>
  extends Pick<TimelineEvent, 'occurred_at'>,
    Partial<Omit<TimelineEvent, 'occurred_at' | 'status_code'>> {
  readonly status_code: Code
}

/**
 * A timeline as a document may give it (OTEP 0.1, section 3): its events in any order, or only a current status. With
 * your own profiles, `TimelineDocument<string>` has their codes.
 */
export interface TimelineDocument<Code extends string = KnownCode> {
  readonly otep_version?: string
  /** The name of its profile; `parcel` if absent. */
  readonly profile?: string
  /** At least one identifier. */
  readonly subject: Subject
  readonly events?: readonly EventDocument<Code>[]
  readonly future_events?: readonly EventDocument<Code>[]
  readonly withdrawn_events?: readonly EventDocument<Code>[]
  readonly current_status?: Code
  /** When the current status was reached, for a document without events. */
  readonly current_status_at?: string
  readonly delivered?: boolean
}
