import * as v from 'valibot'
import { viewOf } from '../../entity/access.ts'
import type { Values } from '../../entity/field.ts'
import { pick, recordOf as recordIn, recordSchemaOf } from '../../entity/record.ts'
import { staff } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { orderTable } from './order.ts'
import type { Order } from './state.ts'
import { type Status, statusForCustomer } from './status.ts'

/** An order as answers show it: times in the time zone of its business. */
export const orderRecord = recordSchemaOf(orderTable, [], 'Order')

/** An order that the business delivers, or gives to a carrier. */
export type LocalOrder = v.InferOutput<typeof orderRecord>

const summary = [
  ...(['id', 'order_id', 'tracking_number', 'external_tracking_number', 'reference'] as const),
  ...(['type', 'status', 'order_status_id'] as const),
]

/** The summary of an order in the answers of writes: numbers and status, nothing personal. */
export const orderSummary = v.strictObject(pick(orderRecord.entries, summary))

/** Whether an account works for the business. */
export function isStaff(context: Pick<Context, 'caller'>): boolean {
  return staff.includes(accountOf(context).role)
}

/** The status as the caller sees it. */
export function statusFor({ caller }: Pick<Context, 'caller'>, status: Status): Status {
  return caller.account?.role === 'customer' ? statusForCustomer(status) : status
}

/** The summary of an order, as the caller sees it. */
export function summaryOf(order: Order, context: Pick<Context, 'caller'>): Values {
  return pick(recordOf(order, context), summary)
}

/** An order as the caller sees it. */
export function recordOf(order: Order, context: Pick<Context, 'caller'>): Values {
  return recordIn(orderTable, order, viewOf(context))
}
