import { createHash, createHmac, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ReadableStream } from 'node:stream/web'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { gzipSync } from 'node:zlib'
import { Validator } from '@seriousme/openapi-schema-validator'
import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import t from 'tap'
import * as v from 'valibot'
import { projectFile } from '../../conformance/program/files.ts'
import {
  type Account,
  type Code,
  call,
  createMemoryStore,
  domains,
  EngineError,
  type EventStore,
  listProviders,
  messageOf,
  named,
  type Operation,
  type operation,
  otepForget,
  otepTracking,
  registerStream,
  removeProviderWebhook,
  requirements,
  revokeProvider,
  setProviderWebhook,
} from '../../engine/index.ts'
import { parcel, profiles } from '../../profiles/index.ts'
import { projections } from '../../projections/index.ts'
import { matches } from '../http/headers.ts'
import { countEachPause } from '../http/pause.test.fixture.ts'
import { messagesIn } from '../locales/messages.ts'
import { languageOf } from '../locales/negotiate.ts'
import { createApp, createParts } from '../main.ts'
import { createGateway } from '../node/gateway.ts'
import { errorLog } from '../node/log.ts'
import { listen as listenOn } from '../node/server.ts'
import { createRest } from './index.ts'
import { openapi } from './openapi.ts'
import { type Body, base, event, now, received, server } from './server.test.fixture.ts'
import { statusOf } from './status.ts'
import { bodyOf } from './text.ts'

const examples = projectFile('docs', 'examples')

async function historyOf(store: EventStore) {
  const history: unknown[] = []
  for await (const recorded of store.readAll(undefined, { category: 'tracking' })) history.push(recorded)
  return history
}

t.test('given a pushed event, when its number is read, then the envelope holds the timeline', async (t) => {
  const { ingest, get } = await server()
  t.match(await ingest(received), { result: true, data: { accepted: 1 } })
  const { status, body } = await get(`${base}/trackings/SR1`)
  t.equal(status, 200)
  t.match(body, {
    result: true,
    format: 'otep',
    data: { otep_version: '0.1', profile: 'parcel', current_status: 'received', delivered: false },
  })
  t.match((await get(`${base}/trackings/SR1/events`)).body, {
    result: true,
    format: 'otep',
    data: [{ status_code: 'received', phase: 'inbound' }],
  })
  t.match((await get(`${base}/trackings/SR1?format=otep`)).body, { format: 'otep' })
})

/** All objects in a document. */
function partsOf(value: unknown): readonly object[] {
  return typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(partsOf)] : []
}

t.test('given a journey, when only its events are read in a format, then they are those of its document', async (t) => {
  const { ingest, get } = await server()
  await ingest(JSON.parse(readFileSync(join(examples, 'happy-path.json'), 'utf8')))
  const path = `${base}/trackings/SR260610041`
  const eventsIn = async (query: string) =>
    (await get(`${path}/events${query}`)).body.data as unknown as readonly object[]
  const native = (await eventsIn('')).length
  for (const format of [
    'otep',
    'epcis',
    'onerecord',
    'uncefact',
    'otlp',
    'sensorthings',
    'aftership',
    'shopify',
    'amazon',
  ]) {
    const { status, body } = await get(`${path}/events?format=${format}`)
    t.match([status, body], [200, { result: true, format }], format)
    const parts = partsOf((await get(`${path}?format=${format}`)).body.data)
    const events = await eventsIn(`?format=${format}`)
    // Amazon has no words for some events.
    t.ok(events.length >= (format === 'amazon' ? 1 : native), `${format} has them`)
    for (const one of events)
      t.ok(
        parts.some((part) => isDeepStrictEqual(part, one)),
        format,
      )
  }
  t.match(await get(`${path}/events?format=walmart`), {
    status: 400,
    body: { code: 'events_not_in_format', message: /walmart.*epcis/ },
  })
  t.match(await get(`${path}/events?format=epcis&limit=1`), {
    status: 422,
    body: { errors: [{ path: 'limit', code: 'only_of_otep' }] },
  })
  t.match(await get(`${path}/events?format=fax`), { status: 400, body: { code: 'unknown_format' } })
})

t.test('every sample journey goes in as a timeline and as lines, and reads alike', async (t) => {
  for (const name of readdirSync(examples).filter((file) => file.endsWith('.ndjson') && !file.startsWith('status'))) {
    const number = (text: string) => JSON.parse(text).subject.tracking_number as string
    const timeline = readFileSync(join(examples, name.replace('.ndjson', '.json')), 'utf8')
    const lines = readFileSync(join(examples, name), 'utf8')
    const [asTimeline, asLines] = [await server(), await server()]
    t.equal((await asTimeline.post(`${base}/ingest`, timeline)).status, 200, name)
    t.equal((await asLines.post(`${base}/ingest`, lines, { 'content-type': 'application/x-ndjson' })).status, 200, name)
    const read = async ({ get }: typeof asLines) => (await get(`${base}/trackings/${number(timeline)}`)).body.data
    const [one, other] = [await read(asTimeline), await read(asLines)]
    const story = ({ events, current_status }: Body['data']) => [
      current_status,
      events.map((item) => [item.occurred_at, item.status_code, item.location, item.pod]),
    ]
    t.same(story(one), story(other), name)
    t.equal(one.current_status, JSON.parse(timeline).current_status, name)
  }
})

t.test('a number is data, whatever stands in it', async (t) => {
  const { ingest, get } = await server()
  for (const number of [
    'AB/CD',
    'A..B',
    '<script>alert(1)</script>',
    'a?b#c',
    'ü 📦',
    '100%',
    '%2F',
    "o'neil",
    '"q"',
  ]) {
    await ingest({ ...received, subject: { tracking_number: number } })
    t.equal(
      (await get(`${base}/trackings/${encodeURIComponent(number)}`)).body.data?.subject.tracking_number,
      number,
      number,
    )
  }
  t.match(await get(`${base}/trackings/${encodeURIComponent('x'.repeat(501))}`), {
    status: 422,
    body: { errors: [{ path: 'tracking_number', code: 'too_long' }] },
  })
})

t.test('a timeline is read in the format that is asked for', async (t) => {
  const { ingest, send, post } = await server()
  await ingest({ ...received, subject: { tracking_number: 'SR1', gs1_sscc: '106141412345678908' } })
  const path = `${base}/trackings/SR1`
  const get = async (query: string, accept?: string) => {
    const response = await send(path + query, accept === undefined ? {} : { headers: { accept } })
    const text = await response.text()
    const type = response.headers.get('content-type') ?? ''
    return {
      status: response.status,
      type,
      text,
      vary: response.headers.get('vary'),
      tag: response.headers.get('etag'),
    }
  }
  const plain = 'application/json; charset=utf-8'
  const profile = (name: string) => `application/json; profile="urn:otep:format:${name}"`

  t.test('by its token, in the envelope, whatever Accept says of other formats', async (t) => {
    for (const accept of [undefined, '*/*', 'application/json', profile('otlp'), 'text/html, application/xml;q=0.9']) {
      const { type, text, vary } = await get('?format=epcis', accept)
      t.match(JSON.parse(text), { result: true, format: 'epcis', data: { type: 'EPCISQueryDocument' } }, accept ?? '')
      t.same([type, vary], [plain, 'Accept, Authorization, X-Postal-Code'])
    }
  })
  t.test('by a profile or a media type of its own, as the bare document', async (t) => {
    const otlp = await get('', profile('otlp'))
    t.match(JSON.parse(otlp.text), { resourceSpans: Array })
    t.equal(otlp.type, profile('otlp'))
    t.match(JSON.parse((await get('?format=epcis', 'application/ld+json')).text), { type: 'EPCISQueryDocument' })
    t.match(JSON.parse((await get('', profile('otep'))).text), { otep_version: '0.1', subject: {} })
    t.match((await get('', 'application/xml')).text, /^<\?xml[\s\S]*EPCISQueryDocument/)
    t.match((await get('', 'application/xml')).type, /^application\/xml/)
    const flattened = 'application/ld+json; profile="http://www.w3.org/ns/json-ld#flattened"'
    t.match((await get('', flattened)).type, 'urn:otep:format:onerecord http://www.w3.org/ns/json-ld#flattened')
  })
  t.test('by the highest q-value, then by the most precise range; nothing for those of q=0', async (t) => {
    t.match((await get('', `application/xml;q=0.2, ${profile('etsy')};q=0.5, */*;q=0.1`)).type, 'urn:otep:format:etsy')
    t.match((await get('', `*/*, ${profile('shopify')}`)).type, 'urn:otep:format:shopify')
    t.equal((await get('', 'application/xml;q=0, */*')).type, plain)
    t.equal((await get('', 'application/*')).type, plain)
    t.match(await get('', 'application/json;q=0'), { status: 406 })
  })
  t.test('and refused with the list where nothing fits, or where there is no such format or option', async (t) => {
    for (const [query, accept] of [
      ['', 'image/png'],
      ['', profile('fax')],
      ['', 'nonsense'],
      ['?format=otlp', 'application/xml'],
    ] as const) {
      const { status, text, type } = await get(query, accept)
      t.equal(status, 406, accept)
      t.match(JSON.parse(text), { result: false, code: 'not_acceptable', message: /urn:otep:format:otlp/ })
      t.equal(type, plain)
    }
    t.match(await get('?format=fax', 'image/png'), { status: 400 })
    const refused = await get('?format=epcis&as=letter&dialect=message')
    t.equal(refused.status, 422)
    t.same((JSON.parse(refused.text) as Body).errors.map(({ path, code }) => [path, code]).sort(), [
      ['as', 'unknown_value'],
      ['dialect', 'unknown_field'],
    ])
    t.match(await get('?format=otep&as=capture'), { status: 422 })
    const many = await post(`${base}/trackings/batch`, '{"tracking_numbers":["SR1"],"__proto__":{"format":"epcis"}}')
    t.match(await many.json(), { code: 'invalid_input', errors: [{ path: '__proto__' }] })
  })
  t.test('with an entity tag of its own for each form', async (t) => {
    const answers = [
      await get(''),
      await get('', profile('otep')),
      await get('?format=epcis'),
      await get('?format=epcis&as=capture'),
      await get('?format=epcis', 'application/ld+json'),
      await get('?format=epcis', 'application/xml'),
    ]
    t.equal(new Set(answers.map(({ tag }) => tag)).size, answers.length)
    const response = await send(`${path}?format=epcis`, { headers: { 'if-none-match': answers[2]?.tag ?? '' } })
    t.equal(response.status, 304)
    t.equal(response.headers.get('vary'), 'Accept, Authorization, X-Postal-Code')
  })
  t.test('for many numbers at once', async (t) => {
    const body = (more: object = {}) => JSON.stringify({ tracking_numbers: ['SR1', 'SR2'], ...more })
    const batch = async (more: object, accept = '*/*') =>
      (await post(`${base}/trackings/batch`, body(more), { accept })).json() as Promise<object>
    t.match(await batch({ format: 'epcis', as: 'capture' }), {
      format: 'epcis',
      data: [{ tracking_number: 'SR1', result: true, data: { type: 'EPCISDocument' } }, { result: false }],
    })
    t.match(await batch({}, profile('otlp')), { format: 'otlp', data: [{ data: { resourceSpans: Array } }, {}] })
    t.match(await batch({ format: 'epcis', as: 'letter' }), { code: 'invalid_input', errors: [{ path: 'as' }] })
    t.match(await batch({ format: 'etsy' }, 'application/xml'), { code: 'not_acceptable' })
    const asked = await post(`${base}/trackings/batch?format=etsy`, body())
    t.match(await asked.json(), { format: 'etsy' }, 'in the query as well')
  })
  t.test('and parts of it are found where its own links lead', async (t) => {
    const { data } = JSON.parse((await get('?format=sensorthings')).text) as { data: Record<string, string> }
    const link = new URL(data['@iot.selfLink'] ?? '')
    const response = await send(link.pathname)
    t.equal(response.status, 200)
    t.match(await response.json(), { '@iot.selfLink': link.href })
    t.match(await (await send('/sensorthings/v1.1/Robots')).json(), { error: { code: 'resource_not_found' } })
    t.match(await (await send(`${path}/fax/v1.1`)).json(), { code: 'unknown_format' })
    t.match(await (await send(`${path}/otep/v1.1`)).json(), { code: 'resource_not_found' })
  })
  t.test('and a page of another origin may ask for any of it', async (t) => {
    for (const asked of [path, '/id/tracking_number/SR1']) {
      const { status, headers } = await send(asked, { method: 'OPTIONS' })
      t.equal(status, 204)
      t.match(headers.get('access-control-allow-headers') ?? '', /Accept/)
    }
    t.equal((await send('/id/tracking_number/SR1', { method: 'POST' })).status, 405)
  })
  t.test('and the URI of an identifier leads to it', async (t) => {
    const response = await send('/id/gs1_sscc/106141412345678908')
    t.equal(response.status, 303)
    t.equal(response.headers.get('location'), `http://localhost:3000${base}/trackings/tracking_number%3ASR1`)
    t.match(await (await send(new URL(response.headers.get('location') ?? '').pathname)).json(), {
      data: { subject: { tracking_number: 'SR1' } },
    })
    for (const other of ['/id/order_id/SR1', '/id/place/SR1', '/id/tracking_number/SR2'])
      t.match(await (await send(other)).json(), { code: 'timeline_not_found' }, other)
  })
  t.test('and of two parcels under one number each has ids and links of its own', async (t) => {
    const { ingest, send } = await server()
    const event = (occurred_at: string, status_code: string) => ({
      event_id: occurred_at,
      occurred_at,
      status_code,
    })
    const sscc = '106141412345678908'
    await ingest({
      subject: { tracking_number: 'AGAIN', gs1_sscc: sscc },
      events: [event('2026-01-01T08:00:00Z', 'picked_up'), event('2026-01-02T08:00:00Z', 'delivered')],
    })
    await ingest({
      subject: { tracking_number: 'AGAIN' },
      events: [event('2026-06-01T08:00:00Z', 'picked_up'), event('2026-06-02T08:00:00Z', 'delivered')],
    })
    const read = async (path: string) => (await send(path)).json() as Promise<{ readonly data: Record<string, never> }>
    const link = /"(http:[^"]*Observations\('[^"]*'\))"/.exec(
      JSON.stringify(await read(`${base}/trackings/${sscc}?format=sensorthings`)),
    )?.[1]
    t.match(await read(new URL(link ?? '').pathname), { phenomenonTime: '2026-01-01T08:00:00Z' })
    const idOf = async (number: string) =>
      /"traceId":"(\w+)"/.exec(JSON.stringify(await read(`${base}/trackings/${number}?format=otlp`)))?.[1]
    t.not(await idOf(sscc), await idOf('AGAIN'))
    t.match((await read(`${base}/trackings/tracking_number%3AAGAIN%232`)).data, {
      subject: { tracking_number: 'AGAIN' },
    })
  })
  t.test('and the formats are listed', async (t) => {
    const { data } = (await (await send(`${base}/formats`)).json()) as { data: { format: string }[] }
    t.same(
      data.map(({ format }) => format),
      projections.map(({ name }) => name),
    )
    t.match(data[1], {
      media_types: [
        'application/json; profile="urn:otep:format:epcis"',
        /^application\/ld\+json/,
        /#compacted/,
        /^application\/xml/,
      ],
      options: ['as'],
      reads: true,
      codes: { parcel: { delivered: { fidelity: /./ } } },
    })
  })
})

