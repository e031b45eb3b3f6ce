import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import { printedAmount } from '../../kernel/money.ts'
import { named } from '../../kernel/named.ts'
import { operation } from '../../kernel/operation.ts'
import { word } from '../../kernel/schemas.ts'
import { at, callEntries, commandErrors } from './answer.ts'
import { commandStamp, orderIds, runOrder } from './load.ts'
import { remainingOf } from './money.ts'
import { moves } from './moves.ts'
import { orderRecord, orderSummary, summaryOf } from './record.ts'
import { amount, orderEntries } from './schema.ts'
import type { Order } from './state.ts'

const { paid_amount, remaining_amount, currency } = orderRecord.entries
const paid = {
  paid_amount: paid_amount.wrapped,
  remaining_amount: remaining_amount.wrapped,
  currency: currency.wrapped,
}

const paidAnswer = named(
  'OrderPaymentAnswer',
  v.strictObject({ result: v.literal(true), ...orderSummary.entries, ...paid }),
)

/** Pays for an order: what comes to the order goes from the wallet, or neither. */
export const payOrder = operation({
  name: 'pay_order',
  summary:
    'Pay for an order from the wallet of the calling customer. If it is cancelled later, what was paid comes back.',
  scopes: ['orders:write', 'wallet:read'],
  risk: 'high',
  roles: ['customer'],
  tag: 'Customer',
  pays: 'local_delivery',
  rest: at('pay'),
  ids: orderIds,
  input: v.strictObject({
    ...orderEntries,
    amount: v.exactOptional(
      v.pipe(amount, v.description('Decimal text, as 12.50; all that is left to pay where absent.')),
    ),
  }),
  output: paidAnswer,
  errors: [...commandErrors, 'nothing_to_pay', 'amount_exceeds', 'insufficient_credits', 'currency_differs'],
  handle: async (context, { order_id, amount: requested }) => {
    const { order } = await runOrder(context, order_id, (before) => ({
      type: 'PayOrder',
      ...commandStamp(context),
      amount: requested ?? remainingOf(before),
    }))
    return answerOf(context, order)
  },
})

/** Gives back what was paid for an order: it goes from the order to the wallet, or neither. */
export const refundOrder = operation({
  ...callEntries(moves.refund.call),
  tag: 'Client',
  input: v.strictObject({
    ...orderEntries,
    amount: v.exactOptional(v.pipe(amount, v.description('Decimal text, as 12.50; all that is paid where absent.'))),
    reason: v.pipe(
      word(200),
      v.description('Why, as the customer reads it. It stays in the books for good, so it should name nobody.'),
    ),
  }),
  output: paidAnswer,
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
