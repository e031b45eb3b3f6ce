import { mock } from 'node:test'
import { setImmediate as immediate } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import t, { test } from 'tap'
import { examples } from '../../../conformance/judges/epcis/files.ts'
import { testWith } from '../../../conformance/judges/official.test.fixture.ts'
import { addProvider, call, createMemoryStore, en } from '../../../engine/index.ts'
import { createApp, createParts } from '../../main.ts'

type Json = Record<string, unknown>

const now = Date.parse('2026-11-21T12:00:00Z')
const path = '/api/v1/otep/ingest/epcis'
const context = 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld'
const uuid = (count: number) => `urn:uuid:00000000-0000-4000-8000-${String(count).padStart(12, '0')}`

/** One outcome in words. */
interface Outcome {
  readonly path: string
  readonly outcome: string
  readonly subject?: Json
  readonly errors?: readonly { readonly path: string; readonly code: string }[]
  readonly warnings?: readonly { readonly path: string; readonly code: string; readonly message?: string }[]
}

/** The response of the route. */
interface Answer {
  readonly result: boolean
  readonly code?: string
  readonly message?: string
  readonly data?: Json & { readonly events: readonly Outcome[] }
}

const event = (count: number, more: Json = {}) => ({
  type: 'ObjectEvent',
  eventID: uuid(count),
  eventTime: new Date(Date.parse('2026-06-10T08:00:00Z') + count * 60_000).toISOString(),
  eventTimeZoneOffset: '+00:00',
  epcList: [`http://localhost/id/tracking_number/T${count}`],
  action: 'OBSERVE',
  bizStep: 'departing',
  ...more,
})

const captured = (eventList: readonly unknown[], more: Json = {}) => ({
  '@context': context,
  type: 'EPCISDocument',
  schemaVersion: '2.0',
  creationDate: '2026-06-10T14:00:00Z',
  ...more,
  epcisBody: { eventList },
})

async function server(more: { readonly strictReading?: boolean } = {}) {
  const options = {
    publicView: 'full' as const,
    store: createMemoryStore(() => now),
    clock: () => now,
    baseUrl: 'http://localhost',
    ...more,
  }
  const app = createApp(options)
  const caller = { kind: 'operator', name: 'test', scopes: ['providers:write'] } as const
  const context = { ...createParts(options), caller, messages: en, requestId: 'test' }
  const { key } = (await call(addProvider, context, { name: 'acme', all_businesses: true })) as { key: string }
  const post = async (body: string | ReadableStream<Uint8Array>, headers: Record<string, string> = {}, query = '') => {
    const given = { 'content-type': 'application/json', authorization: `Bearer ${key}`, ...headers }
    const init = { method: 'POST', body, duplex: 'half', headers: given } as const
    const response = await app.fetch(new Request(`http://localhost${path}${query}`, init))
    return { status: response.status, headers: response.headers, body: (await response.json()) as Answer }
  }
  return {
    post,
    app,
    key,
    ingest: (document: unknown, headers?: Record<string, string>, query?: string) =>
      post(JSON.stringify(document), headers, query),
    timeline: async (value: string) => {
      const response = await app.fetch(
        new Request(`http://localhost/api/v1/otep/trackings/${encodeURIComponent(value)}`),
      )
      return (await response.json()) as Json & { data: Json & { events: readonly Json[] } }
    },
    document: async (value: string, accept: string, query = '') => {
      const url = `http://localhost/api/v1/otep/trackings/${encodeURIComponent(value)}${query}`
      return (await app.fetch(new Request(url, { headers: { accept } }))).text()
    },
  }
}

const outcomes = ({ data }: Answer) => data?.events.map(({ outcome }) => outcome)

test('given an EPCIS document, when it is sent twice, then its events are stored once', async (t) => {
  const { ingest, timeline } = await server()
  const document = captured([event(1), event(2)])
  const first = await ingest(document)
  t.equal(first.status, 200)
  t.strictSame(outcomes(first.body), ['accepted', 'accepted'])
  t.strictSame(first.body.data?.events[1]?.path, 'epcisBody.eventList[1]')
  t.strictSame(first.body.data?.events[1]?.subject, { tracking_number: 'T2' })
  t.strictSame(outcomes((await ingest(document)).body), ['duplicate', 'duplicate'])
  const { data } = await timeline('T1')
  t.match(data, { current_status: 'package_outbound', events: { length: 1 } })
})

