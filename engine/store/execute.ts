import { type Decider, fold } from '../kernel/decider.ts'
import { EngineError, isEngineError } from '../kernel/errors.ts'
import type { Event, NewEvent, RecordedEvent } from '../kernel/event.ts'
import type { EventStore } from '../kernel/event-store.ts'
import type { StreamName } from '../kernel/stream.ts'

const maxAttempts = 1000

/**
 * Runs `attempt` again for as long as another writer was faster. Each conflict means that somebody made progress, so
 * this ends; `contention` is the answer after 1,000 lost races.
 */
export async function untilUncontended<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let count = 0; count < maxAttempts; count++) {
    try {
      return await attempt()
    } catch (error) {
      if (!isEngineError(error, 'wrong_expected_revision')) throw error
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
  dress: (event: E) => NewEvent<E>,
): Promise<readonly NewEvent<E>[]> {
  return untilUncontended(async () => {
    const history = (await store.read(stream)) as readonly RecordedEvent<E>[]
    const events = decider.decide(command, fold(decider, history)).map(dress)
    const expected = history.at(-1)?.revision ?? 'no-stream'
    if (events.length > 0) await store.append(stream, events, expected)
    return events
  })
}
