import { type CommandOf, eventBase, moved, refusal, statusForbids } from './decided.ts'
import type { OrderEvent } from './events.ts'
import { allows, steps } from './moves.ts'
import type { Order } from './state.ts'

type TakeStep = CommandOf<'TakeStep'>

/** Decides a step of the driver who has an order, or of the staff in the driver's place. */
export function decideStep(command: TakeStep, order: Order): readonly OrderEvent[] {
  if (command.step === 'mark_ready') return markReady(command, order)
  const { event, step } = steps[command.step]
  const data = moved(command, order, command.step)
  requireDriver(command, order)
  const named = step.namesDriver ? driverOf(command, order) : {}
  return [{ type: event, data: { ...data, ...named, ...failureOf(command, order) } } as OrderEvent]
}

/** An order is marked ready once. */
function markReady(command: TakeStep, order: Order): readonly OrderEvent[] {
  if (!allows(order.status, 'mark_ready')) throw statusForbids(command, order)
  requireDriver(command, order)
  return order.ready_at === undefined ? [{ type: 'OrderReady', data: eventBase(command) }] : []
}

/** The additional members of the event of a failed attempt. */
function failureOf({ step, reason }: TakeStep, { status }: Order) {
  return step === 'fail' ? { stage: status === 'PICKUP_STARTED' ? 'pickup' : 'delivery', reason } : {}
}

function driverOf(command: TakeStep, order: Order): { readonly driver_id: number } {
  if (order.driver_id === undefined) throw statusForbids(command, order)
  return { driver_id: order.driver_id }
}

function requireDriver(command: TakeStep, order: Order): void {
  if (command.driver_id !== undefined && command.driver_id !== order.driver_id)
    throw refusal('not_the_driver', command, order)
}
