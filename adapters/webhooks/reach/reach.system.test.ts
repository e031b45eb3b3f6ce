import { createHmac } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { attemptPhases, EngineError, en, isReused, messageOf } from '../../../engine/index.ts'
import type { Outcome, Sender } from '../../node/deliveries.ts'
import { createGuard } from './addresses.ts'
import { createAuthority } from './certificates.test.fixture.ts'
import type { Deadline } from './deadline.ts'
import { createDial } from './dial.ts'
import { type NameRecord, startDns } from './dns.test.fixture.ts'
import { createFetchDocument } from './document.ts'
import { exchange } from './exchange.ts'
import { failureOf } from './failure.ts'
import { createSender, type SenderOptions } from './index.ts'
import { startPhases } from './phases.ts'
import { createConnectionPool, type PooledConnection } from './pool.ts'
import { answering, type Receiver, raw, receiving, started } from './receivers.test.fixture.ts'
import { retryAfterOf } from './retry-after.ts'
import { targetOf } from './target.ts'

const loopback = ['127.0.0.0/8']
const json = { 'Content-Type': 'application/json' }

/** A sender that is closed after the test. */
function sending(t: Test, options: Partial<SenderOptions> = {}): Sender {
  const sender = createSender({ allow: [], userAgent: 'test/1', clock: Date.now, ...options })
  t.teardown(() => sender.close())
  return sender
}

/** A receiver that is closed after the test. */
async function kept(t: Test, starting: Promise<Receiver>): Promise<Receiver> {
  const receiver = await starting
  t.teardown(() => receiver.close())
  return receiver
}

async function keptHttp(t: Test, listener: RequestListener): Promise<Receiver> {
  return kept(t, receiving(listener))
}

async function keptRaw(t: Test, handle: (socket: Socket) => void): Promise<Receiver> {
  return kept(t, raw(handle))
}

async function keptDns(t: Test, zone: Parameters<typeof startDns>[0]) {
  const dns = await startDns(zone)
  t.teardown(() => dns.close())
  return dns
}

/** A server that must never receive anything: it listens on all addresses of this machine. */
async function canaryFor(t: Test): Promise<Receiver> {
  const listener = (_: IncomingMessage, response: ServerResponse) => void response.end('canary')
  return kept(
    t,
    receiving(listener, '::').catch(() => receiving(listener, '0.0.0.0')),
  )
}

const post = (sender: Sender, url: string, body: Uint8Array = Buffer.from('{}')) =>
  sender.send({ url, headers: json, body })

/** The phases that an attempt had, without the wait for its start, which takes no time as a rule. */
function phasesOf({ phases = {} }: Outcome): readonly string[] {
  return attemptPhases.filter((phase) => phase !== 'queue' && phase in phases)
}

/** The reason why a URL is refused, and the text of the refusal. */
async function refusal(sender: Sender, url: string): Promise<{ reason: unknown; message: string }> {
  try {
    await sender.checkUrl(url)
  } catch (error) {
    if (error instanceof EngineError && error.code === 'webhook_url_refused')
      return { reason: error.params.reason, message: messageOf(error.code, error.params, en) }
    throw error
  }
  return { reason: undefined, message: '' }
}

/** Neither saved nor sent to, with TLS or without. */
async function checkBlocked(t: Test, sender: Sender, host: string, port: number): Promise<void> {
  for (const suffix of [`:${port}/`, '/']) {
    t.equal((await refusal(sender, `https://${host}${suffix}`)).reason, 'address', `https ${host}`)
    t.equal((await refusal(sender, `http://${host}${suffix}`)).reason, 'not https', `http ${host}`)
    t.equal((await post(sender, `https://${host}${suffix}`)).failure, 'unreachable', `https ${host}`)
    t.equal((await post(sender, `http://${host}${suffix}`)).failure, 'unreachable', `http ${host}`)
  }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20))
}

/** Writes the same text until the other side is gone. */
function drip(socket: Socket, text: string, ms: number): void {
  const timer = setInterval(() => socket.write(text), ms)
  socket.on('close', () => clearInterval(timer))
}

const literals4 = [
  ...['127.0.0.1', '127.1', '2130706433', '0x7f.1', '0177.0.0.1', '①②⑦.⓪.⓪.①', '0', '10.0.0.1', '172.16.0.1'],
  ...['192.168.1.1', '100.64.0.1', '100.100.100.200', '169.254.169.254', '169.254.170.2', '168.63.129.16'],
  ...['192.0.0.192', '198.18.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255', '%31%32%37.0.0.1', '127.0.0.1.'],
]

const literals6 = [
  ...['::', '::1', '::7f00:1', '::5efe:7f00:1', '::ffff:7f00:1', '::ffff:a9fe:a9fe', '::ffff:0:7f00:1'],
  ...['64:ff9b::7f00:1', '64:ff9b:1::1', '2002:7f00:1::', '2001::1', 'fd00:ec2::254', 'fe80::1', 'fec0::1'],
  ...['ff02::1', '5f00::1', '100::1', '2001:db8::1', '3fff::1'],
]

t.test(
  'given a request, when it is sent, then it comes as it was given, under our name, and asks for no compression',
  async (t) => {
    const seen: IncomingMessage[] = []
    const bodies: string[] = []
    const receiver = await keptHttp(t, (request, response) => {
      seen.push(request)
      let body = ''
      request.setEncoding('utf8').on('data', (part: string) => {
        body += part
      })
      request.on('end', () => {
        bodies.push(body)
        response.writeHead(201, { 'Set-Cookie': 'session=secret', 'X-Many': ['a', 'b'] }).end('taken')
      })
    })
    const sender = sending(t, { allow: loopback, clock: () => 1_000 })
    const url = `http://127.0.0.1:${receiver.port}/hook?ids=1,2&x=%20`
    const headers = { ...json, Signature: 'ab', 'User-Agent': 'theirs', 'Accept-Encoding': 'gzip' }
    const outcome = await sender.send({ url, headers, body: Buffer.from('{"note":"包裹"}') })
    t.match(outcome, { startedAt: 1_000, status: 201, responseBody: 'taken', isResponseCut: false })
    t.notOk('failure' in outcome)
    t.equal(outcome.responseHeaders['set-cookie'], '')
    t.equal(outcome.responseHeaders['x-many'], 'a, b')
    t.ok(outcome.duration >= 0)
    t.match(seen[0], { method: 'POST', url: '/hook?ids=1,2&x=%20' })
    t.match(seen[0]?.headers, { 'user-agent': 'test/1', 'accept-encoding': 'identity', signature: 'ab' })
    t.same(bodies, ['{"note":"包裹"}'])
  },
)

