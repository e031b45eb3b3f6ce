import t, { type Test } from 'tap'
import * as v from 'valibot'
import { type World, world } from '../adapters/auth/world.test.fixture.ts'
import { jsonSchemaOf, requiredOf } from '../adapters/http/schema.ts'
import { runPoliciesOnce } from '../adapters/policies/index.ts'
import { routed } from '../adapters/rest/routed.ts'
import { domains, markOf, type Operation, pricesIn, scopesOf } from '../engine/index.ts'
import { lessOf, recordedAmount, sumOf } from '../engine/kernel/money.ts'

const operations = domains.flatMap((domain) => domain.operations)
const price = {
  ...{ shipping_price: '10', currency: 'CAD', tax: '1.5' },
  surcharges: [{ name: 'Heavy', surcharge_amount: '2.25' }],
}
const ann = { name: 'Ann', address: { street: '1 Main Street', country: 'CA' } }
const address = { street: '2 Other Road', country: 'CA' }

const shipment = { from: { country: 'CA' }, to: { country: 'CA' }, parcels: [{ weight_grams: 100 }] }
const party = { name: 'Ann', street: '1 Main Street', postal_code: 'M5V 1A1', country: 'CA' }
const goods = { description: 'Shirts', quantity: 1, unit_value: '9.00', currency: 'CAD', weight_grams: 90 }
const shipped = { from: party, to: party, parcels: [{ weight_grams: 100, items: [goods] }] }

/** Amounts that occur nowhere else, so that a price is found by its value under any name. */
const cents = () => 10_000 + Math.floor(Math.random() * 80_000)
const amount = () => recordedAmount(cents(), 'CAD')
const secret = { shipping_price: amount(), tax: amount(), surcharge_amount: amount() }
const total = sumOf(Object.values(secret), 'CAD')
const part = recordedAmount(Math.floor(cents() / 2), 'CAD')
const secrets = [...Object.values(secret), total, part, lessOf(total, part, 'CAD')]

/** The secret amounts in a value, under any name. */
function amountsIn(value: unknown): readonly string[] {
  const text = JSON.stringify(value)
  return secrets.filter((amount) => text.includes(amount))
}

/** What a customer may call. */
function isForCustomers({ roles, scopes }: Operation): boolean {
  const mine: readonly string[] = scopesOf.customer
  return (roles === undefined || roles.includes('customer')) && scopes.every((scope) => mine.includes(scope))
}

/** Members about money that are not about an order: the customer's balance, and the currency of the business. */
const purses = ['get_account_credits', 'current_user']

/** Operations that need more data than the test has; the schema of their responses has no price. */
const elsewhere = [
  ...['otep_tracking_resource', 'app_bootstrap'],
  ...['list_device_orders', 'get_device_order', 'otep_client_locker_storage'],
  // What was sent is shown as it was sent; conformance/webhooks.ci.test.ts looks for prices in it.
  ...['list_webhook_deliveries', 'get_webhook_delivery'],
  // It has what list_webhook_urls has, by the hour: counts of attempts and their latency.
  'get_webhook_url',
  // A customer from whom prices are hidden reads no statement: conformance/statements.test.ts.
  ...['get_statement', 'download_statement'],
  // Bodies as get_webhook_delivery shows them.
  'pull_webhooks',
]

/** A customer with an order that is paid in part, a batch and a proposal. */
async function shop(asked: object = price) {
  const made = await world()
  const { send, tokens, ids, parts } = made
  const [staff, mine] = [tokens.client_admin, tokens.customer]
  const post = async (path: string, token: string, body?: object, headers = {}) =>
    (await send('POST', path, { token, body, headers })).body
  const order = { type: 'D', delivery: ann, customer_id: ids.customer, reference: 'R1', price: asked }
  const topUp = (amount: string) => post(`/api/v1/accounts/${ids.customer}/top-ups`, staff, { amount })
  const create = () => post('/api/v1/orders', staff, order)
  const pay = async (id: number, body: object = {}, headers = {}) => {
    const answer = await send('POST', `/api/v1/orders/${id}/pay`, { token: mine, body, headers })
    return { ...answer.body, status: answer.status }
  }
  const read = async (id: number) => (await send('GET', `/api/v1/orders/${id}`, { token: mine })).body.order
  const balance = async () => (await send('GET', '/api/v1/customer/credits', { token: mine })).body.balance
  const hide = (families: readonly string[]) =>
    send('PUT', `/api/v1/accounts/${ids.customer}/hidden-prices`, { token: staff, body: { families } })
  const settle = () => runPoliciesOnce(parts)
  return { ...made, staff, mine, post, topUp, create, pay, read, balance, hide, settle }
}

