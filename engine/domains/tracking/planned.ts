import type { Context } from '../../kernel/context.ts'
import type { PlannedDelivery } from '../../kernel/order-due.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { numberOfOpener } from './identifiers.ts'

/**
 * When the order whose number opened a timeline is to be delivered; undefined if it is not planned. What was added to the
 * subject later names no order here, because others than its owner may add to it.
 */
export async function plannedFor(context: Context, stream: StreamName): Promise<PlannedDelivery | undefined> {
  const number = numberOfOpener(stream)
  return number === undefined ? undefined : context.ports.tracking.plannedDelivery(context, number)
}
