import { subscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { mock } from 'node:test'
import t from 'tap'
import { projections } from '../projections/index.ts'
import { negotiate } from './http/negotiate.ts'
import { createRecentCache } from './http/recent-cache.ts'
import { startServer } from './main.ts'
import { configFrom, nameOfStore, storeFrom } from './node/config.ts'
import { defaultLimits, limitsFrom } from './node/limits.ts'
import { board, repair } from './plugins/board.test.fixture.ts'
import { createEngine } from './server.ts'

const quiet = { PORT: '0', HOST: '127.0.0.1', OTEP_LOG_LEVEL: 'silent' }

t.test(
  'given a silent connection, half a request and a live stream, when the server stops, then it ends all the same',
  async (t) => {
    const { url, stop } = await startServer(configFrom({ ...quiet, OTEP_DATA_DIR: t.testdir() }))
    t.teardown(stop)
    const port = Number(new URL(url).port)
    const sockets = [
      '',
      'GET / HTTP/1.1\r\nX-A: ',
      'POST /api/v1/otep/validate HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{',
    ].map((text) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(text))
      socket.on('error', () => {})
      return socket
    })
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    t.equal((await fetch(`${url}/openapi.json`)).status, 200)
    const closed = Promise.all(sockets.map((socket) => once(socket, 'close')))
    await stop()
    await closed
    await t.rejects(fetch(`${url}/openapi.json`), 'nobody listens any more')
  },
)

t.test(
  'given a form that is too large, when it is refused before its end, then its client is told to close',
  async (t) => {
    const { url, stop } = await startServer(configFrom({ ...quiet, OTEP_DATA_DIR: t.testdir() }))
    t.teardown(stop)
    const ask = async (length: number, body: string) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      t.teardown(() => socket.destroy())
      const type = 'Content-Type: application/x-www-form-urlencoded\r\nSec-Fetch-Site: same-origin'
      socket.write(
        `POST /track-confirm/wrong HTTP/1.1\r\nHost: a\r\n${type}\r\nContent-Length: ${length}\r\n\r\n${body}`,
      )
      return String(await once(socket, 'data'))
    }
    const refused = await ask(9_000_000, `a=${'x'.repeat(100_000)}`)
    t.match(refused, /^HTTP\/1.1 4\d\d /)
    t.match(refused, /^Connection: close\r$/im)
    t.match(await ask(3, 'a=b'), /^Connection: keep-alive\r$/im, 'others go on')
  },
)

t.test('given kept connections, when the server drains, then each answer tells its client to close', async (t) => {
  const settings = { ...quiet, OTEP_DATA_DIR: t.testdir(), OTEP_DRAIN_SECONDS: '1' }
  const { url, stop } = await startServer(configFrom(settings))
  t.teardown(stop)
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await once(socket, 'connect')
  const answers = text(socket)
  const body = 'POST /api/v1/otep/validate HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n'
  socket.write(`${body}{}`)
  await once(socket, 'data')
  socket.write(`${body}{`)
  const other = await fetch(`${url}/healthz`)
  t.equal(other.headers.get('connection'), 'keep-alive')
  const stopped = stop()
  t.equal((await fetch(`${url}/readyz`)).status, 503, 'it takes requests while it drains')
  t.equal((await fetch(`${url}/healthz`)).headers.get('connection'), 'close')
  socket.write('}')
  t.match(
    (await answers).split('HTTP/1.1 200 OK').map((answer) => /^connection: (.*)$/im.exec(answer)?.[1]?.trim()),
    [...[undefined, 'keep-alive', 'close']],
  )
  await stopped
})

