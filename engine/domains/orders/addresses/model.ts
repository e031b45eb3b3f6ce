import type { RecordedEvent } from '../../../kernel/event.ts'
import type { ReadModel, Row } from '../../../kernel/read-model.ts'
import type { OrderEvent } from '../events.ts'
import { orderOf } from '../streams.ts'
import { maxAddressTerms } from './terms.ts'

/** The blinded terms that the addresses of orders are found by, each in a slot; all are empty once the order was forgotten. */
export const addressTermModel = {
  name: 'order_address_terms',
  version: 1,
  category: 'order',
  columns: { order_id: 'integer', slot: 'integer', business_id: 'integer', customer_id: 'integer', term: 'text' },
  key: ['order_id', 'slot'],
  indexes: [['business_id', 'term']],
  rows: (event) => rowsOf(event as RecordedEvent<OrderEvent>),
} as const satisfies ReadModel

function rowsOf({ type, data, stream }: RecordedEvent<OrderEvent>): readonly Row[] {
  const order_id = orderOf(stream)
  if (type === 'OrderPersonalDataErased')
    return Array.from({ length: maxAddressTerms }, (_, slot) => ({ order_id, slot, term: null }))
  if (type !== 'OrderCreated') return []
  const { business_id, customer_id = null, personal } = data
  const terms = (personal?.address_terms ?? []).slice(0, maxAddressTerms)
  return terms.map((term, slot) => ({ order_id, slot, business_id, customer_id, term }))
}
