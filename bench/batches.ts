import { join } from 'node:path'
import { parsedOrError } from '../adapters/json.ts'
import type { Database } from '../adapters/sqlite/database.ts'
import { createSqliteStore } from '../adapters/sqlite/index.ts'
import { openDatabase } from '../adapters/sqlite/open.ts'
import { call, otepIngest, type Storage } from '../engine/index.ts'
import { type Case, measured, type Prepared, type Settings } from './harness.ts'
import { contextOn, createInserter, type FeedRow, rowsOfFeed } from './rows.ts'
import { feedOf, steadyAfter } from './timelines.ts'

/** Events a call, and how many calls a round. */
const sizes = [
  { size: 1, calls: 400 },
  { size: 10, calls: 200 },
  { size: 100, calls: 50 },
  { size: 1000, calls: 6 },
]

interface Feed {
  readonly lines: readonly string[]
  readonly rows: readonly (readonly FeedRow[])[]
}

interface Plan {
  readonly size: number
  readonly calls: number
}

/** Two cases for each size of batch: the whole path of the engine, and the bare insertion of the same rows. */
export async function prepareBatches({ rounds, scale, directory, progress }: Settings): Promise<Prepared> {
  const plans = sizes.map(({ size, calls }) => ({ size, calls: Math.max(1, Math.round(calls * scale)) }))
  const most = Math.max(...plans.map(({ size, calls }) => size * calls))
  progress('preparing the feed')
  const lines = feedOf(steadyAfter + most * (rounds + 1))
  const feed = { lines, rows: await rowsOfFeed(lines) }
  const opened: { close(): unknown }[] = []
  const cases = plans.flatMap((plan) => {
    const [own, raw] = ['engine', 'raw'].map((kind) => openDatabase(join(directory, `${kind}-${plan.size}.db`))) as [
      Database,
      Database,
    ]
    const rawCase = rawInsert(raw, feed, plan)
    createInserter(own)(feed.rows.slice(0, steadyAfter).flat())
    own.close()
    const store = createSqliteStore({ file: join(directory, `engine-${plan.size}.db`), clock: Date.now })
    opened.push(raw, store)
    return [engine(store, feed, plan), rawCase]
  })
  const close = async () => {
    for (const one of opened) await one.close()
  }
  return { cases, notes: [noteOn(feed)], close }
}

function engine(store: Storage, { lines }: Feed, { size, calls }: Plan): Case {
  const context = contextOn(store)
  let at = steadyAfter
  return {
    name: `engine, ${eventsACall(size)}`,
    reference: `raw insert, ${eventsACall(size)}`,
    run: () => {
      const bodies = Array.from({ length: calls }, (_, index) => {
        const from = at + index * size
        return lines.slice(from, from + size).join('\n')
      })
      at += calls * size
      return measured(calls * size, async () => {
        for (const body of bodies) {
          const document = { lines: body.split('\n').map(parsedOrError) }
          const answer = await call(otepIngest, { ...context, requestId: context.randomId() }, { document })
          if ((answer.data as { readonly accepted: number }).accepted !== size)
            throw new Error('An event was not accepted.')
        }
      })
    },
  }
}

function rawInsert(database: Database, { rows }: Feed, { size, calls }: Plan): Case {
  const insert = createInserter(database)
  insert(rows.slice(0, steadyAfter).flat())
  let at = steadyAfter
  return {
    name: `raw insert, ${eventsACall(size)}`,
    run: () => {
      const batches = Array.from({ length: calls }, (_, index) => {
        const from = at + index * size
        return rows.slice(from, from + size).flat()
      })
      at += calls * size
      return measured(calls * size, () => batches.forEach(insert))
    },
  }
}

function eventsACall(size: number): string {
  return size === 1 ? '1 event a call' : `${size} events a call`
}

function noteOn({ lines, rows }: Feed): string {
  const perEvent = (total: number) => total / lines.length
  const all = rows.flat()
  const written = perEvent(all.length).toFixed(2)
  const streams = perEvent(all.filter(({ name }) => name !== undefined).length).toFixed(2)
  const bytes = Math.round(
    perEvent(all.reduce((sum, { data, meta }) => sum + Buffer.byteLength(data) + Buffer.byteLength(meta) + 16, 0)),
  )
  const sent = Math.round(perEvent(lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0)))
  return (
    `An event is ${sent} bytes of JSON; nine in ten continue a timeline, one begins one. The engine writes ${written} event rows ` +
    `and ${streams} stream rows for it (assignments of identifiers included), ${bytes} bytes of columns. Raw insert writes the ` +
    'same rows, ready made, to the same tables with the same pragmas (WAL, synchronous=FULL), one transaction a call.'
  )
}
