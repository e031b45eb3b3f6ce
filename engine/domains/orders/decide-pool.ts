import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { type CommandOf, eventBase, movedTo, type OfOrder, oneOf, refusal } from './decided.ts'
import type { OrderEvent } from './events.ts'
import { allows, moves } from './moves.ts'
import { evolve, type Order, type OrderState } from './state.ts'

const types = ['PoolOrder', 'UnpoolOrder', 'AcceptOffer', 'RefuseOffer', 'EndAnswerTime'] as const

/** Whether a command is about the pools of assignment rules. */
export const isOfPool = oneOf(...types)

/** Whether nobody has an order, and somebody can be asked to take it. */
export function isFree(order: Order): boolean {
  return !isTaken(order) && !order.is_deleted && allows(order.status, 'pool')
}

function isTaken({ driver_id, broker_id, provider, route_id }: Order): boolean {
  return [driver_id, broker_id, provider, route_id].some((one) => one !== undefined)
}

/** The events of a command about the pools of an order. */
export function decidePool(command: CommandOf<(typeof types)[number]>, order: Order): readonly OrderEvent[] {
  switch (command.type) {
    case 'PoolOrder': {
      const { pool } = command
      if (!isFree(order)) throw refusal('order_not_free', command, order)
      if (JSON.stringify(pool) === JSON.stringify(order.pool)) return []
      return [{ type: 'OrderPooled', data: { ...eventBase(command), business_id: order.business_id, ...pool } }]
    }
    case 'UnpoolOrder':
      return order.pool === undefined ? [] : [unpooled(command, command.reason)]
    case 'AcceptOffer':
      return accept(command, order)
    case 'RefuseOffer':
      return refuse(command, order)
    case 'EndAnswerTime':
      return endAnswerTime(command, order)
  }
}

function accept(command: CommandOf<'AcceptOffer'>, order: Order): readonly OrderEvent[] {
  const { broker_id, assignment_id } = command
  const rule = requireOffer(command, order).rules[0]
  const data = { ...eventBase(command), assignment_id, business_id: order.business_id, broker_id }
  return [{ type: 'ContractorAssigned', data: { ...data, ...omitUndefined({ rule }) } }]
}

function refuse(command: CommandOf<'RefuseOffer'>, order: Order): readonly OrderEvent[] {
  const { broker_id } = command
  const others = requireOffer(command, order).broker_ids.filter((one) => one !== broker_id)
  const refused: OrderEvent = { type: 'OrderOfferRefused', data: { ...eventBase(command), broker_id } }
  return others.length > 0 ? [refused] : [refused, unpooled(command, 'refused')]
}

function requireOffer(command: CommandOf<'AcceptOffer' | 'RefuseOffer'>, order: Order) {
  const { pool } = order
  if (pool === undefined || !pool.broker_ids.includes(command.broker_id))
    throw refusal('offer_not_found', command, order)
  return pool
}

function endAnswerTime(command: CommandOf<'EndAnswerTime'>, order: Order): readonly OrderEvent[] {
  const { respond_by, driver_id, status } = order
  if (respond_by === undefined || command.at < respond_by) return []
  if (order.pool !== undefined) return [unpooled(command, 'time_out')]
  if (driver_id === undefined || !allows(status, 'unassign')) return []
  const data = movedTo(command, status, moves.unassign.to)
  return [{ type: 'OrderUnassigned', data: { ...data, previous_driver_id: driver_id, reason: 'time_out' } }]
}

function unpooled(command: OfOrder, reason: CommandOf<'UnpoolOrder'>['reason']): OrderEvent {
  return { type: 'OrderUnpooled', data: { ...eventBase(command), reason } }
}

/** The events of a command on an order; with them, an order that is no longer free leaves its pools. */
export function withoutPool(command: OfOrder, order: Order, events: readonly OrderEvent[]): readonly OrderEvent[] {
  if (order.pool === undefined) return events
  const after = events.reduce<OrderState>(evolve, order)
  if (after?.pool === undefined || isFree(after)) return events
  return [unpooled(command, isTaken(after) ? 'taken' : 'ended'), ...events]
}
