import t from 'tap'
import { world } from '../adapters/auth/world.test.fixture.ts'
import { secretOf } from '../adapters/node/secret.ts'

const steps = [
  { up_to_grams: 20_000, price: '100.00' },
  { up_to_grams: 30_000, price: '300.00' },
]
const prices = [{ zone: 'all', steps }]

/** A price list at which everything costs 100.00, with these taxes. */
const listWith = (taxes: readonly object[], more: object = {}) => ({
  ...{ currency: 'CAD', zones: [{ code: 'all' }], default_service: 'one' },
  services: [{ code: 'one', name: 'One', prices }],
  ...{ taxes, ...more },
})

const ontario = [{ name: 'HST', percent: '13', regions: ['ON'] }]
const street = '1 Main Street'

type Place = Readonly<Record<string, string>>

/** A business with a price list, and the ways to ask what a delivery costs: the total, or what is wrong with which member. */
async function shop(taxes: readonly object[] = ontario, more: object = {}) {
  const made = await world({ secret: secretOf('ab'.repeat(32)) })
  const ask = async (method: string, path: string, body?: object, token = made.tokens.customer) =>
    (await made.send(method, path, { token, ...(body && { body }) })).body
  const publish = (list: object) => ask('PUT', '/api/v1/price-list', list, made.tokens.client_admin)
  const published = await publish(listWith(taxes, more))
  t.equal(published.version, 1, JSON.stringify(published.errors))
  await ask('POST', '/api/v1/carrier-accounts', { carrier: 'own-fleet' }, made.tokens.client_admin)
  const told = (answer: Awaited<ReturnType<typeof ask>>) =>
    (answer.errors ?? []).map((one: Place) => `${one.path} ${one.code}`).join(', ') || answer.code
  const quote = async (delivery: Place) => {
    const answer = await ask('POST', '/api/v1/orders/rate', { type: 'D', delivery })
    return answer.rates?.[0]?.total_price ?? told(answer)
  }
  const order = async (place: Place) => {
    const delivery = { name: 'Ann', address: { street, ...place } }
    const answer = await ask('POST', '/api/v1/orders', { type: 'D', delivery })
    if (answer.order_id === undefined) return told(answer)
    return (await ask('GET', `/api/v1/orders/${answer.order_id}`)).order.remaining_amount
  }
  const csv = async (place: Place) => {
    const columns = Object.keys(place)
    const head = [
      'type',
      'delivery.name',
      'delivery.address.street',
      ...columns.map((name) => `delivery.address.${name}`),
    ]
    const cells = ['D', 'Ann', street, ...columns.map((name) => `"${place[name]}"`)]
    const headers = { authorization: `Bearer ${made.tokens.customer}`, 'content-type': 'text/csv' }
    const body = `${head.join(',')}\n${cells.join(',')}\n`
    const imported = await made.app.request('/api/v1/orders/import', { method: 'POST', headers, body })
    const { orders } = (await imported.json()) as ReturnType<typeof JSON.parse>
    const [one] = orders
    return one.result ? (await ask('GET', `/api/v1/orders/${one.order_id}`)).order.remaining_amount : told(one)
  }
  const shipmentTo = (to: Place) => {
    const from = { name: 'Acme', street, country: 'CA' }
    return { from, to: { name: 'Ann', street, ...to }, parcels: [{ weight_grams: 800 }] }
  }
  const uniorder = async (to: Place) => {
    const answer = await ask('POST', '/api/v1/uniorder/rate', shipmentTo(to))
    return answer.rates?.[0]?.total_price ?? told(answer)
  }
  const agent = async (name: string, given: object) => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }
    const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' }
    return (await made.send('POST', '/mcp', { token: made.tokens.customer, body, headers })).body.result
  }
  const mcp = async (delivery: Place) => {
    const { structuredContent, content } = await agent('quote_delivery', { type: 'D', delivery })
    if (structuredContent !== undefined) return structuredContent.rates[0].total_price
    const found = [...content[0].text.matchAll(/^- (\S+): [\s\S]*?\((\w+)\)$/gm)]
    return found.map(([, path, code]) => `${path} ${code}`).join(', ')
  }
  return { ...made, ask, publish, quote, order, csv, uniorder, mcp, shipmentTo }
}

