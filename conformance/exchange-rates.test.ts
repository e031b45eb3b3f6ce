import t from 'tap'
import { passwordOf, world } from '../adapters/auth/world.test.fixture.ts'
import { secretOf } from '../adapters/node/secret.ts'
import { defineCarrier, type Purchase, v } from '../adapters/plugins/index.ts'

const ann = { name: 'Ann', street: '1 Main Street', postal_code: 'M5V 1A1', region: 'ON', country: 'CA' }
const shipment = { from: { ...ann, name: 'Acme' }, to: ann, parcels: [{ weight_grams: 800 }] }
const labels = '/api/v1/labelservice'
const path = '/api/v1/exchange-rates'

/** A carrier that sells one service in its own currency. */
function abroad(name: string, currency: string, amount: string) {
  const bought: Purchase[] = []
  const carrier = defineCarrier({
    ...{ name, title: name, credentials: v.strictObject({}), services: [{ code: 'one', name: 'One' }] },
    rate: async () => ({ rates: [{ service: 'one', amount, currency }] }),
    buy: async (purchase) => {
      bought.push(purchase)
      const { key: reference, amount, currency } = purchase
      return { label: { reference, tracking_numbers: [`${name}-${bought.length}`], amount, currency } }
    },
    void: async () => ({ voided: true }),
    manifest: async () => ({ manifest: { reference: 'M' } }),
    track: async () => ({ refused: { code: 'unknown_number', message: 'There is none.' } }),
  })
  return { carrier, bought }
}

/** A business in Toronto with an account at each of these carriers. */
async function shop(...abroads: readonly ReturnType<typeof abroad>[]) {
  const made = await world({ carriers: abroads.map(({ carrier }) => carrier), secret: secretOf('ab'.repeat(32)) })
  const session = { token: made.tokens.client_admin }
  const ask = async (method: string, at: string, body?: object, token = session.token) =>
    (await made.send(method, at, { token, ...(body && { body }) })).body
  /** Moves the clock, and signs in again. */
  const at = async (instant: string) => {
    made.clock.now = Date.parse(instant)
    const body = { email: 'client_admin@one.example', password: passwordOf('client_admin') }
    session.token = (await made.send('POST', '/api/v1/user/login', { body })).body.access_token
  }
  for (const { carrier } of abroads) await ask('POST', '/api/v1/carrier-accounts', { carrier: carrier.name })
  const set = (rate: string, more: object = {}) => ask('POST', path, { from: 'USD', to: 'CAD', rate, ...more })
  const compare = async (token?: string) =>
    (await ask('POST', `${labels}/compareAllCarriers`, shipment, token)).rates as readonly Record<string, never>[]
  const book = (rate_id: unknown) => ask('POST', `${labels}/createShippingLabel`, { ...shipment, rate_id })
  return { ...made, ask, at, set, compare, book }
}

t.test(
  'given a carrier that sells in another currency, when a rate of exchange is set, then it is shown in both, and booked at its charge',
  async (t) => {
    const [us, here] = [abroad('us-post', 'USD', '10.01'), abroad('home-post', 'CAD', '14.00')]
    const { compare, set, book, ask } = await shop(us, here)
    const [cheap, before] = await compare()
    t.match([cheap?.carrier, before?.carrier], ['home-post', 'us-post'], 'what cannot be converted comes last')
    t.equal(before?.converted, undefined)
    t.match(await book(before?.rate_id), { code: 'rate_currency_differs' })

    const first = await set('1.3725')
    t.match(first, { exchange_rate_id: 1, from: 'USD', to: 'CAD', rate: '1.3725', valid_from: '2026-06-10' })
    t.match(await book(before?.rate_id), { code: 'rate_currency_differs' }, 'a quote is bound to what it showed')
    const [converted] = await compare()
    t.match(converted, {
      ...{ carrier: 'us-post', currency: 'USD', total_price: '10.01' },
      converted: { currency: 'CAD', total_price: '13.74', exchange_rate: '1.3725', exchange_rate_id: 1 },
    })

    await set('2')
    const bought = await book(converted?.rate_id)
    t.match(bought, {
      ...{ status: 'LABEL_PURCHASED', currency: 'CAD', total_price: '13.74' },
      carrier_price: { currency: 'USD', total_price: '10.01', exchange_rate: '1.3725', exchange_rate_id: 1 },
    })
    t.match(us.bought, [{ amount: '10.01', currency: 'USD' }], 'the carrier is asked in its own currency')
    t.same(await ask('POST', `${labels}/getShippingDetail`, { order_id: bought.order_id }), bought)
    t.match(
      await ask('POST', `${labels}/quoteAndShip`, shipment),
      { carrier: 'home-post', total_price: '14.00' },
      'charges are compared, not amounts of different currencies',
    )
    await set('1.1')
    t.match(await ask('POST', `${labels}/quoteAndShip`, shipment), { carrier: 'us-post', total_price: '11.01' })
  },
)

