import type { Account } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { Append } from '../../kernel/event-store.ts'
import type { Row } from '../../kernel/read-model.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import type { RouteOrder, RouteOrderCommand } from './ports.ts'
import { type Route, type RouteCommand, type RouteEvent, routeStream, routes } from './route.ts'

/** A route and the revision of its stream. */
export interface LoadedRoute {
  readonly route: Route
  readonly revision: number
}

/** Whether an account may see a route; an invisible route does not exist for it. */
export function isRouteVisible({ id, role, business }: Account, route: Route): boolean {
  if (route.businessId !== business.id) return false
  switch (role) {
    case 'client_admin':
    case 'client_employee':
      return true
    case 'contractor':
      return route.brokerId === id
    case 'driver':
      return route.driverId === id
    case 'customer':
      return false
  }
}

/** The cells that select the rows of `routeModel` an account may see; undefined if it may see none. */
export function visibleRoutes({ id, role, business }: Account): Row | undefined {
  const own = { business_id: business.id }
  switch (role) {
    case 'client_admin':
    case 'client_employee':
      return own
    case 'contractor':
      return { ...own, broker_id: id }
    case 'driver':
      return { ...own, driver_id: id }
    case 'customer':
      return undefined
  }
}

/** A route that the caller may see; refuses with `delivery_route_not_found`. */
export async function loadRouteAt(context: Context, id: number): Promise<LoadedRoute> {
  const account = accountOf(context)
  const history = (await context.store.read(routeStream(id))) as readonly RecordedEvent<RouteEvent>[]
  const route = fold(routes, history)
  const last = history.at(-1)
  if (route === undefined || last === undefined || !isRouteVisible(account, route))
    throw new EngineError('delivery_route_not_found', { route: id })
  return { route, revision: last.revision }
}

/** The orders that are currently on a route, in order of their stops. */
export function ordersOn(context: Context, { id, stops }: Route): Promise<readonly RouteOrder[]> {
  return context.ports.routes.ordersOn(
    context,
    id,
    stops.map(({ orderId }) => orderId),
  )
}

/** Commands on an order, together with its route. */
export interface OrderStep {
  readonly order: RouteOrder
  readonly commands: readonly RouteOrderCommand[]
}

/** A command on a route, and commands on its orders, which may depend on the route after the command. */
export interface Step {
  readonly command: RouteCommand
  readonly orders: readonly OrderStep[] | ((after: Route) => Promise<readonly OrderStep[]>)
}

/**
 * Runs commands on a route and its orders in one transaction; any refusal refuses all. Returns the new state of the
 * route.
 */
export async function runRoute(
  context: Context,
  id: number,
  stepFor: (route: Route) => Step | Promise<Step>,
): Promise<Route> {
  return retryOnConflict(async () => {
    const { route, revision } = await loadRouteAt(context, id)
    const step = await stepFor(route)
    const { after, append } = decideRoute(context, id, step.command, { route, revision })
    const steps = typeof step.orders === 'function' ? await step.orders(after) : step.orders
    const appends = [...append, ...steps.flatMap(appendsOf)]
    if (appends.length > 0) await context.store.appendMany(appends)
    return after
  })
}

/** Decides a command on a route without recording it. */
export function decideRoute(context: Context, id: number, command: RouteCommand, loaded?: LoadedRoute) {
  const events = routes.decide(command, loaded?.route).map(toNewEvent(context))
  const after = fold(routes, events, loaded?.route)
  if (after === undefined) throw new EngineError('delivery_route_not_found', { route: id })
  const expected = loaded?.revision ?? 'no-stream'
  const append: readonly Append[] = events.length === 0 ? [] : [{ stream: routeStream(id), events, expected }]
  return { after, append }
}

/** The appends of a step on an order. */
export function appendsOf({ order, commands }: OrderStep): readonly Append[] {
  return order.decide(commands)
}
