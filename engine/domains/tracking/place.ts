import { EngineError } from '../../kernel/errors.ts'
import { isTerminal, type Profile } from '../../kernel/profile.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { isSplitOff, type Subject } from '../../kernel/timeline.ts'
import { isAhead } from './ahead.ts'
import {
  type Assignment,
  assignmentAt,
  type Identifier,
  identifiersOf,
  isLater,
  isShared,
  keyOf,
  openerOf,
  presentOf,
  timelineStream,
} from './identifiers.ts'
import type { TrackingState } from './reducer.ts'
import type { Workspace } from './workspace.ts'

/** Days of silence after a terminal event until a new event means that the number is reused for another parcel. */
const reuseGapDays = 90

/** The most parcels of an order that are examined, or named in a refusal. */
const maxCandidates = 20

const reuseGap = reuseGapDays * 86_400_000

/** What decides the timeline of an event; `at`, and `now`, when it is reported, in epoch milliseconds. */
interface EventToPlace {
  readonly subject: Subject
  /** Absent, as the code, for what is no event and so fits any profile and never shows a reuse of a number. */
  readonly profile?: Profile
  readonly code?: string
  /** Who reports it. */
  readonly provider: string
  readonly at: number
  readonly now: number
  /** Refuses a timeline by its subject, before a refusal can tell anything of it. */
  admit?(subject: Subject): void
  /** Whether a timeline already has this event. */
  isIn(timeline: StreamName, state: TrackingState): boolean
}

/**
 * An identifier to assign to the timeline; `from` in epoch milliseconds if it applies from then on, undefined if
 * always.
 */
interface Claim {
  readonly identifier: Identifier
  readonly from: number | undefined
  /** Whose events it is for; those of everybody if absent. */
  readonly providers?: readonly string[]
}

/** The timeline of an event, and the identifiers to assign if the event is accepted. */
interface Placement {
  readonly timeline: StreamName
  readonly claims: readonly Claim[]
}

/**
 * Finds the timeline of an event by the identifiers of its subject, without changing anything. Refuses identifiers of
 * two timelines (`identifiers_disagree`), a second identifier of a kind (`other_identifier`), an order with several
 * parcels if only the order is named (`ambiguous_identifier`), and codes of another profile (`other_profile`).
 */
export function placeEvent(workspace: Workspace, event: EventToPlace): Placement {
  const paths = identifiersOf(event.subject).map((identifier): Path => {
    const all = workspace.assignments(identifier)
    return { identifier, history: standing(workspace, all, event) }
  })
  const found = assignmentOfSubject(workspace, paths, event)
  if (found === undefined) return open(workspace, paths, undefined, event.provider)
  const state = workspace.timeline(found.timeline)
  event.admit?.(state.subject)
  refuseSecondOfKind(state.subject, paths, found.timeline)
  refuseOtherProfile(state, event, found.timeline)
  const from = reusedFrom(state, event)
  if (from !== undefined && !event.isIn(found.timeline, state)) return open(workspace, paths, from, event.provider)
  return { timeline: found.timeline, claims: claimsOn(paths, found, event.at, event.provider) }
}

/** An identifier of the subject, and its assignments. */
interface Path {
  readonly identifier: Identifier
  readonly history: readonly Assignment[]
}

/**
 * The assignments of an identifier without those to later parcels of which no event counts: all were withdrawn, or lie
 * ahead of the clock. The number is then where it was before. What is known to such a timeline still belongs to it.
 */
function standing(
  workspace: Workspace,
  assignments: readonly Assignment[],
  event: EventToPlace,
): readonly Assignment[] {
  return assignments.filter((assignment) => {
    if (!isLater(assignment)) return true
    const { timeline } = assignment
    const state = workspace.timeline(timeline)
    return hasNumber(state, event.now) || event.isIn(timeline, state)
  })
}

/** Whether a later parcel has its number at a time (epoch milliseconds): an event of it counts, or it was split off for good. */
export function hasNumber({ entries, subject }: TrackingState, now: number): boolean {
  return isSplitOff(subject) || entries.some(({ at, withdrawn }) => withdrawn === undefined && !isAhead(at, now))
}

/** The assignment that an identifier leads to. */
interface Lead extends Assignment, Path {}

function assignmentOfSubject(
  workspace: Workspace,
  paths: readonly Path[],
  event: EventToPlace,
): Assignment | undefined {
  let first: Assignment | undefined
  let agree = true
  for (const { identifier, history } of paths) {
    const assignment = isShared(identifier.kind) ? undefined : assignmentAt(history, event.at, event.provider)
    first ??= assignment
    agree &&= assignment === undefined || assignment.timeline === first?.timeline
  }
  if (first === undefined) return assignmentOfOrder(workspace, paths, event)
  return agree ? first : assignmentOfDiffering(workspace, paths, event)
}

/** Among identifiers of several timelines, the assignment to the one that all the others have left. */
function assignmentOfDiffering(workspace: Workspace, paths: readonly Path[], event: EventToPlace): Assignment {
  const leads: Lead[] = []
  for (const { identifier, history } of paths) {
    const assignment = isShared(identifier.kind) ? undefined : assignmentAt(history, event.at, event.provider)
    if (assignment !== undefined) leads.push({ ...assignment, identifier, history })
  }
  const lead = leads.find((lead) => leads.every((other) => isSuperseded(other, lead)))
  if (lead !== undefined) return lead
  for (const { timeline } of leads) event.admit?.(workspace.timeline(timeline).subject)
  return disagreement(leads)
}