t.test('given a body that is long on its way, when the connection is silent, then it stays', async (t) => {
  const { url, stop } = await startServer(configFrom({ ...quiet, OTEP_DATA_DIR: t.testdir() }))
  t.teardown(stop)
  const socket = connect(Number(new URL(url).port), '127.0.0.1', () =>
    socket.write('POST /api/v1/otep/validate HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{'),
  )
  const received = new Promise<{ readonly server: Server; readonly socket: Socket }>((resolve) =>
    subscribe('http.server.request.start', (message) => resolve(message as { server: Server; socket: Socket })),
  )
  const { server, socket: theirs } = await received
  const times = { requestTimeout: 0, headersTimeout: 20_000, connectionsCheckingInterval: 1_000, timeout: 120_000 }
  t.match(server, times)
  theirs.emit('timeout')
  socket.write('}')
  t.match(await text(socket), /^HTTP\/1.1 200/)
  await stop()
})

t.test('given nothing about its address, when a server starts, then its own machine alone can connect', async (t) => {
  const { url, stop } = await startServer(configFrom({ ...quiet, HOST: '', OTEP_DATA_DIR: t.testdir() }))
  t.teardown(stop)
  const { hostname, port } = new URL(url)
  t.equal(hostname, 'localhost')
  t.equal((await fetch(`http://127.0.0.1:${port}/healthz`)).status, 200)
  await t.rejects(fetch(`http://127.0.0.2:${port}/healthz`), 'all interfaces have this address, too')
  t.equal(configFrom({ OTEP_BASE_URL: 'https://a.example' }).host, undefined)
  t.equal(configFrom({ OTEP_BASE_URL: 'https://a.example', HOST: '::1' }).host, '::1')
  t.equal(configFrom({ HOST: '0.0.0.0' }).host, '0.0.0.0')
})

t.test(
  'given a request that a proxy has forwarded, when it asks for what is of the inside, then it needs the token',
  async (t) => {
    const token = 'a-token-of-the-metrics'
    for (const OTEP_METRICS_TOKEN of [token, '']) {
      const { url, stop } = await startServer(configFrom({ ...quiet, OTEP_METRICS_TOKEN, OTEP_DATA_DIR: t.testdir() }))
      t.teardown(stop)
      const ask = async (path: string, headers: Record<string, string> = {}) => {
        const response = await fetch(`${url}${path}`, { headers })
        const text = await response.text()
        return { status: response.status, hasDetails: /"store"|otep_build_info/.test(text), text }
      }
      for (const path of ['/metrics', '/readyz']) t.match(await ask(path), { status: 200, hasDetails: true }, path)
      for (const name of ['X-Forwarded-For', 'Forwarded', 'X-Real-IP', 'Via']) {
        const forwarded = { [name]: '198.51.100.7' }
        t.match(await ask('/readyz', forwarded), { status: 200, text: '{"status":"ready"}' }, name)
        t.match(
          await ask('/metrics', forwarded),
          { status: OTEP_METRICS_TOKEN === '' ? 404 : 401, hasDetails: false },
          name,
        )
        const wrong = { ...forwarded, Authorization: `Bearer ${token}x` }
        t.match(await ask('/metrics', wrong), { hasDetails: false })
        const right = { ...forwarded, Authorization: `Bearer ${token}` }
        const isRight = OTEP_METRICS_TOKEN !== ''
        for (const path of ['/metrics', '/readyz']) t.match(await ask(path, right), { hasDetails: isRight }, path)
      }
    }
  },
)

