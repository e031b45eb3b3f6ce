import { createPublicKey, randomUUID, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import { Webhook as Standard } from 'standardwebhooks'
import { Webhook as Svix } from 'svix'
import t, { type Test } from 'tap'
import { anyCharacter } from '../../conformance/suites/projection/any-character.ts'
import {
  addProvider,
  call,
  createMemoryStore,
  EngineError,
  type Journals,
  type Leases,
  startLife,
} from '../../engine/index.ts'
import { heapAfter } from '../../engine/testing/heap.test.fixture.ts'
import { operator, passwordOf, type World, world } from '../auth/world.test.fixture.ts'
import { createParts, type EngineParts } from '../engine.ts'
import type { HealthNotice } from '../node/deliveries.ts'
import { errorLog } from '../node/log.ts'
import { secretOf } from '../node/secret.ts'
import { reviewHealth } from './health.ts'
import { createPull } from './pull.ts'
import { journalsInMemory } from './replication/journals.test.fixture.ts'

interface Got {
  readonly headers: IncomingHttpHeaders
  /** Names and values as they came, in turn. */
  readonly raw: readonly string[]
  readonly body: string
}

/** A receiver on this machine that accepts everything, until its status is changed. */
async function receiver(t: Test) {
  const got: Got[] = []
  const answer = { status: 200 }
  const server = createServer(async (request, response) => {
    got.push({ headers: request.headers, raw: request.rawHeaders, body: (await buffer(request)).toString() })
    response.writeHead(answer.status).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { got, answer, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` }
}

/** Runs the sending side until it is stopped or the test ends; pauses are short, and leases can differ from those of the store. */
function running(t: Test, parts: EngineParts, leases: Leases) {
  const ending = new AbortController()
  const run = {
    signal: ending.signal,
    now: () => performance.now(),
    wait: (ms: number, signal: AbortSignal) => setTimeout(Math.min(ms, 10), undefined, { signal }).catch(() => {}),
  }
  const life = startLife(leases, { ...run, name: randomUUID(), failed: () => {} })
  const done = parts.webhooks.run({ ...run, leases, life, log: errorLog })
  const stop = async () => {
    ending.abort()
    await Promise.all([done, life.ended])
  }
  t.teardown(stop)
  return stop
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 20_000; !(await holds()); await setTimeout(5))
    if (performance.now() > end) throw new Error('It did not come about.')
}

async function ordersTo(url: string): Promise<World> {
  const place = await world({ webhooks: { allow: ['127.0.0.0/8'] } })
  const body = { order_create_webhook_url: url }
  const { status } = await place.send('PUT', '/api/v1/webhook-settings', { token: place.tokens.client_admin, body })
  if (status !== 200) throw new Error(`The settings were refused with ${status}.`)
  await place.parts.webhooks.begin(place.store.leases)
  return place
}

async function order({ send, tokens }: World): Promise<number> {
  const body = { type: 'D', delivery: { name: 'A', address: { street: 'S 1' } } }
  return (await send('POST', '/api/v1/orders', { token: tokens.client_admin, body })).body.order_id
}

/** The orders of the received events, in order of arrival. */
function toldIn(got: readonly Got[]): readonly number[] {
  return got.map(({ body }) => JSON.parse(body).data.order_id)
}

t.test(
  'given a URL for created orders, when an order is created, then it is told, and stands in the log',
  async (t) => {
    const { got, url } = await receiver(t)
    const place = await ordersTo(url)
    const stop = running(t, place.parts, place.store.leases)
    const order_id = await order(place)
    await until(() => got.length > 0)
    await stop()
    t.match(got, [
      { headers: { signature: /^[0-9a-f]{64}$/, 'content-type': 'application/json' }, body: /order.created/ },
    ])
    t.same(toldIn(got), [order_id])
    const { body } = await place.send('GET', '/api/v1/webhook-deliveries', { token: place.tokens.client_admin })
    t.match(body, {
      total: 1,
      deliveries: [{ event: 'order.created', subject: `order/${order_id}`, state: 'delivered', attempts: 1, url }],
    })
    await place.parts.webhooks.close()
  },
)

const deliveriesOf = {
  'their deliveries in one database': {},
  'deliveries of their own': { journals: journalsInMemory() },
}

for (const [name, more] of Object.entries(deliveriesOf))
  t.test(`given nodes with ${name}, when an order is created before one has its turn, then it is told`, async (t) => {
    const { got, url } = await receiver(t)
    const start = Date.now()
    const store = { ...createMemoryStore(() => start), ...more }
    const place = await world({ start, store, secret: secretOf('0'.repeat(64)), webhooks: { allow: ['127.0.0.0/8'] } })
    const { parts, tokens, send } = place
    await parts.webhooks.begin(store.leases)
    await send('PUT', '/api/v1/webhook-settings', {
      token: tokens.client_admin,
      body: { order_create_webhook_url: url },
    })
    const order_id = await order(place)
    await parts.webhooks.begin(store.leases)
    const stop = running(t, parts, store.leases)
    await until(() => got.length > 0)
    await stop()
    t.same(toldIn(got), [order_id])
    await parts.webhooks.close()
  })

t.test(
  'given a store that does not answer a node that begins, when it answers, then the node makes deliveries',
  async (t) => {
    const { got, url } = await receiver(t)
    const start = Date.now()
    const memory = journalsInMemory()
    let isDown = true
    const last: Journals['last'] = async (name) => {
      if (isDown) throw new EngineError('store_unavailable')
      return memory.last(name)
    }
    const store = { ...createMemoryStore(() => start), journals: { ...memory, last } }
    const place = await world({ start, store, secret: secretOf('0'.repeat(64)), webhooks: { allow: ['127.0.0.0/8'] } })
    const { parts, tokens, send } = place
    await t.resolves(parts.webhooks.begin(store.leases))
    isDown = false
    const stop = running(t, parts, store.leases)
    await until(() => memory.texts.length > 0)
    await send('PUT', '/api/v1/webhook-settings', {
      token: tokens.client_admin,
      body: { order_create_webhook_url: url },
    })
    const order_id = await order(place)
    await until(() => got.length > 0)
    await stop()
    t.same(toldIn(got), [order_id])
    await parts.webhooks.close()
  },
)

t.test('given a node that was stopped, when it runs again, then it goes on where it was', async (t) => {
  const { got, url } = await receiver(t)
  const place = await ordersTo(url)
  const expected: number[] = []
  for (let round = 1; round <= 3; round++) {
    const stop = running(t, place.parts, place.store.leases)
    expected.push(await order(place))
    await until(() => got.length === expected.length)
    await stop()
    expected.push(await order(place))
    t.equal(got.length, expected.length - 1, 'nothing is sent while it does not run')
  }
  const stop = running(t, place.parts, place.store.leases)
  await until(() => got.length === expected.length)
  await stop()
  t.same([...toldIn(got)].sort(), [...expected].sort())
  await place.parts.webhooks.close()
})

t.test(
  'given a node, when it was stopped before, during or after its turn, then it ends, and can be closed',
  async (t) => {
    const { url } = await receiver(t)
    const place = await ordersTo(url)
    for (const milliseconds of [0, 1, 20]) {
      const stop = running(t, place.parts, place.store.leases)
      await setTimeout(milliseconds)
      await t.resolves(stop())
    }
    await t.resolves(place.parts.webhooks.close())
  },
)

t.test('given two nodes on one store, when both run, then one alone sends, and the other goes on for it', async (t) => {
  const { got, url } = await receiver(t)
  const place = await ordersTo(url)
  const file = `${t.testdir()}/webhooks.db`
  const node = () =>
    createParts({ store: place.store, clock: () => place.clock.now, webhooks: { file, allow: ['127.0.0.0/8'] } })
  const [one, two] = [node(), node()]
  const stopOne = running(t, one, place.store.leases)
  // `stop` releases the lease, so the second dispatcher only waits as long as the first one runs.
  const expected = [await order(place)]
  await until(() => got.length === 1)
  const stopTwo = running(t, two, place.store.leases)
  for (let count = 0; count < 10; count++) expected.push(await order(place))
  await until(() => got.length === expected.length)
  await stopOne()
  for (let count = 0; count < 10; count++) expected.push(await order(place))
  await until(() => got.length === expected.length)
  await stopTwo()
  t.same(
    [...toldIn(got)].sort((a, b) => a - b),
    expected,
    'each order is told once',
  )
  const ids = got.map(({ headers }) => headers['x-webhook-event-id'])
  t.equal(new Set(ids).size, expected.length)
  for (const { webhooks } of [one, two, place.parts]) await webhooks.close()
})

t.test(
  'given the interface, when the webhooks are asked for, then their description is answered to anybody',
  async (t) => {
    const { send, parts } = await world()
    const answer = await send('GET', '/asyncapi-webhooks.json')
    t.equal(answer.status, 200)
    t.match(answer.headers.get('content-type'), /^application\/json/)
    t.match(answer.body, { asyncapi: '3.0.0', channels: { 'order.created': { 'x-channel': 'tenant' } } })
    await parts.webhooks.close()
  },
)

t.test(
  'given the endpoint of a provider with ed25519, when its secret was replaced, then both public keys verify requests',
  async (t) => {
    const { got, url } = await receiver(t)
    const place = await world({ webhooks: { allow: ['127.0.0.0/8'] } })
    await call(addProvider, operator(place), { name: 'acme', business_id: place.business })
    const path = '/api/v1/webhook-endpoints/provider_locker/acme'
    const ask = async (method: string, more: string, body: object = {}) =>
      (await place.send(method, `${path}${more}`, { token: place.tokens.client_admin, body })).body
    const plain = await ask('PUT', '', { url, standard_signature: true })
    t.match(plain, { endpoint: { ed25519: false, public_keys: [/^whpk_/] } })
    const event = 'partner_locker.delivery.expired'
    await ask('POST', '/test', { event })
    t.notMatch(got[0]?.headers['webhook-signature'], 'v1a,')
    await ask('POST', '/secret/rotate')
    const { endpoint } = await ask('PUT', '', { url, standard_signature: true, ed25519: true })
    t.equal(endpoint.ed25519, true)
    await ask('POST', '/test', { event })
    const { headers, body = '' } = got[1] ?? {}
    t.equal(endpoint.public_keys.length, 2)
    for (const key of endpoint.public_keys) t.ok(isVerified(key, headers, body), key)
    t.notOk(isVerified(endpoint.public_keys[0], headers, `${body} `), 'a changed body is refused')
    await place.parts.webhooks.close()
  },
)

/** Whether a public key verifies a request, as the guide has it for receivers. */
function isVerified(publicKey: string, headers: IncomingHttpHeaders = {}, body: string): boolean {
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(publicKey.slice(5), 'base64')])
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  const signed = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
  const entries = String(headers['webhook-signature']).split(' ')
  return entries.some(
    (entry) => entry.startsWith('v1a,') && verify(null, signed, key, Buffer.from(entry.slice(4), 'base64')),
  )
}

t.test(
  'given an order with a callback, when it is taken and cancelled around a rotation, then both keys verify it for a day',
  async (t) => {
    const { got, url } = await receiver(t)
    const place = await world({ webhooks: { allow: ['127.0.0.0/8'] } })
    const { send, tokens, clock } = place
    const ask = async (method: string, path: string, body: object = {}) =>
      (await send(method, `/api/v1/${path}`, { token: tokens.customer, body })).body
    const logOf = async (token: string) =>
      (await send('GET', '/api/v1/webhook-deliveries?channel=callback', { token })).body
    const settings = 'webhook-settings'
    const asked = { type: 'D', delivery: { name: 'A', address: { street: 'S 1' } } }
    const secrets = ['the first secret of all', 'the second secret of all']
    await ask('PUT', settings, { webhook_sign_secret: secrets[0] })
    const refused = await ask('POST', 'orders', { ...asked, callback: { url: 'https://10.0.0.1/hook' } })
    t.match(refused, { code: 'invalid_input', errors: [{ path: 'callback.url', code: 'webhook_url_refused' }] })
    const stop = running(t, place.parts, place.store.leases)
    const callback = { url: `${url}?mine`, signature: 'ed25519', format: 'ce_binary' }
    const { order_id } = await ask('POST', 'orders', { ...asked, callback })
    await until(() => got.length === 1)
    await ask('POST', `${settings}/secret/rotate`, { secret: secrets[1] })
    await ask('POST', `orders/${order_id}/cancel`)
    await until(() => got.length === 2)
    await stop()
    t.match(
      got.map(({ body }) => JSON.parse(body)),
      [
        { event: 'open.order_accepted', event_id: /^OPE-/, data: { order_id, status_name: 'NEW_ORDER' } },
        { event: 'open.order_status_changed', data: { previous_status_name: 'NEW_ORDER', status_name: 'CANCELLED' } },
      ],
    )
    for (const [index, { headers, body }] of got.entries()) {
      const { event_id } = JSON.parse(body)
      const names = ['x-webhook-id', 'x-webhook-event-id', 'x-open-delivery', 'ce-id', 'webhook-id']
      for (const name of names) t.equal(headers[name], event_id, name)
      const signing = secrets.slice(0, index + 1)
      const signatures = String(headers['webhook-signature']).split(' ')
      t.equal(signatures.length, 2 * signing.length, 'by the secret, and by its ed25519 key')
      for (const secret of signing)
        for (const Judge of [Standard, Svix]) {
          const shown = `whsec_${Buffer.from(secret).toString('base64')}`
          t.ok(signatures.includes(new Judge(shown).sign(event_id, new Date(clock.now), body)), secret)
        }
    }
    t.match(await logOf(tokens.customer), {
      total: 2,
      deliveries: [{ channel: 'callback', state: 'delivered', url }, {}],
    })
    t.match(await logOf(place.other.tokens.client_admin), { total: 0 })
    await place.parts.webhooks.close()
  },
)

t.test(
  'given a URL that fails, when it has failed, was switched off and has recovered, then another URL is told of each once',
  async (t) => {
    const [orders, health] = [await receiver(t), await receiver(t)]
    const place = await world({ webhooks: { allow: ['127.0.0.0/8'] } })
    const { send, clock } = place
    let token = place.tokens.client_admin
    const urls = async () => (await send('GET', '/api/v1/webhook-urls', { token })).body.urls
    const log = async () => (await send('GET', '/api/v1/webhook-deliveries', { token })).body
    const body = {
      order_create_webhook_url: `${orders.url}?token=1`,
      endpoint_health_webhook_url: health.url,
      disable_failing_after_days: 1,
    }
    t.equal((await send('PUT', '/api/v1/webhook-settings', { token, body })).status, 200)
    orders.answer.status = 503
    const stop = running(t, place.parts, place.store.leases)
    await order(place)
    // The attempt ends at this instant, not after the clock has moved on.
    await until(async () => /"state":"waiting","attempts":1/.test(JSON.stringify(await log())))
    const since = clock.now
    clock.now += 20 * 60_000
    await until(() => health.got.length === 1)
    clock.now += 86_400_000
    await until(() => health.got.length === 2)
    // The token was valid for half a day.
    const person = { email: 'client_admin@one.example', password: passwordOf('client_admin') }
    token = (await send('POST', '/api/v1/user/login', { body: person })).body.access_token
    t.match(await urls(), [
      { field: 'order_create_webhook_url', on: false, disabled: true, failing: true },
      { on: true },
    ])
    const attempts = orders.got.length
    await order(place)
    clock.now += 3_600_000
    await setTimeout(100)
    t.equal(orders.got.length, attempts, 'nothing is sent while it is off')
    orders.answer.status = 200
    const [{ endpoint_id }] = await urls()
    await send('PUT', `/api/v1/webhook-urls/${endpoint_id}`, { token, body: { on: true } })
    await until(() => health.got.length === 3)
    await stop()
    const told = health.got.map(({ body: text }) => JSON.parse(text))
    t.match(told, [{ event: 'endpoint.failing' }, { event: 'endpoint.disabled' }, { event: 'endpoint.recovered' }])
    for (const { event, event_id, data } of told) {
      t.match(event_id, /^EPH-/)
      t.match(data, { endpoint_id, owner: `business.${place.business}`, channel: 'tenant', url: orders.url }, event)
      t.equal(data.field, 'order_create_webhook_url')
      t.ok(Math.abs(Date.parse(data.failing_since) - since) < 1_000, 'the first attempt that failed')
    }
    t.match(told[1]?.data, { last_status: 503, last_failure: 'status' })
    t.match(told[2]?.data, { last_status: null, last_failure: null })
    t.match(await urls(), [{ on: true, disabled: false, failing: false, failing_since: null }, { on: true }])
    await place.parts.webhooks.close()
  },
)

t.test(
  'given receivers that answer 410, when Standard Webhooks is on for a URL, then it alone is switched off and told of',
  async (t) => {
    const [standard, plain, health] = [await receiver(t), await receiver(t), await receiver(t)]
    const place = await world({ webhooks: { allow: ['127.0.0.0/8'] } })
    const { send } = place
    const token = place.tokens.client_admin
    const field = 'order_create_webhook_url'
    const body = {
      [field]: `${standard.url},${plain.url}`,
      url_formats: [{ field, url: standard.url, format: 'native', standard_signature: true }],
      endpoint_health_webhook_url: health.url,
    }
    t.match(await send('PUT', '/api/v1/webhook-settings', { token, body }), { status: 200 })
    const urls = async () => (await send('GET', '/api/v1/webhook-urls', { token })).body.urls
    const [first] = (await urls()).filter(({ url }: { url: string }) => url === standard.url)
    standard.answer.status = 410
    plain.answer.status = 410
    const stop = running(t, place.parts, place.store.leases)
    const test = { field, url: standard.url }
    t.equal((await send('POST', '/api/v1/webhook-settings/test', { token, body: test })).status, 200)
    t.equal(standard.got.length, 1, 'a test is sent')
    t.match((await urls())[0], { on: true }, 'and switches nothing off')
    await order(place)
    await until(() => health.got.length === 1)
    t.match(JSON.parse(health.got[0]?.body ?? ''), {
      event: 'endpoint.disabled',
      data: { endpoint_id: first.endpoint_id, url: standard.url, last_status: 410, last_failure: 'status' },
    })
    t.match(
      (await urls()).map(({ url, on, disabled }: Record<string, unknown>) => [url, on, disabled]),
      [
        [standard.url, false, true],
        [plain.url, true, false],
        [health.url, true, false],
      ],
    )
    await stop()
    await place.parts.webhooks.close()
  },
)

t.test(
  'given notices of health, when a node ends before it has noted them, then the next one records nothing again',
  async (t) => {
    const place = await ordersTo((await receiver(t)).url)
    const owner = `business.${place.business}`
    const [{ endpoint_id: endpointId }] = (
      await place.send('GET', '/api/v1/webhook-urls', { token: place.tokens.client_admin })
    ).body.urls
    const at = place.clock.now
    const notices: readonly HealthNotice[] = [
      { endpointId, owner, at, isFailing: true, failingSince: at - 700_000, status: 500, failure: 'status' },
      { endpointId: 'gone', owner, at, isFailing: true, failingSince: at - 700_000 },
      { endpointId: 'callback', owner: 'callback.1.2', at, isFailing: true, failingSince: at - 700_000 },
    ]
    const noted: string[] = []
    const review = async (reviewed: (notice: HealthNotice) => Promise<void>) => {
      const ending = new AbortController()
      const wait = async () => ending.abort()
      const repository = { notices: async () => notices, reviewed }
      const quiet = { ...errorLog, error: () => noted.push('error') }
      await reviewHealth(
        { store: place.parts.store, repository, randomId: place.parts.randomId, log: quiet, wait },
        ending.signal,
      )
    }
    await review(async () => {
      throw new Error('The process ends.')
    })
    await review(async ({ endpointId: id }) => void noted.push(id))
    t.same(noted, ['error', endpointId, 'gone', 'callback'])
    const recorded = await place.parts.store.read(`webhook-${owner}`)
    t.equal(recorded.filter(({ type }) => type === 'WebhookEndpointFailing').length, 1)
    await place.parts.webhooks.close()
  },
)

const tokenCharacters = [..."abzAZ019!#$%&'*+.^_`|~-"]
const named = fc.oneof(
  fc.array(fc.constantFrom(...tokenCharacters), { minLength: 1, maxLength: 12 }).map((letters) => letters.join('')),
  fc.constantFrom('Authorization', 'X-Api-Key', 'constructor', '__proto__', 'toString', 'Host', 'signature', 'Cookie'),
  fc.string({ maxLength: 8 }),
)
const valued = fc.oneof(
  fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)), maxLength: 60 }),
  fc.string({ unit: anyCharacter, maxLength: 8 }),
  fc.constantFrom('a\r\nSignature: forged', 'a\u0000b', `token ${'x'.repeat(1_000)}`),
)

function pairsOf(raw: readonly string[]) {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [{ name, value: raw[index + 1] }] : []))
}

