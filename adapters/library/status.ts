import { currentOf } from '../../engine/domains/tracking/timeline.ts'
import { isTerminal, phaseOf, profileNamed } from '../../engine/kernel/profile.ts'
import type { Timeline, TimelineEvent } from '../../engine/kernel/timeline.ts'
import { filledIn, type Options } from './options.ts'

/** The current status of a timeline. */
export interface Status {
  /** Its status code; absent if no event is in force. */
  readonly code?: string
  /** The phase of the code. */
  readonly phase?: string
  readonly delivered: boolean
  /** Whether no further event is expected. */
  readonly terminal: boolean
  /** The event that led to it. */
  readonly event?: TimelineEvent
}

/** The current status of a timeline: that of its latest event, unless an earlier one is terminal and stays in force. */
export function statusOf({ profile: name, events }: Timeline, options: Options = {}): Status {
  const profile = profileNamed(filledIn(options).profiles, name)
  const event = currentOf(events, profile)
  if (event === undefined) return { delivered: false, terminal: false }
  const code = event.status_code
  const phase = phaseOf(profile, code) ?? event.phase
  return { code, phase, delivered: phase === 'delivered', terminal: isTerminal(profile, code), event }
}
