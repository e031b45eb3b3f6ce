import t from 'tap'
import { world } from '../adapters/auth/world.test.fixture.ts'
import { secretOf } from '../adapters/node/secret.ts'

const labels = '/api/v1/labelservice'
const path = '/api/v1/carrier-accounts'

const ann = { name: 'Ann', street: '1 Main Street', postal_code: 'M5V 1A1', region: 'ON', country: 'CA' }
const shipment = { from: { ...ann, name: 'Acme' }, to: ann, parcels: [{ weight_grams: 800 }] }
const priceList = {
  ...{ currency: 'CAD', zones: [{ code: 'country', countries: ['CA'] }] },
  services: [
    {
      ...{ code: 'standard', name: 'Standard' },
      prices: [{ zone: 'country', steps: [{ up_to_grams: 5_000, price: '7.77' }] }],
    },
  ],
}

/** Two businesses, and requests of the admin of the first one. */
async function shop() {
  const made = await world({ secret: secretOf('ab'.repeat(32)) })
  const ask = async (method: string, path: string, body?: object, token = made.tokens.client_admin) =>
    (await made.send(method, path, { token, ...(body === undefined ? {} : { body }) })).body
  const add = (carrier: string, credentials: object = {}) => ask('POST', path, { carrier, credentials })
  return { ...made, ask, add }
}

t.test('given an account at a carrier, when it is read in any way, then nobody sees its credentials', async (t) => {
  const { ask, add, store } = await shop()
  const secret = 'letter-box-4711'
  const added = await add('sandbox', { account: secret })
  t.match(added, { result: true, carrier_account_id: 1, carrier: 'sandbox', name: 'sandbox' })
  const listed = await ask('GET', path)
  t.match(listed, { accounts: [{ carrier_account_id: 1, carrier: 'sandbox' }] })
  t.match(listed.carriers, [
    { carrier: 'own-fleet', title: 'Own fleet', credentials: [] },
    { carrier: 'sandbox', title: 'Sandbox', credentials: ['account'] },
  ])
  t.notMatch(JSON.stringify([added, listed]), secret)
  for await (const event of store.readAll()) t.notMatch(JSON.stringify(event), secret)
})

t.test('given accounts, when they are tested, then each says whether its carrier accepts it', async (t) => {
  const { ask, add } = await shop()
  await add('sandbox', { account: 'acme' })
  await add('sandbox', { account: 'wrong' })
  await add('own-fleet')
  const works = (id: number) => ask('POST', `${path}/${id}/test`, {})
  t.match(await works(1), { result: true, works: true })
  t.match(await works(2), {
    ...{ result: true, works: false, code: 'carrier_refused', refusal: 'wrong_credentials' },
    message: 'The carrier refuses: There is no such account.',
  })
  t.match(await works(3), { result: true, works: true })
})

t.test('given what is no account, when it is added, then the member that is wrong is named', async (t) => {
  const { add } = await shop()
  t.match(await add('pony-express'), { code: 'invalid_input', errors: [{ path: 'carrier', code: 'unknown_carrier' }] })
  t.match(await add('sandbox'), { errors: [{ path: 'credentials.account', code: 'required' }] })
  t.match(await add('sandbox', { account: 'a', key: 'b' }), { errors: [{ path: 'credentials.key' }] })
  for (let count = 0; count < 20; count++) t.match(await add('own-fleet'), { result: true })
  t.match(await add('own-fleet'), { code: 'too_many_carrier_accounts' })
})

t.test('given an account, when it is removed, then its credentials cannot be read, and it is gone', async (t) => {
  const { ask, add, parts, other, tokens } = await shop()
  await add('sandbox', { account: 'acme' })
  for (const token of [tokens.client_employee, tokens.customer, tokens.driver])
    t.match(await ask('DELETE', `${path}/1`, undefined, token), { result: false }, 'only an admin removes one')
  t.match(await ask('DELETE', `${path}/1`, undefined, other.tokens.client_admin), { code: 'carrier_account_not_found' })
  t.match(await ask('DELETE', `${path}/1`), { result: true })
  t.match(await ask('DELETE', `${path}/1`), { code: 'carrier_account_not_found' })
  t.match(await ask('GET', path), { accounts: [] })
  const [first] = await parts.store.read('carrier_account-1')
  t.match(first, { type: 'CarrierAccountAdded', data: { personal: undefined } })
})

/** A business with three accounts and a price list. */
async function equipped() {
  const made = await shop()
  await made.add('own-fleet')
  await made.add('sandbox', { account: 'acme' })
  await made.ask('PUT', '/api/v1/price-list', priceList)
  const compare = (more: object = {}, token?: string) =>
    made.ask('POST', `${labels}/compareAllCarriers`, { ...shipment, ...more }, token)
  return { ...made, compare }
}

/** Who sells a rate, and for how much. */
const told = ({ kind, service, total_price }: Readonly<Record<string, string>>) => `${kind} ${service} ${total_price}`

