import { actorOf } from '../../kernel/audit.ts'
import type { Context } from '../../kernel/context.ts'
import { type Decider, fold } from '../../kernel/decider.ts'
import type { Event, EventMetadata, NewEvent, RecordedEvent } from '../../kernel/event.ts'
import type { Append, EventStore } from '../../kernel/event-store.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { waitFirst } from '../../kernel/steps.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { isoOf } from '../../kernel/time.ts'
import { versionOf } from '../../kernel/upcast.ts'
import { tracking } from './commands.ts'
import { withContainerTerm } from './contents-model.ts'
import type { StoredEvent, TrackingEvent } from './events.ts'
import {
  type Assignment,
  assignmentOf,
  type Identifier,
  type IdentifierAssigned,
  identifierStream,
  identifierStreams,
  saidBy,
} from './identifiers.ts'
import type { TrackingState } from './reducer.ts'
import { cachesOf, type StateCache } from './state-cache.ts'
import { upcasts } from './upcasts.ts'

/**
 * The streams that one call reads and appends to; created again when another writer was faster. Made for passes: a stream
 * that is not in memory is waited for first, and so is a timeline with all its details.
 */
export interface Workspace {
  assignments(identifier: Identifier): readonly Assignment[]
  /**
   * Reads assignments ahead of their use; undefined, and without reading, if they are not in memory and it `isNew`. No promise
   * if they are in memory, and known to be current.
   */
  readIdentifier(identifier: Identifier, isNew: () => Promise<boolean>): Ahead<readonly Assignment[]>
  /** The same for a timeline. */
  readTimeline(stream: StreamName, isNew: () => Promise<boolean>): Ahead<TrackingState>
  assign(identifier: Identifier, timeline: StreamName, from: number | undefined, providers?: readonly string[]): void
  /** A timeline with what is needed to record new events: the ids, codes and times of its events, and who reported them. */
  timeline(stream: StreamName): TrackingState
  /** A timeline with all that is known of its events. */
  fullTimeline(stream: StreamName): TrackingState
  record(stream: StreamName, events: readonly TrackingEvent[]): void
  /** All events to append, one entry for each stream. */
  appends(): readonly Append[]
  /** Call it after the append: makes the states available to the next call, one in each step. */
  cacheStates(): Iterable<void>
}

/** What was read ahead, or will be. */
type Ahead<State> = State | undefined | Promise<State | undefined>

