import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { createApp, createParts } from '../adapters/main.ts'
import { resources } from '../adapters/rest/epcis/resources.ts'
import { addProvider, type Context, call, createMemoryStore, en, otepForget, revokeProvider } from '../engine/index.ts'
import { unrecorded } from './epcis-canonical.ts'
import { captured, type Event, context as ldContext } from './epcis-events.test.fixture.ts'
import { bodySchema, openapi } from './epcis-openapi.test.fixture.ts'
import { jsonSchemaJudge } from './judges/epcis/json-schema.ts'
import { xsdJudge } from './judges/epcis/xsd.ts'
import { isFaultless, testWith } from './judges/official.test.fixture.ts'

const clock = { now: Date.parse('2026-11-21T12:00:00Z') }

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Body
}

/** The members of the answers of all resources. */
interface Body {
  readonly [index: number]: Body
  readonly epcisBody: { readonly queryResults: { readonly resultsBody: { readonly eventList: readonly Event[] } } }
  readonly captureID: string
  readonly subscriptionID: string
  readonly member: readonly string[]
  readonly title: string
}

/** A server with two providers, and a client of each. */
async function server(store = createMemoryStore(() => clock.now)) {
  const webhooks = { allow: ['127.0.0.0/8'] }
  const parts = createParts({
    store,
    publicView: 'full',
    clock: () => clock.now,
    baseUrl: 'http://localhost',
    webhooks,
  })
  const app = createApp({ store, clock: () => clock.now, parts })
  const operator: Context = {
    ...parts,
    caller: { kind: 'operator', name: 'test', scopes: ['providers:write', 'otep:erase'] },
    messages: en,
    requestId: 'test',
  }
  const clientOf =
    (key: string | undefined) =>
    async (
      method: string,
      path: string,
      given: unknown = undefined,
      headers: Record<string, string> = {},
    ): Promise<Answer> => {
      const isText = typeof given === 'string'
      const response = await app.request(path.startsWith('http') ? path : `/epcis${path}`, {
        method,
        headers: {
          ...(key !== undefined && { Authorization: `Bearer ${key}` }),
          ...(given !== undefined && { 'Content-Type': isText ? 'application/xml' : 'application/ld+json' }),
          ...headers,
        },
        ...(given !== undefined && { body: isText ? given : JSON.stringify(given) }),
      })
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.includes('json') === true
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: isJson ? JSON.parse(text) : text,
      } as Answer
    }
  const keyOf = async (name: string) => String((await call(addProvider, operator, { name, all_businesses: true })).key)
  const acmeKey = await keyOf('acme')
  return {
    operator,
    parts,
    acme: clientOf(acmeKey),
    clientOf,
    live: async (path: string, headers: Record<string, string> = {}) =>
      app.request(`/epcis${path}`, {
        headers: { Authorization: `Bearer ${acmeKey}`, Accept: 'text/event-stream', ...headers },
      }),
    other: clientOf(await keyOf('other')),
    nobody: clientOf(undefined),
  }
}

const uuid = (count: number) => `urn:uuid:00000000-0000-4000-8000-${String(count).padStart(12, '0')}`
const epcOf = (serial: number) => `urn:epc:id:sgtin:4012345.011111.${serial}`

const event = (count: number, more: Event = {}): Event => ({
  type: 'ObjectEvent',
  eventID: uuid(count),
  eventTime: new Date(Date.parse('2026-06-10T08:00:00Z') + count * 60_000).toISOString(),
  eventTimeZoneOffset: '+00:00',
  epcList: [epcOf(count % 3)],
  action: 'OBSERVE',
  bizStep: count % 2 === 0 ? 'shipping' : 'receiving',
  'ex:count': count,
  ...more,
})

const wholeEventsOf = ({ body }: Answer): readonly Event[] => body.epcisBody.queryResults.resultsBody.eventList
const eventsOf = (answer: Answer): readonly Event[] => wholeEventsOf(answer).map(unrecorded)
const idsOf = (answer: Answer) => eventsOf(answer).map(({ eventID }) => Number(String(eventID).slice(-3)))

t.test('given an Accept header, when resources are read, then the type is the one that it likes best', async (t) => {
  const { acme } = await server()
  await acme('POST', '/capture', captured([event(1)]))
  await acme('POST', '/queries', { name: 'all', query: {} })
  const [json, ld, xml] = ['application/json', 'application/ld+json', 'application/xml']
  const types: readonly (readonly [accept: string, events: string | undefined, list: string | undefined])[] = [
    [json, json, json],
    [ld, ld, ld],
    [xml, xml, undefined],
    ['text/xml', 'text/xml', undefined],
    ['*/*', ld, json],
    ['application/*', ld, json],
    ['application/xml;q=0.5, application/json', json, json],
    ['application/json;q=0.5, application/xml', xml, json],
    ['application/json;q=0.2, APPLICATION/LD+JSON ; q=0.3', ld, ld],
    ['*/*, application/ld+json;q=0', json, json],
    ['application/json;q=0', undefined, undefined],
    ['text/csv, image/*', undefined, undefined],
  ]
  for (const [Accept, ofEvents, ofLists] of types) {
    const typeOf = async (path: string) => {
      const { status, headers } = await acme('GET', path, undefined, { Accept })
      return status === 406 ? undefined : headers.get('content-type')
    }
    for (const path of ['/events', `/events/${uuid(1)}`, '/queries/all/events'])
      t.equal(await typeOf(path), ofEvents, `${Accept} ${path}`)
    for (const path of ['/queries', '/eventTypes', '/capture'])
      t.equal(await typeOf(path), ofLists, `${Accept} ${path}`)
  }
})

t.test(
  'given events with a recordTime or none, when they are read, then it is the time of our recording',
  async (t) => {
    const { acme } = await server()
    const theirs = '2020-01-01T00:00:00Z'
    await acme('POST', '/capture', captured([event(1, { recordTime: theirs }), event(2)]))
    const xml = (await acme('GET', '/events', undefined, { Accept: 'application/xml' })).text
    const comment = '<eventTime>$1</eventTime> <!-- <recordTime> --> <recordTime>2021-01-01T00:00:00Z</recordTime>'
    const again = xml
      .replaceAll('00000000-0000-4000-8000', '00000001-0000-4000-8000')
      .replace(/<eventTime>(.*?)<\/eventTime><recordTime>.*?<\/recordTime>/, comment)
      .replace(/<recordTime>2026.*?<\/recordTime>/, '')
    t.equal((await acme('POST', '/capture', again)).status, 202)
    const ours = new Date(clock.now).toISOString()
    const answers = [await acme('GET', '/events'), await acme('GET', `/events/${uuid(1)}`)]
    for (const one of [...answers, await acme('GET', `/epcs/${epcOf(1)}/events`)])
      for (const { recordTime } of wholeEventsOf(one)) t.equal(recordTime, ours)
    const { text } = await acme('GET', '/events', undefined, { Accept: 'application/xml' })
    t.strictSame(text.match(/(?<=<recordTime>)2[^<]*/g), [ours, ours, ours, ours])
    t.match(text, '<!-- <recordTime> -->', 'what came in XML is otherwise unchanged')
  },
)

