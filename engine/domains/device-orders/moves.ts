import * as v from 'valibot'
import type { Moves } from '../../entity/field.ts'
import { payingMoves } from '../../entity/paying.ts'
import { staff } from '../../kernel/account.ts'
import { id } from '../../kernel/schemas.ts'

/** The statuses of a device order. */
export const statuses = {
  pending: 'The deposit is announced, and nothing lies in the machine yet.',
  stored: 'It lies in the machine and waits to be collected.',
  overdue: 'It lies in the machine after its deadline; its code still works.',
  collected: 'It was collected by whom it waited for.',
  removed: 'Staff have taken it out.',
  cancelled: 'The announced deposit will not come.',
} as const

const pickupCode = v.pipe(
  v.string(),
  v.description('For the person who collects it. Only this answer contains it, and it is not stored.'),
)

const exceptionId = v.pipe(id, v.description('Number of the exception within the device order.'))

/** Settles an exception, in one of two ways. */
const settling = {
  from: 'any',
  event: 'DeviceExceptionResolved',
  call: {
    operation: 'resolve_device_exception',
    verb: 'exceptions/{exception_id}/resolve',
    by: staff,
    summary: 'Settle a problem: resolve it, and say what was done, or dismiss it.',
    asks: {
      status: v.exactOptional(v.pipe(v.picklist(['resolved', 'dismissed']), v.description('resolved where absent.'))),
    },
    answers: { exception_id: exceptionId },
    errors: ['device_exception_not_found', 'device_exception_settled'],
  },
  webhook: {
    event: 'device_order.exception_resolved',
    summary: 'A problem was settled.',
    part: { as: 'exception', of: 'exceptions' },
  },
} as const

/** The statuses in which it can be paid. */
const payable = ['pending', 'stored', 'overdue', 'collected', 'removed'] as const

/** The moves of a device order. */
export const moves = {
  create: {
    from: 'nothing',
    to: 'pending',
    event: 'DeviceOrderCreated',
    call: {
      operation: 'create_device_order',
      by: staff,
      summary: 'Announce that something will be put into a locker, a kiosk or a smart drop.',
      errors: ['not_a_customer', 'order_not_found', 'due_too_early', 'too_precise'],
    },
  },
  store: {
    from: ['pending'],
    to: 'stored',
    event: 'DeviceOrderStored',
    timeAs: 'stored_at',
    call: {
      operation: 'store_device_order',
      verb: 'store',
      by: staff,
      summary: 'Confirm that it lies in the machine. Only this answer contains the pickup code.',
      secret: true,
      answers: { pickup_code: pickupCode },
      errors: ['due_too_early', 'compartment_occupied'],
    },
    webhook: { event: 'device_order.stored', summary: 'It was put into the machine.' },
  },
  issue_code: {
    from: ['stored', 'overdue'],
    event: 'PickupCodeIssued',
    call: {
      operation: 'issue_pickup_code',
      verb: 'pickup-code',
      by: staff,
      summary: 'Replace the pickup code, for example because it was lost. Only this answer contains the new one.',
      secret: true,
      answers: { pickup_code: pickupCode },
    },
  },
  collect: {
    from: ['stored', 'overdue'],
    to: 'collected',
    event: 'DeviceOrderCollected',
    call: {
      operation: 'collect_device_order',
      verb: 'collect',
      by: [...staff, 'customer'],
      // Everybody who may see it may collect it with its code.
      scope: 'devices:read',
      summary: 'Collect it with its pickup code; staff empty a smart drop without one.',
      secret: true,
      asks: {
        pickup_code: v.exactOptional(
          v.pipe(v.string(), v.minLength(1), v.maxLength(20), v.description('The code that was given at the machine.')),
        ),
      },
      errors: ['wrong_pickup_code', 'pickup_code_required', 'too_many_attempts'],
    },
    webhook: { event: 'device_order.collected', summary: 'It was collected by whom it waited for.' },
  },
  remove: {
    from: ['stored', 'overdue'],
    to: 'removed',
    event: 'DeviceOrderRemoved',
    call: {
      operation: 'remove_device_order',
      verb: 'remove',
      by: staff,
      summary: 'Record that staff took it out of the machine, and why.',
    },
    webhook: { event: 'device_order.removed', summary: 'Staff took it out; removal_reason says why.' },
  },
  open_exception: {
    from: ['stored', 'overdue', 'pending'],
    event: 'DeviceExceptionOpened',
    call: {
      operation: 'open_device_exception',
      verb: 'exceptions',
      by: staff,
      summary: 'Report a problem with the deposit or its machine; several may be open at once.',
      answers: { exception_id: exceptionId },
    },
    webhook: {
      event: 'device_order.exception_opened',
      summary: 'A problem was reported, or the deadline has passed.',
      part: { as: 'exception', of: 'exceptions' },
    },
  },
  resolve_exception: { ...settling, says: { status: 'resolved' } },
  dismiss_exception: { ...settling, says: { status: 'dismissed' } },
  ...payingMoves('DeviceOrder', { from: payable, family: 'device_orders', noun: 'device_order' }),
  cancel: {
    from: ['pending'],
    to: 'cancelled',
    event: 'DeviceOrderCancelled',
    call: {
      operation: 'cancel_device_order',
      verb: 'cancel',
      by: staff,
      summary: 'Cancel an announced deposit that will not come.',
    },
  },
  erase: {
    from: 'any',
    event: 'DeviceOrderPersonalDataErased',
    erases: true,
    call: {
      operation: 'erase_device_order',
      verb: 'erase',
      by: ['client_admin'],
      risk: 'high',
      summary: 'Erase the personal data of a device order for good: its recipient, and the notes of its exceptions.',
    },
  },
  /** Made by the clock. */
  become_overdue: {
    from: ['stored'],
    to: 'overdue',
    event: 'DeviceOrderBecameOverdue',
    timeAs: 'overdue_at',
    says: { next_actor: 'operator' },
    webhook: {
      event: 'device_order.overdue',
      summary: 'Its deadline has passed. It is still in the machine, and its code still works.',
    },
  },
  /** A wrong code is recorded, so that it counts: after five, none is accepted for a while. */
  refuse_code: { from: ['stored', 'overdue'], event: 'PickupCodeRefused' },
} as const satisfies Moves<keyof typeof statuses>
