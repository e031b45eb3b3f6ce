import { createParts } from '../adapters/main.ts'
import type { Secret } from '../adapters/node/secret.ts'
import type { Database } from '../adapters/sqlite/database.ts'
import { columnsOf, type EventColumns, sumOf } from '../adapters/sqlite/facts/row.ts'
import { inTransaction } from '../adapters/sqlite/transaction.ts'
import { type Append, type Context, call, createMemoryStore, en, otepIngest, type Storage } from '../engine/index.ts'

/** A row as the store writes it, its stream by number; `name` and `key` are only there for a new stream. */
export interface FeedRow extends Omit<EventColumns, 'recorded'> {
  readonly stream: number
  readonly name: string | undefined
  /** The key of the stream's personal data, if it has one. */
  readonly key?: string | undefined
  readonly revision: number
  readonly created: number
  readonly sum: number
}

/** A provider's context on a store, with the secret of its personal data if there is one. */
export function contextOn(store: Storage, secret?: Secret): Context {
  const caller = { kind: 'provider', name: 'acme', scopes: ['otep:ingest'] } as const
  const parts = createParts({ store, secret })
  return { ...parts, caller, messages: en, requestId: parts.randomId() }
}

/** Ingests the lines of a feed, 1,000 a call. */
export async function ingestLines(context: Context, lines: readonly string[]): Promise<void> {
  for (let from = 0; from < lines.length; from += 1000) {
    const document = { lines: lines.slice(from, from + 1000).map((line) => JSON.parse(line) as unknown) }
    await call(otepIngest, { ...context, requestId: context.randomId() }, { document })
  }
}

/** What the engine appends in calls of some lines each, recorded from the engine itself. */
export async function writtenIn(calls: readonly (readonly string[])[]): Promise<readonly (readonly Append[])[]> {
  const memory = createMemoryStore(Date.now)
  let appends: Append[] = []
  const context = contextOn({
    ...memory,
    appendMany: (some) => {
      appends.push(...some)
      return memory.appendMany(some)
    },
  })
  const written: (readonly Append[])[] = []
  for (const lines of calls) {
    await ingestLines(context, lines)
    written.push(appends)
    appends = []
  }
  return written
}

/** Builds the rows of one append after another; streams are numbered in the order in which they occur. */
export function createRowsOf(): (append: Append) => readonly FeedRow[] {
  const numbers = new Map<string, number>()
  return ({ stream: name, events, expected, key }) => {
    const stream = numbers.get(name) ?? numbers.size
    numbers.set(name, stream)
    const from = typeof expected === 'number' ? expected + 1 : 0
    const created = Date.now()
    return events.map((event, index) => {
      const { id, type, data, meta } = columnsOf(event)
      const revision = from + index
      const sum = sumOf(name, revision, created, { id, type, data, meta })
      const begins = revision === 0 ? { name, key } : { name: undefined, key: undefined }
      return { id, type, data, meta, stream, ...begins, revision, created, sum }
    })
  }
}

/** Inserts rows and does nothing else: the statements of the store, one transaction a call. */
export function createInserter(database: Database): (rows: Iterable<FeedRow>) => void {
  const insertStream = database.prepare('INSERT INTO streams (name) VALUES (?)')
  const insertEvent = database.prepare(
    'INSERT INTO events (sid, rev, id, type, data, meta, created, sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const insertKey = database.prepare('INSERT INTO keys (subject, key) VALUES (?, ?)')
  const sids: number[] = []
  return (rows) =>
    inTransaction(database, 'IMMEDIATE', () => {
      for (const { stream, name, key, revision, id, type, data, meta, created, sum } of rows) {
        if (name !== undefined && key !== undefined) insertKey.run(name, key)
        if (name !== undefined) sids[stream] = Number(insertStream.run(name).lastInsertRowid)
        insertEvent.run(sids[stream] ?? 0, revision, id, type, data, meta, created, sum)
      }
    })
}
