import type { Context } from '../../kernel/context.ts'
import type { PlannedDelivery } from '../../kernel/order-due.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { isSplitOff } from '../../kernel/timeline.ts'
import { numberOfOpener } from './identifiers.ts'
import { readState } from './read.ts'

/**
 * When the order whose number opened a timeline is to be delivered; undefined if it is not planned. What was added to the
 * subject later names no order here, because others than its owner may add to it; and a parcel that was split off is not that of the
 * order.
 */
export async function plannedFor(context: Context, stream: StreamName): Promise<PlannedDelivery | undefined> {
  const number = numberOfOpener(stream)
  const planned = number && (await context.ports.tracking.plannedDelivery(context, number))
  if (!planned) return undefined
  return isSplitOff((await readState(context, stream)).state.subject) ? undefined : planned
}
