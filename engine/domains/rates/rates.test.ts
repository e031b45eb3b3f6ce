import fc from 'fast-check'
import t from 'tap'
import { recordedAmount, sumOf, unitsOf } from '../../kernel/money.ts'
import { regionRows } from '../../kernel/places/region-rows.ts'
import { people, world } from '../../testing/world.test.fixture.ts'
import { setOrderPrice } from '../orders/change.ts'
import { createOrder, rerouteToAddress } from '../orders/create.ts'
import { payOrder } from '../orders/pay.ts'
import { getOrderDetail } from '../orders/read.ts'
import type { LocalOrder } from '../orders/record.ts'
import type { Contents } from './contents.ts'
import { getPriceList, publishPriceList, quoteDelivery } from './operations.ts'
import { priceOfQuote, quotesOf, total } from './price.ts'
import type { PriceList } from './price-list.ts'

const toronto = { postal_code: 'M5V 1A1', region: 'ON', country: 'CA' }

const list: PriceList = {
  currency: 'CAD',
  origin: { latitude: 43.65, longitude: -79.38 },
  zones: [
    { code: 'near', up_to_km: 10 },
    { code: 'city', countries: ['CA'], postal_codes: ['M5', 'M6'] },
    { code: 'country', countries: ['CA'] },
  ],
  services: [
    {
      ...{ code: 'standard', name: 'Standard', volumetric_divisor: 5000, minimum: '6.00' },
      prices: [
        { zone: 'near', steps: [{ up_to_grams: 30_000, price: '4.00' }] },
        {
          zone: 'city',
          steps: [
            { up_to_grams: 1000, price: '5.00' },
            { up_to_grams: 5000, price: '8.50' },
          ],
        },
        { zone: 'country', steps: [{ up_to_grams: 5000, price: '19.99' }] },
      ],
    },
    {
      ...{ code: 'same-day', name: 'Same day', types: ['D'], valid_from: '2026-06-01', valid_until: '2026-06-30' },
      prices: [{ zone: 'city', steps: [{ up_to_grams: 5000, price: '15' }] }],
    },
  ],
  default_service: 'standard',
  surcharges: [
    { code: 'fuel', name: 'Fuel', percent: '7.5' },
    { code: 'long', name: 'Oversize', amount: '3.00', per: 'parcel', when: { over_cm: 100 } },
    { code: 'cod', name: 'Cash on delivery', amount: '2.50', when: { cash_on_delivery: true } },
  ],
  discounts: [{ name: 'Partner', percent: '10', customers: [4] }],
  taxes: [
    { name: 'HST', percent: '13', countries: ['CA'], regions: ['ON'] },
    { name: 'GST', percent: '5', countries: ['CA'], regions: ['AB'] },
  ],
}

const anyone = { customerId: undefined, day: '2026-06-10' }
const D = (more: Partial<Contents>): Contents => ({ type: 'D', delivery: toronto, ...more })

function linesOf(contents: Contents, asking: Parameters<typeof quotesOf>[2] = anyone, service = 'standard') {
  const found = quotesOf(list, contents, asking).find((one) => one.service.code === service)
  if (found === undefined || 'code' in found) return found?.code
  return [found.zone, ...found.lines.map(({ kind, name, units }) => `${kind} ${name} ${units / 100n}`)].join(', ')
}

