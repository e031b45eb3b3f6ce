import fc from 'fast-check'
import t from 'tap'
import { createCredentials } from '../adapters/auth/credentials.ts'
import { type World, world } from '../adapters/auth/world.test.fixture.ts'
import { createParts } from '../adapters/engine.ts'
import { createLimits } from '../adapters/limits/index.ts'
import { configFrom } from '../adapters/node/config.ts'
import { defaultLimits, noLimits } from '../adapters/node/limits.ts'
import { secretOf } from '../adapters/node/secret.ts'
import {
  addProvider,
  type Caller,
  call,
  createLink,
  createMemoryStore,
  deriveId,
  domains,
  en,
  otepForget,
  otepTracking,
  type PublicView,
  type Timeline,
  timelineSchema,
} from '../engine/index.ts'
import { runs } from '../engine/testing/runs.test.fixture.ts'
import { parcel } from '../profiles/index.ts'

const base = '/api/v1/otep/trackings'
const operator = {
  kind: 'operator',
  name: 'test',
  scopes: ['providers:write', 'otep:erase'],
} as const

/** A world with a key for every business, and one that is bound to the first. */
async function counter(publicView: PublicView, isLimited = false) {
  const limits = isLimited ? createLimits({ settings: defaultLimits(), proxies: [], now: () => 0 }) : undefined
  const made = await world({ publicView, ...(limits && { limits }) })
  const context = { ...made.parts, caller: operator, messages: en, requestId: 'test' }
  const keyOf = async (name: string, business_id?: number) =>
    String((await call(addProvider, context, business_id ? { name, business_id } : { name, all_businesses: true })).key)
  const [wide, bound, rival] = [
    await keyOf('planted-carrier'),
    await keyOf('bound', made.business),
    await keyOf('rival', made.other.business),
  ]
  const push = async (body: object, token = wide) => {
    const { status, body: answer } = await made.send('POST', '/api/v1/otep/ingest', { token, body })
    if (status !== 200 || answer.data.rejected > 0) throw new Error(JSON.stringify(answer))
  }
  return { ...made, context, wide, bound, rival, push }
}

type Counter = Awaited<ReturnType<typeof counter>>

const address = { street: '1 Main Street', locality: 'Toronto', postal_code: 'M5V 2T6', country: 'CA' }

/** An order of the first business for its customer, and what a carrier reports of its delivery. */
async function delivered({ send, tokens, ids, push }: Counter) {
  const body = { type: 'D', delivery: { name: 'Ann', address }, customer_id: ids.customer }
  const { order_id, tracking_number } = (await send('POST', '/api/v1/orders', { token: tokens.client_admin, body }))
    .body
  const pod = { recipient: 'Ann Lee', note: 'At the back door' }
  const event = { status_code: 'delivered', occurred_at: '2026-06-10T09:00:00-04:00', location: { address }, pod }
  await push({ subject: { tracking_number, order_id, package_id: 770_000 + order_id }, events: [event] })
  return { order_id: Number(order_id), tracking_number: String(tracking_number) }
}

const recipientIn = ({ body }: { readonly body: unknown }) => JSON.stringify(body).includes('Ann Lee')

// What the public sees of an event in the reduced view: the test's own list, so that a mark in the schema alone shows nothing more.
const shown = [
  ...['otep_version', 'occurred_at', 'recorded_at', 'status_code', 'phase', 'synthesized'],
  ...['estimated_delivery_at', 'estimated_delivery_from'],
  ...['location.unlocode', 'location.address.locality', 'location.address.country'],
  ...['source.type', 'source.event.action', 'inherited_from', 'pod.signed_at', 'withdrawn.declared_at'],
]