t.test(
  'given a document of somebody else, when it is fetched, then only a whole one is had, and only where it is',
  async (t) => {
    const asked: string[] = []
    const receiver = await keptHttp(t, ({ method, url = '' }, response) => {
      asked.push(`${method} ${url}`)
      if (url === '/moved') return void response.writeHead(302, { Location: '/document' }).end()
      if (url === '/missing') return void response.writeHead(404).end('{}')
      response.end(url === '/large' ? ' '.repeat(20_000) : '{"client_id":"x"}')
    })
    const at = (path: string) => `http://127.0.0.1:${receiver.port}${path}`
    const fetchDocument = createFetchDocument(sending(t, { allow: loopback }))
    t.equal(await fetchDocument(at('/document')), '{"client_id":"x"}')
    for (const path of ['/moved', '/missing', '/large']) t.equal(await fetchDocument(at(path)), undefined, path)
    t.same(asked, ['GET /document', 'GET /moved', 'GET /missing', 'GET /large'], 'no redirect was followed')
    const guarded = createFetchDocument(sending(t))
    for (const url of [at('/document'), at('/document').replace('http', 'https'), 'https://169.254.169.254/x'])
      t.equal(await guarded(url), undefined, 'nothing inside of the network is asked')
    t.equal(asked.length, 4)
  },
)

t.test('21. given a receiver that answers any status, when it is sent to, then only 2xx is a success', async (t) => {
  const receiver = await keptHttp(t, ({ url }, response) => void response.writeHead(Number(url?.slice(1))).end())
  const sender = sending(t, { allow: loopback })
  for (const status of [200, 201, 202, 204, 299]) {
    const outcome = await post(sender, `http://127.0.0.1:${receiver.port}/${status}`)
    t.equal(outcome.status, status)
    t.equal(outcome.failure, undefined, String(status))
  }
  for (const status of [300, 301, 304, 307, 400, 401, 404, 410, 429, 500, 503, 599])
    t.match(await post(sender, `http://127.0.0.1:${receiver.port}/${status}`), { status, failure: 'status' })
  t.equal(receiver.sockets.made, 1, 'one connection carries them all')
})

t.test('22. given Retry-After, when it can be used, then it is told in milliseconds, else not at all', async (t) => {
  const now = Date.UTC(2026, 0, 1)
  t.equal(retryAfterOf(429, '60', now), 60_000)
  t.equal(retryAfterOf(503, '999999999', now), 999_999_999_000, 'whoever waits sets the bound')
  t.equal(retryAfterOf(503, 'Thu, 01 Jan 2026 00:01:00 GMT', now), 60_000)
  for (const text of [
    '-1',
    'abc',
    '',
    '0',
    '1.5',
    '1e3',
    'Wed, 31 Dec 2025 00:00:00 GMT',
    'Thu, 99 Abc 2026 00:01:00 GMT',
  ])
    t.equal(retryAfterOf(429, text, now), undefined, text)
  for (const status of [200, 301, 500, undefined]) t.equal(retryAfterOf(status, '60', now), undefined)

  const receiver = await keptHttp(t, (_, response) => void response.writeHead(429, { 'Retry-After': '7' }).end())
  const sender = sending(t, { allow: loopback })
  t.match(await post(sender, `http://127.0.0.1:${receiver.port}`), {
    status: 429,
    failure: 'status',
    retryAfter: 7_000,
  })
})

t.test(
  '23. given receivers that cannot be reached, when they are sent to, then each failure has its own word',
  async (t) => {
    const gone = await raw(() => {})
    await gone.close()
    const resetting = await keptRaw(t, (socket) => void socket.once('data', () => socket.resetAndDestroy()))
    const closing = await keptRaw(t, (socket) => void socket.once('data', () => socket.end()))
    const talking = await keptRaw(t, (socket) => void socket.write('SSH-2.0-OpenSSH_9.6\r\n'))
    const dns = await keptDns(t, () => undefined)
    const sender = sending(t, { allow: loopback, servers: [dns.server] })
    const failure = async (url: string) => (await post(sender, url)).failure
    t.equal(await failure(`http://127.0.0.1:${gone.port}`), 'refused')
    t.equal(await failure(`http://127.0.0.1:${resetting.port}`), 'reset')
    t.equal(await failure(`http://127.0.0.1:${closing.port}`), 'reset')
    t.equal(await failure(`http://127.0.0.1:${talking.port}`), 'protocol')
    t.equal(await failure(`https://127.0.0.1:${resetting.port}`), 'reset')
    t.equal(await failure('https://missing.test/'), 'dns')
    t.equal(await failure('https:missing.test/'), 'unreachable', 'a URL that is not admitted is not sent to')
    t.equal(resetting.sockets.made, 2, 'what fails on a new connection is not sent twice')
    t.equal(closing.sockets.made, 1)
  },
)

t.test(
  'given headers that could break a request, when it is sent, then it fails within and nothing is sent',
  async (t) => {
    const canary = await canaryFor(t)
    const sender = sending(t, { allow: loopback })
    const url = `http://127.0.0.1:${canary.port}/`
    for (const value of ['a\r\nX-Evil: 1', 'a\nb', 'a\0b', 'Zoë', '包裹', 'a\x7f'])
      t.equal((await sender.send({ url, headers: { 'X-Ref': value }, body: Buffer.from('') })).failure, 'internal')
    for (const name of ['', 'a b', 'a:b', 'a\r\n', 'Host', 'Transfer-Encoding', 'content-length', 'Expect', 'Cookie'])
      t.equal((await sender.send({ url, headers: { [name]: 'x' }, body: Buffer.from('') })).failure, 'internal', name)
    t.equal(canary.sockets.made, 0)
  },
)

