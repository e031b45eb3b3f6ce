import { randomUUID } from 'node:crypto'
import type { EventStore, NewEvent, RecordedEvent, StreamName } from '../../../engine/index.ts'
import type { Assertions } from '../assertions.ts'

/** What a rule may do to the surroundings of the store. */
interface Setting<Store = EventStore> {
  /** The clock of the store, in epoch milliseconds; a rule may set it. */
  readonly clock: { now: number }
  /** Closes the store and opens it again on its data; undefined if it keeps none. */
  readonly reopen?: () => Promise<Store>
  /** How many writers a crowd has. */
  readonly crowd: number
}

/** Tests one rule of the port on a fresh and empty store. */
export type Rule<Store = EventStore> = (t: Assertions, store: Store, setting: Setting<Store>) => Promise<void>

/** Rules by their sentences. */
export type Rules<Store = EventStore> = Readonly<Record<string, Rule<Store>>>

/** A new event with a unique id. */
export function fact(data: unknown = { note: 'something happened' }): NewEvent {
  return { id: randomUUID(), type: 'SomethingHappened', data, metadata: { schemaVersion: 1 } }
}

/** As many new events. */
export function facts(count: number): readonly NewEvent[] {
  return Array.from({ length: count }, (_, index) => fact({ index }))
}

/** Asserts that an append is refused as a conflict with the current revision of the stream. */
export async function refused(
  t: Assertions,
  append: Promise<unknown>,
  details: { readonly stream: StreamName; readonly expected: string | number; readonly actual: number },
) {
  await t.rejects(append, { code: 'wrong_expected_revision', params: details })
}

/** All items of an iterable, or its first `limit` items. */
export async function collect<Item>(items: AsyncIterable<Item>, limit = Number.POSITIVE_INFINITY): Promise<Item[]> {
  const collected: Item[] = []
  for await (const item of items) if (collected.push(item) >= limit) break
  return collected
}

/** The ids of events, in order. */
export function idsOf(events: readonly NewEvent[]): readonly string[] {
  return events.map((event) => event.id)
}

/** Asserts that each event has a later position than the one before it. */
export function inOrder(t: Assertions, events: readonly RecordedEvent[]) {
  const positions = events.map((event) => event.position)
  t.same(positions, [...new Set(positions)].sort(), 'positions grow')
}
