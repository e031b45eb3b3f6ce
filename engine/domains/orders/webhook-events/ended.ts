import * as v from 'valibot'
import { messageOf } from '../../../kernel/messages/index.ts'
import { id, text } from '../../../kernel/schemas.ts'
import type { WebhookEventType } from '../../../kernel/webhook-event.ts'
import { orderMessages } from '../messages.ts'
import { plainId } from '../webhook-event-ids.ts'
import { exampleMembers, membersOf, orderEntries, statusFor } from './members.ts'
import { type PayloadsOf, payload } from './payload.ts'

/** An order was deleted: it appears in no list any more. */
export const orderDeleted = {
  name: 'order.deleted',
  channel: 'tenant',
  field: 'order_deleted_webhook_url',
  summary: 'An order was deleted for good.',
  data: v.strictObject(orderEntries('order.deleted')),
  example: exampleMembers('order.deleted', 'cancel'),
  idMember: 'event_id',
} as const satisfies WebhookEventType

/** The payload of a deletion. */
export const deletedPayloads: PayloadsOf = (event, order) =>
  event.type === 'OrderDeleted' ? [payload(orderDeleted, `ODE-${event.id}`, membersOf(orderDeleted.name, order))] : []

/** An order could not be cancelled. */
export const orderCancelFailed = {
  name: 'order.cancel_failed',
  channel: 'tenant',
  field: 'order_cancel_failed_webhook_url',
  summary: 'An attempt to cancel an order was rejected, as when it is already out for delivery.',
  data: v.strictObject({
    result: v.literal(false),
    code: v.pipe(text(60), v.description('Code of the refusal; always ORDER_CANCEL_REFUSED for a customer.')),
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
} as const satisfies WebhookEventType

/**
 * The payload of a refused cancellation. Customers get one code for all refusals. A code for carriers only would reveal
 * who carries the order.
 */
export const cancelFailedPayloads: PayloadsOf = (event, order) => {
  if (event.type !== 'OrderCancelRefused') return []
  const { status, code, http_status } = event.data
  const submitted = {
    order_id: order.order_id,
    tracking_number: order.tracking_number,
    external_tracking_number: order.external_tracking_number ?? null,
  }
  return [
    payload(orderCancelFailed, plainId(orderCancelFailed, event), (reader) => ({
      result: false as const,
      code: reader === 'customer' ? 'ORDER_CANCEL_REFUSED' : code,
      message: messageOf(
        'cancel_refused',
        { order: order.order_id, status: statusFor(reader, status) },
        orderMessages.conflict,
      ),
      http_status,
      submitted,
    })),
  ]
}