/** Whether both lead to the same timeline, or one identifier has already left the other's timeline. */
function isSuperseded(other: Lead, lead: Lead): boolean {
  const inLine = ({ providers, timeline }: Assignment) =>
    timeline === other.timeline && (providers === undefined) === (lead.providers === undefined)
  return other.timeline === lead.timeline || lead.history.some(inLine)
}

/**
 * Finds a timeline by the order alone: its only timeline; or, for an unknown parcel, the order's timeline in the same
 * profile that does not name a parcel.
 */
function assignmentOfOrder(workspace: Workspace, paths: readonly Path[], event: EventToPlace) {
  const order = paths.find(({ identifier }) => isShared(identifier.kind))
  if (order === undefined) return undefined
  const { identifier, history } = order
  const candidates = presentOf(history)
  if (paths.length === 1) return holderOf(workspace, candidates, event) ?? onlyOne(identifier, candidates)
  const [only] = candidates
  if (candidates.length !== 1 || only === undefined) return undefined
  const { subject, profile } = workspace.timeline(only.timeline)
  const isUnnamed = identifiersOf(subject).every(({ kind }) => isShared(kind))
  return isUnnamed && (event.profile === undefined || profile === event.profile.name) ? only : undefined
}

/** Among the latest parcels of an order, the one that already has this event. */
function holderOf(workspace: Workspace, candidates: readonly Assignment[], event: EventToPlace) {
  if (candidates.length === 1) return undefined
  for (const candidate of candidates.slice(-maxCandidates)) {
    if (event.isIn(candidate.timeline, workspace.timeline(candidate.timeline))) return candidate
  }
  return undefined
}

/** The only assignment of an identifier, if there is one; several are `ambiguous_identifier`. */
export function onlyOne({ kind, value }: Identifier, candidates: readonly Assignment[]): Assignment | undefined {
  if (candidates.length <= 1) return candidates[0]
  const names = candidates.map(({ timeline }) => openerOf(timeline)).slice(0, maxCandidates)
  throw new EngineError('ambiguous_identifier', { kind, value, candidates: names.join(', ') })
}

/**
 * A timeline has one identifier of each kind. A second one means that two parcels share the identifier that led here.
 */
function refuseSecondOfKind(subject: Subject, paths: readonly Path[], timeline: StreamName): void {
  for (const { identifier } of paths) {
    const known = subject[identifier.kind]
    if (known === undefined || String(known) === identifier.value) continue
    if (keyOf(String(known)) === keyOf(identifier.value)) continue
    throw new EngineError('other_identifier', { ...identifier, known: String(known), owner: openerOf(timeline) })
  }
}

/** A timeline uses the codes of one profile; codes of another have no meaning in it. */
function refuseOtherProfile({ profile: known }: TrackingState, { profile }: EventToPlace, timeline: StreamName): void {
  if (known === undefined || profile === undefined || known === profile.name) return
  throw new EngineError('other_profile', { owner: openerOf(timeline), known, received: profile.name })
}

function disagreement(leads: readonly Lead[]): never {
  const [one] = leads as readonly [Lead, ...Lead[]]
  const two = leads.find(({ timeline }) => timeline !== one.timeline) ?? one
  throw new EngineError('identifiers_disagree', {
    kind: one.identifier.kind,
    value: one.identifier.value,
    owner: openerOf(one.timeline),
    other: `${two.identifier.kind} ${two.identifier.value}`,
    otherOwner: openerOf(two.timeline),
  })
}

/**
 * When the reuse of a number begins, if this event shows one: the timeline had reached a terminal status, and a
 * non-terminal event occurs 90 days later or more. An event that lies ahead of the clock shows nothing: its year may be wrong.
 */
function reusedFrom(state: TrackingState, { at, now, code, profile }: EventToPlace): number | undefined {
  if (isAhead(at, now) || profile === undefined || code === undefined) return undefined
  if (at - state.earliest < reuseGap || isTerminal(profile, code)) return undefined
  let ended = Number.NEGATIVE_INFINITY
  for (const entry of state.entries) {
    const counts = entry.withdrawn === undefined && entry.at <= at && isTerminal(profile, entry.event.status_code)
    if (counts) ended = Math.max(ended, entry.at)
  }
  return at >= ended + reuseGap && ended > Number.NEGATIVE_INFINITY ? ended + reuseGap : undefined
}

function open(workspace: Workspace, paths: readonly Path[], from: number | undefined, provider: string): Placement {
  const { identifier: opener } = paths[0] as Path
  const timeline = timelineStream(opener, workspace.assignments(opener).length + 1)
  return { timeline, claims: claimsOn(paths, { timeline, from }, Number.POSITIVE_INFINITY, provider) }
}

/** The identifiers that are new to an assignment. An identifier in use for an earlier parcel needs a `from`. */
function claimsOn(
  paths: readonly Path[],
  { timeline, from }: Assignment,
  at: number,
  provider: string,
): readonly Claim[] {
  const claims: Claim[] = []
  for (const { identifier, history } of paths) {
    if (isShared(identifier.kind)) {
      if (!history.some((assignment) => assignment.timeline === timeline)) claims.push({ identifier, from: undefined })
    } else if (history.length === 0) claims.push({ identifier, from: undefined })
    else {
      const known = assignmentAt(history, at, provider)
      if (from === undefined || known?.timeline === timeline) continue
      claims.push({ identifier, from, ...(known?.providers && { providers: known.providers }) })
    }
  }
  return claims
}
