import fc from 'fast-check'
import t from 'tap'
import { world } from '../adapters/auth/world.test.fixture.ts'
import { createApp, createParts } from '../adapters/main.ts'
import { addProvider, type Context, call, createMemoryStore, en, otepForget } from '../engine/index.ts'
import { runs } from '../engine/testing/runs.test.fixture.ts'
import { canonicalEvents, sorted, unrecorded } from './epcis-canonical.ts'
import { anyEvent, captured, context, type Event, gs1Context } from './epcis-events.test.fixture.ts'
import { examples } from './judges/epcis/files.ts'
import { jsonSchemaJudge } from './judges/epcis/json-schema.ts'
import { xsd, xsdJudge } from './judges/epcis/xsd.ts'
import type { FaultsIn } from './judges/judge.ts'
import { faultsBy, isFaultless, testWith } from './judges/official.test.fixture.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const jsonType = 'application/ld+json; profile="urn:otep:format:epcis"'
const xmlType = 'application/xml; profile="urn:otep:format:epcis"'

/** A server with two providers. */
async function server(options: { readonly publicSources?: boolean; readonly publicView?: 'reduced' } = {}) {
  const store = createMemoryStore(() => now)
  const parts = createParts({ store, clock: () => now, publicView: 'full', ...options })
  const app = createApp({ store, clock: () => now, parts })
  const context: Context = {
    ...parts,
    caller: { kind: 'operator', name: 'test', scopes: ['providers:write', 'otep:erase'] },
    messages: en,
    requestId: 'test',
  }
  const keyOf = async (name: string) => String((await call(addProvider, context, { name, all_businesses: true })).key)
  const [key, otherKey] = [await keyOf('acme'), await keyOf('other')]

  async function post(document: unknown, by = key) {
    const isText = typeof document === 'string'
    const response = await app.request('/api/v1/otep/ingest/epcis', {
      method: 'POST',
      headers: { Authorization: `Bearer ${by}`, 'Content-Type': isText ? 'application/xml' : 'application/json' },
      body: isText ? document : JSON.stringify(document),
    })
    return (await response.json()) as {
      readonly result: boolean
      readonly data: {
        readonly events: readonly { readonly outcome: string; readonly subject?: { readonly piece_id: string } }[]
      }
    }
  }

  async function read(id: string, accept: string, by: string | undefined = key, as = 'source') {
    const response = await app.request(`/api/v1/otep/trackings/${encodeURIComponent(id)}?as=${as}`, {
      headers: { Accept: accept, ...(by === '' ? {} : { Authorization: `Bearer ${by}` }) },
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  const eventsAs = async (id: string, as: string, by?: string): Promise<readonly Event[]> =>
    eventsIn(JSON.parse((await read(id, jsonType, by, as)).text))

  return { parts, context, key, otherKey, post, read, eventsAs }
}

interface QueryDocument {
  readonly epcisBody: { readonly queryResults: { readonly resultsBody: { readonly eventList: readonly Event[] } } }
}

/** The events of a document without the time of their recording, which is that of the server. */
function eventsIn(document: QueryDocument): readonly Event[] {
  return document.epcisBody.queryResults.resultsBody.eventList.map(unrecorded)
}

/** The id of the first thing of a document that was accepted. */
function firstThing({ data }: Awaited<ReturnType<Awaited<ReturnType<typeof server>>['post']>>): string {
  return data.events.find(({ subject }) => subject !== undefined)?.subject?.piece_id ?? ''
}

/** The same value with the scalars of extensions as texts, which is what XML knows. */
function asTexts(value: unknown, isExtension = false): unknown {
  if (Array.isArray(value)) return value.map((one) => asTexts(one, isExtension))
  if (typeof value !== 'object' || value === null) return isExtension ? String(value) : value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, asTexts(inner, isExtension || name.includes(':'))]),
  )
}