t.test('given a price list, when a delivery is priced, then each part follows from the list', async (t) => {
  t.equal(
    linesOf(D({ parcels: [{ weight_grams: 800 }, { weight_grams: 1001 }] })),
    // 13.50; 7.5 % are 1.0125; 13 % of 14.51 are 1.8863.
    'city, carriage Standard 500, carriage Standard 850, surcharge Fuel 101, tax HST 189',
  )
  t.equal(
    linesOf(D({ items: 1 })),
    // The minimum is 6.00; half a cent of 0.45 is none; 13 % of 6.45 are 0.8385.
    'city, carriage Standard 500, minimum Standard 100, surcharge Fuel 45, tax HST 84',
  )
  t.equal(
    linesOf(
      D({ parcels: [{ weight_grams: 10, length_cm: 101, width_cm: 20, height_cm: 10 }], cash_on_delivery: true }),
    ),
    // 20,200 cm3 count as 4,040 g.
    'city, carriage Standard 850, surcharge Fuel 64, surcharge Oversize 300, surcharge Cash on delivery 250, tax HST 190',
  )
  t.match(
    linesOf(D({ parcels: [{ weight_grams: 10, length_cm: 61, width_cm: 41, height_cm: 2 }] })),
    // 5,002 cm3 are 1,000.4 g, which count as 1,001 g.
    /^city, carriage Standard 850, /,
  )
  t.equal(
    linesOf(D({ items: 2 }), { customerId: 4, day: '2026-06-10' }),
    'city, carriage Standard 500, carriage Standard 500, discount Partner -100, surcharge Fuel 68, tax HST 126',
  )
  t.equal(
    linesOf(D({ delivery: { ...toronto, postal_code: 'T2P 1J9', region: 'AB' } })),
    'country, carriage Standard 1999, surcharge Fuel 150, tax GST 107',
  )
})

t.test(
  'given places with coordinates, when they are near each other, then the zone of the distance decides',
  async (t) => {
    const near = { ...toronto, latitude: 43.7, longitude: -79.4 }
    t.match(linesOf(D({ delivery: near })), /^near,/)
    t.match(linesOf(D({ delivery: { ...near, latitude: 44 } })), /^city,/)
    const far = { latitude: 45.5, longitude: -73.56, region: 'QC', country: 'CA' }
    t.match(linesOf({ type: 'P2P', pickup: far, delivery: near }), /^city,/, 'the pickup is the other end')
    t.match(linesOf({ type: 'P', pickup: far }), /^country,/, 'what is only fetched is priced by where it is')
  },
)

t.test('given a service that does not fit, when a delivery is priced, then it says why', async (t) => {
  t.equal(linesOf(D({ delivery: { country: 'FR' } })), 'address_not_served')
  t.equal(linesOf(D({ parcels: [{ weight_grams: 5001 }] })), 'parcel_too_heavy')
  t.equal(linesOf({ type: 'P', pickup: toronto }, anyone, 'same-day'), 'service_not_for_type')
  t.equal(linesOf(D({}), { ...anyone, day: '2026-07-01' }, 'same-day'), 'service_not_valid')
  t.match(linesOf(D({}), { ...anyone, day: '2026-06-30' }, 'same-day'), /^city,/, 'the last day counts')
})

t.test(
  'given any list and parcels, when they are priced, then no cent is lost and nothing is below zero',
  async (t) => {
    const percent = fc
      .integer({ min: 0, max: 9_999_999 })
      .map((n) => `${Math.floor(n / 10_000)}.${String(n % 10_000).padStart(4, '0')}`)
    const cents = fc.integer({ min: 0, max: 999_999_999 }).map((one) => recordedAmount(one, 'CAD'))
    const lists = fc.record({
      price: cents,
      least: cents,
      extra: cents,
      fuel: percent,
      off: percent,
      also: percent,
      tax: percent,
    })
    fc.assert(
      fc.property(lists, fc.integer({ min: 1, max: 20 }), ({ price, least, extra, fuel, off, also, tax }, items) => {
        const [quote] = quotesOf(
          {
            ...{ currency: 'CAD', zones: [{ code: 'all' }] },
            services: [
              { code: 's', name: 'S', minimum: least, prices: [{ zone: 'all', steps: [{ up_to_grams: 1, price }] }] },
            ],
            surcharges: [
              { code: 'a', name: 'A', amount: extra, per: 'parcel' },
              { code: 'f', name: 'F', percent: fuel },
            ],
            discounts: [off, also].map((one) => ({ name: 'Off', percent: one, customers: [3] })),
            taxes: [{ name: 'T', percent: tax }],
          },
          D({ items }),
          { ...anyone, customerId: 3 },
        )
        if (quote === undefined || 'code' in quote) throw new Error('Nothing is offered.')
        const { shipping_price, tax: taxes = '0', surcharges = [] } = priceOfQuote(quote, 'CAD')
        const parts = [shipping_price, taxes, ...surcharges.map((one) => one.surcharge_amount)]
        t.ok(parts.every((part) => unitsOf(part) >= 0n))
        t.equal(unitsOf(sumOf(parts, 'CAD')), total(quote.lines))
        return t.passing()
      }),
    )
  },
)

