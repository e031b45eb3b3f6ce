import type { Finding } from '../../kernel/finding.ts'
import { isTerminal, type Profile, phaseOf, plannedAfter, stepBetween } from '../../kernel/profile.ts'
import type { Timeline, TimelineEvent } from '../../kernel/timeline.ts'
import type { StoredEvent } from './events.ts'
import { type Entry, inOrder, type TrackingState } from './reducer.ts'

/** The version of the protocol that this engine speaks. */
export const otepVersion = '0.1'

/** The timeline of a state: events in force in order of occurrence, and what follows from them. */
export function timelineOf(state: TrackingState, profile: Profile): Timeline {
  const events: TimelineEvent[] = []
  const withdrawn: TimelineEvent[] = []
  for (const entry of inOrder(state)) {
    const list = entry.withdrawn === undefined ? events : withdrawn
    list.push(eventOf(entry, profile))
  }
  return {
    otep_version: otepVersion,
    profile: profile.name,
    subject: state.subject,
    ...statusFields(currentOf(events, profile), profile),
    events,
    ...(withdrawn.length === 0 ? {} : { withdrawn_events: withdrawn }),
  }
}

/** The current status of a state, and whether it is a delivery. */
export function statusOf(state: TrackingState, profile: Profile): Pick<Timeline, 'current_status' | 'delivered'> {
  return statusFields(currentOf(inForce(state), profile), profile)
}

/** The events in force as they are kept, in order of occurrence. */
export function inForce(state: TrackingState): readonly StoredEvent[] {
  const events: StoredEvent[] = []
  for (const { event, withdrawn } of inOrder(state)) if (withdrawn === undefined) events.push(event)
  return events
}

function statusFields(current: Coded | undefined, profile: Profile): Pick<Timeline, 'current_status' | 'delivered'> {
  if (current === undefined) return { delivered: false }
  const { status_code } = current
  return { current_status: status_code, delivered: phaseOf(profile, status_code) === 'delivered' }
}

/** Whether a status gives way to the next: a terminal one only to a terminal one that the profile lets follow. */
export function givesWay(profile: Profile, from: string | undefined, to: string): boolean {
  if (from === undefined || !isTerminal(profile, from)) return true
  const step = stepBetween(profile, from, to)
  return isTerminal(profile, to) && (step === 'planned' || step === 'skipped')
}

/** What the state machine reads of an event. */
interface Coded {
  readonly status_code: string
}

/** The event that gives the current status: the latest, but a terminal one holds. */
export function currentOf<Item extends Coded>(ordered: readonly Item[], profile: Profile): Item | undefined {
  let current: Item | undefined
  for (const event of ordered) {
    if (givesWay(profile, current?.status_code, event.status_code)) current = event
  }
  return current
}

/** How the state machine reads each step of events in order of occurrence; `pathOf` names an event. */
export function stepFindings<Item extends Coded>(
  ordered: readonly Item[],
  profile: Profile,
  pathOf: (event: Item) => string,
): readonly Finding[] {
  let from: string | undefined
  return ordered.flatMap((event) => {
    const finding = stepFinding(profile, from, event.status_code, pathOf(event))
    if (givesWay(profile, from, event.status_code)) from = event.status_code
    return finding === undefined ? [] : [finding]
  })
}

/** What there is to say of one step, if anything. */
function stepFinding(profile: Profile, from: string | undefined, to: string, path: string): Finding | undefined {
  const step = stepBetween(profile, from, to)
  if (step === 'planned') return undefined
  if (from === undefined)
    return { path, code: 'first_step_skipped', params: { to, expected: profile.first.join(', ') } }
  const params = { from, to }
  if (step === 'after_terminal') return { path, code: 'after_terminal', params }
  if (step === 'impossible') return { path, code: 'impossible_transition', params }
  const expected = plannedAfter(profile, from).join(', ')
  return { path, code: 'step_skipped', params: { ...params, expected } }
}

/** An event of a state as it reads in a timeline. */
export function eventOf({ event, withdrawn }: Entry, profile: Profile): TimelineEvent {
  // Member by member: to add one to a spread copy costs four times as much.
  const read: Record<string, unknown> = {}
  for (const name in event) read[name] = event[name as keyof StoredEvent]
  read.phase = phaseOf(profile, event.status_code) ?? 'unknown'
  if (withdrawn !== undefined) read.withdrawn = withdrawn
  return read as unknown as TimelineEvent
}
