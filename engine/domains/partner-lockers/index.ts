import type { Domain } from '../../kernel/domain.ts'
import {
  cancelLockerDelivery,
  completeLockerPickup,
  expireLockerDeliveries,
  failLockerDelivery,
  rotateLockerCode,
} from './changes.ts'
import { confirmLockerDelivery, openLockerDoors, reopenLockerDoors, reportLockerDoorClosed } from './doors.ts'
import { lockerDeliveryEventTypes } from './events.ts'
import { lockerDeliveryModel } from './locker-delivery-model.ts'
import { lockerDeliveryMessages } from './messages.ts'
import { lockerNoticeSource, lockerNotices } from './notices.ts'
import { createLockerDelivery, getLockerDelivery, listLockerDeliveries } from './operations.ts'

/** Deliveries of partner carriers into the lockers of a business: doors, codes, and what became of the parcels. */
export const partnerLockersDomain: Domain = {
  name: 'partner-lockers',
  messages: [lockerDeliveryMessages],
  events: { locker_delivery: lockerDeliveryEventTypes },
  operations: [
    createLockerDelivery,
    listLockerDeliveries,
    getLockerDelivery,
    openLockerDoors,
    reportLockerDoorClosed,
    confirmLockerDelivery,
    reopenLockerDoors,
    completeLockerPickup,
    failLockerDelivery,
    cancelLockerDelivery,
    rotateLockerCode,
    expireLockerDeliveries,
  ],
  readModels: [lockerDeliveryModel],
  notices: lockerNotices,
  noticeSources: [lockerNoticeSource],
}
