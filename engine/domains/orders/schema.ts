import * as v from 'valibot'
import { amountText, currencyCode, sumText } from '../../kernel/money.ts'
import { named } from '../../kernel/named.ts'
import { addressEntries, addressed } from '../../kernel/places/address.ts'
import { priceOf } from '../../kernel/prices.ts'
import { id, identifier, placeEntries, text, url, word } from '../../kernel/schemas.ts'
import type { timeWindow } from '../../kernel/time-window.ts'

/** The member that names an order. */
export const orderEntries = { order_id: v.pipe(id, v.description('Id of the order.')) }

/** Where somebody is reached by road. */
export const address = named('Address', addressed(v.strictObject(addressEntries)))

/** Somebody who sends or receives. */
export const party = named(
  'Party',
  v.strictObject({
    name: word(100),
    phone: v.exactOptional(
      v.pipe(identifier(40), v.description('With its country prefix where it is known, as +33 6 12 34 56 78.')),
    ),
    email: v.exactOptional(word(254)),
    address,
  }),
)

/** An amount of money. It is a price wherever it is used. */
export const amount = priceOf('local_delivery', amountText)

/** A sum of amounts. */
export const sum = priceOf('local_delivery', sumText)

/** The currency of a price. */
const currency = priceOf('local_delivery', currencyCode)

/** The price of an order. */
export const price = named(
  'OrderPrice',
  v.strictObject({
    shipping_price: amount,
    currency,
    tax: v.exactOptional(amount),
    surcharges: v.exactOptional(
      v.pipe(v.array(v.strictObject({ name: word(100), surcharge_amount: amount })), v.maxLength(20)),
    ),
  }),
)

/** What a price was given as in another currency than that of the business. */
export const originalPrice = named(
  'OriginalPrice',
  v.strictObject({
    currency: v.pipe(v.string(), v.description('ISO 4217.')),
    total_price: v.pipe(v.string(), v.description('Decimal text, as 12.50.')),
    exchange_rate: v.pipe(v.string(), v.description('What a unit of this currency costs in that of the business.')),
    exchange_rate_id: v.number(),
  }),
)

/** A tax in a price: its name and rate as the price list has them, and for which region. */
export const taxLine = named(
  'OrderTax',
  v.strictObject({
    name: v.exactOptional(v.string()),
    percent: v.exactOptional(v.string()),
    country: v.exactOptional(v.string()),
    region: v.exactOptional(v.string()),
    amount,
  }),
)

/**
 * The stored price, with the surcharges and deductions of third-party carriers, which only the business sees (document
 * 3).
 */
export const storedPrice = v.strictObject({
  ...price.entries,
  third_party_cost_plus: v.exactOptional(amount),
  third_party_partial_delivery_deduction: v.exactOptional(amount),
  original_price: v.exactOptional(originalPrice),
  taxes: v.exactOptional(v.array(taxLine)),
})

/** The price of an order. Amounts are decimal text, because floats would round money. */
export type Price = v.InferOutput<typeof storedPrice>

/** A sender or a recipient; all members are personal. */
export type Party = v.InferOutput<typeof party>

/** When something may be done: `HH:MM`, in the time zone of the business. */
export type TimeWindow = v.InferOutput<typeof timeWindow>

/** Kinds of order. */
export const orderType = v.pipe(
  v.picklist(['D', 'P', 'P2P']),
  v.description('D: delivery, P: pickup, P2P: from one peer to another.'),
)

/** Delivery to a recipient, pick-up from a sender, or from one peer to another. */
export type OrderType = v.InferOutput<typeof orderType>

/** The most photographs that one step may have. */
const maxPhotos = 20

/** Where a step was done, and what shows it. */
export const circumstanceEntries = {
  ...placeEntries,
  photo_urls: v.exactOptional(v.pipe(v.array(url), v.maxLength(maxPhotos))),
  note: v.exactOptional(text(500)),
}

/** The place, photos, signature, recipient, note and origin of a step. */
export interface Circumstances {
  readonly latitude?: number
  readonly longitude?: number
  readonly photo_urls?: readonly string[]
  readonly signature_url?: string
  readonly recipient?: string
  /** Free text. */
  readonly note?: string
  /** The network address that the step was reported from, or its block. */
  readonly ip_address?: string
}