t.test(
  'given a document, when it is captured, then its job tells how it went, and its events can be found',
  async (t) => {
    const { acme, other, nobody } = await server()
    const sent = [event(1), event(2), event(3)]
    const accepted = await acme('POST', '/capture', captured(sent))
    t.equal(accepted.status, 202)
    t.equal(accepted.headers.get('gs1-epcis-version'), '2.0.0')
    const location = String(accepted.headers.get('location'))
    const job = (await acme('GET', location)).body
    t.match(job, { running: false, success: true, captureErrorBehaviour: 'rollback', errors: [] })
    t.match((await acme('GET', '/capture')).body, [{ captureID: job.captureID }])
    t.equal((await other('GET', location)).status, 404, 'a job belongs to its provider')
    t.strictSame((await other('GET', '/capture')).body, [])
    const found = await acme('GET', '/events')
    t.strictSame(eventsOf(found), [event(3), event(2), event(1)], 'unchanged, the newest first')
    await isFaultless(t, jsonSchemaJudge, found)
    t.strictSame(eventsOf(await other('GET', '/events')), [], 'another provider has none')
    t.equal((await nobody('GET', '/events')).status, 401)
    const xml = await acme('GET', '/events', undefined, { Accept: 'application/xml' })
    t.equal(xml.headers.get('content-type'), 'application/xml')
    await isFaultless(t, xsdJudge, xml)
  },
)

t.test('given a document with a bad event, when it is captured, then as the error behaviour says', async (t) => {
  const { acme } = await server()
  const bad = event(2, { action: 'LOOK' })
  for (const [behaviour, left] of [
    ['rollback', []],
    ['proceed', [1]],
  ] as const) {
    const { headers } = await acme('POST', '/capture', captured([event(1), bad]), {
      'GS1-Capture-Error-Behaviour': behaviour,
    })
    const job = (await acme('GET', String(headers.get('location')))).body
    t.match(job, {
      success: false,
      captureErrorBehaviour: behaviour,
      errors: [{ detail: 'epcisBody.eventList[1].action' }],
    })
    const inXml = await acme('GET', String(headers.get('location')), undefined, { Accept: 'application/xml' })
    t.match(inXml.text, /<epcis:EPCISCaptureJob .*success="false".*<error>/)
    t.strictSame(idsOf(await acme('GET', '/events')), left, behaviour)
  }
  const refused = await acme('POST', '/capture', { type: 'EPCISDocument' })
  t.match(refused.body, { type: 'epcisException:ValidationException', status: 400, detail: /epcisBody required/ })
  t.equal(refused.headers.get('content-type'), 'application/problem+json')
  t.match((await acme('POST', '/capture', '<a')).body, { status: 400 })
  t.equal((await acme('POST', '/capture', captured([]), { 'Content-Type': 'text/csv' })).status, 415)
  t.equal((await acme('POST', '/capture', captured([]), { 'GS1-Capture-Error-Behaviour': 'maybe' })).status, 406)
})

t.test(
  'given one event, when it is created, then it is found by its id, and another with that id is refused',
  async (t) => {
    const { acme, other } = await server()
    const one: Event = { '@context': ldContext, ...event(1) }
    const created = await acme('POST', '/events', one)
    t.strictSame([created.status, created.body], [201, one])
    const location = String(created.headers.get('location'))
    t.strictSame(eventsOf(await acme('GET', location)), [one])
    t.equal((await acme('POST', '/events', one)).status, 201, 'sent again, it is the same')
    t.match((await acme('POST', '/events', { ...one, bizStep: 'holding' })).body, {
      status: 409,
      type: 'epcisException:ResourceAlreadyExistsException',
    })
    t.equal((await other('GET', location)).status, 404)
    t.equal((await acme('GET', `/events/${uuid(9)}`)).status, 404)
    t.equal((await acme('POST', '/events', captured([event(2)]))).status, 400, 'a document is not an event')
    const { eventID: _, ...nameless } = one
    const named = await acme('POST', '/events', { ...nameless, eventTime: '2026-06-11T08:00:00Z' })
    t.equal(
      eventsOf(await acme('GET', String(named.headers.get('location')))).length,
      1,
      'an event without id gets one',
    )
    const withdrawn = { ...one, errorDeclaration: { declarationTime: '2026-06-12T08:00:00Z' } }
    await acme('POST', '/events', withdrawn)
    t.strictSame(eventsOf(await acme('GET', location)), [one, withdrawn], 'with the declaration that it was an error')
  },
)

