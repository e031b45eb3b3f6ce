/// <reference path="../bench/peers/epcis2.d.ts" />
import { isDeepStrictEqual } from 'node:util'
import epcis2 from 'epcis2.js'
import fc from 'fast-check'
import t from 'tap'
import { hashIdOf } from '../projections/epcis/event-hash.ts'
import { epcis } from '../projections/epcis/index.ts'
import { gs1Prefixes } from '../projections/epcis/parse/context.ts'
import { hashEpcis } from '../projections/epcis/parse/hashes.ts'
import { changes, mutated, pathsOf } from '../projections/epcis/parse/mutated.test.fixture.ts'
import { projections } from '../projections/index.ts'
import type { XmlElement } from '../projections/shared/xml.ts'
import { documentsIn, isRight, tableOfSets } from './documents-in.ts'
import { documentOf, eventsBySchema, eventTypes as jsonTypes } from './epcis-judged/json-events.ts'
import { differenceIn, verdictsOnJson, verdictsOnXml } from './epcis-judged/verdicts.ts'
import { eventsByXsd, xmlOf, eventTypes as xmlTypes } from './epcis-judged/xml-events.ts'
import { testWith } from './judges/official.test.fixture.ts'
import { exhibitedTimelines } from './judges/trial.ts'
import { documentsOf } from './suites/projection/documents.ts'

/** How many documents of each type are made; the nightly run makes more. */
const runs = Number(process.env.OTEP_JUDGED_RUNS ?? 30)

const inJson = { eventsBySchema, verdictsOnJson }

for (const type of jsonTypes) {
  testWith(
    t,
    inJson,
    `given ${type}s made from the JSON Schema, when the judges accept one, then so does the reader`,
    async (t, { eventsBySchema, verdictsOnJson }) => {
      const seen = { valid: 0, refused: 0 }
      await fc.assert(
        fc.asyncProperty(eventsBySchema(type), async (event) => {
          const verdicts = await verdictsOnJson(documentOf([event]))
          seen[verdicts.judges.length === 0 ? 'valid' : 'refused']++
          const difference = differenceIn(verdicts, 'json')
          if (difference !== undefined) throw new Error(difference)
        }),
        { numRuns: runs, endOnFailure: true },
      )
      t.ok(seen.valid > runs / 10, JSON.stringify(seen))
    },
  )
}

const wrong = fc.constantFrom<unknown>(
  ...[
    null,
    true,
    7,
    '',
    'x',
    'urn:a:b',
    'ex:x',
    'no:x',
    'OBSERVE',
    'ADD',
    'shipping',
    'urn:uuid:1',
    [],
    {},
    ['x'],
    [{}],
  ],
  ...['2020-02-30T00:00:00Z', '2020-01-01 00:00:00z', '2016-12-31T23:59:60Z', '+14:00', '1.2', 'a:b%zz', 'urn:', '_:b'],
  ...['ObjectEvent', 'TransformationEvent', 'ex:Type', 'epcList', 'ilmd', 'urn:epcglobal:cbv:bizstep:shipping'],
  ...['cbv:BizStep-shipping', 'https://gs1.org/voc/Temperature', { set: ['x'] }, { 'ex:a': { b: 1 } }, { id: 'x' }],
)

testWith(
  t,
  inJson,
  'given JSON documents that were changed anywhere, when they are judged, then the verdicts agree',
  async (t, { eventsBySchema, verdictsOnJson }) => {
    const seen = { valid: 0, refused: 0 }
    const valid = fc.oneof(...jsonTypes.map(eventsBySchema)).map((event) => documentOf([event]))
    await fc.assert(
      fc.asyncProperty(
        valid,
        fc.nat(),
        fc.constantFrom(...changes),
        wrong,
        fc.nat(200),
        async (document, ...change) => {
          if ((await verdictsOnJson(document)).judges.length > 0) return
          const [at, how, value, place] = change
          const paths = pathsOf(document).slice(1)
          const broken = mutated(document, paths[at % paths.length] ?? [], how, value, place)
          if (isDeepStrictEqual(broken, document)) return
          const verdicts = await verdictsOnJson(broken)
          seen[verdicts.judges.length === 0 ? 'valid' : 'refused']++
          const difference = differenceIn(verdicts, 'json')
          if (difference !== undefined) throw new Error(`${difference} in ${JSON.stringify(broken)}`)
        },
      ),
      { numRuns: 5 * runs, endOnFailure: true },
    )
    t.ok(seen.valid > 0 && seen.refused > 0, JSON.stringify(seen))
  },
)

