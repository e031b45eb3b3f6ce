import * as v from 'valibot'
import { activeDriverId } from '../../entity/access.ts'
import { accountOf } from '../../kernel/call.ts'
import { operation } from '../../kernel/operation.ts'
import { id, word } from '../../kernel/schemas.ts'
import { callEntries, onOrder, runCommand } from './answer.ts'
import { orderIds } from './load.ts'
import { moves } from './moves.ts'
import { orderEntries } from './schema.ts'

/** Assigns an order to a driver. */
export const assignDriver = operation({
  ...callEntries(moves.assign.call),
  tag: 'Dispatch',
  ids: { ...orderIds, driver_id: activeDriverId },
  input: v.strictObject({ ...orderEntries, driver_id: v.pipe(id, v.description('Account of the driver.')) }),
  handle: (context, { order_id, driver_id }) => {
    const account = accountOf(context)
    return runCommand(context, order_id, (stamp) => ({
      type: 'AssignDriver',
      ...stamp,
      driver: driver_id,
      source: 'manual',
      ...(account.role === 'contractor' ? { broker_id: account.id } : {}),
    }))
  },
})

/** Takes an order from its driver. */
export const unassignDriver = operation({
  ...callEntries(moves.unassign.call),
  tag: 'Dispatch',
  input: onOrder,
  handle: (context, { order_id }) =>
    runCommand(context, order_id, (stamp) => ({ type: 'UnassignDriver', ...stamp, reason: 'removal' })),
})

/** Hands an order to a third-party carrier. */
export const handToCarrier = operation({
  ...callEntries(moves.hand_to_carrier.call),
  tag: 'Dispatch',
  input: v.strictObject({ ...orderEntries, provider: v.pipe(word(60), v.description('Name of the carrier.')) }),
  handle: (context, { order_id, provider }) =>
    runCommand(context, order_id, (stamp) => ({ type: 'HandToCarrier', ...stamp, provider })),
})

/** Takes an order back from a third-party carrier. */
export const takeBackFromCarrier = operation({
  ...callEntries(moves.take_back.call),
  tag: 'Dispatch',
  input: onOrder,
  handle: (context, { order_id }) => runCommand(context, order_id, (stamp) => ({ type: 'TakeBack', ...stamp })),
})

/** A third-party carrier has delivered an order. */
export const noteCarrierDelivery = operation({
  ...callEntries(moves.carrier_delivered.call),
  tag: 'Dispatch',
  input: onOrder,
  handle: (context, { order_id }) => runCommand(context, order_id, (stamp) => ({ type: 'CarrierDelivered', ...stamp })),
})
