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
  /** Adds a state as recorded in the store; evicts those that were not used for longest if there is no room. */
  put(stream: StreamName, entry: CachedState<State>): void
}

/** The place of a stream in a cache. It stays while its state is taken, and counts as before. */
interface Slot<State> {
  entry: CachedState<State> | undefined
  size: number
  /** Whether it was put back since it came to the end of the line. */
  isUsed: boolean
}

/**
 * Creates a cache with room for states of this total size. To find and to put back a state takes one look-up each: only
 * when there is no room, those that were used go to the end of the line.
 */
export function createStateCache<State>(room: number, sizeOf: (state: State) => number): StateCache<State> {
  const slots = new Map<StreamName, Slot<State>>()
  let size = 0

  function evict(): void {
    for (const [stream, slot] of slots) {
      if (size <= room) break
      slots.delete(stream)
      if (slot.isUsed) {
        slot.isUsed = false
        slots.set(stream, slot)
      } else size -= slot.size
    }
  }

  return {
    take(stream) {
      const slot = slots.get(stream)
      if (slot === undefined) return undefined
      const { entry } = slot
      slot.entry = undefined
      return entry
    },
    put(stream, entry) {
      const needed = sizeOf(entry.state)
      const slot = slots.get(stream)
      size += needed - (slot?.size ?? 0)
      if (slot === undefined) slots.set(stream, { entry, size: needed, isUsed: false })
      else {
        slot.entry = entry
        slot.size = needed
        slot.isUsed = true
      }
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
export function cachesOf(view: EventStore): StreamCaches {
  const { origin: store = view, roomForStates: room = defaultRoom } = view
  const known = cachesByStore.get(store) ?? {
    timelines: createStateCache<TrackingState>(room, ({ entries }) => entries.length + 1),
    identifiers: createStateCache<Assignment[]>(room, (assignments) => assignments.length + 1),
  }
  cachesByStore.set(store, known)
  return known
}
