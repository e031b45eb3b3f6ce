import { streamOf } from '../../entity/access.ts'
import { followedModelOf } from '../../entity/list.ts'
import type { Context } from '../../kernel/context.ts'
import { dueIn } from '../../kernel/due.ts'
import { isoOf } from '../../kernel/time.ts'
import { execute } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { deviceOrder } from './device-order.ts'
import { deviceOrders } from './rules.ts'

/** The list of device orders. */
export const deviceOrderModel = followedModelOf(deviceOrder)

/** Those that lie in a machine and whose deadline comes before an instant (epoch milliseconds), with ids after `after`, in order of id. */
export const waitingDeviceOrders = dueIn(deviceOrderModel, 'due_at', { status: 'stored' })

/** Records that a deadline has passed. Does nothing if it has not, or if the device order is no longer waiting. */
export async function becomeOverdue(
  context: Pick<Context, 'store' | 'clock' | 'caller' | 'requestId' | 'randomId'>,
  id: number,
): Promise<void> {
  const command = { move: 'become_overdue', at: isoOf(context.clock()), by: null } as const
  await execute(context.store, deviceOrders, streamOf(deviceOrder, id), command, toNewEvent(context))
}