t.test('given many events, when they are read in pages, then each is there once, in either order', async (t) => {
  const { acme } = await server()
  const many = Array.from({ length: 25 }, (_, index) =>
    event(index + 1, { eventTime: event(Math.floor(index / 10)).eventTime }),
  )
  await acme('POST', '/capture', captured(many))
  for (const query of [
    '',
    '&orderDirection=ASC',
    '&orderBy=recordTime',
    '&EQ_bizStep=shipping|receiving',
    `&MATCH_epc=${epcOf(0)}|${epcOf(1)}|${epcOf(2)}`,
  ]) {
    const seen: number[] = []
    let path: string | undefined = `/events?perPage=7${query}`
    let pages = 0
    while (path !== undefined) {
      const page: Answer = await acme('GET', path)
      seen.push(...idsOf(page))
      path = /<(.*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
      pages++
    }
    t.strictSame([pages, seen.length, new Set(seen).size], [4, 25, 25], query)
  }
  t.equal(eventsOf(await acme('GET', '/events?eventCountLimit=3')).length, 3)
  t.match((await acme('GET', '/events?maxEventCount=3')).body, {
    status: 413,
    type: 'epcisException:QueryTooLargeException',
  })
  t.equal(eventsOf(await acme('GET', '/events?maxEventCount=25')).length, 25)
  const { headers } = await acme('GET', '/events?perPage=7')
  const token = /nextPageToken=([^>&]*)/.exec(headers.get('link') ?? '')?.[1]
  t.equal(
    (await acme('GET', `/events?EQ_action=OBSERVE&nextPageToken=${token}`)).status,
    400,
    'a token belongs to its query',
  )
})

t.test(
  'given events of many kinds, when each parameter asks for them, then those are found that have the value',
  async (t) => {
    const { acme } = await server()
    const sent: readonly Event[] = [
      event(1, { disposition: 'stolen', readPoint: { id: 'urn:epc:id:sgln:4012345.00001.0' }, epcList: [epcOf(1)] }),
      event(2, {
        ...{
          type: 'AggregationEvent',
          epcList: undefined,
          parentID: epcOf(7),
          childEPCs: [epcOf(1), epcOf(2)],
          action: 'ADD',
        },
        bizLocation: { id: 'https://id.gs1.org/414/4012345000016' },
      }),
      event(3, {
        ...{
          type: 'TransformationEvent',
          epcList: undefined,
          action: undefined,
          inputEPCList: [epcOf(1)],
          outputEPCList: [epcOf(3)],
        },
        ...{ transformationID: 'urn:example:t:1', bizStep: 'commissioning' },
      }),
      event(4, {
        ...{
          epcList: [],
          quantityList: [{ epcClass: 'urn:epc:class:lgtin:4012345.012345.L1', quantity: 200, uom: 'KGM' }],
        },
        persistentDisposition: { set: ['recalled'], unset: ['damaged'] },
        bizTransactionList: [{ type: 'po', bizTransaction: 'https://example.org/po/7' }],
      }),
      event(5, {
        sensorElementList: [
          {
            sensorMetadata: {
              startTime: '2026-06-10T01:00:00Z',
              endTime: '2026-06-10T02:00:00Z',
              deviceID: 'urn:example:d:1',
            },
            sensorReport: [{ type: 'Temperature', value: 26, uom: 'CEL', booleanValue: true, stringValue: 'warm' }],
          },
        ],
        sourceList: [{ type: 'owning_party', source: 'urn:epc:id:pgln:4012345.00001' }],
      }),
      event(1, {
        ...{ disposition: 'stolen', readPoint: { id: 'urn:epc:id:sgln:4012345.00001.0' }, epcList: [epcOf(1)] },
        errorDeclaration: {
          declarationTime: '2026-06-12T08:00:00Z',
          reason: 'did_not_occur',
          correctiveEventIDs: [uuid(2)],
        },
      }),
    ]
    const { headers } = await acme('POST', '/capture', captured(JSON.parse(JSON.stringify(sent))))
    t.match((await acme('GET', String(headers.get('location')))).body, { success: true })
    const expected: Readonly<Record<string, readonly number[]>> = {
      'eventType=ObjectEvent|AggregationEvent': [1, 1, 2, 4, 5],
      'GE_eventTime=2026-06-10T08:02:00Z&LT_eventTime=2026-06-10T08:04:00%2B00:00': [2, 3],
      'GE_recordTime=2026-11-21T12:00:00Z': [1, 1, 2, 3, 4, 5],
      'LT_recordTime=2026-11-21T12:00:00Z': [],
      'EQ_action=ADD': [2],
      'EQ_bizStep=urn:epcglobal:cbv:bizstep:commissioning': [3],
      'EQ_disposition=stolen|recalled': [1, 1],
      'EQ_persistentDisposition_set=recalled': [4],
      'EQ_persistentDisposition_unset=recalled': [],
      'EQ_readPoint=https://id.gs1.org/414/4012345000016': [1, 1],
      'EQ_bizLocation=urn:epc:id:sgln:4012345.00001.0': [2],
      'EQ_transformationID=urn:example:t:1': [3],
      'MATCH_epc=https://id.gs1.org/01/04012345111118/21/1': [1, 1, 2],
      [`MATCH_parentID=${epcOf(7)}`]: [2],
      [`MATCH_inputEPC=${epcOf(1)}`]: [3],
      [`MATCH_outputEPC=${epcOf(1)}`]: [],
      [`MATCH_anyEPC=${epcOf(1)}`]: [1, 1, 2, 3],
      'MATCH_epcClass=urn:epc:class:lgtin:4012345.012345.L1': [4],
      'MATCH_anyEPCClass=urn:epc:class:lgtin:4012345.012345.L1': [4],
      'MATCH_inputEPCClass=urn:epc:class:lgtin:4012345.012345.L1': [],
      'EQ_quantity=200': [4],
      'GT_quantity=200': [],
      'GE_quantity=200&LE_quantity=200': [4],
      'LT_quantity=201': [4],
      [`EQ_eventID=${uuid(3)}|${uuid(4)}`]: [3, 4],
      'EXISTS_errorDeclaration=true': [1],
      'GE_errorDeclarationTime=2026-06-12T08:00:00Z': [1],
      'LT_errorDeclarationTime=2026-06-12T08:00:00Z': [],
      'EQ_errorReason=did_not_occur': [1],
      [`EQ_correctiveEventID=${uuid(2)}`]: [1],
      'GE_startTime=2026-06-10T01:00:00Z': [5],
      'LT_endTime=2026-06-10T02:00:00Z': [],
      'EQ_type=Temperature': [5],
      'EQ_deviceID=urn:example:d:1': [5],
      'EQ_booleanValue=true': [5],
      'EQ_stringValue=warm': [5],
      'EQ_bizTransaction_po=https://example.org/po/7': [4],
      'EQ_source_owning_party=urn:epc:id:pgln:4012345.00001': [5],
      [`EQ_action=OBSERVE&EQ_bizStep=receiving&MATCH_anyEPC=${epcOf(1)}`]: [1, 1],
    }
    for (const [query, ids] of Object.entries(expected)) {
      const answer = await acme('GET', `/events?${query}`)
      t.strictSame(answer.status === 200 ? idsOf(answer).sort() : answer.body, ids, query)
    }
    const below: Readonly<Record<string, readonly number[]>> = {
      '/eventTypes/TransformationEvent': [3],
      '/bizSteps/commissioning': [3],
      '/dispositions/stolen': [1, 1],
      [`/readPoints/${encodeURIComponent('https://id.gs1.org/414/4012345000016')}`]: [1, 1],
      '/bizLocations/urn:epc:id:sgln:4012345.00001.0': [2],
      [`/epcs/${epcOf(7)}`]: [2],
    }
    for (const [path, ids] of Object.entries(below)) {
      t.match((await acme('GET', path)).body, { type: 'Collection', member: ['events'] })
      const answer = await acme('GET', `${path}/events`)
      t.strictSame(answer.status === 200 ? idsOf(answer).sort() : answer.body, ids, path)
    }
    t.strictSame((await acme('GET', '/readPoints')).body.member, ['https://id.gs1.org/414/4012345000016'])
    t.match((await acme('GET', '/bizSteps')).body.member, { length: 30 })
    t.match((await acme('GET', '/epcs?perPage=2')).body.member, { length: 2 })
  },
)

t.test(
  'given EPCs and classes in any form, when they are asked for by patterns or in another form, then they are found',
  async (t) => {
    const { acme } = await server()
    const ofClass = (count: number, epcClass: string) =>
      event(count, { epcList: [], quantityList: [{ epcClass, quantity: 1 }] })
    const ofEpc = (count: number, epc: string) => event(count, { epcList: [epc] })
    const { headers } = await acme(
      'POST',
      '/capture',
      captured([
        ofClass(1, 'urn:epc:idpat:sgtin:4054739.099914.*'),
        ofClass(2, 'https://id.gs1.org/01/04012345123456'),
        ofClass(3, 'urn:epc:class:lgtin:4012345.012345.L-1'),
        ofClass(4, 'https://shop.example/01/04012345123456/10/L-2'),
        ofClass(5, 'urn:epc:idpat:grai:4012345.00001.*'),
        ofEpc(6, epcOf(1)),
        ofEpc(7, 'https://id.gs1.org/01/04012345111118/21/7.8'),
        ofEpc(8, 'urn:epc:id:sgtin:4012345.111111.1'),
        ofEpc(9, 'urn:epc:id:sscc:4012345.0000000001'),
        ofEpc(10, 'urn:epc:id:grai:4012345.00001.R1'),
        ofEpc(11, 'urn:epc:id:giai:4012345.A+1'),
      ]),
    )
    t.match((await acme('GET', String(headers.get('location')))).body, { success: true })
    const expected: Readonly<Record<string, readonly number[]>> = {
      'MATCH_epcClass=urn:epc:idpat:sgtin:4054739.099914.*': [1],
      'MATCH_epcClass=https://id.gs1.org/01/04054739999148': [1],
      'MATCH_anyEPCClass=urn:epc:idpat:sgtin:4012345.012345.*': [2],
      'MATCH_anyEPCClass=urn:epc:idpat:sgtin:4012345.*.*|urn:epc:class:lgtin:4012345.012345.L-2': [2, 4],
      'MATCH_inputEPCClass=urn:epc:idpat:sgtin:4012345.*.*': [],
      'MATCH_epcClass=urn:epc:class:lgtin:4012345.012345.L-1': [3],
      'MATCH_epcClass=https://id.gs1.org/01/04012345123456/10/L-1': [3],
      'MATCH_epcClass=urn:epc:idpat:lgtin:4012345.012345.*': [3, 4],
      'MATCH_epcClass=urn:epc:idpat:lgtin:4012345.*.*': [3, 4],
      'MATCH_epcClass=urn:epc:idpat:grai:4012345.00001.*': [5],
      'MATCH_epc=urn:epc:idpat:sgtin:4012345.011111.*': [6, 7],
      'MATCH_epc=urn:epc:idpat:sgtin:4012345.111111.*': [8],
      'MATCH_epc=urn:epc:idpat:sgtin:4012345.011111.7*8|urn:epc:idpat:sgtin:4012345.011111.1': [6],
      'MATCH_epc=urn:epc:idpat:sgtin:4012345.*.*': [6, 7, 8],
      'MATCH_anyEPC=urn:epc:idpat:sgtin:*.*.*': [6, 7, 8],
      'MATCH_epc=urn:epc:idpat:sscc:4012345.*': [9],
      'MATCH_epc=urn:epc:idpat:sscc:*.*': [9],
      'MATCH_epc=urn:epc:idpat:sscc:4012346.*': [],
      'MATCH_epc=urn:epc:idpat:grai:4012345.*.*': [10],
      'MATCH_epc=urn:epc:idpat:giai:4012345.*|urn:epc:id:sscc:4012345.0000000001': [9, 11],
      'MATCH_parentID=urn:epc:idpat:sscc:*.*': [],
    }
    for (const [query, ids] of Object.entries(expected)) {
      const answer = await acme('GET', `/events?orderDirection=ASC&${query}`)
      t.strictSame(answer.status === 200 ? idsOf(answer) : answer.body, ids, query)
    }
    const name = { name: 'parcels', query: { MATCH_anyEPC: ['urn:epc:idpat:sscc:4012345.*'] } }
    await acme('POST', '/queries', name)
    t.strictSame(idsOf(await acme('GET', '/queries/parcels/events')), [9], 'a named query, too')
  },
)

t.test(
  'given words and types of any spelling, when they are asked for in any other, then the events are the same',
  async (t) => {
    const { acme } = await server()
    const report = (type: string) => [{ sensorReport: [{ type, value: 26, uom: 'CEL' }] }]
    const { headers } = await acme(
      'POST',
      '/capture',
      captured([
        event(1, {
          bizStep: 'receiving',
          sensorElementList: report('Temperature'),
          sourceList: [{ type: 'owning_party', source: 'urn:epc:id:pgln:4012345.00001' }],
          bizTransactionList: [{ type: 'po', bizTransaction: 'https://example.org/po/7' }],
        }),
        event(2, {
          bizStep: 'ex:polishing',
          sensorElementList: report('ex:Shock'),
          destinationList: [{ type: 'ex:door', destination: 'urn:epc:id:pgln:4012345.00001' }],
          bizTransactionList: [{ type: 'ex:order', bizTransaction: 'ex:po-8' }],
        }),
      ]),
    )
    t.match((await acme('GET', String(headers.get('location')))).body, { success: true })
    const expected: Readonly<Record<string, readonly number[]>> = {
      'EQ_type=Temperature': [1],
      'EQ_type=gs1:Temperature': [1],
      'EQ_type=https://gs1.org/voc/Temperature': [1],
      'EQ_type=ex:Shock': [2],
      'EQ_type=https://ns.example/epcis/Shock|gs1:Temperature': [1, 2],
      'EQ_bizStep=cbv:BizStep-receiving': [1],
      'EQ_bizStep=https://ref.gs1.org/cbv/BizStep-receiving': [1],
      'EQ_bizStep=ex:polishing': [2],
      'EQ_bizStep=https://ns.example/epcis/polishing': [2],
      'EQ_bizTransaction_cbv:BTT-po=https://example.org/po/7': [1],
      'EQ_bizTransaction_urn:epcglobal:cbv:btt:po=https://example.org/po/7': [1],
      'EQ_bizTransaction_ex:order=ex:po-8': [2],
      'EQ_bizTransaction_https://ns.example/epcis/order=https://ns.example/epcis/po-8': [2],
      'EQ_source_https://ref.gs1.org/cbv/SDT-owning_party=https://id.gs1.org/417/4012345000016': [1],
      'EQ_destination_ex:door=urn:epc:id:pgln:4012345.00001': [2],
    }
    for (const [index, [query, ids]] of Object.entries(expected).entries()) {
      const asked = { 'GS1-Extensions': 'ex=https://ns.example/epcis/, other=https://other.example/' }
      const answer = await acme('GET', `/events?orderDirection=ASC&${query}`, undefined, asked)
      t.strictSame(answer.status === 200 ? idsOf(answer) : answer.body, ids, query)
      const [parameter = '', value = ''] = query.split('=')
      const named = {
        '@context': { ex: 'https://ns.example/epcis/' },
        orderDirection: 'ASC',
        [parameter]: value.split('|'),
      }
      await acme('POST', '/queries', { name: `q${index}`, query: named })
      t.strictSame(idsOf(await acme('GET', `/queries/q${index}/events`)), ids, `${query}, as a named query`)
    }
  },
)

t.test(
  'given extensions, master data of items and parts of places, when queries ask for them, then their events are found',
  async (t) => {
    const { acme } = await server()
    const seal = { 'ex:number': 'A-17', 'ex:at': '2026-06-10T09:00:00+02:00', 'ex:weights': [{ 'ex:kilos': 12 }] }
    const sent = [
      event(1, {
        'ex:seal': seal,
        readPoint: { id: 'urn:epc:id:sgln:4012345.00001.D-7', 'ex:door': 'left' },
        bizLocation: { id: 'urn:epc:id:sgln:4012345.00001.0' },
      }),
      event(2, {
        ilmd: { 'ex:lot': 'L-1', 'cbvmda:bestBefore': '2027-01-01', 'ex:origin': { 'ex:country': 'TW' } },
        'ex:flag': true,
        action: 'ADD',
        sensorElementList: [{ sensorReport: [{ type: 'Temperature', value: 1, uom: 'CEL', 'ex:probe': 'P' }] }],
      }),
      event(3, {
        readPoint: { id: 'https://id.gs1.org/414/4012345000016' },
        errorDeclaration: { declarationTime: '2026-06-12T08:00:00Z', 'ex:by': 'audit' },
      }),
    ]
    const inXml = `<?xml version="1.0"?><e:EPCISDocument xmlns:e="urn:epcglobal:epcis:xsd:2" xmlns:y="https://ns.example/epcis/"
 schemaVersion="2.0" creationDate="2026-06-10T12:00:00Z"><EPCISBody><EventList><ObjectEvent>
<eventTime>2026-06-10T09:30:00Z</eventTime><eventTimeZoneOffset>+00:00</eventTimeZoneOffset><eventID>${uuid(4)}</eventID>
<epcList><epc>${epcOf(1)}</epc></epcList><action>ADD</action><ilmd><y:lot>L-1</y:lot></ilmd><y:count>4.50</y:count>
</ObjectEvent></EventList></EPCISBody></e:EPCISDocument>`
    for (const document of [captured(sent), inXml]) {
      const { headers } = await acme('POST', '/capture', document)
      t.match((await acme('GET', String(headers.get('location')))).body, { success: true, errors: [] })
    }
    const ns = 'https://ns.example/epcis/'
    const expected: Readonly<Record<string, readonly number[]>> = {
      'EQ_ex:count=2|3': [2, 3],
      [`EQ_${ns}%23count=2`]: [2],
      [`EQ_${ns}count=2`]: [2],
      'GE_ex:count=3': [3, 4],
      'GT_ex:count=4.4': [4],
      'LT_ex:count=2': [1],
      'LE_ex:count=2': [1, 2],
      'EQ_ex:flag=true': [2],
      'EQ_ex:number=A-17': [],
      'EQ_INNER_ex:number=A-17': [1],
      'GE_INNER_ex:at=2026-06-10T07:00:00Z': [1],
      'LT_INNER_ex:at=2026-06-10T07:00:00Z': [],
      'GT_INNER_ex:kilos=11': [1],
      'EXISTS_ex:seal=true': [1],
      'EXISTS_INNER_ex:kilos=true': [1],
      'EXISTS_INNER_ex:seal=true': [],
      'EQ_ILMD_ex:lot=L-1': [2, 4],
      'EQ_ILMD_urn:epcglobal:cbv:mda%23bestBefore=2027-01-01': [2],
      'EXISTS_ILMD_cbvmda:bestBefore=true': [2],
      'EQ_INNER_ILMD_ex:country=TW': [2],
      'EXISTS_INNER_ILMD_ex:lot=true': [],
      'EQ_ERROR_DECLARATION_ex:by=audit': [3],
      'EQ_readPoint_ex:door=left': [1],
      'EQ_SENSORREPORT_ex:probe=P': [2],
      'EXISTS_ilmd=true': [2, 4],
      'EXISTS_sensorElementList=true': [2],
      'EXISTS_errorDeclaration=true': [3],
      'EXISTS_errorDeclaration=false': [1, 2, 3, 4],
      'WD_readPoint=urn:epc:id:sgln:4012345.00001.0': [1, 3],
      'WD_readPoint=https://id.gs1.org/414/4012345000016/254/D-7': [1],
      'WD_readPoint=https://id.gs1.org/414/4012345000023': [],
      'WD_bizLocation=https://id.gs1.org/414/4012345000016': [1],
      'EQ_ILMD_ex:lot=L-1&EQ_ex:flag=true': [2],
    }
    const declaring = { 'GS1-Extensions': 'ex=https://ns.example/epcis/' }
    for (const [query, ids] of Object.entries(expected)) {
      const answer = await acme('GET', `/events?${query}`, undefined, declaring)
      t.strictSame(answer.status === 200 ? idsOf(answer).sort() : answer.body, ids, query)
    }
    const query = { '@context': { it: ns }, 'EQ_ILMD_it:lot': ['L-1'] }
    t.equal((await acme('POST', '/queries', { name: 'lots', query })).status, 201)
    t.strictSame(idsOf(await acme('GET', '/queries/lots/events')).sort(), [2, 4], 'a named query, too')
  },
)

t.test(
  'given sensor values and quantities, when a query compares them in any unit, then they are converted',
  async (t) => {
    const { acme } = await server()
    const report = (...sensorReport: readonly Event[]) => ({ sensorElementList: [{ sensorReport }] })
    const events = [
      event(1, report({ type: 'Temperature', value: 26, uom: 'CEL', percRank: 50, percValue: 25, sDev: 0.9 })),
      event(2, report({ type: 'Temperature', minValue: 36.5, maxValue: 78.8, meanValue: 50, uom: 'FAH' })),
      event(3, report({ type: 'Speed', value: 36, uom: 'KMH', time: '2026-06-10T07:00:00Z' })),
      event(4, { quantityList: [{ epcClass: 'urn:epc:class:lgtin:4012345.012345.L1', quantity: 1.5, uom: 'TNE' }] }),
      event(5, report({ type: 'ex:Shock', value: 7, uom: 'OWN' }, { type: 'Temperature', value: -4, uom: 'CEL' })),
    ]
    const { headers } = await acme('POST', '/capture', captured(events))
    t.match((await acme('GET', String(headers.get('location')))).body, { success: true })
    const expected: Readonly<Record<string, readonly number[]>> = {
      'GE_value_CEL=26': [1],
      'GT_value_CEL=26': [],
      'EQ_value_FAH=78.8': [1],
      'EQ_value_KEL=299.15': [1],
      'LT_value_CEL=0': [5],
      'EQ_maxValue_CEL=26': [2],
      'LE_minValue_CEL=2.5': [2],
      'GE_meanValue_CEL=10': [2],
      'EQ_sDev_FAH=1.62': [1],
      'EQ_percRank=50&EQ_percValue_CEL=25': [1],
      'EQ_value_MTS=10': [3],
      'EQ_value_OWN=7': [5],
      'GE_value_LUX=0': [],
      'EQ_quantity_KGM=1500': [4],
      'LT_quantity_LTR=9999': [],
      'GE_time=2026-06-10T07:00:00Z&LT_time=2026-06-10T07:00:01Z': [3],
    }
    for (const [query, ids] of Object.entries(expected)) {
      const answer = await acme('GET', `/events?orderDirection=ASC&${query}`)
      t.strictSame(answer.status === 200 ? idsOf(answer) : answer.body, ids, query)
    }
  },
)

t.test(
  'given events with keys and words in one form, when another is asked for, then answers have that form',
  async (t) => {
    const { acme } = await server()
    const shop = 'https://shop.example/01/04012345111118/21/2?17=270101'
    const urn = 'urn:epc:id:sgtin:4012345.011111.2'
    const whole = event(2, {
      epcList: [shop, 'urn:epc:id:sscc:4012345.0000000001'],
      readPoint: { id: 'https://id.gs1.org/414/9999999000003' },
      bizTransactionList: [{ type: 'po', bizTransaction: 'urn:epcglobal:cbv:bt:1' }],
      quantityList: [{ epcClass: 'urn:epc:idpat:sgtin:4012345.011111.*' }],
      sensorElementList: [
        {
          sensorMetadata: { deviceID: 'urn:epc:id:giai:4012345.A7' },
          sensorReport: [{ type: 'Temperature', value: 1 }],
        },
      ],
      'ex:link': urn,
    })
    await acme('POST', '/capture', captured([whole]))
    const asked = (format: Event, path = '/events') => acme('GET', path, undefined, format as Record<string, string>)
    const json = async (format: string) => {
      const answer = await asked({ 'GS1-EPC-Format': format })
      t.equal(answer.headers.get('gs1-epc-format'), format)
      return eventsOf(answer)[0] as Event
    }
    t.strictSame(await json('Never_Translates'), whole)
    t.match(await json('Always_EPC_URN'), {
      epcList: [urn, 'urn:epc:id:sscc:4012345.0000000001'],
      readPoint: { id: 'https://id.gs1.org/414/9999999000003' },
      quantityList: [{ epcClass: 'urn:epc:idpat:sgtin:4012345.011111.*' }],
    })
    t.match(await json('Always_GS1_Digital_Link'), {
      epcList: [shop, 'https://id.gs1.org/00/040123450000000016'],
      quantityList: [{ epcClass: 'https://id.gs1.org/01/04012345111118' }],
      sensorElementList: [{ sensorMetadata: { deviceID: 'https://id.gs1.org/8004/4012345A7' } }],
      'ex:link': urn,
    })
    const xml = { Accept: 'application/xml' }
    const web = await asked({
      ...xml,
      'GS1-EPC-Format': 'Always_GS1_Digital_Link',
      'GS1-CBV-XML-Format': 'Always_Web_URI',
    })
    t.equal(web.headers.get('gs1-cbv-xml-format'), 'Always_Web_URI')
    t.match(web.text, '<bizStep>https://ref.gs1.org/cbv/BizStep-shipping</bizStep>')
    t.match(web.text, 'type="https://ref.gs1.org/cbv/BTT-po"')
    t.match(web.text, '<epc>https://id.gs1.org/00/040123450000000016</epc>')
    t.match(web.text, 'deviceID="https://id.gs1.org/8004/4012345A7"')
    t.match(web.text, `>${urn}</ex:link>`)
    await isFaultless(t, xsdJudge, web)
    t.match(
      (await asked({ ...xml, 'GS1-CBV-XML-Format': 'Always_URN' })).text,
      '<bizStep>urn:epcglobal:cbv:bizstep:shipping<',
    )
    const listed = await asked({ 'GS1-EPC-Format': 'Always_EPC_URN' }, '/readPoints')
    t.match(listed.body, { member: ['https://id.gs1.org/414/9999999000003'] })
    t.equal((await asked({ 'GS1-EPC-Format': 'Sometimes' })).status, 406)
    await acme('POST', '/queries', { name: 'all', query: {} })
    t.strictSame(idsOf(await asked({ 'GS1-EPC-Format': 'Always_EPC_URN' }, `/events?MATCH_epc=${urn}`)), [2])
  },
)

t.test('given a parameter that is not offered or wrong, when it asks, then the refusal names it', async (t) => {
  const { acme } = await server()
  for (const [query, status, type] of [
    ['HASATTR_readPoint=urn:epcglobal:cbv:mda#latitude', 400, 'QueryParameterException'],
    ['EQATTR_readPoint_urn:epcglobal:cbv:mda%23latitude=1', 400, 'QueryParameterException'],
    ['WD_disposition=stolen', 400, 'QueryParameterException'],
    ['EXISTS_colour=true', 400, 'QueryParameterException'],
    ['EXISTS_ilmd=maybe', 400, 'QueryParameterException'],
    ['GT_https://ns.example/epcis/%23count=many', 400, 'QueryParameterException'],
    ['GE_value_CEL=warm', 400, 'QueryParameterException'],
    ['MATCH_epc=urn:epc:id:sgtin:4012345.011111.*', 400, 'QueryParameterException'],
    ['MATCH_epc=urn:epc:idpat:sgtin:*.011111.*', 400, 'QueryParameterException'],
    ['MATCH_epc=urn:epc:idpat:sgtin:4012345.*', 400, 'QueryParameterException'],
    ['MATCH_epcClass=urn:epc:idpat:nothing:4012345.*.*', 400, 'QueryParameterException'],
    ['MATCH_epc=https://id.gs1.org/01/04012345111118/21/*', 400, 'QueryParameterException'],
    ['EQ_example:note=7', 400, 'QueryParameterException'],
    ['GE_value=7', 400, 'QueryParameterException'],
    ['EQ_action=LOOK', 400, 'QueryParameterException'],
    ['GE_eventTime=yesterday', 400, 'QueryParameterException'],
    ['GT_quantity=many', 400, 'QueryParameterException'],
    ['orderBy=colour', 400, 'QueryParameterException'],
    ['eventCountLimit=1&maxEventCount=1', 400, 'QueryParameterException'],
    ['color=red', 400, 'QueryParameterException'],
    ['perPage=none', 400, 'QueryParameterException'],
  ] as const) {
    const { body } = await acme('GET', `/events?${query}`)
    t.match(body, { status, type: `epcisException:${type}` }, query)
    if (!query.includes('&')) t.match(body.title, decodeURIComponent(query.slice(0, query.indexOf('='))))
  }
})

t.test('given a resource, when it is asked with a parameter that it does not have, then that is refused', async (t) => {
  const { acme } = await server()
  await acme('POST', '/capture', captured([event(1), event(2)]))
  await acme('POST', '/queries', { name: 'received', query: { EQ_bizStep: 'receiving' } })
  const resources = [
    ...['', '/capture', '/events', `/events/${encodeURIComponent(uuid(1))}`, '/eventTypes', '/eventTypes/ObjectEvent'],
    ...['/epcs', `/epcs/${epcOf(1)}`, `/epcs/${epcOf(1)}/events`, '/bizSteps', '/bizLocations', '/dispositions'],
    ...['/queries', '/queries/received', '/queries/received/subscriptions'],
  ]
  for (const path of resources)
    for (const name of ['utm_source', 'limit', '%24top', 'EQ_colour']) {
      const { status, body } = await acme('GET', `${path}?${name}=1`)
      t.match([status, body], [400, { status: 400, type: 'epcisException:QueryParameterException' }], `${path} ${name}`)
      t.match(body.title, decodeURIComponent(name))
    }
  t.match((await acme('GET', '/epcs?per_page=1')).body.title, 'did you mean perPage?')
  t.match((await acme('GET', '/events?EQ_bizstep=receiving')).body.title, 'did you mean EQ_bizStep?')
  t.match((await acme('GET', '/events?perPage=1&perPage=2')).body, { status: 400 })
  t.equal((await acme('GET', '/events?EQ_bizTransaction_urn:x:y=1')).status, 200, 'a parameter of a type of one’s own')
  const types = await acme('GET', '/eventTypes?perPage=2')
  t.equal(types.body.member.length, 2, 'a list that is the same for everybody has pages, too')
  t.match(types.headers.get('link'), /rel="next"/)
})

t.test(
  'given what is refused, then the answer is a problem of EPCIS with the headers that help, in the type that was asked for',
  async (t) => {
    const { acme, nobody } = await server()
    const large = captured([event(1, { 'ex:text': 'x'.repeat(17 * 1024 * 1024) })])
    const refused: readonly (readonly [answer: Answer, status: number, type: string])[] = [
      [await acme('GET', '/foo'), 404, 'epcisException:NoSuchResourceException'],
      [await nobody('POST', '/events/a/b/c', {}), 404, 'epcisException:NoSuchResourceException'],
      [await acme('GET', '/eventTypes/Foo'), 404, 'epcisException:NoSuchResourceException'],
      [await acme('GET', '/eventTypes/Foo/events'), 404, 'epcisException:NoSuchResourceException'],
      [await acme('GET', '/bizSteps/foo/events'), 404, 'epcisException:NoSuchResourceException'],
      [await acme('GET', '/dispositions/foo/events'), 404, 'epcisException:NoSuchResourceException'],
      [await acme('PUT', '/events', {}), 405, 'about:blank'],
      [await acme('GET', '/events', undefined, { Accept: 'text/csv' }), 406, 'epcisException:NotAcceptableException'],
      [await acme('POST', '/capture', large), 413, 'epcisException:CaptureLimitExceededException'],
      [await acme('POST', '/events', large), 413, 'epcisException:CaptureLimitExceededException'],
      [
        await acme('POST', '/queries', {}, { 'Content-Type': 'text/csv' }),
        415,
        'epcisException:UnsupportedMediaTypeException',
      ],
    ]
    for (const [{ status, headers, body }, expected, type] of refused) {
      t.match([status, headers.get('content-type')], [expected, 'application/problem+json'], type)
      t.match(body, { status: expected, type, title: /./ })
      const limits = ['gs1-epcis-capture-limit', 'gs1-epcis-capture-file-size-limit'].map((name) => headers.get(name))
      t.match(limits, expected === 413 ? [/^\d+$/, /^\d+$/] : [null, null])
      if (expected === 405) t.equal(headers.get('allow'), 'OPTIONS, GET, HEAD, POST')
    }
    const inXml = await acme('GET', '/foo', undefined, { Accept: 'application/xml' })
    t.match([inXml.headers.get('content-type'), inXml.text], ['application/problem+xml', /<type>epcisException:NoSuch/])
    t.equal((await acme('GET', '/eventTypes/urn:example:Own/events')).status, 200, 'a type of one’s own')
  },
)

t.test(
  'given a subscription, when OPTIONS or GET asks for it, then a header says from when on results follow',
  async (t) => {
    const { acme, other, nobody } = await server()
    await acme('POST', '/queries', { name: 'received', query: { EQ_bizStep: ['receiving'] } })
    const path = '/queries/received/subscriptions'
    const dest = 'http://127.0.0.1:8099/results'
    const begins = new Date(clock.now).toISOString()
    const stream = `${path}/${(await acme('POST', path, { dest, stream: true })).body.subscriptionID}`
    const hourly = `${path}/${(await acme('POST', path, { dest, schedule: { minute: '0' } })).body.subscriptionID}`
    const header = async (method: string, path: string) =>
      (await acme(method, path)).headers.get('gs1-query-min-record-time')
    for (const one of [stream, hourly])
      for (const method of ['OPTIONS', 'GET']) t.equal(await header(method, one), begins, `${method} ${one}`)
    t.teardown(() => {
      clock.now -= 5_400_000
    })
    clock.now += 5_400_000
    t.equal(
      await header('OPTIONS', hourly),
      new Date(clock.now - (clock.now % 3_600_000)).toISOString(),
      'the last time',
    )
    const open = await nobody('OPTIONS', stream)
    t.match([open.status, open.headers.get('gs1-query-min-record-time')], [204, null])
    t.equal((await other('OPTIONS', stream)).status, 404)
    t.equal((await acme('OPTIONS', `${path}/none`)).status, 404)
  },
)

t.test(
  'given a thing, when its events are asked for, then its provider gets them whole and the public as it may',
  async (t) => {
    const { acme, nobody, other } = await server()
    await acme('POST', '/capture', captured([event(1), event(4)]))
    const path = `/epcs/${encodeURIComponent(epcOf(1))}/events`
    t.strictSame(eventsOf(await acme('GET', path)), [event(4), event(1)])
    for (const client of [nobody, other]) {
      const seen = await client('GET', path)
      t.match(eventsOf(seen), [{ bizStep: 'shipping', 'otep:event_id': uuid(4) }, { bizStep: 'receiving' }])
      t.notMatch(seen.text, 'ex:count')
      await isFaultless(t, jsonSchemaJudge, seen)
    }
    t.equal(eventsOf(await nobody('GET', `${path}?EQ_bizStep=shipping`)).length, 1)
    t.match((await nobody('GET', `${path}?perPage=1`)).headers.get('link'), /rel="next"/)
    t.equal((await nobody('GET', `/epcs/${epcOf(9)}/events`)).status, 404)
  },
)

t.test('given a forgotten thing, when its events are looked for, then there is no trace of them', async (t) => {
  const { acme, operator, parts } = await server()
  await acme('POST', '/capture', captured([event(1), event(2)]))
  t.strictSame(idsOf(await acme('GET', '/events')), [2, 1])
  await call(otepForget, operator, { tracking_number: 'https://id.gs1.org/01/04012345111118/21/1' })
  for (const query of ['', `?MATCH_anyEPC=${epcOf(1)}`, `?EQ_eventID=${uuid(1)}`, '?orderBy=recordTime'])
    t.notMatch(idsOf(await acme('GET', `/events${query}`)), [1], query)
  t.strictSame((await acme('GET', '/epcs')).body.member, ['https://id.gs1.org/01/04012345111118/21/2'])
  t.equal((await acme('GET', `/events/${uuid(1)}`)).status, 404)
  const model = parts.models.models.find(({ name }) => name === 'epcis_events')
  const rows = model === undefined ? [] : await parts.models.rows(model, {})
  t.equal(new Set(rows.map(({ stream }) => stream)).size, 1, 'its rows are gone')
})

t.test('given a query, when it is named, then its events are those of its parameters, for its provider', async (t) => {
  const { acme, other } = await server()
  await acme('POST', '/capture', captured([event(1), event(2), event(3)]))
  const query = { eventType: ['ObjectEvent'], EQ_bizStep: ['receiving', 'holding'], orderDirection: 'ASC' }
  const created = await acme('POST', '/queries', { name: 'received', query })
  t.strictSame([created.status, created.headers.get('location')], [201, 'http://localhost/epcis/queries/received'])
  t.strictSame((await acme('GET', '/queries')).body, [{ name: 'received', query }])
  t.strictSame((await acme('GET', '/queries/received')).body, { name: 'received', query })
  const page = await acme('GET', '/queries/received/events?perPage=1')
  t.strictSame(idsOf(page), [1])
  const next = /<(.*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? ''
  t.strictSame(idsOf(await acme('GET', next)), [3])
  t.match((await acme('POST', '/queries', { name: 'received', query })).body, { status: 409 })
  t.match((await acme('POST', '/queries', { name: 'bad', query: { color: 'red' } })).body, {
    status: 400,
    title: /color/,
  })
  t.equal((await other('GET', '/queries/received/events')).status, 404)
  t.equal((await other('DELETE', '/queries/received')).status, 404)
  t.equal((await acme('DELETE', '/queries/received')).status, 204)
  t.strictSame((await acme('GET', '/queries')).body, [])
})

/** The results of a live response, as they come. */
async function* liveResults(response: Response) {
  let text = ''
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: ?(.*)/s)))
      if (fields.event === 'results') yield { id: String(fields.id), document: JSON.parse(fields.data) }
    }
  }
}

