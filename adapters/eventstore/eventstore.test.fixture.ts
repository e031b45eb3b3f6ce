import { randomUUID } from 'node:crypto'
import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import type { Test } from 'tap'
import { type Double, startDouble } from '../../conformance/eventstore/double.ts'
import type { NewEvent, RecordedEvent, Storage } from '../../engine/index.ts'
import { createEventstoreStorage, type EventstoreOptions } from './index.ts'

/** A server and its users; everything is closed when the test ends. */
interface Setting {
  readonly double: Double
  /** A store on the server, as another node would open it. */
  readonly open: (options?: Partial<EventstoreOptions>) => Storage
}

/** Starts a server. Its clients have shorter timeouts than in production. */
export async function setUp(t: Test, options: Parameters<typeof startDouble>[0] = {}): Promise<Setting> {
  const double = await startDouble(options)
  const stores: Storage[] = []
  t.teardown(async () => {
    await Promise.all(stores.map((store) => store.close()))
    await double.close()
  })
  const open = (own: Partial<EventstoreOptions> = {}) => {
    const { connectionString } = double
    const store = createEventstoreStorage({ connectionString, clock: Date.now, patience: 50, ...own })
    stores.push(store)
    return store
  }
  return { double, open }
}

/** A new event with a unique id. */
export function fact(data: unknown = {}): NewEvent {
  return { id: randomUUID(), type: 'SomethingHappened', data, metadata: { schemaVersion: 1 } }
}

/** All events of a feed, or its first ones. */
export async function collect(
  events: AsyncIterable<RecordedEvent>,
  limit = Number.POSITIVE_INFINITY,
): Promise<readonly RecordedEvent[]> {
  const collected: RecordedEvent[] = []
  for await (const event of events) if (collected.push(event) >= limit) break
  return collected
}

/** Waits until a condition holds; it is checked in every turn of the event loop. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setImmediate()
}

/** The outcome of a promise after some milliseconds; undefined if it is still pending. */
export async function after<Value>(
  milliseconds: number,
  promise: Promise<Value>,
): Promise<PromiseSettledResult<Value> | undefined> {
  const settled = Promise.allSettled([promise]).then(([outcome]) => outcome)
  return Promise.race([settled, new Promise<undefined>((resolve) => setTimeout(resolve, milliseconds, undefined))])
}

/** Waits until a store that was lost answers again. */
export async function untilAnswered(store: Storage): Promise<void> {
  for (;;) {
    const isThere = await store.latest().then(
      () => true,
      () => false,
    )
    if (isThere) return
    await pause(50)
  }
}
