import * as v from 'valibot'
import { changedRows, followedEntries, followingEntries, followingOf, followingProblem } from '../../entity/changed.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { endOfDay, startOfDay } from '../../kernel/days.ts'
import { numberKey } from '../../kernel/number-key.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { operation } from '../../kernel/operation.ts'
import { pageAnswerEntries, pageOf } from '../../kernel/paging.ts'
import type { Cell, Condition } from '../../kernel/read-model.ts'
import { day, id, refusingMember, word } from '../../kernel/schemas.ts'
import { csvColumns, csvRow, csvRowOf } from './csv.ts'
import { loadOrder, orderIds, visibleWhere } from './load.ts'
import { orderModel } from './order-model.ts'
import { orderRecord, recordOf, statusFor } from './record.ts'
import { ordersOf } from './rows.ts'
import { orderEntries, orderType } from './schema.ts'
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

/** The columns that lists are sorted by; by the id, which grows with the creation, where absent. */
const sortColumns = { created_at: undefined, updated_at: 'changed', schedule_date: 'schedule_date' } as const

const sorts = ['-created_at', 'created_at', '-updated_at', 'updated_at', '-schedule_date', 'schedule_date'] as const

const changeColumns = { position: 'changed', time: 'updated_at' } as const

/** The orders that the caller may see. */
export const getOrders = operation({
  name: 'get_orders',
  summary: 'Orders, filtered and by pages, newest first; or those that changed since a moment or an earlier answer.',
  scopes: ['orders:read'],
  risk: 'low',
  tag: 'Client',
  mcp: { title: 'List orders' },
  rest: { method: 'GET', path: '/api/v1/orders' },
  ids: { customer_id: 'filter', driver_id: 'filter', route_id: 'filter' },
  input: v.pipe(
    v.strictObject({ ...filterEntries, ...followingEntries(sorts) }),
    refusingMember((input) => followingProblem(input)),
  ),
  output: v.strictObject({
    result: v.literal(true),
    ...pageAnswerEntries,
    orders: v.array(orderRecord),
    ...followedEntries,
  }),
  errors: [],
  handle: async (context, { page, per_page, updated_since, cursor, sort = '-created_at', ...filter }) => {
    const { range, paging } = pageOf({ ...(page && { page }), ...(per_page && { per_page }) })
    const condition = conditionOf(context, filter)
    const following = followingOf(changeColumns, { updated_since, cursor })
    if (following !== undefined) {
      const changed = await changedRows(context, orderModel, changeColumns, condition, following, range.limit)
      const { rows, total, ...more } = changed
      const orders = await ordersOf(context, rows)
      return { result: true, total, orders: orders.map((order) => recordOf(order, context)), ...more, ...paging }
    }
    const orderBy = sortColumns[sort.replace('-', '') as keyof typeof sortColumns]
    const query = { ...condition, ...omitUndefined({ orderBy }), newestFirst: sort.startsWith('-'), ...range }
    const { rows, total } = await context.models.page(orderModel, query)
    const orders = await ordersOf(context, rows)
    return { result: true, total, ...paging, orders: orders.map((order) => recordOf(order, context)) }
  },
})

const exportPage = 100

/** The orders that the caller may see, as rows of a table. */
export const exportOrders = operation({
  name: 'export_orders',
  summary: 'Orders as CSV, the oldest first, with the columns that import_orders reads. Surcharges have no column.',
  scopes: ['orders:read'],
  risk: 'low',
  tag: 'Client',
  rest: {
    method: 'GET',
    path: '/api/v1/orders/export',
    csv: { columns: csvColumns, rows: 'orders', asks: 'after', tells: 'next_after', file: 'orders' },
  },
  ids: { customer_id: 'filter', driver_id: 'filter', route_id: 'filter', after: 'filter' },
  input: v.strictObject({
    ...filterEntries,
    after: v.exactOptional(v.pipe(id, v.description('Only orders with a greater id.'))),
  }),
  output: v.strictObject({ result: v.literal(true), orders: v.array(csvRow), next_after: v.exactOptional(v.number()) }),
  errors: [],
  handle: async (context, { after = 0, ...filter }) => {
    const condition = conditionOf(context, filter)
    const between = { ...condition.between, order_id: [after + 1, undefined] as const }
    const query = { ...condition, between, limit: exportPage, uncounted: true } as const
    const { rows } = await context.models.page(orderModel, query)
    const orders = await ordersOf(context, rows)
    const next_after = rows.length < exportPage ? undefined : Number(rows.at(-1)?.order_id)
    return {
      ...{ result: true, orders: orders.map((order) => csvRowOf(recordOf(order, context))) },
      ...omitUndefined({ next_after }),
    }
  },
})

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
