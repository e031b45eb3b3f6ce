import type { Context } from '../../kernel/context.ts'
import type { Append } from '../../kernel/event-store.ts'
import { localDelivery } from '../../kernel/order-family.ts'
import type { OrderEvent } from './events.ts'
import type { Order } from './state.ts'

/**
 * What events of an order give back to the wallet of its customer: to be appended in one transaction with them. Refuses as the
 * wallet does.
 */
export async function settled(
  context: Context,
  { order_id: id, customer_id: customerId }: Order,
  events: readonly OrderEvent[],
): Promise<readonly Append[]> {
  const fact = events.find(({ type }) => type === 'OrderRefunded')
  if (customerId === undefined || fact?.type !== 'OrderRefunded') return []
  const { amount, currency } = fact.data
  const move = { customerId, orderId: id, family: localDelivery, amount, currency }
  return [await context.ports.orders.refund(context, move)]
}