for (const version of ['2', '1'] as const) {
  const inXml = { eventsByXsd: eventsByXsd[version], verdictsOnXml: verdictsOnXml[version] }
  for (const type of xmlTypes[version]) {
    const sentence = `given ${type}s made from the XML Schema of version ${version}, when they are read, then all are accepted`
    testWith(t, inXml, sentence, async (t, { eventsByXsd, verdictsOnXml }) => {
      let valid = 0
      fc.assert(
        fc.property(eventsByXsd(type), (event) => {
          const verdicts = verdictsOnXml(xmlOf(version, [event]))
          if (verdicts.judges.length === 0) valid++
          const difference = differenceIn(verdicts, 'xml')
          if (difference !== undefined) throw new Error(`${difference} in ${xmlOf(version, [event])}`)
        }),
        { numRuns: 3 * runs, endOnFailure: true },
      )
      t.ok(valid > runs, `${valid} are valid`)
    })
  }

  testWith(
    t,
    inXml,
    `given XML documents of version ${version} that were changed anywhere, when they are judged, then the verdicts agree`,
    async (t, { eventsByXsd, verdictsOnXml }) => {
      const seen = { valid: 0, refused: 0 }
      const event = fc.oneof(...xmlTypes[version].map((type) => eventsByXsd(type)))
      fc.assert(
        fc.property(
          event,
          fc.nat(),
          fc.constantFrom(...xmlChanges),
          fc.constantFrom(...texts),
          (whole, at, how, text) => {
            const broken = xmlOf(version, [changed(whole, at, how, text)])
            const verdicts = verdictsOnXml(broken)
            seen[verdicts.judges.length === 0 ? 'valid' : 'refused']++
            const difference = differenceIn(verdicts, 'xml')
            if (difference !== undefined) throw new Error(`${difference} in ${broken}`)
          },
        ),
        { numRuns: 15 * runs, endOnFailure: true },
      )
      t.ok(seen.valid > runs && seen.refused > runs, JSON.stringify(seen))
    },
  )
}

t.test(
  'given documents of ours, when their ids are computed from what they say, then they are the same in JSON and XML',
  async (t) => {
    const [native, ...others] = projections
    for (const { name, timeline } of await exhibitedTimelines([native, ...others], { runs: 20, seed: 7 })) {
      for (const { text, mediaType } of await documentsOf(epcis, timeline)) {
        const isJson = mediaType !== 'application/xml'
        // A character that XML does not have is replaced there.
        if (!isJson && text.includes('\uFFFD')) continue
        const { events, findings } = hashEpcis(isJson ? JSON.parse(text) : text)
        t.same(findings, [], name)
        t.ok(
          events.every(({ fits }) => fits === true),
          `${name}, ${mediaType}`,
        )
      }
    }
  },
)

/** What the other implementation reads otherwise than the standard: see the page on EPCIS ingest. */
const readOtherwise = (name: string, value: unknown): boolean =>
  value === null ||
  (Array.isArray(value) && value.length === 0) ||
  /^(?:no:|https:|ex:a$|certificationInfo$)/.test(name) ||
  (typeof value === 'string' && /^\d+$|^cbv:|^gs1:|^ex:|^urn:epc:id:sscc|:60Z$|\+23:00$/.test(value))

/** An event without the extensions of its nested members, which the other implementation puts after the event's own. */
function withoutNested(event: Readonly<Record<string, unknown>>): object {
  const isOfOthers = (name: string) => name.includes(':') || name === 'ilmd'
  return Object.fromEntries(
    Object.entries(event).map(([name, value]) => {
      const bare = JSON.stringify(value, (key, one) => (key.includes(':') ? undefined : one))
      return [name, isOfOthers(name) || bare === undefined ? value : JSON.parse(bare)]
    }),
  )
}

