import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createParts } from '../adapters/engine.ts'
import { type Database, queryOn } from '../adapters/sqlite/database.ts'
import { createSqliteStore } from '../adapters/sqlite/facts/index.ts'
import { openDatabase } from '../adapters/sqlite/facts/open.ts'
import { type EventRow, eventColumns } from '../adapters/sqlite/facts/row.ts'
import { openModels } from '../adapters/sqlite/models/open.ts'
import {
  fold,
  type RecordedEvent,
  readTimeline,
  type StreamName,
  type Target,
  type Timeline,
  type TrackingEvent,
  timelineOf,
  tracking,
} from '../engine/index.ts'
import { parcel } from '../profiles/index.ts'
import { epcis } from '../projections/epcis/index.ts'
import { streamOf } from './facts.ts'
import { type Case, measured, type Prepared, type Settings, type Topic } from './harness.ts'
import { impersonal } from './impersonal.ts'
import { createRowsOf, writtenIn } from './rows.ts'
import { removeDatabase, writeStore } from './stores.ts'
import { timelineLength, wholeTimelines } from './timelines.ts'

/** Timelines that are in no cache, from their stored rows to bytes, without HTTP. */
export const cold: Topic = {
  name: 'rows',
  summary:
    'stored rows of timelines to bytes of EPCIS, and each part of the way, against JSON.stringify of the documents',
  unit: 'event',
  prepare,
}

const parcels = 500

const target: Target = { baseUrl: 'https://otep.example', options: {} }

async function prepare({ scale, directory, progress }: Settings): Promise<Prepared> {
  const count = Math.max(2, Math.round(parcels * scale))
  progress('writing stores')
  const lines = wholeTimelines(count)
  const plain = await openStore(join(directory, 'rows-plain.db'), impersonal(lines), count)
  const sealed = await openStore(join(directory, 'rows-sealed.db'), lines, count)
  const cases = [...(await casesOf(plain, '')), ...(await casesOf(sealed, ', sealed personal data'))]
  const close = async () => {
    await plain.close()
    await sealed.close()
  }
  return { cases, notes: [note], close }
}

/** A store with some timelines, and a separate connection to the same file. */
interface Opened {
  readonly parts: ReturnType<typeof createParts>
  /** The same with snapshots of all timelines. */
  readonly kept: ReturnType<typeof createParts>
  readonly database: Database
  readonly streams: readonly StreamName[]
  close(): Promise<void>
}

async function openStore(file: string, lines: readonly string[], count: number): Promise<Opened> {
  const [written] = await writtenIn([lines])
  const rowsOf = createRowsOf()
  writeStore(file, [written?.flatMap(rowsOf) ?? []])
  const store = createSqliteStore({ file, clock: Date.now })
  const parts = createParts({ store })
  const modelsFile = `${file}-models`
  const kept = createParts({ store, modelsFile: { file: modelsFile, name: 'bench' } })
  const streams = Array.from({ length: count }, (_, index) => streamOf(index))
  await keepAll(kept, modelsFile, streams)
  const database = openDatabase(file)
  const close = async () => {
    database.close()
    await Promise.all([parts.models.close(), kept.models.close()])
    await store.close()
    removeDatabase(file)
    removeDatabase(modelsFile)
  }
  return { parts, kept, database, streams, close }
}

/** Reads all timelines until their snapshots are in the file. */
async function keepAll(parts: Opened['parts'], file: string, streams: readonly StreamName[]): Promise<void> {
  const readAll = async () => {
    for (const stream of streams) await readTimeline(parts, stream)
    await setTimeout(200)
  }
  await readAll()
  const database = openModels(file)
  const kept = database.prepare('SELECT count(*) AS count FROM snapshots')
  // There is not room for all of very many at once.
  while ((kept.get() as { readonly count: number }).count < streams.length) await readAll()
  database.close()
}

/** The whole path, its parts, and the ceiling: ready documents to bytes. */
async function casesOf({ parts, kept, database, streams }: Opened, kind: string): Promise<readonly Case[]> {
  const reference = `ready${kind}`
  const rowsIn = queryOn<EventRow>(database, select)
  const texts = streams.map((stream) => rowsIn(stream).flatMap((row) => [row[4], row[5]]))
  const histories = await Promise.all(streams.map((stream) => parts.store.read(stream)))
  const timelines = histories.map(foldedTimeline)
  const documents = timelines.map((timeline) => epcis.project(timeline, target))
  const caseOf = <Item>(name: string, items: readonly Item[], work: (item: Item) => unknown): Case => ({
    name: `${name}${kind}`,
    reference,
    run: () => measured(items.length * timelineLength, () => each(items, work)),
  })
  const { run, name } = caseOf('ready', documents, (document) => Buffer.from(JSON.stringify(document)))
  return [
    caseOf('rows', streams, async (stream) => inBytes((await readTimeline(parts, stream)).timeline)),
    caseOf('from its snapshot', streams, async (stream) => inBytes((await readTimeline(kept, stream)).timeline)),
    caseOf('the rows by the bare query', streams, (stream) => rowsIn(stream)),
    caseOf('JSON.parse of the rows', texts, (some) => some.map((text) => JSON.parse(text) as unknown)),
    caseOf("read by the store's port", streams, (stream) => parts.store.read(stream)),
    caseOf('fold and timeline', histories, foldedTimeline),
    caseOf('write', timelines, inBytes),
    { name, run },
  ]
}

const select = `SELECT ${eventColumns} FROM streams s JOIN events e USING (sid) WHERE s.name = ? ORDER BY e.rev`

function foldedTimeline(history: readonly RecordedEvent[]): Timeline {
  return timelineOf(fold(tracking, history as readonly RecordedEvent<TrackingEvent>[]), parcel)
}

function inBytes(timeline: Timeline): Uint8Array {
  return Buffer.from(epcis.write(timeline, target))
}

async function each<Item>(items: readonly Item[], work: (item: Item) => unknown): Promise<void> {
  for (const item of items) {
    const made = work(item)
    if ((made instanceof Promise ? await made : made) === undefined) throw new Error('A case has made nothing.')
  }
}

const note =
  'Timelines of ten events in a store of SQLite whose pages are in memory. "rows" reads a stream through the port of the ' +
  'store, folds it and writes the EPCIS document; "from its snapshot" opens the state that an earlier read has kept; "ready" is JSON.stringify of that document, which is there already, and ' +
  'bytes of it. The parts: the rows of the stream by the statement of the store; JSON.parse of their data and metadata; ' +
  'both together, as events, through the port; the fold to a timeline; the document. Nothing of these timelines is about ' +
  'people; in the second half every event has words, which are sealed, and opened with AES-256-GCM one by one.'
