import type { EventStore } from '../../kernel/event-store.ts'
import type { StreamName } from '../../kernel/stream.ts'
import type { Assignment } from './identifiers.ts'
import type { TrackingState } from './reducer.ts'

/** The state of a stream as of a revision; -1 if the stream does not exist. */
export interface CachedState<State> {
  readonly state: State
  readonly revision: number
}

/** Caches states of streams between calls, so that a stream need not be read from its beginning each time. */
export interface StateCache<State> {
  /** Removes a state from the cache and returns it. The caller may then change it. */
  take(stream: StreamName): CachedState<State> | undefined
  /** Adds a state as recorded in the store; evicts the oldest entries if there is no room. */
  put(stream: StreamName, entry: CachedState<State>): void
}

/** Creates a cache with room for states of this total size. */
export function createStateCache<State>(room: number, sizeOf: (state: State) => number): StateCache<State> {
  const entries = new Map<StreamName, CachedState<State>>()
  let size = 0

  function take(stream: StreamName): CachedState<State> | undefined {
    const entry = entries.get(stream)
    if (entry === undefined) return undefined
    entries.delete(stream)
    size -= sizeOf(entry.state)
    return entry
  }

  function evict(): void {
    for (const oldest of entries.keys()) {
      if (size <= room) break
      take(oldest)
    }
  }

  return {
    take,
    put(stream, entry) {
      take(stream)
      entries.set(stream, entry)
      size += sizeOf(entry.state)
      if (size > room) evict()
    },
  }
}

/** The cached timelines and identifiers of one store. */
export interface StreamCaches {
  /** With the essentials of their events, and no personal data. */
  readonly timelines: StateCache<TrackingState>
  readonly identifiers: StateCache<Assignment[]>
}

/** Room for events of timelines, and for assignments of identifiers, if the store does not say it; each stream counts as one more. */
const defaultRoom = 40_000

const cachesByStore = new WeakMap<EventStore, StreamCaches>()

/** The caches of a store in this process. They may be outdated, so newer events are always read. */
export function cachesOf(store: EventStore): StreamCaches {
  const { roomForStates: room = defaultRoom } = store
  const known = cachesByStore.get(store) ?? {
    timelines: createStateCache<TrackingState>(room, ({ entries }) => entries.length + 1),
    identifiers: createStateCache<Assignment[]>(room, (assignments) => assignments.length + 1),
  }
  cachesByStore.set(store, known)
  return known
}
