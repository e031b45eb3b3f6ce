import { fold } from '../../kernel/decider.ts'
import type { Finding } from '../../kernel/finding.ts'
import { isNotice } from '../../kernel/notice.ts'
import { isTerminal, type Profile, perProfile, phaseOf, plannedAfter, stepBetween } from '../../kernel/profile.ts'
import { atOnce, visitInSteps } from '../../kernel/steps.ts'
import { instantOf } from '../../kernel/time.ts'
import {
  type EventVersion,
  type Subject,
  type Timeline,
  type TimelineEvent,
  withFormerNamespace,
  withVersions,
} from '../../kernel/timeline.ts'
import { isAhead } from './ahead.ts'
import type { StoredEvent, TrackingEvent } from './events.ts'
import { type Entry, evolve, initial, inOrder, orderInSteps, type TrackingState } from './reducer.ts'

/** The supported version of the protocol. */
export const otepVersion = '0.1'

/** A time at which every event has come. */
const always = Number.POSITIVE_INFINITY

/** The timeline of a state at a time (epoch milliseconds): events in force in order of occurrence, and derived members. */
export function timelineOf(state: TrackingState, profile: Profile, now = always): Timeline {
  return atOnce(timelineInSteps(state, profile, now))
}

/** The same in steps. */
export function* timelineInSteps(state: TrackingState, profile: Profile, now: number): Generator<void, Timeline> {
  const events: TimelineEvent[] = []
  const future: TimelineEvent[] = []
  const withdrawn: TimelineEvent[] = []
  let current: TimelineEvent | undefined
  yield* visitInSteps(yield* orderInSteps(state, profile), (entry) => {
    const event = versioned(eventOf(entry, profile), entry, entry.event.inherited_from ?? state.subject, profile)
    if (entry.withdrawn !== undefined) return void withdrawn.push(event)
    if (isAhead(entry.at, now)) return void future.push(event)
    events.push(event)
    if (counts(profile, current?.status_code, event)) current = event
  })
  return {
    otep_version: otepVersion,
    profile: profile.name,
    subject: state.subject,
    ...statusFields(current, profile),
    events,
    ...(future.length === 0 ? {} : { future_events: future }),
    ...(withdrawn.length === 0 ? {} : { withdrawn_events: withdrawn }),
  }
}

/** The current status of a state at a time (epoch milliseconds), and whether it means delivered. */
export function statusOf(
  state: TrackingState,
  profile: Profile,
  now = always,
): Pick<Timeline, 'current_status' | 'delivered'> {
  return statusFields(currentOf(inForce(state, profile, now), profile), profile)
}

/**
 * The same from the facts of a timeline. As long as each is an event that occurred after the one before it, which it nearly
 * always is, no state is made.
 */
export function statusOfFacts(
  facts: readonly TrackingEvent[],
  profile: Profile,
  now = always,
): Pick<Timeline, 'current_status' | 'delivered'> {
  const isEnd = endsOf(profile)
  let current: string | undefined
  let ends = false
  let last = ''
  for (const { type, data } of facts) {
    if (type !== 'TrackingEventRecorded') return statusOf(fold(reducer, facts), profile, now)
    const { status_code, occurred_at, inherited_from } = data.event
    if (last !== '' && !isLater(last, occurred_at)) return statusOf(fold(reducer, facts), profile, now)
    last = occurred_at
    if (isNotice(status_code) || isAhead(instantOf(occurred_at), now)) continue
    const wouldEnd = isEnd.has(status_code)
    if (wouldEnd && inherited_from !== undefined) continue
    if (ends && !givesWay(profile, current, status_code)) continue
    current = status_code
    ends = wouldEnd
  }
  return statusFields(current === undefined ? undefined : { status_code: current }, profile)
}

const reducer = { initial, evolve }

const endsOf = perProfile(
  (profile): ReadonlySet<string> => new Set(Object.keys(profile.codes).filter((code) => isTerminal(profile, code))),
)

/** Whether an instant is after another. Two of the same length and offset are compared as texts. */
function isLater(before: string, after: string): boolean {
  const { length } = before
  const isSameForm =
    length === after.length && (after.endsWith('Z') ? before.endsWith('Z') : before.endsWith(after.slice(-6)))
  return isSameForm ? after > before : instantOf(after) > instantOf(before)
}

/** The stored events that are in force at a time (epoch milliseconds), in order of occurrence. */
export function inForce(state: TrackingState, profile: Profile, now: number): readonly StoredEvent[] {
  const events: StoredEvent[] = []
  for (const { at, event, withdrawn } of inOrder(state, profile))
    if (withdrawn === undefined && !isAhead(at, now)) events.push(event)
  return events
}

/** The current status that a timeline tells, and whether it means delivered. */
export function statusFields(
  current: Coded | undefined,
  profile: Profile,
): Pick<Timeline, 'current_status' | 'delivered'> {
  if (current === undefined || isNotice(current.status_code)) return { delivered: false }
  const { status_code } = current
  return { current_status: status_code, delivered: phaseOf(profile, status_code) === 'delivered' }
}

/**
 * Whether the next status replaces the current one. A notice never does. A terminal status is only replaced by a terminal status that the
 * profile allows after it.
 */
export function givesWay(profile: Profile, from: string | undefined, to: string): boolean {
  if (isNotice(to)) return false
  if (from === undefined || !isTerminal(profile, from)) return true
  const step = stepBetween(profile, from, to)
  return isTerminal(profile, to) && (step === 'planned' || step === 'skipped')
}

