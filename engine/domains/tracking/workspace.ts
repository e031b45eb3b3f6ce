import type { Context } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import type { NewEvent, RecordedEvent } from '../../kernel/event.ts'
import type { Append } from '../../kernel/event-store.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { isoOf } from '../../kernel/time.ts'
import { tracking } from './commands.ts'
import { schemaVersion, type TrackingEvent } from './events.ts'
import {
  type Assignment,
  assignmentsOf,
  type Identifier,
  type IdentifierAssigned,
  identifierStream,
} from './identifiers.ts'
import type { TrackingState } from './reducer.ts'

/** A stream as one call sees it: its state with what the call adds, and where it stood when it was read. */
interface Held<State> {
  state: State
  readonly revision: number
  readonly added: NewEvent[]
}

/** What one call reads and what it is going to append; thrown away and made anew when another writer was faster. */
export interface Workspace {
  assignments(identifier: Identifier): Promise<readonly Assignment[]>
  assign(identifier: Identifier, timeline: StreamName, from: number | undefined): Promise<void>
  timeline(stream: StreamName): Promise<TrackingState>
  record(stream: StreamName, events: readonly TrackingEvent[]): Promise<void>
  /** Everything to be appended, one entry a stream. */
  appends(): readonly Append[]
}

/** Begins a call of a context: who caused its events, and the request that did, are written on every one of them. */
export function createWorkspace({ store, caller, requestId, randomId }: Context): Workspace {
  const identifiers = new Map<StreamName, Held<Assignment[]>>()
  const timelines = new Map<StreamName, Held<TrackingState>>()
  const metadata = { actor: `${caller.kind}:${caller.name}`, correlationId: requestId, schemaVersion }

  async function heldIdentifier(stream: StreamName) {
    return (
      identifiers.get(stream) ??
      hold(identifiers, stream, await store.read(stream), (events) =>
        assignmentsOf(events as readonly IdentifierAssigned[]),
      )
    )
  }

  async function heldTimeline(stream: StreamName) {
    return (
      timelines.get(stream) ??
      hold(timelines, stream, await store.read(stream), (events) => fold(tracking, events as readonly TrackingEvent[]))
    )
  }

  async function assign(identifier: Identifier, timeline: StreamName, from: number | undefined) {
    const stream = identifierStream(identifier)
    const held = await heldIdentifier(stream)
    const data = { ...identifier, timeline, ...(from === undefined ? {} : { from: isoOf(from) }) }
    held.added.push({ type: 'IdentifierAssigned', data, id: randomId(), metadata })
    held.state.push({ timeline, from })
  }

  async function record(stream: StreamName, events: readonly TrackingEvent[]) {
    const held = await heldTimeline(stream)
    for (const event of events) {
      held.added.push({ ...event, id: randomId(), metadata })
      held.state = tracking.evolve(held.state, event)
    }
  }

  return {
    assignments: async (identifier) => (await heldIdentifier(identifierStream(identifier))).state,
    assign,
    timeline: async (stream) => (await heldTimeline(stream)).state,
    record,
    appends: () => [...appendsOf(identifiers), ...appendsOf(timelines)],
  }
}

function hold<State>(
  cache: Map<StreamName, Held<State>>,
  stream: StreamName,
  events: readonly RecordedEvent[],
  stateOf: (events: readonly RecordedEvent[]) => State,
): Held<State> {
  const held = { state: stateOf(events), revision: events.length - 1, added: [] }
  cache.set(stream, held)
  return held
}

function appendsOf(cache: ReadonlyMap<StreamName, Held<unknown>>): readonly Append[] {
  return [...cache].flatMap(([stream, { revision, added }]) =>
    added.length === 0 ? [] : [{ stream, events: added, expected: revision < 0 ? 'no-stream' : revision }],
  )
}