function sorted(headers: ReturnType<typeof pairsOf>) {
  return headers.map(({ name, value }) => `${name}: ${value}`).sort()
}

function namesIn(headers: ReturnType<typeof pairsOf>) {
  return headers.map(({ name }) => name.toLowerCase()).sort()
}

t.test(
  'given any headers of an owner, when they are set, then they are refused, or come as they are beside all of ours',
  async (t) => {
    const { got, url } = await receiver(t)
    const { send, tokens, parts, clock } = await ordersTo(url)
    const token = tokens.client_admin
    const ask = (method: string, path: string, body?: object) => send(method, `/api/v1/${path}`, { token, body })
    const { endpoint_id } = (await ask('GET', 'webhook-urls')).body.urls[0]
    const sentTest = async () => {
      clock.now += 60_000
      const { body } = await ask('POST', 'webhook-settings/test', { field: 'order_create_webhook_url' })
      return { log: body, request: pairsOf(got.at(-1)?.raw ?? []) }
    }
    const ours = namesIn((await sentTest()).request)
    const count = { set: 0, refused: 0 }
    const some = fc.array(fc.record({ name: named, value: valued }), { minLength: 1, maxLength: 4 })
    const checked = fc.asyncProperty(some, async (headers) => {
      const { status, body } = await ask('PUT', `webhook-urls/${endpoint_id}`, { headers })
      count[status === 200 ? 'set' : 'refused']++
      if (status !== 200) {
        t.equal(body.code, 'invalid_input')
        return
      }
      const { log, request } = await sentTest()
      const isTheirs = (name: string) => headers.some((one) => one.name === name)
      const arrived = request.filter(({ name }) => isTheirs(name))
      t.same(sorted(arrived), sorted(headers))
      t.same(namesIn(request.filter(({ name }) => !isTheirs(name))), ours, 'each of ours is there once')
      t.same(
        log.delivery.history
          .flatMap((attempt: { request_headers: object }) => Object.keys(attempt.request_headers))
          .filter(isTheirs),
        [],
        'the log has none of them',
      )
      t.same(
        body.url.headers,
        headers.map(({ name }) => ({ name })),
      )
    })
    await fc.assert(checked, { numRuns: 300 })
    t.ok(count.set > 4 && count.refused > 4, JSON.stringify(count))
    await ask('PUT', `webhook-urls/${endpoint_id}`, { headers: [] })
    t.same(namesIn((await sentTest()).request), ours)
    await parts.webhooks.close()
  },
)

