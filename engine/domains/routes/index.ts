import type { ObjectEntries } from 'valibot'
import { eventShapesOf } from '../../entity/event-shapes.ts'
import type { Domain } from '../../kernel/domain.ts'
import { routeMessages } from './messages.ts'
import { moveOperations, planRoute } from './operations.ts'
import { getRouteDetail, getRoutes, routeModel } from './read.ts'
import { route } from './route.ts'

/** Routes: the orders of a driver on a day, stop by stop; `orderSummary` has the members of an order's summary. */
export function routesDomain(orderSummary: ObjectEntries): Domain {
  return {
    name: 'routes',
    messages: [routeMessages],
    events: { route: eventShapesOf(route) },
    operations: [getRoutes, getRouteDetail(orderSummary), planRoute, ...Object.values(moveOperations)],
    readModels: [routeModel],
  }
}
