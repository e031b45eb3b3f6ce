import * as v from 'valibot'
import { requireFields } from '../../entity/access.ts'
import { idsIn } from '../../entity/input.ts'
import { callersIn } from '../../entity/reading.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { atOtherPaths, EngineError } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { nextNumbers } from '../../store/sequence.ts'
import { summaryAnswer } from './answer.ts'
import type { CommandOf } from './decided.ts'
import { askedAgain, createOrderOf, draftAs, type NewOrder, newOrder, newOrderErrors, partiesOf } from './draft.ts'
import { commandStamp, decideOn, loadOrderAt, orderIds, withVisibleStatus } from './load.ts'
import { moves } from './moves.ts'
import { orderTable } from './order.ts'
import { orderSummary, summaryOf } from './record.ts'
import type { Party } from './schema.ts'
import { address, orderEntries } from './schema.ts'
import { settled } from './settle.ts'
import type { Order } from './state.ts'
import { statusesBeforePickup } from './status.ts'

/** Takes an order. */
export const createOrder = operation({
  name: moves.create.call.operation,
  summary: moves.create.call.summary,
  scopes: ['orders:write'],
  ...callersIn(moves.create.call.by),
  risk: 'medium',
  tag: 'Client',
  mcp: { title: 'Create order', destructive: false },
  rest: { method: 'POST', path: '/api/v1/orders' },
  ids: { ...idsIn(orderTable, 'create'), rate_id: 'rule' },
  requireFields: (context, input) => requireFields(context, orderTable, 'create', input),
  input: newOrder,
  output: summaryAnswer,
  errors: [...newOrderErrors],
  handle: async (context, input) => ({
    result: true,
    ...summaryOf(await createOrderOf(context, input, 'single'), context),
  }),
})

/** Sends an order elsewhere before it is picked up: another order takes its place. */
export const rerouteToAddress = operation({
  name: 'reroute_to_address',
  summary: 'Before pickup only: cancel an order and create it again with another address. Answers both ids.',
  scopes: ['orders:write'],
  risk: 'high',
  roles: ['client_admin', 'client_employee', 'customer'],
  tag: 'Client',
  mcp: {
    title: 'Reroute order',
    hint: 'The new order has another id and tracking number, and is not paid: what was paid comes back to the wallet.',
  },
  rest: { method: 'POST', path: '/api/v1/orders/{order_id}/reroute' },
  ids: orderIds,
  input: v.strictObject({
    ...orderEntries,
    party: v.exactOptional(
      v.pipe(
        v.picklist(['delivery', 'pickup']),
        v.description('Whose address it is; delivery where absent, pickup for an order of type P.'),
      ),
    ),
    address,
  }),
  output: v.strictObject({ result: v.literal(true), cancelled_order_id: v.number(), ...orderSummary.entries }),
  errors: [
    ...(['order_not_found', 'not_a_self_delivery_order', 'order_status_forbids', 'order_forgotten'] as const),
    ...(['reroute_needs_price', 'region_required', 'region_differs', 'contention'] as const),
  ],
  handle: (context, { order_id, party, address }) =>
    retryOnConflict(async () => {
      const loaded = await loadOrderAt(context, order_id)
      const asked = withVisibleStatus(context, () => rerouted(loaded.state, party, address))
      const input = await pricedElsewhere(context, loaded.state, asked).catch(atAddress)
      const numbers = await nextNumbers(context, 'order')
      const making = {
        id: numbers.first,
        source: 'reroute',
        replaces: order_id,
        customerId: loaded.state.customer_id,
        service: loaded.state.service,
        callback: loaded.state.callback,
      } as const
      const draft = await draftAs(context, input, making).catch(atAddress)
      const cancel: CommandOf<'CancelOrder'> = {
        type: 'CancelOrder',
        ...commandStamp(context),
        replaced_by: numbers.first,
      }
      const cancelled = decideOn(context, loaded, cancel)
      const refunds = await settled(context, cancelled.order, cancelled.events)
      await context.store.appendMany([numbers.append, ...cancelled.appends, ...refunds, ...draft.appends])
      return { result: true, cancelled_order_id: order_id, ...summaryOf(draft.order, context) }
    }),
})

function atAddress(error: unknown): never {
  throw atOtherPaths(error, (path) => path.replace(/^(delivery|pickup)\.address/, 'address'))
}

/**
 * The same request at the price of its new address. Where nobody knows that, staff keep the price that it has, and a customer is
 * refused with `reroute_needs_price`: it must not choose its zone and its taxes by another address.
 */
async function pricedElsewhere(context: Context, before: Order, after: NewOrder): Promise<NewOrder> {
  const { order_id: order, price, service, customer_id: customerId } = before
  if (price === undefined || service === undefined) return after
  const moved = { service, customerId, price, before: askedAgain(before), after }
  const found = await context.ports.orders.priceElsewhere(context, moved)
  if (found !== undefined) return { ...after, ...found }
  if (accountOf(context).role === 'customer') throw new EngineError('reroute_needs_price', { order })
  return after
}

/**
 * The same request with the new address. Refused after the pickup, and after an erasure, when the recipient is not
 * known any more.
 */
function rerouted(order: Order, side: 'delivery' | 'pickup' | undefined, address: Party['address']): NewOrder {
  const { order_id: id, status, type } = order
  const params = { order: id, command: 'reroute_to_address', status }
  if (!statusesBeforePickup.includes(status)) throw new EngineError('order_status_forbids', params)
  const name = side ?? partiesOf[type].at(-1) ?? 'delivery'
  const known = order[name]
  if (order.isErased) throw new EngineError('order_forgotten', params)
  if (known === undefined)
    throw new EngineError('invalid_input', { count: 1 }, [
      { path: 'party', code: 'unknown_value', params: { received: name, expected: partiesOf[type].join(', ') } },
    ])
  return { ...askedAgain(order), [name]: { ...known, address } }
}
