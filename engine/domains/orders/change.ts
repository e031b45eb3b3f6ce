import * as v from 'valibot'
import { messageOf } from '../../kernel/messages/index.ts'
import { named } from '../../kernel/named.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { operation } from '../../kernel/operation.ts'
import { text } from '../../kernel/schemas.ts'
import { callEntries, onOrder, runCommand, summaryAnswer } from './answer.ts'
import { commandStamp, runOrder } from './load.ts'
import { keptPrice } from './money.ts'
import { moves } from './moves.ts'
import { orderTable } from './order.ts'
import { ownPrice } from './own-price.ts'
import { orderSummary, statusFor, summaryOf } from './record.ts'
import { orderEntries, price } from './schema.ts'

/** Cancels an order, or refuses with the reason. A refusal is recorded, too. */
export const cancelOrder = operation({
  ...callEntries(moves.cancel.call),
  tag: 'Client',
  mcp: { title: 'Cancel order', idempotent: true },
  input: onOrder,
  output: v.union([
    summaryAnswer,
    named(
      'CancelRefusal',
      v.strictObject({
        result: v.literal(false),
        code: v.literal('cancel_refused'),
        message: v.pipe(v.string(), v.description('Why the order stays, in the language of Accept-Language.')),
        http_status: v.pipe(v.number(), v.description('The status of this response, 409.')),
        ...orderSummary.entries,
      }),
    ),
  ]),
  errors: ['order_not_found', 'not_a_self_delivery_order', 'cancel_refused', 'contention'],
  handle: async (context, { order_id }) => {
    const { order, events } = await runOrder(context, order_id, { type: 'CancelOrder', ...commandStamp(context) })
    const refused = events.find((event) => event.type === 'OrderCancelRefused')
    if (refused === undefined) return { result: true, ...summaryOf(order, context) }
    const params = { order: order_id, status: statusFor(context, order.status) }
    const message = messageOf('cancel_refused', params, context.messages)
    const { http_status } = refused.data
    return { result: false, code: 'cancel_refused', message, http_status, ...summaryOf(order, context) }
  },
})

/** Puts an order on hold, so that it is not dispatched. */
export const holdOrder = operation({
  ...callEntries(moves.hold.call),
  tag: 'Client',
  mcp: { title: 'Hold order' },
  input: onOrder,
  handle: (context, { order_id }) => runCommand(context, order_id, (stamp) => ({ type: 'HoldOrder', ...stamp })),
})

/** Releases a held order, so that it can be dispatched again. */
export const releaseOrder = operation({
  ...callEntries(moves.release.call),
  tag: 'Client',
  mcp: { title: 'Release order' },
  input: onOrder,
  handle: (context, { order_id }) => runCommand(context, order_id, (stamp) => ({ type: 'ReleaseOrder', ...stamp })),
})

/** Changes how an order is to be handed over. */
export const updateDeliveryInstruction = operation({
  ...callEntries(moves.change_instruction.call),
  tag: 'Client',
  mcp: { title: 'Update delivery instruction', destructive: true, idempotent: true },
  input: v.strictObject({
    ...orderEntries,
    delivery_instruction: v.pipe(orderTable.fields.delivery_instruction.type, v.description('Empty for none.')),
  }),
  handle: (context, { order_id, delivery_instruction }) =>
    runCommand(context, order_id, (stamp) => ({ type: 'ChangeInstruction', ...stamp, text: delivery_instruction })),
})

/** Changes the internal note of an order. */
export const updateOrderNote = operation({
  ...callEntries(moves.change_note.call),
  tag: 'Client',
  mcp: { title: 'Update order note', destructive: true, idempotent: true },
  input: v.strictObject({
    ...orderEntries,
    note: v.pipe(orderTable.fields.note.type, v.description('Empty for none.')),
  }),
  handle: (context, { order_id, note }) =>
    runCommand(context, order_id, (stamp) => ({ type: 'ChangeNote', ...stamp, text: note })),
})

/** Sets or changes the price of an order. */
export const setOrderPrice = operation({
  ...callEntries(moves.change_price.call),
  tag: 'Client',
  input: v.strictObject({
    ...orderEntries,
    price,
    note: v.exactOptional(v.pipe(text(500), v.description('Why; only staff read it.'))),
  }),
  handle: async (context, { order_id, price: asked, note }) => {
    const price = keptPrice(await ownPrice(context, asked))
    return runCommand(context, order_id, (stamp) => ({
      type: 'ChangePrice',
      ...stamp,
      price,
      ...omitUndefined({ note }),
    }))
  },
})

/** Deletes an order: it is in no list any more, and its events stay. */
export const deleteOrder = operation({
  ...callEntries(moves.delete.call),
  tag: 'Client',
  input: onOrder,
  handle: (context, { order_id }) => runCommand(context, order_id, (stamp) => ({ type: 'DeleteOrder', ...stamp })),
})
