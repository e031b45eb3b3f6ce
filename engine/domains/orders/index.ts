import type { Domain } from '../../entity/domain.ts'
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
import { findOrder } from './find.ts'
import { dueAnswers, endAnswerTime } from './for-assignment-rules.ts'
import { forgetOrder } from './forget.ts'
import { orderMessages } from './messages.ts'
import { orderTable } from './order.ts'
import { orderModel } from './order-model.ts'
import { payOrder } from './pay.ts'
import { printLocalLabel } from './print.ts'
import { exportOrders, getOrderDetail, getOrders } from './read.ts'
import { updateTimeWindowByRefs } from './schedule.ts'
import { orderNumberEventShapes } from './streams.ts'
import { tagModel } from './tag-model.ts'
import { termModel } from './term-model.ts'
import { orderWebhookEventSource, orderWebhookEventTypes } from './webhook-events/index.ts'

export { getOperationEvents } from './audit.ts'
export type { OrderCommand } from './commands.ts'
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
export type { OrderPorts } from './ports.ts'
export { printLocalLabel } from './print.ts'
export { exportOrders, getOrderDetail, getOrders } from './read.ts'
export { type Status, statuses as orderStatuses, statusForCustomer } from './status.ts'
export { orderOf } from './streams.ts'
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
  ...[payOrder, cancelOrder, rerouteToAddress, holdOrder, releaseOrder, deleteOrder],
  ...[updateOrder, updateDeliveryInstruction, updateOrderNote, updateTimeWindowByRefs, setOrderPrice],
  ...[assignDriver, unassignDriver, ...Object.values(stepOperations)],
  ...[handToCarrier, takeBackFromCarrier, noteCarrierDelivery, forgetOrder],
]

/** Orders: who is to carry what from where to where, and how far that has come. */
export const ordersDomain: Domain = {
  name: 'orders',
  messages: [orderMessages],
  events: {
    order: orderEventShapes,
    order_number: orderNumberEventShapes,
  },
  tables: [orderTable],
  deadlines: [{ name: 'answer to an order', due: dueAnswers, pass: endAnswerTime }],
  operations: orderOperations,
  erasures: ['OrderPersonalDataErased'],
  audited: { OrderPersonalDataErased: 'erasure' },
  readModels: [orderModel, termModel, tagModel, addressTermModel],
  webhookEventTypes: orderWebhookEventTypes,
  webhookEventSources: [orderWebhookEventSource],
}
