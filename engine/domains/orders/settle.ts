import type { Context } from '../../kernel/context.ts'
import type { Append } from '../../kernel/event-store.ts'
import type { OrderEvent } from './events.ts'
import type { WalletMove } from './ports.ts'
import type { Order } from './state.ts'

/**
 * What events of an order move in the wallet of its customer: to be appended in one transaction with them. Refuses as the
 * wallet does.
 */
export async function settled(
  context: Context,
  { order_id: id, customer_id: customerId }: Order,
  events: readonly OrderEvent[],
): Promise<readonly Append[]> {
  const fact = events.find(({ type }) => type === 'OrderPaid' || type === 'OrderRefunded')
  if (customerId === undefined || (fact?.type !== 'OrderPaid' && fact?.type !== 'OrderRefunded')) return []
  const { amount, currency } = fact.data
  const move: WalletMove = { customerId, orderId: id, amount, currency }
  const { charge, refund } = context.ports.orders
  return [await (fact.type === 'OrderPaid' ? charge : refund)(context, move)]
}
