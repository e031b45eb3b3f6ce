import type { RecordedEvent } from '../../kernel/event.ts'
import type { ReadModel, Row } from '../../kernel/read-model.ts'
import type { AssignmentFact } from './facts.ts'

/** Statuses of an assignment of an order to a contractor. */
export const assignmentStatuses = ['active', 'revoked', 'released'] as const

/** The assignments of orders to contractors, one row each. Instants are ISO 8601 in UTC. */
export const assignmentModel = {
  name: 'order_assignment',
  version: 1,
  category: 'order',
  columns: {
    assignment_id: 'integer',
    business_id: 'integer',
    order_id: 'integer',
    broker_id: 'integer',
    status: 'text',
    assigned_by: 'integer',
    assigned_at: 'text',
    ended_by: 'integer',
    ended_at: 'text',
  },
  key: ['assignment_id'],
  indexes: [['business_id', 'status'], ['broker_id', 'status'], ['order_id']],
  rows: (event) => rowsOf(event as RecordedEvent<AssignmentFact>),
} as const satisfies ReadModel

function rowsOf({ stream, ...event }: RecordedEvent<AssignmentFact>): readonly Row[] {
  const ended = { ended_by: event.data.by ?? null, ended_at: event.data.at }
  switch (event.type) {
    case 'ContractorAssigned': {
      const { assignment_id, business_id, broker_id, moved_from, by, at } = event.data
      const begun = { status: 'active', assigned_by: by, assigned_at: at }
      const row = { assignment_id, business_id, order_id: Number(stream.slice('order-'.length)), broker_id, ...begun }
      return moved_from === undefined
        ? [row]
        : [{ assignment_id: moved_from.assignment_id, status: 'revoked', ...ended }, row]
    }
    case 'ContractorRevoked':
      return [{ assignment_id: event.data.assignment_id, status: 'revoked', ...ended }]
    case 'ContractorReleased':
      return [{ assignment_id: event.data.assignment_id, status: 'released', ...ended }]
    default:
      return []
  }
}
