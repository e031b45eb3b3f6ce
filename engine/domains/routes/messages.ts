import type { Catalogue, CodeOf } from '../../kernel/catalogue.ts'

/** Routes. */
export const routeMessages = {
  not_found: {
    delivery_route_not_found: 'There is no route {route}.',
  },
  conflict: {
    route_status_forbids: '{move} is not possible while the route is {status}.',
    route_has_open_orders: '{count} orders of the route are still open.',
    route_needs_driver: 'The route needs a driver for this.',
    route_without_orders: 'There are no orders on the route.',
  },
} as const satisfies Catalogue

/** A code of routes. */
export type RouteCode = CodeOf<typeof routeMessages>

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<RouteCode, 'routes'> {}
}