t.test(
  'given a live response of a query, then each result comes once, also after a break, until the query ends',
  async (t) => {
    const { acme, other, nobody, live, operator, clientOf } = await server()
    for (const client of [acme, other])
      await client('POST', '/queries', { name: 'received', query: { EQ_bizStep: ['receiving'] } })
    await acme('POST', '/capture', captured([event(1)]))
    const path = '/queries/received/events?stream=true'
    const first = await live(path)
    t.match([first.status, first.headers.get('content-type')], [200, /event-stream/])
    const results = liveResults(first)
    await other('POST', '/capture', captured([event(9)]))
    await acme('POST', '/capture', captured([event(2), event(3)]))
    const { value } = await results.next()
    t.match(value?.document, {
      type: 'EPCISQueryDocument',
      epcisBody: { queryResults: { queryName: 'received', resultsBody: { eventList: [event(3)] } } },
    })
    await isFaultless(t, jsonSchemaJudge, { text: JSON.stringify(value?.document) })
    await results.return()
    await acme('POST', '/capture', captured([event(5), event(7)]))
    const again = liveResults(await live(path, { 'Last-Event-ID': String(value?.id) }))
    const counts = [(await again.next()).value, (await again.next()).value].map(
      (one) => one?.document.epcisBody.queryResults.resultsBody.eventList[0]['ex:count'],
    )
    t.strictSame(counts, [5, 7])
    await acme('DELETE', '/queries/received')
    await acme('POST', '/capture', captured([event(11)]))
    t.equal((await again.next()).done, true, 'it ends with its query')

    await acme('POST', '/queries', { name: 'received', query: {} })
    const ofKey = liveResults(await live(path))
    await call(revokeProvider, operator, { name: 'acme' })
    clock.now += 1_000
    const { key } = await call(addProvider, operator, { name: 'acme', all_businesses: true })
    await clientOf(String(key))('POST', '/capture', captured([event(13)]))
    t.equal((await ofKey.next()).done, true, 'and with the key')
    t.equal((await other('GET', path, undefined, { Accept: 'application/json' })).status, 406)
    t.equal((await other('GET', '/queries/received/events', undefined, { Accept: 'text/event-stream' })).status, 406)
    t.match((await other('GET', `${path}&hour=1`)).body, { status: 501, title: /hour/ })
    t.match((await other('GET', path, undefined, { Upgrade: 'websocket' })).body, { status: 501, title: /websocket/ })
    const stranger = { Accept: 'text/event-stream', 'Last-Event-ID': String(value?.id) }
    t.equal((await other('GET', path, undefined, stranger)).status, 400, 'a result of another provider')
    t.equal((await nobody('GET', path)).status, 401)
  },
)