test('given no credentials, when a document is sent, then it is refused before it is read', async (t) => {
  const { post } = await server()
  const { status, body } = await post('<', { authorization: '' })
  t.strictSame([status, body.code], [401, 'unauthenticated'])
})

test('given a bad event, when nothing is said of errors, then nothing is stored, and with proceed the rest is', async (t) => {
  const { ingest, timeline } = await server()
  const document = captured([event(1), event(2, { bizStep: 'flying' })])
  const rolledBack = await ingest(document)
  t.strictSame([rolledBack.status, rolledBack.body.code], [422, 'nothing_stored'])
  t.strictSame(outcomes(rolledBack.body), ['withheld', 'rejected'])
  const [finding] = rolledBack.body.data?.events[1]?.errors ?? []
  t.strictSame([finding?.path, finding?.code], ['epcisBody.eventList[1].bizStep', 'unknown_cbv_word'])
  t.equal((await timeline('T1')).result, false)
  const proceeded = await ingest(document, { 'GS1-Capture-Error-Behaviour': 'proceed' })
  t.equal(proceeded.status, 200)
  t.strictSame(outcomes(proceeded.body), ['accepted', 'rejected'])
  t.equal((await timeline('T1')).result, true)
})

test('given the headers of GS1, when a document is sent, then they are checked and repeated', async (t) => {
  const { ingest } = await server()
  const answered = await ingest(captured([event(1)]), { 'GS1-EPCIS-Version': '2.0', 'GS1-Extensions': 'acme=1' })
  t.strictSame(
    ['gs1-epcis-version', 'gs1-cbv-version', 'gs1-extensions'].map((name) => answered.headers.get(name)),
    ['2.0', '2.0.0', 'acme=1'],
  )
  for (const name of ['GS1-EPCIS-Version', 'GS1-CBV-Version', 'GS1-Capture-Error-Behaviour']) {
    const { status, body } = await ingest(captured([event(1)]), { [name]: '3.0' })
    t.strictSame([status, body.code], [400, 'header_not_accepted'], name)
    t.match(body.message, name)
  }
})

test('given the versions of a later release, when a document is sent, then they are accepted', async (t) => {
  const { ingest } = await server()
  const headers = { 'GS1-EPCIS-Version': '2.0.1', 'GS1-CBV-Version': '2.0.1' }
  t.equal((await ingest(captured([event(1)]), headers)).status, 200)
})

test('given a document that only this server would refuse, when it is sent, then only strict=true refuses it', async (t) => {
  const { ingest } = await server()
  const odd = captured([event(1, { readPoint: { id: 'https://id.gs1.org/414/9521230000117' } })])
  const strict = await ingest(odd, {}, '?strict=true')
  t.strictSame([strict.status, outcomes(strict.body)], [422, ['rejected']])
  t.match(strict.body.data?.events[0]?.errors, [{ code: 'check_digit' }])
  const { status, body } = await ingest(odd)
  t.strictSame([status, outcomes(body)], [200, ['accepted']])
  t.match(body.data?.events[0]?.warnings, [{ path: 'epcisBody.eventList[0].readPoint.id', code: 'check_digit' }])
  const again = await ingest(odd, {}, '?strict=false')
  t.strictSame(outcomes(again.body), ['duplicate'])
})

test('given a server that reads strictly, when a call does not say otherwise, then it is refused', async (t) => {
  const { ingest } = await server({ strictReading: true })
  const odd = captured([event(1, { epcList: ['no:1'] })])
  t.equal((await ingest(odd)).status, 422)
  t.equal((await ingest(odd, {}, '?strict=false')).status, 200)
})

test('given more that is not used than is listed, when a document is sent, then the last warning counts the rest', async (t) => {
  const { ingest } = await server()
  const more = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`https://a.example/${index}`, 1]))
  const { body } = await ingest(captured([event(1, more)]))
  const warnings = body.data?.events[0]?.warnings ?? []
  t.equal(warnings.length, 21)
  t.match(warnings[20], { code: 'findings_cut', message: /; 1\d more were found/ })
})

