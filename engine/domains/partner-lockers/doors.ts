import * as v from 'valibot'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import { commandStamp, partyOf, staff } from '../../kernel/party.ts'
import { distinct } from '../../kernel/schemas.ts'
import { carryOut } from './access.ts'
import { hashOfCode, newCode } from './code.ts'
import type { Compartment, LockerDeliveryEvent } from './events.ts'
import { deliveryId, distinctBy, id, line, maxParcels } from './input.ts'
import { family } from './operations.ts'
import type { LockerDelivery } from './state.ts'
import { type CodeKind, lockerDeliveryStatusNames, toldConfirmations } from './status.ts'

/** What every change of a locker delivery has in common. */
export const change = { scopes: ['partner_lockers:write'], roles: staff, risk: 'medium', ...family } as const

/** What every change may refuse with. */
export const refusals = ['account_required', 'locker_delivery_not_found', 'locker_delivery_status_forbids'] as const

/** How the delivery stands after a change. */
export const changedEntries = {
  result: v.literal(true),
  delivery_id: v.number(),
  status: v.picklist(lockerDeliveryStatusNames),
}

/** What a change answers. */
export function changed({ id: delivery_id, status }: LockerDelivery) {
  return { result: true, delivery_id, status }
}

/** Refuses with `wrong_locker_code` where that is what was recorded. */
export function demandRightCode(facts: readonly LockerDeliveryEvent[], delivery: number, code: CodeKind): void {
  if (facts.some(({ type }) => type === 'LockerCodeRefused'))
    throw new EngineError('wrong_locker_code', { delivery, code })
}

/** A code that somebody gives. */
export const givenCode = v.pipe(v.string(), v.minLength(1), v.maxLength(20))

const compartment = v.strictObject({
  grid_id: id('Id of the compartment.'),
  compartment_number: id('Number of the hardware.'),
  pickup_locker_number: v.exactOptional(
    id('Number on display: counted from top to bottom within a column, then from left to right.'),
  ),
  shelf_code: v.exactOptional(line(50, 'Label of the column or cabinet; with the number on display it is the label.')),
})

/** Opens doors for the courier. */
export const openLockerDoors = operation({
  name: 'open_locker_doors',
  summary:
    'Record that compartments were opened for the courier: at the locker with the access code, or from afar without one. ' +
    'The first time allocates the pickup code, which can be used once the deposit is confirmed.',
  ...change,
  secret: true,
  input: v.strictObject({
    ...deliveryId,
    access_code: v.exactOptional(v.pipe(givenCode, v.description('What the courier typed; absent from afar.'))),
    compartments: v.pipe(v.array(compartment), v.minLength(1), v.maxLength(maxParcels), distinctBy('grid_id')),
  }),
  output: v.strictObject({
    ...changedEntries,
    pickup_code: v.pipe(
      v.nullable(v.string()),
      v.description(
        'For the recipient, the same each time; null once it was replaced by another, which is not told again.',
      ),
    ),
  }),
  errors: [...refusals, 'wrong_locker_code', 'too_many_attempts', 'locker_delivery_expired', 'locker_delivery_full'],
  rest: { method: 'POST', path: '/api/v1/partner-lockers/deliveries/{delivery_id}/open' },
  handle: async (context, { delivery_id, access_code, compartments }) => {
    const pickup_code = newCode(context)
    const { facts, delivery } = await carryOut(context, delivery_id, {
      type: 'OpenDoors',
      ...commandStamp(context),
      compartments: compartments.map(labelled),
      ...(access_code === undefined
        ? {}
        : { access_code_hash: hashOfCode(context, delivery_id, 'access', access_code) }),
      pickup_code,
      pickup_code_hash: hashOfCode(context, delivery_id, 'pickup', pickup_code),
    })
    demandRightCode(facts, delivery_id, 'access')
    return { ...changed(delivery), pickup_code: delivery.pickupCode ?? null }
  },
})

function labelled({ pickup_locker_number, shelf_code, ...rest }: v.InferOutput<typeof compartment>): Compartment {
  const isLabelled = pickup_locker_number !== undefined && shelf_code !== undefined
  const pickup_locker_code = isLabelled ? `${shelf_code}-${pickup_locker_number}` : null
  return { ...rest, pickup_locker_number: pickup_locker_number ?? null, pickup_locker_code }
}

/** Takes in that a door was closed. */
export const reportLockerDoorClosed = operation({
  name: 'report_locker_door_closed',
  summary:
    'Report that the door of a compartment was closed; once is enough, and more does nothing. Where doors were opened from ' +
    'afar, the last one confirms the deposit.',
  ...change,
  input: v.strictObject({ ...deliveryId, grid_id: id('Id of the compartment.') }),
  output: v.strictObject(changedEntries),
  errors: [...refusals, 'compartment_not_found'],
  rest: { method: 'POST', path: '/api/v1/partner-lockers/deliveries/{delivery_id}/door-closed' },
  handle: async (context, { delivery_id, grid_id }) => {
    const command = { type: 'ReportDoorClosed', ...commandStamp(context), grid_id } as const
    return changed((await carryOut(context, delivery_id, command)).delivery)
  },
})

/** Confirms the deposit. */
export const confirmLockerDelivery = operation({
  name: 'confirm_locker_delivery',
  summary: 'Confirm that the parcels lie in the locker: from then on the pickup code can be used.',
  ...change,
  input: v.strictObject({
    ...deliveryId,
    confirmed_by: v.exactOptional(
      v.pipe(
        v.picklist(toldConfirmations),
        v.description(
          'How it was confirmed: for a partner always partner_api, for an account console where absent. ' +
            'timeout_door_closed asks for all doors to be closed.',
        ),
      ),
    ),
  }),
  output: v.strictObject(changedEntries),
  errors: [...refusals, 'doors_still_open'],
  rest: { method: 'POST', path: '/api/v1/partner-lockers/deliveries/{delivery_id}/confirm' },
  handle: async (context, { delivery_id, confirmed_by = ownConfirmation(context) }) => {
    // What the platform itself saw is told by an account of the business: a partner speaks for itself alone.
    if (confirmed_by !== 'partner_api') accountOf(context)
    const command = { type: 'ConfirmDelivery', ...commandStamp(context), confirmed_by } as const
    return changed((await carryOut(context, delivery_id, command)).delivery)
  },
})

function ownConfirmation(context: Context): 'partner_api' | 'console' {
  return partyOf(context).provider === undefined ? 'console' : 'partner_api'
}

/** Opens doors of a deposit again. */
export const reopenLockerDoors = operation({
  name: 'reopen_locker_doors',
  summary:
    'Open compartments of a deposit again, to set right what lies where, within the correction window. The pickup code ' +
    'cannot be used before the deposit is confirmed anew, by its doors or by somebody.',
  ...change,
  input: v.strictObject({
    ...deliveryId,
    grid_ids: v.pipe(
      v.array(id('Id of a compartment.')),
      v.minLength(1),
      v.maxLength(maxParcels),
      distinct(),
      v.description('The compartments, which were opened for this delivery before.'),
    ),
  }),
  output: v.strictObject(changedEntries),
  errors: [...refusals, 'compartment_not_found', 'correction_over', 'locker_delivery_full'],
  rest: { method: 'POST', path: '/api/v1/partner-lockers/deliveries/{delivery_id}/reopen' },
  handle: async (context, { delivery_id, grid_ids }) => {
    const command = { type: 'ReopenDoors', ...commandStamp(context), grid_ids } as const
    return changed((await carryOut(context, delivery_id, command)).delivery)
  },
})
