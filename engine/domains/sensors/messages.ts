import type { Catalogue, CodeOf } from '../../kernel/catalogue.ts'

/** Readings of sensors. */
export const sensorMessages = {
  not_found: {
    sensor_limit_not_found: 'There is no sensor limit {limit}.',
  },
  conflict: {
    sensor_limit_status_forbids: '{move} is not possible while the sensor limit {limit} is {status}.',
    too_many_limits: 'A business can have at most {limit} active sensor limits.',
  },
  too_large: {
    too_many_readings: 'A call can have at most {limit} readings, and so can an hour of a timeline.',
    too_many_series: 'A timeline can have at most {limit} series.',
  },
  value: {
    reading_value_wrong: 'A reading of the type {type} needs a {expected} as its value.',
    unknown_unit: '{received} is no unit of the type {type}. Units: {expected}.',
    time_required: 'The reading needs the time when it was measured.',
    not_a_bound: 'Expected decimal text with at most 6 decimals, for example 2.5.',
    bound_required: 'The limit needs a minimum or a maximum.',
    bounds_reversed: 'The maximum is below the minimum.',
    one_target_of_limit: 'The limit needs exactly one of these: {expected}.',
    reading_in_future: 'The reading is more than a day in the future.',
  },
} as const satisfies Catalogue

/** A code of readings of sensors. */
export type SensorCode = CodeOf<typeof sensorMessages>

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<SensorCode, 'sensors'> {}
}