t.test('any valid event comes out as it went in, and through the other binding without a change', async (t) => {
  const [bySchema, byXsd] = [faultsBy(t, jsonSchemaJudge), faultsBy(t, xsdJudge)]
  const count = runs(t, 4)
  await fc.assert(
    fc.asyncProperty(anyEvent, async (event) => {
      const one = await server()
      const answer = await one.post(captured([event]))
      if (!answer.result) throw new Error(JSON.stringify(answer))
      const id = firstThing(answer)
      const json = (await one.read(id, jsonType)).text
      const [back] = eventsIn(JSON.parse(json))
      equal(back, unrecorded(event), 'JSON to JSON')
      await judged(bySchema, json)
      const xml = (await one.read(id, xmlType)).text
      await judged(byXsd, xml)

      const other = await server()
      const inXml = await other.post(xml)
      if (!inXml.result) throw new Error(`${xml} ${JSON.stringify(inXml)}`)
      const again = await other.read(id, xmlType)
      equal(canonicalEvents(again.text), canonicalEvents(xml), 'XML to XML')
      const [returned] = await other.eventsAs(id, 'source')
      equal(asTexts(returned), asTexts(unrecorded(event)), 'JSON to XML to JSON')
      const known = await one.post(xml)
      equal(new Set(known.data.events.map(({ outcome }) => outcome)), new Set(['duplicate']), 'both are one event')
    }),
    { numRuns: count },
  )
  t.pass(`${count} events`)
})

function equal(received: unknown, expected: unknown, of: string): void {
  const [one, other] = [received, expected].map((value) =>
    JSON.stringify(value instanceof Set ? [...value] : sorted(value)),
  )
  if (one !== other) throw new Error(`${of}\n${one}\n${other}`)
}

async function judged(faultsIn: FaultsIn<{ readonly text: string }>, text: string): Promise<void> {
  const faults = await faultsIn({ text })
  if (faults.length > 0) throw new Error(`${faults.join('; ')}\n${text}`)
}

testWith(t, { examples }, 'each event of the official examples of GS1 comes out as it went in', async (t, given) => {
  for (const { name, text: raw } of given.examples) {
    const text = raw.replace(/^\uFEFF/, '')
    const { post, read } = await server()
    const isXml = text.startsWith('<')
    const document = isXml ? text : JSON.parse(text)
    const { data } = await post(document)
    const things = new Set(data.events.flatMap(({ subject }) => subject?.piece_id ?? []))
    const found = new Set<string>()
    for (const thing of things) {
      const whole = (await read(thing, isXml ? xmlType : jsonType)).text
      const events = isXml
        ? canonicalEvents(whole)
        : eventsIn(JSON.parse(whole)).map((one) => JSON.stringify(sorted(one)))
      for (const event of events) found.add(event)
    }
    const { epcisBody } = isXml ? { epcisBody: {} } : document
    const list = epcisBody.eventList ?? epcisBody.queryResults?.resultsBody.eventList ?? []
    const sent = isXml ? canonicalEvents(text) : list.map((one: Event) => JSON.stringify(sorted(unrecorded(one))))
    if (things.size === 0)
      t.strictSame(
        data.events.map(({ outcome }) => outcome),
        ['ignored'],
        `${name}: a class`,
      )
    else t.strictSame([...found].sort(), [...sent].sort(), name)
  }
})

const epc = 'urn:epc:id:sgtin:4012345.011111.987'
const thing = 'https://id.gs1.org/01/04012345111118/21/987'
const stolen: Event = {
  type: 'ObjectEvent',
  eventID: 'urn:uuid:374d95fc-9457-4a51-bd6a-0bba133845a8',
  eventTime: '2026-06-10T09:00:00Z',
  eventTimeZoneOffset: '+00:00',
  epcList: [epc],
  action: 'ADD',
  bizStep: 'transporting',
  disposition: 'stolen',
  sensorElementList: [{ sensorReport: [{ type: 'Temperature', value: 26, uom: 'CEL' }] }],
  'ex:finder': 'Adaline Verhulst',
}

t.test(
  'given a theft, when anybody reads the timeline, then the words are those of the source and nothing else',
  async (t) => {
    const { post, eventsAs } = await server()
    await post(captured([stolen]))
    const [event = {}] = await eventsAs(thing, 'query', '')
    t.match(event, { type: 'ObjectEvent', action: 'ADD', bizStep: 'transporting', disposition: 'stolen' })
    t.notMatch(JSON.stringify(event), 'Verhulst')
    t.notOk(Object.hasOwn(event, 'sensorElementList'))
  },
)

