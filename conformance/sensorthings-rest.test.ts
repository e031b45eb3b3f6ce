import fc from 'fast-check'
import t from 'tap'
import { world } from '../adapters/auth/world.test.fixture.ts'
import { server } from '../adapters/rest/server.test.fixture.ts'
import { addProvider, call, en } from '../engine/index.ts'
import { runs } from '../engine/testing/runs.test.fixture.ts'

import { answerFaults } from './judges/sensorthings/answers.ts'

const root = '/sensorthings/v1.1'

/** An answer as a client sees it that knows nothing but the standard. */
interface Answer {
  readonly status: number
  readonly body: Entity
}

interface Entity {
  readonly [member: string]: unknown
  readonly value: readonly Entity[]
  readonly '@iot.nextLink': string
  readonly '@iot.selfLink': string
  readonly '@iot.count': number
}

/** A client of the service at an address; links are absolute. */
function clientOf(send: (path: string, init?: RequestInit) => Promise<Response> | Response, key?: string) {
  async function get(path: string): Promise<Answer> {
    const { pathname, search } = new URL(path, 'http://localhost:3000')
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
    const response = await send(`${pathname}${search}`, { headers })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') ?? false
    const body = isJson ? JSON.parse(text) : text
    const faults = response.status === 200 ? answerFaults(new URL(path, 'http://localhost:3000').href, body) : []
    if (faults.length > 0) throw new Error(`${path}: ${faults.slice(0, 5).join('; ')}`)
    return { status: response.status, body }
  }
  /** All pages of a list. */
  async function all(path: string): Promise<{ readonly pages: number; readonly entities: readonly Entity[] }> {
    const entities: Entity[] = []
    let [next, pages]: [string | undefined, number] = [`${root}/${path}`, 0]
    while (next !== undefined && pages < 100) {
      const { status, body }: Answer = await get(next)
      if (status !== 200) throw new Error(JSON.stringify(body))
      entities.push(...body.value)
      next = body['@iot.nextLink']
      pages++
    }
    return { pages, entities }
  }
  return { get: (path: string) => get(path.startsWith('http') ? path : root + path), all }
}

/** A server with parcels at several places, reported by a provider for all businesses. */
async function filled(count = 3) {
  const made = await server()
  const outcomes = []
  for (let at = 1; at <= count; at++) {
    const event = (status_code: string, hour: string, location: object, type: string) => ({
      ...{ event_id: `${status_code}-${at}`, status_code, occurred_at: `2026-06-1${at}T${hour}:00:00-04:00`, location },
      source: { type },
    })
    const document = {
      subject: { tracking_number: `SR${at}` },
      events: [
        event('received', '09', { name: 'Toronto', latitude: 43.64, longitude: -79.38 }, 'node_scan'),
        event('arrival_scan', '12', { name: 'Ottawa', latitude: 45.42, longitude: -75.69 }, 'carrier_tracking'),
        event('out_for_delivery', '15', {}, 'node_scan'),
      ],
    }
    outcomes.push(await made.ingest(document))
  }
  return { ...made, client: clientOf(made.send, made.key), stranger: clientOf(made.send), outcomes }
}

const idsOf = (entities: readonly Entity[]) => entities.map((entity) => String(entity['@iot.id']))

t.test('given parcels, when a client reads the root, then it finds the sets and what is met', async (t) => {
  const { client } = await filled(1)
  const { body } = await client.get('')
  t.same(
    body.value.map(({ name }) => name),
    [
      'Things',
      'Locations',
      'HistoricalLocations',
      'Datastreams',
      'Sensors',
      'ObservedProperties',
      'Observations',
      'FeaturesOfInterest',
    ],
  )
  t.match(body, { serverSettings: { conformance: [/req\/datamodel\/thing$/] } })
  for (const { url } of body.value) t.equal((await client.get(String(url))).status, 200)
})

