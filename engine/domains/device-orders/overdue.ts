import { loadEntity, streamOf } from '../../entity/access.ts'
import { followedModelOf } from '../../entity/list.ts'
import type { Context } from '../../kernel/context.ts'
import { dueIn } from '../../kernel/due.ts'
import { instantOf, isoOf } from '../../kernel/time.ts'
import { execute } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { deviceOrder } from './device-order.ts'
import { deviceOrders } from './rules.ts'

/** The list of device orders. */
export const deviceOrderModel = followedModelOf(deviceOrder)

/** Those that lie in a machine and whose deadline comes before an instant (epoch milliseconds), with ids after `after`, in order of id. */
export const waitingDeviceOrders = dueIn(deviceOrderModel, 'due_at', { status: 'stored' })

/**
 * Records that a deadline has passed: overdue since then, however late it is noticed. Does nothing if it has not passed, or if the
 * device order is no longer waiting.
 */
export async function becomeOverdue(
  context: Pick<Context, 'store' | 'models' | 'clock' | 'caller' | 'requestId' | 'randomId'>,
  id: number,
): Promise<void> {
  const { due_at } = (await loadEntity(context, { entity: deviceOrder, decider: deviceOrders }, id)) ?? {}
  if (due_at === undefined || instantOf(due_at) > context.clock()) return
  const command = { move: 'become_overdue', at: isoOf(instantOf(due_at)), by: null } as const
  await execute(context.store, deviceOrders, streamOf(deviceOrder, id), command, toNewEvent(context))
}
