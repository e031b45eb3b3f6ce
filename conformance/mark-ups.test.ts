import t, { type Test } from 'tap'
import { type World, world } from '../adapters/auth/world.test.fixture.ts'
import { jsonSchemaOf, requiredOf } from '../adapters/http/schema.ts'
import { secretOf } from '../adapters/node/secret.ts'
import { defineCarrier, v } from '../adapters/plugins/index.ts'
import { runPoliciesOnce } from '../adapters/policies/index.ts'
import { routed } from '../adapters/rest/routed.ts'
import { domains, scopesOf } from '../engine/index.ts'
import { toldIn } from './told.test.fixture.ts'

const ann = { name: 'Ann', street: '1 Main Street', postal_code: 'M5V 1A1', region: 'ON', country: 'CA' }
const shipment = { from: { ...ann, name: 'Acme' }, to: ann, parcels: [{ weight_grams: 800 }] }
const labels = '/api/v1/labelservice'
const path = '/api/v1/mark-ups'

/** What the carrier takes: amounts that occur nowhere else, so that one is found under any name. */
const costs = { ground: '81.37', air: '193.59' }

/** What the business has of them, and what a customer pays. */
const rules = [
  {
    carrier_account_id: 1,
    services: ['ground'],
    up_to_grams: 1_000,
    percent: '12.5',
    minimum: '10.00',
    round_to: '0.05',
  },
  { carrier_account_id: 1, services: ['ground'], percent: '9.25', amount: '0.50' },
]
const price = '91.55'
const margin = '10.18'
const secrets = [...Object.values(costs), margin, '12.5', '9.25', 'locked account 81']

/** A business with an account at a carrier and mark-ups. */
async function shop() {
  const mood = { refuses: false, takes: {} }
  const carrier = defineCarrier({
    ...{ name: 'books', title: 'Books', credentials: v.strictObject({}) },
    services: [
      { code: 'ground', name: 'Ground' },
      { code: 'air', name: 'Air' },
    ],
    rate: async (_, { currency }) =>
      mood.refuses
        ? { refused: { code: 'wrong_credentials', message: 'locked account 81' } }
        : { rates: Object.entries(costs).map(([service, amount]) => ({ service, amount, currency })) },
    buy: async ({ parcels, key, amount, currency, to }) =>
      to.name === 'Nobody'
        ? { refused: { code: 'other', message: 'locked account 81' } }
        : {
            label: {
              ...{ reference: key, amount, currency, ...mood.takes },
              tracking_numbers: parcels.map((_, place) => `B${key.slice(0, 8)}-${place}`),
            },
          },
    void: async () => ({ voided: true }),
    manifest: async () => ({ manifest: { reference: 'M' } }),
    track: async ({ tracking_number }) => ({
      events: [{ status_code: 'picked_up', occurred_at: '2026-06-10T09:00:00Z', description: tracking_number }],
    }),
  })
  const made = await world({ carriers: [carrier], secret: secretOf('ab'.repeat(32)) })
  const { tokens } = made
  const ask = async (method: string, path: string, body?: object, token = tokens.client_admin, headers = {}) =>
    (await made.send(method, path, { token, headers, ...(body && { body }) })).body
  t.match(await ask('POST', '/api/v1/carrier-accounts', { carrier: 'books' }), { result: true })
  t.match(await ask('POST', '/api/v1/carrier-accounts', { carrier: 'own-fleet' }), { result: true })
  t.match(await ask('PUT', path, { rules }), { result: true, version: 1 })
  const read = async (csv: string) => {
    const headers = { 'Content-Type': 'text/csv' }
    return (await made.send('POST', `${path}/import`, { token: tokens.client_admin, body: csv, headers })).body
  }
  const compare = (more: object = {}, token = tokens.customer) =>
    ask('POST', `${labels}/compareAllCarriers`, { ...shipment, ...more }, token)
  const buy = async (more: object = {}, token = tokens.customer, reference = 'R0') => {
    const { rates } = await compare(more, token)
    const body = { ...shipment, ...more, customer_id: undefined, rate_id: rates[0].rate_id, reference }
    return ask('POST', `${labels}/createShippingLabel`, body, token)
  }
  const settle = () => runPoliciesOnce(made.parts)
  return { ...made, ask, read, compare, buy, settle, mood, mine: tokens.customer }
}

