import * as v from 'valibot'
import { payingOperations } from '../../entity/paying-operations.ts'
import { staff } from '../../kernel/account.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { printedAmount } from '../../kernel/money.ts'
import { operation } from '../../kernel/operation.ts'
import { localDelivery } from '../../kernel/order-family.ts'
import type { Payable } from '../../kernel/payable.ts'
import { word } from '../../kernel/schemas.ts'
import { callEntries, commandErrors } from './answer.ts'
import { commandStamp, decideOn, findLoaded, loadOrder, orderIds, runOrder } from './load.ts'
import { billOf, remainingOf } from './money.ts'
import { moves } from './moves.ts'
import { orderRecord, orderSummary, summaryOf } from './record.ts'
import { amount, orderEntries } from './schema.ts'
import type { Order } from './state.ts'

/** Orders that the business delivers, as they are paid. */
export const payableOrder: Payable = {
  family: localDelivery,
  bill: async (facts, id) => {
    const loaded = await findLoaded(facts, id)
    return loaded && billOf(loaded.state)
  },
  settle: async (context, id, { amount: requested, offline }) => {
    const loaded = await findLoaded(context, id)
    if (loaded === undefined) throw new EngineError('order_not_found', { order: id })
    const amount = requested ?? remainingOf(loaded.state)
    const stamp = commandStamp(context)
    const { order, events, appends } = decideOn(
      context,
      loaded,
      offline === undefined
        ? { type: 'PayOrder', ...stamp, amount }
        : { type: 'SettleOffline', ...stamp, amount, offline },
    )
    const [event] = events
    const kept = event?.type === 'OrderPaid' ? event.data : event?.type === 'OrderSettledOffline' && event.data.payment
    return { amount: kept ? kept.amount : amount, bill: billOf(order), appends }
  },
}

/** Pays for an order: what comes to the order goes from the wallet, or neither; or by the word of the staff. */
export const [payOrder, settleOrderOffline] = payingOperations({
  payable: payableOrder,
  calls: [
    {
      operation: 'pay_order',
      verb: 'pay',
      summary:
        'Pay for an order from the wallet of the calling customer. If it is cancelled later, what was paid comes back.',
      by: ['customer'],
      risk: 'high',
    },
    {
      operation: 'settle_order_offline',
      verb: 'settle-offline',
      summary: 'Record that an order was paid outside of this server, all of it or a part. No wallet changes.',
      by: staff,
      risk: 'high',
    },
  ],
  ...{ id: 'order_id', entries: orderEntries, path: '/api/v1/orders/{order_id}' },
  names: [orderIds.order_id, orderIds.order_id],
  scopes: [['orders:write', 'wallet:read'], ['orders:write']],
  tags: ['Customer', 'Customer'],
  errors: commandErrors,
  answers: orderSummary.entries,
  answerOf: async (context, id) => summaryOf(await loadOrder(context, id), context),
  ports: ({ ports }) => ports.orders,
})

const { paid_amount, remaining_amount, currency } = orderRecord.entries

/** Gives back what was paid for an order: it goes from the order to the wallet, or neither. */
export const refundOrder = operation({
  ...callEntries(moves.refund.call),
  tag: 'Money',
  input: v.strictObject({
    ...orderEntries,
    amount: v.exactOptional(v.pipe(amount, v.description('Decimal text, as 12.50; all that is paid where absent.'))),
    reason: v.pipe(
      word(200),
      v.description('Why, as the customer reads it. It stays in the books for good, so it should name nobody.'),
    ),
  }),
  output: v.strictObject({
    result: v.literal(true),
    ...orderSummary.entries,
    paid_amount: paid_amount.wrapped,
    remaining_amount: remaining_amount.wrapped,
    currency: currency.wrapped,
  }),
  handle: async (context, { order_id, ...given }) => {
    const command = { type: 'RefundOrder', ...commandStamp(context), ...given } as const
    return answerOf(context, (await runOrder(context, order_id, command)).order)
  },
})

function answerOf(context: Context, order: Order) {
  const { price, paid } = order
  const amounts = price && {
    paid_amount: printedAmount(paid, price.currency),
    remaining_amount: remainingOf(order),
    currency: price.currency,
  }
  return { result: true, ...summaryOf(order, context), ...amounts }
}