t.test('an answer is kept by its entity tag', async (t) => {
  const { ingest, get, send } = await server()
  await ingest(received)
  const { headers } = await get(`${base}/trackings/SR1`)
  const tag = headers.get('etag') ?? ''
  t.match(tag, /^"[0-9a-f]{24}-otep\.0\.1\.[0-9a-f]{8}-0"$/)
  t.equal(headers.get('cache-control'), 'public, no-cache')
  for (const sent of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
    const response = await send(`${base}/trackings/SR1`, { headers: { 'if-none-match': sent } })
    t.equal(response.status, 304, sent)
    t.equal(await response.text(), '')
    t.equal(response.headers.get('etag'), tag)
  }
  await ingest(received)
  t.equal(
    (await send(`${base}/trackings/SR1`, { headers: { 'if-none-match': tag } })).status,
    304,
    'a duplicate changes nothing',
  )
  await ingest(event('in_transit', '2026-06-11T10:00:00-04:00'))
  t.equal((await send(`${base}/trackings/SR1`, { headers: { 'if-none-match': tag } })).status, 200, 'a new event does')
  t.notOk(matches('"a"', '"b"'))
})

t.test(
  'HEAD says what GET would, without the body; other methods are refused with those that are allowed',
  async (t) => {
    const { ingest, send } = await server()
    await ingest(received)
    const head = await send(`${base}/trackings/SR1`, { method: 'HEAD' })
    t.equal(head.status, 200)
    t.ok(head.headers.get('etag'))
    t.equal(await head.text(), '')
    const refused = await send(`${base}/trackings/SR1`, { method: 'DELETE' })
    t.equal(refused.status, 405)
    t.equal(refused.headers.get('allow'), 'GET, HEAD, OPTIONS')
    t.match(await refused.json(), { result: false, code: 'method_not_allowed' })
    t.equal((await send(`${base}/ingest`)).headers.get('allow'), 'POST, OPTIONS')
  },
)

t.test('a page of any origin may read, and may not push', async (t) => {
  const { send, post } = await server()
  t.equal((await send(`${base}/trackings/none`)).headers.get('access-control-allow-origin'), '*')
  const preflight = await send(`${base}/trackings/none`, { method: 'OPTIONS' })
  t.equal(preflight.status, 204)
  t.match(preflight.headers.get('access-control-allow-headers'), /If-None-Match/)
  t.equal((await post(`${base}/validate`, '{}')).headers.get('access-control-allow-origin'), '*')
  t.equal((await post(`${base}/ingest`, JSON.stringify(received))).headers.get('access-control-allow-origin'), null)
})

t.test('given answers in the language of the caller, then caches and readers are told which', async (t) => {
  const { get, post } = await server()
  const missing = await get(`${base}/trackings/none?format=epcis`, { 'accept-language': 'de-AT' })
  t.equal(missing.headers.get('content-language'), 'de')
  t.equal(missing.headers.get('vary'), 'Accept, Authorization, X-Postal-Code, Accept-Language')
  const checked = await post(`${base}/validate`, '{}', { 'accept-language': 'zh-TW' })
  t.equal(checked.headers.get('content-language'), 'zh-Hant')
  t.equal(checked.headers.get('vary'), 'Accept-Language')
})

t.test('given listed origins, then their pages may send a token and a key, and no others may', async (t) => {
  const app = createApp({ store: createMemoryStore(() => now), corsOrigins: ['https://shop.example'] })
  for (const path of ['/api/v1/orders', '/graphql'])
    for (const [origin, isListed] of [
      ['https://shop.example', true],
      ['https://shop.example.evil', false],
      ['null', false],
      [undefined, false],
    ] as const) {
      const headers = { 'content-type': 'application/json', ...(origin && { origin }) }
      const preflight = await app.request(path, { method: 'OPTIONS', headers })
      const allowed = preflight.headers.get('access-control-allow-headers') ?? ''
      t.equal(preflight.status, 204)
      t.equal(/Authorization, Idempotency-Key$/.test(allowed), isListed, `${path} ${origin} ${allowed}`)
      const answer = await app.request(path, { method: 'POST', headers, body: '{}' })
      t.equal(answer.status, 401)
      t.equal(answer.headers.get('access-control-allow-origin'), isListed ? 'https://shop.example' : null)
      t.equal(answer.headers.get('access-control-allow-credentials'), null)
      if (isListed)
        t.match(answer.headers.get('access-control-expose-headers'), /RateLimit-Policy.*Idempotency-Replayed/)
      t.match(answer.headers.get('vary'), /Origin/)
    }
})

t.test('given EPCIS in XML as UTF-16, when it is pushed at once or in pieces, then it is read', async (t) => {
  const { send, ingest, post, get } = await server()
  await ingest(received)
  const xml = await (
    await send(`${base}/trackings/SR1?format=epcis`, { headers: { accept: 'application/xml' } })
  ).text()
  const path = `${base}/ingest/epcis`
  for (const [endian, swaps] of [
    ['LE', false],
    ['BE', true],
  ] as const)
    for (const encoding of ['identity', 'gzip']) {
      const number = `U${endian}${encoding}`
      const text = `\ufeff${xml.replace('encoding="UTF-8"', 'encoding="UTF-16"').replaceAll('SR1', number)}`
      const bytes = swaps ? Buffer.from(text, 'utf16le').swap16() : Buffer.from(text, 'utf16le')
      const body = new Uint8Array(encoding === 'gzip' ? gzipSync(bytes) : bytes)
      const answer = await post(path, body, { 'content-type': 'application/xml', 'content-encoding': encoding })
      t.equal(answer.status, 200, `${number} ${await answer.text()}`)
      t.match(await get(`${base}/trackings/${number}`), { status: 200, body: { data: { current_status: 'received' } } })
    }
  const lying = xml.replace('encoding="UTF-8"', 'encoding="UTF-16"')
  t.match(await (await post(path, lying, { 'content-type': 'application/xml' })).json(), { code: 'malformed_xml' })
  const json = new Uint8Array(Buffer.from('\ufeff{}', 'utf16le'))
  t.match(await (await post(`${base}/ingest`, json)).json(), { code: 'invalid_utf8' })
})

t.test('given codes and phases by their addresses, then they are those of the profile, and no others', async (t) => {
  const { post, get } = await server()
  const addressed = (code: string, phase?: string) => ({
    ...{ otep_version: '0.1', profile: 'parcel', subject: { tracking_number: 'AD1' } },
    events: [
      {
        ...{ event_id: 'a', status_code: code, occurred_at: '2026-06-10T10:00:00Z', ...(phase && { phase }) },
        source: { type: 'carrier_tracking' },
      },
    ],
  })
  const send = async (path: string, document: object) =>
    (await post(`${base}/${path}`, JSON.stringify(document))).json() as Promise<Body>
  const pushed = await send('ingest', addressed('otep:parcel:received', 'otep:phase:inbound'))
  t.match(pushed, { data: { accepted: 1 } })
  const { data } = (await get(`${base}/trackings/AD1`)).body
  t.match(data, { current_status: 'received', events: [{ status_code: 'received', phase: 'inbound' }] })
  t.match(await send('ingest', addressed('received')), { data: { duplicate: 1 } }, 'the same event by its name')
  t.match(await send('ingest', { subject: { tracking_number: 'AD2' }, current_status: 'otep:parcel:delivered' }), {
    data: { accepted: 1 },
  })
  const valid = { ...addressed('otep:parcel:received'), current_status: 'otep:parcel:received' }
  t.match(await send('validate', valid), { conformant: true, errors: [] })
  for (const code of ['otep:storage:stored', 'otep:parcel:', 'otep:parcel:lost', 'otep::received'])
    for (const path of ['ingest', 'validate'])
      t.match(JSON.stringify(await send(path, addressed(code))), /unknown_status_code/, `${path} ${code}`)
  t.match(JSON.stringify(await send('validate', addressed('received', 'otep:phase:pickup'))), /phase_mismatch/)
})

