import {
  codeOf,
  givesWay,
  isExperimental,
  isReturn,
  type Profile,
  type Timeline,
  type TimelineEvent,
} from '../../../engine/index.ts'

/** How things stand: on the main line, at its end, beside it, going back, over, in unregistered words, or unknown. */
export type Standing = 'ahead' | 'arrived' | 'held' | 'returning' | 'ended' | 'unregistered' | 'empty'

/** How far a step of the main line is. */
export type StepState = 'done' | 'current' | 'stopped' | 'upcoming' | 'unreached'

/** One phase of the main line. */
export interface Step {
  readonly phase: string
  readonly state: StepState
  /** Whether this is the last phase that was reached. */
  readonly here: boolean
}

/** What a timeline comes to: the event that gives its status, and how far along the main line it is. */
export interface Course {
  readonly current: TimelineEvent | undefined
  readonly standing: Standing
  readonly steps: readonly Step[]
  /** Events that a terminal status holds against: they stay, and do not count. */
  readonly uncounted: ReadonlySet<TimelineEvent>
  /** The latest estimate, for as long as something is still expected. */
  readonly estimate: string | undefined
}

/** Reads the course of a timeline. The line stops at the phase of the last event that stood on it and counted. */
export function courseOf({ events }: Timeline, profile: Profile): Course {
  const { counted, uncounted } = weighed(events, profile)
  const current = counted.at(-1)
  const standing = standingOf(current, profile)
  const last = counted.findLast(({ phase }) => profile.phases.includes(phase))
  const place = last === undefined ? -1 : profile.phases.indexOf(last.phase)
  const isOpen = standing === 'ahead' || standing === 'held' || standing === 'unregistered'
  return {
    current,
    standing,
    steps: profile.phases.map((phase, index) => ({
      phase,
      state: stateOf(index - place, standing),
      here: index === place,
    })),
    uncounted,
    estimate: isOpen
      ? counted.findLast(({ estimated_delivery_at: at }) => at !== undefined)?.estimated_delivery_at
      : undefined,
  }
}

/** Rule 4 of the timeline: a terminal status holds. */
function weighed(events: readonly TimelineEvent[], profile: Profile) {
  const counted: TimelineEvent[] = []
  const uncounted = new Set<TimelineEvent>()
  for (const event of events) {
    if (givesWay(profile, counted.at(-1)?.status_code, event.status_code)) counted.push(event)
    else uncounted.add(event)
  }
  return { counted, uncounted }
}

function standingOf(current: TimelineEvent | undefined, profile: Profile): Standing {
  if (current === undefined) return 'empty'
  const code = codeOf(profile, current.status_code)
  if (code === undefined || isExperimental(current.status_code)) return 'unregistered'
  if (profile.phases.includes(code.phase)) return code.terminal ? 'arrived' : 'ahead'
  if (isReturn(profile, current.status_code)) return 'returning'
  return code.terminal ? 'ended' : 'held'
}

/** `distance` counts from the last phase that was reached. */
function stateOf(distance: number, standing: Standing): StepState {
  const isOver = standing === 'returning' || standing === 'ended'
  if (distance > 0) return isOver ? 'unreached' : 'upcoming'
  if (distance < 0 || standing === 'arrived') return 'done'
  return standing === 'ahead' ? 'current' : 'stopped'
}
