/** Money in hundredths, and what a price consists of, computed without any code of the engine. */

const half = 0.5

/** A percentage of an amount, rounded half up. */
const percentOf = (amount: number, percent: number) => Math.floor((amount * percent * 10) / 1000 + half)

/** The price list of the day, as it is published. */
export const priceList = {
  currency: 'CAD',
  zones: [
    { code: 'city', countries: ['CA'], postal_codes: ['M'] },
    { code: 'country', countries: ['CA'] },
  ],
  services: [
    {
      ...{ code: 'standard', name: 'Standard' },
      prices: [
        { zone: 'city', steps: steps([1000, 5000, 20_000], ['5.35', '7.77', '11.11']) },
        { zone: 'country', steps: steps([1000, 5000, 20_000], ['12.49', '18.05', '29.99']) },
      ],
    },
  ],
  default_service: 'standard',
  surcharges: [{ code: 'fuel', name: 'Fuel', percent: '7.5' }],
  taxes: [{ name: 'HST', percent: '13', countries: ['CA'] }],
}

function steps(grams: readonly number[], prices: readonly string[]) {
  return grams.map((up_to_grams, index) => ({ up_to_grams, price: prices[index] ?? '' }))
}

/** A shipment of the day. */
export interface Shipment {
  readonly postal_code: string
  readonly grams: readonly number[]
}

/** What the own fleet takes: each parcel by its step, fuel on their sum, and the tax on both. */
export function ownPrice({ postal_code, grams }: Shipment): number {
  const isCity = postal_code.startsWith('M')
  const ladder = isCity ? [535, 777, 1111] : [1249, 1805, 2999]
  const carriage = grams.reduce((sum, one) => sum + (ladder[one <= 1000 ? 0 : one <= 5000 ? 1 : 2] ?? 0), 0)
  const fuel = percentOf(carriage, 7.5)
  return carriage + fuel + percentOf(carriage + fuel, 13)
}

/** What the standard service of the sandbox takes: 6.00, and 1.50 for each further zone and started half kilogram. */
export function sandboxPrice(from: string, { postal_code, grams }: Shipment): number {
  const apart = Math.abs(from.charCodeAt(0) - postal_code.charCodeAt(0))
  const further = Math.min(3, apart)
  return grams.reduce((sum, one) => sum + 600 + 150 * (Math.ceil(one / 500) - 1 + further), 0)
}

/** Hundredths as text with two decimals. */
export const moneyOf = (hundredths: number): string =>
  `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`

/** A wallet, and what each order of it has of its money. */
export interface Wallet {
  balance: number
  readonly orders: Map<number, { price: number; paid: number; refunded: number }>
}

/** An order of a customer was booked. */
export function booked({ orders }: Wallet, order: number, price: number): void {
  orders.set(order, { price, paid: 0, refunded: 0 })
}

/** An order is paid in full. */
export function paid(wallet: Wallet, order: number): void {
  const own = wallet.orders.get(order)
  if (own === undefined) throw new Error(`no order ${order}`)
  wallet.balance -= own.price - own.paid
  own.paid = own.price
}

/** Staff give an order another price; what was paid beyond it comes back. */
export function repriced(wallet: Wallet, order: number, price: number): void {
  const own = wallet.orders.get(order)
  if (own === undefined) throw new Error(`no order ${order}`)
  own.price = price
  giveBack(wallet, own, Math.max(0, own.paid - price))
}

/** An order is cancelled; what was paid comes back. */
export function cancelled(wallet: Wallet, order: number): void {
  const own = wallet.orders.get(order)
  if (own === undefined) throw new Error(`no order ${order}`)
  giveBack(wallet, own, own.paid)
}

function giveBack(wallet: Wallet, own: { paid: number; refunded: number }, amount: number): void {
  wallet.balance += amount
  own.paid -= amount
  own.refunded += amount
}
