import type { Domain } from '../../kernel/domain.ts'
import {
  cancelDeviceOrder,
  collectDeviceOrder,
  eraseDeviceOrder,
  issuePickupCode,
  removeDeviceOrder,
  storeDeviceOrder,
} from './changes.ts'
import { deviceOrderModel } from './device-order-model.ts'
import { deviceOrderEventTypes } from './events.ts'
import { openDeviceException, resolveDeviceException } from './exceptions.ts'
import { otepClientLockerStorage } from './locker-storage.ts'
import { deviceOrderMessages } from './messages.ts'
import { deviceOrderNoticeSource, deviceOrderNotices } from './notices.ts'
import { createDeviceOrder, getDeviceOrder, listDeviceOrders } from './operations.ts'

/** Stays in lockers, kiosks and smart drops: who is to act next, and what became of it. */
export const deviceOrdersDomain: Domain = {
  name: 'device-orders',
  messages: [deviceOrderMessages],
  events: { device_order: deviceOrderEventTypes },
  operations: [
    createDeviceOrder,
    listDeviceOrders,
    getDeviceOrder,
    storeDeviceOrder,
    issuePickupCode,
    collectDeviceOrder,
    removeDeviceOrder,
    openDeviceException,
    resolveDeviceException,
    cancelDeviceOrder,
    eraseDeviceOrder,
    otepClientLockerStorage,
  ],
  readModels: [deviceOrderModel],
  erasures: ['DeviceOrderPersonalDataErased'],
  notices: deviceOrderNotices,
  noticeSources: [deviceOrderNoticeSource],
}
