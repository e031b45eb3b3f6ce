import { type Charge, type ChargedRange, chargedRows } from '../../kernel/charge.ts'
import type { Context } from '../../kernel/context.ts'
import { isNothing, sumOf } from '../../kernel/money.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { localDelivery } from '../../kernel/order-family.ts'
import { maxAmong, type Row } from '../../kernel/read-model.ts'
import { findLoaded } from './load.ts'
import { orderModel } from './order-model.ts'
import type { Price } from './schema.ts'
import type { Order } from './state.ts'
import { finalStatuses } from './status.ts'

interface Range extends ChargedRange {
  /** The orders that earlier statements have. */
  readonly told: readonly number[]
}

/** What the orders of a customer of the caller's business, or those without one (`null`), cost now, as statements ask for it. */
export async function chargesOf(context: Context, customer: number | null, { since, before, told }: Range) {
  const charges: Charge[] = [...(await lost(context, customer, told))]
  const read = { changed: 'updated_at', columns: ['family'] }
  for await (const row of chargedRows(context, orderModel, read, { customer, since, before }))
    charges.push(await chargeOf(context, row))
  return charges
}

/** Orders that a statement has and that are another customer's now: they cost this one nothing. */
async function lost(context: Context, customer: number | null, told: readonly number[]): Promise<readonly Charge[]> {
  const found: Charge[] = []
  for (let from = 0; from < told.length; from += maxAmong) {
    const { rows } = await context.models.page(orderModel, {
      among: { order_id: told.slice(from, from + maxAmong) },
      ...{ limit: maxAmong, uncounted: true, columns: ['order_id', 'family', 'customer_id'] },
    })
    found.push(...rows.filter((row) => row.customer_id !== customer).map((row) => nothingOf(row)))
  }
  return found
}

async function chargeOf(context: Context, row: Row): Promise<Charge> {
  const id = Number(row.order_id)
  if (row.family !== localDelivery) {
    const family = context.ports.orders.families.find(({ name }) => name === row.family)
    return (await family?.charge(context, id)) ?? nothingOf(row)
  }
  const order = (await findLoaded(context, id))?.state
  if (order?.price === undefined || isGone(order)) return nothingOf(row)
  return {
    order_id: id,
    family: localDelivery,
    ...omitUndefined({ reference: order.reference }),
    ...amountsOf(order.price),
  }
}

/** Whether nothing is charged for an order any more. What was paid for one that had ended stays, also if it is deleted. */
function isGone({ status, is_deleted, paid }: Order): boolean {
  return status === 'CANCELLED' || (is_deleted && (!finalStatuses.includes(status) || isNothing(paid)))
}

function amountsOf({
  shipping_price,
  currency,
  tax = '0',
  taxes,
  surcharges = [],
}: Price): Omit<Charge, 'order_id' | 'family'> {
  const net = sumOf([shipping_price, ...surcharges.map(({ surcharge_amount }) => surcharge_amount)], currency)
  // A tax that was given as an amount has no rate.
  const known = taxes ?? (isNothing(tax) ? [] : [{ amount: tax }])
  return { net, tax: sumOf([tax], currency), taxes: known.map(({ amount, ...one }) => ({ ...one, net, tax: amount })) }
}

function nothingOf({ order_id, family }: Row): Charge {
  return { order_id: Number(order_id), family: String(family) as Charge['family'], net: '0', tax: '0', taxes: [] }
}