/** The part of an event that the state machine reads. */
export interface Coded {
  readonly status_code: string
  readonly inherited_from?: unknown
}

/** Whether an event replaces the current status. What happens to its container does not end a thing. */
export function counts(profile: Profile, from: string | undefined, { status_code, inherited_from }: Coded): boolean {
  if (inherited_from !== undefined && isTerminal(profile, status_code)) return false
  return givesWay(profile, from, status_code)
}

/** The event with the current status: the latest one that is not a notice, unless a terminal status holds. */
export function currentOf<Item extends Coded>(ordered: readonly Item[], profile: Profile): Item | undefined {
  let current: Item | undefined
  for (const event of ordered) {
    if (counts(profile, current?.status_code, event)) current = event
  }
  return current
}

/** Findings of the state machine for events in order of occurrence; `pathOf` gives the path of an event. */
export function stepFindings<Item extends Coded>(
  ordered: readonly Item[],
  profile: Profile,
  pathOf: (event: Item) => string,
): readonly Finding[] {
  return atOnce(stepFindingsInSteps(ordered, profile, pathOf))
}

/** The same in steps. */
function* stepFindingsInSteps<Item extends Coded>(
  ordered: readonly Item[],
  profile: Profile,
  pathOf: (event: Item, at: number) => string,
): Generator<void, readonly Finding[]> {
  const findings: Finding[] = []
  const check = createStepCheck(profile, pathOf)
  yield* visitInSteps(ordered, (event, at) => {
    const finding = check.next(event, at)
    if (finding !== undefined) findings.push(finding)
  })
  return findings
}

/** Checks one event after the other, in order of occurrence; `from` is the status before the first. */
export function createStepCheck<Item extends Coded>(
  profile: Profile,
  pathOf: (event: Item, at: number) => string,
  from?: string,
) {
  let status = from
  return {
    next: (event: Item, at: number): Finding | undefined => {
      const finding = findingAfter(profile, status, event, (event) => pathOf(event, at))
      if (counts(profile, status, event)) status = event.status_code
      return finding
    },
    status: () => status,
  }
}

/** The same for the events of a state that are in force at a time (epoch milliseconds). */
export function allSteps(
  state: TrackingState,
  profile: Profile,
  now: number,
  pathOf: (event: StoredEvent) => string,
): readonly Finding[] {
  return stepFindings(inForce(state, profile, now), profile, pathOf)
}

/**
 * The same for the events that were added since the last look, and perhaps for others. The status after the last look is
 * kept, so a timeline that grows in order is not gone through from its beginning each time.
 */
export function newSteps(
  state: TrackingState,
  profile: Profile,
  now: number,
  pathOf: (event: StoredEvent) => string,
): readonly Finding[] {
  const isWhole = !state.isInOrder || state.hasWithdrawn || isAhead(state.latest, now)
  if (isWhole) return allSteps(state, profile, now, pathOf)
  const { entries, looked } = state
  const findings: Finding[] = []
  let status = looked?.status
  for (let at = looked?.entries ?? 0; at < entries.length; at++) {
    const { event } = entries[at] as Entry
    const finding = findingAfter(profile, status, event, pathOf)
    if (finding !== undefined) findings.push(finding)
    if (counts(profile, status, event)) status = event.status_code
  }
  state.looked = { entries: entries.length, status }
  return findings
}

/** The finding for the step to an event, if there is one. */
function findingAfter<Item extends Coded>(
  profile: Profile,
  from: string | undefined,
  event: Item,
  pathOf: (event: Item) => string,
): Finding | undefined {
  if (event.inherited_from !== undefined || isNotice(event.status_code)) return undefined
  const to = event.status_code
  const step = stepBetween(profile, from, to)
  if (step === 'planned') return undefined
  const path = pathOf(event)
  if (from === undefined)
    return { path, code: 'first_step_skipped', params: { to, expected: profile.first.join(', ') } }
  const params = { from, to }
  if (step === 'after_terminal') return { path, code: 'after_terminal', params }
  if (step === 'impossible') return { path, code: 'impossible_transition', params }
  const expected = plannedAfter(profile, from).join(', ')
  return { path, code: 'step_skipped', params: { ...params, expected } }
}

/** The event with its versions, if it has some, or if more is known of its subject now. */
function versioned(event: TimelineEvent, entry: Entry, known: Subject, profile: Profile): TimelineEvent {
  const { earlier = [], subject = known, since } = entry
  if (earlier.length === 0 && subject === known) return event
  const { withdrawn, isFormer } = entry
  const before = earlier.map(({ event, subject, since }) =>
    versionOf(eventOf({ event, withdrawn, isFormer }, profile), subject, since),
  )
  return withVersions(event, [...before, versionOf(event, subject, since)])
}

function versionOf(event: TimelineEvent, subject: Subject, since: string | undefined): EventVersion {
  return since === undefined ? { event, subject } : { event, subject, since }
}

/** An entry in the form of a timeline event. */
export function eventOf(
  { event, withdrawn, isFormer }: Pick<Entry, 'event' | 'withdrawn' | 'isFormer'>,
  profile: Profile,
): TimelineEvent {
  // Copies member by member: adding a member to a spread copy is four times slower.
  const read: Record<string, unknown> = {}
  for (const name in event) read[name] = event[name as keyof StoredEvent]
  read.phase = phaseOf(profile, event.status_code) ?? 'unknown'
  if (withdrawn !== undefined) read.withdrawn = withdrawn
  const made = read as unknown as TimelineEvent
  return isFormer ? withFormerNamespace(made) : made
}
