import * as v from 'valibot'
import { load, loadOwn, ownId, viewOf } from '../../entity/access.ts'
import type { Values } from '../../entity/field.ts'
import { readModelOf } from '../../entity/list.ts'
import { idEntry } from '../../entity/reading.ts'
import { recordOf, recordSchemaOf } from '../../entity/record.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { named } from '../../kernel/named.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { operation } from '../../kernel/operation.ts'
import { pageAnswerEntries, pageEntries, pageOf } from '../../kernel/paging.ts'
import { maxAmong, type Row } from '../../kernel/read-model.ts'
import { ordersOn } from './order-steps.ts'
import { type Route, route } from './route.ts'
import { kind } from './rules.ts'

/** Routes as they are listed. Which orders are on a route, the orders say. */
export const routeModel = readModelOf(route)

const routeRecord = recordSchemaOf(route, [], 'Route')

const { path, tag, read, list, get } = route.api
const { schedule_date, status, driver_id } = routeRecord.entries

/** Lists routes, newest first. */
export const getRoutes = operation({
  name: list.operation,
  summary: list.summary,
  scopes: [read.scope],
  by: read.by,
  risk: 'low',
  tag,
  mcp: { title: 'Routes' },
  rest: { method: 'GET', path },
  page: route.noun,
  ids: { driver_id: 'filter' },
  input: v.strictObject({
    schedule_date: v.exactOptional(schedule_date),
    status: v.exactOptional(status),
    driver_id,
    ...pageEntries,
  }),
  output: v.strictObject({ result: v.literal(true), ...pageAnswerEntries, routes: v.array(routeRecord) }),
  errors: [],
  handle: async (context, { page, per_page, ...filter }) => {
    const { range, paging } = pageOf(omitUndefined({ page, per_page }))
    const among = Object.fromEntries(Object.entries(filter).map(([name, cell]) => [name, [cell]]))
    const query = { where: route.access.cells(context), among, newestFirst: true, ...range }
    const { rows, total } = await context.models.page(routeModel, query)
    return { result: true, total, ...paging, routes: await recordsOf(context, rows) }
  },
})

async function recordsOf(context: Context, rows: readonly Row[]): Promise<readonly Values[]> {
  const ids = rows.map(({ route_id = null }) => route_id)
  const counts = await context.ports.routes.countOrders(context, ids)
  const drivers = [...new Set(rows.map((row) => row.driver_id))]
  const names = new Map(await Promise.all(drivers.map(async (one) => [one, await nameOf(context, one)] as const)))
  return rows.map((row) => {
    const added = { driver_name: names.get(row.driver_id), order_count: counts.get(row.route_id ?? null) ?? 0 }
    return recordOf(route, { ...row, ...added }, viewOf(context))
  })
}

async function nameOf(context: Context, driver: unknown): Promise<string | undefined> {
  return typeof driver === 'number' ? (await context.directory.person(context, driver))?.name : undefined
}

/** A stop with its order; `orderSummary` has the members of an order's summary. */
function stopRecord(orderSummary: v.ObjectEntries) {
  return named(
    'RouteStop',
    v.strictObject({
      stop: v.number(),
      ...orderSummary,
      driver_id: v.exactOptional(v.number()),
      schedule_date: v.exactOptional(v.string()),
      time_window: v.exactOptional(v.strictObject({ start: v.string(), end: v.string() })),
    }),
  )
}

/** One route with its stops in order; of the orders on it, those that the caller may see. */
export const getRouteDetail = (orderSummary: v.ObjectEntries) => {
  const own = {
    name: get.operation,
    summary: get.summary,
    scopes: [read.scope],
    by: read.by,
    risk: 'low',
    tag,
    mcp: { title: 'One route' },
    rest: { method: 'GET', path: `${path}/{${route.id}}` },
    input: v.strictObject(idEntry(route)),
    ids: { route_id: ownId(kind) },
    output: v.strictObject({
      result: v.literal(true),
      route: named('RouteDetail', v.strictObject({ ...routeRecord.entries, stops: v.array(stopRecord(orderSummary)) })),
    }),
    errors: [route.refusals.missing],
  } as const
  return operation({
    ...own,
    handle: async (context, { route_id }: Values) => {
      const { state: current } = await loadOwn(context, kind, Number(route_id))
      const stops = await stopsOf(context, current)
      const added = { driver_name: await nameOf(context, current.driver_id), order_count: stops.length }
      return { result: true, route: { ...recordOf(route, { ...current, ...added }, viewOf(context)), stops } }
    },
  })
}

async function stopsOf(
  context: Context,
  current: Route,
): Promise<readonly v.InferOutput<ReturnType<typeof stopRecord>>[]> {
  return (await ordersOn(context, current)).flatMap(({ shown, driverId }) => {
    if (shown === undefined) return []
    const { stop = 0, summary, scheduleDate, timeWindow } = shown
    const members = { driver_id: driverId, schedule_date: scheduleDate, time_window: timeWindow && { ...timeWindow } }
    return [{ stop, ...summary, ...omitUndefined(members) }]
  })
}

/** Whether there is a route of this id that the caller may see. */
export async function routeExists(context: Context, id: number): Promise<boolean> {
  const loaded = await load(context, kind, id)
  return loaded !== undefined && route.access.belongs(context, loaded.state)
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
