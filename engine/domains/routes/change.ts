import * as v from 'valibot'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { operation } from '../../kernel/operation.ts'
import { id } from '../../kernel/schemas.ts'
import { commandStamp, planners, routeEntries, routeSummary, summarized } from './answer.ts'
import type { RouteOrder } from './ports.ts'
import type { Route } from './route.ts'
import { type OrderStep, ordersOn, runRoute } from './run-route.ts'

const shared = { risk: 'medium', tag: 'Client', output: routeSummary } as const
const refusals = ['delivery_route_not_found', 'route_status_forbids', 'contention'] as const

/** Takes an order off a route and its driver. */
export const removeRouteOrder = operation({
  ...shared,
  name: 'remove_route_order',
  summary: 'Take an order off a route and its driver. Not possible while the driver is under way with it.',
  scopes: ['routes:write'],
  roles: planners,
  rest: { method: 'POST', path: '/api/v1/routes/{route_id}/remove' },
  input: v.strictObject({ ...routeEntries, order_id: v.pipe(id, v.description('Id of the order.')) }),
  errors: [...refusals, 'order_not_on_route', 'order_status_forbids'],
  handle: async (context, { route_id, order_id }) => {
    const command = { type: 'RemoveOrder' as const, ...commandStamp(context), order_id }
    const route = await runRoute(context, route_id, async (route) => {
      const found = await ordersOn(context, route)
      return {
        command,
        orders: takeOff(
          route,
          found.filter(({ id }) => id === order_id),
        ),
      }
    })
    return summarized(route)
  },
})

/** Gives a route to another driver, or to none. Orders that are under way or finished stay with their driver. */
export const changeRouteDriver = operation({
  ...shared,
  name: 'change_route_driver',
  summary: 'Give a route to another driver, with all orders that are not under way.',
  scopes: ['routes:write'],
  roles: planners,
  rest: { method: 'POST', path: '/api/v1/routes/{route_id}/driver' },
  input: v.strictObject({
    ...routeEntries,
    driver_id: v.nullable(v.pipe(id, v.description('Null for no driver, before the route has started.'))),
  }),
  errors: [...refusals, 'route_needs_driver', 'invalid_input'],
  handle: async (context, { route_id, driver_id }) => {
    if (driver_id !== null) await context.ports.routes.requireDriver(context, driver_id)
    const command = { type: 'ChangeDriver' as const, ...commandStamp(context), driver_id }
    const route = await runRoute(context, route_id, async (route) => {
      const found = await ordersOn(context, route)
      const moving = found.filter(({ isWaiting }) => isWaiting)
      return { command, orders: moving.map((order) => ({ order, commands: driverCommands(route, order, driver_id) })) }
    })
    return summarized(route)
  },
})

function driverCommands({ brokerId }: Route, order: RouteOrder, driver: number | null): OrderStep['commands'] {
  if (driver !== null)
    return [{ type: 'AssignDriver', driver, source: 'route', ...omitUndefined({ broker_id: brokerId }) }]
  return order.driverId === undefined ? [] : [{ type: 'UnassignDriver', reason: 'removal' }]
}

/** Starts a route. */
export const startRoute = operation({
  ...shared,
  name: 'start_route',
  summary: 'Start a route that has a driver and orders.',
  scopes: ['routes:read', 'orders:write'],
  roles: [...planners, 'driver'],
  rest: { method: 'POST', path: '/api/v1/routes/{route_id}/start' },
  input: v.strictObject(routeEntries),
  errors: [...refusals, 'route_needs_driver', 'route_without_orders'],
  handle: async (context, { route_id }) => {
    const command = { type: 'StartRoute' as const, ...commandStamp(context) }
    return summarized(await runRoute(context, route_id, () => ({ command, orders: [] })))
  },
})

/** Completes a route; failed orders leave it and can be planned again. */
export const completeRoute = operation({
  ...shared,
  name: 'complete_route',
  summary: 'Complete a route without open orders. Failed orders leave it and can be planned again.',
  scopes: ['routes:read', 'orders:write'],
  roles: [...planners, 'driver'],
  rest: { method: 'POST', path: '/api/v1/routes/{route_id}/complete' },
  input: v.strictObject(routeEntries),
  errors: [...refusals, 'route_has_open_orders'],
  handle: async (context, { route_id }) => {
    const route = await runRoute(context, route_id, async (route) => {
      const open = (await ordersOn(context, route)).filter(({ isEnded }) => !isEnded)
      const failed = open.filter(({ hasFailed }) => hasFailed)
      const command = { type: 'CompleteRoute' as const, ...commandStamp(context), open: open.length - failed.length }
      return { command, orders: takeOff(route, failed) }
    })
    return summarized(route)
  },
})

/** Cancels a route; its orders can be planned again. */
export const cancelRoute = operation({
  ...shared,
  name: 'cancel_route',
  summary:
    'Cancel a route. Its open orders leave it and their driver. Not possible while a driver is under way with one.',
  scopes: ['routes:write'],
  roles: planners,
  rest: { method: 'POST', path: '/api/v1/routes/{route_id}/cancel' },
  input: v.strictObject(routeEntries),
  errors: [...refusals, 'order_status_forbids'],
  handle: async (context, { route_id }) => {
    const command = { type: 'CancelRoute' as const, ...commandStamp(context) }
    const route = await runRoute(context, route_id, async (route) => {
      const open = (await ordersOn(context, route)).filter(({ isEnded }) => !isEnded)
      return { command, orders: takeOff(route, open) }
    })
    return summarized(route)
  },
})

function takeOff({ id: route_id }: Route, found: readonly RouteOrder[]): readonly OrderStep[] {
  return found.map((order) => ({ order, commands: [{ type: 'TakeOffRoute', route_id }] }))
}
