import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { passwordOf, type World, world } from '../adapters/auth/world.test.fixture.ts'
import { signedBySandbox } from '../adapters/carriers/index.ts'
import { followParcels } from '../adapters/deadlines/follow-parcels.ts'
import { secretOf } from '../adapters/node/secret.ts'
import { type CarrierScan, defineCarrier, v } from '../adapters/plugins/index.ts'
import { runPoliciesOnce } from '../adapters/policies/index.ts'
import { labelTimelines } from '../adapters/policies/label-timelines.ts'
import { orderStatusAfter } from '../engine/domains/labels/progress.ts'
import { orderWebhookEventTypes } from '../engine/domains/orders/webhook-events/index.ts'
import { call, en, forgetLabel, isoOf, type Leases, otepForget } from '../engine/index.ts'
import { toldIn } from './told.test.fixture.ts'

const ann = { name: 'Ann', street: '1 Main Street', postal_code: 'M5V 1A1', region: 'ON', country: 'CA' }
const shipment = { from: { ...ann, name: 'Acme' }, to: ann, parcels: [{ weight_grams: 800 }] }
const labels = '/api/v1/labelservice'
const silent = () => {}
const quiet = { debug: silent, info: silent, warn: silent, error: silent }
const secret = 'a secret of the sandbox'
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

/** What a carrier was asked, and what it says. */
interface Post {
  readonly asked: string[]
  /** What it tells of every parcel. */
  told: CarrierScan[]
  mood: 'well' | 'broken' | 'deaf'
  /** The next numbers that it sells. */
  numbers: string[]
}

function createPost() {
  const post: Post = { asked: [], told: [], mood: 'well', numbers: [] }
  const carrier = defineCarrier({
    ...{ name: 'books', title: 'Books', credentials: v.strictObject({ secret: v.exactOptional(v.string()) }) },
    services: [{ code: 'one', name: 'One' }],
    rate: async (_, { currency }) => ({ rates: [{ service: 'one', amount: '9.00', currency }] }),
    buy: async ({ key, amount, currency }) => ({
      label: { reference: key, tracking_numbers: [post.numbers.shift() ?? `B${key}`], amount, currency },
    }),
    void: async () => ({ voided: true }),
    manifest: async () => ({ manifest: { reference: 'M' } }),
    track: async ({ tracking_number }, { signal }) => {
      post.asked.push(tracking_number)
      if (post.mood === 'broken') throw new Error('no connection')
      if (post.mood === 'deaf') await new Promise((_, reject) => signal.addEventListener('abort', reject))
      return { events: [...post.told] }
    },
    receive: async ({ body, headers }, { credentials }) => {
      if (headers['x-key'] !== credentials.secret || credentials.secret === undefined)
        return { refused: { code: 'wrong_credentials', message: 'no' } }
      return JSON.parse(new TextDecoder().decode(body))
    },
  })
  return { post, carrier }
}

/** A node that asks carriers, with a clock that a test advances. */
function createFollower({ parts, clock, store }: World, leases: Leases = store.leases, name = 'node') {
  const ending = new AbortController()
  const sleepers = new Set<{ readonly pause: number; readonly until: number; readonly wake: () => void }>()
  const said: string[] = []
  const tell = (_: object, words: string) => void said.push(words)
  const wait = (milliseconds: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      const wake = () => {
        signal.removeEventListener('abort', wake)
        sleepers.delete(sleeper)
        resolve()
      }
      const sleeper = { pause: milliseconds, until: clock.now + milliseconds, wake }
      sleepers.add(sleeper)
      signal.addEventListener('abort', wake)
      if (signal.aborted) wake()
    })
  const log = { debug: tell, info: tell, warn: tell, error: tell }
  // It lives as long as the test.
  const look = async () => ({ at: 0, signOf: () => ({ text: '', ttl: 1 }) })
  const life = {
    name,
    beat: 1_000,
    span: () => ({ until: 1 }),
    look,
    begun: Promise.resolve(),
    ended: Promise.resolve(),
  }
  const running = followParcels(parts, { signal: ending.signal, log, wait, life, leases, now: () => 0 })
  /** Waits until the node has done its work, or waits for the lease. */
  const settle = async () => {
    const isDone = () => sleepers.size === 1 || [...sleepers].some(({ pause }) => pause === 30_000)
    while (!isDone()) await setImmediate()
  }
  const wake = () => {
    for (const sleeper of [...sleepers]) if (sleeper.until <= clock.now) sleeper.wake()
  }
  const stop = async () => {
    ending.abort()
    await running
  }
  return { settle, wake, stop, said }
}