/** Values that are not words, by their paths: what the public may see, and numbers that occur nowhere else. */
const values: Readonly<Record<string, unknown>> = {
  ...{ occurred_at: undefined, status_code: undefined, phase: undefined, recorded_at: undefined, otep_version: '0.1' },
  ...{
    estimated_delivery_at: '2026-06-12T10:00:00Z',
    synthesized: true,
    estimated_delivery_from: '2026-06-12T08:00:00Z',
  },
  ...{ 'location.unlocode': 'CATOR', 'location.gln': '4012345000009' },
  ...{ 'location.latitude': 43.7712, 'location.longitude': -79.3391 },
  ...{ 'location.address.locality': 'Toronto', 'location.address.country': 'CA' },
  ...{ 'source.type': 'carrier_tracking', 'source.provider': 'planted-carrier' },
  'source.event.action': 'ADD',
  ...{ 'aggregation.action': 'ADD', 'aggregation.all': false, 'aggregation.parent.gs1_sscc': '040123450000000108' },
  sensors: [
    { type: 'temperature', value: 4, device: 'planted-device', location: { latitude: 43.7712, longitude: -79.3391 } },
  ],
  ...{ 'pod.signed_at': '2026-06-10T09:12:34Z', 'withdrawn.declared_at': '2026-06-11T10:00:00Z' },
  ...{ 'location.address.postal_code': 'PLANTED 1', 'location.address.region': 'Planted region' },
  ...{ 'pod.signature_url': 'https://planted.example/s', 'pod.photo_urls': ['https://planted.example/p'] },
}

// An event that is inherited is not recorded.
const joined = ['tracking_number', 'external_tracking_number', 'gs1_sscc', 'piece_id'].map(
  (kind) => `inherited_from.${kind}`,
)

/** What the public must not find, whatever the format writes around it. */
const traces = [/planted/i, /4012345000009/, /43\.77/, /79\.33/, /040123450000000108/, /770077|880088/]

interface Shape {
  readonly type: string
  readonly entries?: Readonly<Record<string, Shape>>
  readonly wrapped?: Shape
  readonly item?: Shape
}

const eventShape = (timelineSchema.entries.events as unknown as Shape).wrapped?.item as Shape

/** The paths of all members of an event, as the schema declares them. */
function pathsIn({ entries = {} }: Shape, prefix = ''): readonly string[] {
  return Object.entries(entries).flatMap(([name, { wrapped, ...shape }]) => {
    const below = pathsIn(wrapped ?? (shape as Shape), `${prefix}${name}.`)
    return below.length > 0 ? below : [`${prefix}${name}`]
  })
}

function withValue(event: object, [name = '', ...rest]: readonly string[], value: unknown): object {
  const known = event as Readonly<Record<string, object>>
  return { ...event, [name]: rest.length === 0 ? value : withValue(known[name] ?? {}, rest, value) }
}

const paths = pathsIn(eventShape)
  .filter((path) => !joined.includes(path))
  .filter((path) => values[path] !== undefined || !Object.hasOwn(values, path))
const codes = Object.entries(parcel.codes).flatMap(([code, { pod }]) => (pod ? [code] : []))

/** An event with some of all the members, each with a value that is recognized again. */
const plantedEvent = fc
  .tuple(fc.subarray(paths, { minLength: 3 }), fc.constantFrom(...codes), fc.integer({ min: 0, max: 59 }))
  .map(([some, status_code, minute]) => {
    const occurred_at = `2026-06-09T08:${String(minute).padStart(2, '0')}:00Z`
    const needed = some.some((path) => path.startsWith('source.')) ? ['source.type'] : []
    const words = some.some((path) => path.startsWith('source.event.'))
      ? ['source.event.id', 'source.event.action']
      : []
    const declared = some.some((path) => path.startsWith('withdrawn.')) ? ['withdrawn.declared_at'] : []
    const packed = some.some((path) => path.startsWith('aggregation.')) ? ['aggregation.action'] : []
    const ended = some.includes('estimated_delivery_from') ? ['estimated_delivery_at'] : []
    const whole = [...some, ...needed, ...words, ...packed, ...declared, ...ended].reduce(
      (event: object, path) => withValue(event, path.split('.'), values[path] ?? `planted ${path}`),
      { occurred_at, status_code },
    )
    return { ...whole, event_id: `planted ${minute}` }
  })

const plantedEvents = fc.uniqueArray(plantedEvent, {
  selector: ({ event_id }) => event_id,
  minLength: 1,
  maxLength: 4,
})

/** Calls a tool as an agent without a token. */
const tool = ({ send }: World, name: string, given: object) =>
  send('POST', '/mcp', {
    headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } },
  })

/** The beginning of a live stream, which tells every fact from the first on. */
async function liveText({ app }: World, path: string, facts: number): Promise<string> {
  const { body } = await app.request(`${path}/stream?last_event_id=0`)
  let text = ''
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  while (reader !== undefined && text.split('event: tracking').length <= facts)
    text += (await reader.read()).value ?? ''
  await reader?.cancel()
  return text
}