/** Calls a tool as an agent does, and answers what it got. */
async function tool({ send }: World, name: string, given: object, token: string, headers = {}) {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }
  const versions = { 'MCP-Protocol-Version': '2025-11-25', Accept: 'application/json, text/event-stream' }
  return (await send('POST', '/mcp', { token, body, headers: { ...versions, ...headers } })).body.result
}

t.test(
  'given a wallet, when an order is paid from it, then both say so, and what is refused moves nothing',
  async (t) => {
    const { topUp, create, pay, read, balance, post, staff, other, send } = await shop()
    await topUp('20.00')
    const { order_id } = await create()
    t.match(await pay(order_id, { amount: '3.75' }), {
      paid_amount: '3.75',
      remaining_amount: '10.00',
      currency: 'CAD',
    })
    t.match(await pay(order_id), { result: true, paid_amount: '13.75', remaining_amount: '0.00', status: 200 })
    t.equal(await balance(), '6.25')
    const next = (await create()).order_id
    t.match(await pay(next), { result: false, code: 'insufficient_credits', status: 409 })
    t.match(await pay(order_id), { code: 'nothing_to_pay', status: 409 })
    t.match(await read(next), { paid_amount: '0.00', remaining_amount: '13.75' })
    t.equal(await balance(), '6.25')
    const path = `/api/v1/orders/${next}/pay`
    for (const token of [other.tokens.customer, other.tokens.client_admin])
      t.not((await send('POST', path, { token, body: {} })).status, 200)
    t.equal((await send('POST', path, { token: other.tokens.customer, body: {} })).status, 404)
    const abroad = {
      ...{ type: 'D', delivery: ann, customer_id: (await read(next)).customer_id },
      price: { shipping_price: '1.00', currency: 'EUR' },
    }
    const refused = { errors: [{ path: 'price.currency', code: 'no_exchange_rate' }] }
    t.match(await post('/api/v1/orders', staff, abroad), refused)
    await post('/api/v1/exchange-rates', staff, { from: 'EUR', to: 'CAD', rate: '1.485' })
    const converted = await post('/api/v1/orders', staff, abroad)
    t.match(await read(converted.order_id), {
      ...{ shipping_price: '1.49', currency: 'CAD' },
      original_price: { currency: 'EUR', total_price: '1.00', exchange_rate: '1.485', exchange_rate_id: 1 },
    })
    t.match(await pay(converted.order_id), { paid_amount: '1.49', remaining_amount: '0.00' })
    t.match(await post(`/api/v1/orders/${converted.order_id}/cancel`, staff), { result: true })
    t.match(await post(`/api/v1/orders/${order_id}/cancel`, staff), { result: true, status: 'CANCELLED' })
    t.equal(await balance(), '20.00')
    t.match(await read(order_id), { paid_amount: '0.00', refunded_amount: '13.75' })
    await pay(next)
    const rerouted = await post(`/api/v1/orders/${next}/reroute`, staff, { address })
    t.equal(await balance(), '20.00')
    t.match(await read(rerouted.order_id), { paid_amount: '0.00', remaining_amount: '13.75' })
  },
)

t.test('given payments at once, then no more is paid than there is, and a key pays once', async (t) => {
  const { topUp, create, pay, balance, read } = await shop()
  await topUp('30.00')
  const orders = [await create(), await create(), await create(), await create()]
  const answers = await Promise.all(orders.map(({ order_id }) => pay(order_id)))
  t.equal(answers.filter(({ result }) => result).length, 2)
  t.same(new Set(answers.flatMap(({ code }) => code ?? [])), new Set(['insufficient_credits']))
  t.equal(await balance(), '2.50')
  await topUp('20.00')
  const unpaid = orders.filter((_, index) => answers[index].result === false)
  const [one] = unpaid
  const same = await Promise.all([1, 2, 3].map(() => pay(one.order_id, { amount: '5.00' }, { 'Idempotency-Key': 'a' })))
  t.same(same, Array(3).fill(same[0]))
  t.match(same[0], { result: true, paid_amount: '5.00', remaining_amount: '8.75' })
  t.match(await pay(one.order_id, { amount: '6.00' }, { 'Idempotency-Key': 'a' }), { code: 'idempotency_key_reused' })
  const twice = await Promise.all([1, 2].map(() => pay(one.order_id)))
  t.same(
    twice.map(({ result, code }) => code ?? result).sort(),
    ['nothing_to_pay', true],
    'an order that is paid twice at once is paid once',
  )
  t.match(await read(one.order_id), { paid_amount: '13.75' })
  t.equal(await balance(), '8.75')
})