/** A business with an account at such a carrier and one at the sandbox. */
async function shop(options: object = {}) {
  const { post, carrier } = createPost()
  const made = await world({ carriers: [carrier], secret: secretOf('ab'.repeat(32)), ...options })
  const ask = async (method: string, path: string, body?: object, token = made.tokens.client_admin) =>
    (await made.send(method, path, { token, ...(body === undefined ? {} : { body }) })).body
  const add = (carrier: string, credentials: object, token?: string) =>
    ask('POST', '/api/v1/carrier-accounts', { carrier, credentials }, token)
  await add('books', { secret: 'k' })
  await add('sandbox', { account: 'acme', webhook_secret: secret })
  const purchase = async (carrier = 'books', to: object = ann, token?: string) => {
    const { rates } = await ask('POST', `${labels}/compareAllCarriers`, { ...shipment, to }, token)
    const { rate_id } = rates.find((rate: { readonly carrier: string }) => rate.carrier === carrier)
    const bought = await ask(
      'POST',
      `${labels}/createShippingLabel`,
      { ...shipment, to, rate_id, reference: 'PO-7' },
      token,
    )
    return { ...bought, number: String(bought.tracking_numbers[0]) }
  }
  const buy = async (...what: Parameters<typeof purchase>) => {
    const bought = await purchase(...what)
    await runPoliciesOnce(made.parts)
    return bought
  }
  const detail = (order_id: number) => ask('POST', `${labels}/getShippingDetail`, { order_id })
  /** The codes of the public timeline of a number. */
  const codes = async (number: string): Promise<readonly string[]> => {
    const { body } = await made.send('GET', `/api/v1/otep/trackings/${number}`)
    return body.data?.events.map(({ status_code }: CarrierScan) => status_code) ?? [body.code]
  }
  /** Time passes in steps of a minute to six hours, while nodes follow. */
  const pass = async (milliseconds: number, ...followers: readonly ReturnType<typeof createFollower>[]) => {
    const step = Math.max(minute, Math.min(6 * hour, milliseconds / 24))
    const end = made.clock.now + milliseconds
    for (const one of followers) await one.settle()
    while (made.clock.now < end) {
      made.clock.now = Math.min(end, made.clock.now + step)
      for (const one of followers) one.wake()
      for (const one of followers) await one.settle()
    }
  }
  const scan = (status_code: string, more: object = {}): CarrierScan => ({
    ...{ status_code, occurred_at: isoOf(made.clock.now), locality: 'Toronto', country: 'CA', ...more },
  })
  const size = async () => {
    let events = 0
    for await (const _ of made.store.readAll()) events++
    return events
  }
  return { ...made, post, ask, add, purchase, buy, detail, codes, pass, scan, size }
}

t.test('given a label, when its carrier tells of it, then its timeline is public and goes on by itself', async (t) => {
  const made = await shop()
  const { post, buy, codes, pass, scan, detail, ask, clock } = made
  const { number, order_id } = await buy()
  t.same(await codes(number), ['information_submitted'], 'it begins with the purchase')
  const follower = createFollower(made)
  post.told = [scan('information_submitted'), scan('picked_up', { occurred_at: isoOf(clock.now + minute) })]
  await pass(14 * minute, follower)
  t.same(post.asked, [])
  await pass(2 * minute, follower)
  t.same(post.asked, [number])
  t.same(await codes(number), ['information_submitted', 'picked_up'])
  post.told.push(scan('delivered', { description: 'Left with J. Smith' }))
  await pass(16 * minute, follower)
  t.same(await codes(number), ['information_submitted', 'picked_up', 'delivered'])
  t.match(await detail(order_id), { tracking: [{ tracking_number: number, status_code: 'delivered' }] })
  const { parcels } = await ask('GET', `/api/v1/uniorder/label-${order_id}/tracking`)
  t.match(parcels, [
    {
      tracking_number: number,
      events: [
        { status_code: 'information_submitted' },
        { locality: 'Toronto' },
        { description: 'Left with J. Smith' },
      ],
    },
  ])
  t.equal(parcels[0].events.length, 3, 'each once, though the carrier tells them, too')
  post.mood = 'broken'
  t.match((await ask('GET', `/api/v1/uniorder/label-${order_id}/tracking`)).parcels, [
    { events: [{}, {}, { status_code: 'delivered' }], unanswered: /could not answer/ },
  ])
  const asked = post.asked.length
  await pass(day, follower)
  t.equal(post.asked.length, asked, 'nobody asks for a parcel that has arrived')
  await follower.stop()
  t.same(follower.said, [])
})