/** Everything that the public can read of a number, by where it is read. */
async function publicTexts(made: Counter, number: string): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  const read = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await made.app.request(path, { headers })
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    texts.set(`${path} ${headers.accept ?? ''}`, await answer.text())
  }
  for (const { name, representations } of made.parts.formats) {
    await read(`${base}/${number}?format=${name}`)
    for (const { mediaType } of representations)
      await read(`${base}/${number}?format=${name}`, { accept: `${mediaType}; profile="urn:otep:format:${name}"` })
    const body = { tracking_numbers: [number], format: name }
    texts.set(`batch ${name}`, JSON.stringify((await made.send('POST', `${base}/batch`, { body })).body))
  }
  for (const path of [`${base}/${number}/events?limit=1`, `/api/v1/track/${number}`, `/track/${number}?all=1`])
    await read(path)
  const page = JSON.parse(texts.get(`${base}/${number}/events?limit=1 `) ?? '{}') as { readonly next?: string }
  texts.set('next', Buffer.from(page.next ?? '', 'base64url').toString())
  const expanded =
    '?$expand=Locations,HistoricalLocations,Datastreams/Sensor,Datastreams/Observations/FeatureOfInterest'
  await read(`/sensorthings/v1.1/Things('${number}')${expanded}`)
  for (const name of ['track_package', 'otep_tracking'])
    texts.set(name, JSON.stringify((await tool(made, name, { tracking_number: number })).body))
  const stream = `tracking-tracking_number:${number}` as const
  const facts = (await made.parts.store.last(stream))?.revision ?? 0
  if (facts > 0) texts.set('live', await liveText(made, `${base}/${number}`, facts))
  return texts
}

t.test('given anything in a timeline, when the public reads its reduced view, then it is nowhere', async (t) => {
  const made = await counter('reduced')
  let count = 0
  t.same(
    paths.filter((path) => shown.includes(path) && values[path] === undefined),
    [],
    'what is shown has a plain value',
  )
  await fc.assert(
    fc.asyncProperty(plantedEvents, async (events) => {
      const number = `SR${++count}`
      const subject = { tracking_number: number, package_id: 7_700_770_000 + count, order_id: 8_800_880_000 + count }
      await made.push({ subject, events })
      const texts = await publicTexts(made, number)
      for (const [where, text] of texts)
        for (const trace of traces)
          if (trace.test(text)) throw new Error(`${where}: ${trace} in ${excerpt(text, trace)}`)
      const whole = await made.send('GET', `${base}/${number}`, { token: made.wide })
      t.match(JSON.stringify(whole.body), /planted/i, 'a key sees it')
      const codesSeen = JSON.parse(texts.get(`${base}/${number}?format=otep `) ?? '{}').data
      t.equal(codesSeen.current_status, whole.body.data.current_status)
    }),
    { numRuns: runs(t, 2) },
  )
})

function excerpt(text: string, trace: RegExp): string {
  const at = text.search(trace)
  return text.slice(Math.max(0, at - 60), at + 60)
}

t.test('given an id that is counted, when the public asks for it, then it is as unknown as any number', async (t) => {
  const made = await counter('full', true)
  const { order_id } = await delivered(made)
  const { send } = made
  const missing = async (path: string) => {
    const { status, body } = await send('GET', path)
    return [status, body]
  }
  const unknown = await missing(`${base}/NOT-THERE`)
  for (const id of [order_id, 770_000 + order_id, `order_id:${order_id}`]) {
    for (const path of [`${base}/${id}`, `${base}/${id}/events`, `${base}/${id}/stream`, `/api/v1/track/${id}`])
      t.same(await missing(path), unknown, path)
    t.equal((await send('GET', `/track/${id}`)).status, 404)
    t.match(
      JSON.stringify((await tool(made, 'track_package', { tracking_number: `${id}` })).body),
      'timeline_not_found',
    )
  }
  t.same(await missing(`/id/order_id/${order_id}`), unknown)
  const tracking_numbers = Array.from({ length: 60 }, () => String(order_id))
  const { body } = await send('POST', `${base}/batch`, { body: { tracking_numbers } })
  t.match(body.data[0], { result: false, code: 'timeline_not_found' })
  t.equal((await send('GET', `${base}/${order_id}`)).status, 429, 'the ids were counted as misses')
})

