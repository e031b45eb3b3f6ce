import type { RecordedEvent } from '../../kernel/event.ts'
import type { ReadModel } from '../../kernel/read-model.ts'
import type { OrderEvent } from './events.ts'
import { maxTags } from './order.ts'
import { orderOf } from './streams.ts'

/** The tags of orders by their places in the order. Places that a correction leaves empty have no tag. */
export const tagModel: ReadModel = {
  name: 'order_tags',
  version: 2,
  category: 'order',
  columns: { order_id: 'integer', place: 'integer', tag: 'text', business_id: 'integer' },
  key: ['order_id', 'place'],
  indexes: [['business_id', 'tag']],
  rows: (event) => {
    const { type, data, stream } = event as RecordedEvent<OrderEvent>
    if ((type !== 'OrderCreated' && type !== 'OrderCorrected') || data.tags === undefined) return []
    const { business_id, tags } = data
    const places = type === 'OrderCreated' ? tags.length : maxTags
    return Array.from({ length: places }, (_, place) => ({
      ...{ order_id: orderOf(stream), place, tag: tags[place] ?? null, business_id },
    }))
  },
}
