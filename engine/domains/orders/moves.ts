import type { Moves } from '../../entity/field.ts'
import { allowsMove } from '../../entity/machine.ts'
import type { Status } from './status.ts'

/** The moves of an order. Those without `to` leave the status as it is. */
export const moves = {
  create: { from: 'nothing', to: 'NEW_ORDER', event: 'OrderCreated' },
  hold: { from: ['NEW_ORDER', 'ASSIGNED', 'ACCEPTED', 'FAILED'], to: 'HOLD', event: 'OrderHeld' },
  release: { from: ['HOLD'], to: 'NEW_ORDER', event: 'OrderReleased' },
  assign: { from: ['NEW_ORDER', 'ASSIGNED', 'ACCEPTED', 'FAILED'], to: 'ASSIGNED', event: 'OrderAssigned' },
  unassign: { from: ['ASSIGNED', 'ACCEPTED'], to: 'NEW_ORDER', event: 'OrderUnassigned' },
  accept: { from: ['ASSIGNED'], to: 'ACCEPTED', event: 'OrderAccepted' },
  reject: { from: ['ASSIGNED'], to: 'NEW_ORDER', event: 'OrderRejected' },
  start_pickup: { from: ['ASSIGNED', 'ACCEPTED'], to: 'PICKUP_STARTED', event: 'OrderPickupStarted' },
  pick_up: { from: ['ASSIGNED', 'ACCEPTED', 'PICKUP_STARTED'], to: 'PICKED_UP', event: 'OrderPickedUp' },
  depart: { from: ['PICKED_UP'], to: 'ON_THE_WAY', event: 'OrderOnTheWay' },
  complete: { from: ['PICKED_UP', 'ON_THE_WAY'], to: 'DELIVERED', event: 'OrderCompleted' },
  fail: {
    from: ['PICKUP_STARTED', 'PICKED_UP', 'ON_THE_WAY', 'WITH_CARRIER'],
    to: 'FAILED',
    event: 'OrderFailed',
  },
  return: { from: ['FAILED'], to: 'RETURNED', event: 'OrderReturned' },
  cancel: {
    from: ['NEW_ORDER', 'HOLD', 'ASSIGNED', 'ACCEPTED', 'PICKUP_STARTED', 'FAILED'],
    to: 'CANCELLED',
    event: 'OrderCancelled',
  },
  hand_to_carrier: { from: ['NEW_ORDER'], to: 'WITH_CARRIER', event: 'OrderHandedToCarrier' },
  /** A carrier whose attempt failed still has the order, and may try again. */
  take_back: { from: ['WITH_CARRIER', 'FAILED'], to: 'NEW_ORDER', event: 'OrderTakenBack' },
  carrier_delivered: {
    from: ['WITH_CARRIER', 'FAILED'],
    to: 'DELIVERED_BY_CARRIER',
    event: 'OrderDeliveredByCarrier',
  },
  refuse_cancel: { from: 'any', event: 'OrderCancelRefused' },
  mark_ready: { from: ['NEW_ORDER', 'ASSIGNED', 'ACCEPTED', 'PICKUP_STARTED'], event: 'OrderReady' },
  plan: { from: ['NEW_ORDER', 'ASSIGNED', 'ACCEPTED', 'FAILED'], event: 'OrderPlanned' },
  take_off_route: { from: ['NEW_ORDER', 'ASSIGNED', 'ACCEPTED', 'FAILED'], event: 'OrderTakenOffRoute' },
  reschedule: { from: 'any', event: 'OrderScheduleChanged' },
  change_instruction: { from: 'any', event: 'DeliveryInstructionChanged' },
  change_note: { from: 'any', event: 'OrderNoteChanged' },
  pay: { from: 'any', event: 'OrderPaid' },
  refund: { from: 'any', event: 'OrderRefunded' },
  assign_contractor: { from: ['NEW_ORDER', 'FAILED'], event: 'ContractorAssigned' },
  revoke_contractor: { from: 'any', event: 'ContractorRevoked' },
  release_contractor: { from: 'any', event: 'ContractorReleased' },
  add_proof: { from: 'any', event: 'ProofFileAdded' },
  replace_proof: { from: 'any', event: 'ProofFileReplaced' },
  restore_proof: { from: 'any', event: 'ProofFileRestored' },
  remove_proof: { from: 'any', event: 'ProofFileRemoved' },
  delete: { from: 'any', event: 'OrderDeleted' },
  erase: { from: 'any', event: 'OrderPersonalDataErased', erases: true },
} as const satisfies Moves<Status>

/** The name of a move that changes the status. */
export type Move = {
  [Name in keyof typeof moves]: (typeof moves)[Name] extends { readonly from: readonly Status[]; readonly to: Status }
    ? Name
    : never
}[keyof typeof moves]

type StatusMoves = { readonly [Name in Move]: (typeof moves)[Name] }

/** The moves that change the status. */
export const statusMoves = Object.fromEntries(
  Object.entries(moves).filter(([, move]) => 'to' in move && move.from !== 'nothing'),
) as unknown as StatusMoves

/** Whether a move is possible for an order of this status. */
export function allows(status: Status, move: keyof typeof moves): boolean {
  return allowsMove({ moves }, status, move)
}