t.test(
  'given a customer from whom all prices are hidden, when it asks for anything, then no answer tells any',
  async (t) => {
    const { surcharge_amount, ...amounts } = secret
    const surcharges = [{ name: 'Heavy', surcharge_amount }]
    const all = await shop({ ...amounts, surcharges, currency: 'CAD' })
    const { topUp, create, pay, post, mine, staff, hide, settle, send, ids } = all
    await topUp('9000.00')
    const { order_id, tracking_number } = await create()
    await pay(order_id, { amount: part })
    const cancelled = await create()
    await pay(cancelled.order_id)
    await post(`/api/v1/orders/${cancelled.order_id}/cancel`, staff)
    const batch = await post('/api/v1/client/batchOrderCreateAsync', mine, { orders: [{ type: 'D', delivery: ann }] })
    const job = await post('/api/v1/uniorder/rate/batch-async', mine, { shipments: [shipment] })
    const proposed = { tool: 'reroute_to_address', arguments: { order_id, address } }
    const proposal = await post('/api/v1/approvals', mine, proposed)
    const credentials = { webhook_secret: 'a secret of the test' }
    const cards = { provider: 'test', name: 'Card', credentials }
    const { payment_account_id } = await post('/api/v1/payment-accounts', staff, cards)
    const { key_id } = await post('/api/v1/api-keys', mine, { name: 'Shop', scopes: ['orders:read'] })
    await settle()
    const account = { carrier: 'sandbox', credentials: { account: 'acme' } }
    t.match(await post('/api/v1/carrier-accounts', staff, account), { result: true })
    await send('PUT', '/api/v1/mark-ups', { token: staff, body: { rules: [{ percent: '10' }] } })
    const label = await post('/api/v1/labelservice/quoteAndShip', mine, shipped)
    const given: Readonly<Record<string, unknown>> = {
      ...{ order_id, tracking_number, query: 'R1', order: tracking_number, id: batch.asyncId },
      ...{ proposal_id: proposal.proposal_id, uniorder_id: `order-${order_id}`, job_id: job.job_id, key_id },
      payment_account_id,
    }
    const more: Readonly<Record<string, Readonly<Record<string, string>>>> = { search_address: { query: 'Main' } }
    /** An order of another family than the others. */
    const others: Readonly<Record<string, unknown>> = {
      ...{ get_label: label.order_id, get_customs_document: label.order_id },
    }
    const readers = routed(operations).filter((one) => one.rest.method === 'GET' && isForCustomers(one))
    const forCustomers = readers.filter(({ name }) => ![...purses, ...elsewhere].includes(name))
    const forStaff = forCustomers.filter(({ roles }) => roles?.includes('client_admin') !== false)

    /** The answers of all operations that read, by their names. */
    async function answers(t: Test, token: string, asked = forCustomers): Promise<ReadonlyMap<string, unknown>> {
      const found = new Map<string, unknown>()
      for (const { name, input, rest } of asked) {
        const members = requiredOf(jsonSchemaOf(input))
        const missing = members.filter((member) => given[member] === undefined)
        t.same(missing, [], `${name} is called with everything that it needs`)
        const path = rest.path.replace(/\{(\w+)\}/g, (_, member) =>
          encodeURIComponent(String(others[name] ?? given[member])),
        )
        const query = members.filter((member) => !rest.path.includes(`{${member}}`))
        const search = new URLSearchParams({
          ...Object.fromEntries(query.map((member) => [member, String(given[member])])),
          ...more[name],
        })
        const { status, body } = await send('GET', `${path}?${search}`, { token })
        t.equal(status, 200, `${name} answers`)
        found.set(name, body)
      }
      return found
    }

    const before = await answers(t, mine)
    const telling = [...before].filter(([, body]) => amountsIn(body).length > 0).map(([name]) => name)
    const orderReaders = [
      'export_orders',
      'find_order',
      'get_credit_movements',
      'get_operation_events',
      'get_order_detail',
      'get_order_movements',
      'get_orders',
      'get_proposal',
      'list_uniorders',
      'order_snapshot',
      'uniorder_get',
    ]
    t.same(telling.sort(), orderReaders, 'these tell prices as long as none is hidden')

    t.equal((await hide(['local_delivery'])).status, 200)
    for (const [name, body] of await answers(t, mine)) {
      t.same(amountsIn(body), [], name)
      // A table has no member beside its rows.
      if (!['get_proposal', 'export_orders'].includes(name) && orderReaders.includes(name))
        t.match(body, { price_hidden: true }, name)
    }
    for (const [name, body] of await answers(t, staff, forStaff))
      if (orderReaders.includes(name)) t.not(amountsIn(body).length, 0, `staff see prices in ${name}`)
    // conformance/payments.test.ts looks for the prices of device orders.
    const ofDevices = ['get_device_order', 'otep_client_locker_storage']
    for (const { name, output } of readers.filter(({ name }) => elsewhere.includes(name) && !ofDevices.includes(name)))
      t.same(pricesIn(output), [], `${name} has no price in its form`)

    t.test('then it can pay nothing online, and what it writes tells no price either', async (t) => {
      t.match(await pay(order_id), { code: 'PRICE_HIDDEN_SETTLE_OFFLINE', status: 403 })
      const created = await post('/api/v1/orders', mine, { type: 'D', delivery: ann })
      t.equal(created.result, true)
      t.same(amountsIn(created), [])
      const bulk = await post('/api/v1/orders/bulk', mine, { orders: [{ type: 'D', delivery: ann }] })
      t.equal(bulk.created, 1)
      t.same(amountsIn(bulk), [])
      const path = `/api/v1/orders/${order_id}`
      const instruction = await post(`${path}/delivery-instruction`, mine, { delivery_instruction: 'Ring' })
      t.equal(instruction.result, true)
      t.same(amountsIn(instruction), [])
    })

    t.test('then no tool tells any, nor what a tool would change', async (t) => {
      for (const [name, input] of Object.entries({
        get_order_detail: { order_id },
        get_orders: {},
        find_order: { query: 'R1' },
        order_snapshot: { order: tracking_number },
      })) {
        const told = await tool(all, name, input, mine)
        t.match(told.structuredContent, { result: true, price_hidden: true }, name)
        t.same(amountsIn(told.content), [], name)
        t.same(amountsIn(told.structuredContent), [], name)
        t.not(amountsIn((await tool(all, name, input, staff)).structuredContent).length, 0, `staff see them in ${name}`)
      }
      const dry = { 'X-MCP-Dry-Run': '1' }
      for (const [name, input] of Object.entries({
        cancel_order: { order_id },
        reroute_to_address: { order_id, address },
      })) {
        const would = (await tool(all, name, input, mine, dry)).structuredContent
        t.ok(would.changes.length > 1, name)
        t.same(amountsIn(would), [], name)
        const seen = (await tool(all, name, input, staff, dry)).structuredContent
        t.not(amountsIn(seen).length, 0, `staff see what ${name} would cost`)
      }
    })

    t.test('then the families that are not hidden tell their prices', async (t) => {
      await hide(['storage_services'])
      const { body } = await send('GET', `/api/v1/orders/${order_id}`, { token: mine })
      t.match(body.order, { shipping_price: secret.shipping_price, customer_id: ids.customer })
      t.equal(body.price_hidden, undefined)
    })
  },
)

