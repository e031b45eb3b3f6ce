import { amountOf, hundredthsOf, lessOf, sumOf } from '../../kernel/money.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import type { Price } from './schema.ts'

/** A price as it is kept: its amounts with two digits behind the point, however they were given. */
export function keptPrice(price: Price): Price {
  const { shipping_price, currency, tax, surcharges } = price
  const { third_party_cost_plus, third_party_partial_delivery_deduction } = price
  const written = (amount: string) => amountOf(hundredthsOf(amount))
  return {
    shipping_price: written(shipping_price),
    currency,
    ...omitUndefined({
      tax: tax && written(tax),
      surcharges: surcharges?.map(({ name, surcharge_amount }) => ({
        name,
        surcharge_amount: written(surcharge_amount),
      })),
      third_party_cost_plus: third_party_cost_plus && written(third_party_cost_plus),
      third_party_partial_delivery_deduction:
        third_party_partial_delivery_deduction && written(third_party_partial_delivery_deduction),
    }),
  }
}

/** What an order costs altogether: carriage, tax and surcharges. */
export function totalOf({ shipping_price, tax = '0', surcharges = [] }: Price): string {
  return sumOf([shipping_price, tax, ...surcharges.map(({ surcharge_amount }) => surcharge_amount)])
}

/** What is left to pay, and never less than nothing. */
export function remainingOf(price: Price, paid: string): string {
  return lessOf(totalOf(price), paid)
}
