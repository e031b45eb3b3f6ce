import type { RecordedEvent } from '../../kernel/event.ts'
import type { ReadModel, Row } from '../../kernel/read-model.ts'
import type { ThirdPartyEvent } from './events.ts'

/** Assignments as they are listed, and the order whose stream holds each. */
export const assignmentModel = {
  name: 'third_party_assignments',
  version: 1,
  category: 'third_party',
  columns: {
    id: 'integer',
    business_id: 'integer',
    order_id: 'integer',
    provider: 'text',
    status: 'text',
  },
  key: ['id'],
  indexes: [['business_id', 'status'], ['business_id', 'provider'], ['order_id']],
  rows: (event) => {
    const fact = event as RecordedEvent<ThirdPartyEvent>
    const cells = cellsOf(fact)
    return cells === undefined ? [] : [{ id: fact.data.assignment_id, ...cells }]
  },
} as const satisfies ReadModel

function cellsOf(fact: ThirdPartyEvent): Row | undefined {
  switch (fact.type) {
    case 'ThirdPartyAssigned': {
      const { business_id, order_id, provider } = fact.data
      return { business_id, order_id, provider, status: 'assigned' }
    }
    case 'ThirdPartyHandedOver':
      return { status: 'handed_over' }
    case 'ThirdPartyPackagesReported':
      return { status: fact.data.to }
    case 'ThirdPartyCancelled':
      return { status: 'cancelled' }
    default:
      return undefined
  }
}