/** Calls a tool as an agent does, and answers what it got. */
async function tool({ send }: Pick<World, 'send'>, name: string, given: object, token: string) {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }
  const headers = { 'MCP-Protocol-Version': '2025-11-25', Accept: 'application/json, text/event-stream' }
  return (await send('POST', '/mcp', { token, body, headers })).body.result.structuredContent
}

/** The secrets in a value, under any name. */
function secretsIn(value: unknown): readonly string[] {
  const text = JSON.stringify(value) ?? ''
  return secrets.filter((secret) => text.includes(secret))
}

t.test('given mark-ups, when a customer quotes, then it gets what it may buy, at the price that it pays', async (t) => {
  const made = await shop()
  const { compare, ask, ids, mine, tokens } = made
  const { rates, unanswered } = await compare()
  t.match(rates, [{ kind: 'label', service: 'ground', currency: 'CAD', total_price: price }])
  t.equal(rates.length, 1, 'air has no rule')
  t.same(unanswered, [])
  const heavy = await compare({ parcels: [{ weight_grams: 600 }, { weight_grams: 600 }] })
  t.match(heavy.rates, [{ total_price: '89.40' }], 'more weight has another bracket')
  t.match(await tool(made, 'compare_all_carriers', shipment, mine), { rates: [{ total_price: price }] })
  const { methods } = await ask('GET', `${labels}/getShippingMethods`, undefined, mine)
  t.match(methods, [{ method_id: '1.ground' }])
  t.equal(methods.length, 1)
  const one = (method_id: string, token: string) =>
    ask('POST', `${labels}/getShippingRate`, { method_id, ...shipment }, token)
  t.match(await one('1.ground', mine), { rates: [{ total_price: price }] })
  t.match(await one('1.air', mine), { code: 'shipping_method_not_found' })
  const asked = { ...shipment, quote_labels: true }
  t.match(await ask('POST', '/api/v1/uniorder/rate', asked, mine), { rates: [{ kind: 'label', total_price: price }] })

  t.test('then staff sees its cost, and for a customer the price and the margin, too', async (t) => {
    const own = await compare({}, tokens.client_employee)
    t.match(own.rates, [{ total_price: costs.ground }, { total_price: costs.air }])
    t.match(own.rates[0], { cost: undefined, margin: undefined })
    for (const quote of [
      await compare({ customer_id: ids.customer }, tokens.client_employee),
      await ask('POST', '/api/v1/uniorder/rate', { ...asked, customer_id: ids.customer }),
      await tool(made, 'compare_all_carriers', { ...shipment, customer_id: ids.customer }, tokens.client_admin),
    ])
      t.match(quote.rates, [{ kind: 'label', currency: 'CAD', total_price: price, cost: costs.ground, margin }])
    t.match(await compare({ customer_id: ids.driver }, tokens.client_admin), { code: 'customer_not_found' })
    t.match(await compare({ customer_id: 99_999 }), { errors: [{ path: 'customer_id', code: 'only_staff' }] })
  })

  t.test('then a business without mark-ups sells nothing', async (t) => {
    await ask('PUT', path, { rules: [] })
    t.match(await compare(), { result: true, rates: [], unanswered: [] })
    t.match(await ask('POST', `${labels}/quoteAndShip`, shipment, mine), { code: 'no_shipping_rate' })
  })
})

