import type { Context } from '../../kernel/context.ts'
import { isoOf } from '../../kernel/time.ts'
import { execute } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { deviceOrderStream } from './access.ts'
import { deviceOrders } from './decider.ts'
import { deviceOrderModel } from './device-order-model.ts'

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
  const between = { due_at: [undefined, isoOf(before)], id: [after + 1, undefined] } as const
  const { rows } = await models.page(deviceOrderModel, { where: { status: 'stored' }, between, limit })
  return rows.map(({ id, due_at }) => ({ id: Number(id), dueAt: Date.parse(String(due_at)) }))
}

/** Records that a deadline has passed; nothing where it has not, or where somebody was faster. */
export async function becomeOverdue(
  context: Pick<Context, 'store' | 'clock' | 'caller' | 'requestId' | 'randomId'>,
  id: number,
): Promise<void> {
  const command = { type: 'BecomeOverdue', at: isoOf(context.clock()), by: null } as const
  await execute(context.store, deviceOrders, deviceOrderStream(id), command, toNewEvent(context))
}
