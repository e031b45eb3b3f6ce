import type { RecordedEvent } from '../../kernel/event.ts'
import type { ReadModel, Row } from '../../kernel/read-model.ts'
import type { OrderCreated, OrderEvent } from './events.ts'
import { orderOf } from './streams.ts'

/** So many terms an order is found by at most. */
export const maxTerms = 16

/** The blinded words and digits that an order is found by. */
export const termModel = slotsOf('order_terms', maxTerms, ({ terms }) => terms)

/** The blinded search terms of an order's personal data, one in each column; all are empty after an erasure. */
export function slotsOf(name: string, slots: number, termsIn: (personal: Personal) => Terms): ReadModel {
  function rows({ type, data, stream }: RecordedEvent<OrderEvent>): readonly Row[] {
    const order_id = orderOf(stream)
    if (type === 'OrderPersonalDataErased')
      return Array.from({ length: slots }, (_, slot) => ({ order_id, slot, term: null }))
    if (type !== 'OrderCreated' && type !== 'OrderCorrected') return []
    const { business_id, customer_id = null, personal } = data
    const terms = personal === undefined ? undefined : termsIn(personal)
    if (terms === undefined) return []
    // A correction has all terms; those in the slots behind them are gone.
    const taken = type === 'OrderCreated' ? Math.min(terms.length, slots) : slots
    return Array.from({ length: taken }, (_, slot) => {
      return { order_id, slot, business_id, customer_id, term: terms[slot] ?? null }
    })
  }
  return {
    ...{ name, version: 4, category: 'order', key: ['order_id', 'slot'], indexes: [['business_id', 'term']] },
    columns: { order_id: 'integer', slot: 'integer', business_id: 'integer', customer_id: 'integer', term: 'text' },
    rows: (event) => rows(event as RecordedEvent<OrderEvent>),
  }
}

type Personal = NonNullable<(OrderCreated | Corrected)['data']['personal']>

type Corrected = Extract<OrderEvent, { readonly type: 'OrderCorrected' }>

type Terms = readonly string[] | undefined
