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

/** How many decimals the amounts of a currency have (ISO 4217), at most the two that amounts have here. */
function decimalsOf(currency: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  return Math.min(2, format.resolvedOptions().maximumFractionDigits ?? 2)
}

/**
 * An amount in another currency, both in hundredths: rounded half up, to whole units in a currency without decimals, and else to
 * hundredths, also where the currency has thousandths.
 */
export function convertedAmount(hundredths: number, { to, rate }: Pick<Exchange, 'to' | 'rate'>): number {
  const [whole = '0', fraction = ''] = rate.split('.')
  const step = 10n ** BigInt(2 - decimalsOf(to))
  const scale = 10n ** BigInt(fraction.length) * step
  const exact = BigInt(hundredths) * BigInt(whole + fraction)
  return Number(((2n * exact + scale) / (2n * scale)) * step)
}
