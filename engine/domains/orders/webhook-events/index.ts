import { fold } from '../../../kernel/decider.ts'
import type { RecordedEvent } from '../../../kernel/event.ts'
import type { Announcement, Notice, NoticeFacts, NoticeSource } from '../../../kernel/webhook-event.ts'
import { orders } from '../decider.ts'
import type { OrderEvent } from '../events.ts'
import type { Order, OrderState } from '../state.ts'
import { orderOf, orderStream } from '../streams.ts'
import { orderCreated, tellCreated } from './created.ts'
import { orderCancelFailed, orderDeleted, tellCancelFailed, tellDeleted } from './ended.ts'
import { lifecycleNotices, lifecycleTypes, tellLifecycle } from './lifecycle.ts'
import { movingTypes } from './operation-types.ts'
import { orderStatusChange, tellStatusChange } from './status-change.ts'
import type { Teller, Telling } from './payload.ts'

/** What the outside can be told of an order. */
export const orderNotices: readonly Notice[] = [
  ...[orderCreated, orderStatusChange, orderDeleted, orderCancelFailed],
  ...lifecycleNotices,
]

const tellers: readonly Teller[] = [tellCreated, tellStatusChange, tellLifecycle, tellDeleted, tellCancelFailed]

const types = [...new Set(['OrderCreated', ...movingTypes, ...lifecycleTypes, 'OrderCancelRefused', 'OrderDeleted'])]

/** What the events of an order tell: of the order as it stood with them, and so the same each time. */
export const orderNoticeSource: NoticeSource = {
  category: 'order',
  types,
  announce: async (facts, recorded) => {
    const event = recorded as RecordedEvent<OrderEvent>
    const order = types.includes(event.type) ? await orderAt(facts, event) : undefined
    if (order === undefined) return []
    return tellers.flatMap((tell) => tell(event, order)).map((told) => announced(event, order, told))
  },
  forgets: {
    types: ['OrderPersonalDataErased'],
    subjects: async (_, { stream }) => [`order/${orderOf(stream)}`],
  },
}

async function orderAt({ store }: NoticeFacts, event: RecordedEvent<OrderEvent>): Promise<OrderState> {
  const limit = event.revision
  const earlier = limit === 0 ? [] : await store.read(orderStream(orderOf(event.stream)), { limit })
  return fold(orders, [...(earlier as readonly RecordedEvent<OrderEvent>[]), event])
}

function announced(event: RecordedEvent<OrderEvent>, order: Order, { notice, ...told }: Telling): Announcement {
  return {
    ...told,
    notice: notice.name,
    audience: { kind: 'tenant', businessId: order.business_id, customerId: order.customer_id },
    occurredAt: event.data.at,
    subject: `order/${order.order_id}`,
  }
}