for (const country of ['CA', 'US', 'AU', 'IN', 'BR', 'ES'])
  t.test(
    `given a tax of any region of ${country}, when it is priced there in any writing, then it is due`,
    async (t) => {
      const rows = (regionRows[country] ?? '').trim().split('\n')
      for (const row of rows) {
        const [head = '', name = ''] = row.split('|')
        const [code = '', larger = code] = head.split('<')
        const taxed = (regions: string[], region: string, countries?: string[]) => {
          const taxes = [{ name: 'T', percent: '10', regions, ...(countries && { countries }) }]
          const [quote] = quotesOf(
            { ...list, zones: [{ code: 'city' }], taxes },
            D({ delivery: { country, region } }),
            anyone,
          )
          return quote !== undefined && 'lines' in quote && quote.lines.some(({ kind }) => kind === 'tax')
        }
        for (const written of [
          code,
          code.toLowerCase(),
          name.toUpperCase(),
          `${country}-${code}`,
          `${name}, ${code}`,
        ]) {
          t.ok(taxed([`${country}-${code}`], written), written)
          t.ok(taxed([code], written, [country]), `${written} by a bare code`)
          t.ok(taxed([`${country}-${larger}`], written), `${written} in ${larger}`)
        }
        const others = rows
          .map((other) => other.split(/[|<]/)[0] ?? '')
          .filter((other) => other !== code && other !== larger)
        const isLarge = rows.some((other) => other.split('|')[0]?.endsWith(`<${code}`))
        if (!isLarge)
          t.notOk(
            taxed(
              others.map((other) => `${country}-${other}`),
              code,
            ),
            `${code} in no other`,
          )
      }
    },
  )

t.test('given a list with mistakes, when it is published, then each is told at its place', async (t) => {
  const { ask, refused } = world()
  const [standard] = list.services
  const published = (more: object) => refused(people.admin, publishPriceList, { price_list: { ...list, ...more } })
  t.equal(await published({ currency: 'EUR' }), 'price_list.currency currency_of_business')
  t.equal(await published({ default_service: 'air' }), 'price_list.default_service unknown_value')
  t.equal(await published({ services: [standard, standard] }), 'price_list.services[1].code not_unique')
  t.equal(
    await published({
      services: [{ ...standard, prices: [{ zone: 'moon', steps: [{ up_to_grams: 1, price: '1' }] }] }],
    }),
    'price_list.services[0].prices[0].zone unknown_value',
  )
  const steps = [
    { up_to_grams: 10, price: '2.00' },
    { up_to_grams: 10, price: '3.00' },
    { up_to_grams: 20, price: '1.00' },
  ]
  t.equal(
    await published({ services: [{ ...standard, prices: [{ zone: 'city', steps }] }] }),
    'price_list.services[0].prices[0].steps[1].up_to_grams steps_not_rising, price_list.services[0].prices[0].steps[2].price steps_not_rising',
  )
  t.equal(
    await published({ surcharges: [{ code: 'x', name: 'X', amount: '1.00', percent: '2' }] }),
    'price_list.surcharges[0].amount amount_or_percent',
  )
  t.equal(await refused(people.admin, getPriceList, {}), 'no_price_list')
  for (const who of [people.employee, people.customer, people.driver])
    t.equal(await refused(who, publishPriceList, { price_list: list }), 'wrong_account')
  t.equal((await ask(people.admin, publishPriceList, { price_list: list })).version, 1)
  t.equal((await ask(people.admin, publishPriceList, { price_list: list })).version, 1, 'the same again is no version')
  t.match(await ask(people.employee, getPriceList, {}), { price_list: list, version: 1 })
  t.equal(await refused(people.stranger, getPriceList, {}), 'no_price_list', 'each business has its own')
})

