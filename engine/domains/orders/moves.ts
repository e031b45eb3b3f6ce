import * as v from 'valibot'
import type { Move as EntityMove, Party } from '../../entity/field.ts'
import { allowsMove } from '../../entity/machine.ts'
import { staff } from '../../kernel/account.ts'
import { id, text, url } from '../../kernel/schemas.ts'
import { type Circumstances, circumstanceEntries } from './schema.ts'
import type { Status } from './status.ts'

/** How `order.status_change` reports a change: a number (document 3) and English words. */
export interface OperationType {
  readonly type: number
  readonly description: string
}

/** A move of an order. If it changes the status, it says how `order.status_change` reports it. */
type OrderMove = EntityMove<Status> &
  (
    | { readonly to?: never; readonly statusChange?: never }
    | { readonly to: 'NEW_ORDER'; readonly from: 'nothing' }
    | StatusMove
  ) & {
    /** The input besides circumstances, by a driver or by staff in the driver's place. Its event records it. */
    readonly step?: Step
    /** What its webhook event carries beside the order: the members of the event of this name. */
    readonly tells?: v.ObjectEntries
  }

type OrderMoves = Readonly<Record<string, OrderMove>>

interface StatusMove {
  readonly from: readonly Status[]
  readonly to: Status
  readonly statusChange: OperationType
}

/** A step of the driver who has an order. */
interface Step {
  /** Whether its event names the driver; an order without a driver is then refused. */
  readonly namesDriver: boolean
  readonly input: v.ObjectEntries
}

const driver: readonly Party[] = ['driver']

const staffOrCustomer: readonly Party[] = [...staff, 'customer']

/** A contractor gives drivers to the orders that it has. */
const staffOrContractor: readonly Party[] = [...staff, 'contractor']

/** The staff may do it in the driver's place. */
const driverOrStaff: readonly Party[] = ['driver', ...staff]

const errors = ['not_the_driver'] as const

const withCircumstances = { namesDriver: true, input: circumstanceEntries } as const

const onItsWay = {
  event: 'order.on_the_way',
  summary: 'The order is on its way to the recipient, whichever party carries it.',
} as const

const handedOver = { type: 6007, description: 'It was handed to a third-party carrier.' } as const

const completed = { event: 'order.completed', summary: 'The delivery succeeded, whichever party carried it.' } as const

const failureReason = v.picklist(['deliver_later', 'reschedule', 'refused'])

/**
 * The moves of an order; those without `to` leave the status as it is. Document 3 names eight numbers of status changes and
 * not what they stand for. They are read so that each that is rewritten for a customer becomes what the same thing is with
 * a driver of the business: 1001 on its way, 2002 delivered, 6002 not delivered. The other numbers are the engine's own:
 * 1xxx until the order is on its way, 2xxx delivered, 6xxx anything else.
 */
