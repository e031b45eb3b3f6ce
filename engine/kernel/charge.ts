import * as v from 'valibot'
import { families } from './account.ts'
import { accountOf } from './call.ts'
import type { Context } from './context.ts'
import type { ReadModel, Row } from './read-model.ts'

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

/** The orders of a statement: ISO 8601, UTC; from the beginning without `since`. */
export interface ChargedRange {
  readonly since: string | undefined
  readonly before: string
}

/** Rows that are read at once. */
const atOnce = 500

/**
 * The rows of a read model that are of a customer of the caller's business, or of none (`null`), and in the range of a statement, in
 * order of id; `changed` is the column of when one changed, and `columns` are read beside the id.
 */
export async function* chargedRows(
  context: Context,
  model: ReadModel,
  { changed, columns = [] }: { readonly changed: string; readonly columns?: readonly string[] },
  { customer, since, before }: ChargedRange & { readonly customer: number | null },
): AsyncGenerator<Row> {
  const [id = ''] = model.key
  const where = { business_id: accountOf(context).business.id, customer_id: customer }
  for (let from = 1; ; ) {
    const { rows } = await context.models.page(model, {
      ...{ where, limit: atOnce, uncounted: true, columns: [id, ...columns, 'created_at'] },
      between: { [changed]: [since, undefined], [id]: [from, undefined] },
    })
    for (const row of rows) if (String(row.created_at) < before) yield row
    if (rows.length < atOnce) return
    from = Number(rows.at(-1)?.[id]) + 1
  }
}