test('given EPCIS documents, when they are validated, then every finding has a path and a clause', async (t) => {
  const { app } = await server()
  const validated = async (body: string, type = 'application/json', query = '') => {
    const url = `http://localhost/api/v1/otep/validate?format=epcis${query}`
    const response = await app.fetch(new Request(url, { method: 'POST', body, headers: { 'content-type': type } }))
    return (await response.json()) as Json
  }
  const text = JSON.stringify(captured([event(1)]))
  t.strictSame(await validated(text), { conformant: true, level: 1, errors: [], warnings: [] })
  const wrong = await validated(text.replace('"+00:00"', '"Z"'), 'application/ld+json')
  t.match(wrong, {
    ...{ conformant: false, level: 0, warnings: [] },
    errors: [{ path: 'epcisBody.eventList[0].eventTimeZoneOffset', requirement: 'EPCIS 2.0, 7.4.1' }],
  })
  const odd = text.replace('http://localhost/id/tracking_number/T1', 'no:1')
  const warning = {
    path: 'epcisBody.eventList[0].epcList[0]',
    code: 'undeclared_prefix',
    requirement: 'EPCIS 2.0, 9.1',
  }
  t.match(await validated(odd), { conformant: true, errors: [], warnings: [warning] })
  t.match(await validated(odd, 'application/json', '&strict=true'), { conformant: false, errors: [warning] })
  const xml = '<e:EPCISDocument xmlns:e="urn:epcglobal:epcis:xsd:2" schemaVersion="2.0"><EPCISBody/></e:EPCISDocument>'
  t.match(await validated(xml, 'application/xml'), {
    conformant: false,
    errors: [{ path: 'creationDate', code: 'required' }],
  })
  t.match(await validated('<', 'text/xml'), { code: 'malformed_xml' })
  const headers = { 'content-type': 'application/json' }
  const other = new Request('http://localhost/api/v1/otep/validate?format=otlp', {
    method: 'POST',
    body: '{}',
    headers,
  })
  t.match(await (await app.fetch(other)).json(), { code: 'format_not_read' })
})

test('given an error declaration, when it is sent, then the event is taken back', async (t) => {
  const { ingest, timeline } = await server()
  const moved = event(1, { eventTime: '2026-06-10T10:00:00Z', bizStep: 'arriving', epcList: event(2).epcList })
  await ingest(captured([event(2), moved]))
  t.match((await timeline('T2')).data, { current_status: 'arrival_scan' })
  const errorDeclaration = { declarationTime: '2026-06-11T08:00:00Z', reason: 'did_not_occur' }
  t.strictSame(outcomes((await ingest(captured([{ ...moved, errorDeclaration }]))).body), ['accepted'])
  const { data } = await timeline('T2')
  t.match(data, {
    current_status: 'package_outbound',
    events: { length: 1 },
    withdrawn_events: [{ withdrawn: { declared_at: '2026-06-11T08:00:00Z', reason: 'did_not_occur' } }],
  })
})

test('given a timeline of our own, when its EPCIS document is sent to another server, then the timeline is the same', async (t) => {
  const one = await server()
  await one.ingest(captured([event(1), event(2, { epcList: event(1).epcList, bizStep: 'arriving' })]))
  const before = (await one.timeline('T1')).data
  for (const [accept, query] of [
    ['application/ld+json; profile="urn:otep:format:epcis"', ''],
    ['application/xml; profile="urn:otep:format:epcis"', '?as=capture'],
  ] as const) {
    const other = await server()
    const written = await one.document('T1', accept, query)
    const type = accept.slice(0, accept.indexOf(';'))
    const { status, body } = await other.post(written, { 'content-type': type })
    t.strictSame([status, outcomes(body)], [200, ['accepted', 'accepted']], accept)
    t.strictSame((await other.timeline('T1')).data, before, accept)
  }
})

test('given one thing in two spellings, when two documents tell of it, then it has one timeline', async (t) => {
  const { ingest, timeline } = await server()
  const key = 'https://id.gs1.org/01/10614141073464/21/2017'
  await ingest(captured([event(1, { epcList: ['urn:epc:id:sgtin:0614141.107346.2017'] })]))
  await ingest(captured([event(2, { epcList: ['https://brand.example/01/10614141073464/21/2017?x=1'] })]))
  t.match((await timeline(key)).data, { subject: { piece_id: key }, events: { length: 2 } })
})

