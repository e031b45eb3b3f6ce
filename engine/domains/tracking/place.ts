import { EngineError } from '../../kernel/errors.ts'
import { isTerminal, type Profile } from '../../kernel/profile.ts'
import type { StreamName } from '../../kernel/stream.ts'
import type { Subject } from '../../kernel/timeline.ts'
import {
  type Assignment,
  type Identifier,
  identifiersOf,
  inForceAt,
  isShared,
  keyOf,
  openerOf,
  timelineStream,
} from './identifiers.ts'
import type { TrackingState } from './reducer.ts'
import type { Workspace } from './workspace.ts'

/** Days of silence after a terminal event, after which a number that moves again is taken to be used for another parcel. */
export const reuseGapDays = 90

const reuseGap = reuseGapDays * 86_400_000

/** What of an event decides where it belongs; `at` in epoch milliseconds. */
export interface Placeable {
  readonly subject: Subject
  readonly profile: Profile
  readonly code: string
  readonly at: number
}

/**
 * The timeline that an event belongs to, by any identifier of its subject; identifiers that are new are assigned to
 * it. Refuses identifiers of two timelines (`identifiers_disagree`) and an order with several parcels where only the
 * order is named (`ambiguous_identifier`).
 */
export async function place(workspace: Workspace, event: Placeable): Promise<StreamName> {
  const identifiers = identifiersOf(event.subject)
  const found = await timelineOfSubject(workspace, identifiers, event.at)
  if (found === undefined) return open(workspace, identifiers, undefined)
  const state = await workspace.timeline(found)
  refuseSecondOfKind(state.subject, identifiers, found)
  const from = reusedFrom(state, event)
  if (from !== undefined) return open(workspace, identifiers, from)
  await assignAll(workspace, identifiers, found, event.at, undefined)
  return found
}

async function timelineOfSubject(workspace: Workspace, identifiers: readonly Identifier[], at: number) {
  let first: { readonly identifier: Identifier; readonly timeline: StreamName } | undefined
  for (const identifier of identifiers.filter(({ kind }) => !isShared(kind))) {
    const timeline = inForceAt(await workspace.assignments(identifier), at).at(-1)?.timeline
    if (timeline === undefined) continue
    if (first !== undefined && first.timeline !== timeline)
      throw disagreement(first.identifier, first.timeline, identifier, timeline)
    first ??= { identifier, timeline }
  }
  return first?.timeline ?? timelineOfOrder(workspace, identifiers, at)
}

/** By the order alone: its only timeline; or, for a parcel that is not known yet, the one that names no parcel so far. */
async function timelineOfOrder(workspace: Workspace, identifiers: readonly Identifier[], at: number) {
  const order = identifiers.find(({ kind }) => isShared(kind))
  if (order === undefined) return undefined
  const candidates = inForceAt(await workspace.assignments(order), at)
  if (identifiers.length === 1) return onlyOne(order, candidates)?.timeline
  const [only] = candidates
  if (candidates.length !== 1 || only === undefined) return undefined
  const { subject } = await workspace.timeline(only.timeline)
  return identifiersOf(subject).every(({ kind }) => isShared(kind)) ? only.timeline : undefined
}

/** The one assignment of an identifier, or none; several are `ambiguous_identifier`. */
export function onlyOne({ kind, value }: Identifier, candidates: readonly Assignment[]): Assignment | undefined {
  if (candidates.length <= 1) return candidates[0]
  const names = candidates.map(({ timeline }) => openerOf(timeline)).slice(0, 20)
  throw new EngineError('ambiguous_identifier', { kind, value, candidates: names.join(', ') })
}

/** A timeline has one identifier of each kind; a second one means that two parcels share the one that led here. */
function refuseSecondOfKind(subject: Subject, identifiers: readonly Identifier[], timeline: StreamName): void {
  for (const identifier of identifiers) {
    const known = subject[identifier.kind]
    if (known === undefined || keyOf(String(known)) === keyOf(identifier.value)) continue
    throw new EngineError('other_identifier', { ...identifier, known: String(known), owner: openerOf(timeline) })
  }
}

function disagreement(one: Identifier, oneTimeline: StreamName, two: Identifier, twoTimeline: StreamName): EngineError {
  return new EngineError('identifiers_disagree', {
    kind: one.kind,
    value: one.value,
    owner: openerOf(oneTimeline),
    other: `${two.kind} ${two.value}`,
    otherOwner: openerOf(twoTimeline),
  })
}

/**
 * From when on the number is used again, if this event shows that it is: the timeline reached a terminal status, and
 * something that is not terminal itself happens 90 days later or more.
 */
function reusedFrom(state: TrackingState, { at, code, profile }: Placeable): number | undefined {
  if (isTerminal(profile, code)) return undefined
  let ended = Number.NEGATIVE_INFINITY
  for (const entry of state.entries.values()) {
    if (entry.withdrawn === undefined && isTerminal(profile, entry.event.status_code)) ended = Math.max(ended, entry.at)
  }
  return at >= ended + reuseGap && ended > Number.NEGATIVE_INFINITY ? ended + reuseGap : undefined
}

async function open(workspace: Workspace, identifiers: readonly Identifier[], from: number | undefined) {
  const opener = identifiers[0] as Identifier
  const generation = (await workspace.assignments(opener)).length + 1
  const timeline = timelineStream(opener, generation)
  await assignAll(workspace, identifiers, timeline, from ?? Number.POSITIVE_INFINITY, from)
  return timeline
}

async function assignAll(
  workspace: Workspace,
  identifiers: readonly Identifier[],
  timeline: StreamName,
  at: number,
  from: number | undefined,
) {
  for (const identifier of identifiers) {
    const assignments = await workspace.assignments(identifier)
    if (inForceAt(assignments, at).some((assignment) => assignment.timeline === timeline)) continue
    await workspace.assign(identifier, timeline, assignments.length === 0 ? undefined : from)
  }
}
