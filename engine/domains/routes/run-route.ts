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

/** A route, and the revision of its stream that it was read at. */
export interface LoadedRoute {
  readonly route: Route
  readonly revision: number
}

/** Whether an account may see a route: what it may not see does not exist for it. */
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

/** The cells that the rows of `routeModel` have which an account may see; nothing where it may see none. */
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

/** A route that the caller may see; refuses with `delivery_route_not_found` where there is none such. */
export async function loadRouteAt(context: Context, id: number): Promise<LoadedRoute> {
  const account = accountOf(context)
  const history = (await context.store.read(routeStream(id))) as readonly RecordedEvent<RouteEvent>[]
  const route = fold(routes, history)
  const last = history.at(-1)
  if (route === undefined || last === undefined || !isRouteVisible(account, route))
    throw new EngineError('delivery_route_not_found', { route: id })
  return { route, revision: last.revision }
}

/** The orders that are on a route by their own account, in order of their stops. */
export function ordersOn(context: Context, { id, stops }: Route): Promise<readonly RouteOrder[]> {
  return context.ports.routes.ordersOn(
    context,
    id,
    stops.map(({ orderId }) => orderId),
  )
}

/** What is asked of an order together with its route. */
export interface OrderStep {
  readonly order: RouteOrder
  readonly commands: readonly RouteOrderCommand[]
}

/** What is asked of a route, and of orders with it: what that is may follow from the route as it then is. */
export interface Step {
  readonly command: RouteCommand
  readonly orders: readonly OrderStep[] | ((after: Route) => Promise<readonly OrderStep[]>)
}

/** Commands a route and orders with it, in one transaction; what either refuses, refuses all. Answers the route after it. */
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

/** What a command does to a route, not yet recorded. */
export function decideRoute(context: Context, id: number, command: RouteCommand, loaded?: LoadedRoute) {
  const events = routes.decide(command, loaded?.route).map(toNewEvent(context))
  const after = fold(routes, events, loaded?.route)
  if (after === undefined) throw new EngineError('delivery_route_not_found', { route: id })
  const expected = loaded?.revision ?? 'no-stream'
  const append: readonly Append[] = events.length === 0 ? [] : [{ stream: routeStream(id), events, expected }]
  return { after, append }
}

/** What is recorded of an order with its route. */
export function appendsOf({ order, commands }: OrderStep): readonly Append[] {
  return order.decide(commands)
}
