import * as v from 'valibot'
import { type Family, staff } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import { type CarrierOffer, ownFleetName, refusalCodes, type Shipment } from '../../kernel/carrier.ts'
import type { Context } from '../../kernel/context.ts'
import { missingForCustoms, requireContents } from '../../kernel/customs-findings.ts'
import type { Exchange } from '../../kernel/exchange.ts'
import { compareAmounts, convertedAmount, differenceOf, printedAmount } from '../../kernel/money.ts'
import { named, schemaName } from '../../kernel/named.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { priceOf } from '../../kernel/prices.ts'
import { zonedIso } from '../../kernel/zone.ts'
import type { CarrierAccount } from './account.ts'
import { askAccount, carrierNamed, reasonOf, unansweredCodes } from './asked.ts'
import { type Asking, defaultWait } from './asking.ts'
import { labelRateId, labelRateLifetime } from './rate-id.ts'

/** The schema of a rate with the prices of a family. */
export function rateOf<const Kind extends string>(kind: Kind, family: Family, entries: v.ObjectEntries = {}) {
  const rate = v.strictObject({
    kind: v.literal(kind),
    rate_id: v.string(),
    ...entries,
    service: v.string(),
    service_name: v.string(),
    transit_days: v.exactOptional(v.number()),
    expires_at: v.pipe(v.string(), v.description('ISO 8601, in the time zone of the business.')),
    currency: v.exactOptional(priceOf(family, v.pipe(v.string(), v.description('ISO 4217.')))),
    total_price: v.exactOptional(priceOf(family, v.pipe(v.string(), v.description('Decimal text, as 12.50.')))),
  })
  return named(`${schemaName(kind)}Rate`, rate)
}

const ofCarrier = {
  method_id: v.string(),
  carrier_account_id: v.number(),
  carrier: v.string(),
  carrier_name: v.string(),
}

/** What a price in another currency comes to for the business. */
const converted = v.exactOptional(
  priceOf(
    'label_service',
    v.pipe(
      named(
        'ConvertedPrice',
        v.strictObject({
          currency: v.pipe(v.string(), v.description('That of the business (ISO 4217).')),
          total_price: v.pipe(v.string(), v.description('Decimal text, as 12.50; rounded half up.')),
          exchange_rate: v.pipe(v.string(), v.description('What a unit of the currency of the rate costs.')),
          exchange_rate_id: v.number(),
        }),
      ),
      v.description(
        'What a label at this rate is booked at, where the carrier sells in another currency and the business has set a rate of exchange.',
      ),
    ),
  ),
)

const sold = {
  cost: v.exactOptional(
    priceOf(
      'label_service',
      v.pipe(
        v.string(),
        v.description('For staff that asks for a customer: what the carrier takes, in the currency of the business.'),
      ),
    ),
  ),
  margin: v.exactOptional(
    priceOf('label_service', v.pipe(v.string(), v.description('For the same: total_price less cost.'))),
  ),
}

/** A rate of the drivers of the business, or of another carrier: each has the prices of its order family. */
export const offeredRate = named(
  'ShippingRate',
  v.variant('kind', [
    rateOf('own_fleet', 'local_delivery', ofCarrier),
    rateOf('label', 'label_service', { ...ofCarrier, converted, ...sold }),
  ]),
)

/** The member of an answer with rates that says what customs need beside what was asked. */
export const customsMissingEntry = {
  customs_missing: v.exactOptional(
    v.pipe(
      v.array(v.string()),
      v.description('The members that customs need on this lane and that a purchase of a label must have, too.'),
    ),
  ),
}

/** What customs need beside what was asked; nothing on a lane without customs. */
export function customsMissing(shipment: Shipment): { readonly customs_missing?: readonly string[] } {
  const customs_missing = missingForCustoms(shipment)
  return customs_missing.length === 0 ? {} : { customs_missing }
}

