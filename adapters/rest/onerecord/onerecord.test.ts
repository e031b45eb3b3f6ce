import t from 'tap'
import { now, server } from '../server.test.fixture.ts'

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
