import type { Gives, Giving } from '../../entity/domain.ts'
import { addressBook } from './addresses/book.ts'
import { addressTermModel } from './addresses/model.ts'
import { getOperationEvents } from './audit.ts'
import {
  cancelOrder,
  deleteOrder,
  holdOrder,
  releaseOrder,
  setOrderPrice,
  updateDeliveryInstruction,
  updateOrderNote,
} from './change.ts'
import { updateOrder } from './correct.ts'
import { createOrder, rerouteToAddress } from './create.ts'
import { assignDriver, handToCarrier, noteCarrierDelivery, takeBackFromCarrier, unassignDriver } from './dispatch.ts'
import { stepOperations } from './drive.ts'
import { orderEventShapes } from './events.ts'
import { orderExists } from './exists.ts'
import { findOrder } from './find.ts'
import {
  dueAnswers,
  endAnswerTime,
  freeOrders,
  openOrders,
  ruledOrder,
  visibleRuledOrder,
} from './for-assignment-rules.ts'
import { assignableOrder, assignedOrder } from './for-assignments.ts'
import { draftUnchecked } from './for-batches.ts'
import { cancelForCarrier, scansOfOrder } from './for-carriers.ts'
import { countOrdersOfDrivers, orderOfDay, ordersOfDriver } from './for-drivers.ts'
import {
  countListed,
  deliveredAt,
  firstEventsOf,
  openStatusIds,
  orderCounts,
  orderNamed,
  orderRows,
  statusId,
  visibleStatus,
} from './for-insights.ts'
import { proofFactsFor, proofFactsUpTo, recordProof } from './for-proof.ts'
import { countOrdersOnRoutes, ordersOnRoute, routeOrderAt } from './for-routes.ts'
import { orderMeasured } from './for-sensors.ts'
import { chargesOf } from './for-statements.ts'
import { contradictedOrders, ordersFrom } from './for-tracking.ts'
import { orderShipping, registered } from './for-uniorders.ts'
import { forgetOrder } from './forget.ts'
import { orderMessages } from './messages.ts'
import { getOrderMovements } from './movements.ts'
import { orderTable } from './order.ts'
import { orderModel } from './order-model.ts'
import { isOrder, isOrderOf, orderTracked } from './owners.ts'
import { payableOrder, payOrder, refundOrder, settleOrderOffline } from './pay.ts'
import { plannedDelivery } from './planned.ts'
import { printLocalLabel } from './print.ts'
import { exportOrders, getOrderDetail, getOrders } from './read.ts'
import { updateTimeWindowByRefs } from './schedule.ts'
import { orderNumberEventShapes } from './streams.ts'
import { tagModel } from './tag-model.ts'
import { termModel } from './term-model.ts'
import { termsOfShipment } from './terms.ts'
import { orderWebhookEventSource, orderWebhookEventTypes } from './webhook-events/index.ts'

export { getOperationEvents } from './audit.ts'
export type { OrderCommand } from './commands.ts'
export { columnsFor, importColumns, refusedColumns } from './csv.ts'
export { orders } from './decider.ts'
export { isLate } from './due.ts'
export type { OrderEvent } from './events.ts'
export { findOrder } from './find.ts'
export { dueAnswers, endAnswerTime } from './for-assignment-rules.ts'
export { forgetOrder } from './forget.ts'
export { ordersThatChange } from './live.ts'
export type { OrderCode } from './messages.ts'
export { type Move, statusMoves as moves } from './moves.ts'
export { orderTable } from './order.ts'
export { shopOrderOf } from './owners.ts'
export type { OrderPorts } from './ports.ts'
export { printLocalLabel } from './print.ts'
export { exportOrders, getOrderDetail, getOrders } from './read.ts'
export type { LocalOrder } from './record.ts'
export { type Status, statuses as orderStatuses, statusForCustomer } from './status.ts'
export { orderOf } from './streams.ts'

export { takeContradiction, takeReport } from './take-report.ts'
export {
  isWithoutTracking,
  parcelOf,
  progressOf,
  type Tracked,
  timelineEventId,
  trackedBy,
} from './timeline.ts'

/** The operations on one order, and on orders in general. */
const orderOperations = [
  ...[createOrder, getOrders, exportOrders, findOrder, getOrderDetail, getOperationEvents, printLocalLabel],
  ...[payOrder, settleOrderOffline, refundOrder, getOrderMovements, cancelOrder, rerouteToAddress],
  ...[holdOrder, releaseOrder, deleteOrder],
  ...[updateOrder, updateDeliveryInstruction, updateOrderNote, updateTimeWindowByRefs, setOrderPrice],
  ...[assignDriver, unassignDriver, ...Object.values(stepOperations)],
  ...[handToCarrier, takeBackFromCarrier, noteCarrierDelivery, forgetOrder],
]

/** What others get from here, by who needs it. */
const gives = {
  addresses: addressBook,
  assignmentRules: { orderAt: ruledOrder, visibleOrder: visibleRuledOrder, freeOrders, openOrders },
  assignments: { assignedOrder, orderAt: assignableOrder },
  batches: { draftOrder: draftUnchecked },
  carriers: { draftOrder: draftUnchecked, cancelOrder: cancelForCarrier, scansOf: scansOfOrder },
  carrierPackages: { isOrderOf },
  deviceOrders: { orderExists },
  drivers: { countOrders: countOrdersOfDrivers, orderOfDay, ordersOn: ordersOfDriver },
  handoffs: { orderExists },
  sensors: { orderOf: orderMeasured, isOrderOf },
  labels: { isOrder, termsOf: termsOfShipment },
  insights: {
    ...{
      countListed,
      deliveredAt,
      eventsOf: firstEventsOf,
      openStatusIds,
      orderCounts,
      orderNamed,
      orderRows,
      statusId,
    },
    visibleStatus,
  },
  partnerLockers: { isOrderOf },
  proof: { factsFor: proofFactsFor, factsUpTo: proofFactsUpTo, record: recordProof },
  statements: { charges: chargesOf },
  routes: { countOrders: countOrdersOnRoutes, orderAt: routeOrderAt, ordersOn: ordersOnRoute },
  thirdPartyDeliveries: { orderExists },
  tracking: { orderOf: orderTracked, contradictedOrders, ordersFrom, plannedDelivery },
  uniorders: { order: orderShipping, registered },
} satisfies Gives

/** Orders: who is to carry what from where to where, and how far that has come. */
export const ordersDomain: Giving<typeof gives> = {
  gives,
  name: 'orders',
  messages: [orderMessages],
  events: {
    order: orderEventShapes,
    order_number: orderNumberEventShapes,
  },
  tables: [orderTable],
  payable: payableOrder,
  deadlines: [{ name: 'answer to an order', due: dueAnswers, pass: endAnswerTime }],
  operations: orderOperations,
  erasures: ['OrderPersonalDataErased'],
  audited: { OrderPersonalDataErased: 'erasure' },
  readModels: [orderModel, termModel, tagModel, addressTermModel],
  webhookEventTypes: orderWebhookEventTypes,
  webhookEventSources: [orderWebhookEventSource],
}
