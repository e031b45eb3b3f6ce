import { extname } from 'node:path'
import { createApp, createParts } from '../adapters/main.ts'
import { addProvider, call, createMemoryStore, en, isEngineError, isObject } from '../engine/index.ts'
import { parseEpcis } from '../projections/epcis/parse/index.ts'
import { eventsInCanonicalForm } from './epcis-canonical.ts'
import { type Example, examples } from './judges/epcis/files.ts'
import { jsonSchemaJudge } from './judges/epcis/json-schema.ts'
import { shaclJudge } from './judges/epcis/shacl.ts'
import { xsd } from './judges/epcis/xsd.ts'
import type { FaultsIn } from './judges/judge.ts'
import { madeOf, together } from './judges/official.ts'

/** What the reader and the official judges say of one document that comes in. */
interface Entry {
  /** Its path in the folder of the set. */
  readonly document: string
  /** What the judges of its binding refuse. */
  readonly judges: readonly string[]
  /** Why the reader refuses it, by code and path. */
  readonly reader: readonly string[]
  /** How many events it has, and how many of them are taken. */
  readonly events: number
  readonly taken: number
  /** How many of them a server gives back equal, in canonical form and their own binding. */
  readonly equal: number
}

/** A set of official documents. */
export interface DocumentSet {
  readonly name: string
  readonly entries: readonly Entry[]
}

/** The official judges of documents in JSON and in both versions of XML, which look at the text alone. */
type Judges = Readonly<Record<'schema' | 'shapes' | 'xsd1' | 'xsd2', FaultsIn<{ readonly text: string }>>>

const judges = together<Judges>({
  ...{ schema: jsonSchemaJudge.open, shapes: shaclJudge.open },
  ...{ xsd1: xsd['1'], xsd2: xsd['2'] },
})

/** Reads the sets of official documents, and answers what is said of each document. */
export const documentsIn = madeOf(
  together({ examples, judges }),
  ({ examples, judges }) =>
    async (): Promise<readonly DocumentSet[]> => {
      const sets: DocumentSet[] = []
      for (const [set, ...extensions] of [
        ['EPCIS JSON-LD', '.json', '.jsonld'],
        ['EPCIS XML', '.xml'],
      ] as const) {
        const entries: Entry[] = []
        for (const example of examples.filter(({ name }) => extensions.some((one) => extname(name) === one)))
          entries.push(await entryOf(example, judges))
        sets.push({ name: set, entries })
      }
      return sets
    },
)

async function entryOf(example: Example, { schema, shapes, xsd1, xsd2 }: Judges): Promise<Entry> {
  const text = example.text.replace(/^\uFEFF/, '')
  const isXml = extname(example.name) === '.xml'
  const byXsd = /epcis(?:-query)?:xsd:1"/.test(text) ? xsd1 : xsd2
  const judges = isXml ? await byXsd({ text }) : [...(await schema({ text })), ...(await shapes({ text }))]
  const reading = readingOf(isXml ? text : JSON.parse(text))
  return { document: example.name, judges, ...reading, equal: reading.taken === 0 ? 0 : await givenBack(text, isXml) }
}

/** How many events of a document are in the answer of a server that has only this document. */
async function givenBack(text: string, isXml: boolean): Promise<number> {
  const options = { store: createMemoryStore(Date.now), clock: Date.now }
  const parts = createParts(options)
  const app = createApp({ ...options, parts })
  const caller = { kind: 'operator', name: 'conformance', scopes: ['providers:write'] } as const
  const context = { ...parts, caller, messages: en, requestId: 'conformance' }
  const { key } = await call(addProvider, context, { name: 'partner', all_businesses: true })
  const Authorization = `Bearer ${key}`
  const type = isXml ? 'application/xml' : 'application/json'
  const headers = { Authorization, 'Content-Type': type }
  await app.request('/api/v1/otep/ingest/epcis', { method: 'POST', headers, body: text })
  const answer = await app.request('/epcis/events?perPage=1000', { headers: { Authorization, Accept: type } })
  const back = new Set(eventsInCanonicalForm(await answer.text()))
  return eventsInCanonicalForm(text).filter((event) => back.has(event)).length
}

const target = { baseUrl: 'https://api.example', options: {} }

function readingOf(document: unknown): Pick<Entry, 'reader' | 'events' | 'taken'> {
  try {
    const readings = parseEpcis(document, target)
    const refused = readings.filter(({ findings = [] }) => findings.length > 0)
    const events = new Set(readings.map(({ path }) => path).filter((path) => path !== '' || isEvent(document)))
    return {
      reader: refused.flatMap(({ findings = [] }) => findings.map(({ code, path }) => `${code} ${path}`)),
      events: events.size,
      taken: events.size - new Set(refused.map(({ path }) => path)).size,
    }
  } catch (error) {
    if (isEngineError(error)) return { reader: [error.code], events: 0, taken: 0 }
    throw error
  }
}

function isEvent(document: unknown): boolean {
  return isObject(document) ? Object.hasOwn(document, 'eventTime') : /<(?:\w+:)?\w+Event[\s>]/.test(String(document))
}

/** Whether the reader takes what the judges accept, and gives it back. */
export function isRight({ judges, reader, events, equal }: Entry): boolean {
  return judges.length > 0 || (reader.length === 0 && equal === events)
}

/** The table of the sets, and the reason for each document that is refused. */
export function tableOfSets(sets: readonly DocumentSet[]): string {
  const lines = sets.map(({ name, entries }) => {
    const valid = entries.filter(({ judges }) => judges.length === 0)
    const taken = valid.filter(({ reader }) => reader.length === 0)
    const events = valid.reduce((sum, entry) => sum + entry.events, 0)
    const eventsTaken = valid.reduce((sum, entry) => sum + entry.taken, 0)
    const equal = valid.reduce((sum, entry) => sum + entry.equal, 0)
    const others = entries.length - valid.length
    const rest = others === 0 ? '' : `; the judges refuse ${others}, the reader ${refusedAmong(entries)} of these`
    return `${name.padEnd(14)}  taken ${taken.length} of ${valid.length} valid documents, ${eventsTaken} of ${events} events; given back equal ${equal} of ${eventsTaken}${rest}`
  })
  const refused = sets.flatMap(({ entries }) =>
    entries
      .filter(({ reader }) => reader.length > 0)
      .map(({ document, judges, reader }) => {
        const by = judges.length === 0 ? 'refused though the judges accept it' : 'refused, as by the judges'
        return `  ${document}: ${by}: ${reader[0]}`
      }),
  )
  const changed = sets.flatMap(({ entries }) =>
    entries
      .filter(({ taken, equal }) => equal < taken)
      .map(({ document, taken, equal }) => `  ${document}: ${taken - equal} of ${taken} events given back otherwise`),
  )
  return ['documents in', ...lines, ...refused, ...changed].join('\n')
}

function refusedAmong(entries: readonly Entry[]): number {
  return entries.filter(({ judges, reader }) => judges.length > 0 && reader.length > 0).length
}
