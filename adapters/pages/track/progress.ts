import {
  codeOf,
  counts,
  isExperimental,
  isReturn,
  type Profile,
  type Timeline,
  type TimelineEvent,
  visitInSteps,
} from '../../../engine/index.ts'

/**
 * The state of a parcel: on its way, arrived, held up, returning, ended, at an unregistered status, or without events.
 */
export type Standing = 'ahead' | 'arrived' | 'held' | 'returning' | 'ended' | 'unregistered' | 'empty'

/** The state of one step of the progress bar. */
export type StepState = 'done' | 'current' | 'stopped' | 'upcoming' | 'unreached'

/** One phase of the progress bar. */
export interface Step {
  readonly phase: string
  readonly state: StepState
  /** Whether this is the last phase that was reached. */
  readonly here: boolean
}

/** The progress of a parcel: the event that gives its status, and how far it has come through the phases. */
export interface ParcelProgress {
  readonly current: TimelineEvent | undefined
  readonly standing: Standing
  readonly steps: readonly Step[]
  /** Events that come after a terminal status: they stay in the list and do not count. */
  readonly uncounted: ReadonlySet<TimelineEvent>
  /** The latest estimate, while a delivery is still expected. */
  readonly estimate: string | undefined
}

/** The progress of a timeline. It ends at the phase of the last counted event whose phase is a step. */
export function* progressOf({ events }: Timeline, profile: Profile): Generator<void, ParcelProgress> {
  const { counted, uncounted } = yield* weighed(events, profile)
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

/** Rule 4 of the timeline: a terminal status is final. */
function* weighed(events: readonly TimelineEvent[], profile: Profile) {
  const counted: TimelineEvent[] = []
  const uncounted = new Set<TimelineEvent>()
  yield* visitInSteps(events, (event) => {
    if (counts(profile, counted.at(-1)?.status_code, event)) counted.push(event)
    else uncounted.add(event)
  })
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
