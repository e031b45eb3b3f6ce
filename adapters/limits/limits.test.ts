import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import * as v from 'valibot'
import { addProvider, call, createMemoryStore, en, isEngineError, operation } from '../../engine/index.ts'
import { passwordOf } from '../auth/world.test.fixture.ts'
import { createApp, createParts } from '../main.ts'
import { defaultLimits, type LimitSettings, limitsFrom, proxiesFrom } from '../node/limits.ts'
import { createBuckets } from './buckets.ts'
import { limitedWorld, limitsAt } from './limits.test.fixture.ts'
import { createSources } from './source.ts'

/** The refusal of a call that throws one. */
function refusalOf(run: () => unknown) {
  try {
    run()
  } catch (error) {
    if (isEngineError(error)) return { code: error.code, ...error.params }
    throw error
  }
  return undefined
}

t.test('a bucket', async (t) => {
  const rate = { count: 50, seconds: 1, burst: 200 }
  t.test('gives its burst at once, then one token each time that it gets one', async (t) => {
    let now = 5_000
    const { take } = createBuckets(rate, () => now)
    const waits = Array.from({ length: 201 }, () => take('a'))
    t.equal(waits.filter((wait) => wait === 0).length, 200)
    t.equal(waits.at(-1), 20)
    now += 20
    t.strictSame([take('a'), take('a')], [0, 20])
    t.equal(take('b'), 0, 'another key has a bucket of its own')
    now += 4_000
    t.equal(Array.from({ length: 300 }, () => take('a')).filter((wait) => wait === 0).length, 200, 'it is full again')
  })
  t.test('gives whole bursts at instants with fractions, too', async (t) => {
    const { take } = createBuckets({ count: 3, seconds: 1, burst: 7 }, () => 1234.567)
    t.equal(Array.from({ length: 9 }, () => take('a')).filter((wait) => wait === 0).length, 7)
  })
  t.test('that owes tokens is empty for as long as they take', async (t) => {
    let now = 0
    const { charge, wait, take } = createBuckets({ count: 60, seconds: 60, burst: 60 }, () => now)
    charge('a', 500)
    t.equal(wait('a'), 441_000)
    now += 440_999
    t.equal(take('a'), 1)
    now += 1
    t.equal(take('a'), 0)
  })
  t.test('of one million keys takes the memory of one hundred thousand at most', async (t) => {
    const { take, size } = createBuckets(rate, () => 0, 1_000)
    for (let key = 0; key < 10_000; key++) {
      take(String(key))
      take('hot')
    }
    t.ok(size() <= 1_000, `${size()} buckets`)
    for (let count = 0; count < 200; count++) take('used')
    for (let key = 0; key < 400; key++) take(`other ${key}`)
    t.ok(take('used') > 0, 'a bucket in use is not forgotten')
  })
  t.test('that is full is forgotten', async (t) => {
    let now = 0
    const { take, size } = createBuckets(rate, () => now)
    take('a')
    for (let turn = 0; turn < 2; turn++) {
      now += 600_001
      take('b')
    }
    t.equal(size(), 1)
  })
})

