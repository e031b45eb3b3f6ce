import t from 'tap'
import { passwordOf, world } from '../adapters/auth/world.test.fixture.ts'
import { watchDeadlines } from '../adapters/deadlines/index.ts'
import { secretOf } from '../adapters/node/secret.ts'
import { defineCarrier, v } from '../adapters/plugins/index.ts'
import { call, en, forgetPickup, type PickupRequest, type Storage } from '../engine/index.ts'
import { ending } from './ending.test.fixture.ts'

const ann = { name: 'Ann', street: '1 Main Street', postal_code: 'M5V 1A1', region: 'ON', country: 'CA' }
const shipment = { from: { ...ann, name: 'Acme' }, to: ann, parcels: [{ weight_grams: 800 }] }
const place = { ...ann, name: 'Zoe Quillfeather of the dock', phone: '+14165550100' }
const labels = '/api/v1/labelservice'
const tomorrow = { ready_at: '2026-06-11T09:00:00-04:00', closes_at: '2026-06-11T17:00:00-04:00' }

/** What a carrier does with the next question. */
type Mood = 'well' | 'broken' | 'answer lost' | 'locked' | 'firm'

/** A carrier that keeps books of its drivers: one comes for each key. */
function createDrivers() {
  const coming = new Map<string, PickupRequest>()
  const asked = { pickup: 0, cancelPickup: 0 }
  const mood: { now: Mood } = { now: 'well' }
  async function inMood<Answer>(act: () => Answer) {
    if (mood.now === 'locked') return { refused: { code: 'wrong_credentials' as const, message: 'Locked.' } }
    if (mood.now === 'firm') return { refused: { code: 'too_late' as const, message: 'It is on its way.' } }
    if (mood.now === 'broken') throw new Error('no connection')
    const answer = act()
    if (mood.now === 'answer lost') throw new Error('the connection was closed')
    return answer
  }
  const carrier = defineCarrier({
    ...{ name: 'vans', title: 'Vans', credentials: v.strictObject({}), services: [{ code: 'one', name: 'One' }] },
    rate: async (_, { currency }) => ({ rates: [{ service: 'one', amount: '9.00', currency }] }),
    buy: async ({ key: reference, amount, currency }) => ({
      label: { reference, tracking_numbers: [`V-${reference.slice(0, 8)}`], amount, currency },
    }),
    void: () => inMood(() => ({ voided: true as const })),
    manifest: async () => ({ manifest: { reference: 'M' } }),
    track: async () => ({ refused: { code: 'unknown_number', message: 'There is none.' } }),
    pickup: (request, { currency }) => {
      asked.pickup++
      return inMood(() => {
        if (request.place.name === 'Nobody') return { refused: { code: 'other', message: 'Nobody is there.' } }
        coming.set(request.key, request)
        return { pickup: { reference: request.key, confirmation_number: 'C1', charge: { amount: '3.50', currency } } }
      })
    },
    cancelPickup: ({ reference }) => {
      asked.cancelPickup++
      return inMood(() => {
        if (coming.get(reference)?.instruction === 'be quick')
          return { refused: { code: 'too_late', message: 'The driver is on the way.' } }
        coming.delete(reference)
        return { cancelled: true }
      })
    },
  })
  return { carrier, coming, asked, mood }
}