export const moves = {
  create: {
    from: 'nothing',
    to: 'NEW_ORDER',
    event: 'OrderCreated',
    call: {
      operation: 'create_order',
      summary: 'Create an order: D (delivery), P (pickup) or P2P. Answers its id and its tracking number.',
      by: staffOrCustomer,
    },
  },
  hold: {
    from: ['NEW_ORDER', 'ASSIGNED', 'ACCEPTED', 'FAILED'],
    to: 'HOLD',
    event: 'OrderHeld',
    statusChange: { type: 1006, description: 'It was put on hold.' },
    call: {
      operation: 'hold_order',
      verb: 'hold',
      summary: 'Put an order on HOLD: it is not dispatched until it is released. Its driver loses it.',
      by: staff,
      risk: 'high',
      errors: ['order_on_route', 'order_with_carrier'],
    },
  },
  release: {
    from: ['HOLD'],
    to: 'NEW_ORDER',
    event: 'OrderReleased',
    statusChange: { type: 1007, description: 'It was released from hold.' },
    call: {
      operation: 'release_order',
      verb: 'release',
      summary: 'Release an order from HOLD: it is a new order again.',
      by: staff,
      risk: 'high',
    },
  },
  assign: {
    from: ['NEW_ORDER', 'ASSIGNED', 'ACCEPTED', 'FAILED'],
    to: 'ASSIGNED',
    event: 'OrderAssigned',
    statusChange: { type: 1002, description: 'A driver was assigned.' },
    call: {
      operation: 'assign_driver',
      verb: 'assign-driver',
      summary: 'Assign an order to a driver of the business; another driver who has it loses it.',
      by: staffOrContractor,
      errors: ['driver_not_found', 'order_with_carrier', 'order_held_by_contractor'],
    },
    webhook: {
      event: 'order.assigned',
      summary: 'A driver was assigned: manually, by route planning or automatically.',
    },
    tells: {
      source: v.pipe(
        v.picklist(['manual', 'route', 'auto_assign']),
        v.description('auto_assign where the orchestrator did it.'),
      ),
    },
  },
  unassign: {
    from: ['ASSIGNED', 'ACCEPTED'],
    to: 'NEW_ORDER',
    event: 'OrderUnassigned',
    statusChange: { type: 1003, description: 'The driver lost it.' },
    call: {
      operation: 'unassign_driver',
      verb: 'unassign-driver',
      summary: 'Take an order from its driver: it is a new order again.',
      by: staffOrContractor,
    },
    webhook: { event: 'order.unassigned', summary: 'The order lost its driver.' },
    tells: {
      previous_driver_id: v.pipe(id, v.description('The driver who had it; customers see it, too.')),
      reason: v.pipe(
        v.picklist(['handover', 'removal', 'rejection', 'time_out', 'hold', 'cancel']),
        v.description('handover: to another driver, in the next event.'),
      ),
    },
  },
  accept: {
    from: ['ASSIGNED'],
    to: 'ACCEPTED',
    event: 'OrderAccepted',
    statusChange: { type: 1004, description: 'The driver accepted it.' },
    step: withCircumstances,
    call: {
      operation: 'accept_order',
      verb: 'accept',
      summary: 'As its driver, accept an assigned order.',
      by: driver,
      errors,
    },
    webhook: { event: 'order.accepted', summary: 'The driver accepted the order in the app.' },
  },
  reject: {
    from: ['ASSIGNED'],
    to: 'NEW_ORDER',
    event: 'OrderRejected',
    statusChange: { type: 1005, description: 'The driver rejected it.' },
    step: withCircumstances,
    call: {
      operation: 'reject_order',
      verb: 'reject',
      summary: 'As its driver, reject an assigned order: it is a new order again. The note says why.',
      by: driver,
      errors,
    },
    webhook: { event: 'order.rejected', summary: 'The driver rejected the order; order.unassigned tells the loss.' },
    tells: {
      reason: v.exactOptional(
        v.pipe(text(500), v.description('As the driver wrote it, for the business alone; missing once it was erased.')),
      ),
    },
  },
  start_pickup: {
    from: ['ASSIGNED', 'ACCEPTED'],
    to: 'PICKUP_STARTED',
    event: 'OrderPickupStarted',
    statusChange: { type: 1008, description: 'The driver set out to pick it up.' },
    step: withCircumstances,
    call: {
      operation: 'start_pickup',
      verb: 'start-pickup',
      summary: 'The driver sets out to pick an order up.',
      by: driverOrStaff,
      errors,
    },
    webhook: { event: 'order.pickup_started', summary: 'The driver set out to pick the order up.' },
  },
  pick_up: {
    from: ['ASSIGNED', 'ACCEPTED', 'PICKUP_STARTED'],
    to: 'PICKED_UP',
    event: 'OrderPickedUp',
    statusChange: { type: 1009, description: 'The driver picked it up.' },
    step: withCircumstances,
    call: {
      operation: 'pick_up_order',
      verb: 'pick-up',
      summary: 'The driver has picked an order up.',
      by: driverOrStaff,
      errors,
    },
    webhook: { event: 'order.picked_up', summary: 'The driver picked the order up.' },
  },
  depart: {
    from: ['PICKED_UP'],
    to: 'ON_THE_WAY',
    event: 'OrderOnTheWay',
    statusChange: { type: 1001, description: 'The driver set out with it to the recipient.' },
    step: withCircumstances,
    call: {
      operation: 'depart_with_order',
      verb: 'depart',
      summary: 'The driver sets out to the recipient of an order.',
      by: driverOrStaff,
      errors,
    },
    webhook: onItsWay,
  },
  complete: {
    from: ['PICKED_UP', 'ON_THE_WAY'],
    to: 'DELIVERED',
    event: 'OrderCompleted',
    statusChange: { type: 2002, description: 'The driver delivered it.' },
    step: {
      namesDriver: false,
      input: {
        ...circumstanceEntries,
        recipient: v.exactOptional(v.pipe(text(200), v.description('Who took it.'))),
        signature_url: v.exactOptional(url),
      },
    },
    call: {
      operation: 'complete_order',
      verb: 'complete',
      summary: 'The driver has delivered an order: to whom, with what signature and photographs.',
      by: driverOrStaff,
      errors,
    },
    webhook: completed,
  },
  fail: {
    from: ['PICKUP_STARTED', 'PICKED_UP', 'ON_THE_WAY', 'WITH_CARRIER'],
    to: 'FAILED',
    event: 'OrderFailed',
    statusChange: { type: 6002, description: 'An attempt of the driver failed.' },
    step: {
      namesDriver: false,
      input: {
        ...circumstanceEntries,
        reason: v.pipe(
          failureReason,
          v.description('To be tried again, to be agreed again, or refused by the recipient.'),
        ),
      },
    },
    call: {
      operation: 'fail_order',
      verb: 'fail',
      summary: 'An attempt to pick an order up or to deliver it has failed.',
      by: driverOrStaff,
      errors,
    },
    webhook: { event: 'order.failed', summary: 'An attempt failed.' },
    tells: {
      stage: v.pipe(v.picklist(['pickup', 'delivery']), v.description('Of which attempt.')),
      reason: v.pipe(
        failureReason,
        v.description('To be delivered later, to be rescheduled, or refused by the recipient.'),
      ),
    },
  },
  return: {
    from: ['FAILED', 'WITH_CARRIER'],
    to: 'RETURNED',
    event: 'OrderReturned',
    statusChange: { type: 6003, description: 'It was returned to its sender.' },
    step: { namesDriver: false, input: circumstanceEntries },
    call: {
      operation: 'return_order',
      verb: 'return',
      summary: 'An order whose attempt failed, or that a carrier has, is back at its sender.',
      by: driverOrStaff,
      errors,
    },
  },
  cancel: {
    from: ['NEW_ORDER', 'HOLD', 'ASSIGNED', 'ACCEPTED', 'PICKUP_STARTED', 'FAILED'],
    to: 'CANCELLED',
    event: 'OrderCancelled',
    statusChange: { type: 6001, description: 'It was cancelled.' },
    call: {
      operation: 'cancel_order',
      verb: 'cancel',
      summary: 'Cancel an order that is not yet picked up, or whose attempt has failed. A refused attempt is recorded.',
      by: staffOrCustomer,
      risk: 'high',
    },
    webhook: { event: 'order.cancelled', summary: 'The order was cancelled.' },
  },
  hand_to_carrier: {
    from: ['NEW_ORDER'],
    to: 'WITH_CARRIER',
    event: 'OrderHandedToCarrier',
    statusChange: handedOver,
    call: {
      operation: 'hand_to_carrier',
      verb: 'hand-to-carrier',
      summary: 'Hand an order to a third-party carrier.',
      by: staff,
      errors: ['order_on_route', 'order_held_by_contractor'],
    },
    webhook: onItsWay,
  },
  /** A carrier whose attempt failed goes on with it, as it reports. Its event is that of the handover. */
  carry_on: { from: ['FAILED'], to: 'WITH_CARRIER', event: 'OrderHandedToCarrier', statusChange: handedOver },
  /** A carrier whose attempt failed still has the order, and may try again. */
  take_back: {
    from: ['WITH_CARRIER', 'FAILED'],
    to: 'NEW_ORDER',
    event: 'OrderTakenBack',
    statusChange: { type: 6009, description: 'It was taken back from the third-party carrier.' },
    call: {
      operation: 'take_back_from_carrier',
      verb: 'take-back',
      summary: 'Take an order back from a third-party carrier: it is a new order again.',
      by: staff,
      errors: ['order_not_with_carrier'],
    },
  },
  carrier_delivered: {
    from: ['WITH_CARRIER', 'FAILED'],
    to: 'DELIVERED_BY_CARRIER',
    event: 'OrderDeliveredByCarrier',
    statusChange: { type: 2009, description: 'The third-party carrier delivered it.' },
    call: {
      operation: 'note_carrier_delivery',
      verb: 'carrier-delivered',
      summary: 'A third-party carrier has delivered an order.',
      by: staff,
      errors: ['order_not_with_carrier'],
    },
    webhook: completed,
  },
  refuse_cancel: { from: 'any', event: 'OrderCancelRefused' },
  /** A carrier reports on its parcel, which nobody has given to it. */
  note_report: { from: 'any', event: 'OrderReportedOn' },
  /** Carriers report what cannot have happened to its parcel alone. */
  note_contradiction: { from: 'any', event: 'OrderContradicted' },
  end_contradiction: { from: 'any', event: 'OrderContradictionEnded' },
  mark_ready: {
    from: ['NEW_ORDER', 'ASSIGNED', 'ACCEPTED', 'PICKUP_STARTED'],
    event: 'OrderReady',
    step: { namesDriver: false, input: {} },
    call: {
      operation: 'mark_order_ready',
      verb: 'ready',
      summary: 'An order is ready to be picked up. Said again, nothing changes.',
      by: driverOrStaff,
      errors,
    },
    webhook: { event: 'order.ready', summary: 'The order was marked ready for pickup.' },
  },
  plan: { from: ['NEW_ORDER', 'ASSIGNED', 'ACCEPTED', 'FAILED'], event: 'OrderPlanned' },
  take_off_route: { from: ['NEW_ORDER', 'ASSIGNED', 'ACCEPTED', 'FAILED'], event: 'OrderTakenOffRoute' },
  reschedule: { from: 'any', event: 'OrderScheduleChanged' },
  correct: {
    from: 'any',
    event: 'OrderCorrected',
    call: {
      operation: 'update_order',
      summary:
        'Correct an order: its people, its items, its reference, its day and its words. Members that are not given stay.',
      by: staffOrCustomer,
      errors: ['order_on_route', 'order_with_carrier', 'order_forgotten', 'staff_corrects'],
    },
  },
  /** A correction of where an order goes, before anybody is sent there. Its event is that of any correction. */
  correct_address: { from: ['NEW_ORDER', 'HOLD'], event: 'OrderCorrected' },
  change_instruction: {
    from: 'any',
    event: 'DeliveryInstructionChanged',
    call: {
      operation: 'update_delivery_instruction',
      verb: 'delivery-instruction',
      summary: 'Change the delivery instruction of an order, and nothing else.',
      by: staffOrCustomer,
      errors: ['order_forgotten'],
    },
  },
  change_note: {
    from: 'any',
    event: 'OrderNoteChanged',
    call: {
      operation: 'update_order_note',
      verb: 'note',
      summary: 'Change the internal note of an order, and nothing else. Only staff read it.',
      by: staff,
      errors: ['order_forgotten'],
    },
  },
  change_price: {
    from: 'any',
    event: 'OrderPriceChanged',
    call: {
      operation: 'set_order_price',
      verb: 'price',
      summary:
        'Set or change the price of an order; once it has ended, correct it, with a note. What was paid beyond the new price comes back.',
      by: staff,
      errors: ['currency_differs', 'order_forgotten', 'too_precise', 'no_exchange_rate'],
    },
  },
  pay: { from: 'any', event: 'OrderPaid' },
  settle_offline: { from: 'any', event: 'OrderSettledOffline' },
  refund: {
    from: 'any',
    event: 'OrderRefunded',
    call: {
      operation: 'refund_order',
      verb: 'refund',
      summary:
        'Give back what was paid for an order, all of it or a part, to the wallet of its customer, also once it has ended. It is not to be paid again.',
      by: staff,
      risk: 'high',
      errors: ['nothing_to_refund', 'refund_exceeds', 'not_an_amount', 'too_precise'],
    },
  },
  assign_contractor: { from: ['NEW_ORDER', 'FAILED'], event: 'ContractorAssigned' },
  pool: { from: ['NEW_ORDER', 'FAILED'], event: 'OrderPooled' },
  refuse_offer: { from: 'any', event: 'OrderOfferRefused' },
  leave_pool: { from: 'any', event: 'OrderUnpooled' },
  revoke_contractor: { from: 'any', event: 'ContractorRevoked' },
  release_contractor: { from: 'any', event: 'ContractorReleased' },
  add_proof: { from: 'any', event: 'ProofFileAdded' },
  replace_proof: { from: 'any', event: 'ProofFileReplaced' },
  restore_proof: { from: 'any', event: 'ProofFileRestored' },
  remove_proof: { from: 'any', event: 'ProofFileRemoved' },
  delete: {
    from: 'any',
    event: 'OrderDeleted',
    call: {
      operation: 'delete_order',
      verb: 'delete',
      summary: 'Delete an order that is new, held or ended, for good: nobody finds it any more.',
      by: ['client_admin'],
      risk: 'high',
      errors: ['order_on_route'],
    },
  },
  erase: { from: 'any', event: 'OrderPersonalDataErased', erases: true },
} as const satisfies OrderMoves

/** The name of a move that changes the status. */
export type Move = {
  [Name in keyof typeof moves]: (typeof moves)[Name] extends StatusMove ? Name : never
}[keyof typeof moves]

type StatusMoves = { readonly [Name in Move]: (typeof moves)[Name] }

/** The moves that change the status. */
export const statusMoves = Object.fromEntries(
  Object.entries(moves).filter(([, move]) => 'statusChange' in move),
) as unknown as StatusMoves

/** Whether a move is possible for an order of this status. */
export function allows(status: Status, move: keyof typeof moves): boolean {
  return allowsMove({ moves }, status, move)
}

/** The name of a move that a driver makes, or the staff in the driver's place. */
export type StepName = {
  [Name in keyof typeof moves]: (typeof moves)[Name] extends { readonly step: Step } ? Name : never
}[keyof typeof moves]

/** The steps of drivers, by the names of their moves. */
export const steps = Object.fromEntries(Object.entries(moves).filter(([, move]) => 'step' in move)) as unknown as {
  readonly [Name in StepName]: (typeof moves)[Name]
}

/** The input of a step by a driver. */
export type StepValues = Circumstances & { readonly reason?: v.InferOutput<typeof failureReason> }