t.test(
  'given parcels, when a client pages through each set, then each entity comes once, and the links end',
  async (t) => {
    const { client } = await filled()
    const counts = {
      Things: 3,
      Locations: 6,
      HistoricalLocations: 6,
      Datastreams: 6,
      Sensors: 6,
      Observations: 9,
      FeaturesOfInterest: 9,
    }
    for (const [set, count] of Object.entries(counts))
      for (const query of [
        '$top=2',
        '$top=2&$orderby=id desc',
        '$top=2&$count=true',
        '$top=4&$orderby=description,id&$select=id',
      ].slice(0, set === 'Observations' || set === 'HistoricalLocations' ? 3 : 4)) {
        const { pages, entities } = await client.all(`${set}?${query}`)
        t.equal(new Set(idsOf(entities)).size, count, `${set}?${query}`)
        t.equal(entities.length, count)
        t.equal(pages, Math.ceil(count / Number(query[5])))
      }
    const skipped = await client.all('Observations?$top=2&$skip=4')
    t.equal(skipped.entities.length, 5)
    const { body } = await client.get('/Observations?$count=true&$top=0')
    t.match(body, { '@iot.count': 9, value: [] })
    t.notOk('@iot.nextLink' in body)
    t.equal((await client.get('/Observations/$count')).body as unknown, '9')
  },
)

t.test('given parcels, when a client follows every link, then each leads to what it says', async (t) => {
  const { client, stranger } = await filled(1)
  for (const one of [client, stranger]) {
    const seen = new Set<string>()
    const { body } = await one.get("/Things('SR1')")
    const open = [...linksIn(body)]
    for (let link = open.pop(); link !== undefined; link = open.pop()) {
      if (seen.has(link)) continue
      seen.add(link)
      const answer = await one.get(link)
      t.equal(answer.status, 200, link)
      if (/\)$/.test(link)) t.equal(answer.body['@iot.selfLink'], link)
      open.push(...linksIn(answer.body))
    }
    t.ok(seen.size > 40)
  }
})

t.test('given parcels, when a client filters and expands, then it gets what it asks for', async (t) => {
  const { client } = await filled()
  const things = async (filter: string) =>
    idsOf((await client.all(`Things?$filter=${encodeURIComponent(filter)}`)).entities)
  t.same(await things("name eq 'SR2'"), ['tracking_number:SR2'])
  t.same(await things("properties/current_status eq 'out_for_delivery' and not (name eq 'SR2')"), [
    'tracking_number:SR1',
    'tracking_number:SR3',
  ])
  t.same(await things("Datastreams/Sensor/properties/type eq 'carrier_tracking' and endswith(name,'3')"), [
    'tracking_number:SR3',
  ])
  t.same(await things("st_within(Locations/location, geography'POLYGON ((-76 45, -75 45, -75 46, -76 46, -76 45))')"), [
    'tracking_number:SR1',
    'tracking_number:SR2',
    'tracking_number:SR3',
  ])
  const observations = await client.all(
    'Observations?$filter=day(phenomenonTime) eq 12 and hour(phenomenonTime) lt 15&$orderby=phenomenonTime desc&$expand=Datastream($select=name),FeatureOfInterest',
  )
  t.match(observations.entities, [
    { result: 'otep:parcel:arrival_scan', Datastream: { name: /./ }, FeatureOfInterest: { name: 'Ottawa' } },
    { result: 'otep:parcel:received' },
  ])
  t.same(Object.keys(observations.entities[0]?.Datastream as object), ['name'])
  const { body } = await client.get(
    "/Things('tracking_number:SR1')?$select=name&$expand=Datastreams($expand=Observations($top=1;$count=true;$orderby=phenomenonTime desc);$orderby=id desc)",
  )
  t.match(body, {
    name: 'SR1',
    Datastreams: [
      {
        'Observations@iot.count': 2,
        Observations: [{ result: 'otep:parcel:out_for_delivery' }],
        'Observations@iot.nextLink': /Observations\?/,
      },
      { 'Observations@iot.count': 1 },
    ],
  })
  const [stream] = body.Datastreams as readonly Entity[]
  const next = await client.get(String(stream?.['Observations@iot.nextLink']))
  t.match(next.body, { value: [{ result: 'otep:parcel:received' }], '@iot.count': 2 })
  t.notOk('@iot.nextLink' in next.body)
})

