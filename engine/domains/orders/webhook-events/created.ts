import * as v from 'valibot'
import type { WebhookEventType } from '../../../kernel/webhook-event.ts'
import { plainId } from '../webhook-event-ids.ts'
import { exampleMembers, membersOf, orderEntries } from './members.ts'
import { type PayloadsOf, payload } from './payload.ts'

/** An order was created. */
export const orderCreated = {
  name: 'order.created',
  channel: 'tenant',
  field: 'order_create_webhook_url',
  summary: 'An order of local delivery was created, by whatever path.',
  data: v.strictObject(orderEntries('order.created')),
  example: exampleMembers('order.created', 'create'),
} as const satisfies WebhookEventType

/** The payload of a new order. Receivers of batch results do not get each order of an asynchronous batch as well. */
export const createdPayloads: PayloadsOf = (event, order) => {
  if (event.type !== 'OrderCreated') return []
  const created = payload(orderCreated, plainId(orderCreated, event), membersOf(orderCreated.name, order))
  return [order.source === 'async' ? { ...created, skippedBy: 'order_create_async_postback_url' } : created]
}
