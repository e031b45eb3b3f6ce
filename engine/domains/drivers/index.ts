import type { ObjectEntries } from 'valibot'
import type { Domain } from '../../kernel/domain.ts'
import { getDriverRoutesToday } from './day.ts'
import { driverEventTypes, driverLocationEventTypes } from './driver.ts'
import { setDriverDuty, tellDriverLocation } from './duty-and-location.ts'
import { dutyModel } from './duty-model.ts'
import { getDrivers } from './list.ts'
import { driverMessages } from './messages.ts'
import { driverNoticeSources, driverNotices } from './notices.ts'

/** Drivers: whether they are on duty, where they are, and what they have to do; `orderSummary` has the members that tell of an order. */
export function driversDomain(orderSummary: ObjectEntries): Domain {
  return {
    name: 'drivers',
    messages: [driverMessages],
    events: { driver: driverEventTypes, driver_location: driverLocationEventTypes },
    operations: [getDrivers, getDriverRoutesToday(orderSummary), setDriverDuty, tellDriverLocation],
    readModels: [dutyModel],
    notices: driverNotices,
    noticeSources: driverNoticeSources,
  }
}