t.test('given parcels, when a client asks for parts, then it gets values, links and arrays', async (t) => {
  const { client } = await filled(1)
  const id = "Observations('tracking_number%3ASR1%2Freceived-1')"
  t.same((await client.get(`/${id}/result`)).body, { result: 'otep:parcel:received' })
  t.equal((await client.get(`/${id}/Datastream/Sensor/name/$value`)).body as unknown, 'acme')
  t.same((await client.get(`/${id}/parameters/status_code`)).body, { status_code: 'received' })
  t.match((await client.get("/Things('SR1')/Datastreams/$ref")).body.value, [{ '@iot.selfLink': /Datastreams\('/ }, {}])
  const { body } = await client.get('/Observations?$resultFormat=dataArray&$select=phenomenonTime,result')
  t.match(
    body.value.map(({ components, dataArray }) => [components, dataArray]),
    [
      [
        ['phenomenonTime', 'result'],
        [
          ['2026-06-11T09:00:00-04:00', 'otep:parcel:received'],
          ['2026-06-11T15:00:00-04:00', 'otep:parcel:out_for_delivery'],
        ],
      ],
      [['phenomenonTime', 'result'], [['2026-06-11T12:00:00-04:00', 'otep:parcel:arrival_scan']]],
    ],
  )
})

t.test('given a Datastream, when a client creates Observations, then they are events and can be read', async (t) => {
  const { client, post, get } = await filled(1)
  const add = async (path: string, body: object, key?: string) => {
    const response = await post(
      `${root}/${path}`,
      JSON.stringify(body),
      key === undefined ? {} : { authorization: key },
    )
    return { status: response.status, location: response.headers.get('location'), body: await response.json() }
  }
  const stream = "Datastreams('tracking_number%3ASR1%2Fnode_scan%3Aacme')"
  const observation = {
    phenomenonTime: '2026-06-11T18:00:00-04:00',
    result: 'otep:parcel:delivered',
    parameters: { description: 'At the door' },
    FeatureOfInterest: {
      name: 'Kingston',
      description: 'Where it was left.',
      encodingType: 'application/geo+json',
      feature: { type: 'Point', coordinates: [-76.5, 44.23] },
    },
  }
  const made = await add(`${stream}/Observations`, observation)
  t.match(made, { status: 201, body: { result: 'otep:parcel:delivered', parameters: { description: 'At the door' } } })
  t.match((await client.get(`${made.location}?$expand=FeatureOfInterest`)).body, {
    '@iot.selfLink': made.location,
    FeatureOfInterest: { name: 'Kingston', feature: observation.FeatureOfInterest.feature },
  })
  t.match((await get('/api/v1/otep/trackings/SR1')).body, { data: { current_status: 'delivered' } })
  const id = 'tracking_number:SR1/node_scan:acme'
  const later = { phenomenonTime: '2026-06-11T16:00:00-04:00', result: 'otep:parcel:arrival_scan' }
  t.equal((await add('Observations', { ...later, Datastream: { '@iot.id': id } })).status, 201)
  const many = {
    Datastream: { '@iot.id': id },
    components: ['phenomenonTime', 'result', 'FeatureOfInterest/id'],
    dataArray: [
      ['2026-06-11T16:30:00-04:00', 'otep:parcel:arrival_scan', null],
      ['2026-06-11T16:40:00-04:00', 'otep:food:cooked', null],
    ],
  }
  const created = await add('CreateObservations', [many])
  t.match(created, { status: 201, body: [/Observations\('/, /^error: result bad_pattern$/] })
  t.equal((await client.get(String((created.body as unknown as readonly string[])[0]))).status, 200)
  t.match(await add('Observations', later), { status: 422, body: { error: { details: [{ target: 'Datastream' }] } } })
  t.match(await add(`${stream}/Observations`, { ...later, colour: 1 }), { status: 422 })
  t.match(await add(`${stream}/Observations`, { result: 'delivered' }), { status: 422 })
  t.match(await add("Datastreams('tracking_number%3ASR1%2Fnode_scan%3Aother')/Observations", later), { status: 422 })
  t.match(await add("Datastreams('SR9%2Fnode_scan%3Aacme')/Observations", later), { status: 404 })
  t.match(await add('Things', { name: 'SR9' }), { status: 405, body: { error: { message: /come to be with/ } } })
  t.match(await add('Observations', later, 'Bearer wrong'), { status: 401 })
})

/** A parcel with readings: temperatures every minute from midnight on, and positions. */
async function measured(count: number) {
  const made = await filled(1)
  const at = (minute: number) => new Date(Date.parse('2026-06-11T00:00:00Z') + minute * 60_000).toISOString()
  const rows = Array.from({ length: count }, (_, minute) => [at(minute), (minute * 7) % 100])
  const stream = { '@iot.id': 'tracking_number:SR1/temperature:urn%3Aprobe%3A7' }
  const body = [{ Datastream: stream, components: ['phenomenonTime', 'result'], dataArray: rows }]
  const response = await made.post(`${root}/CreateObservations`, JSON.stringify(body))
  const links = (await response.json()) as readonly string[]
  if (links.length !== count || links.some((link) => link.startsWith('error'))) throw new Error(links[0])
  return { ...made, at, links, stream: `/Datastreams('${encodeURIComponent(stream['@iot.id'])}')` }
}

t.test('given readings of a sensor, when a client reads them, then they are Observations with a unit', async (t) => {
  const { client, stranger, stream, links, at, post } = await measured(450)
  const { body } = await client.get(`${stream}?$expand=Thing($select=name),Sensor,ObservedProperty`)
  t.match(body, {
    name: 'Temperature by urn:probe:7',
    observationType: /OM_Measurement$/,
    unitOfMeasurement: { symbol: 'Cel' },
    phenomenonTime: `${at(0)}/${at(449)}`,
    Thing: { name: 'SR1' },
    Sensor: { metadata: 'urn:probe:7' },
    ObservedProperty: { '@iot.id': 'temperature', definition: 'https://gs1.org/voc/Temperature' },
  })
  t.match((await client.get(`${links[9]}`)).body, { phenomenonTime: at(9), result: 63, resultTime: null })
  for (const query of [
    '$top=100',
    '$top=100&$orderby=phenomenonTime desc',
    '$top=70&$orderby=result,id',
    '$top=100&$count=true',
  ]) {
    const { entities } = await client.all(`${stream.slice(1)}/Observations?${query}`)
    t.equal(new Set(idsOf(entities)).size, 450, query)
    t.equal(entities.length, 450)
  }
  const found = async (path: string) => (await client.all(path)).entities.map(({ result }) => result)
  const hot = `$filter=result gt 95 and phenomenonTime lt ${at(200)}&$orderby=phenomenonTime desc`
  t.same(
    await found(`${stream.slice(1)}/Observations?${hot}`),
    Array.from({ length: 200 }, (_, minute) => (minute * 7) % 100)
      .filter((value) => value > 95)
      .toReversed(),
  )
  t.equal((await found('Observations?$filter=result eq 7')).length, 5)
  t.equal((await found("Observations?$filter=startswith(result,'otep')")).length, 3)
  t.equal((await client.all('Observations?$top=90')).entities.length, 453)
  t.equal((await client.get(`${stream}/Observations/$count`)).body as unknown, '450')
  t.same((await client.all("ObservedProperties('temperature')/Datastreams")).entities.length, 1)
  const feature = await client.get(
    `${links[0]}/FeatureOfInterest?$expand=Observations($top=2;$orderby=phenomenonTime desc)`,
  )
  t.match(feature.body, { Observations: [{ phenomenonTime: at(449) }, {}], 'Observations@iot.nextLink': /skiptoken/ })
  t.match((await stranger.get(stream)).status, 200, 'this server shows all to the public')
  const again = await post(`${root}${stream}/Observations`, JSON.stringify({ phenomenonTime: at(9), result: 63 }))
  t.match([again.status, again.headers.get('location')], [201, links[9]], 'what comes twice is kept once')
  const wrong = await post(`${root}${stream}/Observations`, JSON.stringify({ phenomenonTime: at(9), result: 'hot' }))
  t.match([wrong.status, await wrong.json()], [422, { error: { details: [{ target: 'value' }] } }])
})

t.test('given positions and doors, when a client creates them, then their results are points and truths', async (t) => {
  const { client, post } = await measured(1)
  const add = async (own: string, body: object) => {
    const response = await post(
      `${root}/Datastreams('tracking_number%3ASR1%2F${own}')/Observations`,
      JSON.stringify(body),
    )
    return { status: response.status, body: await response.json() }
  }
  const point = { type: 'Point', coordinates: [13.4, 52.5] }
  t.match(await add('location', { result: point }), { status: 201, body: { result: point } })
  t.match(await add('door', { result: true }), { status: 201, body: { result: true } })
  t.equal((await client.all('Observations?$filter=result eq true')).entities.length, 1)
  t.equal((await client.all("Datastreams?$filter=endswith(observationType,'OM_TruthObservation')")).entities.length, 1)
})

/** A condition as text, and whether an Observation meets it, decided without the parser. */
interface Condition {
  readonly text: string
  readonly holds: (observation: Entity) => boolean
}

const timeOf = ({ phenomenonTime }: Entity) => Date.parse(String(phenomenonTime))
const codeOf = ({ parameters }: Entity) => String((parameters as { status_code: string }).status_code)

const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  ...{ eq: (order) => order === 0, ne: (order) => order !== 0, gt: (order) => order > 0 },
  ...{ ge: (order) => order >= 0, lt: (order) => order < 0, le: (order) => order <= 0 },
}

/** Conditions of one comparison, on each kind of value. */
const simple: fc.Arbitrary<Condition> = fc
  .record({
    operator: fc.constantFrom('eq', 'ne', 'gt', 'ge', 'lt', 'le'),
    day: fc.integer({ min: 10, max: 14 }),
    hour: fc.integer({ min: 8, max: 16 }),
    word: fc.constantFrom('received', 'arrival_scan', 'out', 'o', "it's", ''),
    kind: fc.nat(6),
  })
  .map(({ operator, day, hour, word, kind }): Condition => {
    const test = comparisons[operator] ?? (() => false)
    const quoted = `'${word.replaceAll("'", "''")}'`
    const instant = `2026-06-${day}T${String(hour).padStart(2, '0')}:00:00-04:00`
    const local = (observation: Entity) => new Date(timeOf(observation) - 4 * 3_600_000)
    const conditions: readonly Condition[] = [
      { text: `phenomenonTime ${operator} ${instant}`, holds: (one) => test(timeOf(one) - Date.parse(instant)) },
      { text: `day(phenomenonTime) ${operator} ${day}`, holds: (one) => test(local(one).getUTCDate() - day) },
      {
        text: `hour(phenomenonTime) mul 2 sub 1 ${operator} ${hour} mul 2`,
        holds: (one) => test(local(one).getUTCHours() * 2 - 1 - hour * 2),
      },
      { text: `startswith(parameters/status_code,${quoted})`, holds: (one) => codeOf(one).startsWith(word) },
      { text: `substringof(${quoted},result)`, holds: (one) => String(one.result).includes(word) },
      { text: `length(parameters/status_code) ${operator} ${hour}`, holds: (one) => test(codeOf(one).length - hour) },
      {
        text: `parameters/status_code ${operator} ${quoted}`,
        holds: (one) => test(codeOf(one) < word ? -1 : codeOf(one) > word ? 1 : 0),
      },
    ]
    return conditions[kind] as Condition
  })

const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    simple,
    tie('condition').map((one) => ({ text: `not (${one.text})`, holds: (entity: Entity) => !one.holds(entity) })),
    fc.tuple(tie('condition'), tie('condition'), fc.boolean()).map(([one, other, isAnd]) => ({
      text: `(${one.text}) ${isAnd ? 'and' : 'or'} (${other.text})`,
      holds: (entity: Entity) =>
        isAnd ? one.holds(entity) && other.holds(entity) : one.holds(entity) || other.holds(entity),
    })),
  ),
}))

t.test('given any filter, when a client pages through what it finds, then it is what a plain test finds', async (t) => {
  const { client } = await filled(4)
  const { entities: every } = await client.all('Observations')
  t.equal(every.length, 12)
  await fc.assert(
    fc.asyncProperty(
      condition,
      fc.constantFrom('', 'asc', 'desc'),
      fc.integer({ min: 1, max: 5 }),
      async (one, order, top) => {
        const ordered = order === '' ? '' : `&$orderby=phenomenonTime ${order}`
        const query = `$filter=${encodeURIComponent(one.text)}&$top=${top}${ordered}`
        const found = (await client.all(`Observations?${query}`)).entities
        const sign = order === 'desc' ? -1 : 1
        const wanted = every.filter(one.holds).toSorted((a, b) => (order === '' ? 0 : sign * (timeOf(a) - timeOf(b))))
        return JSON.stringify(idsOf(found)) === JSON.stringify(idsOf(wanted))
      },
    ),
    { numRuns: runs(t, 40) },
  )
})

t.test('given wrong requests, when they are made, then they are refused with what is wrong', async (t) => {
  const { client } = await filled(1)
  const refused = async (path: string) => {
    const { status, body } = await client.get(path)
    return [status, (body as unknown as { error: { code: string; message: string } }).error] as const
  }
  t.match(await refused('/Things?$fliter=name'), [
    400,
    { code: 'query_parameter_refused', message: /did you mean \$filter/ },
  ])
  t.match(await refused("/Things('SR1')?$top=1"), [400, { message: /not for one entity/ }])
  t.match(await refused("/Things('SR1')/name?$select=name"), [400, { message: /no query options/ }])
  t.match(await refused('?$top=1'), [400, {}])
  t.match(await refused('/Things?$filter=Datastreams/Observations/result gt 8'), [
    400,
    { message: /filter Observations/ },
  ])
  t.match(await refused('/Things?$skiptoken=x'), [400, { message: /of another list/ }])
  const { body } = await client.get('/Observations?$top=1')
  const token = new URL(body['@iot.nextLink']).searchParams.get('$skiptoken')
  t.match(await refused(`/Locations?$top=1&$skiptoken=${token}`), [400, { message: /of another list/ }])
  for (const path of [
    '/Robots',
    "/Things('SR9')",
    "/Observations('e')",
    "/Observations('SR9/e')",
    "/Things('SR1')/Sensors",
    "/Sensors('tracking_number:SR1/x')",
    "/ObservedProperties('x')",
  ])
    t.match(await refused(path), [404, { code: 'resource_not_found' }], path)
})

t.test('given a former root of one timeline, when it is asked for, then it leads to the one root', async (t) => {
  const { send } = await filled(1)
  const to = async (path: string) => {
    const response = await send(`/api/v1/otep/trackings/SR1/sensorthings/v1.1${path}`)
    return [response.status, response.headers.get('location')]
  }
  t.same(await to("/Things('SR1')/Datastreams?$top=1"), [308, `${root}/Things('SR1')/Datastreams?$top=1`])
  t.same(await to('/Datastreams'), [308, `${root}/Things('SR1')/Datastreams`])
  t.same(await to(''), [308, `${root}/`])
})

t.test(
  'given parcels of two businesses, when callers list them, then each finds its own, and a stranger none',
  async (t) => {
    const made = await world({ publicView: 'reduced' })
    const operator = { kind: 'operator', name: 'test', scopes: ['providers:write'] } as const
    const context = { ...made.parts, caller: operator, messages: en, requestId: 'test' }
    const keyOf = async (name: string, more: object) =>
      String((await call(addProvider, context, { name, ...more })).key)
    const [wide, bound, rival] = [
      await keyOf('wide', { all_businesses: true }),
      await keyOf('bound', { business_id: made.business }),
      await keyOf('rival', { business_id: made.other.business }),
    ]
    const body = {
      type: 'D',
      delivery: {
        name: 'Ann',
        address: { street: '1 Main Street', locality: 'Toronto', postal_code: 'M5V 2T6', country: 'CA' },
      },
      customer_id: made.ids.customer,
    }
    const { tracking_number } = (await made.send('POST', '/api/v1/orders', { token: made.tokens.client_admin, body }))
      .body
    for (const [token, number] of [
      [wide, tracking_number],
      [rival, 'RIVAL1'],
      [bound, 'BOUND1'],
    ] as const) {
      const pushed = {
        subject: { tracking_number: number },
        events: [{ status_code: 'received', occurred_at: '2026-06-10T09:00:00Z' }],
      }
      await made.send('POST', '/api/v1/otep/ingest', { token, body: pushed })
    }
    const names = async (token?: string) => {
      const client = clientOf((path, init) => made.app.request(path, init ?? {}), token)
      return (await client.all('Things?$orderby=name&$select=name')).entities.map(({ name }) => name)
    }
    const order = String(tracking_number)
    t.same(await names(), [])
    t.same(await names(wide), ['BOUND1', 'RIVAL1', order].sort())
    t.same(await names(bound), ['BOUND1', order].sort())
    t.same(await names(rival), ['RIVAL1'])
    t.same(await names(made.tokens.client_admin), [order])
    t.same(await names(made.other.tokens.client_admin), [])
    const reading = { phenomenonTime: '2026-06-10T10:00:00Z', result: 4.5 }
    const stream = `/Datastreams('tracking_number%3A${order}%2Ftemperature')`
    const added = await made.send('POST', `${root}${stream}/Observations`, { token: wide, body: reading })
    t.equal(added.status, 201)
    const stranger = clientOf((path, init) => made.app.request(path, init ?? {}))
    const own = clientOf((path, init) => made.app.request(path, init ?? {}), made.tokens.client_admin)
    t.equal((await stranger.get(`/Things('${order}')`)).status, 200, 'the public view of a known number')
    t.equal((await stranger.get(stream)).status, 404, 'which has no readings')
    t.match((await own.get(`${stream}/Observations`)).body, { value: [{ result: 4.5 }] })
    const refused = await made.send('POST', `${root}${stream}/Observations`, { token: rival, body: reading })
    t.not(refused.status, 201, 'another business records nothing there')
  },
)

/** Every link in an answer. */
function linksIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) =>
    /^@iot\.selfLink$|@iot\.navigationLink$|^@iot\.nextLink$/.test(key) ? [String(member)] : linksIn(member),
  )
}
