import { type CommandOf, moved, oneOf, refusal, statusForbids, told } from './decided.ts'
import type { OrderEvent } from './events.ts'
import type { Order } from './state.ts'
import { statusesBeforePickup } from './status.ts'

const types = [
  ...(['AcceptOrder', 'RejectOrder', 'StartPickup', 'PickUp', 'Depart'] as const),
  ...(['CompleteOrder', 'FailOrder', 'ReturnOrder', 'MarkReady'] as const),
]

/** Whether a command is one of what a driver does with an order, or the staff in the driver's place. */
export const isOfMoves = oneOf(...types)

/** What follows from what a driver does. */
export function decideMove(command: CommandOf<(typeof types)[number]>, order: Order): readonly OrderEvent[] {
  switch (command.type) {
    case 'AcceptOrder':
      return [{ type: 'OrderAccepted', data: { ...moved(command, order, 'accept'), ...driven(command, order) } }]
    case 'RejectOrder':
      return [{ type: 'OrderRejected', data: { ...moved(command, order, 'reject'), ...driven(command, order) } }]
    case 'StartPickup':
      return [
        { type: 'OrderPickupStarted', data: { ...moved(command, order, 'start_pickup'), ...driven(command, order) } },
      ]
    case 'PickUp':
      return [{ type: 'OrderPickedUp', data: { ...moved(command, order, 'pick_up'), ...driven(command, order) } }]
    case 'Depart':
      return [{ type: 'OrderOnTheWay', data: { ...moved(command, order, 'depart'), ...driven(command, order) } }]
    case 'CompleteOrder':
      return [{ type: 'OrderCompleted', data: ownMove(command, order, 'complete') }]
    case 'FailOrder': {
      const stage = order.status === 'PICKUP_STARTED' ? 'pickup' : 'delivery'
      return [{ type: 'OrderFailed', data: { ...ownMove(command, order, 'fail'), stage, reason: command.reason } }]
    }
    case 'ReturnOrder':
      return [{ type: 'OrderReturned', data: ownMove(command, order, 'return') }]
    case 'MarkReady':
      return ready(command, order)
  }
}

type Moving = CommandOf<(typeof types)[number]>

/** The driver who has the order; refuses another. */
function driven(command: Moving, order: Order): { readonly driver_id: number } {
  requireDriver(command, order)
  if (order.driver_id === undefined) throw statusForbids(command, order)
  return { driver_id: order.driver_id }
}

function ownMove(command: Moving, order: Order, move: 'complete' | 'fail' | 'return') {
  const data = moved(command, order, move)
  requireDriver(command, order)
  return data
}

function requireDriver(command: Moving, order: Order): void {
  if (command.driver_id !== undefined && command.driver_id !== order.driver_id)
    throw refusal('not_the_driver', command, order)
}

/** To be picked up: said once. */
function ready(command: Moving, order: Order): readonly OrderEvent[] {
  if (!statusesBeforePickup.includes(order.status) || order.status === 'HOLD') throw statusForbids(command, order)
  requireDriver(command, order)
  return order.ready_at === undefined ? [{ type: 'OrderReady', data: told(command) }] : []
}