t.test(
  'given a customer, when it buys at its rate, then it pays the price, and the business sees the margin',
  async (t) => {
    const made = await shop()
    const { buy, ask, ids, mine, tokens, compare, other } = made
    const once = { 'Idempotency-Key': 'k1' }
    const quoted = (await compare()).rates[0].rate_id
    const order = { ...shipment, rate_id: quoted, reference: 'R1' }
    const bought = await ask('POST', `${labels}/createShippingLabel`, order, mine, once)
    t.match(bought, {
      result: true,
      status: 'LABEL_PURCHASED',
      total_price: price,
      currency: 'CAD',
      customer_id: ids.customer,
    })
    t.same(await ask('POST', `${labels}/createShippingLabel`, order, mine, once), bought, 'a retry buys nothing')
    t.match(await ask('POST', `${labels}/createShippingLabel`, order, mine), { code: 'rate_used' })
    const { order_id, tracking_numbers } = bought
    const seen = await ask('GET', `${labels}/labels/${order_id}`)
    t.match(seen, { total_price: price, cost: costs.ground, third_party_cost_plus: margin, margin })
    t.match(await ask('POST', `${labels}/getShippingDetail`, { tracking_number: tracking_numbers[0] }, mine), {
      order_id,
    })
    t.match(await ask('POST', '/api/v1/shipping/getShippingLabel', { order_id }, mine), {
      media_type: 'application/pdf',
    })
    t.match(await ask('GET', `${labels}/labels`, undefined, mine), { total: 1, labels: [{ order_id }] })
    t.match(await ask('GET', `${labels}/labels?customer_id=${ids.customer}`), { total: 1 })
    t.match(await ask('GET', '/api/v1/orders?family=label_service', undefined, mine), { orders: [{ order_id }] })
    t.match(await ask('GET', '/api/v1/uniorder', undefined, mine), { uniorders: [{ order_id, total_price: price }] })

    t.test('then nobody else sees or moves it', async (t) => {
      const strangers = [other.tokens.customer, other.tokens.client_admin]
      for (const token of strangers) {
        t.match(await ask('GET', `${labels}/labels/${order_id}`, undefined, token), { code: 'label_not_found' })
        t.match(await ask('POST', `${labels}/cancelShippingLabel`, { order_id }, token), { code: 'label_not_found' })
        t.match(await ask('GET', `/api/v1/uniorder/${order_id}`, undefined, token), { code: 'uniorder_not_found' })
        const shipped = { ...shipment, rate_id: (await compare()).rates[0].rate_id }
        t.match(await ask('POST', `${labels}/createShippingLabel`, shipped, token), { code: 'rate_invalid' })
      }
      const forStaff = await buy({}, tokens.client_admin)
      t.match(forStaff, { result: true, total_price: costs.ground, customer_id: undefined })
      t.match(await ask('GET', `${labels}/labels/${forStaff.order_id}`, undefined, mine), { code: 'label_not_found' })
      const { rates } = await compare({}, tokens.client_admin)
      const taken = await ask('POST', `${labels}/createShippingLabel`, { ...shipment, rate_id: rates[0].rate_id }, mine)
      t.match(taken, { code: 'rate_invalid' }, 'a customer cannot buy at what the carrier takes')
    })

    t.test('then staff and every other way buy for it at the same price', async (t) => {
      const forCustomer = { customer_id: ids.customer }
      const sold = { customer_id: ids.customer, total_price: price, cost: costs.ground, margin }
      t.match(await buy(forCustomer, tokens.client_admin), { status: 'LABEL_PURCHASED', ...sold })
      t.match(await ask('POST', `${labels}/quoteAndShip`, { ...shipment, ...forCustomer }), sold)
      t.match(await ask('POST', `${labels}/quoteAndShip`, shipment, mine), { total_price: price })
      t.match(await tool(made, 'quote_and_ship', shipment, mine), { data: { total_price: price } })
      const { rates } = await ask('POST', '/api/v1/uniorder/rate', { ...shipment, quote_labels: true }, mine)
      const booked = { ...shipment, rate_id: rates[0].rate_id }
      t.match(await ask('POST', '/api/v1/uniorder', booked, mine), { uniorder: { kind: 'label', total_price: price } })
    })

    t.test('then its price stays, whatever mark-ups come, and it is cancelled by its customer', async (t) => {
      const before = (await compare()).rates[0].rate_id
      await ask('PUT', path, { rules: [{ percent: '50' }] })
      const late = await ask('POST', `${labels}/createShippingLabel`, { ...shipment, rate_id: before }, mine)
      t.match(late, { total_price: price }, 'a rate binds its price')
      t.match(await ask('GET', `${labels}/labels/${order_id}`, undefined, mine), { total_price: price })
      t.match((await compare()).rates, [{ total_price: '122.06' }, { total_price: '290.39' }])
      const cancelled = await ask('POST', `${labels}/cancelShippingLabel`, { order_id }, mine)
      t.match(cancelled, { status: 'LABEL_VOIDED', total_price: price })
    })
  },
)

