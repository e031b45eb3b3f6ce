import type { Domain } from '../../kernel/domain.ts'
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
import { forgetOrder } from './forget.ts'
import { orderMessages } from './messages.ts'
import { orderModel } from './order-model.ts'
import { payOrder } from './pay.ts'
import { printLocalLabel } from './print.ts'
import { exportOrders, getOrderDetail, getOrders } from './read.ts'
import { updateTimeWindowByRefs } from './schedule.ts'
import { orderNumberEventShapes } from './streams.ts'
import { tagModel } from './tag-model.ts'
import { termModel } from './term-model.ts'
import { orderWebhookEventSource, orderWebhookEventTypes } from './webhook-events/index.ts'

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
  operations: orderOperations,
  erasures: ['OrderPersonalDataErased'],
  audited: { OrderPersonalDataErased: 'erasure' },
  readModels: [orderModel, termModel, tagModel, addressTermModel],
  webhookEventTypes: orderWebhookEventTypes,
  webhookEventSources: [orderWebhookEventSource],
}