t.test('the source of a request', async (t) => {
  const header = (fields: Readonly<Record<string, string>>) => (name: string) => fields[name]
  const cases: readonly [peer: string, forwarded: string | undefined, source: string, why: string][] = [
    ['203.0.113.7', undefined, '203.0.113.7', 'is its peer'],
    ['::ffff:203.0.113.7', undefined, '203.0.113.7', 'is an IPv4 address that is mapped into IPv6'],
    ['2001:db8:1:2:3:4:5:6', undefined, '2001:db8:1:2::/64', 'is the /64 network of an IPv6 address'],
    ['2001:DB8::1', undefined, '2001:db8:0:0::/64', 'is the /64 network of a shortened address'],
    ['fe80::1%eth0', undefined, 'fe80:0:0:0::/64', 'has no zone'],
    ['203.0.113.7', '198.51.100.1', '203.0.113.7', 'is not what a peer forwards that is not trusted'],
    ['10.1.2.3', '198.51.100.1', '198.51.100.1', 'is what a trusted proxy forwards'],
    ['::ffff:10.1.2.3', '198.51.100.1', '198.51.100.1', 'is what a trusted proxy forwards, by its mapped address'],
    ['10.1.2.3', '6.6.6.6, 198.51.100.1', '198.51.100.1', 'is not what the client says before it'],
    ['10.1.2.3', '198.51.100.1, 10.9.9.9', '198.51.100.1', 'is before all trusted proxies'],
    ['10.1.2.3', '198.51.100.1:4711', '198.51.100.1', 'has no port'],
    ['10.1.2.3', '[2001:db8::9]:4711', '2001:db8:0:0::/64', 'has no brackets'],
    ['10.1.2.3', 'unknown', '10.1.2.3', 'is the proxy if it forwards no address'],
    ['10.1.2.3', '10.4.4.4', '10.1.2.3', 'is the proxy if it forwards proxies alone'],
    ['10.1.2.3', undefined, '10.1.2.3', 'is the proxy itself if it forwards nothing'],
    ['::1', '198.51.100.1', '198.51.100.1', 'is what a proxy at an IPv6 address forwards'],
  ]
  for (const [peer, forwarded, source, why] of cases) {
    const { sourceOf } = createSources(['10.0.0.0/8', '::1'], () => {})
    const fields = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
    t.equal(sourceOf(peer, header(fields)), source, why)
  }
  let ignored = 0
  const { sourceOf } = createSources(['10.0.0.0/8'], () => void ignored++)
  sourceOf('203.0.113.7', header({ 'x-forwarded-for': '198.51.100.1' }))
  sourceOf('203.0.113.7', header({ forwarded: 'for=198.51.100.1' }))
  sourceOf('203.0.113.7', header({}))
  sourceOf('10.0.0.1', header({ 'x-forwarded-for': '198.51.100.1' }))
  t.equal(ignored, 2, 'forwarded addresses that are ignored are counted')
})

t.test('given long lists of forwarded addresses, which clients choose, then they are not kept in memory', async (t) => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const { sourceOf } = createSources(['10.0.0.0/8'], () => {})
  collect()
  const before = process.memoryUsage().heapUsed
  for (let count = 0; count < 1_000; count++) {
    const list = `${`${count}`.padStart(50_000, '6')}, 198.51.100.1`
    t.equal(
      sourceOf('10.1.2.3', () => list),
      '198.51.100.1',
    )
  }
  collect()
  const grown = (process.memoryUsage().heapUsed - before) / 1_000_000
  t.ok(grown < 25, `${grown.toFixed(0)} MB after lists of 50 MB`)
  t.equal(
    sourceOf('10.1.2.3', () => '198.51.100.1'),
    '198.51.100.1',
  )
})

t.test('given places that are limited, when one source has taken all, then others still find one', async (t) => {
  const settings: LimitSettings = { ...defaultLimits(), counts: { streams: 2, connections: 2 } }
  const { limits, refused } = limitsAt({ settings, proxies: ['10.0.0.1'] })
  const leave = limits.occupy('streams', 'a')
  limits.occupy('streams', 'a')
  t.match(
    refusalOf(() => limits.occupy('streams', 'a')),
    { code: 'too_many_requests', limit: 'streams' },
  )
  t.doesNotThrow(() => limits.occupy('streams', 'b'))
  leave()
  t.doesNotThrow(() => limits.occupy('streams', 'a'))
  const accepted = Array.from({ length: 3 }, () => limits.connect('203.0.113.7') !== undefined)
  t.strictSame(accepted, [true, true, false])
  const proxied = Array.from({ length: 9 }, () => limits.connect('10.0.0.1') !== undefined)
  t.notOk(proxied.includes(false), 'a trusted proxy connects for many')
  t.strictSame(refused, ['streams', 'connections'])
})