test('given an event of which more is learnt, when our document of it is sent again, then it is no other event', async (t) => {
  const [one, other] = [await server(), await server()]
  const accept = 'application/ld+json; profile="urn:otep:format:epcis"'
  const idsOf = (written: string) => [...written.matchAll(/"eventID":"([^"]*)"/g)].map(([, id]) => id)
  await one.ingest(captured([event(1)]))
  const first = await one.document('T1', accept)
  t.strictSame(outcomes((await other.post(first)).body), ['accepted'])
  await one.ingest(captured([event(1, { readPoint: { id: 'urn:epc:id:sgln:0614141.07346.1234' } })]))
  const second = await one.document('T1', accept)
  t.strictSame(idsOf(first), [uuid(1)])
  t.match(idsOf(second), [uuid(1), /^ni:/], 'a further event says more')
  t.match(second, '"readPoint":{"id":"urn:epc:id:sgln:0614141.07346.1234"}')
  t.strictSame(outcomes((await other.post(second)).body), ['duplicate', 'enriched'])
  t.match((await other.timeline('T1')).data, { events: [{ event_id: uuid(1) }] })
})

test('given our document without the members of OTEP, when it is sent, then the parcel is delivered', async (t) => {
  const [one, other] = [await server(), await server()]
  const readPoint = { id: 'https://id.gs1.org/414/9521230000116' }
  const destinationList = [{ type: 'location', destination: readPoint.id }]
  await one.ingest(captured([event(1, { bizStep: 'receiving', readPoint, destinationList })]))
  const written = await one.document('T1', 'application/ld+json; profile="urn:otep:format:epcis"')
  const stripped = JSON.stringify(JSON.parse(written, (name, value) => (name.startsWith('otep:') ? undefined : value)))
  t.notMatch(stripped, '"otep:')
  t.strictSame(outcomes((await other.post(stripped)).body), ['accepted'])
  t.match((await other.timeline('T1')).data, { current_status: 'delivered', delivered: true })
})

test('given a body of another type or form, when it is sent, then it is refused', async (t) => {
  const { post } = await server()
  const sent = async (body: string, type: string) => {
    const answer = await post(body, { 'content-type': type })
    return [answer.status, answer.body.code]
  }
  t.strictSame(await sent('a,b', 'text/csv'), [415, 'unsupported_media_type'])
  t.strictSame(await sent('{', 'application/ld+json'), [400, 'malformed_json'])
  t.strictSame(await sent('<a>', 'application/xml'), [400, 'malformed_xml'])
  t.strictSame(await sent('<a/>', 'text/xml; charset=utf-8'), [422, 'nothing_accepted'])
  t.strictSame(await sent('{}', 'application/json'), [422, 'nothing_accepted'])
  const laughs = `<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "${'&lol;'.repeat(10)}">]><lolz>&lol2;</lolz>`
  t.strictSame(await sent(laughs, 'application/xml'), [400, 'malformed_xml'])
})

test('given too many events for one call, when all or nothing is asked for, then the call is refused', async (t) => {
  const { ingest } = await server()
  const { status, body } = await ingest(captured(Array.from({ length: 10_001 }, () => 0)))
  t.strictSame([status, body.code], [413, 'too_many_events'])
})

const proceed = { 'GS1-Capture-Error-Behaviour': 'proceed' }

test('given more events than a part holds, when proceed is asked for, then each is told at its own place', async (t) => {
  const { ingest, timeline } = await server()
  const events = Array.from({ length: 1203 }, (_, index) => event(index, index === 1100 ? { bizStep: 'flying' } : {}))
  const { status, body } = await ingest(captured(events, { sender: 'urn:a:b' }), proceed)
  t.equal(status, 200)
  t.match(body.data, { accepted: 1202, rejected: 1, ignored: 1, events: { length: 1204 } })
  const [rejected] = body.data?.events.filter(({ outcome }) => outcome === 'rejected') ?? []
  t.equal(rejected?.path, 'epcisBody.eventList[1100]')
  t.equal(rejected?.errors?.[0]?.path, 'epcisBody.eventList[1100].bizStep')
  const ignored = body.data?.events.filter(({ outcome }) => outcome === 'ignored') ?? []
  t.strictSame(
    ignored.map(({ warnings }) => warnings?.map(({ path: at }) => at)),
    [['sender']],
    'told once',
  )
  t.equal((await timeline('T1202')).result, true)
})