t.test('many numbers are answered in the order asked for', async (t) => {
  const { ingest, post } = await server()
  await ingest(received)
  const answer = await post(`${base}/trackings/batch`, JSON.stringify({ tracking_numbers: ['none', 'SR1'] }))
  t.match(await answer.json(), {
    result: true,
    format: 'otep',
    data: [
      { tracking_number: 'none', result: false, code: 'timeline_not_found' },
      { tracking_number: 'SR1', result: true, data: { current_status: 'received' } },
    ],
  })
  const tooMany = await post(`${base}/trackings/batch`, JSON.stringify({ tracking_numbers: Array(501).fill('x') }))
  t.match([tooMany.status, await tooMany.json()], [422, { errors: [{ path: 'tracking_numbers', code: 'too_long' }] }])
  t.match(await (await post(`${base}/trackings/batch`, '[]')).json(), { code: 'invalid_input' })
})

t.test('credentials', async (t) => {
  const { post, key, context } = await server()
  const status = async (authorization: string) =>
    (await post(`${base}/ingest`, JSON.stringify(received), { authorization })).status
  t.test('that are missing or wrong are refused, and the challenge says how', async (t) => {
    for (const header of [
      '',
      'Bearer',
      'Bearer x',
      `Basic ${key}`,
      `Bearer ${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`,
      `Bearer ${key.replace('acme', 'other')}`,
      `Bearer otep_${'a'.repeat(5000)}_x`,
    ]) {
      t.equal(await status(header), 401, header.slice(0, 30))
    }
    const response = await post(`${base}/ingest`, JSON.stringify(received), { authorization: 'Bearer x' })
    t.equal(response.headers.get('www-authenticate'), 'Bearer realm="otep"')
  })
  t.test('that hold are taken until they are revoked, at once', async (t) => {
    t.equal(await status(`Bearer ${key}`), 200)
    await call(revokeProvider, context, { name: 'acme' })
    t.equal(await status(`Bearer ${key}`), 401)
  })
  t.test('are kept as hashes only', async (t) => {
    const register = await context.store.read(registerStream)
    t.equal(register.length > 0 && JSON.stringify(register).includes(key.slice(10)), false)
  })
})

/** A webhook of each system about the parcel SR1, signed by its own rules, and the code that it says. */
const webhooks = (secret: string): Readonly<Record<string, readonly [object, (text: string) => object, string]>> => {
  const hmac = (text: string) => createHmac('sha256', secret).update(text)
  const at = '2026-06-10T08:00:00Z'
  const ship24 = {
    tracker: { trackingNumber: 'SR1' },
    events: [{ statusMilestone: 'delivered', occurrenceDatetime: at }],
  }
  const checkpoint = { tag: 'Delivered', subtag: 'Delivered_001', checkpoint_time: at }
  const scan = { status: 'DELIVERED', status_date: at, substatus: { code: 'delivered' } }
  const events = [{ sub_status: 'Delivered_Other', time_iso: at }]
  const info = { checkpoint_date: at, checkpoint_delivery_status: 'delivered', tracking_detail: 'Here' }
  return {
    aftership: [
      { event: 'tracking_update', msg: { tracking_number: 'SR1', checkpoints: [checkpoint] } },
      (text) => ({ 'aftership-hmac-sha256': hmac(text).digest('base64') }),
      'delivered',
    ],
    easypost: [
      {
        object: 'Event',
        result: { object: 'Tracker', tracking_code: 'SR1', tracking_details: [{ status: 'delivered', datetime: at }] },
      },
      (text) => ({ 'X-Hmac-Signature': `hmac-sha256-hex=${hmac(text).digest('hex')}` }),
      'delivered',
    ],
    shippo: [
      { event: 'track_updated', data: { tracking_number: 'SR1', tracking_history: [scan] } },
      (text) => ({ 'Shippo-Auth-Signature': `t=1760000000,v1=${hmac(`1760000000.${text}`).digest('hex')}` }),
      'delivered',
    ],
    '17track': [
      { event: 'TRACKING_UPDATED', data: { number: 'SR1', track_info: { tracking: { providers: [{ events }] } } } },
      (text) => ({ sign: createHash('sha256').update(`${text}/${secret}`).digest('hex') }),
      'delivered',
    ],
    ship24: [{ trackings: [ship24] }, () => ({ authorization: `Bearer ${secret}` }), 'delivered'],
    trackingmore: [
      { code: 200, data: { tracking_number: 'SR1', origin_info: { trackinfo: [info] } } },
      () => ({ timestamp: '1760000000', signature: hmac('1760000000').digest('hex') }),
      'delivered',
    ],
    karrio: [
      {
        event: 'tracker_updated',
        data: { tracking_number: 'SR1', events: [{ date: '2026-06-10', status: 'delivered' }] },
      },
      () => ({ 'X-Event-Id': secret }),
      'delivered',
    ],
  }
}

t.test('given aggregators that send webhooks', async (t) => {
  const secret = 'a secret of 18 letters'
  for (const [format, [document, sign, code]] of Object.entries(webhooks(secret))) {
    await t.test(`when one of ${format} comes, then it counts only with its signature, and once`, async (t) => {
      const { context, send, get, store } = await server()
      const given = (await call(setProviderWebhook, context, { name: 'acme', format, secret })) as { address: string }
      t.match(given, { name: 'acme', format, address: /\/api\/v1\/otep\/webhooks\/acme$/ })
      const post = async (body: string, headers: object) => {
        const all = { 'content-type': 'application/json', ...headers } as Record<string, string>
        const response = await send(`${base}/webhooks/acme`, { method: 'POST', body, headers: all })
        return { status: response.status, body: (await response.json()) as Body }
      }
      const text = JSON.stringify(document)
      const wrong = Object.entries(sign(text)).map(([name, value]) => [name, `${value}0`])
      t.match(await post(text, Object.fromEntries(wrong)), { status: 401, body: { code: 'webhook_not_proved' } })
      t.match(await post(text, {}), { status: 401, body: { code: 'webhook_not_proved' } })
      t.equal((await get(`${base}/trackings/SR1`)).status, 404, 'nothing is kept')
      t.match(await post(text, sign(text)), { status: 200, body: { data: { accepted: 1 } } })
      t.match(await post(text, sign(text)), { status: 200, body: { data: { accepted: 0, duplicate: 1 } } })
      const { body } = await get(`${base}/trackings/SR1`)
      t.match(body.data, { current_status: code, events: [{ source: { provider: 'acme' } }] })

      const kept = []
      for await (const event of store.readAll()) kept.push(event)
      t.notMatch(JSON.stringify([kept, await call(listProviders, context, {})]), secret, 'the secret is sealed')
      await call(removeProviderWebhook, context, { name: 'acme' })
      t.equal((await post(text, sign(text))).status, 401, 'no more')
    })
  }

  await t.test('when one has a changed body, is no JSON or says nothing new, then that is answered', async (t) => {
    const { context, send } = await server()
    await call(setProviderWebhook, context, { name: 'acme', format: 'aftership', secret: 'only ascii here' })
    const signed = (text: string) => ({
      'content-type': 'application/json',
      'aftership-hmac-sha256': createHmac('sha256', 'only ascii here').update(text).digest('base64'),
    })
    const post = (path: string, body: string, headers: Record<string, string>) =>
      send(`${base}/webhooks/${path}`, { method: 'POST', body, headers })
    t.equal((await post('acme', '{"msg":{} }', signed('{"msg":{}}'))).status, 401)
    t.equal((await post('nobody', '{}', signed('{}'))).status, 401)
    t.equal((await post('acme', '{"msg"', signed('{"msg"'))).status, 400)
    const pending = JSON.stringify({ msg: { tracking_number: 'SR1', tag: 'Pending' } })
    t.equal((await post('acme', pending, signed(pending))).status, 200)
    const noTime = JSON.stringify({ msg: { tracking_number: 'SR1', checkpoints: [{ tag: 'Delivered' }] } })
    const refused = await post('acme', noTime, signed(noTime))
    t.equal(refused.status, 200, 'its sender would only send it again')
    t.match(await refused.json(), { result: true, data: { rejected: 1 } })
    t.equal((await post('acme', '\uFEFF{}', signed('{}'))).status, 401, 'the bytes are signed as they came')
  })

  await t.test('when one of Shippo has a token in its address, then that counts', async (t) => {
    const { context, send } = await server()
    await call(setProviderWebhook, context, { name: 'acme', format: 'shippo', secret: '123456abc' })
    const status = async (query: string) => {
      const [document] = webhooks('').shippo ?? []
      const init = { method: 'POST', body: JSON.stringify(document), headers: { 'content-type': 'application/json' } }
      return (await send(`${base}/webhooks/acme${query}`, init)).status
    }
    t.same([await status('?token=123456abc'), await status('?token=123456abd'), await status('')], [200, 401, 401])
  })

  await t.test('when the format has no signatures, then that is said with those that have', async (t) => {
    const { context } = await server()
    const set = (input: object) => call(setProviderWebhook, context, { name: 'acme', secret: '12345678', ...input })
    await t.rejects(set({ format: 'epcis' }), {
      code: 'webhooks_not_proved',
      params: { expected: 'aftership, easypost, shippo, 17track, ship24, trackingmore, karrio' },
    })
    await t.rejects(set({ name: 'nobody', format: 'karrio' }), { code: 'provider_not_found' })
  })
})

t.test('a source lie, an unknown code and a good event in one call', async (t) => {
  const { post } = await server()
  const lines = [
    event('received', '2026-06-10T10:00:00Z'),
    event('nope', '2026-06-10T10:00:00Z'),
    event('received', '2026-06-10T11:00:00Z', { source: { type: 'node_scan', provider: 'rival' } }),
  ]
  const ndjson = `${lines.map((line) => JSON.stringify(line)).join('\r\n')}\n{"broken\n\n`
  const send = async (path: string) => {
    const response = await post(path, ndjson, { 'content-type': 'application/x-ndjson; charset=utf-8' })
    return { status: response.status, body: (await response.json()) as Body }
  }
  const atomic = await send(`${base}/ingest?atomic=true`)
  t.match(atomic, { status: 422, body: { result: false, code: 'nothing_stored', data: { withheld: 1, rejected: 3 } } })
  const { status, body } = await send(`${base}/ingest`)
  t.equal(status, 200)
  t.match(body.data, { accepted: 1, rejected: 3 })
  t.same(
    body.data.events.map(({ errors = [] }) => errors.map(({ path, code }) => `${path} ${code}`)),
    [
      [],
      ['lines[1].status_code unknown_status_code'],
      ['lines[2].source.provider source_mismatch'],
      ['lines[3] malformed_json'],
    ],
  )
})

