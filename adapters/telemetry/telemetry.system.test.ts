import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { program } from '../../conformance/program/files.ts'
import { createMemoryStore, EngineError, type Storage } from '../../engine/index.ts'
import { run } from '../cli/run.ts'
import { beginImport, unfinishedImport } from '../history/unfinished.ts'
import { startServer } from '../main.ts'
import { configFrom } from '../node/config.ts'
import { createHealth, type MetricsSource } from '../node/health.ts'
import { errorFields, type Log, quietAs } from '../node/log.ts'
import type { MailFailure } from '../node/mail.ts'
import { asOfOutage } from '../node/outages.ts'
import { watchWrites } from '../node/writes.ts'
import { createSqliteStore } from '../sqlite/facts/index.ts'
import { createLog } from './log.ts'
import { createMetrics } from './metrics.ts'
import { collect, type SentSpan, serve } from './server.test.fixture.ts'

/** Adds a provider before the server starts, and returns its key. */
async function providerIn(dataDir: string): Promise<string> {
  const out: string[] = []
  const write = (text: string) => out.push(text) > 0
  const terminal = { env: { OTEP_DATA_DIR: dataDir }, stdin: process.stdin, stdout: { write } }
  await run(['provider', 'add', 'acme', '--all-businesses', '--init', '--expires', '365d'], {
    ...terminal,
    stderr: { write, isTTY: false, columns: 80 } as never,
  })
  return out.join('').match(/otep_\S+/)?.[0] ?? ''
}

const document = {
  subject: { tracking_number: 'SECRET-NUMBER-1', order_id: 987654321 },
  events: [
    {
      occurred_at: '2026-06-10T10:00:00Z',
      status_code: 'delivered',
      description: 'Left with Mrs Confidential',
      location: { name: 'Hidden Valley', address: { street: 'Private Lane 7' } },
      pod: { recipient: 'Mrs Confidential' },
    },
  ],
}

const secrets = /SECRET-NUMBER|987654321|Confidential|Hidden Valley|Private Lane|otep_acme|Bearer/
/** The lines of the security log have sources; no others do. */
const personal = new RegExp(`${secrets.source}|127\\.0\\.0\\.1`)

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const parent = '00f067aa0ba902b7'

/** Makes every possible kind of call, once. */
async function session(t: Test, url: string, key: string) {
  const base = `${url}/api/v1/otep`
  const push = await fetch(`${base}/ingest?note=SECRET-NUMBER-1`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      'X-Request-Id': 'push-1',
      traceparent: `00-${trace}-${parent}-01`,
    },
    body: JSON.stringify(document),
  })
  t.equal(push.status, 422, 'a query that is not known is refused')
  const pushed = await fetch(`${base}/ingest`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      'X-Request-Id': 'push-2',
      traceparent: `00-${trace}-${parent}-01`,
    },
    body: JSON.stringify(document),
  })
  t.match(await pushed.json(), { data: { accepted: 1 } })
  const traceparent = `00-${trace.replaceAll('4', '5')}-${parent}-01`
  await fetch(`${base}/trackings/SECRET-NUMBER-1?format=epcis`, { headers: { traceparent } }).then(text_)
  await fetch(`${url}/track/SECRET-NUMBER-1`).then(text_)
  await fetch(`${url}/SECRET-NUMBER-1`).then(text_)
  for (const method of ['PROPFIND', 'M-SEARCH']) await fetch(`${url}/SECRET-NUMBER-1`, { method }).then(text_)
  await fetch(`${base}/ingest`, { method: 'POST', headers: { Authorization: `Bearer ${key}0` } }).then(text_)
}

const text_ = (response: Response) => response.text()