/** A business with two labels of such a carrier. */
async function shop(store?: Storage) {
  const drivers = createDrivers()
  const made = await world({
    carriers: [drivers.carrier],
    secret: secretOf('ab'.repeat(32)),
    ...(store && { store }),
  })
  const signedIn = { token: made.tokens.client_admin }
  /** Another day, for which people sign in again. */
  const at = async (instant: string) => {
    made.clock.now = Date.parse(instant)
    const body = { email: 'client_admin@one.example', password: passwordOf('client_admin') }
    signedIn.token = (await made.send('POST', '/api/v1/user/login', { body })).body.access_token
  }
  const ask = async (method: string, path: string, body?: object, headers = {}, token = signedIn.token) =>
    (await made.send(method, path, { token, headers, ...(body && { body }) })).body
  await ask('POST', '/api/v1/carrier-accounts', { carrier: 'vans' })
  const buy = () => ask('POST', `${labels}/quoteAndShip`, shipment)
  await buy()
  await buy()
  const request = (more: object = {}, headers = {}) =>
    ask('POST', `${labels}/pickups`, { order_ids: [1, 2], ...tomorrow, place, ...more }, headers)
  const cancel = (id = 1) => ask('POST', `${labels}/pickups/${id}/cancel`, {})
  const voided = (order_id: number) => ask('POST', `${labels}/cancelShippingLabel`, { order_id })
  const detail = (id = 1) => ask('GET', `${labels}/pickups/${id}`)
  /** What a server does with carriers that are to be asked again, later on. */
  const later = async (seconds: number) => {
    made.clock.now += seconds * 1_000
    const ending = new AbortController()
    const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
    await watchDeadlines(made.parts, { signal: ending.signal, log, wait: async () => ending.abort() }, 'carriers')
  }
  return { ...made, ...drivers, at, ask, buy, request, cancel, voided, detail, later }
}

t.test(
  'given labels, when they are to be picked up, then their carrier is asked once, and says who comes',
  async (t) => {
    const { request, detail, ask, buy, coming, asked } = await shop()
    const once = { 'Idempotency-Key': 'k1' }
    const [booked, ...others] = await Promise.all([1, 2, 3].map(() => request({ location: 'Dock 4' }, once)))
    t.match(booked, {
      ...{ result: true, pickup_id: 1, status: 'PICKUP_BOOKED', carrier: 'vans', order_ids: [1, 2], ...tomorrow },
      ...{ confirmation_number: 'C1', currency: 'CAD', total_price: '3.50', asked_at: '2026-06-10T06:00:00-04:00' },
    })
    for (const other of [...others, await request({ location: 'Dock 4' }, once)]) t.same(other, booked)
    t.equal(asked.pickup, 1)
    t.match(
      [...coming.values()],
      [
        {
          ...{ place, location: 'Dock 4', time_zone: 'America/Toronto' },
          ...{ ready_at: '2026-06-11T13:00:00.000Z', closes_at: '2026-06-11T21:00:00.000Z' },
          labels: [{ tracking_numbers: [/^V-/] }, { tracking_numbers: [/^V-/] }],
        },
      ],
    )
    t.same(await detail(), { ...booked, place, location: 'Dock 4' })
    await buy()
    await request({ order_ids: [3] })
    const list = await ask('GET', `${labels}/pickups?per_page=1`)
    t.match(list, { total: 2, pickups: [{ pickup_id: 2, order_ids: [3] }] })
    t.notMatch(JSON.stringify(list), /Zoe Quillfeather|Main Street/)
  },
)

