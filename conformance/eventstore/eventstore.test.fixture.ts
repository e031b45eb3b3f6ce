import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AppendToStreamOptions, EventStoreDBClient, type JSONEventType, jsonEvent } from '@eventstore/db-client'
import { type Cluster, type Double, type DoubleOptions, startCluster, startDouble } from './double.ts'

/** The part of a tap test that fixtures need. */
interface Test {
  teardown(end: () => Promise<void>): void
}

/** What a subscription is, to a test. */
interface Feed<Item> extends AsyncIterable<Item> {
  unsubscribe(): Promise<void>
}

/** The two ways in which the client brings an append: credentials of the call itself switch batches off. */
export const paths: readonly (readonly [string, AppendToStreamOptions])[] = [
  ['in a batch', {}],
  ['in a call of its own', { credentials: { username: 'admin', password: 'changeit' } }],
]

/** A double that ends with the test. */
export async function doubleOf(t: Test, options?: DoubleOptions): Promise<Double> {
  const double = await startDouble(options)
  t.teardown(() => double.close())
  return double
}

/** A cluster that ends with the test. */
export async function clusterOf(t: Test, size: number): Promise<Cluster> {
  const cluster = await startCluster(size)
  t.teardown(() => cluster.close())
  return cluster
}

/** A real client that ends with the test. */
export function clientOf(t: Test, { connectionString }: { readonly connectionString: string }): EventStoreDBClient {
  const client = EventStoreDBClient.connectionString(connectionString)
  t.teardown(() => client.dispose())
  return client
}

export function event(type = 'Packed', data: JSONEventType['data'] = { by: 'hand' }) {
  return jsonEvent({ id: randomUUID(), type, data })
}

/** Events of the types given. */
export function events(...types: readonly string[]) {
  return types.map((type) => event(type))
}

/** What became of a call: its error's type, `done`, or `pending` where it has not settled in time. */
export async function fate(call: Promise<unknown>, milliseconds = 5000): Promise<string> {
  const late = new AbortController()
  const settled = call.then(
    () => 'done',
    (error: { readonly type?: string }) => error.type ?? String(error),
  )
  const pending = sleep(milliseconds, 'pending', { signal: late.signal }).catch(() => 'pending')
  return Promise.race([settled, pending]).finally(() => late.abort())
}

/** The error of a call that fails. */
export async function failure(call: Promise<unknown>): Promise<unknown> {
  try {
    await call
  } catch (error) {
    return error
  }
  throw new Error('The call did not fail.')
}

/** Resolves when something that others bring about is so. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}

/** All of a read that ends. */
export async function collect<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

/** The next items of a subscription, which ends with that. */
export async function take<Item>(feed: Feed<Item>, count: number): Promise<readonly Item[]> {
  const taken: Item[] = []
  for await (const item of feed) {
    if (taken.push(item) === count) break
  }
  return taken
}
