import * as v from 'valibot'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { Announcement, Notice, NoticeSource } from '../../kernel/notice.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { id, instant, placeEntries } from '../../kernel/schemas.ts'
import { instantOf, isoOf } from '../../kernel/time.ts'
import type { DriverDutyChanged, DriverLocated } from './driver.ts'

const driverId = v.pipe(id, v.description('User id of the driver.'))

/** A driver went on duty, or off it. */
const driverOnDutyChanged = {
  name: 'driver.on_duty_changed',
  channel: 'order_lifecycle',
  field: 'order_lifecycle_webhook_url',
  summary: 'A driver went on or off duty in the app.',
  data: v.strictObject({ driver_id: driverId, on_duty: v.boolean() }),
  example: { driver_id: 12, on_duty: true },
  idMember: 'event_id',
  isInternal: true,
} as const satisfies Notice

/** Where a driver is. */
const driverLocationUpdate = {
  name: 'driver.location_update',
  channel: 'driver_location',
  field: 'driver_location_webhook_url',
  summary: 'Where a driver is, by the app or a tracker; at most once in the interval of the settings.',
  data: v.strictObject({
    driver_id: driverId,
    latitude: placeEntries.latitude.wrapped,
    longitude: placeEntries.longitude.wrapped,
    measured_at: v.exactOptional(
      v.pipe(instant, v.description('When the device measured it, in UTC; missing where it did not say.')),
    ),
  }),
  example: { driver_id: 12, latitude: 43.6532, longitude: -79.3832, measured_at: '2026-06-10T15:59:58.000Z' },
  idMember: 'event_id',
  isInternal: true,
} as const satisfies Notice

/** What the duty of drivers tells. */
const dutySource: NoticeSource = {
  category: 'driver',
  types: ['DriverDutyChanged'],
  announce: async (_, recorded) => {
    const event = recorded as RecordedEvent<DriverDutyChanged>
    if (event.type !== 'DriverDutyChanged') return []
    const { driver_id, on_duty } = event.data
    return [{ ...aboutDriver(event), notice: driverOnDutyChanged.name, data: () => ({ driver_id, on_duty }) }]
  },
}

/** What the places of drivers tell: nothing once they were erased. */
const locationSource: NoticeSource = {
  category: 'driver_location',
  types: ['DriverLocated'],
  announce: async (_, recorded) => {
    const event = recorded as RecordedEvent<DriverLocated>
    if (event.type !== 'DriverLocated' || event.data.personal === undefined) return []
    const { driver_id, personal } = event.data
    const { latitude, longitude, at } = personal
    const measured_at = at === undefined ? undefined : isoOf(instantOf(at))
    const data = { driver_id, latitude, longitude, ...omitUndefined({ measured_at }) }
    const about = aboutDriver(event)
    return [{ ...about, notice: driverLocationUpdate.name, throttle: about.subject, data: () => data }]
  },
}

/** What the outside can be told of drivers. */
export const driverNotices: readonly Notice[] = [driverOnDutyChanged, driverLocationUpdate]

/** What turns the events of drivers into notices. */
export const driverNoticeSources: readonly NoticeSource[] = [dutySource, locationSource]

function aboutDriver(
  event: RecordedEvent<DriverDutyChanged | DriverLocated>,
): Pick<Announcement, 'id' | 'audience' | 'occurredAt' | 'subject'> {
  const { driver_id, business_id: businessId, at } = event.data
  return {
    id: `OLE-${event.id}`,
    audience: { kind: 'tenant', businessId },
    occurredAt: at,
    subject: `driver/${driver_id}`,
  }
}
