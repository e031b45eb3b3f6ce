import {
  clockTolerance,
  type EventVersion,
  instantOf,
  isNotice,
  isTerminal,
  type Profile,
  type Subject,
  sortInSteps,
  stepBetween,
  type Timeline,
  type TimelineEvent,
  versionsOf,
  visitInSteps,
} from '../../engine/index.ts'
import { isLater, unixNanoOf } from './instants.ts'

/** A stage that has ended: an event as it was known then, and the instants at which the stage began and ended. */
export interface Stage {
  readonly event: TimelineEvent
  readonly start: string
  readonly end: string
}

/** A journey as it was known when it first ended. */
export interface Ending {
  /** The event that gives the status. */
  readonly current: TimelineEvent
  readonly subject: Subject
  readonly start: string
  readonly end: string
}

/** What of a timeline will not change any more: the stages that have ended, and the end of the journey. */
export interface Ended {
  readonly stages: readonly Stage[]
  /** Undefined while the journey goes on. */
  readonly ending: Ending | undefined
}

/** An event, its instant, and when it was known (epoch milliseconds). */
interface Scan {
  readonly event: TimelineEvent
  readonly at: string
  readonly known: number
}

/**
 * What has ended in a timeline. Only what was known at the end counts, so what comes later changes nothing of it: a stage
 * ends with the next event that is known, and one that is reported late begins between others that stay as they are.
 */
export function* endedIn({ subject, events, withdrawn_events: withdrawn }: Timeline, profile: Profile) {
  const scans: Scan[] = []
  yield* visitInSteps(events, (event) => void scans.push(scanOf(event)))
  const all = withdrawn === undefined ? scans : yield* inOrder([...scans, ...withdrawn.map(scanOf)])
  const stages = yield* stagesOf(all, profile)
  return { stages, ending: endingOf(all, subject, profile) } satisfies Ended
}

/** An event that is ahead of the clock is known when it begins to count. */
function scanOf(event: TimelineEvent): Scan {
  const known = Math.max(instantOf(event.recorded_at), instantOf(event.occurred_at) - clockTolerance)
  return { event, at: unixNanoOf(event.occurred_at), known }
}

function inOrder(scans: readonly Scan[]) {
  return sortInSteps(scans, (one, other) => instantOf(one.event.occurred_at) - instantOf(other.event.occurred_at))
}

/** The stages of the events in force, in order of occurrence. */
function* stagesOf(scans: readonly Scan[], profile: Profile): Generator<void, readonly Stage[]> {
  const stages: Stage[] = []
  // The next scan is at the end; before each are only those that were known earlier.
  const later: Scan[] = []
  yield* visitInSteps(scans, (_, index) => {
    const scan = scans[scans.length - 1 - index] as Scan
    const isNoticed = isNotice(scan.event.status_code)
    // A notice only takes a moment: the stage in which it falls goes on.
    const closer = isNoticed ? scan : closerOf(scan, later)
    if (!isNoticed) later.push(scan)
    if (scan.event.withdrawn !== undefined) return
    const stage = isTerminal(profile, scan.event.status_code) ? stageOf(scan, scan) : closer && stageOf(scan, closer)
    if (stage !== undefined) stages.push(stage)
  })
  return stages.reverse()
}

/** The scan that ends the stage of another: of those that were known with it the next, otherwise the first to be known. */
function closerOf({ known }: Scan, later: Scan[]): Scan | undefined {
  let next = later.at(-1)
  for (let last = next; last !== undefined && last.known > known; last = later.at(-1)) next = later.pop()
  const before = later.at(-1)
  if (before?.known === known) later.pop()
  return before ?? next
}

function stageOf({ event, at, known }: Scan, closer: Scan): Stage {
  const version = versionAt(event, Math.max(known, closer.known))
  return { event: version?.event ?? event, start: at, end: isLater(closer.at, at) ? closer.at : at }
}

/** An event as it was known at a time; undefined if nothing was learnt of it since. */
function versionAt(event: TimelineEvent, time: number): EventVersion | undefined {
  const versions = versionsOf(event)
  return versions?.findLast(({ since }) => since !== undefined && instantOf(since) <= time) ?? versions?.[0]
}

/**
 * What happens to a container does not end a journey, and does not make it longer. Nobody knows when a withdrawal became
 * known, so an event that was withdrawn ends a journey like any other.
 */
function endingOf(scans: readonly Scan[], subject: Subject, profile: Profile): Ending | undefined {
  const own = scans.filter(({ event }) => event.inherited_from === undefined)
  const isEnd = ({ event }: Scan) => isTerminal(profile, event.status_code)
  const time = own.reduce((least, scan) => (isEnd(scan) ? Math.min(least, scan.known) : least), Infinity)
  const known = own.filter((scan) => scan.known <= time)
  const [first, ...others] = known.filter(isEnd)
  if (first === undefined) return undefined
  const { event, at } = others.reduce((last, next) => (isStep(profile, last, next) ? next : last), first)
  const version = versionAt(event, time)
  return {
    current: version?.event ?? event,
    subject: version?.subject ?? subject,
    start: known.reduce((start, scan) => (isLater(start, scan.at) ? scan.at : start), at),
    end: known.reduce((end, scan) => (isLater(scan.at, end) ? scan.at : end), at),
  }
}

function isStep(profile: Profile, { event: from }: Scan, { event: to }: Scan): boolean {
  const step = stepBetween(profile, from.status_code, to.status_code)
  return step === 'planned' || step === 'skipped'
}
