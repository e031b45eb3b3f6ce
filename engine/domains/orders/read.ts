import * as v from 'valibot'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { endOfDay, startOfDay } from '../../kernel/days.ts'
import { numberKey } from '../../kernel/number-key.ts'
import { operation } from '../../kernel/operation.ts'
import { pageAnswerEntries, pageEntries, pageOf } from '../../kernel/paging.ts'
import type { Cell, Condition, Row } from '../../kernel/read-model.ts'
import { day, id, word } from '../../kernel/schemas.ts'
import { findLoaded, isVisible, loadOrder, orderIds, visibleWhere } from './load.ts'
import { orderModel } from './order-model.ts'
import { orderRecord, recordOf, statusFor } from './record.ts'
import { orderEntries, orderType } from './schema.ts'
import type { Order } from './state.ts'
import { type Status, statuses, statusNamed, statusText } from './status.ts'

/** One order. */
export const getOrderDetail = operation({
  name: 'get_order_detail',
  summary: 'One order by its id.',
  scopes: ['orders:read'],
  risk: 'low',
  tag: 'Client',
  mcp: { title: 'Order detail' },
  rest: { method: 'GET', path: '/api/v1/orders/{order_id}' },
  ids: orderIds,
  input: v.strictObject(orderEntries),
  output: v.strictObject({ result: v.literal(true), order: orderRecord }),
  errors: ['order_not_found'],
  handle: async (context, { order_id }) => ({
    result: true,
    order: recordOf(await loadOrder(context, order_id), context),
  }),
})

const filterEntries = {
  status: v.exactOptional(
    v.pipe(v.array(statusText), v.maxLength(20), v.description('Any of these statuses, by name or id.')),
  ),
  type: v.exactOptional(orderType),
  customer_id: v.exactOptional(id),
  driver_id: v.exactOptional(id),
  route_id: v.exactOptional(id),
  schedule_date: v.exactOptional(day),
  date_from: v.exactOptional(
    v.pipe(day, v.description('Created on this day or later, in the time zone of the business.')),
  ),
  date_to: v.exactOptional(
    v.pipe(day, v.description('Created on this day or before, in the time zone of the business.')),
  ),
  reference: v.exactOptional(v.pipe(word(100), v.description('The whole reference, in any case.'))),
}
const filters = v.strictObject(filterEntries)

/** The orders that the caller may see. */
export const getOrders = operation({
  name: 'get_orders',
  summary: 'Orders, filtered and by pages, newest first.',
  scopes: ['orders:read'],
  risk: 'low',
  tag: 'Client',
  mcp: { title: 'List orders' },
  rest: { method: 'GET', path: '/api/v1/orders' },
  ids: { customer_id: 'filter', driver_id: 'filter', route_id: 'filter' },
  input: v.strictObject({ ...filterEntries, ...pageEntries }),
  output: v.strictObject({ result: v.literal(true), ...pageAnswerEntries, orders: v.array(orderRecord) }),
  errors: [],
  handle: async (context, { page, per_page, ...filter }) => {
    const { range, paging } = pageOf({ ...(page && { page }), ...(per_page && { per_page }) })
    const query = { ...conditionOf(context, filter), newestFirst: true, ...range }
    const { rows, total } = await context.models.page(orderModel, query)
    const orders = await ordersOf(context, rows)
    return { result: true, total, ...paging, orders: orders.map((order) => recordOf(order, context)) }
  },
})

/** The orders of some rows, but for those that the caller may not see any more. */
export async function ordersOf(context: Context, rows: readonly Row[]): Promise<readonly Order[]> {
  const loaded = await Promise.all(rows.map(({ order_id }) => findLoaded(context, Number(order_id))))
  return loaded.flatMap((one) => (one === undefined || !isVisible(context, one.state) ? [] : [one.state]))
}

/** The condition of the requested rows. Filters only narrow what the caller may see. */
function conditionOf(context: Context, filter: v.InferOutput<typeof filters>): Condition {
  const { status, date_from, date_to, reference, ...same } = filter
  const zone = accountOf(context).business.timeZone
  const among: Record<string, readonly Cell[]> = Object.fromEntries(
    Object.entries(same).map(([column, value]) => [column, [value]]),
  )
  if (status !== undefined) among.status = statusIds(context, status)
  if (reference !== undefined) among.reference_key = [numberKey(reference)]
  const from = date_from === undefined ? undefined : startOfDay(date_from, zone)
  const to = date_to === undefined ? undefined : endOfDay(date_to, zone)
  return { where: visibleWhere(context), among, between: { created_at: [from, to] } }
}

/** The ids of all statuses that the caller sees as one of these. */
function statusIds(context: Context, filter: readonly string[]): readonly number[] {
  const wanted = filter.map(statusNamed)
  const names = Object.keys(statuses) as readonly Status[]
  return names.filter((name) => wanted.includes(statusFor(context, name))).map((name) => statuses[name].id)
}
