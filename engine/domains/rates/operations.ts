import * as v from 'valibot'
import { customerFor, ownCustomerId } from '../../entity/access.ts'
import { staff } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { messageOf } from '../../kernel/messages/index.ts'
import { amountOf } from '../../kernel/money.ts'
import { named } from '../../kernel/named.ts'
import { operation } from '../../kernel/operation.ts'
import { priceOf } from '../../kernel/prices.ts'
import { id, number } from '../../kernel/schemas.ts'
import { isoOf } from '../../kernel/time.ts'
import { dayIn, zonedIso } from '../../kernel/zone.ts'
import { execute } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { type Contents, checkItems, checkPlaces, contentsEntries } from './contents.ts'
import { type Line, type NotOffered, priceOfQuote, type Quote, quotesOf, total } from './price.ts'
import { priceList } from './price-list.ts'
import { type Published, priceListStream, priceLists, publishedList } from './published.ts'
import { rateIdOf, rateLifetime } from './rate-id.ts'

const tag = 'Client'

const listBodyLimit = 512 * 1024

const listAnswer = named(
  'PriceListAnswer',
  v.strictObject({
    result: v.literal(true),
    version: v.pipe(v.number(), v.description('1 for the first list of the business.')),
    published_at: v.pipe(v.string(), v.description('ISO 8601, in the time zone of the business.')),
    price_list: priceList,
  }),
)

/** Returns the price list of the business, or an earlier version. */
export const getPriceList = operation({
  name: 'get_price_list',
  summary: 'The price list of the business, or an earlier version of it.',
  scopes: ['orders:read'],
  roles: staff,
  risk: 'low',
  tag,
  rest: { method: 'GET', path: '/api/v1/price-list' },
  input: v.strictObject({ version: v.exactOptional(v.pipe(number, v.description('The current one where absent.'))) }),
  output: listAnswer,
  errors: ['no_price_list'],
  handle: async (context, { version }) => listRecord(context, version),
})

/** Publishes a price list of the business. */
export const publishPriceList = operation({
  name: 'publish_price_list',
  summary:
    'Publish a price list of the business, which holds from then on. Earlier versions and quotes stay as they were.',
  scopes: ['orders:write'],
  roles: ['client_admin'],
  risk: 'medium',
  tag,
  rest: { method: 'PUT', path: '/api/v1/price-list', document: 'price_list', bodyLimit: listBodyLimit },
  ids: { 'price_list.discounts.*.customers.*': ownCustomerId },
  input: v.strictObject({ price_list: priceList }),
  output: listAnswer,
  errors: [
    ...(['currency_of_business', 'steps_not_rising', 'not_unique', 'unknown_region'] as const),
    ...(['customer_not_found', 'contention'] as const),
  ],
  handle: async (context, { price_list: list }) => {
    const { id: by, business } = accountOf(context)
    const { id: business_id, currency } = business
    const command = { type: 'PublishPriceList', at: isoOf(context.clock()), by, business_id, currency, list } as const
    await execute(context.store, priceLists, priceListStream(business_id), command, toNewEvent(context))
    return listRecord(context, undefined)
  },
})

async function listRecord(context: Context, version: number | undefined) {
  const { business } = accountOf(context)
  const published = await publishedList(context, business.id, version)
  if (published === undefined) throw new EngineError('no_price_list')
  const published_at = zonedIso(Date.parse(published.at), business.timeZone)
  return { result: true, version: published.version, published_at, price_list: published.list }
}

/** A part of a price; customers from whom prices are hidden do not get it. */
const money = v.exactOptional(priceOf('local_delivery', v.pipe(v.string(), v.description('Decimal text, as 12.50.'))))
const lineAmount = priceOf(
  'local_delivery',
  v.pipe(v.string(), v.description('Decimal text; a discount begins with a minus sign.')),
)
const currency = priceOf('local_delivery', v.pipe(v.string(), v.description('ISO 4217.')))

