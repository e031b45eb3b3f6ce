import * as v from 'valibot'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import { balanceText, negativeOf, printedAmount, sumOf } from '../../kernel/money.ts'
import { named } from '../../kernel/named.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { operation } from '../../kernel/operation.ts'
import { pageAnswerEntries, pageEntries, pageOf } from '../../kernel/paging.ts'
import { priceOf } from '../../kernel/prices.ts'
import { zonedIso } from '../../kernel/zone.ts'
import type { OrderEvent } from './events.ts'
import { loadOrder, orderIds } from './load.ts'
import { remainingOf, totalOf } from './money.ts'
import { isStaff } from './record.ts'
import { orderEntries, sum } from './schema.ts'
import { evolve, type Order, type OrderState } from './state.ts'
import { finalStatuses } from './status.ts'
import { orderStream } from './streams.ts'

const kinds = ['price', 'price_change', 'adjustment', 'payment', 'settled_offline', 'refund'] as const

const movement = named(
  'OrderMovement',
  v.strictObject({
    number: v.pipe(v.number(), v.description('Its number among those of the order, from 1 on.')),
    kind: v.pipe(
      v.picklist(kinds),
      v.description(
        'price is the first one; adjustment is a change of the price after the order had ended; settled_offline was paid outside of this server.',
      ),
    ),
    at: v.pipe(v.string(), v.description('ISO 8601, in the time zone of the business.')),
    by: v.exactOptional(
      v.pipe(
        v.nullable(v.number()),
        v.description('Who did it: a user id, or null for the platform. Only staff read it.'),
      ),
    ),
    amount: priceOf(
      'local_delivery',
      v.pipe(
        balanceText,
        v.description('What was paid or given back; of a price, by how much it is higher than before, or below zero.'),
      ),
    ),
    total_price: v.pipe(sum, v.description('Carriage, tax and surcharges after it.')),
    paid_amount: v.pipe(sum, v.description('Paid and not given back after it.')),
    remaining_amount: v.pipe(sum, v.description('Still to be paid after it.')),
    reason: v.exactOptional(v.pipe(v.string(), v.description('Why it was given back.'))),
    note: v.exactOptional(v.pipe(v.string(), v.description('Why the price was changed; only staff read it.'))),
  }),
)

/** What happened to the price of an order, and to the money for it. */
export const getOrderMovements = operation({
  name: 'get_order_movements',
  summary: 'The prices of an order, what was paid for it and what was given back, with what is left to pay after each.',
  scopes: ['orders:read'],
  roles: ['client_admin', 'client_employee', 'customer'],
  risk: 'low',
  tag: 'Money',
  rest: { method: 'GET', path: '/api/v1/orders/{order_id}/movements' },
  ids: orderIds,
  input: v.strictObject({ ...orderEntries, ...pageEntries }),
  output: v.strictObject({
    result: v.literal(true),
    currency: v.exactOptional(priceOf('local_delivery', v.pipe(v.string(), v.description('ISO 4217.')))),
    movements: v.array(movement),
    ...pageAnswerEntries,
  }),
  errors: ['order_not_found', 'not_a_self_delivery_order'],
  handle: async (context, { order_id, ...asked }) => {
    const { range, paging } = pageOf(asked)
    const { price } = await loadOrder(context, order_id)
    const history = (await context.store.read(orderStream(order_id))) as readonly RecordedEvent<OrderEvent>[]
    const all = movementsOf(context, history)
    const movements = all.slice(range.offset, range.offset + range.limit)
    return { result: true, ...omitUndefined({ currency: price?.currency }), movements, total: all.length, ...paging }
  },
})

type Movement = v.InferOutput<typeof movement>

function movementsOf(context: Context, history: readonly RecordedEvent<OrderEvent>[]): readonly Movement[] {
  const movements: Movement[] = []
  let before: OrderState
  for (const event of history) {
    const after = evolve(before, event)
    const moved = after && moveOf(event, before, after)
    if (moved !== undefined)
      movements.push({ number: movements.length + 1, ...moved, ...circumstances(context, event) })
    before = after
  }
  return movements
}

function moveOf(event: OrderEvent, before: OrderState, after: Order) {
  const { price, paid } = after
  if (price === undefined) return undefined
  const { currency } = price
  const left = {
    total_price: totalOf(price),
    paid_amount: printedAmount(paid, currency),
    remaining_amount: remainingOf(after),
  }
  switch (event.type) {
    case 'OrderCreated':
    case 'OrderPriceChanged': {
      const earlier = before?.price === undefined ? '0' : totalOf(before.price)
      const amount = sumOf([left.total_price, negativeOf(earlier, currency)], currency)
      return { kind: kindOf(before), amount, ...left }
    }
    case 'OrderPaid':
      return { kind: 'payment', amount: printedAmount(event.data.amount, currency), ...left } as const
    case 'OrderSettledOffline': {
      const { amount } = event.data.payment
      return { kind: 'settled_offline', amount: printedAmount(amount, currency), ...left } as const
    }
    case 'OrderRefunded':
      return { kind: 'refund', amount: printedAmount(event.data.amount, currency), ...left } as const
    default:
      return undefined
  }
}

function kindOf(before: OrderState): Movement['kind'] {
  if (before?.price === undefined) return 'price'
  return finalStatuses.includes(before.status) ? 'adjustment' : 'price_change'
}

function circumstances(context: Context, { type, data }: OrderEvent) {
  const at = zonedIso(Date.parse(data.at), accountOf(context).business.timeZone)
  const reason = type === 'OrderRefunded' ? data.reason : undefined
  const note = type === 'OrderPriceChanged' ? data.personal?.note : undefined
  return { at, ...omitUndefined({ reason }), ...(isStaff(context) && { by: data.by, ...omitUndefined({ note }) }) }
}
