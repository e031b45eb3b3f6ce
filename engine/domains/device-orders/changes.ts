import * as v from 'valibot'
import { accountOf, requireScopes } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import { staff } from '../../kernel/party.ts'
import { isoOf } from '../../kernel/time.ts'
import { carryOut, isStaff, visibleDeviceOrder } from './access.ts'
import { hashOfCode, newPickupCode } from './code.ts'
import { deviceOrderId, instant, line, utcOf } from './input.ts'
import { family } from './operations.ts'
import { type DeviceOrderKind, deviceStatusNames, type NextActor, nextActors, removalReasons } from './status.ts'

/** What every change of a device order has in common. */
export const change = { scopes: ['devices:write'], roles: staff, risk: 'medium', ...family } as const

/** What every change may refuse with. */
export const refusals = [
  ...(['module_disabled', 'module_not_migrated'] as const),
  ...(['device_order_not_found', 'device_order_status_forbids'] as const),
] as const

/** How the device order stands after a change. */
export const changedEntries = {
  result: v.literal(true),
  device_order_id: v.number(),
  status: v.picklist(deviceStatusNames),
}

/** Who commands, and when. */
export function given(context: Context): { readonly at: string; readonly by: number } {
  return { at: isoOf(context.clock()), by: accountOf(context).id }
}

const pickupCode = v.pipe(
  v.string(),
  v.description('For whoever collects it. It is told here and nowhere else, and kept by nobody.'),
)

/** Whom it waits for in the machine, where nobody says otherwise. */
const collector: Readonly<Record<DeviceOrderKind, NextActor>> = {
  delivery: 'recipient',
  send: 'courier',
  return: 'courier',
  storage: 'recipient',
  relay: 'courier',
}

/** Confirms a deposit, and gives the code for what lies there now. */
export const storeDeviceOrder = operation({
  name: 'store_device_order',
  summary: 'Confirm that it lies in the machine. The answer tells the pickup code, this once.',
  ...change,
  secret: true,
  input: v.strictObject({
    ...deviceOrderId,
    due_at: v.exactOptional(instant('Until when it is to be collected; as announced where absent.')),
    next_actor: v.exactOptional(
      v.pipe(v.picklist(nextActors), v.description('Whom it waits for; by its kind where absent.')),
    ),
    grid_code: v.exactOptional(line(50, 'Label of the compartment, where it is another than was announced.')),
  }),
  output: v.strictObject({ ...changedEntries, pickup_code: pickupCode }),
  errors: [...refusals, 'due_at_required', 'due_too_early'],
  rest: { method: 'POST', path: '/api/v1/device-orders/{device_order_id}/store' },
  handle: async (context, { device_order_id, due_at, next_actor, ...rest }) => {
    const { kind, pieceId } = await visibleDeviceOrder(context, device_order_id)
    const code = newPickupCode(context)
    const { order } = await carryOut(context, device_order_id, {
      type: 'StoreDeviceOrder',
      ...given(context),
      ...rest,
      ...(due_at === undefined ? {} : { due_at: utcOf(due_at) }),
      next_actor: next_actor ?? collector[kind],
      code_hash: hashOfCode(context, pieceId, code),
    })
    return { result: true, device_order_id, status: order.status, pickup_code: code }
  },
})

/** Gives a new code. */
export const issuePickupCode = operation({
  name: 'issue_pickup_code',
  summary: 'Make the pickup code void and issue another, as when it was lost. The answer tells it, this once.',
  ...change,
  secret: true,
  input: v.strictObject(deviceOrderId),
  output: v.strictObject({ ...changedEntries, pickup_code: pickupCode }),
  errors: refusals,
  rest: { method: 'POST', path: '/api/v1/device-orders/{device_order_id}/pickup-code' },
  handle: async (context, { device_order_id }) => {
    const { pieceId } = await visibleDeviceOrder(context, device_order_id)
    const code = newPickupCode(context)
    const code_hash = hashOfCode(context, pieceId, code)
    const command = { type: 'IssuePickupCode', ...given(context), code_hash } as const
    const { order } = await carryOut(context, device_order_id, command)
    return { result: true, device_order_id, status: order.status, pickup_code: code }
  },
})