/** The same member in a quote, an order, a row and a shipment. */
const membersOf = (member: string) => ({
  quote: `delivery.${member}`,
  order: `delivery.address.${member}`,
  csv: `delivery.address.${member}`,
  uniorder: `to.${member}`,
  mcp: `delivery.${member}`,
})

const cases: readonly (readonly [Place, string | readonly [member: string, code: string]])[] = [
  [{ country: 'CA', region: 'ON' }, '113.00'],
  [{ country: 'CA', region: 'on' }, '113.00'],
  [{ country: 'ca', region: 'Ontario' }, '113.00'],
  [{ country: 'CA', region: 'CA-ON' }, '113.00'],
  [{ country: 'CA', region: 'Ontario, ON' }, '113.00'],
  [{ country: 'CA', region: 'Greater Toronto', postal_code: 'm5v1a1' }, '113.00'],
  [{ country: 'CA', postal_code: 'M5V 1A1' }, '113.00'],
  [{ country: 'CA', region: 'Québec' }, '100.00'],
  [{ country: 'CA', postal_code: 'H2X 1Y4' }, '100.00'],
  [{ country: 'US', region: 'NY' }, '100.00'],
  [{ country: 'CA' }, ['region', 'region_required']],
  [{ country: 'CA', postal_code: 'K1A 0B1' }, ['region', 'region_required']],
  [{ country: 'CA', region: 'QC', postal_code: 'M5V 1A1' }, ['region', 'region_differs']],
  [{ country: 'CA', region: 'Ontaro' }, ['region', 'unknown_region']],
  [{ country: 'CA', region: 'ON', postal_code: '12345' }, ['postal_code', 'not_a_postal_code']],
  [{ country: 'uk', region: 'ON' }, ['country', 'country_meant']],
  [{ country: 'ZZ', region: 'ON' }, ['country', 'unknown_country']],
]

for (const [place, expected] of cases)
  t.test(
    `given a tax of Ontario, when ${JSON.stringify(place)} is priced, then every way has one answer`,
    async (t) => {
      const ways = await shop()
      for (const [way, path] of Object.entries(membersOf(typeof expected === 'string' ? '' : expected[0]))) {
        const answer = typeof expected === 'string' ? expected : `${path} ${expected[1]}`
        t.equal(await ways[way as keyof ReturnType<typeof membersOf>](place), answer, way)
      }
    },
  )

t.test('given taxes by country or region, when a quote has no country, then it is needed', async (t) => {
  const anywhere = { latitude: 43.65, longitude: -79.38 } as unknown as Place
  for (const taxes of [ontario, [{ name: 'GST', percent: '5', countries: ['CA'] }]]) {
    const { quote, order, mcp } = await shop(taxes)
    t.equal(await quote(anywhere), 'delivery.country required')
    t.equal(await quote({ postal_code: 'M5V 1A1', region: 'ON' }), 'delivery.country required')
    t.equal(await mcp(anywhere), 'delivery.country required')
    t.equal(await order({ region: 'ON' }), 'delivery.address.country required')
  }
  const { quote } = await shop([{ name: 'Tax', percent: '5' }])
  t.equal(await quote(anywhere), '105.00', 'a tax of all places')
})

