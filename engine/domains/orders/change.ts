import * as v from 'valibot'
import { messageOf } from '../../kernel/messages/index.ts'
import { operation } from '../../kernel/operation.ts'
import { text } from '../../kernel/schemas.ts'
import { at, commandErrors, onOrder, runCommand, summaryAnswer } from './answer.ts'
import { commandStamp, runOrder } from './load.ts'
import { orderSummary, statusFor, summaryOf } from './record.ts'
import { orderEntries } from './schema.ts'

/** Cancels an order, or refuses with the reason. A refusal is recorded, too. */
export const cancelOrder = operation({
  name: 'cancel_order',
  summary: 'Cancel an order that is not yet picked up, or whose attempt has failed. A refused attempt is recorded.',
  scopes: ['orders:write'],
  risk: 'high',
  roles: ['client_admin', 'client_employee', 'customer'],
  tag: 'Client',
  mcp: { title: 'Cancel order', idempotent: true },
  rest: at('cancel'),
  input: onOrder,
  output: v.union([
    summaryAnswer,
    v.strictObject({
      result: v.literal(false),
      code: v.literal('cancel_refused'),
      message: v.string(),
      http_status: v.number(),
      ...orderSummary.entries,
    }),
  ]),
  errors: ['order_not_found', 'cancel_refused', 'contention'],
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

/** Keeps an order from being dispatched. */
export const holdOrder = operation({
  name: 'hold_order',
  summary: 'Put an order on HOLD: it is not dispatched until it is released. Its driver loses it.',
  scopes: ['orders:write'],
  risk: 'high',
  roles: ['client_admin', 'client_employee'],
  tag: 'Client',
  mcp: { title: 'Hold order' },
  rest: at('hold'),
  input: onOrder,
  output: summaryAnswer,
  errors: [...commandErrors, 'order_on_route', 'order_with_carrier'],
  handle: (context, { order_id }) => runCommand(context, order_id, (stamp) => ({ type: 'HoldOrder', ...stamp })),
})

/** Lets a held order be dispatched again. */
export const releaseOrder = operation({
  name: 'release_order',
  summary: 'Release an order from HOLD: it is a new order again.',
  scopes: ['orders:write'],
  risk: 'high',
  roles: ['client_admin', 'client_employee'],
  tag: 'Client',
  mcp: { title: 'Release order' },
  rest: at('release'),
  input: onOrder,
  output: summaryAnswer,
  errors: commandErrors,
  handle: (context, { order_id }) => runCommand(context, order_id, (stamp) => ({ type: 'ReleaseOrder', ...stamp })),
})

/** Changes how an order is to be handed over. */
export const updateDeliveryInstruction = operation({
  name: 'update_delivery_instruction',
  summary: 'Change the delivery instruction of an order, and nothing else.',
  scopes: ['orders:write'],
  risk: 'medium',
  roles: ['client_admin', 'client_employee', 'customer'],
  tag: 'Client',
  mcp: { title: 'Update delivery instruction', destructive: true, idempotent: true },
  rest: at('delivery-instruction'),
  input: v.strictObject({
    ...orderEntries,
    delivery_instruction: v.pipe(text(500), v.description('Empty for none.')),
  }),
  output: summaryAnswer,
  errors: [...commandErrors, 'order_forgotten'],
  handle: (context, { order_id, delivery_instruction }) =>
    runCommand(context, order_id, (stamp) => ({ type: 'ChangeInstruction', ...stamp, text: delivery_instruction })),
})

/** Writes the internal note of an order anew. */
export const updateOrderNote = operation({
  name: 'update_order_note',
  summary: 'Change the internal note of an order, and nothing else. Only staff read it.',
  scopes: ['orders:write'],
  risk: 'medium',
  roles: ['client_admin', 'client_employee'],
  tag: 'Client',
  mcp: { title: 'Update order note', destructive: true, idempotent: true },
  rest: at('note'),
  input: v.strictObject({ ...orderEntries, note: v.pipe(text(500), v.description('Empty for none.')) }),
  output: summaryAnswer,
  errors: [...commandErrors, 'order_forgotten'],
  handle: (context, { order_id, note }) =>
    runCommand(context, order_id, (stamp) => ({ type: 'ChangeNote', ...stamp, text: note })),
})

/** Takes an order out of every list for good; its facts stay. */
export const deleteOrder = operation({
  name: 'delete_order',
  summary: 'Delete an order that is new, held or ended, for good: nobody finds it any more.',
  scopes: ['orders:write'],
  risk: 'high',
  roles: ['client_admin'],
  tag: 'Client',
  rest: at('delete'),
  input: onOrder,
  output: summaryAnswer,
  errors: [...commandErrors, 'order_on_route'],
  handle: (context, { order_id }) => runCommand(context, order_id, (stamp) => ({ type: 'DeleteOrder', ...stamp })),
})