test('given a document in parts that is broken, when proceed is asked for, then it says how far it came', async (t) => {
  const { post, ingest, timeline } = await server()
  const events = Array.from({ length: 1000 }, (_, index) => event(index))
  const { epcisBody, ...around } = captured(events)
  const late = await ingest({ epcisBody, ...around }, proceed)
  t.strictSame([late.status, late.body.code], [400, 'member_too_late'])
  t.match(late.body.message, '@context')
  const [start = ''] = JSON.stringify(captured(events)).split(']}}')
  for (const [end, code] of [
    ['', 'malformed_json'],
    [',]}}', 'malformed_json'],
  ] as const) {
    const { status, body } = await post(start + end, proceed)
    t.strictSame([status, body.code], [400, code], end)
    t.match(body.data, { rejected: 0 })
    t.equal((await timeline('T499')).result, true, 'what stood before it is stored')
  }
  const wrong = await ingest(captured([event(9)], { '@context': 'https://ns.example/' }), proceed)
  t.strictSame([wrong.status, wrong.body.code], [422, 'nothing_accepted'])
  t.strictSame(
    wrong.body.data?.events.map(({ path: at }) => at),
    [''],
  )
})

test('given a document without events or of one event, when proceed is asked for, then it is read as well', async (t) => {
  const { ingest } = await server()
  t.match((await ingest(captured([]), proceed)).body, { result: true, data: { accepted: 0 } })
  t.strictSame(outcomes((await ingest({ '@context': context, ...event(1) }, proceed)).body), ['accepted'])
  t.equal((await ingest([1], proceed)).body.code, 'nothing_accepted')
})

test('given events that name more things than a call takes, when proceed is asked for, then they are taken by halves', async (t) => {
  const { ingest } = await server()
  const many = (from: number, length: number) => Array.from({ length }, (_, index) => `urn:a:b:${from + index}`)
  const { body } = await ingest(
    captured([event(1, { epcList: many(0, 6000) }), event(2, { epcList: many(6000, 6000) })]),
    proceed,
  )
  t.match(body.data, { accepted: 12_000, events: { length: 10_000 } })
})

// The server loads it with the first streamed document, and a mocked clock would not wait for the disk.
await import('@streamparser/json')

/** Advances timers by ten seconds in each turn of the event loop, so that all waits end. */
async function inNoTime<Result>(work: Promise<Result>): Promise<Result> {
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  // What else it does takes real time, and more of it on a busy machine.
  for (const end = performance.now() + 60_000; performance.now() < end && !isDone; ) {
    await immediate()
    mock.timers.tick(10_000)
  }
  return isDone ? done : Promise.reject(new Error('It waits for ever.'))
}

/** The text before the events of a document, and the events of a part. */
const opening = JSON.stringify(captured([])).slice(0, -3)
const eventsOf = (from: number, length: number) =>
  Array.from({ length }, (_, index) => JSON.stringify(event(from + index))).join(',')

const encoded = (text: string) => new TextEncoder().encode(text)

/** A body of these texts that then pauses until it is ended. */
function silentAfter(...texts: readonly string[]) {
  let end = () => {}
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const text of texts) controller.enqueue(encoded(text))
      end = () => controller.close()
    },
  })
  return { body, end: () => end() }
}

test('given a body that falls silent, when it is waited for, then that ends, and what came before is stored', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const { post, timeline } = await server()
  const stream = await inNoTime(post(silentAfter(`${opening}${eventsOf(0, 700)},`).body, proceed))
  t.strictSame([stream.status, stream.body.code], [400, 'body_interrupted'])
  t.equal(stream.body.data?.accepted, 500, 'the events of whole parts')
  t.equal((await timeline('T0')).result, true)
  const whole = await inNoTime(post(silentAfter(opening).body))
  t.strictSame([whole.status, whole.body], [400, { ...whole.body, result: false, code: 'body_interrupted' }])
  const zipped = await inNoTime(post(silentAfter().body, { ...proceed, 'content-encoding': 'gzip' }))
  t.strictSame([zipped.status, zipped.body.code], [400, 'body_interrupted'])
})

test('given a stream that is an hour on its way, when it never rests for long, then it is taken', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const { post } = await server()
  let sent = 0
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await immediate()
      mock.timers.tick(20_000)
      const text = sent === 0 ? opening + eventsOf(0, 5) : `,${eventsOf(sent * 5, 5)}`
      controller.enqueue(encoded(sent < 180 ? text : ']}}'))
      if (sent++ === 180) controller.close()
    },
  })
  const { status, body: answer } = await post(body, proceed)
  t.equal(status, 200)
  t.match(answer.data, { accepted: 900 })
})

