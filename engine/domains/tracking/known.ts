import type { EventStore } from '../../kernel/event-store.ts'
import type { StreamName } from '../../kernel/stream.ts'
import type { Assignment } from './identifiers.ts'
import type { TrackingState } from './reducer.ts'

/** What a stream amounts to, as of a revision; -1 where it does not exist. */
export interface Standing<State> {
  readonly state: State
  readonly revision: number
}

/** States of streams that one call after another works on, so that each need not be read from its beginning every time. */
export interface Known<State> {
  /** Takes a state out, if it is here: who has it may change it. */
  take(stream: StreamName): Standing<State> | undefined
  /** Keeps a state as it stands in the store; where there is no room, those go that were kept first. */
  keep(stream: StreamName, standing: Standing<State>): void
}

/** Room for states of so much size together. */
export function createKnown<State>(room: number, sizeOf: (state: State) => number): Known<State> {
  const standings = new Map<StreamName, Standing<State>>()
  let size = 0

  function take(stream: StreamName): Standing<State> | undefined {
    const standing = standings.get(stream)
    if (standing === undefined) return undefined
    standings.delete(stream)
    size -= sizeOf(standing.state)
    return standing
  }

  return {
    take,
    keep(stream, standing) {
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
export interface KnownStreams {
  /** Without what they tell of people. */
  readonly timelines: Known<TrackingState>
  readonly identifiers: Known<Assignment[]>
}

/** Room for timelines of so many events together, and for so many assignments of identifiers; each stream counts as one more. */
const room = { events: 40_000, assignments: 40_000 }

const knownOf = new WeakMap<EventStore, KnownStreams>()

/** What is known of the streams of a store in this process. It may be behind: what has come since is always read. */
export function knownIn(store: EventStore): KnownStreams {
  const known = knownOf.get(store) ?? {
    timelines: createKnown<TrackingState>(room.events, ({ entries }) => entries.length + 1),
    identifiers: createKnown<Assignment[]>(room.assignments, (assignments) => assignments.length + 1),
  }
  knownOf.set(store, known)
  return known
}