/** A carrier without a rate, and why. */
export const unanswered = named(
  'UnansweredCarrier',
  v.strictObject({
    carrier_account_id: v.number(),
    carrier: v.string(),
    carrier_name: v.string(),
    code: v.picklist(unansweredCodes),
    refusal: v.exactOptional(v.picklist(refusalCodes)),
    message: v.string(),
  }),
)

/** The members of an answer with rates. */
export const offersEntries = {
  rates: v.pipe(
    v.array(offeredRate),
    v.description('Cheapest first; those in a currency without a rate of exchange come last, and cannot be bought.'),
  ),
  unanswered: v.pipe(
    v.array(unanswered),
    v.description('The carriers that refused, failed or did not answer in time.'),
  ),
  ...customsMissingEntry,
}

/** A rate of an account of a carrier. */
interface Offered {
  readonly account: CarrierAccount
  readonly offer: CarrierOffer
  readonly serviceName: string
  /** How its price is converted, if it is in another currency than that of the business. */
  readonly exchange?: Exchange
  /** What it costs the business in its currency: decimal text; undefined if it cannot be bought. */
  readonly charge?: string
  /** The customer that it is sold to, and at which price, in the currency of the business. */
  readonly sold?: { readonly customer_id: number; readonly sell_price: string }
}

/** What carriers answered, in order of price; those that cannot be converted into the currency of the business come last. */
export interface Offers {
  readonly offered: readonly Offered[]
  readonly unanswered: readonly v.InferOutput<typeof unanswered>[]
}

/** Asks carriers at once what a shipment costs with them, and waits no longer than this for any. Customers get what they may buy. */
export async function offersOf(
  context: Context,
  accounts: readonly CarrierAccount[],
  shipment: Shipment,
  { customerId, wait = defaultWait }: Asking,
): Promise<Offers> {
  requireContents(shipment)
  const asked = await soldAccounts(context, accounts, customerId)
  const answers = await Promise.all(asked.map((account) => offersOfAccount(context, account, shipment, wait)))
  const offered = await charged(
    context,
    answers.flatMap((answer) => answer.offered),
  )
  const sold = customerId === undefined ? offered : await soldTo(context, customerId, shipment, offered)
  return { offered: [...sold].sort(byPrice), unanswered: answers.flatMap((answer) => answer.unanswered) }
}

/** The accounts of which a customer may buy something; all of them for the business itself. The own fleet is not sold as labels. */
export async function soldAccounts(
  context: Context,
  accounts: readonly CarrierAccount[],
  customerId: number | undefined,
): Promise<readonly CarrierAccount[]> {
  if (customerId === undefined) return accounts
  const { maySell } = await context.ports.carriers.markUpsOf(context)
  return accounts.filter(({ id, carrier }) => carrier !== ownFleetName && maySell({ customerId, accountId: id }))
}

/** The rates that a customer may buy, with what it pays. */
async function soldTo(
  context: Context,
  customer_id: number,
  shipment: Shipment,
  offered: readonly Offered[],
): Promise<readonly Offered[]> {
  const { priceOf } = await context.ports.carriers.markUpsOf(context)
  return offered.flatMap((one) => {
    const { account, offer, charge: cost } = one
    if (cost === undefined) return []
    const sale = { customerId: customer_id, accountId: account.id, service: offer.service }
    const sell_price = priceOf({ ...sale, shipment, cost })
    return sell_price === undefined ? [] : [{ ...one, sold: { customer_id, sell_price } }]
  })
}

/** What the buyer pays, in the currency of the business; undefined if it cannot be bought. */
export function priceIn({ charge, sold }: Pick<Offered, 'charge' | 'sold'>): string | undefined {
  return sold?.sell_price ?? charge
}

function byPrice(one: Offered, other: Offered): number {
  const byOffer = compareAmounts(one.offer.amount, other.offer.amount)
  const [price, others] = [priceIn(one), priceIn(other)]
  if (price === undefined || others === undefined)
    return Number(price === undefined) - Number(others === undefined) || byOffer
  return compareAmounts(price, others) || byOffer
}

