import { paidFromWallet } from '../../entity/paying.ts'
import { EngineError } from '../../kernel/errors.ts'
import { compareAmounts, isNothing, printedAmount, refuseImprecise } from '../../kernel/money.ts'
import { amountOn, exceeds } from '../../kernel/payable.ts'
import { type CommandOf, eventBase, oneOf, refunded, refusal, statusForbids } from './decided.ts'
import type { OrderEvent } from './events.ts'
import { billOf, totalOf } from './money.ts'
import type { Order } from './state.ts'
import { finalStatuses } from './status.ts'

const types = ['ChangePrice', 'PayOrder', 'SettleOffline', 'RefundOrder'] as const

type Paying = CommandOf<(typeof types)[number]>

/** Whether a command is about what an order costs. */
export const isOfMoney = oneOf(...types)

/** The events of what an order costs, and of what is paid for it and given back. */
export function decideMoney(command: Paying, order: Order): readonly OrderEvent[] {
  switch (command.type) {
    case 'ChangePrice':
      return changePrice(command, order)
    case 'PayOrder':
    case 'SettleOffline':
      return pay(command, order)
    case 'RefundOrder':
      return refund(command, order)
  }
}

/** Once the order has ended, a price is corrected, and the note says why. A cancelled order costs nothing. */
function changePrice(command: CommandOf<'ChangePrice'>, order: Order): readonly OrderEvent[] {
  const { price, note } = command
  const { paid, price: before, status, isErased } = order
  if (status === 'CANCELLED') throw statusForbids(command, order)
  if (isErased && note !== undefined) throw refusal('order_forgotten', command, order)
  if (JSON.stringify(before) === JSON.stringify(price)) return []
  if (before !== undefined && !isNothing(paid) && before.currency !== price.currency)
    throw new EngineError('currency_differs', { expected: before.currency, received: price.currency })
  if (finalStatuses.includes(status) && note === undefined && !isErased)
    throw new EngineError('invalid_input', { count: 1 }, [{ path: 'note', code: 'required', params: {} }])
  const personal = note !== undefined && { personal: { note } }
  return [
    { type: 'OrderPriceChanged', data: { ...eventBase(command), price, ...personal } },
    ...refunded(command, order, totalOf(price)),
  ]
}

function pay(command: CommandOf<'PayOrder' | 'SettleOffline'>, order: Order): readonly OrderEvent[] {
  const bill = billOf(order)
  if (order.status === 'CANCELLED') throw statusForbids(command, order)
  const amount = amountOn(bill, order.order_id, command.amount)
  const payment = { amount, currency: String(bill.currency) }
  if (command.type === 'PayOrder') return [{ type: 'OrderPaid', data: { ...eventBase(command), ...payment } }]
  const data = { ...eventBase(command), payment: { ...payment, ...command.offline } }
  return [{ type: 'OrderSettledOffline', data }]
}

/** What was paid outside is given back there, and is none of this. */
function refund(command: CommandOf<'RefundOrder'>, order: Order): readonly OrderEvent[] {
  if (order.price === undefined) throw refusal('nothing_to_refund', command, order)
  const { currency } = order.price
  const paid = paidFromWallet(order, currency)
  const { amount = paid, reason } = command
  refuseImprecise(amount, currency)
  if (isNothing(paid) || isNothing(amount)) throw refusal('nothing_to_refund', command, order)
  if (compareAmounts(amount, paid) > 0) throw exceeds('refund_exceeds', order.order_id, printedAmount(paid, currency))
  const data = {
    ...eventBase(command),
    amount: printedAmount(amount, currency),
    currency,
    waived: true,
    reason,
  } as const
  return [{ type: 'OrderRefunded', data }]
}