t.test('given what cannot be picked up, then it is refused before the carrier is asked', async (t) => {
  const { request, ask, asked, other, tokens, send } = await shop()
  t.match(await request({ order_ids: [1, 9] }), { code: 'label_not_found' })
  t.match(await request({ order_ids: [1, 1] }), { errors: [{ code: 'not_unique' }] })
  t.match(await request({ place: ann }), { errors: [{ path: 'place.phone', code: 'required' }] })
  const window = (ready_at: string, closes_at: string) => request({ ready_at, closes_at })
  t.match(await window(tomorrow.closes_at, tomorrow.ready_at), { errors: [{ code: 'ends_before_start' }] })
  t.match(await window('2026-06-10T05:00:00Z', '2026-06-10T10:00:00Z'), { errors: [{ code: 'already_over' }] })
  t.match(await window('2026-06-11T09:00:00Z', '2026-06-12T05:00:00Z'), { errors: [{ code: 'pickup_of_one_day' }] })
  await ask('POST', `${labels}/cancelShippingLabel`, { order_id: 2 })
  t.match(await request(), { code: 'label_status_forbids' })
  await ask('POST', '/api/v1/carrier-accounts', { carrier: 'vans' })
  const { rates } = await ask('POST', `${labels}/compareAllCarriers`, shipment)
  const { rate_id } = rates.find((one: Record<string, unknown>) => one.carrier_account_id === 2)
  await ask('POST', `${labels}/createShippingLabel`, { ...shipment, rate_id })
  t.match(await request({ order_ids: [1, 3] }), { code: 'labels_of_several_accounts' })
  await ask('PUT', '/api/v1/price-list', {
    ...{ currency: 'CAD', zones: [{ code: 'all' }] },
    services: [{ code: 'van', name: 'Van', prices: [{ zone: 'all', steps: [{ up_to_grams: 5_000, price: '1' }] }] }],
  })
  await ask('POST', '/api/v1/carrier-accounts', { carrier: 'own-fleet' })
  t.match(await ask('POST', `${labels}/quoteAndShip`, shipment), { order_id: 4, carrier: 'own-fleet' })
  t.match(await request({ order_ids: [4] }), {
    code: 'carrier_without_pickups',
    message: 'Own fleet has no pickups of labels.',
  })
  t.equal(asked.pickup, 0)
  t.equal((await send('POST', `${labels}/pickups`, { token: tokens.customer, body: {} })).status, 403)
  t.match(await request({ order_ids: [1] }), { pickup_id: 1 })
  for (const [method, path] of [
    ['GET', ''],
    ['POST', '/cancel'],
  ] as const)
    t.match(
      await ask(
        method,
        `${labels}/pickups/1${path}`,
        method === 'POST' ? {} : undefined,
        {},
        other.tokens.client_admin,
      ),
      { code: 'pickup_not_found' },
    )
  t.match(await ask('GET', `${labels}/pickups`, undefined, {}, other.tokens.client_admin), { total: 0, pickups: [] })
})

t.test('given a pickup, when it is called off, then the driver does not come, or the carrier says why', async (t) => {
  const shopped = await shop()
  const { request, buy, cancel, detail, later, coming, asked, mood } = shopped
  await request()
  t.match(await cancel(), { result: true, status: 'PICKUP_CANCELLED' })
  t.match(await cancel(), { result: true, status: 'PICKUP_CANCELLED' })
  t.equal(asked.cancelPickup, 1)
  await request({ instruction: 'be quick' })
  t.match(await cancel(2), { code: 'carrier_refused', message: /on the way/ })
  t.match(await detail(2), { status: 'PICKUP_BOOKED', refusal: { code: 'too_late' } })
  await buy()
  await request({ order_ids: [3] })
  mood.now = 'answer lost'
  t.match(await cancel(3), { result: true, status: 'PICKUP_CANCEL_PENDING' })
  mood.now = 'well'
  await later(310)
  t.match(await detail(3), { status: 'PICKUP_CANCELLED' })
  t.equal(coming.size, 1)
  t.match(await request({ order_ids: [3], place: { ...place, name: 'Nobody' } }), {
    ...{ status: 'PICKUP_FAILED', refusal: { code: 'other', message: 'Nobody is there.' } },
  })
  t.match(await cancel(4), { code: 'pickup_status_forbids' })
})

