import * as v from 'valibot'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import { id, word } from '../../kernel/schemas.ts'
import { at, commandErrors, onOrder, runCommand, summaryAnswer } from './answer.ts'
import { orderEntries } from './schema.ts'

const dispatching = { scopes: ['orders:write'], risk: 'medium', tag: 'Dispatch', output: summaryAnswer } as const
const byStaff = { ...dispatching, roles: ['client_admin', 'client_employee'] } as const
/** Contractors assign drivers to their own orders. */
const byHolder = { ...dispatching, roles: ['client_admin', 'client_employee', 'contractor'] } as const

/** The account of an active driver of the caller's business; refuses any other with `driver_not_found`. */
export async function requireDriver(context: Context, driver: number): Promise<void> {
  const person = await context.directory.person(context, driver)
  const { business } = accountOf(context)
  if (person?.role !== 'driver' || person.business.id !== business.id || !person.isActive)
    throw new EngineError('driver_not_found', { driver })
}

/** Assigns an order to a driver. */
export const assignDriver = operation({
  ...byHolder,
  name: 'assign_driver',
  summary: 'Assign an order to a driver of the business; another driver who has it loses it.',
  rest: at('assign-driver'),
  input: v.strictObject({ ...orderEntries, driver_id: v.pipe(id, v.description('Account of the driver.')) }),
  errors: [...commandErrors, 'driver_not_found', 'order_with_carrier', 'order_held_by_contractor'],
  handle: async (context, { order_id, driver_id }) => {
    const account = accountOf(context)
    await requireDriver(context, driver_id)
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
  ...byHolder,
  name: 'unassign_driver',
  summary: 'Take an order from its driver: it is a new order again.',
  rest: at('unassign-driver'),
  input: onOrder,
  errors: commandErrors,
  handle: (context, { order_id }) =>
    runCommand(context, order_id, (stamp) => ({ type: 'UnassignDriver', ...stamp, reason: 'removal' })),
})

/** Hands an order to a third-party carrier. */
export const handToCarrier = operation({
  ...byStaff,
  name: 'hand_to_carrier',
  summary: 'Hand an order to a third-party carrier.',
  rest: at('hand-to-carrier'),
  input: v.strictObject({ ...orderEntries, provider: v.pipe(word(60), v.description('Name of the carrier.')) }),
  errors: [...commandErrors, 'order_on_route', 'order_held_by_contractor'],
  handle: (context, { order_id, provider }) =>
    runCommand(context, order_id, (stamp) => ({ type: 'HandToCarrier', ...stamp, provider })),
})

/** Takes an order back from a third-party carrier. */
export const takeBackFromCarrier = operation({
  ...byStaff,
  name: 'take_back_from_carrier',
  summary: 'Take an order back from a third-party carrier: it is a new order again.',
  rest: at('take-back'),
  input: onOrder,
  errors: [...commandErrors, 'order_not_with_carrier'],
  handle: (context, { order_id }) => runCommand(context, order_id, (stamp) => ({ type: 'TakeBack', ...stamp })),
})

/** A third-party carrier has delivered an order. */
export const noteCarrierDelivery = operation({
  ...byStaff,
  name: 'note_carrier_delivery',
  summary: 'A third-party carrier has delivered an order.',
  rest: at('carrier-delivered'),
  input: onOrder,
  errors: [...commandErrors, 'order_not_with_carrier'],
  handle: (context, { order_id }) => runCommand(context, order_id, (stamp) => ({ type: 'CarrierDelivered', ...stamp })),
})