/** Creates the workspace of a call. All events carry the caller and the request as metadata. */
export function createWorkspace({ store, caller, requestId, randomId, credentials }: Context): Workspace {
  const cause = { actor: actorOf(caller), correlationId: requestId }
  const caches = cachesOf(store)
  const identifiers = createWorkingStreams(store, caches.identifiers, assignmentFolding, toNewEvent)
  const timelines = createWorkingStreams(store, caches.timelines, essentials, toNewEvent)
  const fullTimelines = new Map<StreamName, TrackingState>()

  // One shared object for all events of a version, so that a store serializes it once.
  const metadata: EventMetadata[] = []

  function toNewEvent<E extends TrackingEvent | IdentifierAssigned>(event: E): NewEvent<E> {
    const schemaVersion = versionOf(event.type, upcasts)
    metadata[schemaVersion] ??= { ...cause, schemaVersion }
    const { type, data } = event
    return { type, data, id: randomId(), metadata: metadata[schemaVersion] } as unknown as NewEvent<E>
  }

  function fullTimeline(stream: StreamName): TrackingState {
    const known = fullTimelines.get(stream)
    if (known !== undefined) return known
    const added = timelines.added(stream)
    return waitFirst(readWhole(stream, added))
  }

  async function readWhole(stream: StreamName, added: readonly TrackingEvent[]) {
    const history = (await store.read(stream)) as readonly TrackingEvent[]
    fullTimelines.set(stream, fold(tracking, added, fold(tracking, history)))
  }

  function record(stream: StreamName, facts: readonly TrackingEvent[]): void {
    const events = facts.map((fact) => withContainerTerm({ credentials }, fact))
    timelines.record(stream, events)
    const state = fullTimelines.get(stream)
    if (state !== undefined) fullTimelines.set(stream, fold(tracking, events, state))
  }

  return {
    assignments: (identifier) => saidBy(identifierStreams(identifier).map(identifiers.state)),
    readIdentifier: (identifier, isNew) => identifiers.readAhead(identifierStream(identifier), isNew),
    readTimeline: timelines.readAhead,
    assign: (identifier, timeline, from, providers) => {
      const data = {
        ...identifier,
        timeline,
        ...omitUndefined({ from: from === undefined ? from : isoOf(from), providers }),
      }
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

/** Keeps of events only what the placement, the decisions and the state machine read, because very many are kept. */
const essentials: Folding<TrackingState, TrackingEvent> = {
  initial: tracking.initial,
  evolve: (state, event) => tracking.evolve(state, essentialOf(event)),
}

function essentialOf(fact: TrackingEvent): TrackingEvent {
  if (fact.type === 'TrackingEventRecorded') {
    const { profile, subject, provider, event, contained, former_namespace, before_versions } = fact.data
    const data = { profile, subject, provider, event: essentialEvent(event) }
    if (contained === undefined && former_namespace === undefined && before_versions === undefined)
      return { type: fact.type, data }
    return { type: fact.type, data: { ...data, ...omitUndefined({ contained, former_namespace, before_versions }) } }
  }
  if (fact.type === 'TrackingEventEnriched') {
    const { personal, added, ...data } = fact.data
    const { source } = added
    return { ...fact, data: { ...data, added: source === undefined ? {} : { source } } }
  }
  if (fact.type !== 'TrackingEventWithdrawn') return fact
  const { personal, ...data } = fact.data
  return { ...fact, data }
}

function essentialEvent({ event_id, otep_version, occurred_at, recorded_at, status_code, source }: StoredEvent) {
  return source === undefined
    ? { event_id, otep_version, occurred_at, recorded_at, status_code }
    : { event_id, otep_version, occurred_at, recorded_at, status_code, source }
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
  readonly stream: StreamName
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
  /** What was read ahead. It joins the others when it is used, so that appends are in the order of use. */
  const ahead = new Map<StreamName, WorkingStream<State, E>>()
  const held = (stream: StreamName) => streams.get(stream) ?? take(stream)

  /** A stream of which this process has the state. Others may have written since it was cached. */
  function take(stream: StreamName): WorkingStream<State, E> {
    const read = ahead.get(stream)
    if (read !== undefined) return hold(read)
    const at = workingStream(stream, folding, cache.take(stream))
    const end = store.knownRevision?.(stream)
    if (end === undefined || end > at.revision) return waitFirst(grown(store, folding, at).then(hold))
    return hold(at)
  }

  function readAhead(stream: StreamName, isNew: () => Promise<boolean>): Ahead<State> {
    const known = cache.take(stream)
    const at = workingStream(stream, folding, known)
    if (known === undefined) return readNew(at, isNew)
    return store.endsAt?.(stream, at.revision) ? holdAhead(at) : grown(store, folding, at).then(holdAhead)
  }

  async function readNew(at: WorkingStream<State, E>, isNew: () => Promise<boolean>): Promise<State | undefined> {
    if (!(await isNew())) return holdAhead(await grown(store, folding, at))
    return void holdAhead(at)
  }

  function holdAhead(read: WorkingStream<State, E>): State {
    ahead.set(read.stream, read)
    return read.state
  }

  function hold(held: WorkingStream<State, E>): WorkingStream<State, E> {
    streams.set(held.stream, held)
    return held
  }

  function record(stream: StreamName, events: readonly E[]): void {
    const at = held(stream)
    for (const event of events) {
      at.added.push(toNewEvent(event))
      at.state = folding.evolve(at.state, event)
    }
  }

  return {
    readAhead,
    state: (stream: StreamName): State => held(stream).state,
    added: (stream: StreamName): readonly E[] => held(stream).added,
    record,
    appends: () => appendsOf(streams.values()),
    cacheStates: () => puttingStates(streams.values(), cache),
  }
}

/** A stream with what is known of it, nothing if that is absent. */
function workingStream<State, E extends Event>(
  stream: StreamName,
  folding: Folding<State, E>,
  known: { readonly state: State; readonly revision: number } | undefined,
): WorkingStream<State, E> {
  return { stream, state: known?.state ?? folding.initial(), revision: known?.revision ?? -1, added: [] }
}

/** The same stream with what was added to it since. */
async function grown<State, E extends Event>(
  store: EventStore,
  folding: Folding<State, E>,
  { stream, state, revision }: WorkingStream<State, E>,
): Promise<WorkingStream<State, E>> {
  const since = (await store.read(stream, { from: revision + 1 })) as readonly RecordedEvent<E>[]
  return { stream, state: fold(folding, since, state), revision: revision + since.length, added: [] }
}

function appendsOf(used: Iterable<WorkingStream<unknown, Event>>): readonly Append[] {
  const appends: Append[] = []
  for (const { stream, revision, added } of used)
    if (added.length > 0) appends.push({ stream, events: added, expected: revision < 0 ? 'no-stream' : revision })
  return appends
}

function* puttingStates<State>(used: Iterable<WorkingStream<State, Event>>, cache: StateCache<State>): Generator<void> {
  for (const { stream, state, revision, added } of used) {
    cache.put(stream, { state, revision: revision + added.length })
    yield
  }
}
