import { join } from 'node:path'
import { type Database, queryOn } from '../adapters/sqlite/database.ts'
import { createSqliteStore } from '../adapters/sqlite/facts/index.ts'
import { openDatabase } from '../adapters/sqlite/facts/open.ts'
import { columnsOf, type EventColumns, type EventRow, eventColumns, sumOf } from '../adapters/sqlite/facts/row.ts'
import type { Append, EventStore } from '../engine/index.ts'
import { appendsOfParcel, streamOf, timelineIn } from './facts.ts'
import { type Case, measured, type Prepared, type Settings, type Topic } from './harness.ts'
import type { FeedRow } from './rows.ts'
import { removeDatabase, writeStore } from './stores.ts'
import { timelineLength } from './timelines.ts'

/** Reads of single streams in a growing store. */
export const streams: Topic = {
  name: 'streams',
  summary: 'reads of streams of 10 events among ever more streams, against a raw query of the same rows',
  unit: 'read',
  prepare,
}

const readsARound = 3_000

/** The number of streams; the streams at this interval have ten events and are read, the others have one. */
interface Size {
  readonly count: number
  readonly every: number
}

const sizes: readonly Size[] = [
  { count: 10_000, every: 1 },
  { count: 100_000, every: 1 },
  { count: 1_000_000, every: 100 },
]

async function prepare({ scale, directory, progress }: Settings): Promise<Prepared> {
  const appends = await appendsOfParcel()
  const reads = Math.round(readsARound * scale)
  const scaled = sizes.map(({ count, every }) => ({ count: Math.round(count * scale), every }))
  const [smallest] = scaled.map(amountOf)
  const opened: { close(): unknown }[] = []
  const files = scaled.map((_, index) => join(directory, `streams-${index}.db`))
  const cases = scaled.flatMap((size, index): readonly Case[] => {
    const amount = amountOf(size)
    const file = files[index] as string
    progress(`writing ${amount}`)
    writeStore(file, passesOf(size, appends))
    const store = createSqliteStore({ file, clock: Date.now })
    const database = openDatabase(file)
    opened.push(store, database)
    const raw = `raw query and JSON.parse, ${amount}`
    const reference = amount === smallest ? raw : [raw, `store, ${smallest}`]
    return [
      { name: `store, ${amount}`, reference, run: readings(size, reads, storeRead(store)) },
      { name: raw, run: readings(size, reads, rawRead(database)) },
    ]
  })
  const close = async () => {
    for (const one of opened) await one.close()
    files.forEach(removeDatabase)
  }
  return { cases, notes: [note], close }
}

function amountOf({ count }: Size): string {
  return `${count.toLocaleString('en')} streams`
}

/** Reads streams in random order, different ones in each round, and the same ones in the same round. */
function readings({ count, every }: Size, reads: number, read: (stream: string) => Promise<number>): Case['run'] {
  let from = 0
  return () => {
    const names = Array.from({ length: reads }, (_, index) => {
      const chosen = scattered(from + index) % Math.ceil(count / every)
      return streamOf(chosen * every)
    })
    from += reads
    return measured(reads, async () => {
      for (const name of names) {
        if ((await read(name)) !== timelineLength) throw new Error(`${name} has not ${timelineLength} events.`)
      }
    })
  }
}

function storeRead(store: EventStore): (stream: string) => Promise<number> {
  return async (stream) => (await store.read(stream as `${string}-${string}`)).length
}

/** The statement of the store and the parsing of its columns, without the port. */
function rawRead(database: Database): (stream: string) => Promise<number> {
  const select = queryOn<EventRow>(
    database,
    `SELECT ${eventColumns} FROM streams s JOIN events e USING (sid) WHERE s.name = ? ORDER BY e.rev`,
  )
  return async (stream) =>
    select(stream).map(([, , , , data, meta]) => [JSON.parse(data) as unknown, JSON.parse(meta) as unknown]).length
}

/** The rows of a size in ten passes, so that the events of a stream are far apart. */
function* passesOf(size: Size, appends: readonly Append[]): Iterable<Iterable<FeedRow>> {
  const whole = timelineIn(appends).map(columnsOf)
  const [short = whole[0]] = appends.flatMap(({ events }) => events).map(columnsOf)
  for (const [pass, columns] of whole.entries()) yield rowsOfPass(size, pass, columns, short as EventColumns)
}

/** A stream that is read gets an event in each pass; of the others, every tenth is begun. */
function* rowsOfPass(
  { count, every }: Size,
  pass: number,
  whole: EventColumns,
  short: EventColumns,
): Iterable<FeedRow> {
  const created = Date.now()
  for (let stream = 0; stream < count; stream++) {
    const isRead = stream % every === 0
    if (!isRead && stream % timelineLength !== pass) continue
    const revision = isRead ? pass : 0
    const name = revision === 0 ? streamOf(stream) : undefined
    const columns = isRead ? whole : short
    yield { ...columns, stream, name, revision, created, sum: sumOf(streamOf(stream), revision, created, columns) }
  }
}

/** A pseudo-random 32-bit number derived from another (the last steps of MurmurHash3). */
function scattered(number: number): number {
  let mixed = Math.imul(number ^ (number >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

const note =
  'Every stream that is read has 10 events, written far apart from each other; streams are read in no order, and others ' +
  'in each round. Among 10,000 and 100,000 streams all are like this; among 1,000,000 every hundredth, and the others ' +
  'have one short event. The raw query is the statement of the store with JSON.parse of data and metadata, on a ' +
  'connection of its own to the same file. The stores take about 1 GiB.'
