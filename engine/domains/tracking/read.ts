import type { Context } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { EventStore } from '../../kernel/event-store.ts'
import { type Finding, pathTo } from '../../kernel/finding.ts'
import { type Profile, profileNamed } from '../../kernel/profile.ts'
import type { StreamName } from '../../kernel/stream.ts'
import type { Timeline } from '../../kernel/timeline.ts'
import { tracking } from './commands.ts'
import type { TrackingEvent } from './events.ts'
import {
  assignmentAt,
  assignmentsOf,
  type Identifier,
  type IdentifierAssigned,
  identifierKinds,
  identifierStream,
  isShared,
  streamNamed,
  timelineName,
} from './identifiers.ts'
import { onlyOne } from './place.ts'
import { stepFindings, timelineOf } from './timeline.ts'

/** A timeline as it was read. */
export interface Read {
  readonly stream: StreamName
  /** Revision of the last fact in it. */
  readonly revision: number
  readonly timeline: Timeline
}

/**
 * The stream of the newest timeline that any identifier with this value leads to, or of the one with this name. Throws
 * `timeline_not_found`, and `ambiguous_identifier` for an order of several parcels.
 */
export async function findStream(store: EventStore, value: string): Promise<StreamName> {
  const named = streamNamed(value)
  if (named !== undefined && (await revisionOf(store, named)) >= 0) return named
  for (const kind of identifierKinds) {
    const stream = await streamOf(store, { kind, value })
    if (stream !== undefined) return stream
  }
  throw new EngineError('timeline_not_found')
}

/** The name of the newest timeline that an identifier of this kind leads to; throws as `findStream`. */
export async function findTimeline(store: EventStore, kind: string, value: string): Promise<string> {
  const known = identifierKinds.find((one) => one === kind)
  const stream = known === undefined ? undefined : await streamOf(store, { kind: known, value })
  if (stream === undefined) throw new EngineError('timeline_not_found')
  return timelineName(stream)
}

async function streamOf(store: EventStore, identifier: Identifier): Promise<StreamName | undefined> {
  const assigned = await store.read(identifierStream(identifier))
  if (assigned.length === 0) return undefined
  const assignments = assignmentsOf(assigned as readonly IdentifierAssigned[])
  const only = isShared(identifier.kind)
    ? onlyOne(identifier, assignments)
    : assignmentAt(assignments, Number.POSITIVE_INFINITY)
  return only?.timeline
}

/** The timeline in a stream. */
export async function readTimeline({ store, profiles }: Context, stream: StreamName): Promise<Read> {
  const events = await store.read(stream)
  const state = fold(tracking, events as readonly TrackingEvent[])
  const profile = profileNamed(profiles, state.profile)
  return { stream, revision: events.length - 1, timeline: timelineOf(state, profile) }
}

/** Revision of the last fact in a stream; -1 where there is none. */
export async function revisionOf(store: EventStore, stream: StreamName): Promise<number> {
  const [last] = await store.read(stream, { backwards: true, limit: 1 })
  return last?.revision ?? -1
}

/** What a reader should know of a timeline beside its events: steps into events that cannot be, or do not count. */
export function remarksOn({ events }: Timeline, profile: Profile): readonly Finding[] {
  const indexes = new Map(events.map((event, index) => [event, index]))
  const steps = stepFindings(events, profile, (event) =>
    pathTo(pathTo('events', indexes.get(event) ?? 0), 'status_code'),
  )
  return steps.filter(({ code }) => code === 'after_terminal' || code === 'impossible_transition')
}