t.test('given rates of exchange of several days, then the one that began last holds, until it is ended', async (t) => {
  const { set, ask, compare, at } = await shop(abroad('us-post', 'USD', '10.00'))
  const price = async () => {
    const [rate] = (await compare()) as readonly { readonly converted?: { readonly total_price: string } }[]
    return rate?.converted?.total_price
  }
  await set('1.1', { valid_from: '2026-06-01' })
  await set('1.3', { valid_from: '2026-06-12' })
  await set('1.4', { valid_from: '2026-06-12' })
  await set('1.2', { valid_from: '2026-05-01' })
  t.equal(await price(), '11.00', 'an older day does not hold, although it was entered later')
  await at('2026-06-12T03:59:00Z')
  t.equal(await price(), '11.00', 'the day begins in the time zone of the business')
  await at('2026-06-12T04:00:00Z')
  t.equal(await price(), '14.00', 'of one day, the last entry holds')
  await set('1.5', { valid_from: '2026-06-20' })
  const listed = await ask('GET', `${path}?from=USD&per_page=3`)
  t.match(listed, { total: 5, page: 1, per_page: 3 })
  t.same(
    listed.exchange_rates.map((one: Record<string, unknown>) => [one.rate, one.is_in_force]),
    [
      ['1.5', false],
      ['1.2', false],
      ['1.4', true],
    ],
  )
  t.match(await ask('POST', `${path}/5/end`, {}), { rate: '1.5', ended_at: '2026-06-12T00:00:00-04:00' })
  t.equal(await price(), '14.00')
  t.match(await ask('POST', `${path}/3/end`, {}), { rate: '1.4', ended_at: '2026-06-12T00:00:00-04:00' })
  t.equal(await price(), undefined, 'an older rate does not come back by itself')
  await at('2026-06-21T12:00:00Z')
  t.equal(await price(), undefined, 'a rate that was ended before its day never begins')
  t.match(await ask('POST', `${path}/3/end`, {}), { ended_at: '2026-06-12T00:00:00-04:00' }, 'it is ended once')
  t.match(await ask('GET', `${path}?from=EUR`), { exchange_rates: [], total: 0 })
})

t.test('given what is no rate of exchange, or somebody who may not set one, then it is refused', async (t) => {
  const { set, ask, tokens, other, send } = await shop()
  for (const rate of ['0', '0.00', '-1', '1,5', '1.', '.5', '1e3', '1000000', '1.0000000000001', '01.5', ''])
    t.match(await set(rate), { errors: [{ path: 'rate', code: 'not_an_exchange_rate' }] }, rate)
  t.match(await set('1.1', { to: 'EUR' }), { errors: [{ path: 'to', code: 'currency_of_business' }] })
  t.match(await set('1.1', { from: 'CAD' }), { errors: [{ path: 'from', code: 'same_currency' }] })
  t.match(await set('1.1', { from: 'usd' }), { errors: [{ path: 'from', code: 'not_currency' }] })
  t.match(await set('1.1', { valid_from: '2026-02-30' }), { errors: [{ path: 'valid_from' }] })
  t.match(await set('0.000000000001'), { result: true })
  for (const role of ['client_employee', 'customer', 'driver'] as const)
    t.equal(
      (await send('POST', path, { token: tokens[role], body: { from: 'USD', to: 'CAD', rate: '1' } })).status,
      403,
    )
  t.equal((await send('GET', path, { token: tokens.customer })).status, 403)
  t.match(await ask('POST', `${path}/1/end`, {}, other.tokens.client_admin), { code: 'exchange_rate_not_found' })
  t.match(await ask('GET', path, undefined, other.tokens.client_admin), { exchange_rates: [] })
  t.match(await ask('POST', `${path}/2/end`, {}), { code: 'exchange_rate_not_found' })
})

t.test('given hidden prices, then neither a converted price nor a rate of exchange is told', async (t) => {
  const { set, compare, ask, ids, tokens } = await shop(abroad('us-post', 'USD', '10.00'))
  await set('1.3725')
  await ask('PUT', `/api/v1/accounts/${ids.customer}/hidden-prices`, { families: ['label_service'] })
  await ask('PUT', '/api/v1/mark-ups', { rules: [{ percent: '10' }] })
  const rates = await compare(tokens.customer)
  t.match(rates, [{ carrier: 'us-post', rate_id: /^label_/ }])
  t.notMatch(JSON.stringify(rates), /1\.3725|13\.73|15\.10|10\.00|"USD"|"CAD"|converted/)
})

t.test('given the same rate twice with an idempotency key, and a dry run, then it is set once', async (t) => {
  const { send, tokens, ask } = await shop()
  const sent = { token: tokens.client_admin, body: { from: 'USD', to: 'CAD', rate: '1.25' } }
  const once = { ...sent, headers: { 'Idempotency-Key': 'k1' } }
  const [one, other] = [await send('POST', path, once), await send('POST', path, once)]
  t.match(one.body, { result: true, exchange_rate_id: 1 })
  t.same(other.body, one.body)
  t.match(await ask('GET', path), { total: 1 })
})