t.test(
  'given a carrier that takes another price than it quoted, then its customer pays what it accepted',
  async (t) => {
    const { ask, buy, ids, mine, mood } = await shop()
    await ask('POST', `/api/v1/accounts/${ids.customer}/top-ups`, { amount: '1000.00' })
    let left = 1000
    for (const [takes, seen] of [
      [{ amount: '999999.99' }, { cost: '999999.99', margin: '-999908.44' }],
      [{ amount: '0.01' }, { cost: '0.01', margin: '91.54' }],
      [
        { amount: '900000', currency: 'JPY' },
        { cost: null, margin: null },
      ],
    ] as const) {
      mood.takes = takes
      const { order_id, total_price } = await buy()
      t.equal(total_price, price, JSON.stringify(takes))
      const label = `${labels}/labels/${order_id}`
      t.match(await ask('POST', `${label}/pay`, {}, mine), { paid_amount: price, remaining_amount: '0.00' })
      left -= Number(price)
      t.match(await ask('GET', '/api/v1/customer/credits', undefined, mine), { balance: left.toFixed(2) })
      t.match(await ask('GET', label), { total_price: price, ...seen }, 'staff see what the carrier took')
    }
  },
)

t.test('given a label that could not be bought, when staff buys it again, then for the same customer', async (t) => {
  const { ask, buy, compare, ids, mine, tokens } = await shop()
  const failed = await buy({ to: { ...ann, name: 'Nobody' } })
  t.match(failed, { status: 'LABEL_PURCHASE_FAILED', refusal: { code: 'other' } })
  t.equal(failed.refusal.message, undefined, 'what the carrier says is for staff')
  const again = (rate_id: string) =>
    ask('POST', `/api/v1/uniorder/label-${failed.order_id}/purchase-label`, { rate_id })
  const to = { ...ann, name: 'Nobody' }
  t.match(await again((await compare({ to }, tokens.client_admin)).rates[0].rate_id), { code: 'rate_invalid' })
  const { rates } = await compare({ to, customer_id: ids.customer }, tokens.client_admin)
  t.match(await again(rates[0].rate_id), { uniorder: { total_price: price } })
  t.match(await ask('GET', `${labels}/labels/${failed.order_id}`, undefined, mine), { total_price: price })

  t.test('then what was paid beyond a lower price comes back to the wallet', async (t) => {
    await ask('POST', `/api/v1/accounts/${ids.customer}/top-ups`, { amount: '100.00' })
    const label = `${labels}/labels/${failed.order_id}`
    t.match(await ask('POST', `${label}/pay`, {}, mine), { paid_amount: price })
    await ask('PUT', path, { rules: [{ percent: '0' }] })
    const { rates } = await compare({ to, customer_id: ids.customer }, tokens.client_admin)
    t.match(await again(rates[0].rate_id), { uniorder: { total_price: costs.ground } })
    t.match(await ask('GET', label), { paid_amount: costs.ground, remaining_amount: '0.00', refunded_amount: '10.18' })
    t.match(await ask('GET', '/api/v1/customer/credits', undefined, mine), { balance: '18.63' })
  })
})