t.test(
  'given a status without a scan, when a carrier tells it again and again, then it is recorded once',
  async (t) => {
    const made = await shop()
    const { post, buy, codes, pass, scan, clock, size } = made
    const { number } = await buy()
    const follower = createFollower(made)
    const status = (code: string) => scan(code, { event_id: code, synthesized: true, occurred_at: isoOf(clock.now) })
    const tell = async (code: string) => {
      for (const _ of [1, 2, 3]) {
        post.told = [status(code)]
        await pass(7 * hour, follower)
      }
    }
    await tell('picked_up')
    t.same(await codes(number), ['information_submitted', 'picked_up'])
    const [before, asked] = [await size(), post.asked.length]
    for (const _ of [1, 2, 3, 4]) {
      post.told = [status('picked_up')]
      await pass(6 * hour, follower)
    }
    t.equal(await size(), before, 'and nothing else is recorded')
    t.ok(post.asked.length - asked <= 5, 'and it is asked less and less often')
    await tell('x-returning')
    await tell('return_to_sender')
    t.same((await codes(number)).slice(2), ['x-returning', 'return_to_sender'])
    await follower.stop()
    t.same(follower.said, [])
  },
)

t.test('given what a carrier knows beside its scans, when it tells it, then the timeline has it', async (t) => {
  const made = await shop()
  const { post, buy, pass, scan, send, clock, store } = made
  const { number } = await buy()
  const follower = createFollower(made)
  const expected = {
    estimated_delivery_from: '2026-12-04T14:00:00+09:00',
    estimated_delivery_at: '2026-12-04T16:00:00+09:00',
  }
  post.told = [
    scan('information_submitted', expected),
    scan('delivery_failed', { incident_reason: 'consignee_absent', occurred_at: isoOf(clock.now + minute) }),
    scan('delivered', { signed_by: 'Ann Lee', occurred_at: isoOf(clock.now + 2 * minute) }),
  ]
  await pass(16 * minute, follower)
  const { body } = await send('GET', `/api/v1/otep/trackings/${number}`, { token: made.tokens.client_admin })
  const { events } = body.data
  t.match(
    events.slice(0, 2).find((event: object) => 'estimated_delivery_at' in event),
    expected,
    'of two announcements at one time',
  )
  t.match(events.slice(2), [
    { status_code: 'delivery_failed', incident_reason: 'consignee_absent' },
    { status_code: 'delivered', pod: { recipient: 'Ann Lee' } },
  ])
  const stored: string[] = []
  for await (const { data } of store.readAll()) stored.push(JSON.stringify(data))
  t.ok(stored.some((text) => text.includes('"delivered"')))
  t.notOk(
    stored.some((text) => text.includes('Ann Lee') && text.includes('"delivered"')),
    'who signed is sealed',
  )
  await follower.stop()
})

t.test(
  'given a label, when its carrier tells of it, then webhooks tell the business, as of the parcel of an order',
  async (t) => {
    const made = await shop()
    const { buy, scan, ask, business } = made
    await ask('POST', '/api/v1/orders', { type: 'D', delivery: { name: 'Ann', address: { country: 'CA' } } })
    const { number, order_id } = await buy()
    const reports = [{ tracking_number: number, events: [scan('picked_up'), scan('delivered')] }]
    const headers = { 'x-key': 'k' }
    await made.send('POST', `${labels}/carriers/1/events`, { body: { reports }, headers })
    await runPoliciesOnce(made.parts)
    const told = (await toldIn(made, 'tracking.event')).filter(({ subject }) => subject === `order/${order_id}`)
    t.same(
      told.map((one) => one.data('business').otep_status),
      ['information_submitted', 'picked_up', 'delivered'],
    )
    for (const { audience, data } of told) {
      t.match(audience, { kind: 'tenant', businessId: business, customerId: undefined })
      t.match(data('business'), { order_id, order_ref: 'PO-7', tracking_number: [number] })
    }
  },
)

