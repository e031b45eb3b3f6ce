import type { Family } from './account.ts'
import type { Caller } from './context.ts'
import { isObject } from './members.ts'

/** THE LIST of members that tell a price, wherever they stand in an answer or a notice. */
const priceMembers: ReadonlySet<string> = new Set([
  'shipping_price',
  'price_details',
  'currency',
  'tax',
  'tax_amount',
  'surcharge',
  'surcharges',
  'surcharge_amount',
  'price',
  'rate_price',
  'total_price',
  'paid_amount',
  'remaining_amount',
  'refunded_amount',
  'amount',
])

/** Whether a member of this name tells a price. */
export function isPrice(member: string): boolean {
  return priceMembers.has(member)
}

/** Whether the prices of a family are hidden from a caller. */
export function isHidden({ account }: Caller, family: Family | undefined): boolean {
  return family !== undefined && account?.hiddenPrices.includes(family) === true
}

/** An answer without any price, and saying so: what is left out is not zero (document 1, price hiding). */
export function withoutPrices(answer: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { ...(stripped(answer) as object), price_hidden: true }
}

/** A value without the members that tell a price. */
export function stripped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stripped)
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(([name]) => !isPrice(name))
  return Object.fromEntries(kept.map(([name, member]) => [name, stripped(member)]))
}
