import type { RecordedEvent } from '../../kernel/event.ts'
import { isObject } from '../../kernel/members.ts'
import type { ReadModel } from '../../kernel/read-model.ts'
import type { ApprovalEvent } from './events.ts'

/** Proposals by business, proposer and status. Expired proposals are still `pending` here. */
export const approvalModel: ReadModel = {
  name: 'approval',
  version: 1,
  category: 'approval',
  columns: { proposal_id: 'integer', business_id: 'integer', by: 'integer', status: 'text', expires_at: 'text' },
  key: ['proposal_id'],
  indexes: [['business_id', 'status', 'expires_at']],
  rows: (event) => {
    const { type, data } = event as RecordedEvent<ApprovalEvent>
    const { proposal_id } = data
    if (type === 'ProposalErased') return []
    if (type === 'WriteApproved') return [{ proposal_id, status: 'approved' }]
    if (type === 'WriteRejected') return [{ proposal_id, status: 'rejected' }]
    const { business_id, by, expires_at } = data
    return [{ proposal_id, business_id, by, status: 'pending', expires_at }]
  },
}

/** The orders that approved proposals concerned, taken from the answers of their tools. */
export const approvedOrderModel: ReadModel = {
  name: 'approved_orders',
  version: 1,
  category: 'approval',
  columns: { order_id: 'integer', proposal_id: 'integer' },
  key: ['order_id', 'proposal_id'],
  indexes: [],
  rows: (event) => {
    const { type, data } = event as RecordedEvent<ApprovalEvent>
    if (type !== 'WriteApproved') return []
    const { proposal_id, answer } = data
    return [...new Set(ordersIn(answer))].map((order_id) => ({ order_id, proposal_id }))
  },
}

/** The ids of orders in an answer, at any depth. */
function ordersIn(value: unknown): readonly number[] {
  if (Array.isArray(value)) return value.flatMap(ordersIn)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) =>
    typeof member === 'number' ? (orderMembers.includes(name) ? [member] : []) : ordersIn(member),
  )
}

const orderMembers = ['order_id', 'cancelled_order_id']