testWith(
  t,
  { openapi },
  'given the OpenAPI of GS1, when each of its operations is called, then it works, or is said not to be offered',
  async (t, { openapi }) => {
    const { acme } = await server()
    await acme(
      'POST',
      '/capture',
      captured([event(1), event(2, { bizLocation: { id: 'urn:epc:id:sgln:4012345.00001.0' } })]),
    )
    const values: Record<string, string> = {
      ...{ eventID: uuid(1), epc: epcOf(1), bizStep: 'receiving', bizLocation: 'urn:epc:id:sgln:4012345.00001.0' },
      ...{ readPoint: 'urn:epc:id:sgln:4012345.00001.0', disposition: 'stolen', eventType: 'ObjectEvent' },
      queryName: 'known',
      subscriptionID: '',
      captureID: (await acme('GET', '/capture')).body[0]?.captureID ?? '',
    }
    const subscription = { dest: 'http://127.0.0.1:8099/results', stream: true }
    const bodies: Readonly<Record<string, unknown>> = {
      '/queries/{queryName}/subscriptions': subscription,
      '/queries': { name: 'new', query: { EQ_action: ['ADD'] } },
      '/capture': captured([event(3)]),
      '/events': { '@context': ldContext, ...event(4) },
    }
    let works = 0
    for (const [path, methods] of Object.entries(openapi.paths)) {
      const known = resources.find((one) => one.path === path)
      t.ok(known, path)
      for (const [name, { responses }] of Object.entries(methods)) {
        const method = name.toUpperCase()
        if (!['GET', 'POST', 'DELETE', 'OPTIONS'].includes(method)) continue
        if (path.includes('{queryName}'))
          await acme('POST', '/queries', { name: 'known', query: { EQ_action: ['ADD'] } })
        if (path.includes('{subscriptionID}'))
          values.subscriptionID = (await acme('POST', '/queries/known/subscriptions', subscription)).body.subscriptionID
        const address = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? 'x'))
        const answer = await acme(method, address, method === 'POST' ? (bodies[path] ?? {}) : undefined)
        works++
        t.ok(
          responses[answer.status] !== undefined && answer.status < 300,
          `${method} ${path}: ${answer.status} ${answer.text.slice(0, 200)}`,
        )
        if (method === 'OPTIONS') t.match(answer.headers.get('allow'), 'OPTIONS')
        const validate = method === 'GET' ? bodySchema(openapi, responses[answer.status]) : undefined
        // One query is a list in the schema, and an object in the example beside it.
        const judged = path === '/queries/{queryName}' ? [answer.body] : answer.body
        if (validate !== undefined) t.ok(validate(judged), `${path} ${JSON.stringify(validate.errors)}`)
      }
    }
    t.equal(works, 63, 'all operations')
  },
)

t.test(
  'given two large captures of one key, when they come at once, then one is recorded after the other',
  async (t) => {
    const kept = createMemoryStore(() => clock.now)
    const running = { now: 0, most: 0 }
    const { acme } = await server({
      ...kept,
      appendMany: async (appends) => {
        if (appends.length < 500) return kept.appendMany(appends)
        running.most = Math.max(running.most, ++running.now)
        await setTimeout(20)
        running.now--
        return kept.appendMany(appends)
      },
    })
    const documentOf = (first: number) =>
      captured(
        Array.from({ length: 500 }, (_, index) => ({
          ...{ type: 'ObjectEvent', action: 'OBSERVE', bizStep: 'departing', eventTimeZoneOffset: '+00:00' },
          eventTime: '2026-06-10T09:30:00Z',
          epcList: [`urn:epc:id:sgtin:4012345.011111.${first + index}`],
          'example:note': 'x'.repeat(300),
        })),
      )
    const answers = await Promise.all([1, 1_000, 2_000].map((first) => acme('POST', '/capture', documentOf(first))))
    t.same(
      answers.map(({ status }) => status),
      [202, 202, 202],
    )
    t.equal(running.most, 1)
  },
)
