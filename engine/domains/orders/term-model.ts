import type { RecordedEvent } from '../../kernel/event.ts'
import type { ReadModel, Row } from '../../kernel/read-model.ts'
import type { OrderEvent } from './events.ts'
import { orderOf } from './streams.ts'

/** So many terms an order is found by at most. */
export const maxTerms = 16

/** The blinded words and digits that an order is found by, each in a slot of its own; all are empty once it was forgotten. */
export const termModel = {
  name: 'order_terms',
  version: 1,
  category: 'order',
  columns: { order_id: 'integer', slot: 'integer', business_id: 'integer', term: 'text' },
  key: ['order_id', 'slot'],
  indexes: [['business_id', 'term']],
  rows: (event) => rowsOf(event as RecordedEvent<OrderEvent>),
} as const satisfies ReadModel

function rowsOf({ type, data, stream }: RecordedEvent<OrderEvent>): readonly Row[] {
  const order_id = orderOf(stream)
  if (type === 'OrderPersonalDataErased')
    return Array.from({ length: maxTerms }, (_, slot) => ({ order_id, slot, term: null }))
  if (type !== 'OrderCreated') return []
  const { business_id, personal } = data
  const terms = (personal?.terms ?? []).slice(0, maxTerms)
  return terms.map((term, slot) => ({ order_id, slot, business_id, term }))
}
