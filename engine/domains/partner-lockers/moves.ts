import * as v from 'valibot'
import type { Moves, Party } from '../../entity/field.ts'

/** The people who work for the business, and its partners. */
export const parties: readonly Party[] = ['client_admin', 'client_employee', 'provider']

/** The statuses of a locker delivery. */
export const statuses = {
  pending: 'The partner has announced it, and no door was opened for it yet.',
  opened: 'Doors were opened for the courier, and the deposit is not confirmed yet.',
  delivered: 'The deposit is confirmed and waits for its recipient.',
  correcting: 'Doors of the deposit are open again; it cannot be collected before it is confirmed again.',
  collected: 'The recipient has the parcels.',
  failed: 'The parcels did not come into the locker.',
  expired: 'The courier did not use the access code, or the recipient did not collect the deposit, before it expired.',
  cancelled: 'It was cancelled before the deposit was confirmed.',
} as const

const codeEntry = v.pipe(v.string(), v.minLength(1), v.maxLength(20))

/** Replaces the access code or the pickup code. */
const rotation = {
  event: 'LockerCodeRotated',
  call: {
    operation: 'rotate_locker_code',
    verb: 'rotate-code',
    by: parties,
    summary: 'Replace the access code or the pickup code. Only this answer contains the new code; no webhook does.',
    secret: true,
    answers: {
      new_code: v.pipe(v.string(), v.description('Six digits. Only this answer contains it, and it is not stored.')),
    },
    errors: ['locker_delivery_full'],
  },
  webhook: {
    event: 'partner_locker.delivery.code_rotated',
    summary: 'The access code or the pickup code was replaced. No webhook contains the new one.',
  },
} as const

/** The moves of a locker delivery. */
export const moves = {
  create: {
    from: 'nothing',
    to: 'pending',
    event: 'LockerDeliveryCreated',
    call: {
      operation: 'create_locker_delivery',
      by: parties,
      summary: 'Announce that a partner will deliver parcels into a locker.',
      asks: {
        access_code: v.pipe(
          v.string(),
          v.regex(/^[0-9A-Za-z]{4,20}$/),
          v.description('What the courier types at the locker: letters and digits. Only a keyed hash of it is stored.'),
        ),
      },
      errors: ['provider_required', 'provider_not_found', 'order_not_found', 'expiry_too_early'],
    },
  },
  /** Comes before the first `open`. */
  allocate_code: { from: ['pending', 'opened'], event: 'LockerPickupCodeAllocated' },
  open: {
    from: ['pending', 'opened'],
    to: 'opened',
    event: 'LockerDoorsOpened',
    call: {
      operation: 'open_locker_doors',
      verb: 'open',
      by: parties,
      summary:
        'Record that compartments were opened for the courier: at the locker with the access code, or remotely without one. The first time allocates the pickup code, which works once the deposit is confirmed.',
      secret: true,
      asks: {
        access_code: v.exactOptional(
          v.pipe(codeEntry, v.description('What the courier typed; absent if the doors were opened remotely.')),
        ),
      },
      answers: {
        pickup_code: v.pipe(
          v.nullable(v.string()),
          v.description(
            'For the recipient, the same each time; null once another has replaced it, which no answer repeats.',
          ),
        ),
      },
      errors: ['wrong_locker_code', 'too_many_attempts', 'locker_delivery_expired', 'locker_delivery_full'],
    },
    webhook: {
      event: 'partner_locker.delivery.doors_opened',
      summary: 'Compartments were opened for the courier; the pickup code does not work yet.',
    },
  },
  close_door: {
    from: ['opened', 'delivered', 'correcting'],
    event: 'LockerDoorClosed',
    call: {
      operation: 'report_locker_door_closed',
      verb: 'door-closed',
      by: parties,
      summary:
        'Report that the door of a compartment was closed; a repeated report changes nothing. If doors were opened remotely, the last one to close confirms the deposit.',
      errors: ['compartment_not_found'],
    },
  },
  confirm: {
    from: ['opened', 'correcting'],
    to: 'delivered',
    event: 'LockerDeliveryConfirmed',
    call: {
      operation: 'confirm_locker_delivery',
      verb: 'confirm',
      by: parties,
      summary: 'Confirm that the parcels lie in the locker; the pickup code works from then on.',
      errors: ['doors_still_open'],
    },
    webhook: {
      event: 'partner_locker.delivery.delivered',
      summary: 'The deposit is confirmed: the parcels lie in the locker, and the pickup code works.',
    },
  },
  reopen: {
    from: ['delivered'],
    to: 'correcting',
    event: 'LockerCorrectionReopened',
    call: {
      operation: 'reopen_locker_doors',
      verb: 'reopen',
      by: parties,
      summary:
        'Open compartments of a deposit again to correct it, within the correction window. The pickup code does not work until the deposit is confirmed again, by its doors or by somebody.',
      errors: ['compartment_not_found', 'correction_over', 'locker_delivery_full'],
    },
    webhook: {
      event: 'partner_locker.delivery.correction_reopened',
      summary: 'Compartments of a deposit were opened again within the correction window.',
    },
  },
  collect: {
    from: ['delivered'],
    to: 'collected',
    event: 'LockerPickupCompleted',
    call: {
      operation: 'complete_locker_pickup',
      verb: 'pickup',
      by: parties,
      summary:
        'Record that the recipient has collected the parcels, with the pickup code; staff may do so without one.',
      secret: true,
      asks: { pickup_code: v.exactOptional(v.pipe(codeEntry, v.description('What the recipient typed.'))) },
      errors: ['pickup_code_required', 'wrong_locker_code', 'too_many_attempts', 'locker_delivery_expired'],
    },
    webhook: { event: 'partner_locker.pickup.completed', summary: 'The recipient has collected the parcels.' },
  },
  fail: {
    from: ['pending', 'opened', 'correcting'],
    to: 'failed',
    event: 'LockerDeliveryFailed',
    call: {
      operation: 'fail_locker_delivery',
      verb: 'fail',
      by: parties,
      summary:
        'Record that the parcels did not come into the locker, and why for each of them. A further attempt is another delivery.',
      errors: ['parcels_differ'],
    },
    webhook: { event: 'partner_locker.delivery.failed', summary: 'The parcels did not come into the locker.' },
  },
  cancel: {
    from: ['pending', 'opened'],
    to: 'cancelled',
    event: 'LockerDeliveryCancelled',
    call: {
      operation: 'cancel_locker_delivery',
      verb: 'cancel',
      by: parties,
      summary: 'Cancel a delivery whose deposit is not confirmed.',
    },
    webhook: {
      event: 'partner_locker.delivery.cancelled',
      summary: 'The delivery was cancelled before its deposit was confirmed.',
    },
  },
  rotate_pickup: { from: ['opened', 'delivered', 'correcting'], says: { code: 'pickup' }, ...rotation },
  rotate_access: { from: ['pending', 'opened'], says: { code: 'access' }, ...rotation },
  /** Made by the clock, or by `expire_locker_deliveries`. */
  expire: {
    from: ['pending', 'delivered'],
    to: 'expired',
    event: 'LockerDeliveryExpired',
    webhook: {
      event: 'partner_locker.delivery.expired',
      summary: 'The access code was not used, or the deposit was not collected, before its expiry.',
    },
  },
  /** A wrong code is recorded, so that it counts: after five, none is accepted for a while. */
  refuse_access: { from: ['pending', 'opened'], event: 'LockerCodeRefused', says: { code: 'access' } },
  refuse_pickup: { from: ['delivered'], event: 'LockerCodeRefused', says: { code: 'pickup' } },
} as const satisfies Moves<keyof typeof statuses>