t.test(
  'given a customer, when it asks for anything, then no answer and no webhook tells cost, margin or mark-up',
  async (t) => {
    const made = await shop()
    const { ask, buy, mine, tokens, ids, settle, mood, send, compare } = made
    const bought = await buy({}, mine, 'R1')
    const { order_id, tracking_numbers } = bought
    const job = await ask(
      'POST',
      '/api/v1/uniorder/rate/batch-async',
      { shipments: [shipment], quote_labels: true },
      mine,
    )
    await settle()
    mood.refuses = true
    t.same(secretsIn([bought, await compare()]), [])
    mood.refuses = false
    t.match((await compare({ customer_id: ids.customer }, tokens.client_admin)).rates, [{ cost: costs.ground }])
    for (const [name, input] of Object.entries({
      get_shipping_detail: { order_id, confirm: true },
      find_order: { query: 'R1' },
    }))
      t.same(secretsIn(await tool(made, name, input, mine)), [], name)
    const given: Readonly<Record<string, unknown>> = {
      ...{
        order_id,
        label_id: order_id,
        tracking_number: tracking_numbers[0],
        order: tracking_numbers[0],
        query: 'R1',
      },
      ...{ uniorder_id: `label-${order_id}`, job_id: job.job_id },
    }
    const mineAre: readonly string[] = scopesOf.customer
    const asked = routed(domains.flatMap(({ operations }) => operations)).filter(
      ({ rest, roles, scopes }) =>
        rest.method === 'GET' && (roles?.includes('customer') ?? true) && scopes.every((one) => mineAre.includes(one)),
    )
    const told = await answersOf(asked, given, (at) => send('GET', at, { token: mine }))
    t.ok(told.has('get_label') && told.has('list_labels') && told.has('uniorder_get') && told.has('uniorder_job'))
    for (const [name, { status, body }] of told) {
      if (/label|uniorder/.test(name)) t.equal(status, 200, `${name} answers`)
      t.same(secretsIn(body), [], name)
    }
    t.not(secretsIn(await ask('GET', `${labels}/labels/${order_id}`)).length, 0, 'staff see it')
    for (const path of ['', '/export', '?version=1'].map((more) => `/api/v1/mark-ups${more}`))
      t.equal((await send('GET', path, { token: mine })).status, 403, path)

    t.test('then its webhooks describe it as a shipment that the business carries', async (t) => {
      await ask('POST', `${labels}/cancelShippingLabel`, { order_id }, mine)
      await settle()
      const events = (await toldIn(made, 'order.status_change')).filter(
        ({ subject }) => subject === `order/${order_id}`,
      )
      t.not(events.length, 0)
      for (const { audience, data } of events) {
        t.match(audience, { kind: 'tenant', customerId: ids.customer })
        t.same(secretsIn(data('customer')), [])
        t.notMatch(JSON.stringify(data('customer')), /"books"|WITH_CARRIER|BY_CARRIER/)
        t.match(data('business'), { provider: 'books' })
      }
    })

    t.test('then with hidden prices it sees not even what it pays, and can buy', async (t) => {
      await ask('PUT', `/api/v1/accounts/${ids.customer}/hidden-prices`, { families: ['label_service'] })
      const { rates, price_hidden } = await compare()
      t.match(rates, [{ rate_id: /^label_/, service_name: 'Ground' }])
      t.equal(price_hidden, true)
      const hidden = await buy()
      t.match(hidden, { status: 'LABEL_PURCHASED', price_hidden: true })
      const uniorder = await ask('GET', `/api/v1/uniorder/${hidden.order_id}`, undefined, mine)
      for (const answer of [rates, hidden, uniorder]) t.notMatch(JSON.stringify(answer), /91\.55|"CAD"/)
      t.same(secretsIn([rates, hidden, uniorder]), [])
      t.match(await ask('GET', `${labels}/labels/${hidden.order_id}`), { total_price: price, margin })
    })
  },
)