t.test('given several carriers, when they are compared, then all rates come, the cheapest first', async (t) => {
  const { compare, ask } = await equipped()
  const { rates, unanswered } = await compare()
  t.same(rates.map(told), ['label standard 7.50', 'own_fleet standard 7.77', 'label express 17.20'])
  t.match(rates[0], { method_id: '2.standard', service_name: 'Sandbox Standard', transit_days: 2, currency: 'CAD' })
  t.match(rates[0].expires_at, /^2026-06-10T07:00:00-04:00$/)
  t.same(unanswered, [])
  const { methods } = await ask('GET', `${labels}/getShippingMethods`)
  t.same(
    methods.map((one: Readonly<Record<string, string>>) => one.method_id),
    ['1.standard', '2.standard', '2.express'],
  )
  const one = await ask('POST', `${labels}/getShippingRate`, { method_id: '2.express', ...shipment })
  t.same(one.rates.map(told), ['label express 17.20'])
  for (const method_id of ['2.slow', '9.standard', 'x'])
    t.match(await ask('POST', `${labels}/getShippingRate`, { method_id, ...shipment }), {
      code: 'shipping_method_not_found',
    })
})

t.test(
  'given carriers that do not answer, when all are compared, then the others do, and those are named',
  async (t) => {
    const { compare } = await equipped()
    const to = (postal_code: string) => compare({ to: { ...ann, postal_code }, wait_ms: 150 })
    for (const [postalCode, code] of [
      ['00000', 'carrier_refused'],
      ['00001', 'carrier_timed_out'],
      ['00003', 'carrier_broken'],
      ['00006', 'carrier_wrong_answer'],
    ] as const) {
      const { rates, unanswered } = await to(postalCode)
      t.same(rates.map(told), ['own_fleet standard 7.77'], code)
      t.match(unanswered, [{ carrier_account_id: 2, carrier: 'sandbox', code, message: /carrier/ }])
    }
  },
)

t.test(
  'given a shipment, when it is quoted as an order of any kind, then its own delivery and labels come',
  async (t) => {
    const { ask, tokens, send } = await equipped()
    const alone = await ask('POST', '/api/v1/uniorder/rate', shipment)
    t.same(alone.rates.map(told), ['self_delivery standard 7.77'])
    const all = await ask('POST', '/api/v1/uniorder/rate', { ...shipment, quote_labels: true })
    t.same(all.rates.map(told), ['self_delivery standard 7.77', 'label standard 7.50', 'label express 17.20'])
    const shipments = Array.from({ length: 20 }, (_, index) => ({ reference: `R${index}`, ...shipment }))
    const batch = await ask('POST', '/api/v1/uniorder/rate/batch', { shipments, quote_labels: true })
    t.equal(batch.shipments.length, 20)
    t.match(batch.shipments[19], { reference: 'R19', unanswered: [] })
    t.same(batch.shipments[19].rates.map(told), all.rates.map(told))
    const single = await ask('POST', '/api/v1/uniorder/rate/batch', { shipments: shipments.slice(0, 1) })
    t.same(
      single.shipments.map(({ rates }: typeof alone) => rates.map(told)),
      [alone.rates.map(told)],
    )
    const many = await send('POST', '/api/v1/uniorder/rate/batch', {
      ...{ token: tokens.client_admin, body: { shipments: [...shipments, shipment] } },
    })
    t.equal(many.status, 422)
    const order = { type: 'P2P', rate_id: alone.rates[0].rate_id, schedule_date: '2026-06-10' }
    const party = ({ name, ...address }: typeof ann) => ({ name, address })
    const created = await ask('POST', '/api/v1/orders', {
      ...order,
      pickup: party(shipment.from),
      delivery: party(ann),
    })
    t.match(created, { result: true, order_id: 1 }, 'the rate of a self delivery books an order')
  },
)

t.test('given hidden prices, when a customer compares, then rates keep id and name, and tell no price', async (t) => {
  const { compare, ask, ids, tokens } = await equipped()
  const hide = (families: readonly string[]) =>
    ask('PUT', `/api/v1/accounts/${ids.customer}/hidden-prices`, { families })
  const prices = ({ rates }: { readonly rates: readonly Readonly<Record<string, string>>[] }) =>
    rates.map(({ kind, total_price }) => `${kind} ${total_price}`)
  await ask('PUT', '/api/v1/mark-ups', { rules: [{ percent: '10' }] })
  t.same(prices(await compare({}, tokens.customer)), ['label 8.25', 'label 18.92'], 'the own fleet sells by itself')
  await hide(['label_service'])
  const half = await compare({}, tokens.customer)
  t.same(prices(half), ['label undefined', 'label undefined'])
  t.equal(half.price_hidden, true)
  await hide(['label_service', 'local_delivery'])
  const none = await compare({}, tokens.customer)
  t.same(prices(none), ['label undefined', 'label undefined'])
  for (const rate of none.rates) {
    t.match(rate, { rate_id: /^label_/, service_name: /Standard|Express/ })
    t.equal(rate.currency, undefined)
    const [, body = ''] = rate.rate_id.split(/[_.]/)
    t.notMatch(Buffer.from(body, 'base64url').toString(), /amount|7\.?50|17\.?20|8\.?25|18\.?92/)
  }
  const uniorder = await ask('POST', '/api/v1/uniorder/rate', { ...shipment, quote_labels: true }, tokens.customer)
  t.notMatch(JSON.stringify(uniorder), /7\.77|7\.50|17\.20|8\.25|18\.92|"CAD"/)
  t.equal(uniorder.rates.length, 3)
})
