import type { Context } from '../../kernel/context.ts'
import { conditionOf } from './filter.ts'
import { orderModel } from './order-model.ts'

/** Orders whose carriers contradict each other, newest first, as far as the caller may see them. */
export async function contradictedOrders(context: Context, range: { readonly limit: number; readonly offset: number }) {
  const condition = await conditionOf(context, { contradicting: true })
  const query = { ...condition, newestFirst: true, ...range }
  const { rows, total } = await context.models.page(orderModel, query)
  const orders = rows.map(({ order_id, tracking_number, contradicting }) => ({
    ...{ order_id: Number(order_id), tracking_number: String(tracking_number), contradicting: String(contradicting) },
  }))
  return { orders, total }
}
