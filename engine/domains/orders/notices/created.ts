import * as v from 'valibot'
import type { Notice } from '../../../kernel/notice.ts'
import { omitUndefined } from '../../../kernel/omit-undefined.ts'
import { id, text } from '../../../kernel/schemas.ts'
import { plainId } from '../notice-ids.ts'
import { party } from '../schema.ts'
import { detailMembers, detailsOf, exampleDetails, exampleOrder, membersOf, orderMembers } from './members.ts'
import { type Teller, telling } from './telling.ts'

/** An order was taken. */
export const orderCreated = {
  name: 'order.created',
  channel: 'tenant',
  field: 'order_create_webhook_url',
  summary: 'An order of local delivery was created, by whatever path.',
  data: v.strictObject({
    ...orderMembers,
    source: v.pipe(
      v.picklist(['single', 'bulk', 'async', 'reroute']),
      v.description('By itself, in a batch, in an asynchronous batch, or in the place of an order that was rerouted.'),
    ),
    replaces: v.exactOptional(v.pipe(id, v.description('The order in whose place it was created.'))),
    ...detailMembers,
    pickup: v.exactOptional(v.pipe(party, v.description('Missing once it was erased, as the two that follow.'))),
    delivery: v.exactOptional(party),
    delivery_instruction: v.exactOptional(text(500)),
  }),
  example: {
    ...exampleOrder,
    status: 1,
    status_name: 'NEW_ORDER',
    source: 'single',
    ...exampleDetails,
    delivery: { name: 'Ann Lee', address: { street: '1 Main Street', locality: 'Toronto', country: 'CA' } },
    delivery_instruction: 'Ring twice.',
  },
} as const satisfies Notice

/** What a new order tells. Whoever is told the end of asynchronous batches is not told each order of them. */
export const tellCreated: Teller = (event, order) => {
  if (event.type !== 'OrderCreated') return []
  const { pickup, delivery, delivery_instruction, source, replaces } = order
  const told = telling(orderCreated, plainId(orderCreated, event), (reader) => ({
    ...membersOf(order, reader),
    source,
    ...omitUndefined({ replaces }),
    ...detailsOf(order, reader),
    ...omitUndefined({ pickup, delivery, delivery_instruction }),
  }))
  return [source === 'async' ? { ...told, skippedBy: 'order_create_async_postback_url' } : told]
}
