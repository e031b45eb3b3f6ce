import type { ObjectEntries } from 'valibot'
import type { Domain } from '../../kernel/domain.ts'
import { cancelRoute, changeRouteDriver, completeRoute, removeRouteOrder, startRoute } from './change.ts'
import { routeMessages } from './messages.ts'
import { addRouteOrders, planRoute } from './plan.ts'
import { getRouteDetail, getRoutes } from './read.ts'
import { routeEventTypes } from './route.ts'
import { routeModel } from './route-model.ts'

/** Routes: the orders of a driver on a day, stop by stop; `orderSummary` has the members of an order's summary. */
export function routesDomain(orderSummary: ObjectEntries): Domain {
  return {
    name: 'routes',
    messages: [routeMessages],
    events: { route: routeEventTypes },
    operations: [
      ...[getRoutes, getRouteDetail(orderSummary), planRoute, addRouteOrders, removeRouteOrder],
      ...[changeRouteDriver, startRoute, completeRoute, cancelRoute],
    ],
    readModels: [routeModel],
  }
}
