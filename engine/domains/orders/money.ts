import type { Price } from './events.ts'

/** Hundredths of a decimal text with at most two digits behind the point. */
export function hundredthsOf(amount: string): number {
  const [whole = '0', fraction = ''] = amount.split('.')
  return Number(whole) * 100 + Number(fraction.padEnd(2, '0'))
}

/** Decimal text with two digits behind the point. */
export function amountOf(hundredths: number): string {
  return `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`
}

/** The sum of amounts. */
export function sumOf(amounts: readonly string[]): string {
  return amountOf(amounts.reduce((sum, amount) => sum + hundredthsOf(amount), 0))
}

/** What an order costs altogether: carriage, tax and surcharges. */
export function totalOf({ shipping_price, tax = '0', surcharges = [] }: Price): string {
  return sumOf([shipping_price, tax, ...surcharges.map(({ surcharge_amount }) => surcharge_amount)])
}

/** What is left to pay, and never less than nothing. */
export function remainingOf(price: Price, paid: string): string {
  return amountOf(Math.max(0, hundredthsOf(totalOf(price)) - hundredthsOf(paid)))
}
