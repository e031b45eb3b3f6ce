import type { RecordedEvent } from '../../kernel/event.ts'
import type { ReadModel } from '../../kernel/read-model.ts'
import type { ApprovalEvent } from './events.ts'

/** Proposals by business, proposer and status; one whose time has run out still stands as pending here. */
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
    if (type === 'WriteApproved') return [{ proposal_id, status: 'approved' }]
    if (type === 'WriteRejected') return [{ proposal_id, status: 'rejected' }]
    const { business_id, by, expires_at } = data
    return [{ proposal_id, business_id, by, status: 'pending', expires_at }]
  },
}