/** Hands it out. Whoever may see it may collect it with its code, and so no scope to write is asked for; without one it is. */
export const collectDeviceOrder = operation({
  name: 'collect_device_order',
  summary: 'Collect it with its pickup code; staff empty a smart drop without one.',
  scopes: ['devices:read'],
  roles: [...staff, 'customer'],
  risk: 'medium',
  ...family,
  // Nothing is held back either: a wrong code is recorded and refused in one call.
  secret: true,
  input: v.strictObject({
    ...deviceOrderId,
    pickup_code: v.exactOptional(v.pipe(v.string(), v.minLength(1), v.maxLength(20))),
  }),
  output: v.strictObject(changedEntries),
  errors: [...refusals, 'wrong_pickup_code', 'pickup_code_required', 'too_many_attempts'],
  rest: { method: 'POST', path: '/api/v1/device-orders/{device_order_id}/collect' },
  handle: async (context, { device_order_id, pickup_code }) => {
    const { pieceId } = await visibleDeviceOrder(context, device_order_id)
    if (pickup_code === undefined && isStaff(accountOf(context))) requireScopes(context, ['devices:write'])
    const { facts, order } = await carryOut(context, device_order_id, {
      type: 'CollectDeviceOrder',
      ...given(context),
      ...(pickup_code === undefined ? {} : { code_hash: hashOfCode(context, pieceId, pickup_code) }),
      isStaff: isStaff(accountOf(context)),
    })
    if (facts.some(({ type }) => type === 'PickupCodeRefused'))
      throw new EngineError('wrong_pickup_code', { order: device_order_id })
    return { result: true, device_order_id, status: order.status }
  },
})

/** Takes it out by staff. */
export const removeDeviceOrder = operation({
  name: 'remove_device_order',
  summary: 'Record that staff took it out of the machine, and why.',
  ...change,
  input: v.strictObject({ ...deviceOrderId, removal_reason: v.picklist(removalReasons) }),
  output: v.strictObject(changedEntries),
  errors: refusals,
  rest: { method: 'POST', path: '/api/v1/device-orders/{device_order_id}/remove' },
  handle: async (context, { device_order_id, removal_reason: reason }) => {
    const command = { type: 'RemoveDeviceOrder', ...given(context), reason } as const
    const { order } = await carryOut(context, device_order_id, command)
    return { result: true, device_order_id, status: order.status }
  },
})

/** Gives up waiting for a deposit. */
export const cancelDeviceOrder = operation({
  name: 'cancel_device_order',
  summary: 'Cancel an announced deposit that will not come.',
  ...change,
  input: v.strictObject(deviceOrderId),
  output: v.strictObject(changedEntries),
  errors: refusals,
  rest: { method: 'POST', path: '/api/v1/device-orders/{device_order_id}/cancel' },
  handle: async (context, { device_order_id }) => {
    const { order } = await carryOut(context, device_order_id, { type: 'CancelDeviceOrder', ...given(context) })
    return { result: true, device_order_id, status: order.status }
  },
})

/** Erases what it tells of people, for good. */
export const eraseDeviceOrder = operation({
  name: 'erase_device_order',
  summary: 'Erase for good what a device order tells of people: its recipient, and the notes of its exceptions.',
  ...change,
  risk: 'high',
  roles: ['client_admin'],
  input: v.strictObject(deviceOrderId),
  output: v.strictObject(changedEntries),
  errors: ['module_disabled', 'module_not_migrated', 'device_order_not_found', 'erasure_unfinished'],
  rest: { method: 'POST', path: '/api/v1/device-orders/{device_order_id}/erase' },
  handle: async (context, { device_order_id }) => {
    const { order } = await carryOut(context, device_order_id, { type: 'EraseDeviceOrder', ...given(context) })
    return { result: true, device_order_id, status: order.status }
  },
})
