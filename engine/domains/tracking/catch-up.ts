import type { Context } from '../../kernel/context.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { tracking } from './commands.ts'
import type { TrackingEvent } from './events.ts'
import { readState } from './read.ts'
import type { TrackingState } from './reducer.ts'
import { createStateCache, type StateCache } from './state-cache.ts'

type Fact = RecordedEvent<TrackingEvent>

/** The states of timelines for a reader of all facts in order, who begins behind their end. */
export interface CatchUp {
  /** The state of the timeline of a fact as it was after it. */
  stateAfter(fact: Fact): Promise<TrackingState>
  /** Drops what is known of a timeline. */
  forget(stream: StreamName): void
  /** Drops everything. */
  end(): void
}

/** Room for the events of the timelines that a reader keeps; of several at once, each later one has less. */
const room = 10_000

let readers = 0

/**
 * Begins to catch up from a position to another one. Up to there, the next fact of a timeline is added to the state that was read
 * for the one before, so that a timeline with many new facts is read once; later facts come one by one, and their timelines
 * are read. A fact that changes an event is not added: the event may have personal data that was erased since.
 */
export function beginCatchUp(
  context: Pick<Context, 'store' | 'pause'>,
  after: string | undefined,
  to: string | undefined,
): CatchUp {
  let states = to === undefined || after === to ? undefined : createStates(++readers)

  function end(): void {
    if (states !== undefined) readers--
    states = undefined
  }

  return {
    stateAfter: async (fact) => {
      const { revision, type } = fact
      const stream = fact.stream as StreamName
      const before = states?.take(stream)
      const isAdded = type === 'TrackingEventRecorded' || type === 'SubjectIdentified'
      const state =
        isAdded && before?.revision === revision - 1
          ? tracking.evolve(before.state, fact)
          : (await readState(context, stream, revision)).state
      if (to === undefined || fact.position >= to) end()
      states?.put(stream, { state, revision })
      return state
    },
    forget: (stream) => void states?.take(stream),
    end,
  }
}

/** Only a reader who is alone keeps a timeline that is longer than its room, and then that one alone. */
function createStates(place: number): StateCache<TrackingState> {
  const size = ({ entries }: TrackingState) => entries.length + 1
  return place === 1
    ? createStateCache(room, (state) => Math.min(size(state), room))
    : createStateCache(Math.floor(room / place), size)
}
