import * as v from 'valibot'
import { accountOf } from '../../../../kernel/call.ts'
import type { Context } from '../../../../kernel/context.ts'
import { EngineError } from '../../../../kernel/errors.ts'
import { operation } from '../../../../kernel/operation.ts'
import { pageAnswerEntries, pageEntries, pageOf } from '../../../../kernel/paging.ts'
import { present } from '../../../../kernel/present.ts'
import { maxAmong, type Row } from '../../../../kernel/read-model.ts'
import { day, id } from '../../../../kernel/schemas.ts'
import { dayIn } from '../../../../kernel/zone.ts'
import { findLoaded, isVisible, visibleWhere } from '../../load.ts'
import { orderModel } from '../../order-model.ts'
import { orderSummary, summaryOf } from '../../record.ts'
import { routeModel } from '../route-model.ts'
import { findDriver } from './known.ts'

const orderOfDay = v.strictObject({
  ...orderSummary.entries,
  route_id: v.exactOptional(v.number()),
  stop: v.exactOptional(v.number()),
  time_window: v.exactOptional(v.strictObject({ start: v.string(), end: v.string() })),
})

/** The orders of a driver on a day: those of its routes of that day by their stops, then those on no route. */
export const getDriverRoutesToday = operation({
  name: 'get_driver_routes_today',
  summary: 'The orders of a driver on a date, today where none is named: by their stops, then those on no route.',
  scopes: ['routes:read', 'drivers:read'],
  risk: 'low',
  tag: 'Driver',
  mcp: { title: "A driver's orders of a day" },
  rest: { method: 'GET', path: '/api/v1/drivers/{driver_id}/orders' },
  input: v.strictObject({
    driver_id: v.pipe(id, v.description('User id of the driver.')),
    date: v.exactOptional(
      v.pipe(day, v.description('YYYY-MM-DD; today in the time zone of the business where absent.')),
    ),
    ...pageEntries,
  }),
  output: v.strictObject({
    result: v.literal(true),
    driver_id: v.number(),
    date: v.string(),
    ...pageAnswerEntries,
    orders: v.array(orderOfDay),
  }),
  errors: ['driver_not_found'],
  handle: async (context, { driver_id, date: asked, ...page }) => {
    const account = accountOf(context)
    const isOther = account.role === 'driver' && account.id !== driver_id
    if (isOther || account.role === 'customer' || (await findDriver(context, driver_id)) === undefined)
      throw new EngineError('driver_not_found', { driver: driver_id })
    const date = asked ?? dayIn(context.clock(), account.business.timeZone)
    const { range, said } = pageOf(page)
    const ids = await ordersOfDay(context, driver_id, date)
    const shown = ids.slice(range.offset, range.offset + range.limit)
    const orders = await Promise.all(shown.map((order) => shownOrder(context, order)))
    return { result: true, driver_id, date, total: ids.length, ...said, orders: orders.flat() }
  },
})

/** A driver's day is counted in dozens; more than so many of anything are not looked for. */
const limit = maxAmong

async function ordersOfDay(context: Context, driver_id: number, date: string): Promise<readonly number[]> {
  const { models } = context
  const seen = { ...visibleWhere(accountOf(context)), driver_id }
  const day = { business_id: accountOf(context).business.id, driver_id, schedule_date: date }
  const { rows: routes } = await models.page(routeModel, { where: day, limit })
  const route_id = routes.map((row) => Number(row.route_id))
  const onRoutes = await models.page(orderModel, { where: seen, among: { route_id }, limit })
  const alone = await models.page(orderModel, { where: { ...seen, schedule_date: date, route_id: null }, limit })
  return [...[...onRoutes.rows].sort(byStop), ...alone.rows].map((row) => Number(row.order_id))
}

function byStop(one: Row, other: Row): number {
  return Number(one.route_id) - Number(other.route_id) || Number(one.stop) - Number(other.stop)
}

/** The order, unless it was taken from the caller a moment ago. */
async function shownOrder(context: Context, id: number): Promise<v.InferOutput<typeof orderOfDay>[]> {
  const order = (await findLoaded(context, id))?.order
  if (order === undefined || order.isDeleted || !isVisible(accountOf(context), order)) return []
  const { route, timeWindow } = order
  const entry = {
    ...summaryOf(order, context),
    ...present({ route_id: route?.id, stop: route?.stop, time_window: timeWindow && { ...timeWindow } }),
  }
  return [entry]
}