t.test('settings', async (t) => {
  const of = (OTEP_LIMITS: string) => limitsFrom({ OTEP_LIMITS })
  t.strictSame(limitsFrom({}), defaultLimits())
  t.strictSame(Object.values(of('off').rates).filter(Boolean), [])
  t.strictSame(Object.values(of('off').counts).filter(Boolean), [])
  const { rates, counts } = of('public_reads=100/s:400, misses=off,sign_in=5/m,streams=7,connections=off')
  t.match(rates, { public_reads: { count: 100, seconds: 1, burst: 400 }, sign_in: { count: 5, seconds: 60, burst: 5 } })
  t.equal(rates.misses, undefined)
  t.strictSame(counts, { streams: 7, connections: undefined })
  t.throws(() => of('reads=1/s'), /has no limit reads; there are public_reads, misses/)
  t.throws(() => of('misses=fast'), /misses must be off or a rate such as 100\/s, 60\/m or 100\/s:400, not fast/)
  t.throws(() => of('streams=1/s'), /streams must be off or a number, not 1\/s/)
  t.strictSame(proxiesFrom({ OTEP_TRUSTED_PROXIES: '10.0.0.0/8, ::1' }), ['10.0.0.0/8', '::1'])
  for (const wrong of ['proxy', '10.0.0.0/33', '10.0.0/8'])
    t.throws(() => proxiesFrom({ OTEP_TRUSTED_PROXIES: wrong }), new RegExp(`networks such as .*, not ${wrong}`))
})

const read = '/api/v1/otep/trackings/L1'

t.test('given a source that reads a lot, when its bucket is empty, then it is told when to return', async (t) => {
  const { ask, limiting, refused } = await limitedWorld()
  for (let count = 0; count < 200; count++) t.equal((await ask('203.0.113.7', read)).status, 200)
  const answer = await ask('203.0.113.7', read, { headers: { 'Accept-Language': 'de' } })
  t.equal(answer.status, 429)
  t.strictSame(await answer.json(), {
    result: false,
    code: 'too_many_requests',
    message: 'Zu viele Anfragen (public_reads). Erneut möglich in 1 Sekunden.',
  })
  t.equal(answer.headers.get('retry-after'), '1')
  t.equal(answer.headers.get('ratelimit'), '"public_reads";r=0;t=1')
  t.equal(answer.headers.get('ratelimit-policy'), '"public_reads";q=200;w=4')
  t.equal((await ask('203.0.113.8', read)).status, 200, 'another source is not concerned')
  const page = await ask('203.0.113.7', '/track/L1')
  t.equal(page.status, 429)
  t.match(await page.text(), /Too many requests/)
  t.equal((await ask('203.0.113.7', '/readyz')).status, 200, 'probes have no limit')
  limiting.now += 20
  t.equal((await ask('203.0.113.7', read)).status, 200)
  t.strictSame(refused, ['public_reads', 'public_reads'])
})

