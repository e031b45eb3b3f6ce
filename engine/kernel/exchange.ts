import * as v from 'valibot'

/** A rate of exchange that is used for a price: what a unit of the currency of the price costs in another one. */
export const exchange = v.strictObject({
  exchange_rate_id: v.number(),
  /** ISO 4217. */
  to: v.string(),
  /** Decimal text. */
  rate: v.string(),
})

/** A rate of exchange that is used for a price. */
export type Exchange = v.InferOutput<typeof exchange>
