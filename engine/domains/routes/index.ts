import type { ObjectEntries } from 'valibot'
import type { Gives, Giving } from '../../entity/domain.ts'
import { eventShapesOf } from '../../entity/event-shapes.ts'
import { routeMessages } from './messages.ts'
import { moveOperations, planRoute } from './operations.ts'
import { getRouteDetail, getRoutes, routeExists, routeModel, routesOfDay } from './read.ts'
import { route } from './route.ts'

export type { RouteCode } from './messages.ts'
export type { RoutePorts } from './ports.ts'

/** What others get from here, by who needs it. */
const gives = {
  drivers: { routesOn: routesOfDay },
  routeBoard: { routeExists },
} satisfies Gives

/** Routes: the orders of a driver on a day, stop by stop; `orderSummary` has the members of an order's summary. */
export function routesDomain(orderSummary: ObjectEntries): Giving<typeof gives> {
  return {
    gives,
    name: 'routes',
    messages: [routeMessages],
    events: { route: eventShapesOf(route) },
    tables: [route],
    operations: [getRoutes, getRouteDetail(orderSummary), planRoute, ...Object.values(moveOperations)],
    readModels: [routeModel],
  }
}
