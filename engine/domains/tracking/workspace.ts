import type { Context } from '../../kernel/context.ts'
import { type Decider, fold } from '../../kernel/decider.ts'
import type { Event, EventMetadata, NewEvent, RecordedEvent } from '../../kernel/event.ts'
import type { Append, EventStore } from '../../kernel/event-store.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { isoOf } from '../../kernel/time.ts'
import { versionOf } from '../../kernel/upcast.ts'
import { tracking } from './commands.ts'
import { withContainerTerm } from './contents-model.ts'
import type { TrackingEvent } from './events.ts'
import {
  type Assignment,
  assignmentOf,
  type Identifier,
  type IdentifierAssigned,
  identifierStream,
} from './identifiers.ts'
import type { TrackingState } from './reducer.ts'
import { cachesOf, type StateCache } from './state-cache.ts'
import { upcasts } from './upcasts.ts'

/** The streams that one call reads and appends to; created again when another writer was faster. */
export interface Workspace {
  assignments(identifier: Identifier): Promise<readonly Assignment[]>
  assign(identifier: Identifier, timeline: StreamName, from: number | undefined): Promise<void>
  /** A timeline without its personal data, which is enough to record new events. */
  timeline(stream: StreamName): Promise<TrackingState>
  /** A timeline with its personal data. */
  fullTimeline(stream: StreamName): Promise<TrackingState>
  record(stream: StreamName, events: readonly TrackingEvent[]): Promise<void>
  /** All events to append, one entry for each stream. */
  appends(): readonly Append[]
  /** Call it after the append: makes the states available to the next call, one in each step. */
  cacheStates(): Iterable<void>
}

/** Creates the workspace of a call. All events carry the caller and the request as metadata. */
export function createWorkspace({ store, caller, requestId, randomId, credentials }: Context): Workspace {
  const cause = { actor: `${caller.kind}:${caller.name}`, correlationId: requestId }
  const caches = cachesOf(store)
  const identifiers = createWorkingStreams(store, caches.identifiers, assignmentFolding, toNewEvent)
  const timelines = createWorkingStreams(store, caches.timelines, withoutPersonalData, toNewEvent)
  const fullTimelines = new Map<StreamName, TrackingState>()

  // One shared object for all events of a version, so that a store serializes it once.
  const metadata: EventMetadata[] = []

  function toNewEvent<E extends TrackingEvent | IdentifierAssigned>(event: E): NewEvent<E> {
    const schemaVersion = versionOf(event.type, upcasts)
    metadata[schemaVersion] ??= { ...cause, schemaVersion }
    return { ...event, id: randomId(), metadata: metadata[schemaVersion] }
  }

  async function fullTimeline(stream: StreamName) {
    const known = fullTimelines.get(stream)
    if (known !== undefined) return known
    const history = (await store.read(stream)) as readonly TrackingEvent[]
    const state = fold(tracking, await timelines.added(stream), fold(tracking, history))
    fullTimelines.set(stream, state)
    return state
  }

  async function record(stream: StreamName, facts: readonly TrackingEvent[]) {
    const events = facts.map((fact) => withContainerTerm({ credentials }, fact))
    await timelines.record(stream, events)
    const state = fullTimelines.get(stream)
    if (state !== undefined) fullTimelines.set(stream, fold(tracking, events, state))
  }

  return {
    assignments: (identifier) => identifiers.state(identifierStream(identifier)),
    assign: (identifier, timeline, from) => {
      const data = { ...identifier, timeline, ...(from === undefined ? {} : { from: isoOf(from) }) }
      return identifiers.record(identifierStream(identifier), [{ type: 'IdentifierAssigned', data }])
    },
    timeline: timelines.state,
    fullTimeline,
    record,
    appends: () => [...identifiers.appends(), ...timelines.appends()],
    *cacheStates() {
      yield* identifiers.cacheStates()
      yield* timelines.cacheStates()
    },
  }
}

const withoutPersonalData: Folding<TrackingState, TrackingEvent> = {
  initial: tracking.initial,
  evolve: (state, event) => tracking.evolve(state, dropPersonalData(event)),
}

function dropPersonalData(event: TrackingEvent): TrackingEvent {
  if (!('personal' in event.data)) return event
  const { personal, ...data } = event.data
  return { ...event, data } as TrackingEvent
}

const assignmentFolding: Folding<Assignment[], IdentifierAssigned> = {
  initial: () => [],
  evolve: (assignments, { data }) => {
    assignments.push(assignmentOf(data))
    return assignments
  },
}

type Folding<State, E extends Event> = Pick<Decider<State, never, E>, 'initial' | 'evolve'>

/** A stream within one call: its state including added events, and the revision that was read. */
interface WorkingStream<State, E extends Event> {
  state: State
  readonly revision: number
  readonly added: NewEvent<E>[]
}

/** The streams of one kind within a call. */
function createWorkingStreams<State, E extends Event>(
  store: EventStore,
  cache: StateCache<State>,
  folding: Folding<State, E>,
  toNewEvent: (event: E) => NewEvent<E>,
) {
  const streams = new Map<StreamName, WorkingStream<State, E>>()

  async function load(stream: StreamName): Promise<WorkingStream<State, E>> {
    const { state, revision } = cache.take(stream) ?? { state: folding.initial(), revision: -1 }
    // Others may have written since, so newer events are always read.
    const since = (await store.read(stream, { from: revision + 1 })) as readonly RecordedEvent<E>[]
    const loaded: WorkingStream<State, E> = {
      state: fold(folding, since, state),
      revision: revision + since.length,
      added: [],
    }
    streams.set(stream, loaded)
    return loaded
  }

  const held = (stream: StreamName) => streams.get(stream) ?? load(stream)

  async function record(stream: StreamName, events: readonly E[]) {
    const at = await held(stream)
    for (const event of events) {
      at.added.push(toNewEvent(event))
      at.state = folding.evolve(at.state, event)
    }
  }

  function appends(): readonly Append[] {
    return [...streams].flatMap(([stream, { revision, added }]) =>
      added.length === 0 ? [] : [{ stream, events: added, expected: revision < 0 ? 'no-stream' : revision }],
    )
  }

  function* cacheStates(): Generator<void> {
    for (const [stream, { state, revision, added }] of streams) {
      cache.put(stream, { state, revision: revision + added.length })
      yield
    }
  }

  return {
    state: async (stream: StreamName) => (await held(stream)).state,
    added: async (stream: StreamName): Promise<readonly E[]> => (await held(stream)).added,
    record,
    appends,
    cacheStates,
  }
}
