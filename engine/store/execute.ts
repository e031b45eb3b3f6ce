import { type Decider, fold } from '../kernel/decider.ts'
import { EngineError, isEngineError } from '../kernel/errors.ts'
import type { Event, NewEvent, RecordedEvent } from '../kernel/event.ts'
import type { EventStore } from '../kernel/event-store.ts'
import type { StreamName } from '../kernel/stream.ts'
import { isCollectedConflict } from './collect.ts'
import { createKeyedQueue } from './keyed-queue.ts'

const maxAttempts = 1000

/** Those who have lost a race for a stream, by its name. */
const queueOfLosers = createKeyedQueue<string>()

/**
 * Runs `attempt` again for as long as another writer was faster. Each conflict means that somebody made progress, so
 * this ends; `contention` is the answer after 1,000 lost races. Who has lost tries again in turn with the other losers
 * of the stream: if a thousand tried at once, each time to let one win, they would read the stream a million times. A
 * conflict in what is only collected is for whoever began to collect.
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

/** Load, decide, append, for a command that concerns one stream. `dress` gives each event its id and metadata. */
export async function execute<State, Command, E extends Event>(
  store: EventStore,
  decider: Decider<State, Command, E>,
  stream: StreamName,
  command: Command,
  toNewEvent: (event: E) => NewEvent<E>,
): Promise<readonly NewEvent<E>[]> {
  return retryOnConflict(async () => {
    const history = (await store.read(stream)) as readonly RecordedEvent<E>[]
    const events = decider.decide(command, fold(decider, history)).map(toNewEvent)
    const expected = history.at(-1)?.revision ?? 'no-stream'
    if (events.length > 0) await store.append(stream, events, expected)
    return events
  })
}