/** A world with the list, and a delivery that is ordered as it was quoted. */
async function priced() {
  const one = world()
  await one.ask(people.admin, publishPriceList, { price_list: list })
  const delivery = { name: 'Ann', address: { street: '1 Main Street', ...toronto } }
  const quote = (who: Parameters<typeof one.ask>[0] = people.customer, more: object = {}) =>
    one.ask(who, quoteDelivery, { type: 'D', delivery: toronto, ...more })
  return { ...one, delivery, quote }
}

t.test('given a rate, when an order is booked at it, then it costs that, also after prices have changed', async (t) => {
  const { ask, delivery, quote } = await priced()
  const { rates, not_offered } = await quote()
  t.same(
    rates.map(({ service, total_price }) => [service, total_price]),
    [
      ['standard', '7.29'],
      ['same-day', '18.23'],
    ],
  )
  t.same(not_offered, [])
  const rate_id = rates[1]?.rate_id
  const dearer = list.services.map((one) => ({
    ...one,
    prices: one.prices.map((row) => ({ ...row, steps: [{ up_to_grams: 5000, price: '99' }] })),
  }))
  await ask(people.admin, publishPriceList, { price_list: { ...list, services: dearer } })
  const { order_id } = await ask(people.customer, createOrder, { type: 'D', delivery, rate_id })
  const { order } = await ask(people.customer, getOrderDetail, { order_id })
  t.match(order, {
    ...{ service: 'same-day', shipping_price: '15.00', tax: '2.10', currency: 'CAD', remaining_amount: '18.23' },
    surcharges: [{ name: 'Fuel', surcharge_amount: '1.13' }],
  })
  const paid = await ask(people.customer, payOrder, { order_id })
  t.match(paid, { paid_amount: '18.23', remaining_amount: '0.00' })
  const moved = await ask(people.admin, createOrder, {
    type: 'D',
    delivery,
    customer_id: 3,
    rate_id: (await quote()).rates[0]?.rate_id,
  })
  const again = await ask(people.admin, rerouteToAddress, {
    order_id: moved.order_id,
    address: { street: '2 Main Street', ...toronto },
  })
  const rerouted = await ask(people.admin, getOrderDetail, { order_id: again.order_id })
  t.equal(rerouted.order.service, 'standard', 'a reroute keeps the service')
})

t.test('given a rate, when something else is booked at it, then it is refused with what differs', async (t) => {
  const { refused, delivery, quote, pass } = await priced()
  const rate_id = (await quote()).rates[0]?.rate_id ?? ''
  const booked = (more: object, who: Parameters<typeof refused>[0] = people.customer) =>
    refused(who, createOrder, { type: 'D', delivery, rate_id, ...more })
  const elsewhere = { ...delivery, address: { ...delivery.address, postal_code: 'M6K 3P6' } }
  t.equal(
    await booked({ items: 3, delivery: elsewhere }),
    'items rate_differs, delivery.address.postal_code rate_differs',
  )
  t.equal(
    await booked({ delivery: { ...delivery, address: { ...delivery.address, postal_code: 'm5v-1a1' } } }),
    undefined,
  )
  t.equal(await booked({}, people.otherCustomer), 'rate_invalid', 'the rate of another customer')
  t.equal(await booked({}, people.admin), 'rate_invalid', 'an order of nobody')
  t.equal(await booked({ customer_id: 3 }, people.admin), undefined)
  t.equal(
    await booked({ price: { shipping_price: '1', currency: 'CAD' }, customer_id: 3 }, people.admin),
    'rate_id price_or_rate',
  )
  const [body = '', signature = ''] = rate_id.split('.')
  const altered = Buffer.from(
    Buffer.from(body.slice(5), 'base64url').toString().replace('standard', 'same-day'),
  ).toString('base64url')
  for (const one of ['x', rate_id.slice(0, -1), `${body}.`, `rate_${altered}.${signature}`])
    t.equal(await booked({ rate_id: one }), 'rate_invalid', one.slice(0, 20))
  const quotedWith = async (place: object, more: object = {}) =>
    (await quote(people.customer, { delivery: place, ...more })).rates[0]?.rate_id
  const { region: _, ...noRegion } = toronto
  const { postal_code: __, ...noCode } = toronto
  t.equal(await booked({ rate_id: await quotedWith(noRegion) }), undefined, 'the postal code tells the region')
  t.equal(await booked({ rate_id: await quotedWith(noCode) }), 'delivery.address.postal_code rate_differs', 'zone')
  const placed = { ...delivery, address: { ...delivery.address, latitude: 44, longitude: -79 } }
  t.match(await booked({ delivery: placed }), /^delivery.address.latitude rate_differs, /)
  t.match(await booked({ pickup: placed }), /^pickup.address.latitude rate_differs, /)
  t.equal(await booked({ schedule_date: '2026-06-11' }), 'schedule_date rate_differs', 'it was quoted for today')
  t.equal(
    await booked({ schedule_date: '2026-06-10', pickup: delivery }),
    undefined,
    'the shop is no part of the price',
  )
  pass(24 * 3_600_000)
  t.equal(await booked({}), 'rate_expired')
})