t.test(
  '28. given a connection that the receiver closes while it is idle, when it is used again, then the request comes once',
  async (t) => {
    let taken = 0
    const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
    const cutting = await keptRaw(t, (socket) => {
      socket.once('data', () => {
        taken++
        socket.write(ok)
        socket.once('data', () => socket.resetAndDestroy())
      })
    })
    const sender = sending(t, { allow: loopback })
    for (let time = 0; time < 5; time++) {
      const outcome = await post(sender, `http://127.0.0.1:${cutting.port}`)
      t.match(outcome, { status: 200 })
      t.same(phasesOf(outcome), ['connect', 'wait', 'read'], 'the second connection counts, and nothing twice')
    }
    t.equal(taken, 5)
    t.equal(cutting.sockets.made, 5)

    let closed = 0
    const closing = await keptRaw(t, (socket) => {
      socket.once('data', () => {
        closed++
        socket.write(ok)
        setImmediate(() => socket.end())
      })
    })
    for (let time = 0; time < 60; time++)
      t.match(await post(sender, `http://127.0.0.1:${closing.port}`), { status: 200 })
    t.equal(closed, 60)

    const halting = await keptRaw(t, (socket) => {
      socket.once('data', () => {
        socket.write(ok)
        socket.once('data', () => socket.write('HTTP/1.1 2', () => socket.destroy()))
      })
    })
    t.match(await post(sender, `http://127.0.0.1:${halting.port}`), { status: 200 })
    t.equal((await post(sender, `http://127.0.0.1:${halting.port}`)).failure, 'reset', 'an answer had begun')
    t.equal(halting.sockets.made, 1)
  },
)

t.test(
  '37. given a literal of a private address, when it is saved, tested or sent to, then it is refused and not reached',
  async (t) => {
    const canary = await canaryFor(t)
    const sender = sending(t)
    for (const host of literals4) await checkBlocked(t, sender, host, canary.port)
    t.equal(canary.sockets.made, 0)
  },
)

t.test(
  '38. given a literal of an IPv6 address that is not public, when it is saved, tested or sent to, then it is refused',
  async (t) => {
    const canary = await canaryFor(t)
    const sender = sending(t)
    for (const host of literals6) await checkBlocked(t, sender, `[${host}]`, canary.port)
    t.equal(canary.sockets.made, 0)
  },
)

t.test(
  '39. given a name that leads to an address that is not public, when it is saved, tested or sent to, then it is refused',
  async (t) => {
    const canary = await canaryFor(t)
    const zone: Record<string, NameRecord> = {
      'mixed.test': { addresses: ['93.184.216.34', '127.0.0.1'] },
      'mixed6.test': { addresses: ['93.184.216.34', '::1'] },
      'public.test': { addresses: ['93.184.216.34', '2606:4700::1111'] },
      'alias.test': { cname: 'internal.test' },
      'internal.test': { addresses: ['127.0.0.1'] },
      'good.test': { cname: 'public.test' },
      'six.test': { addresses: ['2a00:1450:4001::1'] },
    }
    const plain = [...literals4.filter((host) => /^[1-9]\d*(\.\d+){3}$/.test(host)), ...literals6]
    for (const [at, address] of plain.entries()) zone[`n${at}.test`] = { addresses: [address] }
    const dns = await keptDns(t, (name) => zone[name])
    const sender = sending(t, { servers: [dns.server] })
    const hosts = Object.keys(zone).filter((host) => !['public.test', 'good.test', 'six.test'].includes(host))
    for (const host of ['localhost', 'localhost.', 'LOCALHOST', 'a.localhost', ...hosts])
      await checkBlocked(t, sender, host, canary.port)
    for (const host of ['public.test', 'good.test', 'six.test'])
      t.equal((await refusal(sender, `https://${host}/`)).reason, undefined, host)
    t.notOk(dns.asked.some((name) => name.includes('localhost')))
    t.equal(canary.sockets.made, 0)
  },
)

