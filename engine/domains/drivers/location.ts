import { type Fields, type Moves, nobody, type RecordedOf, type Table } from '../../entity/field.ts'
import type { Event } from '../../kernel/event.ts'
import { id, instant, placeEntries } from '../../kernel/schemas.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { instantOf, isoOf } from '../../kernel/time.ts'

/** The decisions that hold for most fields. No answer shows where a driver is; the webhook event does. */
const told = {
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
      summary: 'Say where you are, as a driver. One place in 10 seconds is kept; others are passed over.',
      errors: ['invalid_input'],
    },
    webhook: {
      event: 'driver.location_update',
      summary: 'Where a driver is, by the app or a tracker; at most once in the interval of the settings.',
    },
  },
} as const satisfies Moves<never>

const fields = {
  driver_id: {
    ...told,
    about: 'User id of the driver.',
    type: id,
    example: 12,
    set: { locate: 'engine' },
    setBy: nobody,
  },
  business_id: {
    ...told,
    about: 'Id of the business that the driver works for.',
    type: id,
    example: 1,
    set: { locate: 'engine' },
    setBy: nobody,
    webhooks: 'none',
  },
  latitude: {
    ...told,
    about: 'Degrees north of the equator (WGS 84).',
    type: placeEntries.latitude.wrapped,
    example: 43.6532,
    set: { locate: 'required' },
    personal: true,
    always: true,
  },
  longitude: {
    ...told,
    about: 'Degrees east of Greenwich (WGS 84).',
    type: placeEntries.longitude.wrapped,
    example: -79.3832,
    set: { locate: 'required' },
    personal: true,
    always: true,
  },
  at: {
    ...told,
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

/** Where a driver was. */
export const location = {
  category: 'driver_location',
  noun: 'driver',
  id: 'driver_id',
  statuses: {},
  moves,
  fields,
  missing: 'left out',
} as const satisfies Table

/** Where a driver was, said at a time (ISO 8601, UTC). Nothing personal is left once it was erased. */
export type DriverLocated = Event<'DriverLocated', { readonly at: string } & RecordedOf<typeof location, 'locate'>>

/** The stream of where a driver was: apart, as it grows all day and is not read to decide anything. */
export function driverLocationStream(id: number): StreamName {
  return `driver_location-${id}`
}
