import type { Context } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { CommandBody } from './decided.ts'
import { orders } from './decider.ts'
import type { OrderEvent } from './events.ts'
import { commandStamp, decideOn, isVisible, loadOrderAt } from './load.ts'
import { statuses } from './status.ts'
import { orderStream } from './streams.ts'

/** An order that the caller may see, to be assigned to a contractor or revoked; refuses with `order_not_found`. */
export async function assignableOrder(context: Context, id: number) {
  const loaded = await loadOrderAt(context, id)
  const decide = (command: CommandBody<'AssignContractor' | 'RevokeContractor' | 'ReleaseContractor'>) =>
    decideOn(context, loaded, { ...commandStamp(context), ...command }).appends
  return { id, decide }
}

type AssignmentFact = Extract<
  OrderEvent,
  { readonly type: 'ContractorAssigned' | 'ContractorRevoked' | 'ContractorReleased' }
>

/** The order of an assignment, no matter who has it now. A contractor that has lost it does not see its state. */
export async function assignedOrder(context: Context, id: number) {
  const history = (await context.store.read(orderStream(id))) as readonly RecordedEvent<OrderEvent>[]
  const order = fold(orders, history)
  const isSeen = order !== undefined && isVisible(context, { ...order, is_deleted: false })
  const facts: readonly AssignmentFact[] = history.filter(
    (fact) =>
      fact.type === 'ContractorAssigned' || fact.type === 'ContractorRevoked' || fact.type === 'ContractorReleased',
  )
  return {
    reference: order?.reference,
    current: isSeen
      ? { statusId: statuses[order.status].id, scheduleDate: order.schedule_date, routeId: order.route_id }
      : undefined,
    facts,
  }
}