t.test('given a rate, when the order says its region in another way, then it is the same region', async (t) => {
  const { ask } = await shop()
  const booked = async (quoted: Place, ordered: Place) => {
    const { rates } = await ask('POST', '/api/v1/orders/rate', { type: 'D', delivery: quoted })
    const delivery = { name: 'Ann', address: { street, ...ordered } }
    const answer = await ask('POST', '/api/v1/orders', { type: 'D', delivery, rate_id: rates[0].rate_id })
    if (answer.order_id === undefined) return answer.errors.map((one: Place) => `${one.path} ${one.code}`).join(', ')
    return (await ask('GET', `/api/v1/orders/${answer.order_id}`)).order
  }
  const code = { country: 'CA', postal_code: 'M5V 1A1' }
  t.match(await booked({ ...code, region: 'Ontario' }, { ...code, region: 'on' }), {
    remaining_amount: '113.00',
    delivery: { address: { region: 'ON', postal_code: 'M5V 1A1', country: 'CA' } },
  })
  t.match(await booked(code, { ...code, region: 'ON' }), { remaining_amount: '113.00' })
  t.match(await booked({ ...code, region: 'ON' }, code), { remaining_amount: '113.00' })
  const quebec = { country: 'CA', postal_code: 'H2X 1Y4', region: 'QC' }
  t.match(await booked(quebec, { ...quebec, region: 'ON' }), 'delivery.address.region rate_differs')
})

t.test('given a place with two codes, when it is priced, then the tax is the same under both', async (t) => {
  const { quote } = await shop([
    { name: 'IVU', percent: '10', countries: ['US'], regions: ['PR'] },
    { name: 'GRT', percent: '4', countries: ['GU'] },
    { name: 'IGIC', percent: '7', regions: ['ES-CN'] },
    { name: 'VAT', percent: '20', regions: ['GB-NIR'] },
  ])
  const same = [
    [{ country: 'PR' }, { country: 'US', region: 'PR' }, { country: 'US', postal_code: '00901' }, '110.00'],
    [{ country: 'GU' }, { country: 'US', region: 'Guam' }, { country: 'US', postal_code: '96910' }, '104.00'],
    [{ country: 'IC' }, { country: 'ES', region: 'Las Palmas' }, { country: 'ES', postal_code: '38001' }, '107.00'],
    [{ country: 'XI' }, { country: 'GB', region: 'NIR' }, { country: 'GB', postal_code: 'bt1 1aa' }, '120.00'],
    [
      { country: 'US', region: 'NY' },
      { country: 'ES', region: 'Madrid' },
      { country: 'GB', postal_code: 'M1 1AE' },
      '100.00',
    ],
  ] as const
  for (const [one, other, third, total] of same)
    for (const place of [one, other, third]) t.equal(await quote(place), total, JSON.stringify(place))
})

t.test('given a list, when it is published, then its regions have their countries, or are refused', async (t) => {
  const { publish, ask, tokens } = await shop()
  const kept = async (taxes: readonly object[], more: object = {}) => {
    const answer = await publish(listWith(taxes, more))
    if (answer.price_list === undefined) return answer.errors.map((one: Place) => `${one.path} ${one.code}`).join(', ')
    return answer.price_list.taxes
      .map((tax: { readonly regions: readonly string[] }) => tax.regions.join(' '))
      .join(', ')
  }
  const tax = { name: 'Tax', percent: '1' }
  t.equal(await kept([{ ...tax, regions: ['on', 'CA-QC', 'Bayern'] }]), 'CA-ON CA-QC DE-BY')
  t.equal(await kept([{ ...tax, regions: ['WA'] }]), 'AU-WA US-WA', 'in each country that has it, as before')
  t.equal(await kept([{ ...tax, regions: ['WA'], countries: ['us'] }]), 'US-WA')
  t.equal(await kept([{ ...tax, regions: ['WA'] }], { zones: [{ code: 'all', countries: ['AU'] }] }), 'AU-WA')
  t.equal(await kept([{ ...tax, regions: ['Bretagne'], countries: ['FR'] }]), 'Bretagne', 'its regions are not known')
  t.equal(await kept([{ ...tax, regions: ['CA-XX'] }]), 'price_list.taxes[0].regions[0] unknown_region')
  t.equal(
    await kept([tax, { ...tax, regions: ['ON', 'XX'], countries: ['CA'] }]).catch(() => ''),
    'price_list.taxes[1].regions[1] unknown_region',
  )
  t.equal(await kept([{ ...tax, countries: ['UK'] }]), 'price_list.taxes[0].countries[0] country_meant')
  const { version } = await publish(listWith(ontario))
  t.equal((await publish(listWith([{ ...ontario[0], regions: ['Ontario'] }]))).version, version, 'the same list')
  const { price_list } = await ask('GET', '/api/v1/price-list', undefined, tokens.client_admin)
  t.same(price_list.taxes[0].regions, ['CA-ON'])
})

