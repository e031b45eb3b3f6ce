import { join } from 'node:path'
import { type Database, queryOn } from '../adapters/sqlite/database.ts'
import { createSqliteStore } from '../adapters/sqlite/facts/index.ts'
import { openDatabase } from '../adapters/sqlite/facts/open.ts'
import { inTransaction } from '../adapters/sqlite/transaction.ts'
import { documentOf, epcOf, eventAt, eventsFrom, eventsOfThing, openEpcis } from './epcis-server.ts'
import { type Case, measured, type Prepared, type Settings, type Topic } from './harness.ts'
import { removeDatabase } from './stores.ts'

/** Queries for captured EPCIS events. */
export const queries: Topic = {
  name: 'queries',
  summary: 'queries for captured EPCIS events at /epcis/events, against a raw indexed query of ready texts',
  unit: 'read',
  prepare,
}

/** Events in the store; a million take minutes to be captured, and `--scale 100` has them. */
const eventsInStore = 10_000

const eventsADocument = 1_000

const queriesARound = 150

/** The events of a page: one thing has ten, and a step has half of all. */
const perPage = 30

async function prepare({ scale, directory, progress }: Settings): Promise<Prepared> {
  const things = Math.max(1, Math.round((eventsInStore * scale) / eventsOfThing))
  const count = things * eventsOfThing
  const files = ['store', 'models', 'raw'].map((kind) => join(directory, `queries-${kind}.db`))
  const [file = '', models = '', raw = ''] = files
  progress(`capturing ${count.toLocaleString('en')} events`)
  const store = createSqliteStore({ file, clock: Date.now })
  const server = await openEpcis(store, models)
  for (let from = 0; from < count; from += eventsADocument)
    await server.capture(documentOf(eventsFrom(from, Math.min(eventsADocument, count - from), things)))
  await server.settle()
  const database = openDatabase(raw)
  writeByHand(database, count, things)
  const select = queryOn<[body: string]>(
    database,
    'SELECT e.body FROM terms t JOIN captured e USING (number) WHERE t.term = ? ORDER BY t.number DESC LIMIT ?',
  )
  const rounds = Math.max(1, Math.round(Math.min(queriesARound, queriesARound * scale)))
  const byHand = (term: string) => `[${select(term, perPage).flat().join(',')}]`
  const running = (query: (index: number) => Promise<string> | string): Case['run'] => {
    let asked = 0
    return () =>
      measured(rounds, async () => {
        for (let one = 0; one < rounds; one++) await query(asked++)
      })
  }
  const thing = (index: number) => epcOf((index * 7_919) % things)
  const step = (index: number) => (index % 2 === 0 ? 'departing' : 'arriving')
  const askThing = (index: number) => server.query(`/events?MATCH_epc=${encodeURIComponent(thing(index))}`)
  const askStep = (index: number) => server.query(`/events?EQ_bizStep=${step(index)}&perPage=${perPage}`)
  compare(await askThing(1), byHand(thing(1)), Math.min(eventsOfThing, perPage))
  compare(await askStep(1), byHand(step(1)), Math.min(perPage, count / 2))
  const [ofThing, ofStep] = ['raw indexed query, the events of a thing', 'raw indexed query, a page of a step']
  const cases = [
    { name: 'engine, the events of a thing', reference: ofThing, run: running(askThing) },
    { name: ofThing, run: running((index) => byHand(thing(index))) },
    { name: 'engine, a page of a step', reference: ofStep, run: running(askStep) },
    { name: ofStep, run: running((index) => byHand(step(index))) },
  ]
  const close = async () => {
    await server.close()
    await store.close()
    database.close()
    for (const one of files) removeDatabase(one)
  }
  return { cases, notes: [noteOn(count)], close }
}

/** A table of the same events as ready texts, and one of what they are found by. */
function writeByHand(database: Database, count: number, things: number): void {
  database.exec('CREATE TABLE captured (number INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT')
  database.exec('CREATE TABLE terms (term TEXT, number INTEGER, PRIMARY KEY (term, number)) STRICT, WITHOUT ROWID')
  const insert = database.prepare('INSERT INTO captured VALUES (?, ?)')
  const insertTerm = database.prepare('INSERT INTO terms VALUES (?, ?)')
  inTransaction(database, 'IMMEDIATE', () => {
    for (let number = 0; number < count; number++) {
      insert.run(number, JSON.stringify(eventAt(number, things)))
      for (const term of [epcOf(number % things), number % 2 === 0 ? 'departing' : 'arriving'])
        insertTerm.run(term, number)
    }
  })
}

/** Both answers have the same events. */
function compare(answer: string, byHand: string, count: number): void {
  const { epcisBody } = JSON.parse(answer)
  const found = epcisBody.queryResults.resultsBody.eventList as readonly object[]
  if (found.length !== count) throw new Error(`The query answers ${found.length} events and not ${count}.`)
  if (JSON.stringify(found) !== byHand) throw new Error('The raw query answers other events.')
}

function noteOn(count: number): string {
  return (
    `The store has ${count.toLocaleString('en')} captured events, ${eventsOfThing} of each thing; \`--scale 100\` measures a ` +
    `million, whose capture takes minutes. A page has at most ${perPage} events, the newest first. The engine is called ` +
    'without a socket: it parses the query, asks the read model by a keyed hash, reads and deciphers each event from its own ' +
    'stream, and writes the document. The raw query joins the ready texts of the same events by an index, in plain text.'
  )
}
