import { refundSteps } from '../../entity/paying.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { CommandBase, OrderCommand } from './commands.ts'
import type { OrderEvent } from './events.ts'
import { allows, type Move, moves, steps } from './moves.ts'
import type { Circumstances } from './schema.ts'
import type { Order } from './state.ts'
import type { Status } from './status.ts'

/** The commands on an existing order. */
export type OfOrder = Exclude<OrderCommand, { readonly type: 'CreateOrder' }>

/** The commands of these types. */
export type CommandOf<Type extends OfOrder['type']> = OfOrder & { readonly type: Type }

/** The members of these commands without those of `CommandBase`. */
export type CommandBody<Type extends OfOrder['type']> = Type extends unknown
  ? Omit<CommandOf<Type>, keyof CommandBase> & { readonly type: Type }
  : never

/** Makes a test for commands of these types. */
export function oneOf<Type extends OfOrder['type']>(...types: readonly Type[]) {
  return (command: OfOrder): command is CommandOf<Type> => (types as readonly string[]).includes(command.type)
}

/** The members that every event of a command has: its time and its account. */
export function eventBase({ at, by }: OfOrder): { readonly at: string; readonly by: number | null } {
  return { at, by }
}

/** The data of the event of a move. Refuses a move that the status forbids. */
export function moved(command: OfOrder, order: Order, move: Move) {
  if (!allows(order.status, move)) throw statusForbids(command, order)
  return movedTo(command, order.status, moves[move].to)
}

/** The data of an event that changes the status. */
export function movedTo(command: OfOrder, from: Status, to: Status) {
  return { ...eventBase(command), from, to, ...circumstancesOf(command) }
}

function circumstancesOf({ circumstances, ip }: OfOrder): { readonly personal?: Circumstances } {
  const personal = { ...circumstances, ...(ip !== undefined && { ip_address: ip }) }
  return Object.keys(personal).length === 0 ? {} : { personal }
}

/** The refusal of a command that the status forbids. */
export function statusForbids(command: OfOrder, { order_id: id, status }: Order): EngineError {
  return new EngineError('order_status_forbids', { order: id, command: nameOf(command), status })
}

/** A refusal that names the command and the status. */
export function refusal(
  code:
    | 'order_on_route'
    | 'order_not_on_route'
    | 'order_held_by_contractor'
    | 'order_with_carrier'
    | 'order_not_with_carrier'
    | 'order_not_assignable'
    | 'already_assigned'
    | 'not_assigned'
    | 'not_the_driver'
    | 'order_forgotten'
    | 'staff_corrects'
    | 'order_not_free'
    | 'offer_not_found'
    | 'nothing_to_refund',
  command: OfOrder,
  { order_id: id, status }: Order,
): EngineError {
  return new EngineError(code, { order: id, command: nameOf(command), status })
}

/** The refund of what was paid from the wallet beyond a total, or all of it; none if that is nothing. */
export function refunded(command: OfOrder, order: Order, total?: string): readonly OrderEvent[] {
  return refundSteps(order, { currency: order.price?.currency }, total).map(
    ([, { payment }]): OrderEvent => ({ type: 'OrderRefunded', data: { ...eventBase(command), ...payment } }),
  )
}

/** The contractor loses a cancelled or deleted order; no event if there is none. */
export function contractorLoses(
  command: OfOrder,
  { assignment_id, broker_id }: Order,
  reason: 'cancel' | 'delete',
): readonly OrderEvent[] {
  if (assignment_id === undefined || broker_id === undefined) return []
  const data = { ...eventBase(command), assignment_id, broker_id, reason }
  return [{ type: 'ContractorRevoked', data }]
}

/** The driver loses the order. The status stays, because a further event of the same command changes it. */
export function driverLoses(
  command: OfOrder,
  { driver_id: driverId, status }: Order,
  reason: 'handover' | 'removal' | 'hold' | 'cancel',
): readonly OrderEvent[] {
  if (driverId === undefined) return []
  const data = { ...eventBase(command), from: status, to: status, previous_driver_id: driverId, reason }
  return [{ type: 'OrderUnassigned', data }]
}

/** The name of a command in refusals: its operation. */
function nameOf(command: OfOrder): string {
  return command.type === 'TakeStep' ? steps[command.step].call.operation : names[command.type]
}

/** The operation of each command. */
const names: Readonly<Record<Exclude<OfOrder['type'], 'TakeStep'>, string>> = {
  HoldOrder: 'hold_order',
  ReleaseOrder: 'release_order',
  AssignDriver: 'assign_driver',
  UnassignDriver: 'unassign_driver',
  CancelOrder: 'cancel_order',
  HandToCarrier: 'hand_to_carrier',
  TakeBack: 'take_back_from_carrier',
  CarrierDelivered: 'note_carrier_delivery',
  TakeReport: 'otep_ingest',
  NoteReport: 'otep_ingest',
  NoteContradiction: 'otep_ingest',
  PlanOrder: 'plan_route',
  TakeOffRoute: 'remove_route_order',
  Reschedule: 'update_time_window_by_refs',
  CorrectOrder: 'update_order',
  ChangeInstruction: 'update_delivery_instruction',
  ChangeNote: 'update_order_note',
  ChangePrice: 'set_order_price',
  PayOrder: 'pay_order',
  RefundOrder: 'refund_order',
  SettleOffline: 'settle_order_offline',
  AssignContractor: 'assign_orders_to_broker',
  RevokeContractor: 'revoke_broker_order_assignments',
  ReleaseContractor: 'release_broker_order_assignment',
  PoolOrder: 'assignment rules',
  UnpoolOrder: 'assignment rules',
  AcceptOffer: 'accept_order_offer',
  RefuseOffer: 'refuse_order_offer',
  EndAnswerTime: 'assignment rules',
  DeleteOrder: 'delete_order',
  EraseOrder: 'forget_order',
}