t.test('given an id that is counted, when somebody asks who may see the order, then it is found', async (t) => {
  for (const view of ['full', 'reduced'] as const) {
    const made = await counter(view)
    const { send, tokens, other, wide, bound, rival } = made
    const { order_id, tracking_number } = await delivered(made)
    for (const token of [wide, bound, tokens.client_admin, tokens.client_employee, tokens.customer]) {
      for (const path of [`${base}/${order_id}`, `/api/v1/track/${770_000 + order_id}`, `/track/${order_id}`]) {
        const answer = await send('GET', path, { token })
        t.equal(answer.status, 200, path)
        t.ok(recipientIn(answer), path)
        t.equal(answer.headers.get('cache-control'), 'private, no-cache')
      }
      const { headers } = await send('GET', `/id/order_id/${order_id}`, { token })
      t.match(headers.get('location'), `${base}/tracking_number%3A${tracking_number}`)
      const batch = { tracking_numbers: [String(order_id)] }
      t.ok(recipientIn(await send('POST', `${base}/batch`, { token, body: batch })))
    }
    for (const token of [rival, tokens.driver, ...Object.values(other.tokens)]) {
      const refused = await send('GET', `${base}/${order_id}`, { token })
      t.same([refused.status, refused.body.code], [404, 'timeline_not_found'])
      t.equal(recipientIn(await send('GET', `${base}/${tracking_number}`, { token })), view === 'full')
    }
  }
})

t.test(
  'given a parcel without an order, when a bound provider asks, then it sees what it alone has reported',
  async (t) => {
    const { push, send, bound, rival, wide, tokens } = await counter('reduced')
    const report = (token: string, tracking_number: string, event_id: string) => {
      const event = {
        event_id,
        status_code: 'delivered',
        occurred_at: '2026-06-10T09:00:00Z',
        pod: { recipient: 'Ann Lee' },
      }
      return push({ subject: { tracking_number }, events: [event] }, token)
    }
    const seesIt = async (token: string, number: string) =>
      recipientIn(await send('GET', `${base}/${number}`, { token }))
    await report(bound, 'MINE', '1')
    t.ok(await seesIt(bound, 'MINE'))
    t.ok(await seesIt(wide, 'MINE'))
    t.notOk(await seesIt(rival, 'MINE'))
    t.notOk(await seesIt(tokens.client_admin, 'MINE'))
    await report(wide, 'THEIRS', '1')
    await report(rival, 'THEIRS', '2')
    t.notOk(await seesIt(rival, 'THEIRS'), 'an event of its own opens nothing')
    const own = { status_code: 'delivered', occurred_at: '2026-06-10T09:00:00Z', location: { address } }
    const opened = async (number: string) =>
      recipientIn(await send('GET', `${base}/${number}`, { headers: { 'x-postal-code': address.postal_code } }))
    await push({ subject: { tracking_number: 'THEIRS' }, events: [own] }, rival)
    t.notOk(await opened('THEIRS'), 'nor does a postal code that it has made up')
    await push({ subject: { tracking_number: 'MINE' }, events: [own] }, bound)
    t.ok(await opened('MINE'), 'what it alone has reported is opened by its own')
  },
)

t.test(
  'given an order with several parcels, when it is named, then only those who may see it get the list',
  async (t) => {
    const made = await counter('full')
    const { order_id } = await delivered(made)
    const event = { status_code: 'picked_up', occurred_at: '2026-06-10T09:00:00Z' }
    await made.push({ subject: { tracking_number: 'SECOND', order_id }, events: [event] })
    const codeFor = async (token?: string) => (await made.send('GET', `${base}/${order_id}`, { token })).body.code
    t.equal(await codeFor(made.tokens.client_admin), 'ambiguous_identifier')
    t.equal(await codeFor(made.wide), 'ambiguous_identifier')
    for (const token of [undefined, made.rival, made.other.tokens.client_admin])
      t.equal(await codeFor(token), 'timeline_not_found')
  },
)

