import { omitUndefined } from '../../kernel/omit-undefined.ts'
import {
  type CommandOf,
  contractorLoses,
  driverLoses,
  eventBase,
  moved,
  movedTo,
  refunded,
  refusal,
  statusForbids,
} from './decided.ts'
import type { OrderEvent } from './events.ts'
import { allows, moves } from './moves.ts'
import type { Order } from './state.ts'

type Dispatching = CommandOf<
  | ('HoldOrder' | 'ReleaseOrder' | 'AssignDriver' | 'UnassignDriver' | 'CancelOrder')
  | ('HandToCarrier' | 'TakeBack' | 'CarrierDelivered' | 'PlanOrder' | 'TakeOffRoute')
>

/** What follows from who is to carry an order, and whether anybody is. */
export function decideDispatch(command: Dispatching, order: Order): readonly OrderEvent[] {
  switch (command.type) {
    case 'HoldOrder':
      return hold(command, order)
    case 'ReleaseOrder':
      return [{ type: 'OrderReleased', data: moved(command, order, 'release') }]
    case 'AssignDriver':
      return assign(command, order)
    case 'UnassignDriver':
      return unassign(command, order, command.reason)
    case 'CancelOrder':
      return cancel(command, order)
    case 'HandToCarrier': {
      const data = moved(command, order, 'hand_to_carrier')
      if (order.route_id !== undefined) throw refusal('order_on_route', command, order)
      if (order.broker_id !== undefined) throw refusal('order_held_by_contractor', command, order)
      return [{ type: 'OrderHandedToCarrier', data: { ...data, provider: command.provider } }]
    }
    case 'TakeBack':
      return [{ type: 'OrderTakenBack', data: { ...moved(command, order, 'take_back'), ...carried(command, order) } }]
    case 'CarrierDelivered': {
      const data = { ...moved(command, order, 'carrier_delivered'), ...carried(command, order) }
      return [{ type: 'OrderDeliveredByCarrier', data }]
    }
    case 'PlanOrder':
      return plan(command, order)
    case 'TakeOffRoute':
      return takeOff(command, order)
  }
}

function hold(command: CommandOf<'HoldOrder'>, order: Order): readonly OrderEvent[] {
  const data = moved(command, order, 'hold')
  if (order.route_id !== undefined) throw refusal('order_on_route', command, order)
  if (order.provider !== undefined) throw refusal('order_with_carrier', command, order)
  return [...driverLoses(command, order, 'hold'), { type: 'OrderHeld', data }]
}

function assign(command: CommandOf<'AssignDriver'>, order: Order): readonly OrderEvent[] {
  const { driver, source } = command
  const data = moved(command, order, 'assign')
  requireFree(command, order)
  if (order.driver_id === driver && order.status !== 'FAILED') return []
  const lost = order.driver_id === driver ? [] : driverLoses(command, order, 'handover')
  const by = omitUndefined({ rule: command.rule, respond_by: command.respond_by })
  return [...lost, { type: 'OrderAssigned', data: { ...data, driver_id: driver, source, ...by } }]
}

function unassign(
  command: CommandOf<'UnassignDriver' | 'TakeOffRoute'>,
  order: Order,
  reason: CommandOf<'UnassignDriver'>['reason'],
): readonly OrderEvent[] {
  const data = moved(command, order, 'unassign')
  if (order.driver_id === undefined) throw statusForbids(command, order)
  return [{ type: 'OrderUnassigned', data: { ...data, previous_driver_id: order.driver_id, reason } }]
}

/** Neither a carrier nor another contractor has it. */
function requireFree(command: CommandOf<'AssignDriver' | 'PlanOrder'>, order: Order): void {
  if (order.provider !== undefined) throw refusal('order_with_carrier', command, order)
  if (order.broker_id !== undefined && order.broker_id !== command.broker_id)
    throw refusal('order_held_by_contractor', command, order)
}

function cancel(command: CommandOf<'CancelOrder'>, order: Order): readonly OrderEvent[] {
  const { route_id, status } = order
  if (status === 'CANCELLED') return []
  if (!allows(status, 'cancel')) {
    const data = { ...eventBase(command), status, code: 'cancel_refused', http_status: 409 }
    return [{ type: 'OrderCancelRefused', data }]
  }
  const data = { ...movedTo(command, status, moves.cancel.to), ...omitUndefined({ replaced_by: command.replaced_by }) }
  return [
    ...(route_id === undefined ? [] : [offRoute(command, route_id)]),
    ...driverLoses(command, order, 'cancel'),
    ...contractorLoses(command, order, 'cancel'),
    ...refunded(command, order),
    { type: 'OrderCancelled', data },
  ]
}

function carried(command: Dispatching, order: Order): { readonly provider: string } {
  if (order.provider === undefined) throw refusal('order_not_with_carrier', command, order)
  return { provider: order.provider }
}

function plan(command: CommandOf<'PlanOrder'>, order: Order): readonly OrderEvent[] {
  const { route_id, stop } = command
  if (!allows(order.status, 'plan')) throw statusForbids(command, order)
  requireFree(command, order)
  if (order.route_id !== undefined && order.route_id !== route_id) throw refusal('order_on_route', command, order)
  if (order.stop === stop) return []
  return [{ type: 'OrderPlanned', data: { ...eventBase(command), route_id, stop } }]
}

function takeOff(command: CommandOf<'TakeOffRoute'>, order: Order): readonly OrderEvent[] {
  const { route_id } = command
  if (order.route_id !== route_id) throw refusal('order_not_on_route', command, order)
  if (!allows(order.status, 'take_off_route')) throw statusForbids(command, order)
  const lost = allows(order.status, 'unassign')
    ? unassign(command, order, 'removal')
    : driverLoses(command, order, 'removal')
  return [offRoute(command, route_id), ...lost]
}

function offRoute(command: Dispatching, route_id: number): OrderEvent {
  return { type: 'OrderTakenOffRoute', data: { ...eventBase(command), route_id } }
}
