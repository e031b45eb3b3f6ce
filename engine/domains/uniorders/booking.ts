import * as v from 'valibot'
import { bookedEntries } from '../../kernel/carrier.ts'
import type { Context } from '../../kernel/context.ts'
import type { Append } from '../../kernel/event-store.ts'
import { named } from '../../kernel/named.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { word } from '../../kernel/schemas.ts'
import { shippingOf, type Uniorder, type Way } from './uniorder.ts'

/** A request for a uniorder. */
export const bookingSchema = named(
  'UniorderBooking',
  v.strictObject({
    rate_id: v.pipe(word(12_000), v.description('A rate of uniorder_rate; it decides how the shipment is delivered.')),
    ...bookedEntries,
  }),
)

/** A request for a uniorder. */
type BookingRequest = v.InferOutput<typeof bookingSchema>

/** Codes that a booking may be refused with. */
export const bookingErrors = [
  ...(['rate_invalid', 'rate_expired', 'rate_used', 'rate_differs', 'rate_currency_differs'] as const),
  ...(['customs_required'] as const),
  ...(['wrong_account', 'carrier_account_not_found', 'contention'] as const),
] as const

/** A uniorder that is not recorded yet. Refuses with `bookingErrors`. */
export async function draftUniorder(
  context: Context,
  { rate_id: rateId, reference, ...shipment }: BookingRequest,
): Promise<{ readonly uniorder: Uniorder; readonly appends: readonly Append[] }> {
  const way = wayOf(rateId)
  const booking = { rateId, shipment, ...omitUndefined({ reference }) }
  const { id, appends } = await shippingOf(context, { way }).draft(context, booking)
  return { uniorder: { way, id }, appends }
}

/** Rates of carriers begin with `label_`. */
function wayOf(rateId: string): Way {
  return rateId.startsWith('label_') ? 'label' : 'order'
}