t.test(
  'given a timeline that an internal id opened, when the public reads it, then its links lead to it',
  async (t) => {
    const made = await counter('full')
    const events = [{ status_code: 'picked_up', occurred_at: '2026-06-10T09:00:00Z' }]
    await made.push({ subject: { order_id: 990_099 }, events })
    await made.push({ subject: { tracking_number: 'LATER', order_id: 990_099 }, events })
    const redirect = await made.send('GET', '/id/tracking_number/LATER')
    t.match(redirect.headers.get('location'), `${base}/LATER`)
    const { body } = await made.send('GET', `${base}/LATER?format=sensorthings`)
    const [, link = ''] = /"@iot.selfLink":"([^"]*)"/.exec(JSON.stringify(body)) ?? []
    t.notMatch(link, '990099')
    t.equal((await made.send('GET', new URL(link).pathname)).status, 200)
  },
)

t.test('given a server on which nothing is set, then the public sees the reduced view', async (t) => {
  t.equal(createParts({ store: createMemoryStore(Date.now) }).publicView, 'reduced')
  t.equal(configFrom({}).publicView, 'reduced')
})

t.test('given the full view, when the public reads, then all is shown, whatever postal code it gives', async (t) => {
  const full = await counter('full')
  const { tracking_number } = await delivered(full)
  t.ok(recipientIn(await full.send('GET', `${base}/${tracking_number}`)))
  t.ok(recipientIn(await full.send('GET', `${base}/${tracking_number}`, { headers: { 'x-postal-code': 'wrong' } })))
})

t.test('given the postal code of the delivery, when a reader gives it, then everything is shown', async (t) => {
  const made = await counter('reduced', true)
  const { send } = made
  const { tracking_number } = await delivered(made)
  const path = `${base}/${tracking_number}`
  for (const code of ['M5V 2T6', 'm5v2t6', ' M5V-2t6 ']) {
    const headers = { 'x-postal-code': code }
    for (const read of [path, `${path}/events`, `/api/v1/track/${tracking_number}`, `/track/${tracking_number}`]) {
      const answer = await send('GET', read, { headers })
      t.ok(recipientIn(answer), `${code}: ${read}`)
      t.equal(answer.headers.get('cache-control'), 'private, no-cache')
    }
    t.ok(recipientIn(await send('GET', `${path}?postal_code=${encodeURIComponent(code)}`)), code)
  }
  for (const code of ['M5V 2T7', '', 'M5V'])
    t.match(await send('GET', path, { headers: { 'x-postal-code': code } }), {
      status: 403,
      body: { code: 'wrong_postal_code' },
    })
  const batch = { body: { tracking_numbers: [tracking_number] }, headers: { 'x-postal-code': 'M5V 2T6' } }
  t.notOk(recipientIn(await send('POST', `${base}/batch`, batch)), 'a batch takes none')
})

t.test('given the postal code of the delivery, when an agent gives it, then its tools show everything', async (t) => {
  const made = await counter('reduced', true)
  const { tracking_number } = await delivered(made)
  for (const name of ['track_package', 'otep_tracking']) {
    t.notOk(recipientIn(await tool(made, name, { tracking_number })), name)
    t.ok(recipientIn(await tool(made, name, { tracking_number, postal_code: 'm5v 2t6' })), name)
    const wrong = await tool(made, name, { tracking_number, postal_code: 'M5V 2T7' })
    t.match(wrong.body.result.content[0].text, /^wrong_postal_code: /)
  }
})

t.test('given few wrong postal codes, when one more is tried, then even the right one has to wait', async (t) => {
  const made = await counter('reduced', true)
  const { tracking_number } = await delivered(made)
  const attempt = async (code: string) =>
    (await made.send('GET', `${base}/${tracking_number}?postal_code=${encodeURIComponent(code)}`)).status
  t.equal(await attempt('M5V 2T6'), 200)
  for (const code of ['1', '2', '3', '4', '5']) t.equal(await attempt(code), 403)
  t.equal(await attempt('M5V 2T6'), 429)
  const later = await delivered(made)
  const other = await made.send('GET', `${base}/${later.tracking_number}?postal_code=M5V2T6`)
  t.equal(other.status, 200, 'another number is not concerned')
  const page = await made.send('GET', `/track/${tracking_number}?postal_code=M5V2T6`)
  t.equal(page.status, 429)
  t.match(page.headers.get('retry-after'), /^\d+$/)
  t.match(page.body, 'Too many wrong postal codes')
})

