import { type Fields, type Moves, nobody, type Table } from '../../entity/field.ts'
import type { RecordedOf } from '../../entity/recorded.ts'
import type { Event } from '../../kernel/event.ts'
import { id, instant, placeEntries } from '../../kernel/schemas.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { instantOf, isoOf } from '../../kernel/time.ts'

/** The decisions of most fields. No answer shows the location of a driver; the webhook event does. */
const webhookOnly = {
  personal: false,
  price: 'none',
  setBy: ['driver'],
  carried: false,
  shownTo: nobody,
  listed: 'no',
  webhooks: 'all',
} as const

const moves = {
  locate: {
    from: 'nothing',
    event: 'DriverLocated',
    call: {
      operation: 'tell_driver_location',
      verb: 'location',
      by: ['driver'],
      summary: 'Report your location, as a driver. At most one location in 10 seconds is stored.',
      errors: ['invalid_input'],
    },
    webhook: {
      event: 'driver.location_update',
      summary: 'Location of a driver, from the app or a tracker. Sent at most once per interval of the settings.',
    },
  },
} as const satisfies Moves<never>

const fields = {
  driver_id: {
    ...webhookOnly,
    about: 'User id of the driver.',
    type: id,
    example: 12,
    set: { locate: 'engine' },
    setBy: nobody,
  },
  business_id: {
    ...webhookOnly,
    about: 'Id of the business that the driver works for.',
    type: id,
    example: 1,
    set: { locate: 'engine' },
    setBy: nobody,
    webhooks: 'none',
  },
  latitude: {
    ...webhookOnly,
    about: 'Degrees north of the equator (WGS 84).',
    type: placeEntries.latitude.wrapped,
    example: 43.6532,
    set: { locate: 'required' },
    personal: true,
    always: true,
  },
  longitude: {
    ...webhookOnly,
    about: 'Degrees east of Greenwich (WGS 84).',
    type: placeEntries.longitude.wrapped,
    example: -79.3832,
    set: { locate: 'required' },
    personal: true,
    always: true,
  },
  at: {
    ...webhookOnly,
    about: 'When the device measured it: ISO 8601 with its offset; webhook events have it in UTC.',
    type: instant,
    example: '2026-06-10T15:59:58.000Z',
    set: { locate: 'optional' },
    personal: true,
    webhookAs: {
      name: 'measured_at',
      type: instant,
      of: ({ at }: { at?: string }) => (at === undefined ? undefined : isoOf(instantOf(at))),
    },
  },
} as const satisfies Fields<keyof typeof moves>

/** A location that a driver reported. */
export const location = {
  category: 'driver_location',
  noun: 'driver location',
  id: 'driver_id',
  statuses: {},
  moves,
  fields,
  missing: 'left out',
} as const satisfies Table

/** A driver reported a location, at a time (ISO 8601, UTC). After an erasure it has no personal data. */
export type DriverLocated = Event<'DriverLocated', { readonly at: string } & RecordedOf<typeof location, 'locate'>>

/** The stream of a driver's locations. It is separate because it grows all day and no decision reads it. */
export function driverLocationStream(id: number): StreamName {
  return `driver_location-${id}`
}