t.test('the configuration is read from the environment, and what cannot be is refused by name', async (t) => {
  const plain = (env: Parameters<typeof configFrom>[0]) => {
    const { secret, ...config } = configFrom(env)
    return config
  }
  t.same(plain({}), {
    port: 3000,
    host: 'localhost',
    dataDir: './data',
    store: { kind: 'sqlite', file: 'data/otep.db' },
    blobs: { kind: 'directory', directory: 'data/blobs' },
    mail: undefined,
    sms: undefined,
    sessionDays: { plain: 30, app: 90 },
    operators: [],
    outsideIssuer: undefined,
    workers: 1,
    hsts: false,
    corsOrigins: [],
    frameAncestors: [],
    publicView: 'reduced',
    publicBodyLimit: 1024 * 1024,
    limits: defaultLimits(),
    publicSources: false,
    trustedProxies: [],
    webhookAllow: [],
    carrierAllow: [],
    signOnAllow: [],
    fontsDir: undefined,
    baseUrl: undefined,
    epcisStrict: false,
    drainSeconds: 0,
    logLevel: 'info',
    securityLog: true,
    metrics: true,
    metricsAddress: undefined,
    metricsToken: undefined,
    tracesUrl: undefined,
  })
  t.same(
    plain({
      PORT: '0',
      HOST: '::1',
      OTEP_DATA_DIR: '/srv/otep',
      OTEP_MAIL_URL: 'file:/srv/mails',
      OTEP_MAIL_FROM: 'otep@a.example',
      OTEP_SMS_URL: 'https://AC1:t%40ken@sms.example/v',
      OTEP_SMS_FROM: '+14165550100',
      OTEP_SESSION_DAYS: '7,14',
      OTEP_SERVER_OPERATORS: '1, 17',
      OTEP_OAUTH_ISSUER: 'https://idp.example/realms/a',
      OTEP_OAUTH_EMAIL_DOMAINS: 'One.example, two.example',
      OTEP_WORKERS: '4',
      OTEP_HSTS: 'yes',
      OTEP_CORS_ORIGINS: 'https://shop.example, http://localhost:5173',
      OTEP_FRAME_ANCESTORS: 'https://shop.example',
      OTEP_WEBHOOK_ALLOW: '127.0.0.0/8, ::1/128',
      OTEP_CARRIER_ALLOW: '10.0.0.0/8',
      OTEP_SIGN_ON_ALLOW: '10.2.0.0/16',
      OTEP_FONTS_DIR: import.meta.dirname,
      OTEP_BASE_URL: 'https://a.example/t/',
      OTEP_EPCIS_STRICT: 'on',
      OTEP_DRAIN_SECONDS: '15',
      OTEP_LIMITS: 'off',
      OTEP_TRUSTED_PROXIES: '10.0.0.0/8, ::1',
      OTEP_PUBLIC_VIEW: 'full',
      OTEP_PUBLIC_BODY: '512KiB',
      OTEP_EPCIS_PUBLIC: 'source',
      OTEP_LOG_LEVEL: 'WARN',
      OTEP_METRICS: 'off',
      OTEP_SECURITY_LOG: 'off',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
    }),
    {
      port: 0,
      host: '::1',
      dataDir: '/srv/otep',
      store: { kind: 'sqlite', file: '/srv/otep/otep.db' },
      blobs: { kind: 'directory', directory: '/srv/otep/blobs' },
      mail: { kind: 'file', directory: '/srv/mails', from: 'otep@a.example' },
      sms: { kind: 'rest', base: 'https://sms.example/v', account: 'AC1', token: 't@ken', from: '+14165550100' },
      sessionDays: { plain: 7, app: 14 },
      operators: [1, 17],
      outsideIssuer: { issuer: 'https://idp.example/realms/a', emailDomains: ['one.example', 'two.example'] },
      workers: 4,
      hsts: true,
      corsOrigins: ['https://shop.example', 'http://localhost:5173'],
      frameAncestors: ['https://shop.example'],
      webhookAllow: ['127.0.0.0/8', '::1/128'],
      carrierAllow: ['10.0.0.0/8'],
      signOnAllow: ['10.2.0.0/16'],
      fontsDir: import.meta.dirname,
      baseUrl: 'https://a.example/t',
      epcisStrict: true,
      drainSeconds: 15,
      publicView: 'full',
      publicBodyLimit: 512 * 1024,
      publicSources: true,
      limits: limitsFrom({ OTEP_LIMITS: 'off' }),
      trustedProxies: ['10.0.0.0/8', '::1'],
      logLevel: 'warn',
      securityLog: false,
      metrics: false,
      metricsAddress: undefined,
      metricsToken: undefined,
      tracesUrl: 'http://collector:4318/v1/traces',
    },
  )
  for (const [address, store] of [
    ['memory:', { kind: 'memory' }],
    ['sqlite:./a.db', { kind: 'sqlite', file: './a.db' }],
    ['sqlite:///srv/a.db', { kind: 'sqlite', file: '/srv/a.db' }],
    [
      'esdb://a:2113,b:2113?tls=true',
      { kind: 'eventstore', connectionString: 'esdb://a:2113,b:2113?tls=true', patience: 10_000 },
    ],
    [
      'kurrentdb+discover://u:p@c:2113',
      { kind: 'eventstore', connectionString: 'esdb+discover://u:p@c:2113', patience: 10_000 },
    ],
  ] as const) {
    t.same(configFrom({ OTEP_STORE: address }).store, store)
  }
  t.throws(() => configFrom({ OTEP_STORE: 'data.db' }), /OTEP_STORE/)
  t.throws(() => configFrom({ PORT: 'abc' }), /PORT/)
  t.throws(() => configFrom({ PORT: '70000' }), /PORT/)
  t.throws(() => configFrom({ OTEP_HSTS: 'maybe' }), /OTEP_HSTS/)
  for (const OTEP_FONTS_DIR of ['/no/such/folder', import.meta.filename])
    t.throws(() => configFrom({ OTEP_FONTS_DIR }), /OTEP_FONTS_DIR must be a directory/)
  for (const origin of ['*', 'shop.example', 'https://shop.example/', 'https://*.shop.example', 'file://'])
    for (const name of ['OTEP_CORS_ORIGINS', 'OTEP_FRAME_ANCESTORS'])
      t.throws(() => configFrom({ [name]: origin }), new RegExp(name), origin)
  for (const network of ['127.0.0.1', '10.0.0.0/33', 'localhost/8', '::1/129', '10.0.0.0/8/8'])
    for (const name of ['OTEP_WEBHOOK_ALLOW', 'OTEP_CARRIER_ALLOW', 'OTEP_SIGN_ON_ALLOW'])
      t.throws(() => configFrom({ [name]: network }), new RegExp(name))
  for (const OTEP_PUBLIC_VIEW of ['less', 'Full', 'reduced,full'])
    t.throws(() => configFrom({ OTEP_PUBLIC_VIEW }), /OTEP_PUBLIC_VIEW must be full or reduced/)
  for (const OTEP_PUBLIC_BODY of ['0', '1', '1MB', '-1MiB', '1.5MiB'])
    t.throws(() => configFrom({ OTEP_PUBLIC_BODY }), /OTEP_PUBLIC_BODY must be a size such as 512KiB/)
  for (const OTEP_DRAIN_SECONDS of ['-1', '301', '1.5', 'x'])
    t.throws(() => configFrom({ OTEP_DRAIN_SECONDS }), /OTEP_DRAIN_SECONDS must be a number from 0 to 300/)
  const OTEP_STORE = 'esdb://a'
  for (const OTEP_STORE_PATIENCE of ['2', '301', '1.5', '-5', 'x'])
    t.throws(
      () => configFrom({ OTEP_STORE, OTEP_STORE_PATIENCE }),
      /OTEP_STORE_PATIENCE must be a number from 3 to 300/,
    )
  t.match(configFrom({ OTEP_STORE, OTEP_STORE_PATIENCE: '60' }), { store: { patience: 60_000 } })
  for (const OTEP_SERVER_OPERATORS of ['ann@acme.example', '0', '1;2', '1,'])
    t.throws(() => configFrom({ OTEP_SERVER_OPERATORS }), /OTEP_SERVER_OPERATORS must be ids of accounts/)
  t.throws(() => configFrom({ OTEP_LOG_LEVEL: 'loud' }), /OTEP_LOG_LEVEL must be one of trace, debug/)
  t.throws(() => configFrom({ OTEP_METRICS: 'maybe' }), /OTEP_METRICS/)
  for (const OTEP_METRICS_TOKEN of ['short', 'with a space in it'])
    t.throws(() => configFrom({ OTEP_METRICS_TOKEN }), /OTEP_METRICS_TOKEN must have 16 to 500/)
  t.equal(configFrom({ OTEP_METRICS_TOKEN: 'a'.repeat(16) }).metricsToken, 'a'.repeat(16))
  const apart = { OTEP_METRICS_PORT: '9464' }
  t.same(configFrom(apart).metricsAddress, { port: 9464, host: '127.0.0.1' }, 'this machine alone')
  t.same(configFrom({ ...apart, OTEP_METRICS_HOST: '::' }).metricsAddress, { port: 9464, host: '::' })
  for (const wrong of [{ OTEP_METRICS_PORT: '70000' }, { OTEP_METRICS_HOST: '::' }, { ...apart, OTEP_METRICS: 'off' }])
    t.throws(() => configFrom(wrong), /OTEP_METRICS_PORT/)
  t.throws(() => configFrom({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' }), /OTEL_EXPORTER_OTLP_ENDPOINT/)
  const endpoints = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://b/c/?d=e' }
  t.equal(configFrom(endpoints).tracesUrl, 'https://b/c/?d=e')
  for (const OTEP_BASE_URL of ['a.example', 'ftp://a.example', 'https://a.example/?a=b'])
    t.throws(() => configFrom({ OTEP_BASE_URL }), /OTEP_BASE_URL/)
})

t.test('given credentials in an address, when it is told or refused, then they are not', async (t) => {
  for (const user of ['', 'u:secret@', 'u:se/cret@', 'u:se@cret@', 'u:se%3Fcret@', 'u@'])
    for (const query of ['', '?tls=true', '?tlsCAFile=/a@b']) {
      if (user === '' && query.includes('@')) continue
      t.equal(nameOfStore(storeFrom({ OTEP_STORE: `esdb://${user}c:2113${query}` })), 'esdb://c:2113', user + query)
    }
  for (const env of [
    { OTEP_STORE: 'esdb://u:se?cret@c:2113?tls=true' },
    { OTEP_STORE: 'esdb://u:s@e?cret@c:2113?tls=true' },
    { OTEP_STORE: 'esdb://secret?a=b@c' },
    { OTEP_STORE: 'sqlite://u:secret@host/x' },
    { OTEP_STORE: '//u:secret@host/x' },
    { OTEP_BASE_URL: 'https://u:secret@a.example/' },
    { OTEP_BASE_URL: 'https://a.example/?b=secret' },
    { OTEP_BASE_URL: 'ftp://u:secret@a.example/' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'u:secret@collector:4317' },
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'grpc://u:secret@collector:4317' },
  ]) {
    const [name = ''] = Object.keys(env)
    t.throws(() => configFrom(env), { message: new RegExp(`^${name}(?!.*cret)`) }, JSON.stringify(env))
  }
})

t.test('given separators inside of quotes, when a form is negotiated, then they are part of the value', async (t) => {
  const chosen = (accept: string) => {
    const { format, representation, type } = negotiate(projections, accept, { kind: 'one' })
    return [format, representation?.mediaType, type]
  }
  const epcis = 'profile="urn:otep:format:epcis"'
  const xml = ['epcis', 'application/xml', `application/xml; ${epcis}`]
  const envelope = [undefined, undefined, 'application/json']
  t.same(chosen(`application/xml;${epcis}`), xml)
  t.same(chosen(`text/plain;x="a\\\\", application/xml;${epcis}`), xml, 'an escaped backslash ends no escape')
  // Cut at the separator, half a parameter would be lost, and the range would match the envelope.
  for (const value of ['a,b;c', 'a,b', 'a;b', 'a\\",b', 'a\\";b', 'a, application/json', 'a; q=1']) {
    t.throws(() => chosen(`application/json;profile="${value}"`), { code: 'not_acceptable' }, value)
    t.same(chosen(`application/json;profile="${value}", application/xml;${epcis}`), xml, value)
    t.same(chosen(`application/json;q=0.5, application/xml;x="${value}";q=0.1;${epcis}`), envelope, value)
  }
  t.same(chosen(`application/json;${epcis};q=0.1, application/xml;${epcis};q=0.2`), xml)
  t.same(chosen('application/json , text/html;q=0.5'), envelope)
})

t.test('given little room, when more is kept, then what was asked for last stays', async (t) => {
  const recent = createRecentCache<number>({ bytes: 100, ms: 60_000 })
  for (let value = 0; value < 100; value++) {
    recent.set(`n${value}`, value, 10)
    t.equal(recent.get('n0'), 0, 'what is asked for again and again stays')
  }
  const kept = Array.from({ length: 100 }, (_, value) => recent.get(`n${value}`)).filter((value) => value !== undefined)
  t.ok(kept.length <= 11, `${kept.length} are kept`)
  t.equal(recent.get('n98') ?? recent.get('n99'), 98)
})

t.test('given something kept, when nobody asks for it, then it is let go', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const recent = createRecentCache<number>({ bytes: 100, ms: 1_000 })
  recent.set('asked', 1, 10)
  recent.set('idle', 2, 10)
  mock.timers.tick(1_000)
  t.equal(recent.get('asked'), 1)
  mock.timers.tick(1_000)
  t.equal(recent.get('asked'), 1)
  t.equal(recent.get('idle'), undefined)
  mock.timers.tick(1_000)
  mock.timers.tick(1_000)
  t.equal(recent.get('asked'), undefined)
})

const api = 'http://localhost:3000/api/v1/otep'

t.test('given an engine within a program, then it takes events and answers as a server does', async (t) => {
  const store = `sqlite:${t.testdir()}/otep.db`
  const engine = await createEngine({
    store,
    profiles: [repair],
    projections: [board],
    baseUrl: 'https://otep.example',
  })
  const key = await engine.addProvider('acme', 'all businesses')
  const document = {
    ...{ profile: 'repair', subject: { tracking_number: 'R1' } },
    ...{ status_code: 'handed_back', occurred_at: '2026-06-10T09:30:00Z' },
  }
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const ingest = new Request(`${api}/ingest`, { method: 'POST', headers, body: JSON.stringify(document) })
  t.match(await (await engine.fetch(ingest)).json(), { data: { accepted: 1 } })
  const read = async (query = '') => (await engine.fetch(new Request(`${api}/trackings/R1${query}`))).json()
  t.match(await read(), { data: { profile: 'repair', current_status: 'handed_back', delivered: true } })
  t.match(await read('?format=board'), { format: 'board', data: { parcel: 'R1' } })
  await engine.close()

  const again = await createEngine({ store, profiles: [repair] })
  t.equal((await again.fetch(new Request(`${api}/trackings/R1`))).status, 200, 'what it took is still there')
  await again.close()
  await t.rejects(createEngine({ store, secretKey: Buffer.alloc(32, 1).toString('base64') }), {
    code: 'wrong_secret_key',
  })
})

t.test('given something faulty, when an engine is created, then it is refused with the reason', async (t) => {
  const parcel = { ...repair, name: 'parcel' }
  await t.rejects(createEngine({ store: 'memory:', profiles: [parcel] }), { name: 'TypeError', message: /parcel/ })
  await t.rejects(createEngine({ store: 'redis://localhost' }), /no plug-in has a store for redis:/)
})

t.test(
  'given one source with as many connections as it may have, when it opens another, then that is closed',
  async (t) => {
    const settings = { ...quiet, OTEP_DATA_DIR: t.testdir(), OTEP_LIMITS: 'connections=3' }
    const { url, stop } = await startServer(configFrom(settings))
    t.teardown(stop)
    const open = async (localAddress: string) => {
      const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress })
      await once(socket, 'connect')
      return socket
    }
    const held = [await open('127.0.0.1'), await open('127.0.0.1'), await open('127.0.0.1')]
    const refused = await open('127.0.0.1')
    await once(refused, 'close')
    const other = await open('127.0.0.2')
    other.write('GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    t.match(await text(other), /^HTTP\/1\.1 200 /, 'another source connects')
    for (const socket of held) socket.destroy()
    let answer = ''
    while (answer === '') {
      const again = await open('127.0.0.1')
      again.write('GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
      answer = await text(again).catch(() => '')
    }
    t.match(answer, /^HTTP\/1\.1 200 /, 'places are free again')
    await stop()
  },
)
