import * as v from 'valibot'
import { operation } from '../../kernel/operation.ts'
import { commandStamp, partyOf } from '../../kernel/party.ts'
import { carryOut } from './access.ts'
import { hashOfCode, newCode } from './code.ts'
import { change, changed, changedEntries, demandRightCode, givenCode, refusals } from './doors.ts'
import { expireDueDeliveries } from './expiry.ts'
import { deliveryId, distinctBy, maxParcels } from './input.ts'
import { seenBy } from './operations.ts'
import { failedParcelRecord } from './record.ts'
import { codeKinds } from './status.ts'

/** Hands the parcels to the recipient. */
export const completeLockerPickup = operation({
  name: 'complete_locker_pickup',
  summary: 'Record that the recipient has collected the parcels, with the pickup code; staff may do so without one.',
  ...change,
  // Nothing is held back either: a wrong code is recorded and refused in one call.
  secret: true,
  input: v.strictObject({
    ...deliveryId,
    pickup_code: v.exactOptional(v.pipe(givenCode, v.description('What the recipient typed.'))),
  }),
  output: v.strictObject(changedEntries),
  errors: [
    ...refusals,
    ...(['pickup_code_required', 'wrong_locker_code', 'too_many_attempts', 'locker_delivery_expired'] as const),
  ],
  rest: { method: 'POST', path: '/api/v1/partner-lockers/deliveries/{delivery_id}/pickup' },
  handle: async (context, { delivery_id, pickup_code }) => {
    const { facts, delivery } = await carryOut(context, delivery_id, {
      type: 'CompletePickup',
      ...commandStamp(context),
      ...(pickup_code === undefined ? {} : { code_hash: hashOfCode(context, delivery_id, 'pickup', pickup_code) }),
      isStaff: partyOf(context).provider === undefined,
    })
    demandRightCode(facts, delivery_id, 'pickup')
    return changed(delivery)
  },
})

/** Gives up. */
export const failLockerDelivery = operation({
  name: 'fail_locker_delivery',
  summary:
    'Record that the parcels did not come into the locker, and why for each of them. A further attempt is another delivery.',
  ...change,
  input: v.strictObject({
    ...deliveryId,
    packages: v.pipe(
      v.array(failedParcelRecord),
      v.minLength(1),
      v.maxLength(maxParcels),
      distinctBy('reference_number'),
      v.description('Every parcel of the delivery.'),
    ),
  }),
  output: v.strictObject(changedEntries),
  errors: [...refusals, 'parcels_differ'],
  rest: { method: 'POST', path: '/api/v1/partner-lockers/deliveries/{delivery_id}/fail' },
  handle: async (context, { delivery_id, packages }) => {
    const command = { type: 'FailDelivery', ...commandStamp(context), packages } as const
    return changed((await carryOut(context, delivery_id, command)).delivery)
  },
})

/** Calls it off. */
export const cancelLockerDelivery = operation({
  name: 'cancel_locker_delivery',
  summary: 'Cancel a delivery whose deposit is not confirmed.',
  ...change,
  input: v.strictObject(deliveryId),
  output: v.strictObject(changedEntries),
  errors: refusals,
  rest: { method: 'POST', path: '/api/v1/partner-lockers/deliveries/{delivery_id}/cancel' },
  handle: async (context, { delivery_id }) => {
    const command = { type: 'CancelDelivery', ...commandStamp(context) } as const
    return changed((await carryOut(context, delivery_id, command)).delivery)
  },
})

/** Replaces a code. */
export const rotateLockerCode = operation({
  name: 'rotate_locker_code',
  summary:
    'Make the access code or the pickup code void and issue another. The answer tells it, this once; no webhook ever does.',
  ...change,
  secret: true,
  input: v.strictObject({
    ...deliveryId,
    code: v.pipe(v.picklist(codeKinds), v.description('access is that of the courier, pickup that of the recipient.')),
    recipient_notified: v.exactOptional(
      v.pipe(
        v.boolean(),
        v.description('Whether the partner tells the recipient anew; webhooks say so. false where absent.'),
      ),
    ),
  }),
  output: v.strictObject({
    ...changedEntries,
    new_code: v.pipe(v.string(), v.description('Six digits. It is told here and nowhere else, and kept by nobody.')),
  }),
  errors: [...refusals, 'locker_delivery_full'],
  rest: { method: 'POST', path: '/api/v1/partner-lockers/deliveries/{delivery_id}/rotate-code' },
  handle: async (context, { delivery_id, code, recipient_notified = false }) => {
    const new_code = newCode(context)
    const code_hash = hashOfCode(context, delivery_id, code, new_code)
    const command = { type: 'RotateCode', ...commandStamp(context), code, code_hash, recipient_notified } as const
    const { delivery } = await carryOut(context, delivery_id, command)
    return { ...changed(delivery), new_code }
  },
})

const sweepLimit = 200

/** Expires what has run out. */
export const expireLockerDeliveries = operation({
  name: 'expire_locker_deliveries',
  summary: `Record what has expired by now: codes of couriers that were not used, and deposits that were not collected; up to ${sweepLimit} at once.`,
  ...change,
  input: v.strictObject({}),
  output: v.strictObject({
    result: v.literal(true),
    expired: v.pipe(v.number(), v.description('How many have expired with this call.')),
    left: v.pipe(v.number(), v.description('How many are left for further calls.')),
  }),
  errors: ['account_required'],
  rest: { method: 'POST', path: '/api/v1/partner-lockers/expire-deliveries' },
  handle: async (context) => {
    const found = await expireDueDeliveries(context, { where: seenBy(partyOf(context)), limit: sweepLimit })
    return { result: true, ...found }
  },
})