t.test(
  'given numbers that are guessed, when a source has missed too often, then it is refused before the lookup',
  async (t) => {
    const { ask, limiting } = await limitedWorld('misses=4/m')
    const missing = async (from: string, path: string) => (await ask(from, path)).status
    t.equal(await missing('203.0.113.7', '/api/v1/otep/trackings/N1'), 404)
    t.equal(await missing('203.0.113.7', '/api/v1/track/N2'), 404)
    t.equal(await missing('203.0.113.7', '/track/N3'), 404)
    t.equal(await missing('203.0.113.7', '/id/order_id/4'), 404)
    t.equal(await missing('203.0.113.7', '/api/v1/otep/trackings/N5/stream'), 429)
    t.equal(await missing('203.0.113.7', '/00/106141412345678908'), 429)
    t.equal(await missing('203.0.113.6', '/00/106141412345678908'), 404)
    for (let count = 0; count < 3; count++) await missing('203.0.113.6', '/01/04012345111118/21/1?linkType=linkset')
    t.equal(await missing('203.0.113.6', read), 429, 'the links of a resolver count, too')
    t.equal(await missing('203.0.113.7', read), 429, 'not even what exists can be told from what does not')
    t.equal(await missing('203.0.113.8', read), 200)
    limiting.now += 15_000
    t.equal(await missing('203.0.113.7', read), 200)
    const numbers = JSON.stringify({ tracking_numbers: ['L1', ...Array.from({ length: 9 }, (_, id) => `M${id}`)] })
    const batch = () => ask('203.0.113.9', '/api/v1/otep/trackings/batch', { method: 'POST', body: numbers })
    t.equal((await batch()).status, 200)
    t.equal((await batch()).headers.get('retry-after'), '90', 'each number that a batch does not find counts')
  },
)

t.test('given a limit of every kind, when it is met, then its interface answers 429', async (t) => {
  const settings = ['batch', 'validate', 'public_calls', 'ingest', 'calls', 'mcp', 'graphql'].map(
    (name) => `${name}=1/h`,
  )
  const { ask, key, tokens } = await limitedWorld(settings.join(','))
  const post = { method: 'POST' }
  const numbers = JSON.stringify({ tracking_numbers: ['L1'] })
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  const query = JSON.stringify({ query: '{ __typename }' })
  const token = tokens.client_admin
  const twice: readonly [limit: string, path: string, init: RequestInit & { readonly key?: string }][] = [
    ['batch', '/api/v1/otep/trackings/batch', { ...post, body: numbers }],
    ['validate', '/api/v1/otep/validate', { ...post, body: '{}' }],
    ['public_calls', '/api/v1/user', { key: 'wrong' }],
    ['calls', '/api/v1/user', { key: token }],
    ['mcp', '/mcp', { ...post, body: ping }],
    ['mcp', '/mcp', { ...post, body: ping, key: token }],
    ['graphql', '/graphql', { ...post, body: query, key: token }],
  ]
  for (const [index, [limit, path, init]] of twice.entries()) {
    const first = await ask(`203.0.113.${index}`, path, init)
    t.not(first.status, 429, `${limit}: the first call of ${path}`)
    // A key has one bucket, wherever it is used.
    const second = await ask(init.key?.startsWith('ots_') ? '198.51.100.9' : `203.0.113.${index}`, path, init)
    t.equal(second.status, 429, `${limit}: the second call of ${path}`)
    t.equal(second.headers.get('retry-after'), '3600')
    t.match(second.headers.get('ratelimit'), `"${limit}";`)
  }
  const ingest = await ask('198.51.100.2', '/api/v1/otep/ingest', { ...post, body: '{}', key })
  t.equal(ingest.status, 429, 'ingest')
})

t.test(
  'given somebody who guesses a password, when its owner signs in elsewhere, then nothing slows the owner down',
  async (t) => {
    const { login } = await limitedWorld('sign_in=off')
    const right = passwordOf('driver')
    for (let count = 0; count < 5; count++)
      t.equal((await login('203.0.113.7', 'driver@one.example', 'wrong')).status, 401)
    t.equal((await login('203.0.113.7', 'driver@one.example', right)).status, 429)
    t.equal((await login('198.51.100.1', 'driver@one.example', right)).status, 200)
  },
)

t.test(
  'given a source that tries many accounts, when it has failed too often, then only who has signed in there before may',
  async (t) => {
    const { login } = await limitedWorld('failed_sign_ins=3/m')
    const from = '203.0.113.7'
    t.equal((await login(from, 'driver@one.example', passwordOf('driver'))).status, 200)
    for (const name of ['a', 'b', 'c']) t.equal((await login(from, `${name}@one.example`, 'spray')).status, 401)
    const refused = await login(from, 'd@one.example', 'spray')
    t.equal(refused.status, 429)
    t.equal(refused.headers.get('retry-after'), '20')
    t.equal((await login(from, 'driver@one.example', passwordOf('driver'))).status, 200)
    t.equal((await login('198.51.100.1', 'customer@one.example', passwordOf('customer'))).status, 200)
  },
)

