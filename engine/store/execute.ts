import { type Decider, fold } from '../kernel/decider.ts'
import { EngineError, isEngineError } from '../kernel/errors.ts'
import type { Event, NewEvent, RecordedEvent } from '../kernel/event.ts'
import type { Append, EventStore } from '../kernel/event-store.ts'
import type { StreamName } from '../kernel/stream.ts'
import { isCollectedConflict } from './collect.ts'
import { createKeyedQueue } from './keyed-queue.ts'

const maxAttempts = 1000

/** Writers that lost a race for a stream, queued by stream name. */
const queueOfLosers = createKeyedQueue<string>()

/**
 * Retries `attempt` while other writers are faster. Every conflict means that another writer made progress, so this
 * ends; after 1,000 lost races it throws `contention`. Losers of one stream retry one after the other: if a thousand
 * retried at once, each time with one winner, they would read the stream a million times. A conflict in a collecting
 * store is thrown to the caller that created it.
 */
export async function retryOnConflict<Result>(attempt: () => Promise<Result>): Promise<Result> {
  let run = attempt
  for (let count = 0; count < maxAttempts; count++) {
    try {
      return await run()
    } catch (error) {
      if (!isEngineError(error, 'wrong_expected_revision') || isCollectedConflict(error)) throw error
      const lost = String(error.params.stream)
      run = () => queueOfLosers(lost, attempt)
    }
  }
  throw new EngineError('contention')
}

/**
 * Loads a stream, decides a command and appends its events. `toNewEvent` gives each event its id and metadata; `beside` makes
 * what is appended to other streams in the same transaction, from the events and the state after them.
 */
export async function execute<State, Command, E extends Event>(
  store: EventStore,
  decider: Decider<State, Command, E>,
  stream: StreamName,
  command: Command,
  toNewEvent: (event: E) => NewEvent<E>,
  beside?: (state: State, events: readonly NewEvent<E>[]) => Promise<readonly Append[]>,
): Promise<readonly NewEvent<E>[]> {
  return retryOnConflict(async () => {
    const history = (await store.read(stream)) as readonly RecordedEvent<E>[]
    const before = fold(decider, history)
    const events = decider.decide(command, before).map(toNewEvent)
    const expected = history.at(-1)?.revision ?? 'no-stream'
    if (events.length === 0) return events
    const others = beside === undefined ? [] : await beside(fold(decider, events, before), events)
    if (others.length === 0) await store.append(stream, events, expected)
    else await store.appendMany([{ stream, events, expected }, ...others])
    return events
  })
}
