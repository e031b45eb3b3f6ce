import type { Decider } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { OrderCommand } from './commands.ts'
import { decideContractor, isOfContractor } from './decide-contractor.ts'
import { decideCorrection } from './decide-correction.ts'
import { decideDetails, isOfDetails } from './decide-details.ts'
import { decideDispatch } from './decide-dispatch.ts'
import { decideMoney, isOfMoney } from './decide-money.ts'
import { decidePool, isOfPool, withoutPool } from './decide-pool.ts'
import { decideContradiction, decideNote, decideReport } from './decide-report.ts'
import type { OfOrder } from './decided.ts'
import type { OrderEvent } from './events.ts'
import { evolve, type Order, type OrderState } from './state.ts'
import { decideStep } from './steps.ts'

/** The decider of an order. */
export const orders: Decider<OrderState, OrderCommand, OrderEvent> = { initial: () => undefined, evolve, decide }

function decide(command: OrderCommand, order: OrderState): readonly OrderEvent[] {
  if (command.type === 'CreateOrder') {
    if (order !== undefined) throw new EngineError('order_exists', { order: order.order_id })
    return [{ type: 'OrderCreated', data: command.data }]
  }
  if (order === undefined || (order.is_deleted && command.type !== 'EraseOrder'))
    throw new EngineError('order_not_found', { order: order?.order_id ?? 0 })
  return withoutPool(command, order, decideExisting(command, order))
}

function decideExisting(command: OfOrder, order: Order): readonly OrderEvent[] {
  if (command.type === 'TakeStep') return decideStep(command, order)
  if (command.type === 'TakeReport') return decideReport(command, order)
  if (command.type === 'NoteReport') return decideNote(command, order)
  if (command.type === 'NoteContradiction') return decideContradiction(command, order)
  if (command.type === 'CorrectOrder') return decideCorrection(command, order)
  if (isOfPool(command)) return decidePool(command, order)
  if (isOfContractor(command)) return decideContractor(command, order)
  if (isOfDetails(command)) return decideDetails(command, order)
  if (isOfMoney(command)) return decideMoney(command, order)
  return decideDispatch(command, order)
}
