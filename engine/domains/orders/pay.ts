import * as v from 'valibot'
import { printedAmount } from '../../kernel/money.ts'
import { operation } from '../../kernel/operation.ts'
import { at, commandErrors } from './answer.ts'
import { commandStamp, orderIds, runOrder } from './load.ts'
import { remainingOf } from './money.ts'
import { orderRecord, orderSummary, summaryOf } from './record.ts'
import { amount, orderEntries } from './schema.ts'

const { paid_amount, remaining_amount, currency } = orderRecord.entries
const paid = {
  paid_amount: paid_amount.wrapped,
  remaining_amount: remaining_amount.wrapped,
  currency: currency.wrapped,
}

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
  output: v.strictObject({
    result: v.literal(true),
    ...orderSummary.entries,
    ...paid,
  }),
  errors: [...commandErrors, 'nothing_to_pay', 'amount_exceeds', 'insufficient_credits', 'currency_differs'],
  handle: async (context, { order_id, amount: requested }) => {
    const { order } = await runOrder(context, order_id, ({ price, paid }) => ({
      type: 'PayOrder',
      ...commandStamp(context),
      amount: requested ?? (price === undefined ? '0' : remainingOf(price, paid)),
    }))
    const { price, paid } = order
    const amounts = price && {
      paid_amount: printedAmount(paid, price.currency),
      remaining_amount: remainingOf(price, paid),
      currency: price.currency,
    }
    return { result: true, ...summaryOf(order, context), ...amounts }
  },
})
