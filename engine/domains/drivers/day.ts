import * as v from 'valibot'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { operation } from '../../kernel/operation.ts'
import { pageAnswerEntries, pageEntries, pageOf } from '../../kernel/paging.ts'
import { day, id } from '../../kernel/schemas.ts'
import { dayIn } from '../../kernel/zone.ts'
import { findDriver } from './known.ts'

/** Members of an order in addition to its summary. */
const placeEntries = {
  route_id: v.exactOptional(v.number()),
  stop: v.exactOptional(v.number()),
  time_window: v.exactOptional(v.strictObject({ start: v.string(), end: v.string() })),
}

/**
 * Lists a driver's orders of a day: first by the stops of the routes, then those without a route. `orderSummary` has
 * the members of an order's summary.
 */
export const getDriverRoutesToday = (orderSummary: v.ObjectEntries) =>
  operation({
    name: 'get_driver_routes_today',
    summary: 'Orders of a driver on a date: first by their stops, then those without a route. Default: today.',
    scopes: ['routes:read', 'drivers:read'],
    risk: 'low',
    tag: 'Driver',
    mcp: { title: "A driver's orders of a day" },
    rest: { method: 'GET', path: '/api/v1/drivers/{driver_id}/orders' },
    ids: { driver_id: 'rule' },
    input: v.strictObject({
      driver_id: v.pipe(id, v.description('User id of the driver.')),
      date: v.exactOptional(v.pipe(day, v.description('YYYY-MM-DD. Default: today in the time zone of the business.'))),
      ...pageEntries,
    }),
    output: v.strictObject({
      result: v.literal(true),
      driver_id: v.number(),
      date: v.string(),
      ...pageAnswerEntries,
      orders: v.array(v.strictObject({ ...orderSummary, ...placeEntries })),
    }),
    errors: ['driver_not_found'],
    handle: async (context, { driver_id, date: requested, ...page }) => {
      const account = accountOf(context)
      const isOther = account.role === 'driver' && account.id !== driver_id
      if (isOther || account.role === 'customer' || (await findDriver(context, driver_id)) === undefined)
        throw new EngineError('driver_not_found', { driver: driver_id })
      const date = requested ?? dayIn(context.clock(), account.business.timeZone)
      const { range, paging } = pageOf(page)
      const { routesOn, ordersOn } = context.ports.drivers
      const ids = await ordersOn(context, driver_id, date, await routesOn(context, driver_id, date))
      const shown = ids.slice(range.offset, range.offset + range.limit)
      const orders = await Promise.all(shown.map((order) => shownOrder(context, order)))
      return { result: true, driver_id, date, total: ids.length, ...paging, orders: orders.flat() }
    },
  })

async function shownOrder(context: Context, id: number) {
  const order = await context.ports.drivers.orderOfDay(context, id)
  if (order === undefined) return []
  const { summary, route, timeWindow } = order
  return [
    {
      ...summary,
      ...omitUndefined({ route_id: route?.id, stop: route?.stop, time_window: timeWindow && { ...timeWindow } }),
    },
  ]
}
