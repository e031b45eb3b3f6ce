import t from 'tap'
import { site } from '../signed-in/site.test.fixture.ts'

const ann = { name: 'Ann', street: '1 Main Street', postal_code: 'M5V 1A1', region: 'ON', country: 'CA' }
const shipment = { from: ann, to: ann, parcels: [{ weight_grams: 800 }] }
const service = '/api/v1/labelservice'

/** A business that sells labels of the sandbox, and a signed-in customer with 50.00 in its wallet. */
async function shop() {
  const made = await site('/records')
  const { send, tokens, ids, signIn } = made
  const ask = async (method: string, path: string, body?: object, token = tokens.customer) =>
    (await send(method, path, { token, ...(body && { body }) })).body
  const staff = tokens.client_admin
  await ask('POST', '/api/v1/carrier-accounts', { carrier: 'sandbox', credentials: { account: 'acme' } }, staff)
  await ask('PUT', '/api/v1/mark-ups', { rules: [{ percent: '10' }] }, staff)
  await ask('POST', `/api/v1/accounts/${ids.customer}/top-ups`, { amount: '50.00' }, staff)
  const customer = await signIn('customer')
  const submit = (path: string, fields: object = {}) =>
    made.post(path, { form: customer.form, step: 'do', ...fields }, customer.cookie)
  const tool = async (name: string, args: object) => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
    const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' }
    const { structuredContent: told } = (await send('POST', '/mcp', { token: tokens.customer, body, headers })).body
      .result
    return told.data ?? told
  }
  const moved = async () =>
    (await ask('GET', '/api/v1/customer/credits/movements')).movements.map(
      ({ kind, amount }: Readonly<Record<string, string>>) => `${kind} ${amount}`,
    )
  return { ...made, ask, staff, customer, submit, tool, moved }
}

t.test(
  'given a customer over REST, when it quotes, buys, pays and returns a label, then it gets back what it paid',
  async (t) => {
    const { ask, moved } = await shop()
    const { rates } = await ask('POST', `${service}/compareAllCarriers`, shipment)
    const { rate_id, total_price: price } = rates[0]
    const { order_id, total_price } = await ask('POST', `${service}/createShippingLabel`, { ...shipment, rate_id })
    t.equal(total_price, price, 'the rate binds the price')
    t.match(await ask('POST', `${service}/labels/${order_id}/pay`, {}), {
      paid_amount: price,
      remaining_amount: '0.00',
    })
    t.match(await ask('POST', `${service}/cancelShippingLabel`, { order_id }), { result: true })
    t.same(await moved(), [`refund ${price}`, `payment -${price}`, 'top_up 50.00'])
  },
)

t.test(
  'given a customer with an agent, when its tools quote, buy and return a label, then it gets back what it paid',
  async (t) => {
    const { ask, tool, moved } = await shop()
    const { rates } = await tool('compare_all_carriers', shipment)
    const { rate_id, total_price: price } = rates[0]
    const { order_id } = await tool('create_shipping_label', { ...shipment, rate_id })
    t.match(await ask('POST', `${service}/labels/${order_id}/pay`, {}), { paid_amount: price })
    t.match(await tool('cancel_shipping_label', { order_id, confirm: true }), { result: true })
    t.same(await moved(), [`refund ${price}`, `payment -${price}`, 'top_up 50.00'])
  },
)

t.test(
  'given a customer on pages, when it buys, pays and returns a label by forms, then it gets back what it paid',
  async (t) => {
    const { get, customer, submit, moved } = await shop()
    const party = (side: string) => Object.fromEntries(Object.entries(ann).map(([name, is]) => [`${side}.${name}`, is]))
    const bought = await submit('/records/label/new/quote_and_ship', {
      ...{ ...party('from'), ...party('to'), 'parcels.0.weight_grams': '800' },
    })
    t.equal(bought.status, 303)
    const page = bought.headers.get('location')?.split('?')[0] ?? ''
    const seen = await get(page, customer.cookie)
    const [, price = ''] = /<dt>Total price<\/dt><dd>(?:<[^>]*>)*([\d.]+)/.exec(seen.html) ?? []
    t.notMatch(seen.html, /Margin|Cost</, 'neither what it costs the business nor the margin')
    t.equal((await submit(`${page}/do/pay_label`, { confirm: '1' })).status, 303)
    t.equal((await submit(`${page}/do/cancel_shipping_label`, { confirm: '1' })).status, 303)
    t.same(await moved(), [`refund ${price}`, `payment -${price}`, 'top_up 50.00'])
  },
)
