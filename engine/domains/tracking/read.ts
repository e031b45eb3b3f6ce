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
  type IdentifierAssigned,
  identifierKinds,
  identifierStream,
  isShared,
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

/** The stream of the newest timeline that any identifier with this value leads to, or `timeline_not_found`. */
export async function findStream(store: EventStore, value: string): Promise<StreamName> {
  for (const kind of identifierKinds) {
    const identifier = { kind, value }
    const assigned = await store.read(identifierStream(identifier))
    if (assigned.length === 0) continue
    const assignments = assignmentsOf(assigned as readonly IdentifierAssigned[])
    const only = isShared(kind) ? onlyOne(identifier, assignments) : assignmentAt(assignments, Number.POSITIVE_INFINITY)
    if (only !== undefined) return only.timeline
  }
  throw new EngineError('timeline_not_found')
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
