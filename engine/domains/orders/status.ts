import * as v from 'valibot'
import { type OrderStatus, orderStatuses } from '../../kernel/order-status.ts'
import { refusing } from '../../kernel/schemas.ts'

export {
  finalOrderStatuses as finalStatuses,
  orderStatuses as statuses,
  statusForCustomer,
} from '../../kernel/order-status.ts'

/** Name of a status of an order. */
export type Status = OrderStatus

/** Whether something is the name of a status. */
export function isStatus(name: unknown): name is Status {
  return typeof name === 'string' && Object.hasOwn(orderStatuses, name)
}

/** Statuses before the pickup. */
export const statusesBeforePickup: readonly Status[] = ['NEW_ORDER', 'HOLD', 'ASSIGNED', 'ACCEPTED', 'PICKUP_STARTED']

/** A driver is under way with it. */
export const statusesUnderWay: readonly Status[] = ['PICKUP_STARTED', 'PICKED_UP', 'ON_THE_WAY']

/** The status with this id; undefined if there is none. */
export function statusOf(id: number): Status | undefined {
  return (Object.keys(orderStatuses) as readonly Status[]).find((name) => orderStatuses[name].id === id)
}

/** The name of a status of an order, or its id, as text. */
export const statusText = v.pipe(
  v.string(),
  v.maxLength(30),
  refusing((value) => (statusNamed(value) === undefined ? 'not_an_order_status' : undefined)),
  v.description(
    `A status or its id: ${Object.entries(orderStatuses)
      .map(([name, status]) => `${name} (${status.id})`)
      .join(', ')}.`,
  ),
)

/** The status with this name, or with this id as text; undefined if there is none. */
export function statusNamed(value: string): Status | undefined {
  if (/^\d{1,9}$/.test(value)) return statusOf(Number(value))
  return (Object.keys(orderStatuses) as readonly Status[]).find((name) => name === value)
}
