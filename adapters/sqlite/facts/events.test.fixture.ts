import { randomUUID } from 'node:crypto'
import type { NewEvent, RecordedEvent } from '../../../engine/index.ts'
import { createSqliteStore } from './index.ts'

/** A clock that does not move. */
export const clock = () => Date.parse('2026-06-10T13:30:00.000Z')

/** A new event with a unique id. */
export function fact(data: unknown = {}): NewEvent {
  return { id: randomUUID(), type: 'SomethingHappened', data, metadata: { schemaVersion: 1 } }
}

/** The given number of new events. */
export function facts(count: number): readonly NewEvent[] {
  return Array.from({ length: count }, () => fact())
}

/** All events of a feed. */
export async function collect(events: AsyncIterable<RecordedEvent>): Promise<RecordedEvent[]> {
  const collected: RecordedEvent[] = []
  for await (const event of events) collected.push(event)
  return collected
}

/** All events of a file, which is opened and closed for it. */
export async function contentOf(file: string): Promise<readonly RecordedEvent[]> {
  const store = createSqliteStore({ file, clock })
  const events = await collect(store.readAll())
  await store.close()
  return events
}
