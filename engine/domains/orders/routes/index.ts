import type { Operation } from '../../../kernel/operation.ts'
import { cancelRoute, changeRouteDriver, completeRoute, removeRouteOrder, startRoute } from './change.ts'
import { driverOperations } from './drivers/index.ts'
import { addRouteOrders, planRoute } from './plan.ts'
import { getRouteDetail, getRoutes } from './read.ts'

/** What can be asked about routes and those who drive them. */
export const routeOperations: readonly Operation[] = [
  getRoutes,
  getRouteDetail,
  planRoute,
  addRouteOrders,
  removeRouteOrder,
  changeRouteDriver,
  startRoute,
  completeRoute,
  cancelRoute,
  ...driverOperations,
]
