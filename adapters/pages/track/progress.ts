import {
  codeOf,
  createJourney,
  instantOf,
  isExperimental,
  isReturn,
  latestExpected,
  type PlannedDelivery,
  type Profile,
  type Timeline,
  type TimelineEvent,
  visitInSteps,
} from '../../../engine/index.ts'
import type { PlacedExpected } from './dates.ts'

/**
 * The state of a parcel: on its way, arrived, held up, returning, ended, at an unregistered status, or without events.
 */
export type Standing = 'ahead' | 'arrived' | 'held' | 'returning' | 'ended' | 'unregistered' | 'empty'

/** The state of one step of the progress bar. */
export type StepState = 'done' | 'current' | 'stopped' | 'ended' | 'upcoming'

/** One step of the progress bar: a phase, or the event that has left the main line. */
interface Step {
  readonly phase: string
  readonly state: StepState
  /** Whether this is the latest step. */
  readonly here: boolean
  /** The event beside the main line that the step represents. */
  readonly event?: TimelineEvent
}

/** The progress of a parcel: the event that it is at, and how far it has come through the phases. */
export interface ParcelProgress {
  readonly current: TimelineEvent | undefined
  /** The announcement that gives the current status and came too late to move the parcel. */
  readonly late: TimelineEvent | undefined
  readonly standing: Standing
  readonly steps: readonly Step[]
  /** Events that come after a terminal status: they stay in the list and do not count. */
  readonly uncounted: ReadonlySet<TimelineEvent>
  /** Events whose time has not come: they are in the list and do not count yet. */
  readonly future: ReadonlySet<TimelineEvent>
  /** When it is expected, while a delivery is still to come: as its sender has planned it, or as was estimated after that. */
  readonly expected: PlacedExpected | undefined
}

/** The progress of a timeline, whose delivery may be planned. */
export function* progressOf(
  { events, future_events }: Timeline,
  profile: Profile,
  planned?: PlannedDelivery,
): Generator<void, ParcelProgress> {
  const { counted, moving, uncounted } = yield* weighed(events, profile)
  const current = moving.at(-1)
  const latest = counted.at(-1)
  const standing = standingOf(current, profile)
  const isOpen = standing === 'ahead' || standing === 'held' || standing === 'unregistered'
  return {
    current,
    late: latest === current ? undefined : latest,
    standing,
    steps: current === undefined ? [] : stepsOf({ counted, moving }, current, standing, profile),
    uncounted,
    future: new Set(future_events),
    expected: isOpen ? expectedNow(counted, planned, profile) : undefined,
  }
}

/** What was expected or planned before it was sent back says nothing any more. */
function expectedNow(
  events: readonly TimelineEvent[],
  planned: PlannedDelivery | undefined,
  profile: Profile,
): PlacedExpected | undefined {
  const turn = events.findLastIndex(({ status_code }) => isReturn(profile, status_code))
  if (turn >= 0) return latestExpected(events.slice(turn + 1))
  const estimated = events.findLast(({ estimated_delivery_at: at }) => at !== undefined)
  const isEstimatedSince = planned && estimated && instantOf(estimated.recorded_at) > instantOf(planned.since)
  return planned === undefined || isEstimatedSince ? latestExpected(events) : planned
}

/** The same with the current status of the protocol, where an announcement counts however late it comes. */
export function asReported(progress: ParcelProgress): ParcelProgress {
  const { late } = progress
  return late === undefined ? progress : { ...progress, current: late, standing: 'ahead' }
}

/** The events that give a status, those of them that move the parcel, and the others. */
function* weighed(events: readonly TimelineEvent[], profile: Profile) {
  const counted: TimelineEvent[] = []
  const moving: TimelineEvent[] = []
  const uncounted = new Set<TimelineEvent>()
  const journey = createJourney(profile)
  yield* visitInSteps(events, (event) => {
    const effect = journey.next(event)
    if (effect === 'uncounted') return void uncounted.add(event)
    if (effect === 'notice') return
    counted.push(event)
    if (effect === 'moves') moving.push(event)
  })
  return { counted, moving, uncounted }
}

function standingOf(current: TimelineEvent | undefined, profile: Profile): Standing {
  if (current === undefined) return 'empty'
  const code = codeOf(profile, current.status_code)
  if (code === undefined || isExperimental(current.status_code))
    return isReturn(profile, current.status_code) ? 'returning' : 'unregistered'
  if (profile.phases.includes(code.phase)) return code.terminal ? 'arrived' : 'ahead'
  if (isReturn(profile, current.status_code)) return 'returning'
  return code.terminal ? 'ended' : 'held'
}

/** The state of the latest step. */
const statesHere: Readonly<Record<Standing, StepState>> = {
  ahead: 'current',
  arrived: 'done',
  held: 'stopped',
  returning: 'ended',
  ended: 'ended',
  unregistered: 'stopped',
  empty: 'upcoming',
}

/**
 * Only what happened is done: phases that no event reported are left out. What left the main line is a step itself.
 * After it, and after a step back to an earlier phase, later phases are still to come, unless the journey is over.
 */
function stepsOf(
  { counted, moving }: Readonly<Record<'counted' | 'moving', readonly TimelineEvent[]>>,
  current: TimelineEvent,
  standing: Standing,
  { phases }: Profile,
): readonly Step[] {
  const reached = new Set(counted.map(({ phase }) => phase))
  const isOver = standing === 'returning' || standing === 'ended'
  const latest = moving.findLast(({ phase }) => phases.includes(phase))
  const place = isOver ? phases.length : phases.indexOf(latest?.phase ?? '')
  const isMain = standing === 'ahead' || standing === 'arrived'
  const before = phases.filter((phase, index) => index <= place - Number(isMain) && reached.has(phase))
  const here = {
    phase: current.phase,
    state: statesHere[standing],
    here: true,
    ...(isMain ? {} : { event: current }),
  }
  const waiting = standing === 'arrived' ? [] : phases.slice(place + 1)
  return [
    ...before.map((phase) => ({ phase, state: 'done', here: false }) as const),
    here,
    ...waiting.map((phase) => ({ phase, state: 'upcoming', here: false }) as const),
  ]
}