test('given refused events with huge names, when they are told, then the answer is not', async (t) => {
  const { ingest } = await server()
  const long = `https://example.com/${'a'.repeat(50_000)}`
  const many = await ingest(captured(Array.from({ length: 200 }, (_, index) => event(index, { epcList: [long, 'x'] }))))
  t.equal(many.body.data?.rejected, 200)
  t.ok(many.body.data?.events.every(({ outcome, subject }) => outcome === 'rejected' && subject === undefined))
  t.ok(JSON.stringify(many.body).length < 1_000_000)
})

test('given more to tell than an answer holds, when events are refused, then they are told before the others', async (t) => {
  const { ingest } = await server()
  const bad = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`member${index}`, 1]))
  const events = Array.from({ length: 3000 }, (_, index) => event(index, index < 500 ? {} : bad))
  const { body } = await ingest(captured(events), proceed)
  t.match(body.data, { accepted: 500, rejected: 2500 })
  const told = body.data?.events ?? []
  const { length } = JSON.stringify(told)
  t.ok(length > 5 * 1024 * 1024 && length < 9 * 1024 * 1024, `${told.length} are told in ${length} characters`)
  t.ok(told.every(({ outcome }) => outcome === 'rejected'))
  t.equal(told[0]?.path, 'epcisBody.eventList[500]')
})

test('given a list of events that is none, when proceed is asked for, then it is refused as without', async (t) => {
  const { ingest } = await server()
  for (const eventList of [{ 0: event(1) }, 'text', null, 7]) {
    const document = { ...captured([]), epcisBody: { eventList } }
    const [whole, stream] = [await ingest(document), await ingest(document, proceed)]
    t.strictSame([stream.status, stream.body], [whole.status, whole.body], JSON.stringify(eventList))
    t.equal(stream.body.code, 'nothing_accepted')
  }
})

test('given a stream of nonsense, when ten thousand of its events are refused, then it is not read on', async (t) => {
  const { post } = await server()
  const bomb = gzipSync(`${opening}${'{},'.repeat(200_000)}{}]}}`)
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bomb)
      controller.close()
    },
  })
  const { status, body: answer } = await post(body, { ...proceed, 'content-encoding': 'gzip' })
  t.strictSame([status, answer.code], [422, 'too_many_refused'])
  const rejected = Number(answer.data?.rejected)
  t.ok(rejected > 10_000 && rejected <= 10_500, `${rejected} were refused`)
})

test('given a stream whose sender has gone, when more of it is there, then it is not read on', async (t) => {
  const { app, key } = await server()
  const gone = new AbortController()
  let pulled = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(encoded((pulled === 0 ? opening : ',') + eventsOf(pulled * 600, 600)))
      if (pulled++ === 1) gone.abort()
      if (pulled === 40) controller.close()
    },
  })
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}`, ...proceed }
  const init = { method: 'POST', body, duplex: 'half', headers, signal: gone.signal } as const
  await app.fetch(new Request(`http://localhost${path}`, init))
  t.ok(pulled < 10, `${pulled} pieces were read`)
})

test('given streams that stand still, when others send, then one caller has two, and nobody else waits', async (t) => {
  const { post, ingest, timeline } = await server()
  const silent = Array.from({ length: 12 }, () => silentAfter(opening))
  const waiting = silent.map(({ body }) => post(body, proceed))
  const begun = [0, 1000].map((from) => silentAfter(`${opening}${eventsOf(from, 600)}`))
  const held = begun.map(({ body }) => post(body, proceed))
  const deadline = performance.now() + 60_000
  const areBegun = async () => (await timeline('T1000')).result && (await timeline('T0')).result
  while (performance.now() < deadline && !(await areBegun())) await immediate()
  t.equal(await areBegun(), true)
  const third = await ingest(captured([event(5000)]), proceed)
  t.strictSame([third.status, third.body.code, third.headers.get('retry-after')], [503, 'too_busy', '1'])
  t.strictSame(outcomes((await ingest(captured([event(5000)]))).body), ['accepted'], 'what is no stream goes on')
  const other = await server()
  t.strictSame(outcomes((await other.ingest(captured([event(1)]))).body), ['accepted'])
  for (const { end } of [...silent, ...begun]) end()
  t.ok((await Promise.all([...waiting, ...held])).every(({ body }) => body.code === 'malformed_json'))
  t.equal((await ingest(captured([event(5001)]), proceed)).status, 200, 'there is room again')
})

