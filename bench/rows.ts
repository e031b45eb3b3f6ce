import { createParts } from '../adapters/main.ts'
import type { Database } from '../adapters/sqlite/database.ts'
import { inTransaction } from '../adapters/sqlite/open.ts'
import { columnsOf, type EventColumns } from '../adapters/sqlite/row.ts'
import {
  type Append,
  type Context,
  call,
  createMemoryStore,
  languages,
  otepIngest,
  type Storage,
} from '../engine/index.ts'

/** A row as the engine writes it, its stream by number; `name` is there where the stream is new. */
export interface FeedRow extends EventColumns {
  readonly stream: number
  readonly name: string | undefined
  readonly revision: number
}

/** A provider's context on a store. */
export function contextOn(store: Storage): Context {
  const caller = { kind: 'provider', name: 'acme', scopes: ['otep:ingest'] } as const
  const parts = createParts({ store })
  return { ...parts, caller, messages: languages.en, requestId: parts.randomId() }
}

/** The rows that the engine writes for each line of a feed, taken from the engine itself. */
export async function rowsOfFeed(lines: readonly string[]): Promise<readonly (readonly FeedRow[])[]> {
  const numbers = new Map<string, number>()
  const rows: FeedRow[][] = []
  const memory = createMemoryStore(Date.now)
  const appendMany = (appends: readonly Append[]) => {
    rows.push(appends.flatMap((append) => rowsOfAppend(append, numbers)))
    return memory.appendMany(appends)
  }
  const context = contextOn({ ...memory, appendMany })
  for (const line of lines) {
    await call(otepIngest, { ...context, requestId: context.randomId() }, { document: JSON.parse(line) as unknown })
  }
  return rows
}

function rowsOfAppend({ stream: name, events, expected }: Append, numbers: Map<string, number>): readonly FeedRow[] {
  const stream = numbers.get(name) ?? numbers.size
  numbers.set(name, stream)
  const from = typeof expected === 'number' ? expected + 1 : 0
  return events.map((event, index) => {
    const revision = from + index
    return { ...columnsOf(event), stream, name: revision === 0 ? name : undefined, revision }
  })
}

/** Inserts rows and does nothing else: the statements of the store, one transaction a call. */
export function createInserter(database: Database): (rows: readonly FeedRow[]) => void {
  const insertStream = database.prepare('INSERT INTO streams (name) VALUES (?)')
  const insertEvent = database.prepare(
    'INSERT INTO events (sid, rev, id, type, data, meta, created) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const sids: number[] = []
  return (rows) =>
    inTransaction(database, 'IMMEDIATE', () => {
      const created = Date.now()
      for (const { stream, name, revision, id, type, data, meta } of rows) {
        if (name !== undefined) sids[stream] = Number(insertStream.run(name).lastInsertRowid)
        insertEvent.run(sids[stream] ?? 0, revision, id, type, data, meta, created)
      }
    })
}