t.test(
  '40. given a name that leads elsewhere later, when it is sent to, then the address of the moment is judged',
  async (t) => {
    const canary = await canaryFor(t)
    let address = '93.184.216.34'
    let ttl = 0
    let now = Date.now()
    const dns = await keptDns(t, () => ({ addresses: [address], ttl }))
    const strict = sending(t, { servers: [dns.server] })
    t.equal((await refusal(strict, 'https://rebound.test/')).reason, undefined)
    address = '127.0.0.1'
    t.equal((await post(strict, `https://rebound.test:${canary.port}/`)).failure, 'unreachable')
    t.equal(canary.sockets.made, 0)

    const receiver = await keptRaw(t, (socket) =>
      answering(socket, 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'),
    )
    const sender = sending(t, { allow: ['127.0.0.1/32'], servers: [dns.server], clock: () => now })
    const url = `http://second.test:${receiver.port}/`
    t.match(await post(sender, url), { status: 200 })
    address = '127.0.0.2'
    t.equal((await post(sender, url)).failure, 'unreachable', 'on the second connection')

    ttl = 3600
    address = '127.0.0.1'
    t.match(await post(sender, url), { status: 200 })
    address = '127.0.0.2'
    now += 29_000
    t.match(await post(sender, url), { status: 200 }, 'the address that was judged is still known')
    now += 2_000
    t.equal((await post(sender, url)).failure, 'unreachable', 'no answer is kept for more than 30 seconds')
    t.equal(receiver.sockets.made, 3)
  },
)

t.test(
  'given a look-up that lies, when a connection stands, then what it leads to is judged before a byte is sent',
  async (t) => {
    let bytes = 0
    const canary = await keptRaw(t, (socket) => {
      socket.on('data', (chunk) => {
        bytes += chunk.length
      })
    })
    const dial = createDial({ guard: createGuard([]), find: async () => [{ address: '127.0.0.1', family: 4 }] })
    for (const protocol of ['http:', 'https:']) {
      const error = await new Promise((resolve) =>
        dial({ protocol, hostname: 'lies.test', port: String(canary.port) }, (...[error]) => resolve(error)),
      )
      t.equal(failureOf(error), 'unreachable', protocol)
    }
    await until(() => canary.sockets.open === 0)
    t.equal(bytes, 0)
  },
)

t.test(
  '41. given a receiver that redirects, when it is sent to, then the redirect is the failure and is not followed',
  async (t) => {
    const canary = await canaryFor(t)
    const asked: (string | undefined)[] = []
    const places = [`http://127.0.0.1:${canary.port}/`, '/elsewhere', `http://localhost:${canary.port}/`]
    const receiver = await keptHttp(t, ({ url }, response) => {
      asked.push(url)
      const [, status, place] = url?.split('/') ?? []
      response.writeHead(Number(status), { Location: places[Number(place)] }).end()
    })
    const sender = sending(t, { allow: loopback })
    for (const status of [301, 302, 303, 307, 308])
      for (const place of places.keys())
        t.match(await post(sender, `http://127.0.0.1:${receiver.port}/${status}/${place}`), {
          status,
          failure: 'status',
        })
    t.equal(asked.length, 15)
    t.equal(canary.sockets.made, 0)
  },
)

t.test(
  '42. given a URL that two readers would read differently, when it is saved or sent to, then it is refused',
  async (t) => {
    const canary = await canaryFor(t)
    const sender = sending(t, { allow: loopback })
    const faults = {
      malformed: [
        ...['http://127.0.0.1\\@good', 'https:good', 'https:/good', 'https:///good', 'https://', '//good', 'good', ''],
        ...['https://go\tod/', 'https://good/\n', ' https://good/', 'https://good/ ', 'ht\ntps://good', 'https://a b/'],
        ...['https:\\\\good', 'https://good\\x', 'https://good/\ud800', 'https://[::1', 'https://1.2.3.4.5/', '/hook'],
        ...['https://good:x/', 'https://good:70000/', 'https://good/\0'],
      ],
      'not https': [
        'ftp://good/',
        'file:///etc/passwd',
        'gopher://good/',
        'data:text/plain,x',
        'wss://good/',
        'javascript:1',
      ],
      credentials: ['http://good@127.0.0.1', 'https://a:b@good/', 'https://@good/', 'https://:@good/'],
      fragment: ['http://good#@127.0.0.1', 'https://good/#', 'https://good/a#b'],
      port: [0, 1, 22, 25, 465, 587, 1023, 2525, 3306, 5432, 6379, 6443, 8500, 9200, 11211, 27017].map(
        (port) => `https://good:${port}/`,
      ),
      'too long': [`https://good/${'a'.repeat(2036)}`],
    }
    for (const [fault, urls] of Object.entries(faults))
      for (const url of urls) {
        t.equal((await refusal(sender, url)).reason, fault, url.slice(0, 40))
        t.equal((await post(sender, url)).failure, 'unreachable', url.slice(0, 40))
      }
    for (const url of [
      'https://good/',
      'HTTPS://Good:8443?a=@b',
      'https://good:80/',
      'https://münchen.test/ü',
      `https://good/${'a'.repeat(2035)}`,
    ])
      t.type(targetOf(url), 'object', url.slice(0, 40))
    t.same(targetOf('https://[2606:4700::1111]:8443/a?b'), {
      ...{ origin: 'https://[2606:4700::1111]:8443', host: '2606:4700::1111', path: '/a?b' },
      ...{ isSecure: true, port: 8443 },
    })
    t.equal(canary.sockets.made, 0)
  },
)

t.test(
  '43. given an address that the operator allows, when it is sent to, then it is reached, and nothing else',
  async (t) => {
    const receiver = await keptHttp(t, (_, response) => void response.end('ok'))
    const dns = await keptDns(t, (name) => ({
      addresses: name === 'both.test' ? ['127.0.0.1', '10.0.0.1'] : ['93.184.216.34'],
    }))
    const sender = sending(t, { allow: loopback, servers: [dns.server] })
    for (const host of ['127.0.0.1', 'localhost', 'app.localhost', 'localhost.', '2130706433']) {
      t.equal((await refusal(sender, `http://${host}:${receiver.port}/`)).reason, undefined, host)
      t.match(await post(sender, `http://${host}:${receiver.port}/`), { status: 200 }, host)
    }
    for (const host of [
      '10.0.0.1',
      '[::1]',
      '169.254.169.254',
      '0.0.0.0',
      'both.test',
      'public.test',
      '93.184.216.34',
    ]) {
      t.equal((await refusal(sender, `http://${host}:${receiver.port}/`)).reason, 'not https', host)
      t.equal((await post(sender, `http://${host}:${receiver.port}/`)).failure, 'unreachable', host)
    }
    for (const host of ['10.0.0.1', '[::1]', 'both.test'])
      t.equal((await refusal(sender, `https://${host}/`)).reason, 'address', host)
    for (const range of [
      '',
      '10',
      '10.0.0.0/33',
      '10.0.0.0/',
      '10.0.0.0/8/8',
      '10.0.0.0/a',
      'localhost',
      '::/129',
      '10.0.0.0/-1',
    ])
      t.throws(() => createGuard([range]), /not a range/, range)
    const guard = createGuard(['10.1.2.3', 'fd00::/8'])
    const [plain, secure] = [
      { isSecure: false, port: 3_000 },
      { isSecure: true, port: 443 },
    ]
    t.ok(guard.permits('10.1.2.3', plain))
    t.notOk(guard.permits('10.1.2.4', secure))
    t.ok(guard.permits('fd12::1', plain))
    for (const address of ['1.1.1.1', '172.32.0.1', '100.128.0.1', '2001:200::1', '2606:4700::1111', '3ffe::1']) {
      t.ok(guard.permits(address, secure), address)
      t.notOk(guard.permits(address, { isSecure: false, port: 80 }), address)
    }
    t.notOk(guard.permits('', secure))
    t.notOk(guard.permits('fe80::1%lo', secure))
  },
)

t.test(
  'given a public host, when a URL of it has a port other than 443 and 8443, then it is neither saved nor sent to, and the reason is the port',
  async (t) => {
    const dns = await keptDns(t, () => ({ addresses: ['93.184.216.34'] }))
    for (const allow of [[], loopback]) {
      const sender = sending(t, { allow, servers: [dns.server] })
      for (const host of ['public.test', '93.184.216.34', '[2606:4700::1111]']) {
        for (const port of ['', ':443', ':8443'])
          t.equal((await refusal(sender, `https://${host}${port}/`)).reason, undefined, `${host}${port}`)
        for (const port of [80, 1024, 2375, 3000, 4443, 6443, 8080, 8200, 8444, 8500, 9000, 10250, 65535]) {
          t.equal((await refusal(sender, `https://${host}:${port}/`)).reason, 'port', `${host}:${port}`)
          t.equal((await post(sender, `https://${host}:${port}/`)).failure, 'unreachable', `${host}:${port}`)
        }
      }
    }
    const sender = sending(t, { allow: ['93.184.216.34'], servers: [dns.server] })
    t.equal((await refusal(sender, 'https://public.test:9000/')).reason, undefined, 'the operator allows the address')
  },
)

t.test(
  '44. given targets that are blocked and that are not there, when they are refused, then nobody can tell which',
  async (t) => {
    const zone: Record<string, NameRecord> = {
      'internal.test': { addresses: ['10.1.2.3'] },
      'dark.test': { isWithoutTracking: true },
    }
    const dns = await keptDns(t, (name) => zone[name])
    const sender = sending(t, { servers: [dns.server] })
    const urls = ['https://10.1.2.3/', 'https://internal.test/', 'https://missing.test/', 'https://dark.test/']
    const messages = await Promise.all(urls.map(async (url) => (await refusal(sender, url)).message))
    t.equal(new Set(messages).size, 1)
    t.notMatch(messages[0], /10\.1\.2\.3/)
    const outcomes = await Promise.all(urls.slice(0, 2).map((url) => post(sender, url)))
    for (const { duration, startedAt, phases, ...outcome } of outcomes) {
      const unreached = { failure: 'unreachable', failedPhase: 'connect' }
      t.same(outcome, { ...unreached, responseHeaders: {}, responseBody: '', isResponseCut: false })
      t.ok(phases !== undefined && 'connect' in phases, 'as if it had been connected to')
    }
    for (const code of ['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'])
      t.equal(failureOf(Object.assign(new Error('connect 10.1.2.3'), { code })), 'unreachable', code)
  },
)

t.test(
  '23, 45, 47. given receivers that take their time, when they are sent to at once, then each attempt ends at 3 seconds',
  async (t) => {
    const after = (ms: number) => keptHttp(t, (_, response) => void setTimeout(() => response.end('late'), ms).unref())
    const head = 'HTTP/1.1 200 OK\r\n'
    const [early, late, silent, headers, interim, body] = await Promise.all([
      after(2_400),
      after(3_600),
      keptRaw(t, (socket) => void socket.resume()),
      keptRaw(t, (socket) => {
        socket.write(head)
        drip(socket, 'X-Drip: 1\r\n', 200)
      }),
      keptRaw(t, (socket) => drip(socket, 'HTTP/1.1 102 Processing\r\n\r\n', 200)),
      keptRaw(t, (socket) => {
        socket.write(`${head}Content-Length: 1000\r\n\r\n`)
        drip(socket, 'x', 200)
      }),
    ])
    const sender = sending(t, { allow: loopback })
    const ask = (receiver: Receiver, scheme = 'http') => post(sender, `${scheme}://127.0.0.1:${receiver.port}/`)
    const challenged = sender.challenge(`http://127.0.0.1:${late.port}/`, 'secret').then(
      () => 'passed',
      (error: unknown) => (error instanceof EngineError ? error.code : 'thrown'),
    )
    const [inTime, tooLate, none, noHandshake, noHeaders, onlyInterim, dripping] = await Promise.all([
      ask(early),
      ask(late),
      ask(silent),
      ask(silent, 'https'),
      ask(headers),
      ask(interim),
      ask(body),
    ])
    t.match(inTime, { status: 200, responseBody: 'late', isResponseCut: false })
    for (const outcome of [tooLate, none, noHandshake, noHeaders]) {
      t.equal(outcome?.failure, 'timeout')
      t.notOk('status' in (outcome ?? {}))
    }
    t.match(onlyInterim, { failure: 'status', status: 102 })
    t.match(dripping, { status: 200, isResponseCut: true, responseBody: /^x{1,5}$/ })
    t.notOk('failure' in (dripping ?? {}), 'what answers 200 has it')
    t.ok((dripping?.duration ?? 9_999) < 2_900, 'the duration ends at the status line')
    t.equal(await challenged, 'webhook_challenge_failed')
    for (const receiver of [silent, headers, interim, body]) await until(() => receiver.sockets.open === 0)
  },
)

t.test(
  'given a 2xx answer whose body is still to come, when it is sent to, then the success is told before the body ends',
  async (t) => {
    let respond = () => {}
    const receiver = await keptHttp(t, (_, response) => {
      response.writeHead(200).write('x')
      respond = () => response.end('y')
    })
    const failing = await keptHttp(t, (_, response) => void response.writeHead(500).end('no'))
    const sender = sending(t, { allow: loopback })
    const told: string[] = []
    const ask = ({ port }: Receiver) => ({ url: `http://127.0.0.1:${port}/`, headers: json, body: Buffer.from('{}') })
    const answered = () => {
      told.push('answered')
      respond()
    }
    t.match(await sender.send({ ...ask(receiver), answered }), { status: 200, responseBody: 'xy' })
    t.match(await sender.send({ ...ask(failing), answered: () => told.push('failed') }), { status: 500 })
    t.same(told, ['answered'], 'the body ends after it was told, and a failure is not told')
  },
)

t.test(
  '45. given a flood of answers below 200, when it is sent to, then the attempt ends with their status',
  async (t) => {
    const receiver = await keptRaw(t, (socket) => {
      const flood = () => void (socket.destroyed || socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100), flood))
      flood()
    })
    const hinting = await keptRaw(t, (socket) =>
      answering(socket, 'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n'),
    )
    const sender = sending(t, { allow: loopback })
    t.match(await post(sender, `http://127.0.0.1:${receiver.port}`), {
      status: 103,
      failure: 'status',
      isResponseCut: true,
    })
    t.match(await post(sender, `http://127.0.0.1:${hinting.port}`), { status: 204, isResponseCut: false })
  },
)

