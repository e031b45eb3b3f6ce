import type { Directory, Ports } from '../kernel/context.ts'
import type { Operation } from '../kernel/operation.ts'
import { createTools } from '../store/tools.ts'
import { directory as accounts } from './accounts/directory.ts'
import { addressBook } from './orders/addresses/book.ts'
import { orderExists } from './orders/exists.ts'
import { assignableOrder, assignedOrder } from './orders/for-assignments.ts'
import { draftUnchecked } from './orders/for-batches.ts'
import { countOrdersOfDrivers, orderOfDay, ordersOfDriver } from './orders/for-drivers.ts'
import { countOrdersOnRoutes, ordersOnRoute, routeOrderAt } from './orders/for-routes.ts'
import { businessesOf, isOrderOf, orderNamed } from './orders/owners.ts'
import { requireDriver } from './orders/routes/drivers/known.ts'
import { routesOfDay } from './orders/routes/read.ts'
import { serves } from './providers/serves.ts'
import { timelineOf } from './tracking/timelines.ts'
import { payments } from './wallets/payments.ts'

export type { AddressPorts } from './addresses/ports.ts'
export type { ApprovalPorts } from './approvals/ports.ts'
export type { CarrierPackagePorts } from './carrier-packages/ports.ts'
export type { DeviceOrderPorts } from './device-orders/ports.ts'
export type { HandoffPorts } from './handoffs/ports.ts'
export type { AssignmentPorts } from './orders/assignments/ports.ts'
export type { BatchPorts } from './orders/batch/ports.ts'
export type { OrderPorts } from './orders/ports.ts'
export type { InsightPorts } from './orders/questions/ports.ts'
export type { DriverPorts } from './orders/routes/drivers/ports.ts'
export type { RoutePorts } from './orders/routes/ports.ts'
export type { PartnerLockerPorts } from './partner-lockers/ports.ts'
export type { ThirdPartyDeliveryPorts } from './third-party-deliveries/ports.ts'
export type { TrackingPorts } from './tracking/ports.ts'

/** Who can call, as accounts and providers know them. */
export const directory: Directory = { ...accounts, serves }

/** What domains need of one another, filled by those that have it; `operations` are those that an approval may carry out. */
export function createPorts(operations: readonly Operation[]): Ports {
  return {
    addresses: addressBook,
    approvals: createTools(operations),
    assignments: { assignedOrder, orderAt: assignableOrder },
    batches: { draftOrder: draftUnchecked },
    carrierPackages: { isOrderOf },
    deviceOrders: { orderExists, timelineOf },
    drivers: {
      countOrders: countOrdersOfDrivers,
      orderOfDay,
      ordersOn: ordersOfDriver,
      routesOn: routesOfDay,
    },
    handoffs: { orderExists },
    insights: { timelineOf },
    orders: {
      isTracked: async (context, identifier) => (await timelineOf(context, identifier)) !== undefined,
      charge: payments.charge,
      refund: payments.refund,
    },
    partnerLockers: { isOrderOf },
    routes: {
      countOrders: countOrdersOnRoutes,
      orderAt: routeOrderAt,
      ordersOn: ordersOnRoute,
      requireDriver,
    },
    thirdPartyDeliveries: { orderExists },
    tracking: { businessesOf, orderOf: orderNamed },
  }
}
