import { examples } from '../conformance/judges/epcis/files.ts'
import { isObject, type Target } from '../engine/index.ts'
import { epcis } from '../projections/epcis/index.ts'
import { takeApart } from '../projections/epcis/parse/document.ts'
import { checkEpcis, judgeEpcis, parseEpcis } from '../projections/epcis/parse/index.ts'
import { timelinesOfTen } from './formats/samples.ts'
import { type Case, measured, type Topic } from './harness.ts'
import { ajvPeer, epcis2Peer } from './peers/validation.ts'

/** EPCIS documents in JSON, from the value to the result of the check, and to events. */
export const validation: Topic = {
  name: 'validation',
  summary: 'EPCIS documents in JSON, from the value to the verdict whether they are valid, and to events',
  unit: 'event',
  prepare: async ({ scale, peer }) => {
    const sets = [await ownDocuments(), ...officialExamples()]
    const ajv = ajvPeer(peer, true)
    const others = { 'ajv, formats off': ajvPeer(peer, false), 'epcis2.js': epcis2Peer(peer) }
    const cases = sets.flatMap((set) => casesOf(set, eventsARun * scale, { ajv, ...others }))
    return {
      cases,
      notes: [...sets.map(noteOn), verdicts, ...(ajv === undefined ? [absent] : [])],
      close: async () => {},
    }
  },
}

/** Few enough documents to stay in the cache of a processor, like a document that has just been parsed. */
const documentsARun = 20

const eventsARun = 20_000

const target: Target = { baseUrl: 'https://otep.example', options: {} }

const verdicts =
  'The verdict refuses whatever the official schema refuses, and more: URIs of undeclared prefixes, wrong check digits, ids of ' +
  'events that occur twice, and members of extensions that JSON-LD would drop. The check also ' +
  'computes the hash of each event whose id claims to be one, as no schema can. Documents were parsed before, and are valid.'

const absent =
  'ajv was left out: it is not installed, or the official schema does not lie at hand (OTEP_STANDARDS_DIR).'

interface Documents {
  readonly name: string
  readonly events: number
  readonly texts: readonly string[]
  readonly values: readonly object[]
}

async function ownDocuments(): Promise<Documents> {
  const timelines = await timelinesOfTen(documentsARun)
  return documentsOf(
    'own documents',
    timelines.map((timeline) => JSON.stringify(epcis.project(timeline, target))),
  )
}

/** GS1's own examples, if they are available. */
function officialExamples(): readonly Documents[] {
  const inJson = (examples().here ?? []).filter(({ name }) => name.endsWith('.jsonld'))
  const texts = inJson.map(({ text }) => JSON.stringify(JSON.parse(text)))
  return texts.length === 0 ? [] : [documentsOf('official examples', texts)]
}

function documentsOf(name: string, texts: readonly string[]): Documents {
  const values = texts.map((text) => JSON.parse(text) as object)
  return { name, events: values.reduce((sum, value) => sum + takeApart(value).events.length, 0), texts, values }
}

/** Peers by name; undefined if one cannot be measured. */
type Peers = Readonly<Record<string, ((document: object) => boolean) | undefined>>

function casesOf({ name, events, texts, values }: Documents, units: number, peers: Peers): readonly Case[] {
  const passes = Math.max(1, Math.round(units / events))
  const run =
    <Item>(items: readonly Item[], isRight: (item: Item) => boolean) =>
    () =>
      measured(events * passes, () => {
        for (let pass = 0; pass < passes; pass++) {
          if (!items.every(isRight)) throw new Error('A valid document was refused.')
        }
      })
  const others = Object.entries(peers).flatMap(([peer, isValid]): readonly Case[] =>
    isValid === undefined ? [] : [{ name: `${peer}, ${name}`, run: run(values, isValid) }],
  )
  const parsing = { name: `JSON.parse, ${name}`, run: run(texts, (text) => isObject(JSON.parse(text))) }
  return [
    {
      name: `our verdict, ${name}`,
      reference: [...others, parsing].map((other) => other.name),
      run: run(values, (document) => judgeEpcis(document).refusing.length === 0),
    },
    {
      name: `our check, ${name}`,
      reference: [...others, parsing].map((other) => other.name),
      run: run(values, (document) => checkEpcis(document).refusing.length === 0),
    },
    ...others,
    { name: `check and read, ${name}`, reference: parsing.name, run: run(values, isRead) },
    parsing,
  ]
}

function isRead(document: object): boolean {
  return parseEpcis(document, target).every(({ findings }) => findings === undefined)
}

function noteOn({ name, events, texts }: Documents): string {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  return `${texts.length} ${name} with ${events} events, ${Math.round(bytes / events)} bytes of JSON each.`
}