t.test(
  '46. given answers that are too large, when they are read, then 16 KiB are kept and nothing is inflated',
  async (t) => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const used = () => {
      collect()
      const { heapUsed, arrayBuffers } = process.memoryUsage()
      return heapUsed + arrayBuffers
    }
    const bomb = gzipSync(Buffer.alloc(20_000_000))
    const answers: Record<string, (response: ServerResponse) => unknown> = {
      '/endless': (response) => {
        const more = () => void (response.destroyed || response.write('x'.repeat(65_536), more))
        more()
      },
      '/announced': (response) =>
        response.writeHead(200, { 'Content-Length': 5_000_000_000 }).write('y'.repeat(100_000)),
      '/bomb': (response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb),
      '/many': (response) => {
        for (let at = 0; at < 1_000; at++) response.setHeader(`x${at}`, '1')
        response.end('ok')
      },
      '/large': (response) => response.writeHead(200, { 'X-Large': 'z'.repeat(20_000) }).end('ok'),
      '/long': (response) => response.writeHead(200, { 'X-Long': 'z'.repeat(10_000) }).end('ok'),
      '/exact': (response) => response.end('e'.repeat(16_384)),
    }
    const receiver = await keptHttp(t, ({ url }, response) => void answers[url ?? '']?.(response))
    const sender = sending(t, { allow: loopback })
    const ask = (path: string) => post(sender, `http://127.0.0.1:${receiver.port}${path}`)
    const cut = { status: 200, isResponseCut: true }
    t.match(await ask('/endless'), { ...cut, responseBody: /^x{16384}$/ })
    t.match(await ask('/announced'), { ...cut, responseBody: /^y{16384}$/ })
    const inflated = await ask('/bomb')
    t.match(inflated, cut)
    t.ok(Buffer.byteLength(inflated.responseBody) <= 16_384)
    const many = await ask('/many')
    t.match(many, { status: 200, responseBody: 'ok', isResponseCut: false })
    t.equal(Object.keys(many.responseHeaders).length, 64)
    t.equal((await ask('/large')).failure, 'protocol')
    t.equal((await ask('/long')).responseHeaders['x-long']?.length, 1_024)
    t.match(await ask('/exact'), { status: 200, isResponseCut: false, responseBody: /^e{16384}$/ })
    const before = used()
    for (let time = 0; time < 30; time++) await ask('/endless')
    await until(() => receiver.sockets.open <= 1)
    t.ok(used() - before < 5_000_000)
  },
)