t.test('given the reduced view, when the public reads of a theft, then it is not in transit', async (t) => {
  const { post, eventsAs, read } = await server({ publicView: 'reduced' })
  await post(captured([stolen]))
  const [event = {}] = await eventsAs(thing, 'query', '')
  t.strictSame([event.action, event.bizStep, event.disposition], ['ADD', undefined, undefined], 'nothing is said of it')
  t.notMatch(JSON.stringify(event), String(stolen.eventID))
  for (const accept of [jsonType, xmlType]) t.equal((await read(thing, accept, '', 'query')).status, 200)
  t.strictSame(await eventsAs(thing, 'source'), [stolen], 'its provider sees all of it')
})

t.test(
  'given an aggregation and a transformation, when a thing of theirs is read, then nothing is said of it that is not so',
  async (t) => {
    const { post, eventsAs } = await server()
    const { epcList: _, action: __, disposition: ___, ...rest } = stolen
    const [input, output] = ['urn:epc:id:sgtin:4012345.011111.1', 'urn:epc:id:sgtin:4012345.011111.2']
    await post(
      captured([
        { ...rest, eventID: uuid(1), type: 'AggregationEvent', action: 'DELETE', parentID: epc, childEPCs: [input] },
        {
          ...rest,
          eventID: uuid(2),
          type: 'TransformationEvent',
          bizStep: 'commissioning',
          disposition: 'active',
          inputEPCList: [input],
          outputEPCList: [output],
        },
      ]),
    )
    const wordsOf = async (number: number) =>
      (await eventsAs(`https://id.gs1.org/01/04012345111118/21/${number}`, 'query')).map(
        ({ action, bizStep, disposition }) => [action, bizStep, disposition],
      )
    const byStep = (one: readonly unknown[]) => String(one[1])
    t.strictSame(
      (await wordsOf(1)).toSorted((one, other) => byStep(one).localeCompare(byStep(other))),
      [
        ['OBSERVE', 'transporting', undefined],
        ['OBSERVE', undefined, undefined],
      ],
      'in any order, because both have one time',
    )
    t.strictSame(await wordsOf(2), [['ADD', 'commissioning', 'active']])
  },
)

const uuid = (count: number) => `urn:uuid:00000000-0000-4000-8000-${String(count).padStart(12, '0')}`

t.test('given a source, when somebody asks for it, then those get it who may see it', async (t) => {
  const { post, read, eventsAs, otherKey } = await server()
  await post(captured([stolen]))
  const ours = await read(thing, jsonType)
  t.strictSame(eventsIn(JSON.parse(ours.text)), [stolen], 'its provider')
  t.match(ours.headers.get('cache-control'), 'private')
  t.not(
    ours.headers.get('etag'),
    (await read(thing, jsonType)).headers.get('etag'),
    'an event may be erased without a trace',
  )
  const theirs = await eventsAs(thing, 'source', otherKey)
  t.match(theirs, [{ 'otep:event_id': stolen.eventID }], 'another provider gets what the public gets')
  t.notMatch(JSON.stringify(theirs), 'Verhulst')
  t.equal((await read(thing, jsonType, '')).status, 401, 'nobody')
  t.equal((await read(thing, jsonType, 'otep_wrong')).status, 401, 'a wrong key')
  const open = await server({ publicSources: true })
  await open.post(captured([stolen]))
  t.strictSame(await open.eventsAs(thing, 'source', ''), [stolen], 'everybody, where the operator says so')
})

t.test('given an event and its declaration as an error, when the sources are read, then both are there', async (t) => {
  const { post, eventsAs } = await server()
  const withdrawn = {
    ...stolen,
    errorDeclaration: { declarationTime: '2026-06-11T09:00:00Z', reason: 'did_not_occur' },
  }
  await post(captured([stolen]))
  await post(captured([withdrawn]))
  t.strictSame(await eventsAs(thing, 'source'), [stolen, withdrawn])
})