t.test('given labels, when their carriers report, then each is as far as its parcels are', async (t) => {
  const made = await shop()
  const { post, ask, scan, send, parts, clock } = made
  const bought = async (...numbers: readonly string[]) => {
    post.numbers = [...numbers]
    const { rates } = await ask('POST', `${labels}/compareAllCarriers`, shipment)
    const { rate_id } = rates.find((rate: { readonly carrier: string }) => rate.carrier === 'books')
    const label = await ask('POST', `${labels}/createShippingLabel`, { ...shipment, rate_id })
    await runPoliciesOnce(parts)
    return Number(label.order_id)
  }
  const tell = async (tracking_number: string, code: string) => {
    clock.now += minute
    const reports = [{ tracking_number, events: [scan(code)] }]
    await send('POST', `${labels}/carriers/1/events`, { body: { reports }, headers: { 'x-key': 'k' } })
    await runPoliciesOnce(parts)
  }
  const found = async (status: string) =>
    (await ask('GET', `${labels}/labels?order_status=${status}`)).labels.map(
      (one: { order_id: number }) => one.order_id,
    )
  const id = await bought('N1')
  t.same(await found('NEW_ORDER'), [id])
  const way = [
    ...[
      ['booking_confirmed', 'NEW_ORDER'],
      ['picked_up', 'WITH_CARRIER'],
      ['delivery_failed', 'FAILED'],
    ],
    ...[
      ['out_for_delivery', 'WITH_CARRIER'],
      ['delivered', 'DELIVERED_BY_CARRIER'],
    ],
    ['arrival_scan', 'DELIVERED_BY_CARRIER'],
  ] as const
  for (const [code = '', after = ''] of way) {
    await tell('N1', code)
    t.same(await found(after), [id], code)
  }
  const [change] = orderWebhookEventTypes.filter(({ name }) => name === 'order.status_change')
  const told = (await toldIn(made, 'order.status_change')).map((one) => one.data('business'))
  for (const data of told) t.equal(v.safeParse(change?.data ?? v.never(), data).success, true)
  t.match(
    told.map((one) => [one.previous_status_name, one.status_name, one.operation_type]),
    [
      ['NEW_ORDER', 'WITH_CARRIER', 6007],
      ['WITH_CARRIER', 'FAILED', 6008],
      ['FAILED', 'WITH_CARRIER', 6007],
      ['WITH_CARRIER', 'DELIVERED_BY_CARRIER', 2009],
    ],
    'webhooks tell each change, as of any order',
  )
  t.match(told[0], { order_id: id, tracking_number: 'N1', provider: 'books', items: 1 })
  const voided = await bought('N2')
  await ask('POST', `${labels}/cancelShippingLabel`, { order_id: voided })
  await runPoliciesOnce(parts)
  t.same(await found('CANCELLED'), [voided])
  t.same(await found('NEW_ORDER'), [])
})

t.test(
  'given any parcels of one label, when they are reported, then the label has ended with its last one',
  async (t) => {
    const numbers = ['A', 'B']
    const empty = { label: { reference: 'R', tracking_numbers: numbers }, reported: {} }
    const after = (...reports: readonly (readonly [string, string])[]) => {
      let reported: Readonly<Record<string, string>> = {}
      let status = 'NEW_ORDER'
      for (const [tracking_number, status_code] of reports) {
        const report = {
          ...{ provider: 'c', event_id: 'e', occurred_at: '', position: '' },
          tracking_number,
          status_code,
        }
        status = orderStatusAfter({ ...empty, reported }, report)
        reported = { ...reported, [tracking_number]: status_code }
      }
      return status
    }
    t.equal(after(['A', 'delivered']), 'WITH_CARRIER', 'the other one has not arrived')
    t.equal(after(['A', 'delivered'], ['B', 'in_transit']), 'WITH_CARRIER')
    t.equal(after(['A', 'delivered'], ['B', 'delivery_failed']), 'FAILED')
    t.equal(after(['A', 'delivered'], ['B', 'return_to_sender']), 'RETURNED')
    t.equal(after(['B', 'in_transit'], ['A', 'delivered'], ['B', 'delivered']), 'DELIVERED_BY_CARRIER')
  },
)

