import type { Context } from '../../kernel/context.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { type Cell, maxAmong, type Row } from '../../kernel/read-model.ts'
import { findLoaded, isVisible, visibleWhere } from './load.ts'
import { orderModel } from './order-model.ts'
import { summaryOf } from './record.ts'
import type { Order } from './state.ts'
import { finalStatuses, statuses } from './status.ts'

/** A driver's day is counted in dozens; more than so many of anything are not looked for. */
const limit = maxAmong

/** Ids of the orders of a driver that the caller may see: those on these routes by their stops, then those of the day on no route. */
export async function ordersOfDriver(
  context: Context,
  driver_id: number,
  schedule_date: string,
  route_id: readonly number[],
): Promise<readonly number[]> {
  const { models } = context
  const seen = { ...visibleWhere(context), driver_id }
  const onRoutes = await models.page(orderModel, { where: seen, among: { route_id }, limit })
  const alone = await models.page(orderModel, { where: { ...seen, schedule_date, route_id: null }, limit })
  return [...[...onRoutes.rows].sort(byStop), ...alone.rows].map((row) => Number(row.order_id))
}

function byStop(one: Row, other: Row): number {
  return Number(one.route_id) - Number(other.route_id) || Number(one.stop) - Number(other.stop)
}

/** An order as a driver's day shows it; undefined if the caller has just lost it. */
export async function orderOfDay(context: Context, id: number) {
  const order = (await findLoaded(context, id))?.state
  if (order === undefined || !isVisible(context, order)) return undefined
  return { summary: summaryOf(order, context), route: routeOf(order), timeWindow: order.time_window }
}

function routeOf({ route_id, stop }: Order) {
  return route_id === undefined || stop === undefined ? undefined : { id: route_id, stop }
}

/** Counts the orders of each driver on a day, of those that the caller may see. */
export async function countOrdersOfDrivers(context: Context, driver_id: readonly number[], schedule_date: string) {
  const where = { ...visibleWhere(context), schedule_date }
  const countOf = (status?: readonly number[]) =>
    context.models.counts(orderModel, 'driver_id', { where, among: { driver_id, ...omitUndefined({ status }) } })
  const all = await countOf()
  const delivered = await countOf([statuses.DELIVERED.id])
  const failed = await countOf([statuses.FAILED.id, statuses.RETURNED.id])
  const ended = await countOf([statuses.FAILED.id, ...finalStatuses.map((status) => statuses[status].id)])
  const at = (found: ReadonlyMap<Cell, number>, id: number) => found.get(id) ?? 0
  return (driver: number) => ({
    orders: at(all, driver),
    open: at(all, driver) - at(ended, driver),
    delivered: at(delivered, driver),
    failed: at(failed, driver),
  })
}