testWith(
  t,
  { eventsBySchema },
  'given events of every type, when they are hashed, then another implementation computes the same',
  async (t, { eventsBySchema }) => {
    const ex = 'https://ex.example/'
    const prefixes = new Map([...gs1Prefixes, ['ex', ex]])
    for (const type of jsonTypes) {
      fc.assert(
        fc.property(eventsBySchema(type), (event) => {
          const plain = JSON.parse(
            JSON.stringify(withoutNested(event), (name, value) => (readOtherwise(name, value) ? undefined : value)),
          )
          const whole = { ...plain, eventTime: plain.eventTime ?? '2026-06-10T09:30:00Z' }
          const lists = JSON.parse(
            JSON.stringify(whole, (_, value) => (Array.isArray(value) ? value.filter((one) => one !== null) : value)),
          )
          const told = JSON.parse(
            JSON.stringify(lists, (_, value) => (Array.isArray(value) && value.length === 0 ? undefined : value)),
          )
          return epcis2.eventToHashedId(structuredClone(told), { ex }) === hashIdOf(told, prefixes)
        }),
        { numRuns: runs, endOnFailure: true },
      )
    }
    t.pass('no counterexample')
  },
)

testWith(
  t,
  { documentsIn },
  'given the official documents here, when they are read, then all are taken and given back that the judges accept',
  async (t, { documentsIn }) => {
    const sets = await documentsIn()
    t.same(
      sets.flatMap(({ entries }) => entries.filter((entry) => !isRight(entry))),
      [],
    )
    const [json, xml] = sets.map(({ entries }) => entries.length)
    t.ok((json ?? 0) > 0 && (xml ?? 0) > 0)
    t.match(tableOfSets(sets), /taken \d+ of \d+ valid documents, \d+ of \d+ events; given back equal \d+ of \d+/)
    const refused = { document: 'a.xml', judges: [], reader: ['required eventTime'], events: 1, taken: 0, equal: 0 }
    t.notOk(isRight(refused))
    t.match(
      tableOfSets([{ name: 'set', entries: [refused] }]),
      /taken 0 of 1 .*\n {2}a\.xml: refused though the judges/,
    )
    const changed = { ...refused, reader: [], taken: 1 }
    t.notOk(isRight(changed))
    t.match(tableOfSets([{ name: 'set', entries: [changed] }]), 'a.xml: 1 of 1 events given back otherwise')
  },
)

const xmlChanges = ['remove', 'repeat', 'move', 'rename', 'text', 'attribute', 'nil', 'wrap', 'add'] as const
const texts = ['', 'x', 'a b', '7', 'urn:x:[', '2026-02-30T00:00:00Z', 'http://a:b/', 'ADD', ' 1 ', '1e5', 'INF', '%zz']
const names = [
  'action',
  'ex:a',
  'epcis:a',
  'later',
  'extension',
  'baseExtension',
  'quantity',
  'epc',
  'ilmd',
  'set',
] as const

/** A copy of an element with one change somewhere in it. */
function changed(root: XmlElement, at: number, how: (typeof xmlChanges)[number], text: string): XmlElement {
  let count = 0
  const size = elementsIn(root)
  const target = at % size
  const name = names[at % names.length] ?? 'x'
  const rebuilt = (element: XmlElement): readonly XmlElement[] => {
    const isTarget = count++ === target
    const children = element.children.flatMap((child): XmlElement['children'] =>
      isElement(child) ? rebuilt(child) : [child],
    )
    const copy = { ...element, children }
    if (!isTarget) return [copy]
    switch (how) {
      case 'remove':
        return element === root ? [copy] : []
      case 'repeat':
        return element === root ? [copy] : [copy, copy]
      case 'move':
        return [{ ...copy, children: [...children].reverse() }]
      case 'rename':
        return element === root ? [copy] : [{ ...copy, name }]
      case 'text':
        return [{ ...copy, children: [text] }]
      case 'attribute':
        return [{ ...copy, attributes: { ...copy.attributes, [at % 2 ? 'type' : 'value']: text } }]
      case 'nil':
        return [{ ...copy, attributes: { ...copy.attributes, 'xsi:nil': 'true' } }]
      case 'wrap':
        return [{ ...copy, children: [{ name, children }] }]
      case 'add':
        return [{ ...copy, children: [...children, { name, children: [text] }] }]
      default:
        return how satisfies never
    }
  }
  return rebuilt(root)[0] ?? root
}

function elementsIn({ children }: XmlElement): number {
  return children.reduce((sum, child) => sum + (isElement(child) ? elementsIn(child) : 0), 1)
}

function isElement(child: XmlElement['children'][number]): child is XmlElement {
  return typeof child !== 'string' && 'name' in child
}