t.test('given no news, when a carrier is asked, then less and less often, and nothing is recorded', async (t) => {
  const made = await shop()
  const { post, buy, pass, size, scan, clock } = made
  await buy()
  post.told = [scan('picked_up', { occurred_at: isoOf(clock.now + minute) })]
  const follower = createFollower(made)
  await pass(16 * minute, follower)
  const [before, asked] = [await size(), post.asked.length]
  const counts: number[] = []
  for (const _ of [1, 2, 3, 4]) {
    const already = post.asked.length
    await pass(6 * hour, follower)
    counts.push(post.asked.length - already)
  }
  t.same(counts, [6, 1, 1, 1])
  await pass(30 * day, follower)
  const all = post.asked.length - asked
  t.ok(all > 50 && all < 70, `${all} questions in a month`)
  await pass(10 * day, follower)
  t.equal(post.asked.length - asked, all, 'and then no more')
  t.equal(await size(), before)
  await follower.stop()
})

t.test('given two nodes, when one ends, then the other goes on, and no question is asked by both', async (t) => {
  const made = await shop()
  const { post, buy, pass, codes, scan, clock } = made
  const { number } = await buy()
  const nodes = [
    createFollower(made, made.store.leases, 'one'),
    createFollower(made, made.store.leases, 'two'),
  ] as const
  post.told = [scan('picked_up', { occurred_at: isoOf(clock.now + minute) })]
  await pass(16 * minute, ...nodes)
  t.equal(post.asked.length, 1)
  await nodes[0].stop()
  post.told.push(scan('in_transit'))
  await pass(17 * minute, nodes[1])
  t.equal(post.asked.length, 2)
  t.same(await codes(number), ['information_submitted', 'picked_up', 'in_transit'])
  await nodes[1].stop()
})

t.test('given a carrier that fails, when it has many parcels, then it is left alone until the next time', async (t) => {
  const made = await shop()
  const { post, buy, pass, codes, scan, clock } = made
  const numbers: string[] = []
  for (let count = 0; count < 12; count++) numbers.push((await buy()).number)
  const follower = createFollower(made)
  post.mood = 'broken'
  await pass(16 * minute, follower)
  t.ok(post.asked.length <= 5, `${post.asked.length} questions`)
  t.same(follower.said, ['a carrier does not tell of its parcels'])
  post.mood = 'well'
  post.told = [scan('picked_up', { occurred_at: isoOf(clock.now) })]
  await pass(30 * minute, follower)
  for (const number of numbers) t.same(await codes(number), ['information_submitted', 'picked_up'])
  await follower.stop()
})

t.test('given a label that is voided, when its carrier still tells, then the timeline has ended', async (t) => {
  const made = await shop()
  const { post, buy, ask, pass, codes, scan, send, parts } = made
  const { number, order_id } = await buy()
  t.match(await ask('POST', `${labels}/cancelShippingLabel`, { order_id }), { status: 'LABEL_VOIDED' })
  await runPoliciesOnce(parts)
  await runPoliciesOnce(parts)
  t.same(await codes(number), ['information_submitted', 'cancelled'])
  post.told = [scan('picked_up')]
  const follower = createFollower(made)
  await pass(day, follower)
  t.same(post.asked, [])
  const body = { reports: [{ tracking_number: number, events: [scan('picked_up')] }] }
  t.match(await send('POST', `${labels}/carriers/1/events`, { body, headers: { 'x-key': 'k' } }), { status: 200 })
  t.same(await codes(number), ['information_submitted', 'cancelled'])
  await follower.stop()
})

t.test('given what a carrier has signed, when it comes, also again, then it is recorded once', async (t) => {
  const { buy, codes, send, scan, size, detail } = await shop()
  const { number, order_id } = await buy('sandbox')
  const body = JSON.stringify({
    tracking_number: number,
    events: [scan('delivery_failed', { event_id: 'e-1', description: 'Nobody was at home' })],
  })
  const headers = { 'Content-Type': 'application/json', 'x-sandbox-signature': signedBySandbox(body, secret) }
  const post = (account: number | string, sent = body, more: object = {}) =>
    send('POST', `${labels}/carriers/${account}/events`, { body: sent, headers: { ...headers, ...more } })
  t.match(await post(2), { status: 200, body: { result: true, parcels: 1 } })
  t.same(await codes(number), ['information_submitted', 'delivery_failed'])
  t.match(await detail(order_id), { tracking: [{ status_code: 'delivery_failed' }] })
  const before = await size()
  t.match(await post(2), { status: 200, body: { result: true, parcels: 1 } })
  t.equal(await size(), before, 'a repeated request changes nothing')
  const refused = { status: 401, body: { code: 'carrier_events_refused' } }
  const answers = [
    await post(2, body.replace('Nobody', 'Somebody')),
    await post(2, body, { 'x-sandbox-signature': '' }),
    await post(2, body, { 'x-sandbox-signature': signedBySandbox(body, `${secret}!`) }),
    await post(1),
    await post(99),
    await post(2, '{', { 'x-sandbox-signature': signedBySandbox('{', secret) }),
  ]
  for (const answer of answers) t.match(answer, refused)
  t.same(new Set(answers.map(({ body }) => body.message)).size, 1, 'nobody learns which accounts there are')
  t.match(await post(2, 'x'.repeat(300_000)), { status: 413 })
  t.equal(await size(), before)
})

