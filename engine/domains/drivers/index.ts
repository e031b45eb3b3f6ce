import type { ObjectEntries } from 'valibot'
import type { Gives, Giving } from '../../entity/domain.ts'
import { eventShapesOf } from '../../entity/event-shapes.ts'
import { getDriverRoutesToday } from './day.ts'
import { duty, dutyModel } from './duty.ts'
import { setDriverDuty, tellDriverLocation } from './duty-and-location.ts'
import { driverLocationsErased, erasedEventShapes, eraseLocations } from './erase.ts'
import { driversOnDuty } from './for-assignment-rules.ts'
import { requireDriver } from './known.ts'
import { getDrivers } from './list.ts'
import { location } from './location.ts'
import { driverMessages } from './messages.ts'
import { driverWebhookEventSources, driverWebhookEventTypes } from './webhook-events.ts'

export type { DriverCode } from './messages.ts'
export type { DriverPorts } from './ports.ts'

/** What others get from here, by who needs it. */
const gives = {
  assignmentRules: { driversOnDuty },
  routes: { requireDriver },
} satisfies Gives

/** Drivers: their duty, locations and orders; `orderSummary` has the members of an order's summary. */
export function driversDomain(orderSummary: ObjectEntries): Giving<typeof gives> {
  return {
    gives,
    name: 'drivers',
    messages: [driverMessages],
    events: { driver: eventShapesOf(duty), driver_location: { ...eventShapesOf(location), ...erasedEventShapes } },
    tables: [duty, location],
    erasePerson: (context, { id }) => eraseLocations(context, id),
    operations: [getDrivers, getDriverRoutesToday(orderSummary), setDriverDuty, tellDriverLocation],
    readModels: [dutyModel],
    erasures: [driverLocationsErased],
    webhookEventTypes: driverWebhookEventTypes,
    webhookEventSources: driverWebhookEventSources,
  }
}
