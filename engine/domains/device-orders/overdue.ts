import { streamOf } from '../../entity/access.ts'
import { readModelOf } from '../../entity/list.ts'
import type { Context } from '../../kernel/context.ts'
import { isoOf } from '../../kernel/time.ts'
import { execute } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { deviceOrder } from './device-order.ts'
import { deviceOrders } from './rules.ts'

/** The list of device orders. */
export const deviceOrderModel = readModelOf(deviceOrder)

/** A device order that waits for its collection, and its deadline in epoch milliseconds. */
export interface WaitingDeviceOrder {
  readonly id: number
  readonly dueAt: number
}

/** Those that lie in a machine and whose deadline comes before an instant (epoch milliseconds), with ids after `after`, in order of id. */
export async function waitingDeviceOrders(
  { models }: Pick<Context, 'models'>,
  before: number,
  after: number,
  limit: number,
): Promise<readonly WaitingDeviceOrder[]> {
  const between = { due_at: [undefined, isoOf(before)], device_order_id: [after + 1, undefined] } as const
  const { rows } = await models.page(deviceOrderModel, { where: { status: 'stored' }, between, limit })
  return rows.map(({ device_order_id, due_at }) => ({ id: Number(device_order_id), dueAt: Date.parse(String(due_at)) }))
}

/** Records that a deadline has passed. Does nothing if it has not, or if the device order is no longer waiting. */
export async function becomeOverdue(
  context: Pick<Context, 'store' | 'clock' | 'caller' | 'requestId' | 'randomId'>,
  id: number,
): Promise<void> {
  const command = { move: 'become_overdue', at: isoOf(context.clock()), by: null } as const
  await execute(context.store, deviceOrders, streamOf(deviceOrder, id), command, toNewEvent(context))
}
