import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { operator, type World, world } from '../../adapters/auth/world.test.fixture.ts'
import { errorLog } from '../../adapters/node/log.ts'
import { addProvider, call, type ShopKind, startLife } from '../../engine/index.ts'
import { double } from './double.test.fixture.ts'

const kinds: readonly ShopKind[] = ['shopify', 'woocommerce', 'bigcommerce', 'magento', 'etsy', 'amazon', 'walmart']

interface Listed {
  readonly state: string
  readonly delivery_id: string
  readonly attempts: number
  readonly next_attempt_at: string | null
}

/** A server with a shop of this kind, an order of the shop, and what a carrier reports about its parcel. */
async function connected(t: Test, kind: ShopKind) {
  const shop = await double(t, kind)
  const place = await world({ start: Date.now(), webhooks: { allow: ['127.0.0.0/8'] } })
  const { send, tokens, parts, store } = place
  const token = tokens.client_admin
  await parts.webhooks.begin(store.leases)
  const { key } = await call(addProvider, operator(place), { name: 'acme', business_id: place.business })
  const body = { kind, name: 'Spring books', address: `${shop.address}/`, credentials: shop.credentials }
  const made = await send('POST', '/api/v1/shops', { token, body })
  t.equal(made.status, 200, JSON.stringify(made.body))
  const shop_id = Number(made.body.shop_id)
  const order = { type: 'D', delivery: { name: 'A', address: { street: 'S 1' } }, shop_id, shop_order: '727' }
  const { body: taken } = await send('POST', '/api/v1/orders', { token, body: order })
  const stop = running(t, place)
  let hour = 10
  const report = async (status_code: string) => {
    const event = { status_code, occurred_at: `2026-06-10T${hour++}:30:00+02:00` }
    const reported = { profile: 'parcel', subject: { tracking_number: taken.tracking_number }, events: [event] }
    const answer = await send('POST', '/api/v1/otep/ingest', { token: String(key), body: reported })
    t.equal(answer.body.data?.accepted, 1, JSON.stringify(answer.body))
  }
  const deliveries = async () => {
    const { body: listed } = await send('GET', '/api/v1/webhook-deliveries?channel=shop', { token })
    return (listed.deliveries ?? []) as readonly Listed[]
  }
  const settled = async (count: number) => {
    await until(async () => {
      const all = await deliveries()
      return all.length === count && all.every(({ state }) => state !== 'waiting' && state !== 'sending')
    })
    return deliveries()
  }
  return { ...place, shop, shop_id, token, taken, report, deliveries, settled, stop }
}

/** Runs the sending side until the test ends. */
function running(t: Test, { parts, store }: Pick<World, 'parts' | 'store'>) {
  const ending = new AbortController()
  const run = {
    signal: ending.signal,
    now: () => performance.now(),
    wait: (ms: number, signal: AbortSignal) => setTimeout(Math.min(ms, 10), undefined, { signal }).catch(() => {}),
  }
  const life = startLife(store.leases, { ...run, name: randomUUID(), failed: () => {} })
  const done = parts.webhooks.run({ ...run, leases: store.leases, life, log: errorLog })
  const stop = async () => {
    ending.abort()
    await Promise.all([done, life.ended])
    await parts.webhooks.close()
  }
  t.teardown(stop)
  return stop
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 30_000; !(await holds()); await setTimeout(5))
    if (performance.now() > end) throw new Error('It did not come about.')
}

for (const kind of kinds)
  t.test(`given an order of a ${kind} shop, when its parcel moves, then the shop is sent that once`, async (t) => {
    const { shop, report, settled } = await connected(t, kind)
    await report('information_submitted')
    t.match(await settled(1), [{ state: 'delivered' }])
    t.same(shop.written, [], 'nothing before the carrier has it')
    await report('picked_up')
    t.match(await settled(2), [{ state: 'delivered' }, { state: 'delivered' }])
    const [first] = shop.written
    t.ok(first, 'it is sent')
    await report('in_transit')
    await report('delivered')
    t.match(await settled(4), Array(4).fill({ state: 'delivered' }))
    t.same(shop.faults, [], 'all by the published interface')
    const texts = shop.written.map(({ path, text }) => `${path} ${text}`)
    t.equal(new Set(texts).size, texts.length, 'and nothing twice')
  })

/** The refusals that ask for a pause of 40 seconds, as each kind of shop says so. */
const pauses: readonly (readonly [kind: ShopKind, name: string, reply: object])[] = [
  ['woocommerce', 'Retry-After', { status: 429, headers: { 'retry-after': '40' } }],
  ['bigcommerce', 'its own header', { status: 429, headers: { 'x-rate-limit-time-reset-ms': '40000' } }],
  [
    'shopify',
    'points in an answer with 200',
    {
      status: 200,
      body: {
        errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }],
        extensions: { cost: { requestedQueryCost: 1000, throttleStatus: { currentlyAvailable: 0, restoreRate: 25 } } },
      },
    },
  ],
]

for (const [kind, name, reply] of pauses)
  t.test(`given a ${kind} shop that has had enough, when it says so by ${name}, then that is obeyed`, async (t) => {
    const { shop, report, deliveries, clock } = await connected(t, kind)
    shop.next.push(reply as (typeof shop.next)[0])
    await report('picked_up')
    await until(async () => (await deliveries()).some(({ attempts }) => attempts === 1))
    t.match(await deliveries(), [
      { state: 'waiting', next_attempt_at: new Date(clock.now + 40_000).toISOString().replace('Z', '') },
    ])
  })

