import { readFileSync } from 'node:fs'
import t from 'tap'
import { projectFile } from '../../../conformance/program/files.ts'
import { call as callOperation, createMemoryStore, en, otepIngest } from '../../../engine/index.ts'
import { createApp, createParts } from '../../main.ts'
import { listen } from '../../node/server.ts'
import { base, now, server } from '../server.test.fixture.ts'

type Json = Record<string, unknown>

const root = 'http://localhost:3000/onerecord'
const piece = `${root}/logistics-objects/tracking_number%3ASR1`
const cargo = 'https://onerecord.iata.org/ns/cargo#'
const iata = (code: string) => `https://onerecord.iata.org/ns/code-lists/StatusCode#${code}`

const scan = (event_id: string, status_code: string, occurred_at: string, more: object = {}) => ({
  ...{ event_id, status_code, occurred_at, subject: { tracking_number: 'SR1', order_id: 7 } },
  ...more,
})

const journey = [
  scan('e1', 'picked_up', '2026-06-10T08:00:00Z'),
  scan('e2', 'received', '2026-06-10T12:00:00Z', { location: { name: 'Depot' } }),
  scan('e3', 'delivered', '2026-06-11T09:00:00Z'),
]

/** A server on which the journey was recorded, and a client of ONE Record with the key of its provider. */
async function world(events: readonly object[] = journey) {
  const all = await server()
  for (const event of events) await all.ingest(event)
  const call = async (path: string, init: RequestInit = {}) => {
    const at = path.startsWith('http') ? new URL(path).pathname + new URL(path).search : `/onerecord${path}`
    const headers = { authorization: `Bearer ${all.key}`, ...(init.headers as Record<string, string>) }
    const response = await all.send(at, { ...init, headers })
    const text = await response.text()
    const isJson = /json/.test(response.headers.get('content-type') ?? '')
    return { status: response.status, headers: response.headers, text, body: isJson ? (JSON.parse(text) as Json) : {} }
  }
  return { ...all, call }
}

const listOf = (value: unknown): readonly Json[] =>
  value === undefined ? [] : ([value].flat() as unknown as readonly Json[])
const eventsOf = (body: Json) => listOf(body['api:hasItem'])
/** The ids of the events in an answer. */
const idsIn = (body: Json) => eventsOf(body).map((one) => String(one['@id']).replace(/^.*:/, ''))

t.test('given a server, when its root is read, then it says what it can do', async (t) => {
  const { call } = await world([])
  for (const path of ['', '/']) {
    const { status, headers, body } = await call(path)
    t.equal(status, 200)
    t.match(body, {
      '@type': 'api:ServerInformation',
      'api:hasServerEndpoint': { '@value': root },
      'api:hasSupportedApiVersion': ['2.3.0', '2.2.0'],
      'api:hasSupportedLanguage': 'en-US',
    })
    t.equal(headers.get('content-type'), 'application/ld+json; version=2.3.0')
    t.equal(headers.get('type'), 'https://onerecord.iata.org/ns/api#ServerInformation')
  }
})

