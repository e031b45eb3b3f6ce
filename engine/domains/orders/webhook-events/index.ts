import { fold } from '../../../kernel/decider.ts'
import type { RecordedEvent } from '../../../kernel/event.ts'
import type {
  WebhookEvent,
  WebhookEventFacts,
  WebhookEventSource,
  WebhookEventType,
} from '../../../kernel/webhook-event.ts'
import { orders } from '../decider.ts'
import type { OrderEvent } from '../events.ts'
import type { Order, OrderState } from '../state.ts'
import { orderOf, orderStream } from '../streams.ts'
import { createdPayloads, orderCreated } from './created.ts'
import { cancelFailedPayloads, deletedPayloads, orderCancelFailed, orderDeleted } from './ended.ts'
import { lifecycleEventTypes, lifecyclePayloads, lifecycleTypes } from './lifecycle.ts'
import { openOrderAccepted, openOrderStatusChanged, openPayloads } from './open.ts'
import { movingTypes } from './operation-types.ts'
import type { Payload, PayloadsOf } from './payload.ts'
import { orderStatusChange, statusChangePayloads } from './status-change.ts'

/** The types of webhook events about orders. */
export const orderWebhookEventTypes: readonly WebhookEventType[] = [
  ...[orderCreated, orderStatusChange, orderDeleted, orderCancelFailed],
  ...lifecycleEventTypes,
  ...[openOrderAccepted, openOrderStatusChanged],
]

const payloadFunctions: readonly PayloadsOf[] = [
  createdPayloads,
  statusChangePayloads,
  lifecyclePayloads,
  deletedPayloads,
  cancelFailedPayloads,
]

const types = [...new Set(['OrderCreated', ...movingTypes, ...lifecycleTypes, 'OrderCancelRefused', 'OrderDeleted'])]

/** Makes webhook events from the events of orders. They show the order as it was after the event. */
export const orderWebhookEventSource: WebhookEventSource = {
  category: 'order',
  types,
  webhookEventsOf: async (facts, recorded) => {
    const event = recorded as RecordedEvent<OrderEvent>
    const order = types.includes(event.type) ? await orderAt(facts, event) : undefined
    if (order === undefined) return []
    return [
      ...payloadFunctions
        .flatMap((payloadsOf) => payloadsOf(event, order))
        .map((told) => webhookEventOf(event, order, told)),
      ...callbackEvents(event, order),
    ]
  },
  forgets: {
    types: ['OrderPersonalDataErased'],
    subjects: async (_, { stream }) => [`order/${orderOf(stream)}`],
  },
}

async function orderAt({ store }: WebhookEventFacts, event: RecordedEvent<OrderEvent>): Promise<OrderState> {
  const limit = event.revision
  const earlier = limit === 0 ? [] : await store.read(orderStream(orderOf(event.stream)), { limit })
  return fold(orders, [...(earlier as readonly RecordedEvent<OrderEvent>[]), event])
}

function callbackEvents(event: RecordedEvent<OrderEvent>, order: Order): readonly WebhookEvent[] {
  const { callback: owner, business_id: businessId } = order
  if (owner === undefined) return []
  const audience = { kind: 'callback', businessId, owner } as const
  return openPayloads(event, order).map((told) => ({ ...webhookEventOf(event, order, told), audience }))
}

function webhookEventOf(
  event: RecordedEvent<OrderEvent>,
  order: Order,
  { type: eventType, ...told }: Payload,
): WebhookEvent {
  return {
    ...told,
    type: eventType.name,
    audience: { kind: 'tenant', businessId: order.business_id, customerId: order.customer_id },
    occurredAt: event.data.at,
    subject: `order/${order.order_id}`,
  }
}
