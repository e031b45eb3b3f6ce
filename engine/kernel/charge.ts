import * as v from 'valibot'
import { families } from './account.ts'

/** Decimal text in the currency of its statement or order; below zero where it takes back what an earlier one said. */
const amount = v.string()

/** A tax on an order: its name and rate as the price list has them, and for which region. */
export const chargedTax = v.strictObject({
  name: v.exactOptional(v.string()),
  percent: v.exactOptional(v.string()),
  country: v.exactOptional(v.string()),
  region: v.exactOptional(v.string()),
  /** What it is taken of. */
  net: amount,
  tax: amount,
})

/** What an order costs its customer: nothing once it is cancelled. */
export const charge = v.strictObject({
  order_id: v.number(),
  family: v.picklist(families),
  reference: v.exactOptional(v.string()),
  net: amount,
  tax: amount,
  taxes: v.array(chargedTax),
})

/** A tax on an order. */
export type ChargedTax = v.InferOutput<typeof chargedTax>

/** What an order costs its customer. */
export type Charge = v.InferOutput<typeof charge>

/** A movement of a wallet, as statements tell it. */
export const chargedMovement = v.strictObject({
  /** Its number in the wallet, from 1 on. */
  number: v.number(),
  at: v.string(),
  kind: v.string(),
  amount,
  /** After it. */
  balance: amount,
  order_id: v.exactOptional(v.number()),
  /** The family whose number that is; absent where it is one of the sequence of orders. */
  family: v.exactOptional(v.string()),
})

/** A movement of a wallet. */
export type ChargedMovement = v.InferOutput<typeof chargedMovement>