t.test('given labels of others, when a carrier tells of them, then it is not believed', async (t) => {
  const made = await shop()
  const { buy, add, other, post, send, scan, codes, pass, ask, parts } = made
  const { number } = await buy()
  await add('books', { secret: 'of two' }, other.tokens.client_admin)
  const tell = (account: number, key: string, tracking_number: string) =>
    send('POST', `${labels}/carriers/${account}/events`, {
      body: { reports: [{ tracking_number, events: [scan('delivered')] }] },
      headers: { 'x-key': key },
    })
  t.match(await tell(3, 'of two', number), { status: 200, body: { parcels: 0 } })
  post.numbers = [number]
  const theirs = await buy('books', ann, other.tokens.client_admin)
  t.equal(theirs.number, number, 'their carrier sells the same number')
  t.match(await tell(3, 'of two', number), { body: { parcels: 0 } })
  const delivery = { name: 'Ann', address: { street: '1 Main Street', country: 'CA' } }
  const order = await ask('POST', '/api/v1/orders', { type: 'D', delivery })
  post.numbers = [order.tracking_number]
  await runPoliciesOnce(parts)
  await buy('books', ann, other.tokens.client_admin)
  t.match(await tell(3, 'of two', order.tracking_number), { body: { parcels: 0 } })
  t.same(await codes(number), ['information_submitted'])
  t.same(await codes(order.tracking_number), ['information_submitted'], 'nor of an order of another business')
  await ask('POST', '/api/v1/orders', { type: 'D', delivery, external_tracking_number: 'OUTSIDE-1' })
  await runPoliciesOnce(parts)
  post.numbers = ['OUTSIDE-1']
  await buy('books', ann, other.tokens.client_admin)
  t.match(await tell(3, 'of two', 'OUTSIDE-1'), { body: { parcels: 0 } })
  t.same(await codes('OUTSIDE-1'), ['information_submitted'], 'nor by the number that another carrier gave it')
  const follower = createFollower(made)
  post.told = [scan('delivered')]
  await pass(16 * minute, follower)
  t.same(await codes(order.tracking_number), ['information_submitted'])
  t.same(await codes(number), ['information_submitted', 'delivered'], 'its own carrier is')
  await follower.stop()
})

t.test(
  'given a server that shows little, when a label is looked up, then its business and its recipient see all',
  async (t) => {
    const { buy, send, tokens, other, scan } = await shop({ publicView: 'reduced' })
    const { number } = await buy()
    const body = { reports: [{ tracking_number: number, events: [scan('delivered', { description: 'At the door' })] }] }
    await send('POST', `${labels}/carriers/1/events`, { body, headers: { 'x-key': 'k' } })
    const seen = async (token?: string, headers = {}) =>
      JSON.stringify((await send('GET', `/api/v1/otep/trackings/${number}`, { token, headers })).body)
    t.match(await seen(tokens.client_employee), 'At the door')
    t.notMatch(await seen(tokens.customer), 'At the door')
    t.notMatch(await seen(other.tokens.client_admin), 'At the door')
    t.notMatch(await seen(), 'At the door')
    t.match(await seen(undefined, { 'X-Postal-Code': 'm5v1a1' }), 'At the door')
    t.match(await seen(undefined, { 'X-Postal-Code': 'V6B' }), 'wrong_postal_code')
  },
)

t.test('given a label that is forgotten, when its timeline is read, then nothing personal is left', async (t) => {
  const { buy, send, scan, parts, codes } = await shop()
  const { number, order_id } = await buy()
  const tell = () =>
    send('POST', `${labels}/carriers/1/events`, {
      body: {
        reports: [{ tracking_number: number, events: [scan('delivered', { description: 'Left with J. Smith' })] }],
      },
      headers: { 'x-key': 'k' },
    })
  await tell()
  const caller = { kind: 'operator', name: 'root', scopes: ['otep:erase'] } as const
  await call(forgetLabel, { ...parts, caller, messages: en, requestId: 'test' }, { order_id })
  await runPoliciesOnce(parts)
  await tell()
  t.same(await codes(number), ['information_submitted', 'delivered'])
  t.notMatch(JSON.stringify((await send('GET', `/api/v1/otep/trackings/${number}`)).body), 'J. Smith')
})