const rate = named(
  'DeliveryRate',
  v.strictObject({
    rate_id: v.pipe(v.string(), v.description('Give it to create_order to book at this rate.')),
    service: v.string(),
    service_name: v.string(),
    zone: v.string(),
    expires_at: v.pipe(v.string(), v.description('ISO 8601, in the time zone of the business.')),
    currency: v.exactOptional(currency),
    shipping_price: money,
    tax: money,
    surcharges: v.exactOptional(
      priceOf('local_delivery', v.array(v.strictObject({ name: v.string(), surcharge_amount: v.string() }))),
    ),
    total_price: money,
    price_details: v.exactOptional(
      priceOf(
        'local_delivery',
        v.pipe(
          v.array(
            v.strictObject({
              kind: v.picklist(['carriage', 'minimum', 'discount', 'surcharge', 'tax']),
              name: v.string(),
              amount: lineAmount,
              percent: v.exactOptional(v.string()),
              chargeable_grams: v.exactOptional(v.number()),
            }),
          ),
          v.description('What the price is made of; the amounts add up to the total.'),
        ),
      ),
    ),
  }),
)

const notOffered = named(
  'ServiceNotOffered',
  v.strictObject({
    service: v.string(),
    service_name: v.string(),
    code: v.picklist(['service_not_for_type', 'service_not_valid', 'address_not_served', 'parcel_too_heavy']),
    message: v.string(),
  }),
)

/** Prices a delivery by every service of the business. */
export const quoteDelivery = operation({
  name: 'quote_delivery',
  summary: 'What a local delivery costs by each service of the business, cheapest first. No order is created.',
  scopes: ['orders:read'],
  roles: [...staff, 'customer'],
  risk: 'low',
  tag,
  mcp: { title: 'Quote delivery', hint: 'A rate can be booked for 24 hours: give its rate_id to create_order.' },
  rest: { method: 'POST', path: '/api/v1/orders/rate' },
  ids: { customer_id: 'rule' },
  input: v.pipe(
    v.strictObject({
      ...contentsEntries,
      customer_id: v.exactOptional(
        v.pipe(id, v.description('Whose order it would be. Only staff may give it; a customer asks for itself.')),
      ),
    }),
    checkPlaces(),
    checkItems(),
  ),
  output: v.strictObject({
    result: v.literal(true),
    rates: v.array(rate),
    not_offered: v.pipe(v.array(notOffered), v.description('The other services, and why there is no rate.')),
  }),
  errors: [
    ...(['no_price_list', 'customer_not_found', 'only_staff', 'items_differ'] as const),
    ...(['region_required', 'region_differs'] as const),
  ],
  handle: async (context, { customer_id, ...asked }) => {
    const { business } = accountOf(context)
    const customerId = await customerFor(context, customer_id)
    const published = await publishedList(context, business.id)
    if (published === undefined) throw new EngineError('no_price_list')
    const day = asked.schedule_date ?? dayIn(context.clock(), business.timeZone)
    const quotes = quotesOf(published.list, asked, { customerId, day })
    const offered = quotes.filter((one): one is Quote => !('code' in one))
    const cheapestFirst = offered.sort((one, other) => Number(total(one.lines) - total(other.lines)))
    const quoted: Quoted = { published, contents: asked, customerId, day }
    return {
      result: true,
      rates: cheapestFirst.map((quote) => rateRecord(context, quote, quoted)),
      not_offered: quotes
        .filter((one): one is NotOffered => 'code' in one)
        .map((one) => notOfferedRecord(context, one)),
    }
  },
})

/** What all rates of a quote share. */
interface Quoted {
  readonly published: Published
  readonly contents: Contents
  readonly customerId: number | undefined
  readonly day: string
}

function rateRecord(context: Context, quote: Quote, { published, contents, customerId, day }: Quoted) {
  const { business } = accountOf(context)
  const { service, zone, lines } = quote
  const expires = context.clock() + rateLifetime
  const { taxes: _, ...price } = priceOfQuote(quote, published.list.currency)
  const rate_id = rateIdOf(context.credentials, {
    business_id: business.id,
    ...(customerId !== undefined && { customer_id: customerId }),
    ...{ version: published.version, service: service.code, day, expires, contents },
  })
  return {
    ...{ rate_id, service: service.code, service_name: service.name, zone },
    expires_at: zonedIso(expires, business.timeZone),
    ...price,
    total_price: amountOf(total(lines), published.list.currency),
    price_details: lines.map((line) => lineRecord(line, published.list.currency)),
  }
}

function lineRecord({ kind, name, units, percent, grams }: Line, currency: string) {
  return {
    ...{ kind, name, amount: amountOf(units, currency) },
    ...(percent !== undefined && { percent }),
    ...(grams !== undefined && { chargeable_grams: grams }),
  }
}

function notOfferedRecord({ messages }: Context, { service, code, params }: NotOffered) {
  return { service: service.code, service_name: service.name, code, message: messageOf(code, params, messages) }
}