t.test(
  'given two events that use one prefix for two things, when both are read, then each keeps its own context',
  async (t) => {
    const { post, eventsAs } = await server()
    const elsewhere = [gs1Context, { ex: 'https://elsewhere.example/' }]
    await post(captured([stolen]))
    const later = { ...stolen, eventID: uuid(1), eventTime: '2026-06-10T10:00:00Z' }
    await post(captured([later], elsewhere))
    t.strictSame(await eventsAs(thing, 'source'), [stolen, { '@context': elsewhere, ...later }])
  },
)

t.test(
  'given an event of classes, when it is sent, then it is kept once, and another with its id is refused',
  async (t) => {
    const { post, parts } = await server()
    const { epcList: _, ...rest } = stolen
    const classes = {
      ...rest,
      quantityList: [{ epcClass: 'urn:epc:class:lgtin:4012345.012345.998877', quantity: 200 }],
    }
    const outcome = async (event: Event) => (await post(captured([event]))).data.events.map((one) => one.outcome)
    t.strictSame(await outcome(classes), ['ignored'])
    t.strictSame(await outcome(classes), ['ignored'])
    t.strictSame(await outcome({ ...classes, disposition: 'recalled' }), ['rejected'])
    const kept: unknown[] = []
    for await (const { data } of parts.store.readAll(undefined, { category: 'epcis_event' })) kept.push(data)
    t.match(kept, [{ provider: 'acme', personal: { binding: 'json', version: '2.0', context, body: classes } }])
  },
)

t.test(
  'given a document with master data, when it is sent, then that is kept once for all of its events',
  async (t) => {
    const { post, parts } = await server()
    const epcisHeader = { epcisMasterData: { vocabularyList: [] } }
    const second = { ...stolen, eventID: uuid(1), eventTime: '2026-06-10T10:00:00Z' }
    await post({ ...captured([stolen, second]), epcisHeader })
    const headers: unknown[] = []
    for await (const { data } of parts.store.readAll(undefined, { category: 'epcis_header' })) headers.push(data)
    t.match(headers, [{ personal: { binding: 'json', body: epcisHeader } }])
  },
)

t.test(
  'given an event of two things, when one of them is forgotten, then the event is gone and the other timeline stays',
  async (t) => {
    const { context: operator, parts, post, eventsAs } = await server()
    const other = 'urn:epc:id:sgtin:4012345.011111.2'
    const both = { ...stolen, epcList: [epc, other] }
    await post({ ...captured([both]), epcisHeader: { epcisMasterData: { vocabularyList: [] } } })
    await call(otepForget, operator, { tracking_number: thing })
    const kept = async () => {
      const found: unknown[] = []
      for await (const event of parts.store.readAll()) if (/^epcis_/.test(event.stream)) found.push(event.data)
      return JSON.stringify(found)
    }
    t.notMatch(await kept(), /Verhulst|vocabularyList|stolen/)
    const [event = {}] = await eventsAs('https://id.gs1.org/01/04012345111118/21/2', 'source')
    t.match(event, { disposition: 'stolen', 'otep:event_id': stolen.eventID }, 'the other thing keeps its own event')
    await post(captured([both]))
    await post(captured([{ ...both, eventID: uuid(1), eventTime: '2026-06-10T10:00:00Z' }]))
    t.notMatch(await kept(), 'Verhulst', 'nothing that names the forgotten thing is kept again')
  },
)