t.test(
  'given a list that was published before, when it is read, then its countries and regions count as now',
  async (t) => {
    const { quote, store, business, ids } = await shop([])
    const old = listWith([
      { name: 'HST', percent: '13', regions: ['ON'] },
      { name: 'VAT', percent: '20', countries: ['UK'] },
    ])
    const data = { at: '2026-01-01T00:00:00.000Z', by: ids.client_admin, business_id: business, list: old }
    const event = {
      type: 'PriceListPublished',
      data,
      id: '0a1b2c3d-0000-4000-8000-000000000000',
      metadata: { actor: null },
    }
    await store.append(`price_list-${business}`, [event as never], 'any')
    t.equal(await quote({ country: 'CA', region: 'ontario' }), '113.00')
    t.equal(await quote({ country: 'GB' }), '120.00')
  },
)

t.test('given an order of staff with its own price, when its region is not known, then nothing is asked', async (t) => {
  const { ask, tokens, ids } = await shop()
  const delivery = { name: 'Ann', address: { street, country: 'CA' } }
  const price = { shipping_price: '5.00', currency: 'CAD' }
  const own = { type: 'D', delivery, customer_id: ids.customer, price }
  t.match(await ask('POST', '/api/v1/orders', own, tokens.client_admin), { result: true })
  t.match(await ask('POST', '/api/v1/orders', { type: 'D', delivery }, tokens.client_admin), { result: true })
})

t.test('given shipments, when the region of one is missing, then it is named where many are quoted', async (t) => {
  const { ask, shipmentTo, tokens } = await shop()
  const shipments = [shipmentTo({ country: 'CA', region: 'ON' }), shipmentTo({ country: 'CA' })]
  const batch = await ask('POST', '/api/v1/uniorder/rate/batch', { shipments })
  t.match(batch, { errors: [{ path: 'shipments[1].to.region', code: 'region_required' }] })
  const compared = await ask('POST', '/api/v1/labelservice/compareAllCarriers', shipments[1], tokens.client_admin)
  t.match(compared, { rates: [], unanswered: [{ carrier: 'own-fleet', code: 'carrier_refused', message: /region/ }] })
})

t.test(
  'given an order, when it is sent elsewhere, then it costs what it costs there, or a customer may not',
  async (t) => {
    const { ask } = await shop()
    const order = async (more: object = {}) => {
      const delivery = { name: 'Ann', address: { street, country: 'CA', postal_code: 'T2P 1J9' } }
      return (await ask('POST', '/api/v1/orders', { type: 'D', delivery, ...more })).order_id
    }
    const reroute = async (id: number, place: Place) => {
      const answer = await ask('POST', `/api/v1/orders/${id}/reroute`, { address: { street, country: 'CA', ...place } })
      if (answer.order_id === undefined) return answer.errors?.[0].code ?? answer.code
      return (await ask('GET', `/api/v1/orders/${answer.order_id}`)).order.remaining_amount
    }
    t.equal(await reroute(await order(), { postal_code: 'T2P 2J9' }), '100.00', 'with the same taxes')
    t.equal(await reroute(await order(), { postal_code: 'M5V 1A1' }), '113.00', 'with the taxes of the new region')
    t.equal(await reroute(await order(), {}), 'region_required')
    const place = { country: 'CA', postal_code: 'T2P 1J9' }
    const heavy = { type: 'D', delivery: place, parcels: [{ weight_grams: 25_000 }] }
    const { rates } = await ask('POST', '/api/v1/orders/rate', heavy)
    t.equal(await reroute(await order({ rate_id: rates[0].rate_id }), { postal_code: 'T2P 2J9' }), '300.00')
    t.equal(
      await reroute(await order({ rate_id: rates[0].rate_id }), { postal_code: 'M5V 1A1' }),
      'reroute_needs_price',
    )
  },
)
