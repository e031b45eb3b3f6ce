import * as v from 'valibot'
import { messageOf } from '../../../kernel/messages/index.ts'
import type { Notice } from '../../../kernel/webhook-event.ts'
import { id, text } from '../../../kernel/schemas.ts'
import { orderMessages } from '../messages.ts'
import { plainId } from '../webhook-event-ids.ts'
import { exampleMembers, membersOf, orderEntries, statusFor } from './members.ts'
import { type Teller, telling } from './payload.ts'

/** An order was taken out of every list for good. */
export const orderDeleted = {
  name: 'order.deleted',
  channel: 'tenant',
  field: 'order_deleted_webhook_url',
  summary: 'An order was deleted for good.',
  data: v.strictObject(orderEntries('order.deleted')),
  example: exampleMembers('order.deleted', 'cancel'),
  idMember: 'event_id',
} as const satisfies Notice

/** What a deletion tells. */
export const tellDeleted: Teller = (event, order) =>
  event.type === 'OrderDeleted' ? [telling(orderDeleted, `ODE-${event.id}`, membersOf(orderDeleted.name, order))] : []

/** An order could not be cancelled. */
export const orderCancelFailed = {
  name: 'order.cancel_failed',
  channel: 'tenant',
  field: 'order_cancel_failed_webhook_url',
  summary: 'An attempt to cancel an order was rejected, as when it is already out for delivery.',
  data: v.strictObject({
    result: v.literal(false),
    code: v.pipe(text(60), v.description('Why; ORDER_CANCEL_REFUSED for a customer, whoever has refused.')),
    message: v.pipe(text(500), v.description('In English.')),
    http_status: v.pipe(
      v.number(),
      v.integer(),
      v.minValue(400),
      v.maxValue(599),
      v.description('The status that answers to the refusal.'),
    ),
    submitted: v.strictObject({
      order_id: id,
      tracking_number: text(60),
      external_tracking_number: v.nullable(text(100)),
    }),
  }),
  example: {
    result: false,
    code: 'cancel_refused',
    message: 'Order 42 cannot be cancelled while it is ON_THE_WAY.',
    http_status: 409,
    submitted: { order_id: 42, tracking_number: 'LD00004200000000017', external_tracking_number: null },
  },
} as const satisfies Notice

/**
 * What a refused attempt to cancel tells. A customer reads one code for all refusals: if those of a carrier alone had it,
 * it would tell who carries.
 */
export const tellCancelFailed: Teller = (event, order) => {
  if (event.type !== 'OrderCancelRefused') return []
  const { status, code, http_status } = event.data
  const submitted = {
    order_id: order.order_id,
    tracking_number: order.tracking_number,
    external_tracking_number: order.external_tracking_number ?? null,
  }
  return [
    telling(orderCancelFailed, plainId(orderCancelFailed, event), (reader) => ({
      result: false as const,
      code: reader === 'customer' ? 'ORDER_CANCEL_REFUSED' : code,
      message: messageOf(
        'cancel_refused',
        { order: order.order_id, status: statusFor(reader, status) },
        orderMessages.en,
      ),
      http_status,
      submitted,
    })),
  ]
}
