import type { Context } from '../../kernel/context.ts'
import { conditionOf } from './filter.ts'
import { visibleWhere } from './load.ts'
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

/**
 * Orders and labels with ids from `first` on, in order of id: those that the caller, an account, may see, or those of the
 * business of a provider.
 */
export async function ordersFrom(context: Context, first: number, limit: number) {
  const { caller, models } = context
  if (caller.kind !== 'account' && caller.businessId === undefined) return []
  const where = caller.kind === 'account' ? visibleWhere(context) : { business_id: caller.businessId ?? null }
  const columns = ['order_id', 'tracking_number', 'tracking_key']
  const between = { order_id: [first, undefined] as const }
  const { rows } = await models.page(orderModel, { where, between, limit, uncounted: true, columns })
  return rows.map(({ order_id, tracking_number, tracking_key }) => ({
    id: Number(order_id),
    numbers: [tracking_number ?? tracking_key].flatMap((number) => (number === null ? [] : [String(number)])),
  }))
}