t.test('given calls that fail while they wait for a queue, when others come, then they can still wait', async (t) => {
  let [now, looks, isBroken] = [0, 0, true]
  const queued = async () => {
    now++
    if (++looks % 2 === 0 && isBroken) throw new Error('the disk is away')
    return { deliveries: [], hasMore: false }
  }
  const repository = { queued, acknowledge: async () => undefined }
  const requestOf = () => t.fail('there is nothing to send') as never
  const { signal: stopping } = new AbortController()
  const pull = createPull({ repository, requestOf, clock: () => now, patience: 0, stopping })
  const keys = [{ secret: 'a secret' }] as const
  const whose = { id: 'q', owner: 'business.1', businessId: 1, url: 'pull:q', keys, interval: 0 } as const
  const queue = {
    ...whose,
    channel: 'tenant',
    field: 'order_create_webhook_url',
    format: 'native',
    standard: false,
  } as const
  const ask = () => pull([queue], { limit: 1, wait: 2 })
  for (let call = 0; call < 500; call++) await t.rejects(ask(), { message: 'the disk is away' })
  ;[looks, isBroken] = [0, false]
  t.same(await ask(), { events: [], hasMore: false })
  t.ok(looks > 1, 'it has waited')
  const leaving = new AbortController()
  looks = 0
  const left = pull([queue], { limit: 1, wait: 25_000, gone: leaving.signal })
  leaving.abort()
  t.same(await left, { events: [], hasMore: false }, 'nobody waits for it any more')
  t.ok(looks <= 2, 'so the queue is not looked at again')
  const another = createPull({ repository, requestOf, clock: () => now, patience: 5_000, stopping })
  const cursor = another([queue], { cursor: 'unknown', limit: 1, wait: 0, gone: leaving.signal })
  await t.rejects(cursor, { code: 'webhook_cursor_unknown' }, 'nor is a cursor waited for')
  t.ok(looks <= 2)
})

t.test(
  'given a server that runs for long, when its queues are read, then no call leaves anything behind',
  async (t) => {
    const repository = { queued: async () => ({ deliveries: [], hasMore: false }), acknowledge: async () => undefined }
    const { signal: stopping } = new AbortController()
    const requestOf = () => t.fail('there is nothing to send') as never
    const pull = createPull({ repository, requestOf, clock: () => 0, patience: 0, stopping })
    const keys = [{ secret: 'a secret' }] as const
    const whose = { id: 'q', owner: 'business.1', businessId: 1, url: 'pull:q', keys, interval: 0 } as const
    const manner = { channel: 'tenant', field: 'order_create_webhook_url', format: 'native', standard: false } as const
    const call = () => pull([{ ...whose, ...manner }], { limit: 1, wait: 0, gone: new AbortController().signal })
    const before = await heapAfter(5_000, call)
    const left = (await heapAfter(60_000, call)) - before
    t.ok(left < 1_000_000, `${left} bytes`)
  },
)