test('given two streams on the same parcels, when they come at once, then nothing is lost and nothing stands twice', async (t) => {
  const { ingest, timeline } = await server()
  const parcel = (count: number) => ({ epcList: event(count % 40).epcList })
  const half = (from: number) => Array.from({ length: 1600 }, (_, index) => event(from + index, parcel(index)))
  const answers = await Promise.all([ingest(captured(half(0)), proceed), ingest(captured(half(1000)), proceed)])
  const counts = answers.map(({ body }) => body.data)
  t.equal(Number(counts[0]?.accepted) + Number(counts[1]?.accepted), 2600)
  t.equal(Number(counts[0]?.duplicate) + Number(counts[1]?.duplicate), 600)
  for (let count = 0; count < 40; count++) t.match(await timeline(`T${count}`), { data: { events: { length: 65 } } })
})

test('given what is a header or the body, when it stands in the query, then it is refused', async (t) => {
  const { ingest } = await server()
  for (const name of ['error_behaviour', 'epcis_version', 'cbv_version', 'document']) {
    const { status, body } = await ingest(captured([event(1)]), {}, `?${name}=proceed`)
    t.match([status, body], [422, { code: 'invalid_input', errors: [{ path: name, code: 'unknown_field' }] }])
  }
})

test('given a version of EPCIS without JSON, when JSON is sent as that, then it is refused', async (t) => {
  const { ingest } = await server()
  for (const more of [{}, proceed]) {
    const { status, body } = await ingest(captured([event(1)]), { 'GS1-EPCIS-Version': '1.2', ...more })
    t.strictSame([status, body.code], [400, 'header_not_accepted'])
  }
})

test('given an event that is too large, when proceed is asked for, then it is refused, and what came before is stored', async (t) => {
  const { ingest, timeline } = await server()
  const prefixes = { '@context': [context, { example: 'https://ns.example/' }] }
  const large = (count: number, mebibytes: number) => event(count, { 'example:a': 'a'.repeat(mebibytes * 1024 * 1024) })
  const taken = await ingest(captured([large(0, 1.5), large(1, 1.9)], prefixes), proceed)
  t.strictSame([taken.status, outcomes(taken.body)], [200, ['accepted', 'accepted']], 'each is counted for itself')
  for (const [from, size, code] of [
    [1, 2.1, 'event_too_large'],
    [2, 4.1, 'payload_too_large'],
  ] as const) {
    const before = Array.from({ length: 500 }, (_, index) => event(from * 1000 + index))
    const { status, body } = await ingest(captured([...before, large(600, size), event(601)], prefixes), proceed)
    t.strictSame([status, body.code, body.data?.accepted], [413, code, 500])
    t.equal((await timeline(`T${from * 1000 + 499}`)).result, true)
    t.equal((await timeline('T600')).result, false)
  }
  const around = await ingest(
    captured([event(1)], { ...prefixes, 'example:a': 'a'.repeat(4.1 * 1024 * 1024) }),
    proceed,
  )
  t.strictSame([around.status, around.body.code], [413, 'payload_too_large'])
})

test('given more verdicts than are told, when the last is a refusal, then it is told all the same, behind the others', async (t) => {
  const { ingest } = await server()
  const many = (from: number) => Array.from({ length: 6000 }, (_, index) => `urn:a:b:${from + index}`)
  const bad = event(3, { bizStep: 'flying' })
  const events = [event(1, { epcList: many(0) }), event(2, { epcList: many(6000) }), bad, event(4)]
  const { body } = await ingest(captured(events), proceed)
  t.match(body.data, { accepted: 12_001, rejected: 1 })
  const told = body.data?.events ?? []
  t.equal(told.length, 10_000)
  t.strictSame(
    told.flatMap(({ outcome, path: at }, index) => (outcome === 'rejected' ? [[index, at]] : [])),
    [[9999, 'epcisBody.eventList[2]']],
  )
  t.strictSame(told[0]?.subject, { piece_id: 'urn:a:b:0' })
  t.equal(told[9998]?.path, 'epcisBody.eventList[1]')
})

testWith(
  t,
  { examples },
  'given the official examples, when they are sent, then all are taken',
  async (t, { examples }) => {
    for (const { name, text } of examples) {
      const { post } = await server()
      const type = name.endsWith('.xml') ? 'application/xml' : 'application/ld+json'
      const { status, body } = await post(text, { 'content-type': type })
      t.strictSame([status, body.data?.rejected], [200, 0], name)
      t.ok((body.data?.events.length ?? 0) > 0, name)
    }
  },
)