/** The same rates, with what they cost the business today. */
async function charged(context: Context, offered: readonly Offered[]): Promise<readonly Offered[]> {
  const own = accountOf(context).business.currency
  const currencies = [...new Set(offered.map(({ offer }) => offer.currency))].filter((one) => one !== own)
  const found = await Promise.all(currencies.map((one) => context.ports.carriers.exchangeFor(context, one)))
  const exchanges = new Map(currencies.map((one, index) => [one, found[index]]))
  return offered.map((one) => {
    const { amount, currency } = one.offer
    if (currency === own) return { ...one, charge: amount }
    const exchange = exchanges.get(currency)
    return exchange === undefined ? one : { ...one, exchange, charge: convertedAmount(amount, exchange) }
  })
}

async function offersOfAccount(
  context: Context,
  account: CarrierAccount,
  shipment: Shipment,
  wait: number,
): Promise<Offers> {
  const outcome = await askAccount(context, account, 'rate', shipment, wait)
  if (outcome.kind !== 'answered')
    return { offered: [], unanswered: [{ ...namedAccount(account), ...omitUndefined(reasonOf(context, outcome)) }] }
  const names = new Map((await methodsOf(context, account)).map(({ code, name }) => [code, name]))
  const offered = outcome.answer.rates.map((offer) => ({
    ...{ account, offer },
    serviceName: names.get(offer.service) ?? offer.service_name ?? offer.service,
  }))
  return { offered, unanswered: [] }
}

/** The ways of shipping of an account; none if its carrier is not installed any more. */
export async function methodsOf(context: Context, { carrier }: CarrierAccount) {
  return (await carrierNamed(context, carrier))?.services ?? []
}

/** The members that name an account. */
export function namedAccount({ id, carrier, name }: CarrierAccount) {
  return { carrier_account_id: id, carrier, carrier_name: name }
}

/** The id of a way of shipping: the account, and the service of its carrier. */
export function methodId({ id }: CarrierAccount, service: string): string {
  return `${id}.${service}`
}

/** A rate as answers show it. Its id can be bought for an hour. */
export function rateRecord(context: Context, shipment: Shipment, offered: Offered) {
  const { account, offer, serviceName, exchange, sold } = offered
  const { service, amount, currency, transit_days, reference } = offer
  const expires = context.clock() + labelRateLifetime
  const chosen = {
    ...{ carrier_account_id: account.id, service, amount, currency, expires },
    ...omitUndefined({ exchange, reference }),
    ...sold,
  }
  return {
    kind: account.carrier === ownFleetName ? ('own_fleet' as const) : ('label' as const),
    rate_id: labelRateId(context, shipment, chosen),
    method_id: methodId(account, service),
    ...namedAccount(account),
    ...{ service, service_name: serviceName, ...omitUndefined({ transit_days }) },
    expires_at: zonedIso(expires, accountOf(context).business.timeZone),
    ...(sold === undefined ? costRecord(offered) : soldRecord(context, sold.sell_price, offered.charge)),
  }
}

function costRecord({ offer: { amount, currency }, exchange }: Offered) {
  const converted = exchange && { converted: convertedRecord(amount, exchange) }
  return { currency, total_price: printedAmount(amount, currency), ...converted }
}

/** What a customer pays; staff sees what the business has of it, too. */
function soldRecord(context: Context, total_price: string, charge: string = total_price) {
  const { role, business } = accountOf(context)
  const { currency } = business
  const told = { currency, total_price }
  if (!staff.includes(role)) return told
  return { ...told, cost: printedAmount(charge, currency), margin: differenceOf(total_price, charge, currency) }
}

function convertedRecord(amount: string, exchange: Exchange) {
  const { to: currency, rate: exchange_rate, exchange_rate_id } = exchange
  return { currency, total_price: convertedAmount(amount, exchange), exchange_rate, exchange_rate_id }
}