t.test('given an order with the number of a label of others, when that is forgotten, then it is not', async (t) => {
  const { purchase, ask, add, other, post, parts } = await shop()
  const token = other.tokens.client_admin
  await add('books', { secret: 'of two' }, token)
  const delivery = { name: 'Ann', address: { street: '1 Main Street', country: 'CA' } }
  const { tracking_number } = await ask('POST', '/api/v1/orders', { type: 'D', delivery })
  post.numbers = [tracking_number]
  const { order_id } = await purchase('books', ann, token)
  // The label is looked at before the order has a timeline.
  const policy = labelTimelines(parts, quiet)
  const { signal } = new AbortController()
  for await (const event of parts.store.readAll(undefined, policy.filter)) await policy.handle(event, signal)
  await runPoliciesOnce(parts, quiet)
  const caller = { kind: 'operator', name: 'root', scopes: ['otep:erase'] } as const
  const root = { ...parts, caller, messages: en, requestId: 'test' }
  await call(forgetLabel, root, { order_id })
  await runPoliciesOnce(parts, quiet)
  t.match(await call(otepForget, root, { tracking_number, dry_run: true }), { state: 'not_forgotten' })
})

t.test('given a number that a carrier gives again after half a year, then the new parcel is followed', async (t) => {
  const { buy, send, scan, codes, clock, post, detail } = await shop()
  post.numbers = ['REUSED-1', 'REUSED-1', 'REUSED-1']
  const tell = () => {
    const body = { reports: [{ tracking_number: 'REUSED-1', events: [scan('delivered')] }] }
    return send('POST', `${labels}/carriers/1/events`, { body, headers: { 'x-key': 'k' } })
  }
  const signIn = async () => {
    const body = { email: 'client_admin@one.example', password: passwordOf('client_admin') }
    return String((await send('POST', '/api/v1/user/login', { body })).body.access_token)
  }
  await buy()
  await tell()
  t.match(await detail(1), { tracking: [{ status_code: 'delivered' }] })
  t.same((await buy()).number, 'REUSED-1', 'too early')
  t.same(await codes('REUSED-1'), ['information_submitted', 'delivered'])
  clock.now += 200 * day
  const token = await signIn()
  await buy('books', ann, token)
  t.same(await codes('REUSED-1'), ['information_submitted'], 'a timeline of its own')
  await tell()
  t.same(await codes('REUSED-1'), ['information_submitted', 'delivered'])
  const { body } = await send('POST', `${labels}/getShippingDetail`, { token, body: { order_id: 3 } })
  t.match(body, { tracking: [{ status_code: 'delivered' }] })
})

t.test('given the sandbox, when its parcels are followed, then they arrive, come back or fail as asked', async (t) => {
  const made = await shop()
  const { buy, codes, pass } = made
  const arriving = await buy('sandbox')
  const returned = await buy('sandbox', { ...ann, postal_code: '00009' })
  const broken = await buy('sandbox', { ...ann, postal_code: '00008' })
  const follower = createFollower(made)
  await pass(9 * day, follower)
  t.same((await codes(arriving.number)).slice(-2), ['out_for_delivery', 'delivered'])
  t.same((await codes(returned.number)).slice(-2), ['delivery_failed', 'return_to_sender'])
  t.same(await codes(broken.number), ['information_submitted'])
  await follower.stop()
})

t.test('given a label whose parcel is delivered, when it is to be voided, then it is refused', async (t) => {
  const { buy, send, scan, codes, ask } = await shop()
  const { number } = await buy()
  const body = { reports: [{ tracking_number: number, events: [scan('delivered')] }] }
  await send('POST', `${labels}/carriers/1/events`, { body, headers: { 'x-key': 'k' } })
  const voided = await ask('POST', `${labels}/cancelShippingLabel`, { tracking_number: number })
  t.match(voided, { code: 'label_status_forbids', message: /delivered/ })
  t.same(await codes(number), ['information_submitted', 'delivered'], 'nothing follows the end of its way')
})
