import * as v from 'valibot'
import { accountOf } from '../../kernel/call.ts'
import { refusalCodes } from '../../kernel/carrier.ts'
import type { Context } from '../../kernel/context.ts'
import { convertedAmount } from '../../kernel/exchange.ts'
import { amountOf } from '../../kernel/money.ts'
import { named } from '../../kernel/named.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { priceOf } from '../../kernel/prices.ts'
import { zonedIso } from '../../kernel/zone.ts'
import { labelStatuses } from './events.ts'
import type { Label } from './label.ts'

const instant = v.pipe(v.string(), v.description('ISO 8601, in the time zone of the business.'))

/** Why a carrier refused, in answers. */
export const refusalRecord = named(
  'CarrierRefusal',
  v.strictObject({ code: v.picklist(refusalCodes), message: v.exactOptional(v.string()) }),
)

/** A label in answers. */
export const labelRecord = v.strictObject({
  order_id: v.pipe(v.number(), v.description('Id of the label order.')),
  status: v.pipe(
    v.picklist(labelStatuses),
    v.description('In LABEL_PENDING, LABEL_VOID_PENDING and LABEL_SUBMIT_PENDING, the carrier is yet to answer.'),
  ),
  carrier_account_id: v.number(),
  carrier: v.string(),
  service: v.string(),
  reference: v.exactOptional(v.pipe(v.string(), v.description('As it was given.'))),
  tracking_numbers: v.array(v.string()),
  shipment_reference: v.exactOptional(v.pipe(v.string(), v.description('What the carrier calls the shipment.'))),
  document: v.exactOptional(
    v.pipe(
      named('LabelDocument', v.strictObject({ reference: v.string(), media_type: v.string() })),
      v.description('Where the carrier has the document of the label.'),
    ),
  ),
  currency: v.exactOptional(priceOf('label_service', v.pipe(v.string(), v.description('That of the business.')))),
  total_price: v.exactOptional(priceOf('label_service', v.pipe(v.string(), v.description('Decimal text, as 12.50.')))),
  carrier_price: v.exactOptional(
    priceOf(
      'label_service',
      v.pipe(
        named(
          'CarrierPrice',
          v.strictObject({
            currency: v.pipe(v.string(), v.description('ISO 4217.')),
            total_price: v.pipe(v.string(), v.description('Decimal text, as 12.50.')),
            exchange_rate: v.pipe(v.string(), v.description('What a unit of this currency costs.')),
            exchange_rate_id: v.number(),
          }),
        ),
        v.description('What the carrier takes, where it sells in another currency; total_price is converted from it.'),
      ),
    ),
  ),
  refusal: v.exactOptional(
    v.pipe(
      refusalRecord,
      v.description('Why the carrier did not sell the label, or the last time did not take it back.'),
    ),
  ),
  tracking: v.exactOptional(
    v.pipe(
      v.array(
        named(
          'LabelTracking',
          v.strictObject({
            tracking_number: v.string(),
            status_code: v.pipe(v.string(), v.description('The latest that the carrier told of the parcel.')),
            occurred_at: v.pipe(v.string(), v.description('ISO 8601.')),
          }),
        ),
      ),
      v.description('In get_shipping_detail: the parcels of which the carrier has told. Their timelines say all.'),
    ),
  ),
  manifest_id: v.exactOptional(v.number()),
  manifest_reference: v.exactOptional(v.string()),
  created_at: instant,
  purchased_at: v.exactOptional(instant),
})

/** A label as answers show it. */
export function recordOf(context: Context, label: Label): v.InferOutput<typeof labelRecord> {
  const { asked, createdAt, status, bought, refusal, manifest } = label
  const { order_id, carrier_account_id, carrier, service, reference } = asked
  const { timeZone } = accountOf(context).business
  const inZone = (at: string) => zonedIso(Date.parse(at), timeZone)
  return {
    ...{ order_id, status, carrier_account_id, carrier, service },
    ...omitUndefined({ reference }),
    tracking_numbers: [...(bought?.tracking_numbers ?? [])],
    ...omitUndefined({ shipment_reference: bought?.reference, document: bought?.document }),
    ...pricesOf(label),
    ...omitUndefined({ refusal, manifest_id: manifest?.id, manifest_reference: manifest?.reference }),
    created_at: inZone(createdAt),
    ...(bought && { purchased_at: inZone(bought.at) }),
  }
}

/** What a label is booked at, and what its carrier takes. The rate of exchange is that of the quote, whatever holds today. */
function pricesOf({ asked, bought }: Label) {
  const { amount, currency } = bought ?? asked
  const exchange = currency === asked.currency ? asked.exchange : undefined
  if (exchange === undefined) return { currency, total_price: amountOf(amount) }
  const { to, rate: exchange_rate, exchange_rate_id } = exchange
  return {
    ...{ currency: to, total_price: amountOf(convertedAmount(amount, exchange)) },
    carrier_price: { currency, total_price: amountOf(amount), exchange_rate, exchange_rate_id },
  }
}