t.test('given a shop that refuses, when something is sent, then its words are in the list of deliveries', async (t) => {
  const { shop, report, deliveries, send, token } = await connected(t, 'shopify')
  const userErrors = [{ field: ['fulfillment'], message: 'Fulfillment order is not open.' }]
  const look = { data: { order: { fulfillmentOrders: { nodes: [{ id: 'a/9', status: 'OPEN' }] }, fulfillments: [] } } }
  shop.next.push({ status: 200, body: look })
  shop.next.push({ status: 200, body: { data: { fulfillmentCreate: { fulfillment: null, userErrors } } } })
  await report('picked_up')
  await until(async () => (await deliveries()).some(({ attempts }) => attempts === 1))
  const [{ delivery_id = '' } = {}] = await deliveries()
  const { body } = await send('GET', `/api/v1/webhook-deliveries/${delivery_id}`, { token })
  t.match(body.delivery, { state: 'waiting', channel: 'shop', history: [{ status: 200, failure: 'status' }] })
  t.match(body.delivery.history[0].response_body, /POST .*graphql.json 200\n.*Fulfillment order is not open/s)
})

t.test('given wrong or right credentials, when a shop is tested, then it is said whether they work', async (t) => {
  const { send, token, shop_id, deliveries, shop } = await connected(t, 'magento')
  const test = () => send('POST', `/api/v1/shops/${shop_id}/test`, { token })
  t.match((await test()).body, { works: true, status: 200 })
  const change = { credentials: { access_token: 'mg_wrong' } }
  t.equal((await send('POST', `/api/v1/shops/${shop_id}/change`, { token, body: change })).status, 200)
  t.match((await test()).body, { works: false, status: 401, answer: /Invalid credentials/ })
  t.equal((await deliveries()).length, 2, 'both are in the list')
  t.same(shop.written, [], 'and nothing is changed')
})

t.test('given a shop, when it is read, wrongly made, or removed, then no credentials are told', async (t) => {
  const { send, token, tokens, shop_id, shop, report, deliveries, parts, other } = await connected(t, 'woocommerce')
  for (const path of ['/api/v1/shops', `/api/v1/shops/${shop_id}`]) {
    const { status, body } = await send('GET', path, { token: tokens.client_employee })
    t.equal(status, 200)
    t.notMatch(JSON.stringify(body), /cs_0123456789abcdef|credentials/, path)
  }
  t.equal((await send('GET', `/api/v1/shops/${shop_id}`, { token: other.tokens.client_admin })).status, 404)
  const body = { kind: 'magento', name: 'x', address: shop.address, credentials: { consumer_key: 'x' } }
  t.match((await send('POST', '/api/v1/shops', { token, body })).body, {
    errors: [{ path: 'credentials.consumer_key' }, { path: 'credentials.access_token' }],
  })
  const inside = { ...body, address: 'http://169.254.169.254/', credentials: { access_token: 'x' } }
  t.match((await send('POST', '/api/v1/shops', { token, body: inside })).body, { code: 'webhook_url_refused' })
  shop.next.push({ status: 503 })
  await report('picked_up')
  await until(async () => (await deliveries()).some(({ attempts }) => attempts === 1))
  t.equal((await send('POST', `/api/v1/shops/${shop_id}/remove`, { token })).status, 200)
  const stored = await parts.store.read(`shop-${shop_id}`)
  t.notMatch(JSON.stringify(stored), /cs_0123456789abcdef/, 'the credentials are erased')
  const [{ delivery_id = '' } = {}] = await deliveries()
  t.equal((await send('POST', `/api/v1/webhook-deliveries/${delivery_id}/retry`, { token })).status, 409)
  t.same(shop.written, [])
})

t.test(
  'given a token that ends or a refresh token that is replaced, when more is sent, then others are got',
  async (t) => {
    const { report, settled, shop, parts, shop_id } = await connected(t, 'etsy')
    await report('picked_up')
    await settled(1)
    const kept = async () => JSON.stringify(await parts.store.read(`shop-${shop_id}`))
    t.match(await kept(), /"refresh_token":"rt_2"/, 'the new refresh token is kept')
    shop.next.push({ status: 401 })
    await report('delivered')
    t.match(await settled(2), [{ state: 'delivered' }, { state: 'delivered' }], 'a refused token is replaced at once')
    t.equal(shop.written.length, 1)
    t.match(await kept(), /"refresh_token":"rt_3"/)
  },
)

for (const kind of kinds)
  t.test(`given a ${kind} shop whose answer is lost, when it is sent again, then nothing is done twice`, async (t) => {
    const { shop, report, deliveries, settled, send, token } = await connected(t, kind)
    shop.lost.push(true)
    await report('picked_up')
    await until(async () => (await deliveries()).some(({ attempts }) => attempts === 1))
    t.match(await deliveries(), [{ state: 'waiting' }])
    const [{ delivery_id = '' } = {}] = await deliveries()
    t.equal((await send('POST', `/api/v1/webhook-deliveries/${delivery_id}/retry`, { token })).status, 200)
    t.match(await settled(1), [{ state: 'delivered', attempts: 2 }])
    const texts = shop.written.map(({ path, text }) => `${path} ${text}`)
    t.ok(texts.length > 0)
    t.equal(new Set(texts).size, texts.length)
  })
