import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { Finding } from '../../kernel/finding.ts'
import { pathTo } from '../../kernel/finding.ts'
import { convertedAmount, precisionFindings } from '../../kernel/money.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { totalOf } from './money.ts'
import type { Price } from './schema.ts'

/**
 * A price in the currency of the business: one in another currency is converted at the rate of exchange of today. Refuses amounts with
 * more decimals than their currency has (`too_precise`), and a currency without a rate of exchange (`no_exchange_rate`).
 */
export async function ownPrice(context: Context, price: Price): Promise<Price> {
  const { currency: own } = accountOf(context).business
  const imprecise = imprecisionOf(price)
  if (imprecise.length > 0) throw new EngineError('invalid_input', { count: imprecise.length }, imprecise)
  const { currency } = price
  if (currency === own) return price
  const exchange = await context.ports.orders.exchangeFor(context, currency)
  if (exchange === undefined) {
    const finding: Finding = {
      path: 'price.currency',
      code: 'no_exchange_rate',
      params: { received: currency, expected: own },
    }
    throw new EngineError('invalid_input', { count: 1 }, [finding])
  }
  const { rate: exchange_rate, exchange_rate_id } = exchange
  const inOwn = (amount: string) => convertedAmount(amount, exchange)
  return {
    ...{ shipping_price: inOwn(price.shipping_price), currency: own },
    ...omitUndefined({ tax: price.tax && inOwn(price.tax), surcharges: price.surcharges?.map(convertedSurcharge) }),
    original_price: { currency, total_price: totalOf(price), exchange_rate, exchange_rate_id },
  }

  function convertedSurcharge({ name, surcharge_amount }: NonNullable<Price['surcharges']>[number]) {
    return { name, surcharge_amount: inOwn(surcharge_amount) }
  }
}

function imprecisionOf({ currency, shipping_price, tax, surcharges = [] }: Price): readonly Finding[] {
  return [
    ...precisionFindings('price.shipping_price', shipping_price, currency),
    ...precisionFindings('price.tax', tax, currency),
    ...surcharges.flatMap(({ surcharge_amount }, index) =>
      precisionFindings(`${pathTo('price.surcharges', index)}.surcharge_amount`, surcharge_amount, currency),
    ),
  ]
}