t.test(
  'given a label in a pickup, when it is to be in another one, then it is refused until no driver comes for it any more',
  async (t) => {
    const { request, buy, cancel, coming, asked, mood, at } = await shop()
    await buy()
    await request()
    t.match(await request({ order_ids: [3, 2] }), {
      code: 'label_in_pickup',
      message: 'The label order 2 is in the pickup 1, which is PICKUP_BOOKED. Call that pickup off first.',
    })
    t.equal(asked.pickup, 1)
    t.match(
      await request({ order_ids: [3] }, { 'Idempotency-Key': 'k3' }),
      { pickup_id: 2 },
      'nothing is kept of a refusal',
    )
    t.match(await request({ order_ids: [3] }, { 'Idempotency-Key': 'k3' }), { pickup_id: 2 }, 'it is no other one')
    t.match(await request({ order_ids: [3] }, { 'Idempotency-Key': 'k4' }), { code: 'label_in_pickup' })
    mood.now = 'answer lost'
    t.match(await cancel(), { status: 'PICKUP_CANCEL_PENDING' })
    t.match(await request(), { code: 'label_in_pickup' }, 'the driver may still come')
    mood.now = 'well'
    await cancel(2)
    t.match(await request({ order_ids: [3], place: { ...place, name: 'Nobody' } }), { status: 'PICKUP_FAILED' })
    t.match(await request({ order_ids: [3] }), { pickup_id: 4, status: 'PICKUP_BOOKED' })
    const days = (day: string) => ({ ready_at: `${day}T09:00:00-04:00`, closes_at: `${day}T17:00:00-04:00` })
    await at('2026-06-11T23:59:00-04:00')
    t.match(await request({ order_ids: [3], ...days('2026-06-12') }), { code: 'label_in_pickup' }, 'drivers are late')
    await at('2026-06-12T00:01:00-04:00')
    t.match(await request({ order_ids: [3], ...days('2026-06-12') }), { pickup_id: 5, status: 'PICKUP_BOOKED' })
    t.equal(coming.size, 2)
  },
)

t.test(
  'given pickups that are asked for at once, then one of them has each label, and the others nothing',
  async (t) => {
    const { request, buy, coming, ask } = await shop()
    for (let count = 0; count < 4; count++) await buy()
    const overlapping = [[1, 2], [2, 3], [3, 1], [1, 2, 3], [4], [4], [5, 6], [6, 5]]
    const answers = await Promise.all(overlapping.map((order_ids) => request({ order_ids })))
    const booked = answers.filter(({ status }) => status === 'PICKUP_BOOKED')
    const had: readonly number[] = booked.flatMap(({ order_ids }) => order_ids)
    t.equal(new Set(had).size, had.length, JSON.stringify(had))
    for (const some of [[1, 2, 3], [4], [5, 6]])
      t.ok(
        some.some((label) => had.includes(label)),
        `one of those with ${some} is booked`,
      )
    for (const answer of answers) if (!booked.includes(answer)) t.match(answer, { code: 'label_in_pickup' })
    t.equal(coming.size, booked.length)
    t.match(await ask('GET', `${labels}/pickups`), { total: booked.length })
  },
)

t.test('given a label in a pickup, when it is voided, then it leaves the pickup, or it is said why not', async (t) => {
  const { request, buy, cancel, voided, detail, later, mood, at, ask } = await shop()
  for (let count = 0; count < 4; count++) await buy()
  await request({ order_ids: [1, 2, 3] })
  t.match(await voided(1), { status: 'LABEL_VOIDED' })
  t.same((await detail()).order_ids, [2, 3])
  mood.now = 'firm'
  t.match(await voided(2), { code: 'carrier_refused' })
  t.same((await detail()).order_ids, [3, 2], 'the carrier did not take it back, so the driver comes for it')
  mood.now = 'broken'
  t.match(await voided(2), { status: 'LABEL_VOID_PENDING' })
  t.match(await voided(3), {
    code: 'label_in_pickup',
    message: /Call that pickup off first/,
  })
  t.match(await ask('POST', `${labels}/getShippingDetail`, { order_id: 3 }), { status: 'LABEL_PURCHASED' })
  mood.now = 'well'
  await later(40)
  t.match(await voided(2), { status: 'LABEL_VOIDED' })
  t.match(await cancel(), { status: 'PICKUP_CANCELLED', order_ids: [3] })
  t.match(await voided(3), { status: 'LABEL_VOIDED' })

  await request({ order_ids: [4], instruction: 'be quick' })
  t.match(await voided(4), { code: 'label_in_pickup' })
  t.match(await cancel(2), { code: 'carrier_refused' })
  t.match(await voided(4), { status: 'LABEL_VOIDED' }, 'the driver comes anyhow')
  t.match(await detail(2), { status: 'PICKUP_BOOKED', order_ids: [] })

  mood.now = 'broken'
  await request({ order_ids: [5, 6] })
  t.match(await voided(5), { code: 'label_in_pickup', message: /PICKUP_PENDING/ })
  mood.now = 'well'
  await later(310)
  const [one, other] = await Promise.all([voided(5), voided(6)])
  t.match([one, other].map(({ status, code }) => status ?? code).sort(), ['LABEL_VOIDED', 'label_in_pickup'])
  t.equal((await detail(3)).order_ids.length, 1, 'of two that are voided at once, one stays')
  await at('2026-06-12T12:00:00-04:00')
  t.match(await voided(6), { status: 'LABEL_VOIDED' }, 'the day of the pickup is over')
})

