import { EngineError } from '../../kernel/errors.ts'
import { isNothing } from '../../kernel/money.ts'
import type { CommandBase, OrderCommand } from './commands.ts'
import type { OrderEvent } from './events.ts'
import { allows, type Move, moves, steps } from './moves.ts'
import type { Circumstances } from './schema.ts'
import type { Order } from './state.ts'
import type { Status } from './status.ts'

/** What can be asked of an order that there is. */
export type OfOrder = Exclude<OrderCommand, { readonly type: 'CreateOrder' }>

/** The commands of these types. */
export type CommandOf<Type extends OfOrder['type']> = OfOrder & { readonly type: Type }

/** What commands of these types say beside who gives them, and when. */
export type CommandBody<Type extends OfOrder['type']> = Type extends unknown
  ? Omit<CommandOf<Type>, keyof CommandBase> & { readonly type: Type }
  : never

/** Tells whether a command is of one of these types. */
export function oneOf<Type extends OfOrder['type']>(...types: readonly Type[]) {
  return (command: OfOrder): command is CommandOf<Type> => (types as readonly string[]).includes(command.type)
}

/** When and by whom, as the fact of it says. */
export function eventBase({ at, by }: OfOrder): { readonly at: string; readonly by: number | null } {
  return { at, by }
}

/** What the fact of a move says; refuses one that the status forbids. */
export function moved(command: OfOrder, order: Order, move: Move) {
  if (!allows(order.status, move)) throw statusForbids(command, order)
  return movedTo(command, order.status, moves[move].to)
}

/** What the fact of a change of status says. */
export function movedTo(command: OfOrder, from: Status, to: Status) {
  return { ...eventBase(command), from, to, ...circumstancesOf(command) }
}

function circumstancesOf({ circumstances }: OfOrder): { readonly personal?: Circumstances } {
  return circumstances === undefined || Object.keys(circumstances).length === 0 ? {} : { personal: circumstances }
}

/** The refusal of a command that is not possible as the order stands. */
export function statusForbids(command: OfOrder, { order_id: id, status }: Order): EngineError {
  return new EngineError('order_status_forbids', { order: id, command: nameOf(command), status })
}

/** A refusal that says what the command and the status were. */
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
    | 'nothing_to_pay',
  command: OfOrder,
  { order_id: id, status }: Order,
): EngineError {
  return new EngineError(code, { order: id, command: nameOf(command), status })
}

/** All that was paid is given back; nothing follows where nothing was. */
export function refunded(command: OfOrder, { paid, price }: Order): readonly OrderEvent[] {
  if (price === undefined || isNothing(paid)) return []
  return [{ type: 'OrderRefunded', data: { ...eventBase(command), amount: paid, currency: price.currency } }]
}

/** The contractor loses an order that goes; nothing follows where none has it. */
export function contractorLoses(
  command: OfOrder,
  { assignment_id, broker_id }: Order,
  reason: 'cancel' | 'delete',
): readonly OrderEvent[] {
  if (assignment_id === undefined || broker_id === undefined) return []
  const data = { ...eventBase(command), assignment_id, broker_id, reason }
  return [{ type: 'ContractorRevoked', data }]
}

/** The driver loses the order, whose status stays what it was: what follows in the same breath changes it. */
export function driverLoses(
  command: OfOrder,
  { driver_id: driverId, status }: Order,
  reason: 'handover' | 'removal' | 'hold' | 'cancel',
): readonly OrderEvent[] {
  if (driverId === undefined) return []
  const data = { ...eventBase(command), from: status, to: status, previous_driver_id: driverId, reason }
  return [{ type: 'OrderUnassigned', data }]
}

/** A command as refusals name it: by the operation that gives it. */
function nameOf(command: OfOrder): string {
  return command.type === 'TakeStep' ? steps[command.step].call.operation : names[command.type]
}

/** The operations that give commands. */
const names: Readonly<Record<Exclude<OfOrder['type'], 'TakeStep'>, string>> = {
  HoldOrder: 'hold_order',
  ReleaseOrder: 'release_order',
  AssignDriver: 'assign_driver',
  UnassignDriver: 'unassign_driver',
  CancelOrder: 'cancel_order',
  HandToCarrier: 'hand_to_carrier',
  TakeBack: 'take_back_from_carrier',
  CarrierDelivered: 'note_carrier_delivery',
  PlanOrder: 'plan_route',
  TakeOffRoute: 'remove_route_order',
  Reschedule: 'update_time_window_by_refs',
  ChangeInstruction: 'update_delivery_instruction',
  ChangeNote: 'update_order_note',
  PayOrder: 'pay_order',
  AssignContractor: 'assign_orders_to_broker',
  RevokeContractor: 'revoke_broker_order_assignments',
  ReleaseContractor: 'release_broker_order_assignment',
  DeleteOrder: 'delete_order',
  EraseOrder: 'forget_order',
}
