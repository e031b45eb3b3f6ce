import { join } from 'node:path'
import { createSqliteStore } from '../adapters/sqlite/facts/index.ts'
import { openDatabase } from '../adapters/sqlite/facts/open.ts'
import { type Append, createMemoryStore } from '../engine/index.ts'
import { documentOf, eventsFrom, openEpcis } from './epcis-server.ts'
import { type Case, measured, type Prepared, type Settings, type Topic } from './harness.ts'
import { createInserter, createRowsOf, type FeedRow } from './rows.ts'
import { removeDatabase } from './stores.ts'

const maxRounds = 2

/** Capture of EPCIS. */
export const capture: Topic = {
  name: 'capture',
  summary: 'durable capture of EPCIS at /epcis by events a document, against JSON.parse and insertion of the same rows',
  unit: 'event',
  maxRounds,
  prepare,
}

/** Events a document, and documents a round. */
const sizes = [
  { size: 1, documents: 100 },
  { size: 100, documents: 5 },
  { size: 5_000, documents: 1 },
]

interface Plan {
  readonly size: number
  readonly documents: number
}

async function prepare({ rounds, scale, directory, progress }: Settings): Promise<Prepared> {
  const opened: { close(): Promise<void> }[] = []
  const cases: Case[] = []
  for (const { size, documents } of sizes) {
    const plan = { size: Math.max(1, Math.round(size * scale)), documents: Math.max(1, Math.round(documents * scale)) }
    progress(`documents of ${size}`)
    const texts = textsOf(plan, (Math.min(rounds, maxRounds) + 1) * plan.documents)
    const files = ['engine', 'models', 'raw'].map((kind) => join(directory, `capture-${kind}-${size}.db`))
    const [file = '', models = '', raw = ''] = files
    const store = createSqliteStore({ file, clock: Date.now })
    const server = await openEpcis(store, models)
    const database = openDatabase(raw)
    const name = size === 1 ? '1 event a document' : `${size.toLocaleString('en')} events a document`
    const reference = `JSON.parse and raw insert, ${name}`
    const insert = createInserter(database)
    cases.push(
      { name: `engine, ${name}`, reference, run: inParts(plan, texts, (text) => server.capture(text)) },
      {
        name: reference,
        run: inParts(plan, await writtenFor(texts), ({ text, rows }) => {
          JSON.parse(text)
          insert(rows)
        }),
      },
    )
    opened.push({
      close: async () => {
        await server.close()
        await store.close()
        database.close()
        for (const one of files) removeDatabase(one)
      },
    })
  }
  const close = async () => {
    for (const one of opened) await one.close()
  }
  return { cases, notes: [note], close }
}

/** Documents whose things are all new. */
function textsOf({ size }: Plan, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => documentOf(eventsFrom(index * size, size, count * size)))
}

/** Works on the next documents of a round in each run. */
function inParts<Item>(
  { size, documents }: Plan,
  items: readonly Item[],
  work: (item: Item) => Promise<void> | void,
): Case['run'] {
  let at = 0
  return () => {
    const part = items.slice(at, at + documents)
    at += documents
    return measured(size * documents, async () => {
      for (const item of part) await work(item)
    })
  }
}

/** The rows that the engine writes for each document, recorded from the engine itself. */
async function writtenFor(texts: readonly string[]) {
  const memory = createMemoryStore(Date.now)
  let appends: Append[] = []
  const appendMany: typeof memory.appendMany = (some) => {
    appends.push(...some)
    return memory.appendMany(some)
  }
  const append: typeof memory.append = (stream, events, expected) => {
    appends.push({ stream, events, expected })
    return memory.append(stream, events, expected)
  }
  const server = await openEpcis({ ...memory, append, appendMany }, ':memory:')
  const rowsOf = createRowsOf()
  const written: { readonly text: string; readonly rows: readonly FeedRow[] }[] = []
  for (const text of texts) {
    await server.capture(text)
    written.push({ text, rows: appends.flatMap(rowsOf) })
    appends = []
  }
  await server.close()
  return written
}

const note =
  'Each event names one new thing and has a step, a place, an order and a sensor reading. The engine checks it, records it ' +
  'in the timeline of the thing, keeps it sealed as it came, and makes it findable in the read model; it is called ' +
  'without a socket. Its rows are those of all these streams. The reference parses the same text with JSON.parse and ' +
  'writes the same rows, ready made, one transaction a document; of the keys of personal data and of the read model, it ' +
  'writes none.'
