import type { RecordedEvent } from '../../../kernel/event.ts'
import type { ReadModel } from '../../../kernel/read-model.ts'
import { partnerOfStream } from './decider.ts'
import type { SubscriptionEvent } from './events.ts'

/** The subscriptions of the partners of each business; their URLs are only in the streams. */
export const subscriptionModel = {
  name: 'handoff_subscriptions',
  version: 1,
  category: 'webhook_subscription',
  columns: { business_id: 'integer', provider: 'text', subscription_id: 'integer', stands: 'integer' },
  key: ['business_id', 'provider', 'subscription_id'],
  indexes: [],
  rows: (event) => {
    const { stream, type, data } = event as RecordedEvent<SubscriptionEvent>
    const { businessId: business_id, provider } = partnerOfStream(stream)
    const stands = type === 'HandoffSubscribed' ? 1 : 0
    return [{ business_id, provider, subscription_id: data.subscription_id, stands }]
  },
} as const satisfies ReadModel
