import type { EventStore } from '../../kernel/event-store.ts'
import type { StreamName } from '../../kernel/stream.ts'
import type { Assignment } from './identifiers.ts'
import type { TrackingState } from './reducer.ts'

/** What a stream amounts to, as of a revision; -1 where it does not exist. */
export interface CachedState<State> {
  readonly state: State
  readonly revision: number
}

/** States of streams that one call after another works on, so that each need not be read from its beginning every time. */
export interface StateCache<State> {
  /** Takes a state out, if it is here: who has it may change it. */
  take(stream: StreamName): CachedState<State> | undefined
  /** Keeps a state as it stands in the store; where there is no room, those go that were kept first. */
  put(stream: StreamName, standing: CachedState<State>): void
}

/** Room for states of so much size together. */
export function createStateCache<State>(room: number, sizeOf: (state: State) => number): StateCache<State> {
  const standings = new Map<StreamName, CachedState<State>>()
  let size = 0

  function take(stream: StreamName): CachedState<State> | undefined {
    const standing = standings.get(stream)
    if (standing === undefined) return undefined
    standings.delete(stream)
    size -= sizeOf(standing.state)
    return standing
  }

  return {
    take,
    put(stream, standing) {
      take(stream)
      standings.set(stream, standing)
      size += sizeOf(standing.state)
      for (const oldest of standings.keys()) {
        if (size <= room) break
        take(oldest)
      }
    },
  }
}

/** What the calls on one store have left of its timelines and identifiers. */
export interface StreamCaches {
  /** Without what they tell of people. */
  readonly timelines: StateCache<TrackingState>
  readonly identifiers: StateCache<Assignment[]>
}

/** Room for timelines of so many events together, and for so many assignments of identifiers; each stream counts as one more. */
const room = { events: 40_000, assignments: 40_000 }

const cachesByStore = new WeakMap<EventStore, StreamCaches>()

/** What is known of the streams of a store in this process. It may be behind: what has come since is always read. */
export function cachesOf(store: EventStore): StreamCaches {
  const known = cachesByStore.get(store) ?? {
    timelines: createStateCache<TrackingState>(room.events, ({ entries }) => entries.length + 1),
    identifiers: createStateCache<Assignment[]>(room.assignments, (assignments) => assignments.length + 1),
  }
  cachesByStore.set(store, known)
  return known
}
