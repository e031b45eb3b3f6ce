import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { type CommandOf, driverLoses, eventBase, movedTo, oneOf, refusal, statusForbids } from './decided.ts'
import type { OrderEvent } from './events.ts'
import { allows, moves } from './moves.ts'
import type { Order } from './state.ts'
import { finalStatuses, statusesUnderWay } from './status.ts'

const types = ['AssignContractor', 'RevokeContractor', 'ReleaseContractor'] as const

/** Whether a command is about which contractor has an order. */
export const isOfContractor = oneOf(...types)

/** What follows from who of the contractors is to have an order. */
export function decideContractor(command: CommandOf<(typeof types)[number]>, order: Order): readonly OrderEvent[] {
  if (command.type === 'AssignContractor') return assign(command, order)
  const { assignment_id, broker_id } = order
  if (assignment_id === undefined || broker_id === undefined) throw refusal('not_assigned', command, order)
  if (command.type === 'ReleaseContractor' && command.broker_id !== broker_id)
    throw refusal('not_assigned', command, order)
  if (order.route_id !== undefined) throw refusal('order_on_route', command, order)
  if (statusesUnderWay.includes(order.status)) throw statusForbids(command, order)
  const data = {
    ...eventBase(command),
    assignment_id,
    broker_id,
    ...(command.reason === undefined ? {} : { personal: { reason: command.reason } }),
  }
  const type = command.type === 'RevokeContractor' ? 'ContractorRevoked' : 'ContractorReleased'
  return [...driverOff(command, order), { type, data }]
}

function assign(command: CommandOf<'AssignContractor'>, order: Order): readonly OrderEvent[] {
  const { assignment_id, broker_id, note } = command
  if (order.route_id !== undefined) throw refusal('order_on_route', command, order)
  if (order.provider !== undefined) throw refusal('order_with_carrier', command, order)
  if (!allows(order.status, 'assign_contractor')) throw refusal('order_not_assignable', command, order)
  if (order.broker_id === broker_id) throw refusal('already_assigned', command, order)
  const data = {
    ...eventBase(command),
    assignment_id,
    business_id: order.business_id,
    broker_id,
    ...omitUndefined({ moved_from: assignmentOf(order) }),
    ...(note === undefined ? {} : { personal: { note } }),
  }
  return [...driverLoses(command, order, 'removal'), { type: 'ContractorAssigned', data }]
}

/** The assignment of an order to a contractor; undefined if it has none. */
function assignmentOf({ assignment_id, broker_id }: Order) {
  return assignment_id === undefined || broker_id === undefined ? undefined : { assignment_id, broker_id }
}

/** The driver of the contractor loses the order with the contractor, unless it has ended. */
function driverOff(command: CommandOf<'RevokeContractor' | 'ReleaseContractor'>, order: Order): readonly OrderEvent[] {
  const { driver_id: driverId, status } = order
  if (driverId === undefined || finalStatuses.includes(status)) return []
  if (!allows(status, 'unassign')) return driverLoses(command, order, 'removal')
  const data = movedTo(command, status, moves.unassign.to)
  return [{ type: 'OrderUnassigned', data: { ...data, previous_driver_id: driverId, reason: 'removal' } }]
}