/** The parts of a schema that lead to nested schemas. */
interface Parts {
  readonly type: string
  readonly entries?: Readonly<Record<string, unknown>>
  readonly options?: readonly unknown[]
  readonly [part: string]: unknown
}

/** The parts of a schema that take a value of any form and have no decision about prices, by their paths. */
function undecidedIn(schema: unknown, path: string): readonly string[] {
  if (typeof schema !== 'object' || schema === null || !('type' in schema)) return []
  const { type, entries = {}, options = [], item, wrapped, rest, value } = schema as Parts
  if (markOf(schema as Operation['output']) !== undefined) return []
  if (['unknown', 'any', 'custom', 'lazy'].includes(type)) return [path]
  const inside = [...options, item, wrapped, rest, type === 'record' ? value : undefined]
  return [
    ...Object.entries(entries).flatMap(([name, entry]) => undecidedIn(entry, `${path}.${name}`)),
    ...inside.flatMap((one) => undecidedIn(one, path)),
  ]
}

t.test('every answer that a customer may read says of each value of any form whether it holds prices', async (t) => {
  const read = operations.filter(isForCustomers)
  t.same(
    read.flatMap(({ name, output }) => undecidedIn(output, name)),
    [],
  )
  for (const { name, output } of read.filter(({ text }) => text !== undefined))
    t.same(pricesIn(output), [], `${name} returns a text, from which nothing can be removed`)
  t.same(undecidedIn(v.strictObject({ list: v.array(v.record(v.string(), v.unknown())) }), 'planted'), ['planted.list'])
})