t.test('given no postal code that is known, when one is given, then nothing is opened', async (t) => {
  const made = await counter('reduced')
  const events = [
    {
      status_code: 'delivered',
      occurred_at: '2026-06-10T09:00:00Z',
      location: { address },
      pod: { recipient: 'Ann Lee' },
    },
  ]
  const read = (number: string) =>
    made.send('GET', `${base}/${number}`, { headers: { 'x-postal-code': address.postal_code } })
  await made.push({ subject: { tracking_number: 'NONE' }, events: [{ ...events[0], status_code: 'picked_up' }] })
  t.equal((await read('NONE')).status, 403, 'the place of another event is not that of the delivery')
  await made.push({ subject: { tracking_number: 'SCAN' }, events })
  t.ok(recipientIn(await read('SCAN')), 'the place of the delivery')
  await call(otepForget, made.context, { tracking_number: 'SCAN' })
  t.equal((await read('SCAN')).status, 403, 'it was erased')
})

t.test('given an event without an id, when the public reads it, then its id does not tell its place', async (t) => {
  const made = await counter('reduced')
  const event = { status_code: 'delivered', occurred_at: '2026-06-10T09:00:00Z', location: { address } }
  await made.push({ subject: { tracking_number: 'PLAIN' }, events: [event] })
  const idFor = async (caller: Caller, secret: string) => {
    const parts = {
      secret: secretOf(secret.repeat(64)),
      clock: () => 0,
      now: () => 0,
      limits: noLimits,
      leases: made.store.leases,
    }
    const context = { ...made.context, caller, credentials: createCredentials(parts) }
    const { data } = (await call(otepTracking, context, { tracking_number: 'PLAIN' })) as { data: Timeline }
    return data.events[0]?.event_id ?? ''
  }
  const stranger: Caller = { kind: 'anonymous', name: 'anonymous', scopes: [] }
  const own = await idFor({ ...operator, scopes: [...operator.scopes] }, 'a')
  const shown = await idFor(stranger, 'a')
  t.equal(await idFor(stranger, 'a'), shown, 'it stays the same')
  t.not(await idFor(stranger, 'b'), shown, 'only the secret of the server makes it')
  t.notOk([own, deriveId('public event', 'planted-carrier', own)].includes(shown))
})

t.test('given a signed link, when it is used, then it opens one timeline until it expires', async (t) => {
  const made = await counter('reduced')
  const { send, clock } = made
  const { tracking_number } = await delivered(made)
  const other = await delivered(made)
  const { url, link } = await createLink(made.context, tracking_number, 2)
  const { pathname, search } = new URL(url)
  t.equal(pathname, `/track/${tracking_number}`)
  const open = async (path: string, query = search) => recipientIn(await send('GET', `${path}${query}`))
  for (const path of [pathname, `${base}/${tracking_number}`, `${base}/${tracking_number}/events`])
    t.ok(await open(path), path)
  const page = await send('GET', `${pathname}${search}`)
  t.match(
    page.body,
    `stream?last_event_id=0&amp;link=${encodeURIComponent(link)}`,
    'the page stays open when it updates',
  )
  const refused = { status: 403, body: { code: 'invalid_link' } }
  t.match(await send('GET', `${base}/${other.tracking_number}${search}`), refused, 'another number')
  const [until = '', signature = ''] = link.split('.')
  const later = (Number.parseInt(until, 36) + 1).toString(36)
  for (const forged of [`${later}.${signature}`, `${until}.${signature.slice(1)}`, `${until}.`, signature, 'x'])
    t.match(await send('GET', `${base}/${tracking_number}?link=${forged}`), refused, forged)
  clock.now += 2 * 3_600_000
  t.match(await send('GET', `${base}/${tracking_number}${search}`), refused, 'it has expired')
  const expired = await send('GET', `${pathname}${search}`)
  t.equal(expired.status, 200)
  t.notOk(recipientIn(expired))
  t.match(expired.body, 'The link has expired')
})

t.test('given an account, when it asks for a link, then it gets one only for what it may see', async (t) => {
  const made = await counter('reduced')
  const { send, tokens, other } = made
  const { tracking_number } = await delivered(made)
  const ask = (token?: string, body: object = {}) => send('POST', `${base}/${tracking_number}/link`, { token, body })
  for (const token of [tokens.client_admin, tokens.client_employee, tokens.customer]) {
    const { status, body } = await ask(token, { hours: 1 })
    t.same([status, body.expires_at], [200, '2026-06-10T11:00:00.000Z'])
    t.ok(recipientIn(await send('GET', `${base}/${tracking_number}?link=${body.link}`)))
  }
  t.equal((await ask(other.tokens.client_admin)).body.code, 'timeline_not_found')
  t.equal((await ask(tokens.driver)).status, 403)
  t.equal((await ask()).status, 401)
  t.equal((await ask(tokens.client_admin, { hours: 8_761 })).status, 422)
})