t.test(
  'given the parcel of an order, when its sources are read, then by accounts that may see the order',
  async (t) => {
    const { send, tokens, other, parts } = await world()
    const operator: Context = {
      ...parts,
      caller: { kind: 'operator', name: 'test', scopes: ['providers:write'] },
      messages: en,
      requestId: 'test',
    }
    const { key } = await call(addProvider, operator, { name: 'acme', all_businesses: true })
    const delivery = { name: 'Ann', address: { street: '1 Main Street', country: 'CA' } }
    const order = { type: 'D', delivery, reference: 'R1' }
    const created = await send('POST', '/api/v1/orders', { token: tokens.client_admin, body: order })
    const number = String(created.body.tracking_number)
    const event = { ...stolen, epcList: [`${parts.baseUrl}/id/tracking_number/${number}`] }
    await send('POST', '/api/v1/otep/ingest/epcis', { token: String(key), body: captured([event]) })
    const read = async (token: string) =>
      (await send('GET', `/api/v1/otep/trackings/${number}?as=source`, { token, headers: { Accept: jsonType } })).body
    t.strictSame(eventsIn(await read(tokens.client_admin)), [event])
    for (const token of [other.tokens.client_admin, tokens.customer, tokens.driver])
      t.notMatch(JSON.stringify(await read(token)), 'Verhulst', 'one who may not see the order')
    const whole = await send('GET', `/epcis/epcs/${encodeURIComponent(String(event.epcList[0]))}/events`, {
      token: tokens.client_admin,
    })
    t.strictSame(eventsIn(whole.body), [event])
  },
)

const first = `<?xml version="1.0"?><epcis:EPCISDocument xmlns:epcis="urn:epcglobal:epcis:xsd:1" xmlns:ex="https://ns.example/epcis/"
 schemaVersion="1.2" creationDate="2026-06-10T12:00:00Z"><EPCISBody><EventList><ObjectEvent><eventTime>2026-06-10T09:30:00Z</eventTime>
<eventTimeZoneOffset>+00:00</eventTimeZoneOffset><baseExtension><eventID>${uuid(1)}</eventID></baseExtension><epcList><epc>${epc}</epc></epcList>
<action>OBSERVE</action><bizStep>urn:epcglobal:cbv:bizstep:shipping</bizStep><extension><quantityList><quantityElement>
<epcClass>urn:epc:class:lgtin:4012345.012345.L1</epcClass><quantity>20</quantity></quantityElement></quantityList></extension>
<ex:box ex:unit="cm"><ex:w>7</ex:w></ex:box></ObjectEvent><extension><TransformationEvent><eventTime>2026-06-10T10:30:00Z</eventTime>
<eventTimeZoneOffset>+00:00</eventTimeZoneOffset><inputEPCList><epc>urn:epc:id:sgtin:4012345.011111.1</epc></inputEPCList><outputEPCList>
<epc>${epc}</epc></outputEPCList></TransformationEvent></extension><extension><extension><AssociationEvent>
<eventTime>2026-06-10T11:30:00Z</eventTime><eventTimeZoneOffset>+00:00</eventTimeZoneOffset><parentID>urn:epc:id:grai:4012345.77777.1</parentID>
<childEPCs><epc>${epc}</epc></childEPCs><action>ADD</action></AssociationEvent></extension></extension></EventList></EPCISBody></epcis:EPCISDocument>`

t.test(
  'given XML of version 1.2, when its sources are read, then as 1.2 in XML, and as 2.0 in JSON with what is lost',
  async (t) => {
    const { post, read } = await server()
    t.match(await post(first), { result: true })
    const xml = (await read(thing, xmlType)).text
    t.strictSame(canonicalEvents(xml), canonicalEvents(first))
    t.match(xml, 'schemaVersion="1.2"')
    await isFaultless(t, { ...xsdJudge, name: 'XSD 1.2 (GS1)', open: xsd['1'] }, { text: xml })
    const document = JSON.parse((await read(thing, jsonType)).text)
    t.match(eventsIn(document), [
      { type: 'ObjectEvent', eventID: uuid(1), quantityList: [{ quantity: 20 }], 'ex:box': { 'ex:w': '7' } },
      { type: 'TransformationEvent', outputEPCList: [epc] },
      { type: /^AssociationEvent$/, childEPCs: [epc] },
    ])
    t.strictSame(document['otep:not_carried'], ['eventList[0]: attribute ex:unit of ex:box'])
    await post(captured([stolen]))
    const mixed = (await read(thing, xmlType)).text
    t.match(mixed, /schemaVersion="2.0".*<!-- not carried: attribute ex:unit of ex:box -->/s)
    await isFaultless(t, xsdJudge, { text: mixed })
  },
)
