import type * as v from 'valibot'
import type { Expected } from './expected.ts'
import type { timeWindow } from './time-window.ts'

/** When an order is to be carried out, in the time zone of its business. */
export interface Schedule {
  readonly schedule_date?: string
  readonly time_window?: v.InferOutput<typeof timeWindow>
}

/** When an order is to be delivered, with the offset of its business at that time: from the first to the last minute of a day, if only that is planned. */
export interface PlannedDelivery extends Expected {
  /** The time zone of its business. */
  readonly zone: string
  /** When this was decided; what was reported later says more. */
  readonly since: string
}

/** The last minute of the day of an order, or of its window; empty without a day. */
export function lastMinuteOf({ schedule_date: day, time_window: window }: Schedule): string {
  return day === undefined ? '' : `${day}T${window?.end ?? '23:59'}`
}

/**
 * The last minute at which an order is on time, in the time zone of its business, and its id: no other order has the same. One
 * without a day comes before all others.
 */
export function dueOf(schedule: Schedule, id: number): string {
  return `${lastMinuteOf(schedule)}.${String(id).padStart(15, '0')}`
}
