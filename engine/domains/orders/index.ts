import type { Domain } from '../../kernel/domain.ts'
import { addressTermModel } from './addresses/model.ts'
import { assignmentModel } from './assignments/assignment-model.ts'
import { assignmentOperations } from './assignments/index.ts'
import { assignmentMessages } from './assignments/messages.ts'
import { getOperationEvents } from './audit.ts'
import { batchEventTypes } from './batch/events.ts'
import { batchOperations } from './batch/index.ts'
import { batchMessages } from './batch/messages.ts'
import { batchNoticeSource, orderCreateAsync } from './batch/notices.ts'
import {
  cancelOrder,
  deleteOrder,
  holdOrder,
  releaseOrder,
  updateDeliveryInstruction,
  updateOrderNote,
} from './change.ts'
import { createOrder, rerouteToAddress } from './create.ts'
import { assignDriver, handToCarrier, noteCarrierDelivery, takeBackFromCarrier, unassignDriver } from './dispatch.ts'
import {
  acceptOrder,
  completeOrder,
  departWithOrder,
  failOrder,
  markOrderReady,
  pickUpOrder,
  rejectOrder,
  returnOrder,
  startPickup,
} from './drive.ts'
import { orderEventTypes } from './events.ts'
import { findOrder } from './find.ts'
import { forgetOrder } from './forget.ts'
import { orderMessages } from './messages.ts'
import { orderNoticeSource, orderNotices } from './notices/index.ts'
import { orderModel } from './order-model.ts'
import { payOrder } from './pay.ts'
import { proofMessages } from './proof/messages.ts'
import { proofNoticeSources, proofNotices } from './proof/notices.ts'
import { proofOperations } from './proof/operations.ts'
import { questionOperations } from './questions/index.ts'
import { questionMessages } from './questions/messages.ts'
import { getOrderDetail, getOrders } from './read.ts'
import { driverEventTypes, driverLocationEventTypes } from './routes/drivers/driver.ts'
import { dutyModel } from './routes/drivers/duty-model.ts'
import { driverNoticeSources, driverNotices } from './routes/drivers/notices.ts'
import { routeOperations } from './routes/index.ts'
import { routeMessages } from './routes/messages.ts'
import { routeEventTypes } from './routes/route.ts'
import { routeModel } from './routes/route-model.ts'
import { updateTimeWindowByRefs } from './schedule.ts'
import { termModel } from './term-model.ts'

/** What can be asked about one order, or about orders by themselves. */
const orderOperations = [
  ...[createOrder, getOrders, findOrder, getOrderDetail, getOperationEvents],
  ...[payOrder, cancelOrder, rerouteToAddress, holdOrder, releaseOrder, deleteOrder],
  ...[updateDeliveryInstruction, updateOrderNote, updateTimeWindowByRefs],
  ...[assignDriver, unassignDriver, acceptOrder, rejectOrder, markOrderReady],
  ...[startPickup, pickUpOrder, departWithOrder, completeOrder, failOrder, returnOrder],
  ...[handToCarrier, takeBackFromCarrier, noteCarrierDelivery, forgetOrder],
]

/** Orders: who is to carry what from where to where, and how far that has come. */
export const ordersDomain: Domain = {
  name: 'orders',
  messages: [orderMessages, batchMessages, assignmentMessages, routeMessages, questionMessages, proofMessages],
  events: {
    order: orderEventTypes,
    order_number: ['OrderNumberTaken'],
    batch: batchEventTypes,
    route: routeEventTypes,
    driver: driverEventTypes,
    driver_location: driverLocationEventTypes,
  },
  operations: [
    ...orderOperations,
    ...batchOperations,
    ...questionOperations,
    ...assignmentOperations,
    ...routeOperations,
    ...proofOperations,
  ],
  erasures: ['OrderPersonalDataErased', 'BatchFinished'],
  readModels: [orderModel, termModel, addressTermModel, assignmentModel, routeModel, dutyModel],
  notices: [...orderNotices, ...proofNotices, orderCreateAsync, ...driverNotices],
  noticeSources: [orderNoticeSource, ...proofNoticeSources, batchNoticeSource, ...driverNoticeSources],
}
