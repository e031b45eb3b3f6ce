import type { RecordedEvent } from '../../kernel/event.ts'
import type { ReadModel } from '../../kernel/read-model.ts'
import type { OrderEvent } from './events.ts'
import { orderOf } from './streams.ts'

/** The tags of orders, which are said when an order is created and stay. */
export const tagModel: ReadModel = {
  name: 'order_tags',
  version: 1,
  category: 'order',
  columns: { order_id: 'integer', tag: 'text', business_id: 'integer' },
  key: ['order_id', 'tag'],
  indexes: [['business_id', 'tag']],
  rows: (event) => {
    const { type, data, stream } = event as RecordedEvent<OrderEvent>
    if (type !== 'OrderCreated') return []
    const { business_id, tags = [] } = data
    return tags.map((tag) => ({ order_id: orderOf(stream), tag, business_id }))
  },
}