t.test(
  'given a parcel, when it is read by any identifier, then it is a piece at one address, with its revision',
  async (t) => {
    const { call } = await world()
    const { status, headers, body } = await call(piece)
    t.equal(status, 200)
    t.match(body, {
      '@id': piece,
      '@type': 'cargo:Piece',
      'cargo:ofShipment': { '@id': `${root}/logistics-objects/order_id%3A7:shipment` },
    })
    t.match(Object.fromEntries(headers), {
      type: `${cargo}Piece`,
      revision: headers.get('latest-revision'),
      'last-modified': new Date(now).toUTCString(),
      'content-language': 'en-US',
    })
    const other = await call('/logistics-objects/SR1/logistics-events?limit=1')
    t.equal(other.status, 303)
    t.equal(other.headers.get('location'), `${piece}/logistics-events?limit=1`)
    const again = await call(piece, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
    t.equal(again.status, 304)
    t.match(await call('/logistics-objects/tracking_number%3ASR9'), {
      status: 404,
      body: { '@type': 'api:Error', 'api:hasErrorDetail': [{ 'api:hasCode': 'timeline_not_found' }] },
    })
  },
)

t.test(
  'given an order with two parcels, when its shipment is read, then it has both pieces and one waybill',
  async (t) => {
    const second = { subject: { tracking_number: 'SR2', external_tracking_number: '020-12345675', order_id: 7 } }
    const { call, send } = await world([...journey, { ...scan('f1', 'picked_up', '2026-06-10T08:00:00Z'), ...second }])
    const other = `${root}/logistics-objects/tracking_number%3ASR2`
    const { body } = await call('/logistics-objects/order_id%3A7:shipment?embedded=true')
    t.match(body, {
      '@type': 'cargo:Shipment',
      'cargo:pieces': [{ '@id': piece, 'cargo:otherIdentifiers': [{}, {}] }, { '@id': other }],
      'cargo:waybill': { '@type': 'cargo:Waybill' },
    })
    t.match((await call('/logistics-objects/order_id%3A7:waybill')).body, {
      'cargo:waybillPrefix': '020',
      'cargo:waybillNumber': '12345675',
      'cargo:shipment': { '@id': `${root}/logistics-objects/order_id%3A7:shipment` },
    })
    const events = await call('/logistics-objects/order_id%3A7:shipment/logistics-events')
    t.match([events.status, events.body['api:hasTotalItems']], [200, { '@value': '0' }])
    t.equal((await send('/onerecord/logistics-objects/order_id%3A7:shipment')).status, 404, 'a stranger sees none')
  },
)

t.test('given events, when they are asked for with any parameter of the standard, then it is obeyed', async (t) => {
  const { call } = await world()
  const found = async (query: string) => idsIn((await call(`${piece}/logistics-events?${query}`)).body)
  const all = await call(`${piece}/logistics-events`)
  t.equal(all.headers.get('type'), 'https://onerecord.iata.org/ns/api#Collection')
  t.same(idsIn(all.body), ['e1', 'e2', 'e3'])
  for (const [query, expected] of [
    ['event-code=DLV', ['e3']],
    ['eventType=DLV', ['e3']],
    [`eventCode=${encodeURIComponent(iata('DPU'))}`, ['e1']],
    ['event-code=DPU&event-code=FIW', ['e1', 'e2']],
    ['event-code=ZZZ', []],
    ['occurred-after=20260610T080000Z', ['e2', 'e3']],
    ['occurredBefore=2026-06-10T12:00:00.5Z', ['e1', 'e2']],
    ['occurred-after=20260610T080000Z&occurred-before=20260611T000000Z', ['e2']],
    ['created-after=20200101T000000Z', ['e1', 'e2', 'e3']],
    ['createdBefore=20200101T000000Z', []],
    ['limit=2', ['e1', 'e2']],
    ['limit=1&skip=1', ['e2']],
    ['skip=9', []],
    ['sort=desc', ['e3', 'e2', 'e1']],
    ['sort=-eventDate&limit=1', ['e3']],
    ['sort=creationDate', ['e1', 'e2', 'e3']],
  ] as const)
    t.same(await found(query), expected, query)
  const { body } = await call(`${piece}/logistics-events?limit=1&skip=1`)
  t.match(body['api:hasTotalItems'], { '@value': '3' }, 'all that match are counted')
  t.match(
    listOf(body['@included']).map((one) => one['@type']),
    ['cargo:Piece', 'cargo:Shipment', 'cargo:Waybill', 'cargo:Organization', 'cargo:Location'],
  )
})

t.test('given a parameter that is wrong or unknown, then it is refused with its name, and never ignored', async (t) => {
  const { call } = await world()
  for (const [at, query, name, code] of [
    ['/logistics-events', 'event-kind=DLV', 'event-kind', 'unknown_field'],
    ['/logistics-events', 'embedded=true', 'embedded', 'unknown_field'],
    ['/logistics-events', 'limit=0', 'limit', 'too_small'],
    ['/logistics-events', 'limit=many', 'limit', 'bad_pattern'],
    ['/logistics-events', 'limit=1&limit=2', 'limit', 'not_unique'],
    ['/logistics-events', 'sort=place', 'sort', 'unknown_value'],
    ['/logistics-events', 'occurred-after=yesterday', 'occurred-after', 'not_a_date_time'],
    ['/logistics-events', 'event-code=', 'event-code', 'required'],
    ['/logistics-events', 'event-code=DLV&eventType=DLV', 'eventType', 'not_unique'],
    ['', 'embedded=perhaps', 'embedded', 'unknown_value'],
    ['', 'limit=1', 'limit', 'unknown_field'],
    ['/audit-trail', 'updated-from=never', 'updated-from', 'not_a_date_time'],
    ['/audit-trail', 'status=DONE', 'status', 'unknown_value'],
  ] as const) {
    const { status, headers, body } = await call(`${piece}${at}?${query}`)
    t.equal(status, 400, query)
    t.match(headers.get('content-type'), 'application/ld+json')
    t.match(
      body['api:hasErrorDetail'],
      [
        {
          'api:hasCode': code,
          'api:hasMessage': new RegExp(`^${name}: `),
          'api:hasResource': { '@value': piece + at },
        },
      ],
      query,
    )
  }
})

t.test('given an event, when its own address is read, then it is there alone, with what it links to', async (t) => {
  const { call } = await world()
  const { body } = await call(`${piece}/logistics-events?event-code=FIW`)
  const [event] = eventsOf(body)
  const { status, headers, body: alone } = await call(String(event?.['@id']))
  t.equal(status, 200)
  t.match(alone, event ?? {})
  t.match(Object.fromEntries(headers), { type: `${cargo}LogisticsEvent`, location: event?.['@id'] })
  const place = (event?.['cargo:eventLocation'] as Json | undefined)?.['@id']
  t.match((await call(String(place))).body, { '@id': place, '@type': 'cargo:Location', 'cargo:locationName': 'Depot' })
  t.equal((await call(`${piece}/logistics-events/acme:none`)).status, 404)
})

t.test('given Accept, then its best version, form and type are served, and others are refused', async (t) => {
  const { call } = await world()
  const typeFor = async (accept: string) => {
    const { status, headers } = await call(`${piece}/logistics-events`, { headers: { accept } })
    return status === 200 ? headers.get('content-type') : status
  }
  const flat = 'http://www.w3.org/ns/json-ld#flattened'
  for (const [accept, expected] of [
    ['*/*', 'application/ld+json; version=2.3.0'],
    ['application/ld+json; version=2.2.0', 'application/ld+json; version=2.2.0'],
    ['application/ld+json;version=1.0.0', 406],
    ['application/ld+json;version=1.0.0, text/turtle;q=0.1', 'text/turtle; version=2.3.0'],
    ['text/turtle, application/ld+json;q=0.9', 'text/turtle; version=2.3.0'],
    ['text/turtle;q=0, application/json', 'application/json; version=2.3.0'],
    [`application/ld+json; profile="${flat}"`, `application/ld+json; version=2.3.0; profile="${flat}"`],
    ['text/csv', 406],
  ] as const)
    t.equal(await typeFor(accept), expected, accept)
  const turtle = await call(piece, { headers: { accept: 'text/turtle' } })
  t.match(turtle.text, `<${piece}> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <${cargo}Piece> .`)
  t.match((await call(piece, { headers: { accept: 'text/csv' } })).body, { '@type': 'api:Error' })
})

t.test('given a method that a resource does not have, then 405 says which ones it has', async (t) => {
  const { call } = await world()
  const { status, headers, body } = await call(piece, { method: 'PATCH' })
  t.match([status, headers.get('allow'), body['@type']], [405, 'OPTIONS, GET, HEAD', 'api:Error'])
  t.equal((await call(piece, { method: 'OPTIONS' })).status, 204)
  t.equal((await call('/nothing')).status, 404)
})

const context = { cargo, api: 'https://onerecord.iata.org/ns/api#' }

/** An event as a client writes it from the standard alone. */
const departed = (more: Json = {}) => ({
  '@context': context,
  '@type': 'cargo:LogisticsEvent',
  'cargo:eventDate': { '@type': 'http://www.w3.org/2001/XMLSchema#dateTime', '@value': '2026-06-10T18:00:00Z' },
  'cargo:eventCode': { '@id': iata('DEP'), '@type': 'cargo:CodeListElement' },
  'cargo:eventTimeType': { '@id': 'cargo:ACTUAL', '@type': 'cargo:EventTimeType' },
  'cargo:eventFor': { '@id': piece, '@type': 'cargo:Piece' },
  ...more,
})

t.test('given a posted event, then it is in the timeline once, with its code, and has its own address', async (t) => {
  const { call, get } = await world()
  const post = (event: object) =>
    call(`${piece}/logistics-events`, {
      ...{ method: 'POST', body: JSON.stringify(event) },
      headers: { 'content-type': 'application/ld+json; version=2.3.0' },
    })
  const first = await post(departed())
  const again = await post(departed())
  t.match([first.status, again.status], [201, 201], first.text)
  t.equal(first.headers.get('type'), `${cargo}LogisticsEvent`)
  const location = String(first.headers.get('location'))
  t.equal(again.headers.get('location'), location, 'the same event is the same resource')
  t.match((await call(location)).body, { 'cargo:eventDate': { '@value': '2026-06-10T18:00:00Z' } })
  const { 'cargo:eventCode': _, ...withoutCode } = departed()
  const free = { ...withoutCode, 'cargo:eventName': 'Waits for the plane' }
  t.equal((await post([free])).status, 201, 'a list of one is the expanded form')
  t.equal((await post({ ...free, 'cargo:eventCode': { '@id': 'https://c.example/codes#Ice on wing' } })).status, 201)
  const { data } = (await get(`${base}/trackings/SR1`)).body
  const posted = (data.events as unknown as readonly Json[]).filter((one) => String(one.occurred_at).includes('T18'))
  t.match(
    new Map(posted.map((one) => [one.status_code, one])),
    new Map<string, Json>([
      ['package_outbound', { source: { type: 'carrier_tracking', provider: 'acme', code: 'DEP' } }],
      ['x-observed', { description: 'Waits for the plane' }],
      ['x-ice_on_wing', { source: { code: 'Ice on wing' } }],
    ]),
  )
  t.equal(posted.length, 3)
})

t.test('given an event that cannot be recorded, then it is refused as the standard has it', async (t) => {
  const { call, send } = await world()
  const post = (event: unknown, at = piece, headers: Record<string, string> = {}) =>
    call(`${at}/logistics-events`, {
      ...{ method: 'POST', body: JSON.stringify(event) },
      headers: { 'content-type': 'application/ld+json', ...headers },
    })
  const path = '/onerecord/logistics-objects/tracking_number%3ASR1/logistics-events'
  t.equal((await send(path, { method: 'POST', body: '{}' })).status, 401)
  t.equal((await post(departed(), `${root}/logistics-objects/tracking_number%3ASR9`)).status, 404)
  t.equal((await post(departed(), piece, { 'content-type': 'text/turtle' })).status, 415)
  for (const [event, code] of [
    [departed({ 'cargo:eventTimeType': { '@id': 'cargo:PLANNED' } }), 'unknown_value'],
    [departed({ 'cargo:eventDate': 'tomorrow' }), 'not_a_date_time'],
    [departed({ 'cargo:eventFor': { '@id': `${piece}9` } }), 'unknown_value'],
    [departed({ 'cargo:eventCode': 'DEP' }), 'wrong_type'],
    [departed({ '@context': 'https://onerecord.iata.org/context.jsonld' }), 'unknown_context'],
    [{ '@context': context, '@graph': [departed({ '@id': 'urn:a' }), departed({ '@id': 'urn:b' })] }, 'unknown_value'],
    [[], 'unknown_value'],
    [{}, 'unknown_value'],
  ] as const) {
    const { status, body } = await post(event)
    t.match(
      [status, body['@type'], listOf(body['api:hasErrorDetail'])],
      [400, 'api:Error', [{ 'api:hasCode': code }]],
      JSON.stringify(event),
    )
  }
  t.match(
    (await call(`${piece}/logistics-events`)).body['api:hasTotalItems'],
    { '@value': '3' },
    'nothing was recorded',
  )
})

t.test(
  'given a document of this server in any form, when another one ingests it, then the timeline is the same',
  async (t) => {
    for (const [name, number] of [
      ['happy-path', 'SR260610041'],
      ['returned', undefined],
      ['house-move', undefined],
      ['meal', undefined],
    ] as const) {
      const text = readFileSync(projectFile('docs', 'examples', `${name}.json`), 'utf8')
      const { subject } = JSON.parse(text)
      const id = encodeURIComponent(String(number ?? subject.tracking_number ?? subject.piece_id))
      const one = await server()
      await one.post(`${base}/ingest`, text)
      const forms = ['compacted', 'expanded', 'flattened'].map(
        (form) => `application/ld+json; profile="http://www.w3.org/ns/json-ld#${form}"`,
      )
      for (const accept of forms) {
        const at = await one.send(`/onerecord/logistics-objects/${id}/logistics-events`, {
          headers: { authorization: `Bearer ${one.key}` },
        })
        const { pathname } = new URL(String(at.headers.get('location')))
        const document = await one.send(pathname, { headers: { accept, authorization: `Bearer ${one.key}` } })
        const other = await server()
        const taken = await other.post(`${base}/ingest?format=onerecord`, await document.text())
        t.equal(taken.status, 200, `${name} ${accept}`)
        const story = async ({ get }: typeof other) => {
          const { data } = (await get(`${base}/trackings/${id}`)).body
          const events = data.events as unknown as readonly Json[]
          // Times are in UTC, and the note of a proof is lost.
          return [
            data.subject,
            data.current_status,
            events.map((event) => [
              Date.parse(String(event.occurred_at)),
              event.event_id,
              event.status_code,
              event.incident_reason,
            ]),
          ]
        }
        t.same(await story(other), await story(one), `${name} ${accept}`)
      }
    }
  },
)

t.test(
  'given a client over HTTP that knows the standard alone, then it finds, filters, posts and reads back',
  async (t) => {
    const { store, key, ingest } = await server()
    for (const event of journey) await ingest(event)
    const app = createApp({ store, clock: () => now, publicView: 'reduced' })
    const socket = await listen((request, env) => app.fetch(request, env), { port: 0, host: '127.0.0.1' })
    t.teardown(() => socket.close())
    const address = `http://127.0.0.1:${socket.port}`
    /** Addresses in documents are those of the public name of the server, which is not this socket. */
    const ask = async (uri: string, init: RequestInit = {}, bearer = key) => {
      const { pathname, search } = new URL(uri, address)
      const headers = {
        authorization: `Bearer ${bearer}`,
        connection: 'close',
        ...(init.headers as Record<string, string>),
      }
      const response = await fetch(`${address}${pathname}${search}`, { ...init, headers, redirect: 'manual' })
      const text = await response.text()
      return { status: response.status, headers: response.headers, body: text === '' ? {} : (JSON.parse(text) as Json) }
    }
    const information = await ask('/onerecord/')
    const endpoint = (information.body['api:hasServerEndpoint'] as Json | undefined)?.['@value']
    const elsewhere = await ask(`${endpoint}/logistics-objects/SR1`)
    const found = await ask(String(elsewhere.headers.get('location')))
    t.equal(found.body['@id'], piece)
    const posted = await ask(`${piece}/logistics-events`, {
      ...{ method: 'POST', body: JSON.stringify(departed()) },
      headers: { 'content-type': 'application/ld+json' },
    })
    t.equal(posted.status, 201)
    const only = await ask(`${piece}/logistics-events?occurred-after=20260610T170000Z&sort=desc&limit=1&skip=1`)
    t.equal(eventsOf(only.body)[0]?.['@id'], posted.headers.get('location'))
    t.equal((await ask(piece, {}, 'wrong')).status, 401, 'wrong credentials are refused')
    const open = await fetch(`${address}${new URL(piece).pathname}`, { headers: { connection: 'close' } })
    t.notMatch(await open.text(), /ofShipment|order_id/, 'the public sees no order')
  },
)

t.test(
  'given a piece that got another identifier, when it is read as it was before, then it has its former revision',
  async (t) => {
    const clock = { now }
    const store = createMemoryStore(() => clock.now)
    const options = { store, clock: () => clock.now, publicView: 'full' as const }
    const app = createApp(options)
    const caller = { kind: 'operator', name: 'test', scopes: ['otep:ingest'] } as const
    const operator = { ...createParts(options), caller, messages: en, requestId: 'test' }
    const push = (event: object) => callOperation(otepIngest, operator, { document: event })
    await push(scan('e1', 'picked_up', '2026-06-10T08:00:00Z', { subject: { tracking_number: 'SR1' } }))
    clock.now += 60_000
    await push(scan('e2', 'received', '2026-06-10T12:00:00Z', { subject: { tracking_number: 'SR1', piece_id: 'P1' } }))
    const read = async (query: string) => {
      const response = await app.request(`${new URL(piece).pathname}${query}`)
      const revision = Number(response.headers.get('revision'))
      const latest = Number(response.headers.get('latest-revision'))
      const modified = response.headers.get('last-modified')
      return { status: response.status, revision, latest, modified, body: (await response.json()) as Json }
    }
    const [present, former] = [await read(''), await read(`?at=${compact(now + 1_000)}`)]
    t.match([present.body['cargo:upid'], former.body['cargo:upid']], ['P1', undefined])
    t.ok(former.revision < former.latest && former.latest === present.revision && present.revision === present.latest)
    t.equal(former.modified, new Date(now).toUTCString())
    t.equal((await read(`?at=${compact(now - 1_000)}`)).status, 404, 'there was none')
    const trail = await read('/audit-trail?updated-from=20200101T000000Z&status=REQUEST_PENDING')
    t.match(trail.body, { '@type': 'api:AuditTrail', 'api:hasLatestRevision': { '@value': String(present.latest) } })
  },
)

/** An instant in the basic format, as the standard writes parameters. */
function compact(at: number): string {
  return new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')
}
