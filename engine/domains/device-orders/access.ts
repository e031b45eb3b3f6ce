import type { Account } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { EventStore } from '../../kernel/event-store.ts'
import { staff } from '../../kernel/party.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { execute } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { type DeviceOrderCommand, deviceOrders } from './decider.ts'
import type { DeviceOrderEvent } from './events.ts'
import type { DeviceOrder, DeviceOrderState } from './state.ts'

/** Whether an account works for its business. */
export function isStaff({ role }: Account): boolean {
  return staff.includes(role)
}

/** The stream of a device order. */
export function deviceOrderStream(id: number): StreamName {
  return `device_order-${id}`
}

/** A device order that the caller may see: staff those of their business, a customer its own. Else `device_order_not_found`. */
export async function visibleDeviceOrder(context: Context, id: number): Promise<DeviceOrder> {
  const account = accountOf(context)
  const order = await loadDeviceOrder(context.store, id)
  const isSeen =
    order?.businessId === account.business.id &&
    (isStaff(account) || (account.role === 'customer' && order.customerId === account.id))
  if (order === undefined || !isSeen) throw new EngineError('device_order_not_found', { order: id })
  return order
}

/** Carries out a command on a device order that the caller may see; answers what follows, and how it stands then. */
export async function carryOut(
  context: Context,
  id: number,
  command: DeviceOrderCommand,
): Promise<{ readonly facts: readonly DeviceOrderEvent[]; readonly order: DeviceOrder }> {
  const before = await visibleDeviceOrder(context, id)
  const facts = await execute(context.store, deviceOrders, deviceOrderStream(id), command, toNewEvent(context))
  const order = await loadDeviceOrder(context.store, id)
  return { facts, order: order ?? before }
}

async function loadDeviceOrder(store: EventStore, id: number): Promise<DeviceOrderState> {
  return fold(deviceOrders, (await store.read(deviceOrderStream(id))) as readonly DeviceOrderEvent[])
}