t.test(
  '47. given a receiver whose TLS is not right, when it is sent to, then the attempt fails for TLS and nothing is told',
  async (t) => {
    const authority = createAuthority('Test Authority')
    const stranger = createAuthority('Stranger')
    const dns = await keptDns(t, () => ({ addresses: ['127.0.0.1'] }))
    const sender = sending(t, { allow: loopback, servers: [dns.server], ca: authority.cert })
    const names: (string | false | null)[] = []
    let requests = 0
    const serving = async (options: object) =>
      kept(
        t,
        started(
          createTlsServer(options, (socket) => {
            names.push(socket.servername)
            socket.on('error', () => {})
            socket.once('data', () => {
              requests++
              socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
            })
          }),
        ),
      )
    const good = await serving(authority.issue('good.test'))
    t.match(await post(sender, `https://good.test:${good.port}/`), { status: 200 })
    t.match(await post(sender, `https://good.test.:${good.port}/`), { status: 200 })
    t.same(names, ['good.test', 'good.test'], 'the name is told though the address is known')
    const plain = await keptHttp(t, (_, response) => void response.end())
    const others = {
      expired: await serving(authority.issue('good.test', true)),
      'of another host': await serving(authority.issue('other.test')),
      'self-signed': await serving(stranger),
      'of a stranger': await serving(stranger.issue('good.test')),
      'TLS 1.1': await serving({
        ...authority.issue('good.test'),
        ...{ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
      }),
      'no TLS at all': plain,
    }
    for (const [what, { port }] of Object.entries(others))
      t.equal((await post(sender, `https://good.test:${port}/`)).failure, 'tls', what)
    t.equal(requests, 2)
  },
)

t.test(
  'given a receiver with TLS, when it is sent to twice, then the first attempt has every phase, and the second one the connection of the first',
  async (t) => {
    const authority = createAuthority('Test Authority')
    const dns = await keptDns(t, () => ({ addresses: ['127.0.0.1'] }))
    const sender = sending(t, { allow: loopback, servers: [dns.server], ca: authority.cert })
    const slowly = (socket: Socket) => {
      socket.on('data', () => {
        setTimeout(() => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no'), 100)
        setTimeout(() => socket.write('k'), 250)
      })
    }
    const { port } = await kept(t, started(createTlsServer(authority.issue('good.test'), slowly)))
    const first = await post(sender, `https://good.test:${port}/`)
    t.match(first, { status: 200, responseBody: 'ok' })
    t.same(phasesOf(first), ['dns', 'connect', 'tls', 'wait', 'read'])
    const second = await post(sender, `https://good.test:${port}/`)
    t.match(second, { status: 200, responseBody: 'ok' })
    t.same(phasesOf(second), ['wait', 'read'])
    for (const { phases = {}, duration, failedPhase } of [first, second]) {
      const { wait = 0, read = 0, ...before } = phases
      t.ok(wait >= 50 && read >= 50, `${wait}, ${read}`)
      const untilAnswer = Object.values(before).reduce((sum, ms) => sum + ms, wait)
      t.ok(Math.abs(untilAnswer - duration) <= 2, `the phases before the answer, ${untilAnswer}, are its duration`)
      t.equal(failedPhase, undefined)
    }
    t.same(
      [first, second].map(({ phases = {} }) => isReused(phases)),
      [false, true],
    )
  },
)

t.test(
  'given receivers that fail in each phase, when they are sent to, then the attempt says in which one, and had none after it',
  async (t) => {
    const authority = createAuthority('Test Authority')
    const dns = await keptDns(t, (name) =>
      name === 'missing.test' ? undefined : { addresses: ['127.0.0.1'], isWithoutTracking: name === 'dark.test' },
    )
    const sender = sending(t, { allow: loopback, servers: [dns.server], ca: authority.cert })
    const gone = await raw(() => {})
    await gone.close()
    const serving = (host: string) => kept(t, started(createTlsServer(authority.issue(host), () => {})))
    const [wrong, silent, resetting, headers, dripping, failing] = await Promise.all([
      serving('other.test'),
      keptRaw(t, (socket) => void socket.resume()),
      keptRaw(t, (socket) => void socket.once('data', () => socket.resetAndDestroy())),
      keptRaw(t, (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n')
        drip(socket, 'X-Drip: 1\r\n', 200)
      }),
      keptRaw(t, (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n')
        drip(socket, 'x', 200)
      }),
      keptHttp(t, (_, response) => void response.writeHead(500).end()),
    ])
    const cases = [
      ['https://missing.test/', 'dns', 'dns', ['dns']],
      ['https://dark.test/', 'dns', 'dns', ['dns']],
      [`http://good.test:${gone.port}/`, 'refused', 'connect', ['dns', 'connect']],
      [`http://127.0.0.1:${gone.port}/`, 'refused', 'connect', ['connect']],
      [`https://good.test:${wrong.port}/`, 'tls', 'tls', ['dns', 'connect', 'tls']],
      [`https://127.0.0.1:${silent.port}/`, 'timeout', 'tls', ['connect', 'tls']],
      [`http://127.0.0.1:${silent.port}/`, 'timeout', 'wait', ['connect', 'wait']],
      [`http://127.0.0.1:${resetting.port}/`, 'reset', 'wait', ['connect', 'wait']],
      [`http://127.0.0.1:${headers.port}/`, 'timeout', 'read', ['connect', 'wait', 'read']],
      [`http://127.0.0.1:${dripping.port}/`, undefined, undefined, ['connect', 'wait', 'read']],
      [`http://127.0.0.1:${failing.port}/`, 'status', undefined, ['connect', 'wait', 'read']],
    ] as const
    const outcomes = await Promise.all(cases.map(async ([url, ...rest]) => [await post(sender, url), ...rest] as const))
    for (const [place, [outcome, failure, failedPhase, phases]] of outcomes.entries()) {
      const { [place]: [url] = [''] } = cases
      t.equal(outcome.failure, failure, url)
      t.equal(outcome.failedPhase, failedPhase, url)
      t.same(phasesOf(outcome), phases, url)
      const { phases: times = {}, duration } = outcome
      if (failure === 'timeout')
        t.ok((times[failedPhase ?? 'dns'] ?? 0) > 2_000, `${url}: the phase has its ${duration} ms`)
    }
    t.ok((outcomes[9]?.[0].phases?.read ?? 0) > 400, 'a body is read for half a second')
  },
)

t.test(
  '48. given many names that no server answers for, when others are sent to, then these do not wait',
  async (t) => {
    const dns = await keptDns(t, (name) =>
      name === 'good.test' ? { addresses: ['127.0.0.1'] } : { isWithoutTracking: true },
    )
    const receiver = await keptHttp(t, (_, response) => void response.end())
    const sender = sending(t, { allow: loopback, servers: [dns.server] })
    let ended = 0
    const dark = Array.from({ length: 200 }, async (_, at) => {
      const { failure } = await post(sender, `https://n${at}.test/`)
      ended++
      return failure
    })
    for (let time = 0; time < 20; time++)
      t.match(await post(sender, `http://good.test:${receiver.port}/`), { status: 200 })
    t.equal(ended, 0)
    t.same(new Set(await Promise.all(dark)), new Set(['dns']))
  },
)

t.test(
  '49. given an answer with markup, escapes and what is no UTF-8, when it is kept, then its text is as it came',
  async (t) => {
    const bytes = Buffer.concat([
      Buffer.from('<script>alert(1)</script>\x1b[31m\0'),
      Buffer.from([0xff, 0xc3]),
      Buffer.from('é'),
    ])
    const receiver = await keptHttp(
      t,
      ({ url }, response) => void response.end(url === '/ff' ? Buffer.alloc(16_384, 0xff) : bytes),
    )
    const sender = sending(t, { allow: loopback })
    const { responseBody } = await post(sender, `http://127.0.0.1:${receiver.port}/`)
    t.equal(responseBody, '<script>alert(1)</script>\x1b[31m\0\ufffd\ufffdé')
    const other = await post(sender, `http://127.0.0.1:${receiver.port}/ff`)
    t.ok(Buffer.byteLength(other.responseBody) <= 16_384)
    t.match(other.responseBody, /^\ufffd+$/)
  },
)

t.test(
  '50. given a receiver that does not read to the end, when it answers or not, then what it did is recorded',
  async (t) => {
    const large = Buffer.alloc(8_000_000, 0x20)
    const refusing = await keptRaw(t, (socket) => {
      socket.once('data', () => {
        socket.pause()
        socket.end('HTTP/1.1 413 Content Too Large\r\nContent-Length: 9\r\nConnection: close\r\n\r\ntoo large')
      })
    })
    const leaving = await keptRaw(t, (socket) => void socket.once('data', () => socket.destroy()))
    const sender = sending(t, { allow: loopback })
    t.match(await post(sender, `http://127.0.0.1:${refusing.port}`, large), {
      status: 413,
      failure: 'status',
      responseBody: 'too large',
    })
    t.match(await post(sender, `http://127.0.0.1:${leaving.port}`, large), { failure: 'reset', responseBody: '' })
    t.match(await post(sender, `http://127.0.0.1:${refusing.port}`), { status: 413 }, 'and goes on')
  },
)

t.test(
  '51. given many origins, when each is sent to once, then connections are bounded, and none is left in the end',
  async (t) => {
    const dns = await keptDns(t, () => ({ addresses: ['127.0.0.1'] }))
    const receiver = await keptRaw(t, (socket) => answering(socket, 'HTTP/1.1 204 No Content\r\n\r\n'))
    const sender = sending(t, { allow: loopback, servers: [dns.server] })
    for (let from = 0; from < 700; from += 10) {
      const batch = Array.from({ length: 10 }, (_, at) => post(sender, `http://n${from + at}.test:${receiver.port}/`))
      for (const { status } of await Promise.all(batch)) t.equal(status, 204)
    }
    t.equal(receiver.sockets.made, 700)
    t.ok(receiver.sockets.peak < 650, 'the oldest that are idle give way')
    await until(() => receiver.sockets.open === 0)
  },
)

t.test('51. given a connection that has ended, when its lane is given back, then nobody gets it again', async (t) => {
  const receiver = await keptRaw(t, (socket) => answering(socket, 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'))
  const find = async () => [{ address: '127.0.0.1', family: 4 }]
  const lanes = createConnectionPool(createDial({ guard: createGuard(loopback), find }))
  t.teardown(() => lanes.close())
  const deadline: Deadline = { isOver: false, stop: undefined, clear: () => {} }
  const origin = `http://127.0.0.1:${receiver.port}`
  const sent = { method: 'POST', path: '/', headers: json, body: Buffer.from('{}') } as const
  const ask = (lane: PooledConnection) =>
    exchange(lane, { ...sent, isAnswerRead: false, answered: () => {}, phases: startPhases() }, deadline)
  const first = await lanes.acquire(origin, deadline, false)
  t.match(await ask(first), { status: 200, isWhole: true })
  lanes.release(first, true)
  t.equal(await lanes.acquire(origin, deadline, false), first)
  const fresh = await lanes.acquire(origin, deadline, true)
  t.not(fresh, first)
  await receiver.close()
  await until(() => !first.isOpen)
  lanes.release(first, true)
  t.not(await lanes.acquire(origin, deadline, false), first)
})

t.test(
  '36. given more requests to an origin than it may have connections, when they are sent, then some wait and all come',
  async (t) => {
    const waiting: ServerResponse[] = []
    const receiver = await keptHttp(t, (_, response) => void waiting.push(response))
    const sender = sending(t, { allow: loopback })
    const all: Promise<Outcome>[] = Array.from({ length: 300 }, () =>
      post(sender, `http://127.0.0.1:${receiver.port}/`),
    )
    await until(() => waiting.length === 256)
    for (const response of waiting.splice(0)) response.end()
    await until(() => waiting.length === 44)
    for (const response of waiting) response.end()
    const outcomes = await Promise.all(all)
    for (const { status } of outcomes) t.equal(status, 200)
    t.equal(receiver.sockets.made, 256)
    const late = outcomes.filter(({ phases }) => phases !== undefined && isReused(phases))
    t.equal(late.length, 44)
    t.ok(
      late.every(({ phases }) => (phases?.queue ?? 0) > 0),
      'they say that they waited for a connection',
    )
  },
)

t.test('53. given a URL with credentials, when it is refused, then they are not echoed', async (t) => {
  const { reason, message } = await refusal(sending(t), 'https://annabel:hunter2@example.com/')
  t.equal(reason, 'credentials')
  t.notMatch(message, /annabel|hunter2|example/)
})

t.test('54. given a URL, when it is challenged, then only the echo of this very challenge passes', async (t) => {
  const seen: { challenge: string; isSigned: boolean }[] = []
  const receiver = await keptHttp(t, (request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part
    })
    request.on('end', () => {
      const { type, challenge } = JSON.parse(body) as { type: string; challenge: string }
      const timestamp = request.headers['x-ohp-timestamp']
      const signature = createHmac('sha256', 'sixteen letters!').update(`${timestamp}.${body}`).digest('hex')
      seen.push({
        challenge,
        isSigned: type === 'webhook.challenge' && request.headers['x-ohp-signature'] === `v1=${signature}`,
      })
      const answers: Record<string, () => unknown> = {
        '/bare': () => response.end(challenge),
        '/line': () => response.end(`${challenge}\n`),
        '/json': () =>
          response.writeHead(202, { 'Content-Type': 'application/json' }).end(JSON.stringify({ challenge })),
        '/slow': () => {
          response.writeHead(200).flushHeaders()
          setTimeout(() => response.end(challenge), 1_000)
        },
        '/status': () => response.writeHead(404).end(challenge),
        '/redirect': () => response.writeHead(302, { Location: '/bare' }).end(challenge),
        '/large': () => response.end(challenge + ' '.repeat(20_000)),
        '/first': () => response.end(seen[0]?.challenge),
        '/whole': () => response.end(body.replace('webhook', 'x') + challenge),
        '/number': () => response.end(JSON.stringify({ challenge: 7 })),
        '/upper': () => response.end(`${challenge}0`),
        '/nothing': () => response.end(),
      }
      answers[request.url ?? '']?.()
    })
  })
  const sender = sending(t, { allow: loopback })
  const ask = (path: string) => sender.challenge(`http://127.0.0.1:${receiver.port}${path}`, 'sixteen letters!')
  for (const path of ['/bare', '/line', '/json', '/slow']) await t.resolves(ask(path), path)
  for (const path of ['/status', '/redirect', '/large', '/first', '/whole', '/number', '/upper', '/nothing'])
    await t.rejects(ask(path), { code: 'webhook_challenge_failed' }, path)
  for (const url of ['https://10.0.0.1/', 'ftp://x/', 'https:x'])
    await t.rejects(sender.challenge(url, 'sixteen letters!'), { code: 'webhook_challenge_failed' }, url)
  t.ok(seen.every(({ isSigned }) => isSigned))
  t.ok(seen.every(({ challenge }) => /^[0-9a-f]{64}$/.test(challenge)))
  t.equal(new Set(seen.map(({ challenge }) => challenge)).size, seen.length)
})

t.test('50. given headers that come twice or have odd names, when they are read, then the status counts', async (t) => {
  const sender = sending(t, { allow: loopback })
  const heads = [
    'Retry-After: 60\r\nRetry-After: 90',
    'constructor: x',
    'toString: x\r\nhasOwnProperty: y',
    '__proto__: x\r\n__proto__: y',
    'Trailer: constructor\r\nX-Two: 1\r\nX-Two: 2',
  ]
  for (const head of heads) {
    const answer = `HTTP/1.1 503 No\r\n${head}\r\nContent-Length: 0\r\n\r\n`
    const { port } = await keptRaw(t, (socket) => answering(socket, answer))
    const outcome = await post(sender, `http://127.0.0.1:${port}/`)
    t.match(outcome, { status: 503, failure: 'status' }, head)
    t.notOk('retryAfter' in outcome, head)
  }
})

t.test('given a sender that is closed, when it is asked to send, then the attempt fails within', async (t) => {
  const receiver = await keptRaw(t, (socket) => void socket.resume())
  const sender = sending(t, { allow: loopback })
  const pending = post(sender, `http://127.0.0.1:${receiver.port}/`)
  await until(() => receiver.sockets.made === 1)
  await sender.close()
  t.equal((await pending).failure, 'internal')
  t.equal((await post(sender, `http://127.0.0.1:${receiver.port}/`)).failure, 'internal')
  await until(() => receiver.sockets.open === 0)
})
