import type { EventStore, RoomForStates } from '../../kernel/event-store.ts'
import { bytesOf, type Held } from '../../kernel/memory.ts'
import type { StreamName } from '../../kernel/stream.ts'
import type { Assignment } from './identifiers.ts'
import type { TrackingState } from './reducer.ts'

/** The state of a stream as of a revision; -1 if the stream does not exist. */
interface CachedState<State> {
  readonly state: State
  readonly revision: number
}

/** Caches states of streams between calls, so that a stream need not be read from its beginning each time. */
export interface StateCache<State> {
  /** Removes a state from the cache and returns it. The caller may then change it. */
  take(stream: StreamName): CachedState<State> | undefined
  /** Adds a state as recorded in the store; evicts those that were not used for longest if there is no room. */
  put(stream: StreamName, entry: CachedState<State>): void
  /** The size of all states. */
  size(): number
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
    size: () => size,
  }
}

/** The cached timelines and identifiers of one store. */
interface StreamCaches {
  /** With the essentials of their events, and no personal data. */
  readonly timelines: StateCache<TrackingState>
  readonly identifiers: StateCache<Assignment[]>
}

/** Bytes for timelines, and for identifiers, if the store does not say it. */
const defaultRoom = 16 * 1024 * 1024

/** Bytes of a stream in a cache, besides its events: its name, its place, and the state without them. */
const besides = { timeline: 600, identifier: 300 }

const cachesByRoom = new WeakMap<RoomForStates | EventStore, StreamCaches>()

/** The caches of a store in this process. They may be outdated, so newer events are always read. */
export function cachesOf(view: EventStore): StreamCaches {
  const { origin: store = view, roomForStates: room } = view
  const known = cachesByRoom.get(room ?? store) ?? createCaches(roomOf(view))
  cachesByRoom.set(room ?? store, known)
  return known
}

/** What the caches of a store hold. */
export function heldStates(store: EventStore): readonly Held[] {
  const { timelines, identifiers } = cachesOf(store)
  const most = roomOf(store)
  return [
    { structure: 'timelines', bytes: timelines.size(), most },
    { structure: 'identifiers', bytes: identifiers.size(), most },
  ]
}

function roomOf({ roomForStates }: EventStore): number {
  return roomForStates?.bytes ?? defaultRoom
}

function createCaches(room: number): StreamCaches {
  return {
    timelines: createStateCache<TrackingState>(room, ({ entries }) => besides.timeline + bytesOfAll(entries)),
    identifiers: createStateCache<Assignment[]>(room, (assignments) => besides.identifier + bytesOfAll(assignments)),
  }
}

/** Each counts as much as the last one: the others were counted when they came, and a long timeline has thousands. */
function bytesOfAll(values: readonly object[]): number {
  return values.length * bytesOf(values.at(-1))
}
