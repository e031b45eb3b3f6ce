import { createCipheriv, createSecretKey, randomBytes } from 'node:crypto'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { parsedOrError } from '../adapters/http/json.ts'
import type { Database } from '../adapters/sqlite/database.ts'
import { createSqliteStore } from '../adapters/sqlite/facts/index.ts'
import { openDatabase } from '../adapters/sqlite/facts/open.ts'
import { call, otepIngest, type Storage } from '../engine/index.ts'
import { type Case, measured, type Prepared, type Settings } from './harness.ts'
import { contextOn, createInserter, createRowsOf, type FeedRow, writtenIn } from './rows.ts'
import { writeStore } from './stores.ts'
import { feedOf, steadyAfter } from './timelines.ts'

/** Events a call, and how many calls a round: enough that the round that does not count compiles the whole path. */
const sizes = [
  { size: 1, calls: 2000 },
  { size: 10, calls: 400 },
  { size: 100, calls: 50 },
  { size: 1000, calls: 6 },
]

/** A feed in its steady state, and the events before it. */
interface Feed {
  readonly lines: readonly string[]
  readonly rows: readonly (readonly FeedRow[])[]
  readonly past: readonly FeedRow[]
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
  const feed = await writtenFeed(most * (rounds + 1))
  const opened: { close(): unknown }[] = []
  const begun = join(directory, 'begun.db')
  writeStore(begun, [feed.past])
  const cases = plans.flatMap((plan) => {
    const fileOf = (kind: string) => join(directory, `${kind}-${plan.size}.db`)
    copyFileSync(begun, fileOf('engine'))
    const store = createSqliteStore({ file: fileOf('engine'), clock: Date.now })
    const [raw, least] = [openDatabase(fileOf('raw')), openDatabase(fileOf('least'))]
    opened.push(store, raw, least)
    return [engine(store, feed, plan), leastWork(least, feed, plan), rawInsert(raw, feed, plan)]
  })
  const close = async () => {
    for (const one of opened) await one.close()
  }
  return { cases, notes: [noteOn(feed)], close }
}

async function writtenFeed(count: number): Promise<Feed> {
  const all = feedOf(steadyAfter + count)
  const lines = all.slice(steadyAfter)
  const [past, ...written] = await writtenIn([all.slice(0, steadyAfter), ...lines.map((line) => [line])])
  const rowsOf = createRowsOf()
  return {
    past: past?.flatMap(rowsOf) ?? [],
    lines,
    rows: written.map((appends) => appends.flatMap(rowsOf)),
  }
}

function engine(store: Storage, { lines }: Feed, { size, calls }: Plan): Case {
  const context = contextOn(store)
  let at = 0
  return {
    name: `engine, ${eventsACall(size)}`,
    reference: [leastOf(size), `raw insert, ${eventsACall(size)}`],
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

/** What cannot be left out: the lines are parsed, their bytes are sealed, and the same rows are inserted. */
function leastWork(database: Database, { rows, past, lines }: Feed, { size, calls }: Plan): Case {
  const insert = createInserter(database)
  insert(past)
  let at = 0
  return {
    name: leastOf(size),
    run: () => {
      const batches = Array.from({ length: calls }, (_, index) => {
        const from = at + index * size
        return { body: lines.slice(from, from + size).join('\n'), rows: rows.slice(from, from + size).flat() }
      })
      at += calls * size
      return measured(calls * size, () => {
        for (const batch of batches) {
          for (const line of batch.body.split('\n')) {
            if (parsedOrError(line) instanceof Error) throw new Error('A line is no JSON.')
            sealed(line)
          }
          insert(batch.rows)
        }
      })
    },
  }
}

const key = createSecretKey(randomBytes(32))

function sealed(text: string): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, randomBytes(12))
  return Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

function leastOf(size: number): string {
  return `parse, AES and raw insert, ${eventsACall(size)}`
}

function rawInsert(database: Database, { rows, past }: Feed, { size, calls }: Plan): Case {
  const insert = createInserter(database)
  insert(past)
  let at = 0
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
    `and ${streams} stream rows for it (assignments of identifiers included), ${bytes} bytes of columns, and the key of ` +
    'personal data of each new parcel. Raw insert writes the same rows, ready made, to the same tables with the same pragmas (WAL, synchronous=FULL), one transaction a call; with ' +
    '"parse, AES" the lines are parsed and the bytes of each are sealed (AES-256-GCM) before that. The engine holds timelines of 40,000 events in memory, and so ' +
    'all that this feed goes on with; one that is not held is read from the store first.'
  )
}