t.test('given a collector, when a session is over, then logs, spans and counts tell of it and of nobody', async (t) => {
  const dataDir = t.testdir()
  const key = await providerIn(dataDir)
  const collector = await collect(t)
  const env = { OTEP_DATA_DIR: dataDir, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SERVICE_NAME: 'parcels' }
  const { url, child, lines, logged, ended } = await serve(t, program, env)
  await session(t, url, key)
  const live = await fetch(`${url}/api/v1/otep/trackings/SECRET-NUMBER-1/stream`)
  const metrics = await fetch(`${url}/metrics`)
  t.match(metrics.headers.get('content-type'), /^text\/plain; version=0\.0\.4/)
  const counts = await metrics.text()
  const [, end] = /otep_provider_key_expires_timestamp_seconds\{provider="acme"\} (\d+)/.exec(counts) ?? []
  t.equal(Math.round((Number(end) * 1000 - Date.now()) / 86_400_000), 365, 'the end of the key of the provider')
  await logged('started')
  child.kill('SIGTERM')
  t.match(await live.text(), /^retry: /, 'the live stream ends')
  t.same(await ended, [0, null])

  await t.test('the log', async (t) => {
    t.match(
      lines.find(({ request }) => request === 'push-2'),
      {
        level: 'info',
        time: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
        method: 'POST',
        route: '/api/v1/otep/ingest',
        status: 200,
        ms: Number,
        bytes: Number,
        provider: 'acme',
        trace_id: trace,
        msg: 'answered',
      },
    )
    for (const route of ['/track/:number', 'none', '/api/v1/otep/trackings/:tracking_number/stream']) {
      t.ok(
        lines.find((line) => line.route === route && line.msg === 'answered'),
        route,
      )
    }
    t.notOk(
      lines.find(({ route }) => route === '/metrics'),
      'probes are for level debug',
    )
    t.equal(lines.at(-1)?.msg, 'stopped')
    t.notMatch(JSON.stringify(lines.filter(({ kind }) => kind !== 'security')), personal)
    t.notMatch(JSON.stringify(lines), secrets)
  })

  await t.test('the spans', async (t) => {
    const spans = collector.spans()
    const named = (name: string, of: string) => spans.find((span) => span.name === name && span.traceId === of)
    const pushes = spans.filter(({ name }) => name === 'POST /api/v1/otep/ingest')
    t.ok(
      pushes.some(({ parentSpanId, traceId }) => parentSpanId === parent && traceId === trace),
      'a request belongs to the trace of its caller',
    )
    const appends = spans.filter(({ name, traceId }) => name === 'append events' && traceId === trace)
    t.ok(
      appends.length > 0 && appends.every(({ parentSpanId }) => pushes.some(({ spanId }) => spanId === parentSpanId)),
    )
    t.ok(
      appends.some((span) => Number(attributesOf(span)['otep.streams']) > 1),
      'the timeline and its identifiers are one append',
    )
    const read = spans.find(({ name }) => name === 'GET /api/v1/otep/trackings/:tracking_number')
    t.match(attributesOf(read), {
      'http.request.method': 'GET',
      'http.route': '/api/v1/otep/trackings/:tracking_number',
      'http.response.status_code': 200,
      'url.scheme': 'http',
    })
    const others = spans.filter((span) => attributesOf(span)['http.request.method'] === '_OTHER')
    t.same(
      others.map(({ name }) => name),
      ['_OTHER none', '_OTHER none'],
    )
    const project = named('project epcis', read?.traceId ?? '')
    t.equal(project?.parentSpanId, read?.spanId)
    t.same(attributesOf(project), { 'otep.format': 'epcis', 'otep.events': 1 })
    const sent = JSON.stringify(collector.received)
    t.match(sent, /"service.name","value":\{"stringValue":"parcels"/)
    t.notMatch(sent, personal)
    t.notMatch(sent, /PROPFIND|M-SEARCH/)
  })

  await t.test('the counts', async (t) => {
    const value = countsIn(t, counts)
    t.equal(value('otep_ingest_events_total{outcome="accepted"}'), 1)
    t.equal(
      value('otep_http_request_duration_seconds_count{method="POST",route="/api/v1/otep/ingest",status="2xx"}'),
      1,
    )
    t.equal(value('otep_http_request_duration_seconds_count{method="GET",route="none",status="4xx"}'), 1)
    t.equal(value('otep_http_request_duration_seconds_count{method="_OTHER",route="none",status="4xx"}'), 2)
    t.notMatch(counts, /PROPFIND|M-SEARCH/)
    t.equal(value('otep_projection_duration_seconds_count{format="epcis",outcome="ok"}'), 1)
    t.equal(value('otep_live_streams'), 1)
    t.equal(value('otep_webhook_deliveries_waiting'), 0)
    t.equal(value('otep_webhook_attempts_in_flight'), 0)
    t.equal(value('otep_read_model_caught_up{model="identifiers"}'), 1)
    t.ok(value('otep_store_call_duration_seconds_count{call="append",outcome="ok"}'))
    t.ok(value('otep_store_appended_events_total'))
    t.ok(value('nodejs_eventloop_lag_seconds') !== undefined)
    t.notMatch(counts, personal)
  })
})

function attributesOf(span: SentSpan | undefined): Readonly<Record<string, unknown>> {
  return Object.fromEntries((span?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]))
}