t.test('given a long compressed body, when it is read, then no listeners pile up on the way', async (t) => {
  const warnings: Error[] = []
  const warn = (warning: Error) => void warnings.push(warning)
  process.on('warning', warn)
  const { send, key } = await server()
  const compressed = gzipSync(JSON.stringify({ ...received, note: randomBytes(2_000_000).toString('base64') }))
  const pieces = Array.from(
    { length: compressed.length / 65_536 + 1 },
    (_, at) => new Uint8Array(compressed.subarray(at * 65_536, (at + 1) * 65_536)),
  )
  const headers = {
    ...{ 'content-type': 'application/json', 'content-encoding': 'gzip', authorization: `Bearer ${key}` },
  }
  const answer = await send(`${base}/ingest`, {
    ...{ method: 'POST', headers, duplex: 'half', body: ReadableStream.from(pieces) },
  })
  t.equal(answer.status, 422)
  await setImmediate()
  process.off('warning', warn)
  t.same(warnings, [])
})

t.test('given a body without credentials, then it has 1 MiB at most, unless the operator says more', async (t) => {
  const document = JSON.stringify({ ...received, pad: 'x'.repeat(1024 * 1024) })
  for (const [limit, status] of [
    [undefined, 413],
    [2 * 1024 * 1024, 200],
  ] as const) {
    const { post, send } = await server(limit === undefined ? {} : { publicBodyLimit: limit })
    const json = { 'content-type': 'application/json' }
    const answer = await send(`${base}/validate`, { method: 'POST', body: document, headers: json })
    t.equal(answer.status, status)
    t.equal((await post(`${base}/ingest`, document)).status, 422, 'a provider may send more')
  }
})

t.test('two calls under one request id, at once and on one parcel, are both kept', async (t) => {
  const { post, get } = await server()
  const push = (minute: number) =>
    post(`${base}/ingest`, JSON.stringify(event('arrival_scan', `2026-06-10T10:0${minute}:00Z`)), {
      'x-request-id': 'constant',
    })
  const answers = await Promise.all([0, 1, 2, 3, 4].map(push))
  for (const answer of answers) t.match(await answer.json(), { data: { accepted: 1 } })
  t.equal((await get(`${base}/trackings/SR1`)).body.data.events.length, 5)
})

t.test(
  'bodies that stall take nothing from callers with credentials, and strangers are turned away before theirs is read',
  async (t) => {
    const { post, send } = await server({ publicBodyLimit: 16 * 1024 * 1024 })
    const stalled: ReadableStreamDefaultController<Uint8Array>[] = []
    const stall = (path: string) => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(new Uint8Array(9 * 1024 * 1024).fill(32))
          stalled.push(controller)
        },
      })
      return send(path, { method: 'POST', body, duplex: 'half', headers: { 'content-type': 'application/json' } })
    }
    const validations = Array.from({ length: 8 }, () => stall(`${base}/validate`))
    t.equal((await Promise.race(validations)).status, 503, 'the public together has a limit')
    t.equal((await post(`${base}/ingest`, JSON.stringify(received))).status, 200)
    t.equal((await stall(`${base}/ingest`)).status, 401)
    for (const controller of stalled) controller.error(new Error('gone'))
    await Promise.allSettled(validations)
    t.equal((await post(`${base}/validate`, '{}')).status, 200)
  },
)

t.test('lines may come in pieces of any size', async (t) => {
  const { post, get } = await server()
  const text = [
    event('received', '2026-06-10T10:00:00Z', { description: 'é📦'.repeat(50) }),
    event('in_transit', '2026-06-11T10:00:00Z'),
  ]
    .map((line) => JSON.stringify(line))
    .join('\n')
  for (const size of [1, 7, 4096]) {
    const bytes = Buffer.from(text)
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    )
    const stream = new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(new Uint8Array(piece))
        controller.close()
      },
    })
    const response = await post(`${base}/ingest`, stream as never, { 'content-type': 'application/x-ndjson' })
    t.equal(((await response.json()) as Body).data.rejected, 0, `${size}`)
  }
  t.equal((await get(`${base}/trackings/SR1`)).body.data.events[0].description, 'é📦'.repeat(50))
})

t.test(
  'given megabytes of line ends, when they are sent as events, then others are served after each piece',
  async (t) => {
    countEachPause(t)
    const { post } = await server()
    const pieces = 64
    let [left, turns] = [pieces, 0]
    const stream = new ReadableStream({
      pull(controller) {
        if (left-- > 0) controller.enqueue(new Uint8Array(64 * 1024).fill(0x0a))
        else controller.close()
      },
    })
    const counting = (async () => {
      for (; left >= 0; turns++) await setImmediate()
    })()
    const response = await post(`${base}/ingest`, stream as never, { 'content-type': 'application/x-ndjson' })
    await counting
    t.equal(response.status, 200)
    t.ok(turns >= pieces, `${turns} turns of the event loop`)
  },
)

t.test('given a text with zero-width no-break spaces, when it is ingested, then it is kept as it was', async (t) => {
  const { post, get } = await server()
  const description = '\ufeffLeft \ufeffat the\ufeff door'
  const event = { status_code: 'delivered', occurred_at: '2026-06-10T10:00:00Z', description }
  const written = JSON.stringify({ subject: { tracking_number: 'SRF' }, events: [event] })
  for (const body of [written, written.replaceAll('\ufeff', '\\ufeff')])
    t.equal((await post(`${base}/ingest`, body)).status, 200)
  const { events } = (await get(`${base}/trackings/SRF`)).body.data
  for (const event of events) t.match(event, { description })
})

t.test('bad bodies are refused with a code, and nothing is stored', async (t) => {
  const { post, get, store } = await server()
  const before = await historyOf(store)
  const good = JSON.stringify(received)
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 32))
  const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`
  const cases: [string, string | Uint8Array<ArrayBuffer>, Record<string, string>, number, string][] = [
    ['no JSON', '{"a":', {}, 400, 'malformed_json'],
    ['nothing', '', {}, 400, 'malformed_json'],
    ['a list', '[]', {}, 422, 'nothing_accepted'],
    ['invalid UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), {}, 400, 'invalid_utf8'],
    ['cut UTF-8', Buffer.from([0x22, 0xc3]), {}, 400, 'invalid_utf8'],
    ['another type', good, { 'content-type': 'text/csv' }, 415, 'unsupported_media_type'],
    ['another encoding', good, { 'content-encoding': 'br' }, 415, 'unsupported_encoding'],
    ['no gzip', good, { 'content-encoding': 'gzip' }, 400, 'broken_encoding'],
    ['cut gzip', gzipSync(good).subarray(0, 30), { 'content-encoding': 'gzip' }, 400, 'broken_encoding'],
    ['a gzip bomb', bomb, { 'content-encoding': 'gzip' }, 413, 'payload_too_large'],
    ['17 MiB', Buffer.alloc(17 * 1024 * 1024, 32), {}, 413, 'payload_too_large'],
    [
      '17 MiB of lines',
      Buffer.alloc(17 * 1024 * 1024, 32),
      { 'content-type': 'application/x-ndjson' },
      413,
      'payload_too_large',
    ],
    ['10,001 lines', `${good}\n`.repeat(10_001), { 'content-type': 'application/x-ndjson' }, 413, 'too_many_events'],
    ['10,001 events', JSON.stringify({ subject: {}, events: Array(10_001).fill({}) }), {}, 413, 'too_many_events'],
    ['objects 50,000 deep', deep, {}, 422, 'invalid_input'],
    ['an object of 1,001 members', `{${'"a":1,'.repeat(1_000)}"b":1}`, {}, 413, 'too_many_members'],
  ]
  for (const [what, body, headers, status, code] of cases) {
    const response = await post(`${base}/ingest`, body, headers)
    t.match([response.status, await response.json()], [status, { result: false, code, message: String }], what)
  }
  t.same(await historyOf(store), before)
  t.equal((await get(`${base}/trackings/SR1`)).status, 404)
  t.equal(
    (await post(`${base}/ingest`, gzipSync(good), { 'content-encoding': 'gzip' })).status,
    200,
    'good gzip is taken',
  )
})

t.test('errors speak the language of the caller', async (t) => {
  const { get } = await server()
  for (const [header, language] of [
    ['fr', 'fr'],
    ['de-AT, en;q=0.5', 'de'],
    ['es;q=0.8, xx', 'es'],
    ['zh-TW', 'zh-Hant'],
    ['zh', 'zh-Hans'],
    ['zh-Hant-HK', 'zh-Hant'],
    ['xx', 'en'],
    ['', 'en'],
    ['fr;q=0', 'en'],
    ['*', 'en'],
    ['en;q=0.1, fr;q=0.9', 'fr'],
  ] as const) {
    t.equal(languageOf(header), language, header)
    const { body } = await get(`${base}/trackings/none`, { 'accept-language': header })
    t.equal(body.message, messageOf('timeline_not_found', {}, messagesIn(language)), header)
  }
})

t.test(
  'given a query with a name that a read does not have, when it is asked, then it is refused with what was meant',
  async (t) => {
    const { get, ingest } = await server()
    await ingest(received)
    const refusals: readonly (readonly [path: string, name: string, code?: string, meant?: string])[] = [
      [`${base}/trackings/SR1?utm_source=mail&utm_source=sms`, 'utm_source'],
      [`${base}/trackings/SR1?_=1763970000`, '_'],
      [`${base}/trackings/SR1?__proto__=1`, '__proto__'],
      [`${base}/trackings/SR1?toString=1`, 'toString'],
      [`${base}/trackings/SR1?tracking_number=SR2`, 'tracking_number'],
      [`${base}/trackings/SR1?fromat=epcis`, 'fromat', 'unknown_field', 'format'],
      [`${base}/trackings/SR1?postalCode=1`, 'postalCode', 'unknown_field', 'postal_code'],
      [`${base}/trackings/SR1?lang=fr`, 'lang'],
      [`${base}/trackings/SR1?=1`, ''],
      [`${base}/trackings/SR1?%FF=1`, '\uFFFD'],
      [`${base}/trackings/SR1?format=otep&format=epcis`, 'format', 'not_unique'],
      [`${base}/trackings/SR1?link=a&link=b`, 'link', 'not_unique'],
      [`${base}/trackings/SR1?format=aftership&as=capture`, 'as'],
      [`${base}/trackings/SR1/events?limits=1`, 'limits', 'unknown_field', 'limit'],
      [`${base}/trackings/SR1/events?page=2`, 'page'],
      [`${base}/trackings/SR1/stream?last_event=1`, 'last_event', 'unknown_field', 'last_event_id'],
      [`${base}/feed?after=1`, 'after'],
      [`${base}/formats?format=epcis`, 'format'],
      ['/api/v1/track/SR1?format=epcis', 'format'],
      ['/id/tracking_number/SR1?utm_medium=qr', 'utm_medium'],
      ['/files/a/b?links=x', 'links', 'unknown_field', 'link'],
      ['/openapi.json?v=2', 'v'],
      ['/api/otep-guide/schema.json?draft=7', 'draft'],
    ]
    for (const [path, name, code = 'unknown_field', meant] of refusals) {
      const { status, body } = await get(path)
      const [first, ...others] = (body.errors ?? []) as readonly { path: string; code: string; message: string }[]
      t.match([status, first?.path, first?.code, others], [422, name, code, []], path)
      if (meant !== undefined) t.match(first?.message, `Did you mean ${meant}?`, path)
    }
    for (const path of [`${base}/trackings/SR1?`, `${base}/trackings/SR1?&`, `${base}/trackings/SR1?format=otep&`])
      t.equal((await get(path)).status, 200, path)
    for (let again = 0; again < 3; again++) {
      t.equal((await get(`${base}/trackings/SR1?format=epcis`)).status, 200)
      t.equal((await get(`${base}/trackings/SR1?format=epcis&x=1`)).status, 422, 'nor is it answered from the cache')
    }
    t.match(await get(`${base}/trackings/SR1?format=fax`), { body: { code: 'unknown_format' } })
  },
)

t.test('what was asked wrongly is refused with its path', async (t) => {
  const { get, ingest } = await server()
  await ingest(received)
  t.match(await get(`${base}/trackings/none`), { status: 404, body: { result: false, code: 'timeline_not_found' } })
  t.match(await get(`${base}/trackings/SR1?format=fax`), {
    status: 400,
    body: { code: 'unknown_format', message: /otep/ },
  })
  t.match(await get(`${base}/trackings/SR1/events?limit=0`), {
    status: 422,
    body: { errors: [{ path: 'limit', code: 'too_small' }] },
  })
  t.match(await get(`${base}/trackings/SR1/events?limit=many`), {
    status: 422,
    body: { errors: [{ path: 'limit', code: 'wrong_type' }] },
  })
  t.match(await get('/nowhere'), { status: 404, body: { code: 'route_not_found' } })
  t.equal((await get('/nowhere')).headers.get('x-content-type-options'), 'nosniff')
})

t.test('a fault of the engine says no more than the id of the request', async (t) => {
  const store = createMemoryStore(() => now)
  const broken = { ...store, read: () => Promise.reject(new Error('secret place')) }
  const logged: string[] = []
  const { error } = console
  console.error = (line: string) => void logged.push(line)
  t.teardown(() => Object.assign(console, { error }))
  const response = await createApp({ store: broken }).fetch(
    new Request(`http://localhost${base}/trackings/SR1`, { headers: { 'x-request-id': 'r-1' } }),
  )
  console.error = error
  const text = await response.text()
  t.equal(response.status, 500)
  t.match(JSON.parse(text), { code: 'internal', message: /r-1/ })
  t.notMatch(text, /secret/)
  t.match(logged, [/"request":"r-1".*rest\.test\.ts/])
  t.notMatch(logged.join(), /secret/)
})

