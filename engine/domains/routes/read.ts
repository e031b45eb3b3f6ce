import * as v from 'valibot'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { operation } from '../../kernel/operation.ts'
import { pageAnswerEntries, pageEntries, pageOf } from '../../kernel/paging.ts'
import { maxAmong, type Row } from '../../kernel/read-model.ts'
import { day, id } from '../../kernel/schemas.ts'
import { routeEntries } from './answer.ts'
import { type Route, routeStatuses } from './route.ts'
import { routeModel } from './route-model.ts'
import { loadRouteAt, ordersOn, visibleRoutes } from './run-route.ts'

const recordEntries = {
  route_id: v.number(),
  name: v.exactOptional(v.string()),
  schedule_date: v.string(),
  status: v.picklist(routeStatuses),
  driver_id: v.exactOptional(v.number()),
  driver_name: v.exactOptional(v.string()),
  broker_id: v.exactOptional(v.pipe(v.number(), v.description('The contractor who planned it.'))),
  order_count: v.number(),
}

const routeRecord = v.strictObject(recordEntries)

/** Lists routes, newest first. */
export const getRoutes = operation({
  name: 'get_routes',
  summary: 'Routes with status, driver and number of orders, newest first. Drivers and contractors only see their own.',
  scopes: ['routes:read'],
  risk: 'low',
  tag: 'Client',
  mcp: { title: 'Routes' },
  rest: { method: 'GET', path: '/api/v1/routes' },
  input: v.strictObject({
    schedule_date: v.exactOptional(v.pipe(day, v.description('The day of the route, YYYY-MM-DD.'))),
    status: v.exactOptional(v.picklist(routeStatuses)),
    driver_id: v.exactOptional(v.pipe(id, v.description('User id of the driver.'))),
    ...pageEntries,
  }),
  output: v.strictObject({ result: v.literal(true), ...pageAnswerEntries, routes: v.array(routeRecord) }),
  errors: [],
  handle: async (context, { schedule_date, status, driver_id, ...page }) => {
    const { range, paging } = pageOf(page)
    const filter = omitUndefined({ schedule_date, status, driver_id })
    const own = visibleRoutes(accountOf(context))
    // The filter must not widen what the caller may see.
    const isNone = own === undefined || ('driver_id' in own && driver_id !== undefined && own.driver_id !== driver_id)
    if (isNone) return { result: true, total: 0, ...paging, routes: [] }
    const query = { where: { ...filter, ...own }, newestFirst: true, ...range }
    const { rows, total } = await context.models.page(routeModel, query)
    return { result: true, total, ...paging, routes: await recordsOf(context, rows) }
  },
})

async function recordsOf(context: Context, rows: readonly Row[]): Promise<v.InferOutput<typeof routeRecord>[]> {
  const ids = rows.map(({ route_id = null }) => route_id)
  const counts = await context.ports.routes.countOrders(context, ids)
  const drivers = [...new Set(rows.flatMap(({ driver_id }) => (typeof driver_id === 'number' ? [driver_id] : [])))]
  const names = new Map(await Promise.all(drivers.map(async (one) => [one, await nameOf(context, one)] as const)))
  return rows.map((row) => ({
    route_id: Number(row.route_id),
    ...omitUndefined({ name: textIn(row.name) }),
    schedule_date: String(row.schedule_date),
    status: routeStatuses.find((status) => status === row.status) ?? 'planned',
    ...omitUndefined({
      driver_id: numberIn(row.driver_id),
      driver_name: names.get(Number(row.driver_id)),
      broker_id: numberIn(row.broker_id),
    }),
    order_count: counts.get(Number(row.route_id)) ?? 0,
  }))
}

async function nameOf(context: Context, id: number): Promise<string | undefined> {
  return (await context.directory.person(context, id))?.name
}

function textIn(cell: Row[string] | undefined): string | undefined {
  return typeof cell === 'string' ? cell : undefined
}

function numberIn(cell: Row[string] | undefined): number | undefined {
  return typeof cell === 'number' ? cell : undefined
}

/** A stop with its order; `orderSummary` has the members of an order's summary. */
function stopRecord(orderSummary: v.ObjectEntries) {
  return v.strictObject({
    stop: v.number(),
    ...orderSummary,
    driver_id: v.exactOptional(v.number()),
    schedule_date: v.exactOptional(v.string()),
    time_window: v.exactOptional(v.strictObject({ start: v.string(), end: v.string() })),
  })
}

/** Returns a route with its stops in order, as far as the caller may see their orders. */
export const getRouteDetail = (orderSummary: v.ObjectEntries) =>
  operation({
    name: 'get_route_detail',
    summary: 'One route with its stops in order, and the status of each order.',
    scopes: ['routes:read'],
    risk: 'low',
    tag: 'Client',
    mcp: { title: 'One route' },
    rest: { method: 'GET', path: '/api/v1/routes/{route_id}' },
    input: v.strictObject(routeEntries),
    output: v.strictObject({
      result: v.literal(true),
      route: v.strictObject({ ...recordEntries, stops: v.array(stopRecord(orderSummary)) }),
    }),
    errors: ['delivery_route_not_found'],
    handle: async (context, { route_id }) => {
      const { route } = await loadRouteAt(context, route_id)
      const stops = await stopsOf(context, route)
      const driver_name = route.driverId === undefined ? undefined : await nameOf(context, route.driverId)
      const record = {
        route_id,
        ...omitUndefined({ name: route.name }),
        schedule_date: route.scheduleDate,
        status: route.status,
        ...omitUndefined({ driver_id: route.driverId, driver_name, broker_id: route.brokerId }),
        order_count: stops.length,
        stops,
      }
      return { result: true, route: record }
    },
  })

async function stopsOf(context: Context, route: Route): Promise<v.InferOutput<ReturnType<typeof stopRecord>>[]> {
  return (await ordersOn(context, route)).flatMap(({ shown, driverId }) => {
    if (shown === undefined) return []
    const { stop = 0, summary, scheduleDate, timeWindow } = shown
    const members = { driver_id: driverId, schedule_date: scheduleDate, time_window: timeWindow && { ...timeWindow } }
    return [{ stop, ...summary, ...omitUndefined(members) }]
  })
}

/** Ids of a driver's routes on a day, in the caller's business. */
export async function routesOfDay(
  context: Context,
  driver_id: number,
  schedule_date: string,
): Promise<readonly number[]> {
  const where = { business_id: accountOf(context).business.id, driver_id, schedule_date }
  const { rows } = await context.models.page(routeModel, { where, limit: maxAmong })
  return rows.map((row) => Number(row.route_id))
}