for (const mood of ['broken', 'answer lost'] as const)
  t.test(`given a carrier (${mood}), when it is well again, then one driver comes`, async (t) => {
    const shopped = await shop()
    const { request, detail, later, coming, asked, ask } = shopped
    shopped.mood.now = mood
    t.match(await request(), { status: 'PICKUP_PENDING' })
    t.match(await ask('DELETE', '/api/v1/carrier-accounts/1'), { code: 'carrier_account_in_use' })
    await later(290)
    t.equal(asked.pickup, 1, 'it is left alone for five minutes')
    shopped.mood.now = 'locked'
    await later(20)
    t.equal(asked.pickup, 2)
    t.match(await detail(), { status: 'PICKUP_PENDING' }, 'a locked account says nothing of the earlier try')
    shopped.mood.now = 'well'
    await later(310)
    t.match(await detail(), { status: 'PICKUP_BOOKED' })
    t.equal(coming.size, 1)
  })

for (const [type, count] of [
  ['PickupAsked', 0],
  ['PickupTried', 1],
  ['PickupBooked', 1],
] as const)
  t.test(
    `given a process that ends before ${type} is recorded, when the next one starts, then ${count} driver comes`,
    async (t) => {
      const { store, end } = ending(type)
      const { request, later, detail, coming, asked } = await shop(store)
      t.match(await request({}, { 'Idempotency-Key': 'k1' }), { code: 'store_unavailable' })
      end.isNow = false
      await later(4)
      t.equal(asked.pickup, type === 'PickupBooked' ? 1 : 0, 'as long as somebody may be asking, nobody else does')
      await later(310)
      t.equal(coming.size, count)
      if (count > 0) t.match(await detail(), { status: 'PICKUP_BOOKED' })
      t.match(await request({}, { 'Idempotency-Key': 'k1' }), { pickup_id: 1, status: 'PICKUP_BOOKED' })
      t.equal(coming.size, 1)
    },
  )

t.test('given a pickup, when its people are erased, then it is still known, and nobody who was there', async (t) => {
  const { request, detail, cancel, parts, store, mood } = await shop()
  const caller = { kind: 'operator', name: 'test', scopes: ['otep:erase'] } as const
  const forget = (pickup_id: number, dry_run = false) =>
    call(forgetPickup, { ...parts, caller, messages: en, requestId: 'test' }, { pickup_id, dry_run })
  await request({ instruction: 'Ask for Zoe Quillfeather' })
  for await (const event of store.readAll()) t.notMatch(JSON.stringify(event), /Quillfeather/)
  t.match(await forget(1, true), { state: 'not_forgotten' })
  t.match(await forget(1), { state: 'forgotten' })
  t.match(await forget(1), { state: 'already_forgotten' })
  const told = await detail()
  t.match(told, { status: 'PICKUP_BOOKED', confirmation_number: 'C1', place: undefined, instruction: undefined })
  t.notMatch(JSON.stringify(await parts.store.read('pickup-1')), /Quillfeather/)
  t.match(await cancel(), { status: 'PICKUP_CANCELLED' })
  mood.now = 'broken'
  await request()
  await t.rejects(forget(2), { code: 'pickup_status_forbids' }, 'a request that is open needs the address')
  await t.rejects(forget(9), { code: 'pickup_not_found' })
})