t.test('the validator', async (t) => {
  const { post } = await server()
  const verdict = async (document: string) =>
    (await (await post(`${base}/validate`, document, { authorization: '' })).json()) as Body
  t.test('needs no credentials, and tells everything in one pass with exact paths', async (t) => {
    const example = {
      otep_version: '0.1',
      profile: 'parcel',
      subject: { tracking_number: 'SR123' },
      events: [{ status_code: 'wat', source: { type: 'bogus' } }],
    }
    const { conformant, level, errors } = await verdict(JSON.stringify(example))
    t.match({ conformant, level }, { conformant: false, level: 0 })
    t.same(
      errors.map(({ path }) => path),
      ['events[0].occurred_at', 'events[0].status_code', 'events[0].source.type'],
    )
    t.equal(errors[0]?.message, 'occurred_at is required (ISO-8601 with offset)')
  })
  t.test('finds every sample journey conformant, but the bad example and a scan after the delivery', async (t) => {
    const faulty = ['nothing-conforms.json', 'late-and-duplicate.json']
    for (const name of readdirSync(examples).filter((file) => file.endsWith('.json'))) {
      const { conformant, errors } = await verdict(readFileSync(join(examples, name), 'utf8'))
      t.equal(conformant, !faulty.includes(name), `${name} ${JSON.stringify(errors).slice(0, 200)}`)
    }
  })
  t.test('names a published requirement with every finding', async (t) => {
    const { errors, warnings } = await verdict(readFileSync(join(examples, 'nothing-conforms.json'), 'utf8'))
    const ids = new Set<string>(requirements.map(({ id }) => id))
    t.ok(
      [...errors, ...warnings].every(
        ({ requirement, path, message }) => ids.has(requirement) && typeof path === 'string' && message !== '',
      ),
    )
  })
  t.test('takes anything that is JSON', async (t) => {
    for (const text of ['null', '[]', '1', '"x"', '{}', '{"events":1}', '{"events":[null,1,[]]}', '{"subject":[]}']) {
      t.equal((await verdict(text)).conformant, false, text)
    }
  })
})

t.test('live updates', async (t) => {
  t.test('tell each later fact with its revision, and resume after Last-Event-ID', async (t) => {
    const { ingest, send } = await server()
    await ingest(received)
    const first = await listen(
      await send(`${base}/trackings/SR1/stream`),
      async () => void (await ingest(event('in_transit', '2026-06-11T10:00:00-04:00'))),
      1,
    )
    t.match(first, [
      {
        id: '1',
        event: 'tracking',
        data: { change: 'recorded', current_status: 'in_transit', event: { status_code: 'in_transit' } },
      },
    ])
    await ingest(event('delivered', '2026-06-12T10:00:00-04:00'))
    const resumed = await listen(
      await send(`${base}/trackings/SR1/stream`, { headers: { 'last-event-id': '0' } }),
      async () => {},
      2,
    )
    t.same(
      resumed.map(({ id }) => id),
      ['1', '2'],
    )
    t.match(resumed[1], { data: { delivered: true } })
  })
  t.test('tell a reader who is far behind to read the timeline again', async (t) => {
    const { ingest, send } = await server()
    const at = (minute: number) => new Date(Date.parse('2026-06-10T00:00:00Z') + minute * 60_000).toISOString()
    await ingest({ lines: Array.from({ length: 600 }, (_, minute) => event('arrival_scan', at(minute))) })
    const [message] = await listen(await send(`${base}/trackings/SR1/stream?last_event_id=0`), async () => {}, 1)
    t.same(message, { id: '599', event: 'reset', data: { change: 'reset' } })
  })
  t.test('are not begun by HEAD', async (t) => {
    const { ingest, send } = await server()
    await ingest(received)
    const head = await send(`${base}/trackings/SR1/stream`, { method: 'HEAD' })
    t.same([head.status, await head.text()], [200, ''])
  })
  t.test('of all timelines are missed by nobody who is cut off while one is on its way', async (t) => {
    const { store, ingest, key } = await server()
    const beats: (() => void)[] = []
    const { setInterval } = globalThis
    t.teardown(() => Object.assign(globalThis, { setInterval }))
    Object.assign(globalThis, {
      setInterval: (beat: () => void, ms: number) => {
        beats.push(beat)
        return setInterval(beat, ms)
      },
    })
    // While the server waits for its store, it says that it is still there.
    const slow = new Proxy(store, {
      get: (all, name: keyof EventStore) => {
        const method = all[name]
        if (name !== 'read' && name !== 'last') return method
        return async (...given: readonly never[]) => {
          await setImmediate()
          for (const beat of beats) beat()
          return (method as (...given: readonly unknown[]) => unknown)(...given)
        }
      },
    })
    const app = createApp({ store: slow, clock: () => now, publicView: 'full' })
    const follow = async (last?: string) =>
      app.request(`${base}/feed`, {
        headers: { authorization: `Bearer ${key}`, ...(last === undefined ? {} : { 'last-event-id': last }) },
      })
    const told = async (response: Response) => {
      const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader()
      let text = ''
      while (!text.includes('event: tracking')) text += (await reader.read()).value ?? ''
      await reader.cancel()
      return text
    }
    const first = await follow()
    await ingest(received)
    const [before = ''] = (await told(first)).split('event: tracking')
    t.ok(beats.length > 0)
    const ids = [...before.matchAll(/^id: (.+)$/gm)].map(([, id]) => id)
    t.ok(ids.length > 1, 'it said so before the event came')
    const late = await follow(ids.at(-1))
    await ingest(event('in_transit', '2026-06-11T10:00:00-04:00'))
    t.match(await told(late), '"status_code":"received"')
  })
  t.test('of all timelines, after a time away, read a timeline with many new events once', async (t) => {
    const { store, ingest, key } = await server()
    let rows = 0
    const counted = new Proxy(store, {
      get: (all, name: keyof EventStore) => {
        if (name !== 'read') return all[name]
        return async (...given: Parameters<EventStore['read']>) => {
          const found = await all.read(...given)
          rows += found.length
          return found
        }
      },
    })
    const app = createApp({ store: counted, clock: () => now, publicView: 'full' })
    const follow = async (last = '') => {
      const headers = { authorization: `Bearer ${key}`, ...(last === '' ? {} : { 'last-event-id': last }) }
      const { body } = await app.request(`${base}/feed`, { headers })
      return (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader()
    }
    const begun = await follow()
    const [, place] = /^id: (.+)$/m.exec((await begun.read()).value ?? '') ?? []
    await begun.cancel()
    const at = (minute: number) => new Date(Date.parse('2026-06-10T00:00:00Z') + minute * 60_000).toISOString()
    await ingest({ lines: Array.from({ length: 600 }, (_, minute) => event('arrival_scan', at(minute))) })
    const late = await follow(place)
    let text = ''
    while (text.split('event: tracking').length <= 600) text += (await late.read()).value ?? ''
    await late.cancel()
    t.ok(rows < 1_000, `${rows} rows were read`)
  })
  t.test('are refused for a number that nobody knows', async (t) => {
    const { send } = await server()
    const response = await send(`${base}/trackings/none/stream`)
    t.match([response.status, await response.json()], [404, { code: 'timeline_not_found' }])
  })
  t.test('come as an event stream that is not kept', async (t) => {
    const { ingest, send } = await server()
    await ingest(received)
    const response = await send(`${base}/trackings/SR1/stream`)
    t.match(response.headers.get('content-type'), /^text\/event-stream/)
    t.equal(response.headers.get('cache-control'), 'no-store')
    t.equal(response.headers.get('x-accel-buffering'), 'no')
    t.equal(response.headers.get('transfer-encoding'), null)
    await response.body?.cancel()
  })
  t.test('begin one after the other when many readers come at once, and others are answered in between', async (t) => {
    const { ingest, send } = await server()
    await ingest(received)
    let begun = 0
    const readers = Array.from({ length: 100 }, async () => {
      const response = await send(`${base}/trackings/SR1/stream`)
      begun++
      return response
    })
    t.equal((await send(`${base}/trackings/SR1`)).status, 200)
    t.ok(begun < 50, `${begun} have begun`)
    for (const response of await Promise.all(readers)) await response.body?.cancel()
    t.equal(begun, 100)
  })
  t.test('begin with a reset for an id that the timeline has not had, and go on from its end', async (t) => {
    const { ingest, send } = await server()
    await ingest(received)
    for (const id of ['7', 'x', '-1', '99999999999999999']) {
      const response = await send(`${base}/trackings/SR1/stream`, { headers: { 'last-event-id': id } })
      const messages = await listen(
        response,
        async () => void (await ingest(event('in_transit', '2026-06-11T10:00:00-04:00', { event_id: `after ${id}` }))),
        2,
      )
      t.match(messages, [
        { event: 'reset', data: { change: 'reset' } },
        { event: 'tracking', data: { change: 'recorded' } },
      ])
      t.equal(Number(messages[1]?.id), Number(messages[0]?.id) + 1)
    }
  })
})

async function listen(response: Response, act: () => Promise<void>, count: number) {
  const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const messages = () =>
    [...text.matchAll(/event: (.*)\ndata: (.*)\nid: (.*)\n\n/g)].map(([, name, data, id]) => ({
      id,
      event: name,
      data: JSON.parse(data ?? ''),
    }))
  text += (await reader.read()).value ?? ''
  await act()
  while (messages().length < count) text += (await reader.read()).value ?? ''
  await reader.cancel()
  return messages()
}

t.test('what is published', async (t) => {
  const { get } = await server()
  t.test('names every code, phase and address of the profile', async (t) => {
    const { body } = await get('/api/otep-guide/codebook.json')
    const [profile] = body.profiles
    t.same(
      profile.codes.map(({ code }) => code),
      Object.keys(parcel.codes),
    )
    t.match(
      profile.codes.find(({ code }) => code === 'delivered'),
      { id: 'otep:parcel:delivered', phase: 'delivered', terminal: true, pod: true },
    )
    t.same(
      profile.codes.filter(({ terminal }) => terminal).map(({ code }) => code),
      ['delivered', 'return_to_sender', 'rejected_by_recipient', 'cancelled'],
    )
    t.match(profile.phases[0], { id: 'otep:phase:pre_shipment', order: 0 })
  })
  t.test('as JSON Schema agrees with the validator on every sample', async (t) => {
    const ajv = addFormats.default(new Ajv2020.default({ strict: false }))
    const check = ajv.compile((await get('/api/otep-guide/schema.json')).body)
    for (const name of readdirSync(examples).filter((file) => file.endsWith('.json'))) {
      t.equal(
        check(JSON.parse(readFileSync(join(examples, name), 'utf8'))),
        !name.startsWith('nothing'),
        `${name} ${JSON.stringify(check.errors)}`,
      )
    }
  })
  t.test('as OpenAPI 3.1 has every route, and only references that resolve', async (t) => {
    const { body } = await get('/openapi.json')
    t.equal(body.openapi, '3.1.0')
    const paths = Object.keys(body.paths)
    for (const path of [
      ...['/api/otep-guide/codebook.json', '/api/otep-guide/schema.json', '/id/{kind}/{value}', `${base}/validate`],
      ...[`${base}/formats`, `${base}/ingest`, `${base}/ingest/epcis`, `${base}/trackings/batch`],
      ...['', '/events', '/stream', '/{format}/{path}'].map((part) => `${base}/trackings/{tracking_number}${part}`),
      ...['/api/v1/user/login', '/api/v1/orders/{order_id}', '/api/v1/broker-order-assignments/release'],
      ...['/api/v1/client/batchOrderCreateAsync', '/api/v1/client/async/{id}', '/api/v1/device-orders'],
      '/api/v1/apps/{appCode}/clients/{clientCode}/bootstrap',
    ])
      t.ok(paths.includes(path), path)
    t.match(
      JSON.stringify(body.paths[`${base}/trackings/{tracking_number}`]),
      /"name":"as","in":"query"[^}]*"enum":\["query","capture","source"\]/s,
    )
    const { info, tags } = body
    t.match(info, { version: '1.0', 'x-server-version': /^\d+\.\d+\.\d+/, summary: /orders.*approvals/ })
    const described = new Map(tags.map(({ name, description }) => [name, description]))
    for (const [path, item] of Object.entries(body.paths))
      for (const operation of Object.values(item)) {
        const { tags: own = [], requestBody, responses = {}, security } = operation
        t.equal(own.length, 1, path)
        t.ok(
          own.every((tag) => (described.get(tag) ?? '') !== ''),
          path,
        )
        if (requestBody !== undefined) t.match(responses, { 400: { description: /malformed_json/ } }, path)
        if ('x-risk' in operation) t.match(responses, { 422: { description: /invalid_input/ } }, path)
        if (security.length > 0) t.match(responses, { 401: {} }, path)
        if (security.length > 0 && security.every((one) => 'bearerAuth' in one)) t.match(responses, { 403: {} }, path)
      }
    const references = [...JSON.stringify(body).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path)
    t.ok(references.length > 0)
    for (const path of references)
      t.ok(
        path.split('/').reduce<unknown>((node, name) => (node as Record<string, unknown> | undefined)?.[name], body),
        path,
      )
    t.match(body.paths[`${base}/ingest`]?.post, {
      security: [{ bearerAuth: [] }],
      parameters: [
        { name: 'format', in: 'query' },
        { name: 'atomic', in: 'query' },
      ],
    })
    t.same(Object.keys(body.paths[`${base}/ingest`]?.post.requestBody.content ?? {}), [
      'application/json',
      'application/x-ndjson',
    ])
  })
})