t.test('given hidden prices, when a customer asks for rates, then it gets their ids and names alone', async (t) => {
  const { quote, ask, delivery } = await priced()
  const { rates } = await quote(people.pricelessCustomer)
  t.equal(rates.length, 2)
  for (const rate of rates) {
    t.same(Object.keys(rate).sort(), ['expires_at', 'rate_id', 'service', 'service_name', 'zone'])
    const [body = ''] = rate.rate_id.slice(5).split('.')
    t.notMatch(Buffer.from(body, 'base64url').toString(), /5\.00|7\.29|18\.22/, 'the id holds no price')
  }
  const { order_id } = await ask(people.pricelessCustomer, createOrder, {
    type: 'D',
    delivery,
    rate_id: rates[0]?.rate_id,
  })
  const seen = await ask(people.pricelessCustomer, getOrderDetail, { order_id })
  t.notMatch(seen.order, { shipping_price: /./ })
  t.match((await ask(people.admin, getOrderDetail, { order_id })).order, { shipping_price: '6.00' })
})

t.test(
  'given orders of customers without a rate, when they are created, then the default service prices them',
  async (t) => {
    const { ask, delivery } = await priced()
    const priceOf = async (input: object, who = people.admin) => {
      const { order_id } = await ask(who, createOrder, { type: 'D', delivery, ...input })
      return (await ask(people.admin, getOrderDetail, { order_id })).order as LocalOrder
    }
    t.match(await priceOf({}, people.customer), { service: 'standard', remaining_amount: '7.29' })
    t.match(
      await priceOf({ customer_id: 3 }),
      { service: 'standard', remaining_amount: '7.29' },
      'by staff for a customer',
    )
    t.match(await priceOf({ customer_id: 3, price: { shipping_price: '1', currency: 'CAD' } }), {
      shipping_price: '1.00',
    })
    t.equal((await priceOf({})).shipping_price, undefined, 'an order of the business itself has no price')
    const abroad = { ...delivery, address: { street: '1 rue', country: 'FR' } }
    t.equal(
      (await priceOf({ customer_id: 3, delivery: abroad })).shipping_price,
      undefined,
      'staff price what no service serves',
    )
  },
)

t.test('given an order, when staff change its price, then what was paid beyond it comes back', async (t) => {
  const { ask, refused, delivery } = await priced()
  const { order_id } = await ask(people.customer, createOrder, { type: 'D', delivery })
  await ask(people.customer, payOrder, { order_id })
  const price = { shipping_price: '5', currency: 'CAD' }
  t.equal(await refused(people.customer, setOrderPrice, { order_id, price }), 'wrong_account')
  await ask(people.employee, setOrderPrice, { order_id, price, note: 'Agreed by phone' })
  const lowered = (await ask(people.admin, getOrderDetail, { order_id })).order
  t.match(lowered, { shipping_price: '5.00', paid_amount: '5.00', remaining_amount: '0.00', refunded_amount: '2.29' })
  await ask(people.employee, setOrderPrice, { order_id, price: { ...price, tax: '0.65' } })
  t.match(await ask(people.customer, payOrder, { order_id }), { paid_amount: '5.65', remaining_amount: '0.00' })
  t.equal(
    await refused(people.admin, setOrderPrice, { order_id, price: { ...price, currency: 'EUR' } }),
    'price.currency no_exchange_rate',
  )
})