t.test('given a page with the reduced view, when its form is sent, then it leads to all of the timeline', async (t) => {
  const made = await counter('reduced', true)
  const { app, clock, send } = made
  const { tracking_number } = await delivered(made)
  const page = `/track/${tracking_number}`
  t.match((await send('GET', page)).body, `<form class="number" action="${page}" method="post">`)
  const post = (code: string, type = 'application/x-www-form-urlencoded') =>
    app.request(page, { method: 'POST', headers: { 'content-type': type }, body: `postal_code=${code}` })
  const right = await post('m5v+2t6')
  t.equal(right.status, 303)
  const link = right.headers.get('location') ?? ''
  t.match(link, new RegExp(`^${page}\\?link=`))
  const opened = await send('GET', link)
  t.ok(recipientIn(opened))
  t.notMatch(opened.body, 'name="postal_code"')
  clock.now += 3_600_000
  t.notOk(recipientIn(await send('GET', link)), 'it is valid for an hour')
  const wrong = await post('M5V+2T7')
  t.equal(wrong.status, 403)
  const text = await wrong.text()
  t.match(text, 'This is not the postal code of the delivery.')
  t.notMatch(text, 'Ann Lee')
  t.equal((await post('m5v+2t6', 'text/plain')).status, 403)
  t.equal((await app.request('/track/NOT-THERE', { method: 'POST' })).status, 404)
})

t.test(
  'given several views, when an entity tag of one is sent for another, then the document is sent again',
  async (t) => {
    const made = await counter('reduced')
    const { send, tokens } = made
    const { tracking_number } = await delivered(made)
    for (const path of [
      `${base}/${tracking_number}`,
      `/api/v1/track/${tracking_number}`,
      `/track/${tracking_number}`,
    ]) {
      const open = await send('GET', path)
      const own = await send('GET', path, { token: tokens.customer })
      t.match(own.headers.get('vary'), 'Authorization, X-Postal-Code')
      t.match(open.headers.get('vary'), 'Authorization, X-Postal-Code')
      t.equal(own.headers.get('cache-control'), 'private, no-cache')
      const [reduced, whole] = [open.headers.get('etag') ?? '', own.headers.get('etag') ?? '']
      t.not(reduced, whole)
      const again = async (tag: string, token?: string) =>
        (await send('GET', path, { token, headers: { 'if-none-match': tag } })).status
      t.same(await Promise.all([again(reduced), again(whole, tokens.customer)]), [304, 304])
      t.same(await Promise.all([again(whole), again(reduced, tokens.customer)]), [200, 200])
      t.notOk(recipientIn(await send('GET', path)), 'nothing private was cached for the public')
    }
  },
)

t.test(
  'given credentials on a public read, when they are no valid token, then only a bearer token is refused',
  async (t) => {
    const made = await counter('reduced')
    const { tracking_number } = await delivered(made)
    const status = async (authorization: string) =>
      (await made.send('GET', `${base}/${tracking_number}`, { headers: { authorization } })).status
    t.equal(await status('Bearer ots_no-such-token'), 401)
    t.equal(await status('Basic dXNlcjpwYXNz'), 200, 'the password of a proxy')
  },
)

t.test(
  'given a connection of an agent without orders:read, when it tracks its order, then it sees what the public sees',
  async (t) => {
    const made = await counter('reduced')
    const { tracking_number } = await delivered(made)
    const track = async (scopes: string) => {
      const headers = { 'x-mcp-scopes': scopes, authorization: `Bearer ${made.tokens.customer}` }
      const rest = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' }
      const params = { name: 'track_package', arguments: { tracking_number } }
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
      return recipientIn(await made.send('POST', '/mcp', { headers: { ...headers, ...rest }, body }))
    }
    t.same([await track('orders:read'), await track('account:self')], [true, false])
  },
)

t.test('given GraphQL, when it is derived, then it has no field for the public that would need a view', (t) => {
  const operations = domains.flatMap((domain) => domain.operations)
  t.same(
    operations.filter(({ graphql, scopes }) => graphql !== undefined && scopes.length === 0),
    [],
  )
  t.end()
})
