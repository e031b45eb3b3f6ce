import type { Domain } from '../../kernel/domain.ts'
import { addressTermModel } from './addresses/model.ts'
import { assignmentsDomain } from './assignments/index.ts'
import { getOperationEvents } from './audit.ts'
import { batchesDomain } from './batch/index.ts'
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
import { newOrder } from './draft.ts'
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
import { orderNoticeSource, orderNotices } from './notices/index.ts'
import { orderModel } from './order-model.ts'
import { payOrder } from './pay.ts'
import { proofNoticeSources, proofNotices } from './proof/notices.ts'
import { proofOperations } from './proof/operations.ts'
import { questionOperations } from './questions/index.ts'
import { getOrderDetail, getOrders } from './read.ts'
import { orderSummary } from './record.ts'
import { driversDomain } from './routes/drivers/index.ts'
import { routesDomain } from './routes/index.ts'
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

const batches = batchesDomain(newOrder)
const routes = routesDomain(orderSummary.entries)
const drivers = driversDomain(orderSummary.entries)

/** Orders: who is to carry what from where to where, and how far that has come. */
export const ordersDomain: Domain = {
  name: 'orders',
  events: {
    order: orderEventTypes,
    order_number: ['OrderNumberTaken'],
    ...batches.events,
    ...routes.events,
    ...drivers.events,
  },
  operations: [
    ...orderOperations,
    ...batches.operations,
    ...questionOperations,
    ...assignmentsDomain.operations,
    ...routes.operations,
    ...drivers.operations,
    ...proofOperations,
  ],
  erasures: ['OrderPersonalDataErased', ...(batches.erasures ?? [])],
  readModels: [
    orderModel,
    termModel,
    addressTermModel,
    ...(assignmentsDomain.readModels ?? []),
    ...(routes.readModels ?? []),
    ...(drivers.readModels ?? []),
  ],
  notices: [...orderNotices, ...proofNotices, ...(batches.notices ?? []), ...(drivers.notices ?? [])],
  noticeSources: [
    orderNoticeSource,
    ...proofNoticeSources,
    ...(batches.noticeSources ?? []),
    ...(drivers.noticeSources ?? []),
  ],
}
