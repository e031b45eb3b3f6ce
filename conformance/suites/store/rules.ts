import { randomUUID } from 'node:crypto'
import type { EventStore, NewEvent, RecordedEvent, StreamName } from '../../../engine/index.ts'
import type { Assertions } from '../assertions.ts'

/** What a rule may do to the surroundings of the store. */
export interface Setting<Store = EventStore> {
  /** The clock that the store was given, in epoch milliseconds; a rule may set it. */
  readonly clock: { now: number }
  /** Closes the store and opens it again on what it kept; absent where nothing is kept. */
  readonly reopen?: () => Promise<Store>
  /** How many writers a crowd has. */
  readonly crowd: number
}

/** Shows on a fresh and empty store that one rule of the port holds. */
export type Rule<Store = EventStore> = (t: Assertions, store: Store, setting: Setting<Store>) => Promise<void>

/** Rules by their sentences. */
export type Rules<Store = EventStore> = Readonly<Record<string, Rule<Store>>>

/** An event that was never seen before. */
export function fact(data: unknown = { note: 'something happened' }): NewEvent {
  return { id: randomUUID(), type: 'SomethingHappened', data, metadata: { schemaVersion: 1 } }
}

/** As many new events. */
export function facts(count: number): readonly NewEvent[] {
  return Array.from({ length: count }, (_, index) => fact({ index }))
}

/** Asserts that an append is refused as a conflict, and says where the stream stands. */
export async function refused(
  t: Assertions,
  append: Promise<unknown>,
  details: { readonly stream: StreamName; readonly expected: string | number; readonly actual: number },
) {
  await t.rejects(append, { code: 'wrong_expected_revision', params: details })
}

/** Everything that an iterable gives, or its first `limit` items. */
export async function collect<Item>(items: AsyncIterable<Item>, limit = Number.POSITIVE_INFINITY): Promise<Item[]> {
  const collected: Item[] = []
  for await (const item of items) if (collected.push(item) >= limit) break
  return collected
}

/** The ids of events, in order. */
export function idsOf(events: readonly NewEvent[]): readonly string[] {
  return events.map((event) => event.id)
}

/** Asserts that each event stands after the one before it. */
export function inOrder(t: Assertions, events: readonly RecordedEvent[]) {
  const positions = events.map((event) => event.position)
  t.same(positions, [...new Set(positions)].sort(), 'positions grow')
}