t.test(
  'given a timeline that was read, when nothing has changed, then it is answered again without its facts',
  async (t) => {
    const { store, ingest } = await server()
    await ingest(received)
    let whole = 0
    const read: EventStore['read'] = (stream, range) => {
      if (range?.from === 0 && stream.startsWith('tracking-')) whole++
      return store.read(stream, range)
    }
    const app = createApp({ store: { ...store, read }, clock: () => now, publicView: 'full' })
    const answers = async (path: string, headers: Record<string, string> = {}) => {
      const response = await app.request(`${base}/trackings/${path}`, { headers })
      return { text: await response.text(), type: response.headers.get('content-type') }
    }
    const asks = [
      answers.bind(undefined, 'SR1', {}),
      answers.bind(undefined, 'SR1?format=epcis', {}),
      answers.bind(undefined, 'SR1', { accept: 'application/json; profile="urn:otep:format:epcis"' }),
      answers.bind(undefined, 'SR1/events', {}),
      answers.bind(undefined, 'SR1/events?limit=1', {}),
    ]
    const first = []
    for (const ask of asks) first.push(await ask())
    t.equal(whole, asks.length)
    t.equal(new Set(first.map(({ text, type }) => `${type} ${text}`)).size, asks.length - 1, 'one page holds it all')
    for (const [index, ask] of asks.entries()) t.same(await ask(), first[index])
    t.equal(whole, asks.length)
    const head = await app.request(`${base}/trackings/SR1`, { method: 'HEAD', headers: { 'x-request-id': 'again' } })
    t.equal(head.headers.get('x-request-id'), 'again')
    t.equal(await head.text(), '')
    t.equal(whole, asks.length)
  },
)

t.test('given a timeline that was read, when another node records a fact, then the next answer tells it', async (t) => {
  const { context, store, ingest, get } = await server()
  await ingest({ ...received, description: 'Left with Adaline' })
  const other = createApp({ store, clock: () => now, publicView: 'full' })
  const read = async () => (await (await other.request(`${base}/trackings/SR1`)).json()) as Body
  t.match(await read(), { data: { current_status: 'received' } })
  await ingest(event('out_for_delivery', '2026-06-10T11:00:00-04:00'))
  t.match(await read(), { data: { current_status: 'out_for_delivery' } })
  t.match(JSON.stringify(await read()), /Adaline/)
  const caller = { kind: 'operator', name: 'test', scopes: ['otep:erase'] } as const
  await call(otepForget, { ...context, caller }, { tracking_number: 'SR1' })
  t.notMatch(JSON.stringify(await read()), /Adaline/)
  t.notMatch(JSON.stringify(await get(`${base}/trackings/SR1`)), /Adaline/)
})

t.test(
  'given a long timeline, when it is read, then it goes out as it is made, the same as in one piece',
  async (t) => {
    const { context, ingest, send } = await server()
    const events = Array.from({ length: 2_000 }, (_, index) => {
      const occurred_at = new Date(now + index * 60_000).toISOString()
      return {
        event_id: `e-${index}`,
        occurred_at,
        recorded_at: occurred_at,
        status_code: 'in_transit',
        description: 'x'.repeat(300),
      }
    })
    await ingest({ otep_version: '0.1', profile: 'parcel', subject: { tracking_number: 'SR1' }, events })
    const expected = await call(otepTracking, context, { tracking_number: 'SR1', format: 'epcis' })
    const accept = 'application/json; profile="urn:otep:format:epcis"'
    const bare = await send(`${base}/trackings/SR1`, { headers: { accept } })
    t.equal(bare.headers.get('content-length'), null)
    t.ok((await bare.text()) === JSON.stringify(expected.data))
    const whole = await send(`${base}/trackings/SR1?format=epcis`)
    t.ok((await whole.text()) === JSON.stringify(expected))
  },
)

t.test('given a long answer, when the caller hangs up, then no more of it is made', async (t) => {
  let made = 0
  let isClosed = false
  function* pieces() {
    try {
      for (;;) {
        made++
        yield 'x'.repeat(64 * 1024)
      }
    } finally {
      isClosed = true
    }
  }
  const body = await bodyOf(pieces(), async () => {})
  if (body instanceof Uint8Array) throw new Error('It is one body.')
  const reader = body.getReader()
  t.equal((await reader.read()).value?.length, 1024 * 1024)
  await reader.read()
  await reader.cancel()
  t.ok(isClosed)
  t.ok(made <= 20, `${made} pieces were made`)
})

t.test('given a long answer, when its reader takes a chunk now and then, then it is given up', async (t) => {
  let hasEnded = false
  function* pieces() {
    for (;;) yield 'x'.repeat(1024)
  }
  // Each chunk of 32 KiB earns it 32 ms, and takes it 50.
  const body = await bodyOf(
    pieces(),
    async () => {},
    () => {
      hasEnded = true
    },
    { milliseconds: 500, rate: 1024 },
  )
  if (body instanceof Uint8Array) throw new Error('It is one body.')
  const reader = body.getReader()
  const dripping = async () => {
    for (let chunks = 0; chunks < 100; chunks++) {
      await reader.read()
      await setTimeout(50)
    }
  }
  await t.rejects(dripping(), { message: 'The reader is too slow.' })
  t.ok(hasEnded, 'others have its turn')
})

/** A REST interface with its own operations, and a caller with the scope of shelves. */
function restOf(operations: readonly Operation[], account?: Account) {
  const caller = { kind: 'operator', name: 'test', scopes: ['shelves'], ...(account && { account }) } as const
  const gateway = createGateway({
    parts: createParts({ store: createMemoryStore(() => now), clock: () => now }),
    operations,
    authenticate: async () => caller,
    version: 'test',
    stopping: new AbortController().signal,
    log: errorLog,
  })
  return createRest(gateway)
}

/** Calls such an interface. */
function serverOf(operations: readonly Operation[], account?: Account) {
  const rest = restOf(operations, account)
  return async (method: string, path: string, body?: string, headers: Record<string, string> = {}) => {
    const given = { authorization: 'Bearer x', 'content-type': 'application/json', ...headers }
    const response = await rest.request(path, { method, headers: given, ...(body === undefined ? {} : { body }) })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : bodyIn(response, text),
    }
  }
}

function bodyIn({ headers }: Response, text: string) {
  return headers.get('content-type')?.startsWith('text/csv') ? text : JSON.parse(text)
}

t.test('given an operation of a module that is off, when it is called, then the body is not looked at', async (t) => {
  const business = { id: 1, name: 'Acme', timeZone: 'UTC', currency: 'EUR', modules: {} }
  const account: Account = { id: 1, role: 'client_admin', business, modules: {}, hiddenPrices: [] }
  const rest = { method: 'POST', path: '/shelves' } as const
  const shelf = echo('put_shelf', rest, v.strictObject({}), { module: 'device_orders' })
  const off = await serverOf([shelf], account)('POST', '/shelves', '{')
  t.match(off, { status: 403, body: { code: 'module_disabled' } })
  const on = { ...account, business: { ...business, modules: { device_orders: 'on' } as const } }
  t.match(await serverOf([shelf], on)('POST', '/shelves', '{'), { status: 400 })
  t.match(await serverOf([shelf], on)('POST', '/shelves', '{}'), { status: 200 })
})

