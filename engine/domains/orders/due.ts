import type { TimeWindow } from './schema.ts'
import { finalStatuses, type Status } from './status.ts'

/** When an order is to be carried out, in the time zone of its business. */
export interface Schedule {
  readonly schedule_date?: string
  readonly time_window?: TimeWindow
}

function lastMinuteOf({ schedule_date: day, time_window: window }: Schedule): string {
  return day === undefined ? '' : `${day}T${window?.end ?? '23:59'}`
}

/**
 * The last minute at which an order is on time, in the time zone of its business, and its id: no other order has the same. One
 * without a day comes before all others.
 */
export function dueOf(schedule: Schedule, id: number): string {
  return `${lastMinuteOf(schedule)}.${String(id).padStart(15, '0')}`
}

/** The bounds of what `dueOf` says of orders that are late at a local time (`2026-06-10T17:01`), if they have not ended. */
export function lateBounds(localTime: string): readonly [from: string, to: string] {
  return ['0', localTime]
}

/** The bounds of whatever `dueOf` says. */
export const anyBounds: readonly [from: string, to: undefined] = ['', undefined]

/** The bounds of what `dueOf` says of orders for a day or one before. */
export function dayBounds(day: string): readonly [from: string, to: string] {
  return ['0', `${day}U`]
}

/** Whether an order is late at a local time. */
export function isLate({ status, ...schedule }: Schedule & { readonly status: Status }, localTime: string): boolean {
  return schedule.schedule_date !== undefined && lastMinuteOf(schedule) < localTime && !finalStatuses.includes(status)
}
