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
  /** Reads assignments ahead of their use; undefined, and without reading, if they are not in memory and it `isNew`. */
  readIdentifier(identifier: Identifier, isNew: () => Promise<boolean>): Promise<readonly Assignment[] | undefined>
  /** The same for a timeline. */
  readTimeline(stream: StreamName, isNew: () => Promise<boolean>): Promise<TrackingState | undefined>
  assign(identifier: Identifier, timeline: StreamName, from: number | undefined): void
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
    assignments: (identifier) => identifiers.state(identifierStream(identifier)),
    readIdentifier: (identifier, isNew) => identifiers.readAhead(identifierStream(identifier), isNew),
    readTimeline: timelines.readAhead,
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

  /** A stream of which this process has the state. Others may have written since it was cached. */
  function take(stream: StreamName): WorkingStream<State, E> {
    const read = ahead.get(stream)
    if (read !== undefined) return hold(read)
    const { state, revision } = cache.take(stream) ?? { state: folding.initial(), revision: -1 }
    const end = store.knownRevision?.(stream)
    if (end === undefined || end > revision) return waitFirst(grown(stream, state, revision).then(hold))
    return hold({ stream, state, revision, added: [] })
  }

  async function readAhead(stream: StreamName, isNew: () => Promise<boolean>): Promise<State | undefined> {
    const known = cache.take(stream)
    const { state, revision } = known ?? { state: folding.initial(), revision: -1 }
    const isAbsent = known === undefined && (await isNew())
    const read = isAbsent ? { stream, state, revision, added: [] } : await grown(stream, state, revision)
    ahead.set(stream, read)
    return isAbsent ? undefined : read.state
  }

  async function grown(stream: StreamName, state: State, revision: number): Promise<WorkingStream<State, E>> {
    if (store.endsAt?.(stream, revision)) return { stream, state, revision, added: [] }
    const since = (await store.read(stream, { from: revision + 1 })) as readonly RecordedEvent<E>[]
    return { stream, state: fold(folding, since, state), revision: revision + since.length, added: [] }
  }

  function hold(held: WorkingStream<State, E>): WorkingStream<State, E> {
    streams.set(held.stream, held)
    return held
  }

  const held = (stream: StreamName) => streams.get(stream) ?? take(stream)

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