t.test('given an account, when it signs in from one source, then ten attempts a minute are made', async (t) => {
  const { login } = await limitedWorld()
  const right = () => login('203.0.113.7', 'driver@one.example', passwordOf('driver'))
  for (let count = 0; count < 10; count++) t.equal((await right()).status, 200)
  const refused = await right()
  t.equal(refused.status, 429)
  t.match(refused.headers.get('ratelimit'), '"sign_in";r=0;t=6')
})

t.test('given streams, when one source has opened as many as it may, then another one can still follow', async (t) => {
  const { ask } = await limitedWorld('streams=2')
  const open = (from: string) => ask(from, `${read}/stream`)
  const first = [await open('203.0.113.7'), await open('203.0.113.7')]
  t.equal((await open('203.0.113.7')).status, 429)
  const other = await open('203.0.113.8')
  t.equal(other.status, 200)
  for (const { body } of [...first, other]) await body?.cancel()
})

/** An app whose only operation takes any document and ends when the test says so. */
async function slowApp() {
  const store = createMemoryStore(() => 0)
  const parts = createParts({ store, publicView: 'full' })
  const caller = { kind: 'operator', name: 'test', scopes: ['providers:write'] } as const
  const context = { ...parts, caller, messages: en, requestId: 'test' }
  const keys = new Map<string, string>()
  for (const name of ['one', 'two'])
    keys.set(name, String((await call(addProvider, context, { name, all_businesses: true })).key))
  const begun: string[] = []
  const gates: (() => void)[] = []
  const slow = operation({
    ...{ name: 'slow', summary: 'Waits.', scopes: ['otep:ingest'], risk: 'medium', errors: [] },
    input: v.strictObject({ document: v.looseObject({ name: v.string() }) }),
    output: v.strictObject({ result: v.literal(true) }),
    rest: { method: 'POST', path: '/api/v1/slow', document: 'document', lines: true, bodyLimit: 2 ** 24 },
    handle: async (_, { document }) => {
      begun.push(document.name)
      await new Promise<void>((resolve) => gates.push(resolve))
      return { result: true }
    },
  })
  const app = createApp({ store, parts, operations: [slow] })
  const send = (from: string, name: string, length: number) => {
    const body = JSON.stringify({ name, filling: 'x'.repeat(length) })
    const headers = {
      Authorization: `Bearer ${keys.get(from)}`,
      'Content-Type': 'application/json',
      'Content-Length': String(body.length),
    }
    return app.request('/api/v1/slow', { method: 'POST', headers, body })
  }
  /** Waits until so many calls have begun. */
  const until = async (count: number) => {
    while (begun.length < count) await setTimeout(1)
    await setTimeout(20)
    return begun
  }
  return { send, until, finish: () => gates.shift()?.() }
}

t.test(
  'given large calls, when a key has sent two, then the second waits, and others and small ones do not',
  async (t) => {
    const { send, until, finish } = await slowApp()
    const large = 200_000
    const answers = [send('one', 'first', large)]
    t.strictSame([...(await until(1))], ['first'])
    answers.push(send('one', 'second', large))
    await setTimeout(20)
    answers.push(send('two', 'of another key', large))
    await until(2)
    answers.push(send('one', 'small', 10))
    t.strictSame([...(await until(3))], ['first', 'of another key', 'small'])
    finish()
    t.strictSame([...(await until(4))], ['first', 'of another key', 'small', 'second'])
    for (const _ of answers) finish()
    t.strictSame(
      (await Promise.all(answers)).map(({ status }) => status),
      [200, 200, 200, 200],
    )
  },
)
