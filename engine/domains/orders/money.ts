import { lessOf, printedAmount, sumOf } from '../../kernel/money.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import type { Bill } from '../../kernel/payable.ts'
import type { Price } from './schema.ts'

/** The stored form of a price: amounts with the decimals of the currency, whatever the form of the request. */
export function keptPrice(price: Price): Price {
  const { shipping_price, currency, tax, surcharges } = price
  const { third_party_cost_plus, third_party_partial_delivery_deduction, original_price, taxes } = price
  const written = (amount: string) => printedAmount(amount, currency)
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
      original_price,
      taxes: taxes?.map((one) => ({ ...one, amount: written(one.amount) })),
    }),
  }
}

/** The total price of an order: carriage, tax and surcharges. */
export function totalOf({ shipping_price, currency, tax = '0', surcharges = [] }: Price): string {
  return sumOf([shipping_price, tax, ...surcharges.map(({ surcharge_amount }) => surcharge_amount)], currency)
}

/** What an order says of its price, and of what was paid. */
export interface Owing {
  readonly price?: Price | undefined
  readonly paid: string
  readonly waived?: string
}

/** The amount that is left to pay, at least zero; what the staff gave back is not to be paid again. */
export function remainingOf({ price, paid, waived = '0' }: Owing): string {
  if (price === undefined) return '0'
  return lessOf(totalOf(price), sumOf([paid, waived], price.currency), price.currency)
}

/** An order that may be paid. */
interface Billed extends Owing {
  readonly customer_id?: number | undefined
  readonly status: string
  readonly is_deleted: boolean
}

/** The bill of an order; what the staff waived is not to be paid. */
export function billOf({ customer_id: customerId, price, paid, waived = '0', status, is_deleted }: Billed): Bill {
  const total = price === undefined ? '0' : lessOf(totalOf(price), waived, price.currency)
  return { customerId, currency: price?.currency, total, paid, isOpen: status !== 'CANCELLED' && !is_deleted }
}