t.test('given an opt-in family that does not exist yet, then every path of it answers 409 to anyone', async (t) => {
  const { status, body } = await serverOf([])('GET', '/api/v1/order-chat')
  t.equal(status, 409)
  t.match(body, { result: false, feature_enabled: false, code: 'feature_disabled', message: /order_chat/ })
  for (const family of ['order-chat', 'operations-agent', 'sms-marketing'])
    for (const method of ['GET', 'POST', 'DELETE'])
      t.match(await serverOf([])(method, `/api/v1/${family}/7/anything`), {
        status: 409,
        body: { result: false, feature_enabled: false },
      })
  t.equal((await restOf([]).request('/api/v1/order-chats')).status, 404)
})

t.test('given an operation of an opt-in family that is off, when it is called, then it answers 409', async (t) => {
  const business = { id: 1, name: 'Acme', timeZone: 'UTC', currency: 'EUR', modules: {} }
  const account: Account = { id: 1, role: 'client_admin', business, modules: {}, hiddenPrices: [] }
  const chat = echo('put_chat', { method: 'POST', path: '/chats' }, v.strictObject({}), { module: 'order_chat' })
  t.match(await serverOf([chat], account)('POST', '/chats', '{'), {
    status: 409,
    body: { result: false, feature_enabled: false, code: 'feature_disabled' },
  })
})

/** An operation that returns its input. */
function echo(
  name: string,
  rest: NonNullable<Operation['rest']>,
  input: Parameters<typeof operation>[0]['input'],
  more: Partial<Operation> = {},
): Operation {
  return {
    ...{ name, summary: 'Answers what it was asked.', scopes: ['shelves'], risk: 'low', errors: [], rest, input },
    output: v.strictObject({ name: v.string(), asked: v.unknown() }),
    handle: async (_, asked) => ({ name, asked }),
    ...more,
  }
}

const shelf = v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.description('Number of a shelf.'))
const label = v.pipe(v.string(), v.maxLength(20))
const at = '/api/v1/shelves'
const shelfAndLabel = v.strictObject({ shelf, label })
const shelves = [
  echo('read_shelf', { method: 'GET', path: `${at}/{shelf}` }, v.strictObject({ shelf })),
  echo('put_shelf', { method: 'PUT', path: `${at}/{shelf}` }, shelfAndLabel, { risk: 'medium' }),
  echo(
    'change_shelf',
    { method: 'PATCH', path: `${at}/{shelf}` },
    v.strictObject({ shelf, label: v.exactOptional(label) }),
  ),
  echo(
    'remove_shelf',
    { method: 'DELETE', path: `${at}/{shelf}` },
    v.strictObject({ shelf, force: v.exactOptional(v.boolean()) }),
    { risk: 'high', tag: 'Shelves', errors: ['wrong_expected_revision'] },
  ),
  echo('empty_shelf', { method: 'POST', path: `${at}/{shelf}/empty` }, v.strictObject({ shelf })),
  echo('count_shelves', { method: 'GET', path: `${at}/count` }, v.strictObject({})),
  echo(
    'find_shelves',
    { method: 'GET', path: at },
    v.strictObject({
      numbers: v.exactOptional(v.array(shelf)),
      states: v.exactOptional(v.array(v.picklist(['full', 'empty']))),
      rows: v.exactOptional(v.picklist([1, 2])),
      confirm: v.exactOptional(v.literal(true)),
      under: v.exactOptional(v.nullable(v.number())),
      label: v.exactOptional(label),
    }),
  ),
]

t.test(
  'given an operation whose answers are a table, when it is called, then their rows come as one CSV',
  async (t) => {
    const csv = { columns: ['shelf', 'label'], rows: 'rows', asks: 'after', tells: 'next', file: 'shelves' }
    const labels = ['a', '=1+1', 'b,"c"', '']
    const input = v.strictObject({ after: v.exactOptional(v.number()), label: v.exactOptional(label) })
    const send = serverOf([
      echo('list_shelves', { method: 'GET', path: `${at}/table`, csv }, input, {
        handle: async (_, asked) => {
          const { after = 0, label } = asked as v.InferOutput<typeof input>
          if (label === 'none') throw new EngineError('order_not_found', { order: 1 })
          const next = after + 1 < labels.length ? { next: after + 1 } : {}
          return { rows: [{ shelf: after, label: labels[after], hidden: 'x' }], ...next }
        },
      }),
    ])
    const { status, body, headers } = await send('GET', `${at}/table`)
    t.equal(status, 200)
    t.same(body.split('\r\n'), ['shelf,label', '0,a', "1,'=1+1", '2,"b,""c"""', '3,', ''])
    t.match(headers.get('content-type'), /^text\/csv; charset=utf-8/)
    t.equal(headers.get('content-disposition'), 'attachment; filename="shelves.csv"')
    t.match(await send('GET', `${at}/table?label=none`), { status: 404, body: { code: 'order_not_found' } })
  },
)

t.test('given operations of several methods at one path, when they are called, then each is found', async (t) => {
  const send = serverOf(shelves)
  const json = '{"label":"a"}'
  t.match(await send('GET', `${at}/7`), { status: 200, body: { name: 'read_shelf', asked: { shelf: 7 } } })
  t.match(await send('PUT', `${at}/7`, json), { body: { name: 'put_shelf', asked: { shelf: 7, label: 'a' } } })
  t.match(await send('PATCH', `${at}/7`, json), { body: { name: 'change_shelf', asked: { shelf: 7, label: 'a' } } })
  t.match(await send('DELETE', `${at}/7?force=true`), {
    body: { name: 'remove_shelf', asked: { shelf: 7, force: true } },
  })
  t.match(await send('GET', `${at}/count`), { body: { name: 'count_shelves', asked: {} } }, 'a fixed path comes first')
  const refused = await send('POST', `${at}/7`, json)
  t.match(refused, { status: 405, body: { code: 'method_not_allowed' } })
  const allow = (headers: Headers, name: string) => (headers.get(name) ?? '').split(', ').sort()
  const all = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'PUT']
  t.same(allow(refused.headers, 'allow'), all)
  const preflight = await send('OPTIONS', `${at}/7`)
  t.equal(preflight.status, 204)
  t.same(allow(preflight.headers, 'access-control-allow-methods'), all)
  t.equal((await send('HEAD', `${at}/7`)).status, 200)
})

t.test(
  'given text in a path or a query, when a number is asked for, then only what is one is taken for it',
  async (t) => {
    const send = serverOf(shelves)
    for (const text of [
      'abc',
      '1e3',
      '0x10',
      '01',
      '%201',
      '1%20',
      '+1',
      '1.',
      '.5',
      '2.0',
      '-1.0',
      '9007199254740993',
      'Infinity',
      '9'.repeat(400),
    ])
      t.match(
        await send('GET', `${at}/${text}`),
        { status: 422, body: { code: 'invalid_input', errors: [{ path: 'shelf', code: 'wrong_type' }] } },
        text,
      )
    t.match(await send('GET', `${at}/1.5`), { status: 422, body: { errors: [{ path: 'shelf' }] } })
    t.match(await send('GET', `${at}/0`), { status: 422, body: { errors: [{ path: 'shelf', code: 'too_small' }] } })
    t.same((await send('GET', `${at}/9007199254740991`)).body.asked, { shelf: Number.MAX_SAFE_INTEGER })
    const found = async (query: string) => (await send('GET', `${at}?${query}`)).body
    t.strictSame((await found('numbers=1,2&numbers=3')).asked, { numbers: [1, 2, 3] })
    t.strictSame((await found('states=full%2Cempty')).asked, { states: ['full', 'empty'] })
    t.strictSame((await found('states=')).asked, { states: [] })
    t.strictSame((await found('rows=2&confirm=true&under=-0.5&label=1,2')).asked, {
      ...{ rows: 2, confirm: true, under: -0.5, label: '1,2' },
    })
    t.match(await found('rows=2.0'), { errors: [{ path: 'rows' }] })
    t.strictSame((await found('under=2.0')).asked, { under: 2 })
    t.match(await found('numbers=1,x,03'), { errors: [{ path: 'numbers[1]' }, { path: 'numbers[2]' }] })
    t.match(await found('states=full,,empty'), { errors: [{ path: 'states[1]' }] })
    for (const name of ['__proto__', 'constructor', 'toString', 'type'])
      t.match(
        await found(`${name}=1`),
        { code: 'invalid_input', errors: [{ path: name, code: 'unknown_field' }] },
        name,
      )
  },
)

t.test('given a query, when it has two values for what is no list, then neither is taken', async (t) => {
  const send = serverOf(shelves)
  for (const [method, path, name] of [
    ['GET', `${at}?label=1&label=2`, 'label'],
    ['GET', `${at}?numbers=1&numbers=2&rows=1&rows=1`, 'rows'],
    ['DELETE', `${at}/7?force=1&force=0`, 'force'],
  ] as const)
    t.match(
      await send(method, path),
      { status: 422, body: { code: 'invalid_input', errors: [{ path: name, code: 'not_unique' }] } },
      path,
    )
  const { ingest, get, post } = await server()
  await ingest(received)
  for (const query of ['format=otep&format=epcis', 'format=epcis&as=query&as=capture'])
    t.match(await get(`${base}/trackings/SR1?${query}`), { status: 422, body: { errors: [{ code: 'not_unique' }] } })
  t.equal((await post(`${base}/ingest?atomic=true&atomic=false`, JSON.stringify(received))).status, 422)
  t.equal((await get(`${base}/trackings/SR1/events?limit=1&limit=2`)).status, 422)
})

t.test('given a member that stands where it is not taken from, when it is sent, then it is refused', async (t) => {
  const send = serverOf(shelves)
  for (const [method, path, json, name] of [
    ['PUT', `${at}/7`, '{"label":"a","shelf":8}', 'shelf'],
    ['PUT', `${at}/7`, '{"label":"a","shelf":7}', 'shelf'],
    ['PUT', `${at}/7?shelf=9`, '{"label":"a"}', 'shelf'],
    ['PUT', `${at}/7?label=b`, '{}', 'label'],
    ['PUT', `${at}/7?label=b`, '{"label":"a"}', 'label'],
    ['PATCH', `${at}/7?label=b`, undefined, 'label'],
    ['POST', `${at}/7/empty?owner=b`, undefined, 'owner'],
    ['DELETE', `${at}/7?shelf=8`, undefined, 'shelf'],
    ['GET', `${at}/7?shelf=8`, undefined, 'shelf'],
  ] as const) {
    const { status, body } = await send(method, path, json)
    const errors = [{ path: name, code: 'unknown_field' }]
    t.match([status, body], [422, { code: 'invalid_input', errors }], `${method} ${path} ${json}`)
  }
  for (const name of ['__proto__', 'constructor', 'prototype', 'owner']) {
    const { status, body } = await send('PUT', `${at}/7`, `{"label":"a","${name}":{"shelf":8,"polluted":true}}`)
    t.match([status, body], [422, { errors: [{ path: name, code: 'unknown_field' }] }], name)
  }
  t.equal(({} as Record<string, unknown>).polluted, undefined)
  t.match(await send('PUT', `${at}/7`, '[]'), { status: 422, body: { code: 'invalid_input' } })
})

