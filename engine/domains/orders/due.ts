import { lastMinuteOf, type Schedule } from '../../kernel/order-due.ts'
import { finalStatuses, type Status } from './status.ts'

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
