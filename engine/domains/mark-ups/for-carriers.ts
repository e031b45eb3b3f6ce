import { accountOf } from '../../kernel/call.ts'
import type { Shipment } from '../../kernel/carrier.ts'
import type { Context } from '../../kernel/context.ts'
import { maySell, ruleFor, type Sale, sellPrice } from './price.ts'
import { publishedMarkUps } from './published.ts'

/** What a rate costs the business, and what it is for. */
interface Costing extends Required<Sale> {
  readonly shipment: Shipment
  /** Decimal text in the currency of the business. */
  readonly cost: string
}

/** The mark-ups of the caller's business: what its customers may buy, and at which price. */
export async function markUpsOf(context: Context) {
  const { currency } = accountOf(context).business
  const published = await publishedMarkUps(context)
  // Amounts in a currency that the business had before mean nothing.
  const rules = published?.currency === currency ? published.rules : []
  return {
    /** Whether there may be a shipment that a customer may buy so. */
    maySell: (sale: Sale) => maySell(rules, sale),
    /** What a customer pays, in the currency of the business; undefined if it is not sold. */
    priceOf: ({ shipment, cost, ...sale }: Costing): string | undefined => {
      const rule = ruleFor(rules, sale, shipment)
      return rule === undefined || rule.is_sold === false ? undefined : sellPrice(cost, rule, currency)
    },
  }
}