t.test('given JSON of any depth, when it is no document of its own, then it may have 64 levels', async (t) => {
  const anything = v.strictObject({ given: v.unknown() })
  const send = serverOf([echo('take', { method: 'POST', path: at }, anything)])
  const lists = (levels: number) => `{"given":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
  t.equal((await send('POST', at, lists(64))).status, 200)
  t.equal((await send('POST', at, `{"given":${JSON.stringify('\\"[{'.repeat(99))}}`)).status, 200, 'in a text')
  t.equal((await send('POST', at, `{"given":[${'{},[],'.repeat(99)}1]}`)).status, 200, 'beside each other')
  for (const levels of [65, 5000, 20_000])
    t.match(await send('POST', at, lists(levels)), {
      status: 422,
      body: { code: 'invalid_input', errors: [{ path: '', code: 'too_deep', message: 'At most 64 levels allowed.' }] },
    })
  t.match(await send('POST', at, '{"given":"[['), { status: 400, body: { code: 'malformed_json' } })
  const packed = gzipSync(lists(65))
  const answer = await restOf([echo('take', { method: 'POST', path: at }, anything)]).request(at, {
    method: 'POST',
    headers: { authorization: 'Bearer x', 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body: packed,
  })
  t.equal(answer.status, 422, 'as a stream too')
})

t.test('given no body, when nothing of it is required, then it is one without members', async (t) => {
  const send = serverOf(shelves)
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  for (const [body, headers] of [
    [undefined, {}],
    ['', {}],
    ['{}', {}],
    ['', { ...form, 'content-length': '0' }],
  ] as const)
    t.match(await send('POST', `${at}/7/empty`, body, headers), { status: 200, body: { asked: { shelf: 7 } } })
  t.match(await send('PATCH', `${at}/7`), { status: 200, body: { asked: { shelf: 7 } } })
  t.match(await send('PUT', `${at}/7`), { status: 400, body: { code: 'malformed_json' } })
  t.match(await send('PUT', `${at}/7`, '{}'), { status: 422, body: { errors: [{ path: 'label', code: 'required' }] } })
  t.match(await send('POST', `${at}/7/empty`, ' '), { status: 400, body: { code: 'malformed_json' } })
  t.match(await send('POST', `${at}/7/empty`, 'a=1', form), { status: 415 })
  const rest = restOf(shelves)
  const socket = await listenOn((request) => rest.fetch(request), { port: 0, host: '127.0.0.1' })
  t.teardown(() => socket.close())
  const url = `http://127.0.0.1:${socket.port}${at}/7/empty`
  const answer = await fetch(url, { method: 'POST', headers: { authorization: 'Bearer x', connection: 'close' } })
  t.match(await answer.json(), { name: 'empty_shelf', asked: { shelf: 7 } }, 'over a socket as well')
})

t.test('given a call that takes long, when its client goes away, then the operation is told', async (t) => {
  let [hasBegun, hasEnded] = [false, false]
  const wait = echo('wait', { method: 'GET', path: `${at}/wait` }, v.strictObject({}), {
    handle: async ({ gone }) => {
      hasBegun = true
      const signal = gone?.()
      while (signal?.aborted === false) await setTimeout(5)
      hasEnded = true
      return { name: 'wait', asked: {} }
    },
  })
  const rest = restOf([wait])
  const socket = await listenOn((request) => rest.fetch(request), { port: 0, host: '127.0.0.1' })
  t.teardown(() => socket.close())
  const leaving = new AbortController()
  const headers = { authorization: 'Bearer x' }
  const answer = fetch(`http://127.0.0.1:${socket.port}${at}/wait`, { headers, signal: leaving.signal })
  while (!hasBegun) await setTimeout(5)
  leaving.abort()
  await t.rejects(answer, { name: 'AbortError' })
  while (!hasEnded) await setTimeout(5)
  t.pass('it has ended')
})

t.test('given answers that have a version, when they are not for everybody, then none is kept', async (t) => {
  let asked = 0
  const versioned = (scopes: readonly string[]) =>
    echo(
      'read_shelf',
      { method: 'GET', path: `${at}/{shelf}`, cache: 'public, max-age=60' },
      v.strictObject({ shelf }),
      {
        scopes,
        version: () => async () => ({ text: 'v1' }),
        handle: async () => ({ name: 'read_shelf', asked: ++asked }),
      },
    )
  const open = serverOf([versioned([])])
  t.match(await open('GET', `${at}/7`), { body: { asked: 1 } })
  const kept = await open('GET', `${at}/7`)
  t.match(kept, { body: { asked: 1 } })
  t.equal(kept.headers.get('cache-control'), 'public, max-age=60')
  const closed = serverOf([versioned(['shelves'])])
  t.match(await closed('GET', `${at}/7`), { body: { asked: 2 } })
  const fresh = await closed('GET', `${at}/7`, undefined, { 'if-none-match': '*' })
  t.match(fresh, { status: 200, body: { asked: 3 } })
  t.equal(fresh.headers.get('cache-control'), 'no-store')
  t.equal(fresh.headers.get('etag'), null)
  t.equal(fresh.headers.get('access-control-allow-origin'), null)
})

t.test('given a call that names itself, when it is sent again, then it is done once', async (t) => {
  let done = 0
  const count = { handle: async () => ({ name: 'count', asked: ++done }) }
  const [put, read] = [
    echo('put_shelf', { method: 'PUT', path: `${at}/{shelf}` }, shelfAndLabel, { risk: 'medium', ...count }),
    echo('look_at_shelf', { method: 'POST', path: `${at}/{shelf}/look` }, v.strictObject({ shelf }), count),
  ]
  const send = serverOf([put, read])
  const key = { 'idempotency-key': 'k-1' }
  for (const replayed of [null, 'true']) {
    const answer = await send('PUT', `${at}/7`, '{"label":"a"}', key)
    t.match(answer, { status: 200, body: { asked: 1 } })
    t.equal(answer.headers.get('idempotency-replayed'), replayed)
  }
  t.match(await send('PUT', `${at}/7`, '{"label":"b"}', key), { body: { code: 'idempotency_key_reused' } })
  t.match(await send('PUT', `${at}/7`, '{"label":"a"}'), { body: { asked: 2 } }, 'without one it is another call')
  for (const asked of [3, 4])
    t.match(await send('POST', `${at}/7/look`, '', key), { body: { asked } }, 'a read keeps none')
  for (const key of ['', 'a b', 'é', 'k'.repeat(256)])
    t.match(
      await send('PUT', `${at}/8`, '{"label":"a"}', { 'idempotency-key': key }),
      { status: 400, body: { code: 'header_not_accepted' } },
      key,
    )
})

t.test('given operations of every method, when they are described, then with all that they take', async (t) => {
  const description = openapi(shelves, 'test', projections, profiles)
  const document = JSON.parse(JSON.stringify(description))
  t.same(await new Validator().validate(JSON.parse(JSON.stringify(description))), { valid: true })
  const { get, put, patch, delete: remove } = document.paths[`${at}/{shelf}`]
  t.match(document.components.securitySchemes, { bearerAuth: { type: 'http', scheme: 'bearer' } })
  for (const one of [get, put, patch, remove])
    t.match(one, { security: [{ bearerAuth: [] }], 'x-scopes': ['shelves'], responses: { 401: {}, 403: {} } })
  t.match(remove, { tags: ['Shelves'], responses: { 409: { description: /^- `wrong_expected_revision`: .+$/ } } })
  t.same(
    document.tags.map(({ name }: { name: string }) => name),
    ['OTEP', 'Shelves'],
  )
  t.match(document.info, { version: '1.0', 'x-server-version': 'test' })
  const codesOf = ({ description }: { description: string }) =>
    [...description.matchAll(/^- `(\w+)`: ./gm)].map(([, code]) => code).join(', ')
  t.same(
    [codesOf(get.responses[401]), codesOf(get.responses[422])],
    ['unauthenticated, key_expired, api_key_expired', 'invalid_input'],
  )
  t.equal(get.responses[400], undefined)
  t.equal(codesOf(put.responses[400]), 'header_not_accepted, malformed_json, invalid_utf8, broken_encoding')
  const large = 'payload_too_large, too_large_to_store, too_many_members, too_many_values'
  t.equal(codesOf(put.responses[413]), large)
  t.equal(codesOf(put.responses[415]), 'unsupported_media_type, unsupported_encoding')
  t.equal(codesOf(put.responses[422]), 'invalid_input, idempotency_key_reused')
  t.equal(codesOf(document.paths[`${at}/count`].get.responses[422]), 'invalid_input', 'a query is too much')
  t.equal(get.tags, undefined)
  const parameters = (one: { parameters: readonly { name: string; in: string }[] }) =>
    one.parameters.map(({ name, in: place }) => `${place} ${name}`)
  t.same(parameters(get), ['path shelf'])
  t.same(parameters(put), ['path shelf', 'header Idempotency-Key'])
  t.same(parameters(remove), ['path shelf', 'query force', 'header Idempotency-Key'])
  const reading = domains.flatMap((domain) => domain.operations).filter(({ name }) => name === 'otep_trackings_batch')
  const batch = openapi(reading, 'test', projections, profiles).paths as typeof document.paths
  const many = batch[`${base}/trackings/batch`].post
  t.ok(parameters(many).includes('query format'), 'the format of what has several may stand in the query too')
  const schemaOf = ({ requestBody }: typeof put) => {
    const { $ref } = requestBody.content['application/json'].schema
    return document.components.schemas[$ref.replace('#/components/schemas/', '')]
  }
  t.same([put.requestBody.required, Object.keys(schemaOf(put).properties)], [true, ['label']])
  t.same([patch.requestBody.required, Object.keys(schemaOf(patch).properties)], [false, ['label']])
  for (const one of [get, remove, document.paths[`${at}/{shelf}/empty`].post]) t.equal(one.requestBody, undefined)
})

t.test('given two schemas that differ and have one name, when they are described, then it is an error', (t) => {
  const labelled = (limit: number) =>
    v.strictObject({ label: named('Label', v.strictObject({ text: v.pipe(v.string(), v.maxLength(limit)) })) })
  const both = (first: number, second: number) => [
    echo('put_label', { method: 'PUT', path: `${at}/{shelf}` }, v.strictObject({ shelf, ...labelled(first).entries })),
    echo('add_label', { method: 'POST', path: `${at}/label` }, labelled(second)),
  ]
  const { components, paths } = JSON.parse(JSON.stringify(openapi(both(9, 9), 'test', projections, profiles)))
  t.match(components.schemas.Label, { properties: { text: { maxLength: 9 } } })
  t.same(components.schemas.AddLabelRequest.properties, { label: { $ref: '#/components/schemas/Label' } })
  t.same(paths[`${at}/label`].post.requestBody.content['application/json'].schema, {
    $ref: '#/components/schemas/AddLabelRequest',
  })
  t.throws(() => openapi(both(9, 10), 'test', projections, profiles), /Two schemas are named Label/)
  t.end()
})

/** A code of each kind of refusal, and two that only describe a value. */
const refused: readonly (readonly [code: Code, status: number])[] = [
  ['malformed_json', 400],
  ['unauthenticated', 401],
  ['own_proposal', 403],
  ['order_not_found', 404],
  ['method_not_allowed', 405],
  ['not_acceptable', 406],
  ['locker_delivery_full', 409],
  ['delivery_erased', 410],
  ['too_many_events', 413],
  ['too_many_things', 413],
  ['unsupported_encoding', 415],
  ['nothing_accepted', 422],
  ['too_many_attempts', 429],
  ['wrong_secret_key', 500],
  ['contention', 503],
  ['required', 422],
  ['step_skipped', 422],
]

t.test(
  'given a refusal, then its status is that of its kind, and that of an invalid input where it has none',
  async (t) => {
    for (const [code, status] of refused) t.equal(statusOf(code), status, code)
  },
)
