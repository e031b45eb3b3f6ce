import * as v from 'valibot'
import type { Notice } from '../../../kernel/webhook-event.ts'
import { plainId } from '../webhook-event-ids.ts'
import { exampleMembers, membersOf, orderEntries } from './members.ts'
import { type Teller, telling } from './payload.ts'

/** An order was taken. */
export const orderCreated = {
  name: 'order.created',
  channel: 'tenant',
  field: 'order_create_webhook_url',
  summary: 'An order of local delivery was created, by whatever path.',
  data: v.strictObject(orderEntries('order.created')),
  example: exampleMembers('order.created', 'create'),
} as const satisfies Notice

/** What a new order tells. Whoever is told the end of asynchronous batches is not told each order of them. */
export const tellCreated: Teller = (event, order) => {
  if (event.type !== 'OrderCreated') return []
  const told = telling(orderCreated, plainId(orderCreated, event), membersOf(orderCreated.name, order))
  return [order.source === 'async' ? { ...told, skippedBy: 'order_create_async_postback_url' } : told]
}
