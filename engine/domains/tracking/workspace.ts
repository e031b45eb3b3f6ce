import type { Context } from '../../kernel/context.ts'
import { type Decider, fold } from '../../kernel/decider.ts'
import type { Event, EventMetadata, NewEvent, RecordedEvent } from '../../kernel/event.ts'
import type { Append, EventStore } from '../../kernel/event-store.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { isoOf } from '../../kernel/time.ts'
import { versionOf } from '../../kernel/upcast.ts'
import { tracking } from './commands.ts'
import type { TrackingEvent } from './events.ts'
import {
  type Assignment,
  assignmentOf,
  type Identifier,
  type IdentifierAssigned,
  identifierStream,
} from './identifiers.ts'
import { type Known, knownIn } from './known.ts'
import type { TrackingState } from './reducer.ts'
import { upcasts } from './upcasts.ts'

/** What one call reads and what it is going to append; thrown away and made anew when another writer was faster. */
export interface Workspace {
  assignments(identifier: Identifier): Promise<readonly Assignment[]>
  assign(identifier: Identifier, timeline: StreamName, from: number | undefined): Promise<void>
  /** A timeline without what it tells of people, which is enough for what is new to it. */
  timeline(stream: StreamName): Promise<TrackingState>
  /** A timeline with all that it tells. */
  whole(stream: StreamName): Promise<TrackingState>
  record(stream: StreamName, events: readonly TrackingEvent[]): Promise<void>
  /** Everything to be appended, one entry a stream. */
  appends(): readonly Append[]
  /** After these were appended: leaves what is known to the next call. */
  leave(): void
}

/** Begins a call of a context: who caused its events, and the request that did, are written on every one of them. */
export function createWorkspace({ store, caller, requestId, randomId }: Context): Workspace {
  const cause = { actor: `${caller.kind}:${caller.name}`, correlationId: requestId }
  const known = knownIn(store)
  const identifiers = createDesk(store, known.identifiers, assigning, dressed)
  const timelines = createDesk(store, known.timelines, impersonal, dressed)
  const wholes = new Map<StreamName, TrackingState>()

  // One object for all events of a version, so that a store has one text to make of it.
  const metadata: EventMetadata[] = []

  function dressed<E extends TrackingEvent | IdentifierAssigned>(event: E): NewEvent<E> {
    const schemaVersion = versionOf(event.type, upcasts)
    metadata[schemaVersion] ??= { ...cause, schemaVersion }
    return { ...event, id: randomId(), metadata: metadata[schemaVersion] }
  }

  async function whole(stream: StreamName) {
    const known = wholes.get(stream)
    if (known !== undefined) return known
    const history = (await store.read(stream)) as readonly TrackingEvent[]
    const state = fold(tracking, await timelines.added(stream), fold(tracking, history))
    wholes.set(stream, state)
    return state
  }

  async function record(stream: StreamName, events: readonly TrackingEvent[]) {
    await timelines.record(stream, events)
    const state = wholes.get(stream)
    if (state !== undefined) wholes.set(stream, fold(tracking, events, state))
  }

  return {
    assignments: (identifier) => identifiers.state(identifierStream(identifier)),
    assign: (identifier, timeline, from) => {
      const data = { ...identifier, timeline, ...(from === undefined ? {} : { from: isoOf(from) }) }
      return identifiers.record(identifierStream(identifier), [{ type: 'IdentifierAssigned', data }])
    },
    timeline: timelines.state,
    whole,
    record,
    appends: () => [...identifiers.appends(), ...timelines.appends()],
    leave: () => {
      identifiers.leave()
      timelines.leave()
    },
  }
}

const impersonal: Folding<TrackingState, TrackingEvent> = {
  initial: tracking.initial,
  evolve: (state, event) => tracking.evolve(state, withoutPersonal(event)),
}

function withoutPersonal(event: TrackingEvent): TrackingEvent {
  if (!('personal' in event.data)) return event
  const { personal, ...data } = event.data
  return { ...event, data } as TrackingEvent
}

const assigning: Folding<Assignment[], IdentifierAssigned> = {
  initial: () => [],
  evolve: (assignments, { data }) => {
    assignments.push(assignmentOf(data))
    return assignments
  },
}

type Folding<State, E extends Event> = Pick<Decider<State, never, E>, 'initial' | 'evolve'>

/** A stream as one call sees it: its state with what the call adds, and where it stood when it was read. */
interface Held<State, E extends Event> {
  state: State
  readonly revision: number
  readonly added: NewEvent<E>[]
}

/** The streams of one kind that a call works on. */
function createDesk<State, E extends Event>(
  store: EventStore,
  known: Known<State>,
  folding: Folding<State, E>,
  dressed: (event: E) => NewEvent<E>,
) {
  const streams = new Map<StreamName, Held<State, E>>()

  async function hold(stream: StreamName): Promise<Held<State, E>> {
    const { state, revision } = known.take(stream) ?? { state: folding.initial(), revision: -1 }
    // Others write as well, so what has come since is read in any case.
    const since = (await store.read(stream, { from: revision + 1 })) as readonly RecordedEvent<E>[]
    const held: Held<State, E> = { state: fold(folding, since, state), revision: revision + since.length, added: [] }
    streams.set(stream, held)
    return held
  }

  const held = (stream: StreamName) => streams.get(stream) ?? hold(stream)

  async function record(stream: StreamName, events: readonly E[]) {
    const at = await held(stream)
    for (const event of events) {
      at.added.push(dressed(event))
      at.state = folding.evolve(at.state, event)
    }
  }

  function appends(): readonly Append[] {
    return [...streams].flatMap(([stream, { revision, added }]) =>
      added.length === 0 ? [] : [{ stream, events: added, expected: revision < 0 ? 'no-stream' : revision }],
    )
  }

  function leave() {
    for (const [stream, { state, revision, added }] of streams)
      known.keep(stream, { state, revision: revision + added.length })
  }

  return {
    state: async (stream: StreamName) => (await held(stream)).state,
    added: async (stream: StreamName): Promise<readonly E[]> => (await held(stream)).added,
    record,
    appends,
    leave,
  }
}