/** Parses the text format of Prometheus; throws for a malformed line. */
function countsIn(t: Test, counts: string): (series: string) => number | undefined {
  const values = new Map<string, number>()
  for (const line of counts.split('\n')) {
    if (line === '' || /^# (HELP|TYPE) \w+ ./.test(line)) continue
    const [, series = '', value] = /^([a-zA-Z_:]\w*(?:\{(?:\w+="[^"\n]*",?)+\})?) (\S+)$/.exec(line) ?? []
    if (value === undefined || values.has(series)) t.fail(line)
    values.set(series, Number(value))
  }
  return (series) => values.get(series)
}

t.test('given a request under way, when the server is told to stop, then it is answered first', async (t) => {
  const { url, child, logged, ended } = await serve(t, program, { OTEP_DATA_DIR: t.testdir() })
  const slow = httpRequest(`${url}/api/v1/otep/validate`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Content-Length': '2' },
  })
  slow.write('{')
  await once(slow, 'socket').then(([socket]) => socket.connecting && once(socket, 'connect'))
  t.equal((await fetch(`${url}/healthz`)).status, 200)
  child.kill('SIGTERM')
  await logged('stopping')
  slow.end('}')
  const [answer] = await once(slow, 'response')
  t.equal(answer.statusCode, 200)
  answer.resume()
  t.same(await ended, [0, null])
})

t.test('given a server that is stopping, when a second signal comes, then it ends at once', async (t) => {
  const { url, child, logged, ended } = await serve(t, program, { OTEP_DATA_DIR: t.testdir() })
  const slow = httpRequest(`${url}/api/v1/otep/validate`, { method: 'POST', headers: { 'Content-Length': '2' } })
  slow.on('error', () => {})
  slow.write('{')
  await once(slow, 'socket').then(([socket]) => socket.connecting && once(socket, 'connect'))
  t.equal((await fetch(`${url}/healthz`)).status, 200)
  child.kill('SIGTERM')
  await logged('stopping')
  child.kill('SIGINT')
  t.same(await ended, [null, 'SIGINT'])
})

t.test('given a collector that never answers, when the server stops, then it does not wait for it', async (t) => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  t.teardown(() => silent.close())
  const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const dataDir = t.testdir()
  const { url, child, lines, ended } = await serve(t, program, {
    OTEP_DATA_DIR: dataDir,
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  })
  t.equal((await fetch(`${url}/api/v1/otep/trackings/x`)).status, 404)
  child.kill('SIGTERM')
  t.same(await ended, [0, null])
  t.equal(lines.at(-1)?.msg === 'stopped' || lines.at(-1)?.msg === 'spans cannot be sent', true)
})

t.test('given a port that is taken, when a server starts, then it says so and leaves nothing open', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.teardown(() => taken.close())
  const { port } = taken.address() as AddressInfo
  const dataDir = t.testdir()
  const config = configFrom({ PORT: String(port), HOST: '127.0.0.1', OTEP_DATA_DIR: dataDir, OTEP_LOG_LEVEL: 'silent' })
  await t.rejects(startServer(config), new RegExp(`Port ${port} of 127.0.0.1 is taken`))
  t.ok(existsSync(join(dataDir, 'otep.db')))
  const log = join(dataDir, 'otep.db-wal')
  t.equal(existsSync(log) ? statSync(log).size : 0, 0, 'the store is closed')
})

t.test('given metrics that are switched off, then there is no route of them', async (t) => {
  const env = { PORT: '0', HOST: '127.0.0.1', OTEP_STORE: 'memory:', OTEP_LOG_LEVEL: 'silent', OTEP_METRICS: 'off' }
  const { url, stop } = await startServer(configFrom(env))
  t.teardown(stop)
  t.equal((await fetch(`${url}/metrics`)).status, 404)
  t.equal((await fetch(`${url}/readyz`)).status, 200)
  await stop()
})

t.test(
  'given a port for metrics, then they are there, nothing else is, and the port of the server has none',
  async (t) => {
    const env = {
      PORT: '0',
      HOST: '127.0.0.1',
      OTEP_STORE: 'memory:',
      OTEP_LOG_LEVEL: 'silent',
      OTEP_METRICS_PORT: '0',
    }
    const { url, metricsUrl = '', stop } = await startServer(configFrom(env))
    t.teardown(stop)
    t.match(metricsUrl, /^http:\/\/127\.0\.0\.1:\d+\/metrics$/)
    t.match(await (await fetch(metricsUrl)).text(), /^otep_build_info\{/m)
    t.equal((await fetch(metricsUrl.replace('/metrics', '/readyz'))).status, 404)
    const hidden = await fetch(`${url}/metrics`)
    t.match([hidden.status, await hidden.json()], [404, { code: 'route_not_found' }])
    t.equal((await fetch(`${url}/readyz`)).status, 200)
    await stop()
    await t.rejects(fetch(metricsUrl))
    const taken = await startServer(configFrom(env))
    t.teardown(taken.stop)
    const { port } = new URL(taken.url)
    await t.rejects(startServer(configFrom({ ...env, OTEP_METRICS_PORT: port })), /is taken/)
  },
)

t.test('given a start, when it is ready, then debug lines say for which readers it waited, and how long', async (t) => {
  const dataDir = t.testdir()
  await providerIn(dataDir)
  const env = { OTEP_DATA_DIR: dataDir, OTEP_LOG_LEVEL: 'debug' }
  const { url, lines, logged } = await serve(t, program, env)
  while ((await fetch(`${url}/readyz`)).status !== 200) await setTimeout(5)
  const all = await logged('all readers of the start have caught up')
  const readers = lines.filter(({ msg }) => msg === 'a reader of the start has caught up')
  t.match(all, { level: 'debug', readers: readers.length, ms: Number, sinceStart: Number })
  t.ok(readers.length > 10)
  for (const { from, events, parts, ms } of readers)
    t.match([from, events, parts, ms], [from && String, Number, Number, Number])
  const longest = readers.find(({ reader }) => reader === all.longest)
  t.equal(longest?.ms, Math.max(...readers.map(({ ms }) => Number(ms))))
})

/** A store that fails or hangs on demand, its health, and the log entries about it. */
function ailing(metrics?: MetricsSource, more: Pick<Storage, 'lost'> = {}) {
  const memory = createMemoryStore(Date.now)
  const pains = {
    none: memory.read,
    fails: () => Promise.reject(new Error('SECRET')),
    hangs: () => new Promise(() => {}),
  }
  const state = { pain: 'none' as keyof typeof pains, isCaughtUp: true, wasCaughtUp: true, refusesWrites: false }
  let mailFailure: MailFailure | undefined
  const store = { ...memory, ...more, read: (...args) => pains[state.pain](...args) } as Storage
  const stopping = new AbortController()
  const said: string[] = []
  const tell = (fields: object, words: string) => void said.push(`${words} ${JSON.stringify(fields)}`)
  const log: Log = { debug: tell, info: tell, warn: tell, error: tell }
  const model = { name: 'identifiers', version: 1, checkpoint: undefined, secondsBehind: 3, looks: 0 }
  const health = createHealth({
    ...{ store, log, stopping: stopping.signal, version: '1.0.0', liveStreams: () => 0, metrics },
    keyExpiries: async () => [],
    held: () => [],
    largeCalls: { state: () => ({ running: 0, waiting: 0 }) },
    areWritesRefused: () => state.refusesWrites,
    mailFailure: () => mailFailure,
    webhooks: { queue: async () => ({ waiting: 0, inFlight: 0 }), parked: async () => 0 },
    models: { state: async () => [{ ...model, isCaughtUp: state.isCaughtUp, wasCaughtUp: state.wasCaughtUp }] },
  })
  const ready = async (query = '') => {
    const answer = await health.request(`/readyz${query}`)
    return { status: answer.status, cache: answer.headers.get('cache-control'), body: await answer.json() }
  }
  const failMail = (failure: MailFailure | undefined) => {
    mailFailure = failure
  }
  return {
    state,
    failMail,
    stopping,
    said,
    ready,
    health,
    alive: async () => (await health.request('/healthz')).status,
  }
}

t.test(
  'given a store that takes no writes, then only a probe that asks for writes finds the node unready',
  async (t) => {
    const { state, ready } = ailing()
    t.match(await ready('?writes'), { status: 200, body: { writes: 'accepted' } })
    state.refusesWrites = true
    t.match(await ready(), { status: 200, body: { status: 'ready', writes: 'refused' } })
    t.match(await ready('?writes'), { status: 503, body: { writes: 'refused' } })
  },
)

t.test('given a mail server that refuses, when a node is asked, then it says since when, and is ready', async (t) => {
  const { failMail, ready } = ailing()
  t.match(await ready(), { status: 200, body: { mail: { failing: false } } })
  failMail({ since: 1_500, fault: 'server', code: '535' })
  const mail = { failing: true, since: '1970-01-01T00:00:01.500Z', fault: 'server', code: '535' }
  t.match(await ready('?writes'), { status: 200, body: { status: 'ready', mail } })
})

t.test('given a store that refuses a write, then it counts as refusing until a write succeeds', async (t) => {
  const memory = createMemoryStore(Date.now)
  let isFull = true
  const appendMany: Storage['appendMany'] = async (appends) => {
    if (isFull) throw new EngineError('store_unavailable')
    return memory.appendMany(appends)
  }
  const { store, areRefused } = watchWrites({ ...memory, appendMany, forRequest: () => ({ ...memory, appendMany }) })
  t.equal(areRefused(), false)
  await t.rejects(store.appendMany([]), { code: 'store_unavailable' })
  t.equal(areRefused(), true)
  await t.rejects(store.append('shelf-1', [], 7), { code: 'internal' })
  t.equal(areRefused(), false, 'another refusal is an answer of a store that works')
  await t.rejects(store.appendMany([]))
  t.equal(await store.leases.write('policy', { holder: 'a', term: 1 }), true)
  t.equal(areRefused(), false)
  await t.rejects((store.forRequest?.() ?? store).appendMany([]))
  t.equal(areRefused(), true, 'a request sees the store by a view')
  isFull = false
  await store.appendMany([])
  t.equal(areRefused(), false)
})

t.test('given a store that fails, hangs and comes back, then the node is ready when it can be asked', async (t) => {
  const { state, said, ready, alive } = ailing()
  t.match(await ready(), { status: 200, cache: 'no-store', body: { status: 'ready', store: { reachable: true } } })
  state.pain = 'fails'
  t.match(await ready(), { status: 503, body: { status: 'unready', store: { reachable: false } } })
  state.pain = 'hangs'
  t.match(await ready(), { status: 503, body: { store: { reachable: false } } })
  t.equal(await alive(), 200)
  state.pain = 'none'
  t.match(await ready(), { status: 200 })
  t.match(said, [/^read models are caught up/, /^store lost/, /^store is back/])
  t.notMatch(said.join(), /SECRET/)
})

t.test(
  'given a store that does not answer when a node starts, then it is not lost, and each change is one line',
  async (t) => {
    const { state, said, ready } = ailing()
    state.pain = 'fails'
    for (let turn = 0; turn < 3; turn++) t.match(await ready(), { status: 503, body: { store: { reachable: false } } })
    state.pain = 'none'
    t.match(await ready(), { status: 200 })
    state.pain = 'fails'
    for (let turn = 0; turn < 3; turn++) t.match(await ready(), { status: 503 })
    t.match(
      said.filter((line) => /store/.test(line)),
      [/does not answer yet/, /^store is back/, /^store lost/],
    )
  },
)

t.test('given read models that are being built, then the node is ready from when they were caught up', async (t) => {
  const { state, ready } = ailing()
  state.isCaughtUp = false
  state.wasCaughtUp = false
  const models = [{ name: 'identifiers', version: 1, caught_up: false, lag_seconds: 3 }]
  t.match(await ready(), { status: 503, body: { status: 'unready', models } })
  state.wasCaughtUp = true
  t.match(await ready(), { status: 200, body: { models: [{ caught_up: false }] } })
  state.wasCaughtUp = false
  t.match(await ready(), { status: 200 })
})

t.test('given attempts to deliver, when they have ended, then they are counted by channel and outcome', async (t) => {
  const { watch, reader } = createMetrics('1.0.0')
  for (const outcome of ['ok', 'timeout', 'ok'])
    watch({ kind: 'attempt', channel: 'tenant', endpoint: 'a' })({ outcome })
  for (let place = 0; place < 150; place++)
    watch({ kind: 'attempt', channel: 'partner', endpoint: `e${place}` })({ outcome: 'ok' })
  const read = reader(async () => ({
    liveStreams: 0,
    keyExpiries: [],
    largeCalls: { running: 1, waiting: 3 },
    models: [],
    damaged: 2,
    areWritesRefused: true,
    mailFailure: { since: 1_500, fault: 'server', code: '535' },
    webhooks: { waiting: 7, inFlight: 2 },
    parkedEvents: 4,
    held: [{ structure: 'heads', bytes: 5, most: 8 }],
  }))
  const value = countsIn(t, await read())
  const series = (outcome: string) =>
    `otep_webhook_attempt_duration_seconds_count{channel="tenant",outcome="${outcome}"}`
  t.equal(value(series('ok')), 2)
  t.equal(value(series('timeout')), 1)
  const attempts = (endpoint: string, outcome: string) =>
    value(`otep_webhook_endpoint_attempts_total{endpoint="${endpoint}",outcome="${outcome}"}`)
  t.same([attempts('a', 'ok'), attempts('a', 'failed')], [2, 1])
  t.same([attempts('e98', 'ok'), attempts('e99', 'ok'), attempts('other', 'ok')], [1, undefined, 51], 'bounded')
  t.equal(value('otep_webhook_deliveries_waiting'), 7)
  t.equal(value('otep_webhook_attempts_in_flight'), 2)
  t.equal(value('otep_webhook_events_parked'), 4)
  t.equal(value('otep_memory_held_bytes{structure="heads"}'), 5)
  t.equal(value('otep_memory_bound_bytes{structure="heads"}'), 8)
  t.equal(value('otep_store_damaged_events'), 2)
  t.equal(value('otep_store_writes_refused'), 1)
  t.equal(value('otep_mail_failing_since_timestamp_seconds{fault="server"}'), 1.5)
})

t.test('given many who read the metrics at once, then the text is made once for all of them', async (t) => {
  let made = 0
  const { health } = ailing({ contentType: 'text/plain', reader: () => async () => `made ${++made}` })
  const read = async () => (await health.request('/metrics')).text()
  t.same(await Promise.all([1, 2, 3, 4].map(read)), ['made 1', 'made 1', 'made 1', 'made 1'])
  t.equal(await read(), 'made 2')
})

t.test('given a node that stops, then it is not ready from then on, whatever its store', async (t) => {
  const { stopping, ready, alive } = ailing()
  stopping.abort()
  t.match(await ready(), { status: 503, body: { status: 'stopping' } })
  t.equal(await alive(), 200)
})

t.test('given an error, when it is told of, then its message is not', async (t) => {
  const error = new TypeError('first line\n    at SECRET (secret.ts:1:1)\nSECRET', { cause: new Error('SECRET') })
  const told = errorFields(Object.assign(error, { code: 'ENOENT' }))
  t.match(told, {
    error: 'TypeError',
    code: 'ENOENT',
    stack: [/telemetry\.system\.test\.ts/],
    cause: { error: 'Error' },
  })
  t.notMatch(JSON.stringify(told), /SECRET|first line/)
  t.notMatch(JSON.stringify(errorFields(Object.assign(new Error(''), { code: 'a SECRET' }))), /SECRET/)
  t.same(errorFields('SECRET'), { error: 'string' })
})

t.test(
  'given a log, when it is closed, then what was told is written, and what matters less than its level is not',
  async (t) => {
    const file = join(t.testdir(), 'log')
    const log = createLog('warn', file)
    await new Promise((resolve) => setImmediate(resolve))
    log.info({ n: 1 }, 'less')
    log.warn({ n: 2 }, 'more')
    log.close()
    const [line, ...rest] = readFileSync(file, 'utf8').trim().split('\n')
    t.match(JSON.parse(line ?? ''), { level: 'warn', n: 2, msg: 'more' })
    t.same(rest, [])
  },
)

t.test(
  'given what failed because the store is lost, when it is logged, then at debug level, as what follows from it',
  async (t) => {
    const linesAt = (level: 'debug' | 'info') => {
      const file = join(t.testdir(), 'log')
      const log = createLog(level, file)
      const lost = asOfOutage(new EngineError('store_unavailable'))
      const fields = errorFields(new Error('a lookup failed', { cause: lost }))
      log.error({ of: 'orders', ...fields }, 'worse')
      log.info(quietAs(fields), 'again')
      log.error(errorFields(new EngineError('store_unavailable')), 'bad')
      log.close()
      return readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    }
    t.match(linesAt('info'), [{ level: 'error', msg: 'bad' }])
    t.equal(linesAt('info').length, 1)
    t.match(linesAt('debug'), [
      { level: 'debug', of: 'orders', error: 'Error', cause: { code: 'store_unavailable' }, msg: 'worse' },
      { level: 'debug', msg: 'again' },
      { level: 'error', msg: 'bad' },
    ])
  },
)

t.test(
  'given a store that reports its outages by itself, when it fails, then the node is not ready, and logs nothing',
  async (t) => {
    const { state, said, ready } = ailing(undefined, { lost: () => undefined })
    for (const pain of ['none', 'fails', 'hangs'] as const) {
      state.pain = pain
      t.match(await ready(), { status: pain === 'none' ? 200 : 503 })
    }
    t.match(said, [/^read models are caught up/])
    t.equal(said.length, 1)
  },
)

t.test(
  'given a proxy that is not trusted, when it forwards addresses, then its visitors share one limit, and a line warns',
  async (t) => {
    const settings = { OTEP_DATA_DIR: t.testdir(), OTEP_LIMITS: 'public_reads=3/h' }
    const read = (url: string, visitor: number) =>
      fetch(`${url}/api/v1/otep/formats`, { headers: { 'X-Forwarded-For': `203.0.113.${visitor}` } })
    const { url, lines, logged } = await serve(t, program, settings)
    const statuses: number[] = []
    for (let visitor = 1; visitor <= 5; visitor++) statuses.push((await read(url, visitor)).status)
    t.strictSame(statuses, [200, 200, 200, 429, 429])
    const ignored =
      'a request has a forwarded address, which is ignored: if a proxy sent it, set OTEP_TRUSTED_PROXIES to the address of the proxy'
    t.equal((await logged(ignored)).level, 'warn')
    t.equal(lines.filter(({ msg }) => msg === ignored).length, 1)
    const metrics = await text_(await fetch(`${url}/metrics`))
    t.match(metrics, 'otep_refused_requests_total{limit="public_reads"} 2\n')
    t.match(metrics, 'otep_untrusted_forwarding_total 5\n')
    t.match(metrics, 'otep_large_calls{state="waiting"} 0\n')
    const trusting = await serve(t, program, {
      ...settings,
      OTEP_STORE: 'memory:',
      OTEP_TRUSTED_PROXIES: '127.0.0.0/8',
    })
    for (let visitor = 1; visitor <= 5; visitor++) t.equal((await read(trusting.url, visitor)).status, 200)
  },
)

t.test(
  'given repeated reads, when they come one by one or in one packet, then each has a line with its status and bytes',
  async (t) => {
    const dataDir = t.testdir()
    const key = await providerIn(dataDir)
    const { url, lines } = await serve(t, program, { OTEP_DATA_DIR: dataDir })
    const path = '/api/v1/otep/trackings/SECRET-NUMBER-1'
    const route = '/api/v1/otep/trackings/:tracking_number'
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    await fetch(`${url}/api/v1/otep/ingest`, { method: 'POST', headers, body: JSON.stringify(document) }).then(text_)
    const ETag = (await fetch(`${url}${path}`)).headers.get('etag') ?? ''
    const body = Buffer.byteLength(await fetch(`${url}${path}`).then(text_))
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    t.teardown(() => socket.destroy())
    const ask = (more = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`
    const answered = () => lines.filter((line) => line.route === route && line.msg === 'answered')
    const until = async (count: number) => {
      for (let tries = 0; tries < 500 && answered().length < count; tries++) await setTimeout(10)
      return answered().slice(2)
    }
    socket.write(ask())
    t.match((await until(3))[0], { status: 200 })
    socket.write(ask(`If-None-Match: ${ETag}\r\n`))
    t.match((await until(4))[1], { status: 304 })
    const [whole = 0, unchanged = 0] = answered()
      .slice(2)
      .map(({ bytes }) => Number(bytes))
    t.ok(whole > body && unchanged > 100 && unchanged < whole - body, `${whole}, ${unchanged}`)
    let received = 0
    socket.on('data', (chunk) => {
      received += chunk.length
    })
    for (let tries = 0; tries < 500 && received < whole + unchanged; tries++) await setTimeout(10)
    t.equal(received, whole + unchanged, 'the bytes on the wire')
    socket.write(ask().repeat(3))
    t.strictSame(
      (await until(7)).slice(2).map(({ status, aborted }) => [status, aborted]),
      [
        [200, undefined],
        [200, undefined],
        [200, undefined],
      ],
    )
  },
)

t.test('given a store into which an import was stopped, when it is served, then a line warns', async (t) => {
  const directory = t.testdir()
  const store = createSqliteStore({ file: join(directory, 'otep.db'), clock: Date.now })
  await beginImport(store.leases)
  await store.close()
  const { logged } = await serve(t, program, { OTEP_DATA_DIR: directory })
  t.equal((await logged(unfinishedImport)).level, 'warn')
})
