import * as v from 'valibot'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { operation } from '../../kernel/operation.ts'
import { day, id, word } from '../../kernel/schemas.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { nextNumbers } from '../../store/sequence.ts'
import { commandStamp, planners, routeEntries, routeSummary, summarized } from './answer.ts'
import { planOnRoute } from './on-route.ts'
import type { Route } from './route.ts'
import { appendsOf, decideRoute, runRoute } from './run-route.ts'

/** The most stops in one call. */
const maxStops = 200

const orderIds = v.pipe(
  v.array(id),
  v.minLength(1),
  v.maxLength(maxStops),
  v.description(`Ids of orders in order of their stops, 1 to ${maxStops}. Duplicates count once.`),
)

const planInput = v.strictObject({
  name: v.exactOptional(v.pipe(word(100), v.description('Name of the route; not the name of a person.'))),
  schedule_date: v.pipe(day, v.description('The day of the route, in the time zone of the business.')),
  driver_id: v.exactOptional(v.pipe(id, v.description('The driver of the route.'))),
  order_ids: orderIds,
})

/** Plans a route; either all orders go on it or none. */
export const planRoute = operation({
  name: 'plan_route',
  summary: 'Plan a route of orders, with or without a driver. Contractors plan the orders assigned to them.',
  scopes: ['routes:write'],
  roles: planners,
  risk: 'medium',
  tag: 'Client',
  rest: { method: 'POST', path: '/api/v1/routes' },
  input: planInput,
  output: routeSummary,
  errors: ['invalid_input', 'contention'],
  handle: async (context, input) => {
    if (input.driver_id !== undefined) await context.ports.routes.requireDriver(context, input.driver_id)
    return retryOnConflict(async () => summarized(await planned(context, input)))
  },
})

async function planned(context: Context, input: v.InferOutput<typeof planInput>): Promise<Route> {
  const { id: by, role, business } = accountOf(context)
  const numbers = await nextNumbers(context, 'route')
  const { name, schedule_date, driver_id } = input
  const broker_id = role === 'contractor' ? by : undefined
  const order_ids = [...new Set(input.order_ids)]
  const about = { route_id: numbers.first, business_id: business.id, schedule_date, order_ids }
  const data = { ...commandStamp(context), ...about, ...omitUndefined({ broker_id, name, driver_id }) }
  const { after, append } = decideRoute(context, numbers.first, { type: 'PlanRoute', data })
  const steps = await planOnRoute(context, after, order_ids)
  await context.store.appendMany([...append, numbers.append, ...steps.flatMap(appendsOf)])
  return after
}

/** Adds orders after the last stop of a route; either all orders go on it or none. */
export const addRouteOrders = operation({
  name: 'add_route_orders',
  summary: 'Add orders after the last stop of a route. They are assigned to its driver.',
  scopes: ['routes:write'],
  roles: planners,
  risk: 'medium',
  tag: 'Client',
  rest: { method: 'POST', path: '/api/v1/routes/{route_id}/orders' },
  input: v.strictObject({ ...routeEntries, order_ids: orderIds }),
  output: routeSummary,
  errors: ['delivery_route_not_found', 'route_status_forbids', 'invalid_input', 'contention'],
  handle: async (context, { route_id, order_ids }) => {
    const added = [...new Set(order_ids)]
    const command = { type: 'AddOrders' as const, ...commandStamp(context), order_ids: added }
    const route = await runRoute(context, route_id, () => ({
      command,
      orders: (after) => planOnRoute(context, after, added),
    }))
    return summarized(route)
  },
})
