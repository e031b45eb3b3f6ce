import * as v from 'valibot'
import { accountOf } from '../../kernel/call.ts'
import type { Shipment, ShipmentParty } from '../../kernel/carrier.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { exchange } from '../../kernel/exchange.ts'
import { type Finding, pathTo } from '../../kernel/finding.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { bareParcel, bareParcels } from '../../kernel/parcel.ts'
import { normalPlace } from '../../kernel/places/place.ts'
import { plainPostalCode } from '../../kernel/places/postal-codes.ts'
import { compareParcels, comparison } from '../../kernel/rate-differences.ts'

/** How long a rate of a carrier can be bought, in milliseconds. */
export const labelRateLifetime = 3_600_000

/** The members of a party that decide the price. */
const placeMembers = ['country', 'region', 'postal_code'] as const

const place = v.object(Object.fromEntries(placeMembers.map((member) => [member, v.exactOptional(v.string())])))

const ticket = v.strictObject({
  business_id: v.number(),
  /** The customer that it is sold to, and at which price: decimal text in the currency of the business. */
  customer_id: v.exactOptional(v.number()),
  sell_price: v.exactOptional(v.string()),
  carrier_account_id: v.number(),
  service: v.string(),
  /** Decimal text. */
  amount: v.string(),
  currency: v.string(),
  /** How the price is converted, if it is in another currency than that of the business. */
  exchange: v.exactOptional(exchange),
  /** What the carrier calls the rate. */
  reference: v.exactOptional(v.string()),
  /** Epoch milliseconds. */
  expires: v.number(),
  from: place,
  to: place,
  parcels: v.array(bareParcel),
})

/** What the id of a rate says. It is sealed, so that nothing of a quote has to be stored and the price can be hidden. */
type LabelRate = v.InferOutput<typeof ticket>

const prefix = 'label_'

/** The id of a rate of a carrier for a shipment. */
export function labelRateId(
  context: Context,
  { from, to, parcels }: Shipment,
  rate: Pick<
    LabelRate,
    | 'carrier_account_id'
    | 'service'
    | 'amount'
    | 'currency'
    | 'exchange'
    | 'reference'
    | 'expires'
    | 'customer_id'
    | 'sell_price'
  >,
): string {
  const { id: business_id } = accountOf(context).business
  const said: LabelRate = { business_id, ...rate, from: placeOf(from), to: placeOf(to), parcels: bareParcels(parcels) }
  return prefix + context.credentials.seal(JSON.stringify(said))
}

/**
 * The rate of an id that can be bought by the caller for a shipment; one in another currency is converted as it was quoted. Staff
 * may also buy what was quoted for a customer: for that customer, and at its price. Refuses with `rate_invalid`, `rate_expired` or `rate_currency_differs`, and with
 * `invalid_input` and `rate_differs` at each member that was not quoted so.
 */
export function labelRateFor(context: Context, rateId: string, shipment: Shipment): LabelRate {
  const { id, role, business } = accountOf(context)
  const said = rateId.startsWith(prefix) ? context.credentials.unseal(rateId.slice(prefix.length)) : undefined
  if (said === undefined) throw new EngineError('rate_invalid')
  const rate = v.parse(ticket, JSON.parse(said))
  const isOwn = role === 'customer' ? rate.customer_id === id : rate.business_id === business.id
  const isPriced = (rate.customer_id === undefined) === (rate.sell_price === undefined)
  if (!isOwn || !isPriced) throw new EngineError('rate_invalid')
  if (rate.expires <= context.clock()) throw new EngineError('rate_expired')
  if ((rate.exchange?.to ?? rate.currency) !== business.currency)
    throw new EngineError('rate_currency_differs', { received: rate.currency, expected: business.currency })
  const findings = differences(rate, shipment)
  if (findings.length > 0) throw new EngineError('invalid_input', { count: findings.length }, findings)
  return rate
}

/** What of a party decides the price; postal codes are in capitals, without spaces and hyphens. */
function placeOf(party: ShipmentParty): Readonly<Record<string, string>> {
  const { country, region, postal_code } = normalPlace(party)
  return omitUndefined({ country, region, postal_code: postal_code && plainPostalCode(postal_code) })
}

function differences(rate: LabelRate, shipment: Shipment): readonly Finding[] {
  const compared = comparison()
  for (const party of ['from', 'to'] as const)
    for (const member of placeMembers)
      compared.compare(pathTo(party, member), rate[party][member], placeOf(shipment[party])[member])
  compareParcels(compared, rate.parcels, shipment.parcels)
  return compared.found
}