/** What some operations answer to a caller, by their names; those that need more than there is are left out. */
async function answersOf(
  asked: ReturnType<typeof routed>,
  given: Readonly<Record<string, unknown>>,
  get: (at: string) => Promise<{ readonly status: number; readonly body: unknown }>,
) {
  const found = new Map<string, { readonly status: number; readonly body: unknown }>()
  for (const { name, input, rest } of asked) {
    const members = requiredOf(jsonSchemaOf(input))
    if (members.some((member) => given[member] === undefined)) continue
    const at = rest.path.replace(/\{(\w+)\}/g, (_, member) => encodeURIComponent(String(given[member])))
    const query = members.filter((member) => !rest.path.includes(`{${member}}`))
    const search = new URLSearchParams(Object.fromEntries(query.map((member) => [member, String(given[member])])))
    found.set(name, await get(`${at}?${search}`))
  }
  return found
}

t.test('given mark-ups, when they are published, exported and imported, then the same list comes back', async (t) => {
  const made = await shop()
  const { ask, read, send, tokens } = made
  const exported = await send('GET', `${path}/export`, { token: tokens.client_employee })
  const csv = String(exported.body)
  t.match(csv, /^carrier_account_id,services,customers,countries,postal_codes,up_to_grams,is_sold,percent/)
  t.match(await read(csv), { result: true, version: 1, rules }, 'it is no new version')
  const line = 'carrier_account_id;services;up_to_grams;is_sold;percent\r\n1;ground air;1000;yes;20\r\n;;;no;\r\n'
  const imported = { version: 2, rules: [{ services: ['ground', 'air'], percent: '20' }, { is_sold: false }] }
  t.match(await read(line), imported)
  t.match(await ask('GET', `${path}?version=1`), { version: 1, rules })
  t.match(await ask('GET', `${path}?version=3`), { code: 'no_mark_ups' })
  await refusals(t, made)
})

async function refusals(t: Test, { ask, read, send, tokens, other }: Awaited<ReturnType<typeof shop>>) {
  const put = (rules: unknown, more: object = {}) => ask('PUT', path, { rules, ...more })
  t.match(await put([{}], { version: 1 }), { code: 'mark_ups_changed' }, 'somebody else was faster')
  t.match(await put([{ amount: '1.005' }]), { errors: [{ path: 'rules[0].amount', code: 'too_precise' }] })
  t.match(await put([{ percent: '-1' }]), { errors: [{ path: 'rules[0].percent', code: 'not_a_percentage' }] })
  t.match(await put([{ carrier_account_id: 2 }]), { errors: [{ code: 'carrier_account_not_found' }] }, 'the own fleet')
  t.match(await put([{ customers: [other.ids.customer] }]), { errors: [{ path: 'rules[0].customers[0]' }] })
  t.match(await put([{}, { percent: '5' }]), { errors: [{ path: 'rules[1]', code: 'rule_never_reached' }] })
  const csv = 'services,percent\r\n"ground",12\r\nair,many\r\n'
  t.match(await read(csv), { errors: [{ path: 'csv[3].percent' }] }, 'with its line')
  const never = 'percent\r\n\r\n12\r\n13\r\n'
  t.match(await read(never), { errors: [{ path: 'csv[4]', code: 'rule_never_reached' }] })
  t.match(await ask('GET', path), { version: 2 }, 'nothing of it holds')
  for (const role of ['client_employee', 'customer', 'driver'] as const)
    t.equal((await send('PUT', path, { token: tokens[role], body: { rules: [] } })).status, 403, role)
  t.match(await ask('GET', path, undefined, other.tokens.client_admin), { version: 0, rules: [] })
}
