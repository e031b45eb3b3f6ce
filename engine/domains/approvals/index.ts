import type { Domain } from '../../entity/domain.ts'
import { approvalModel, approvedOrderModel } from './approval-model.ts'
import { erasePersonsProposals } from './erase.ts'
import { approvalEventShapes } from './events.ts'
import { approvalMessages } from './messages.ts'
import {
  approvePendingWrite,
  getProposal,
  listPendingApprovals,
  proposeWrite,
  rejectPendingWrite,
} from './operations.ts'

export { eraseProposalsOf } from './erase.ts'
export type { ApprovalCode } from './messages.ts'
export {
  approvePendingWrite,
  getProposal,
  listPendingApprovals,
  proposeWrite,
  rejectPendingWrite,
} from './operations.ts'
export type { ApprovalPorts } from './ports.ts'

/** Writes that wait for human approval. */
export const approvalsDomain: Domain = {
  name: 'approvals',
  messages: [approvalMessages],
  events: { approval: approvalEventShapes },
  erasePerson: erasePersonsProposals,
  operations: [proposeWrite, listPendingApprovals, getProposal, approvePendingWrite, rejectPendingWrite],
  readModels: [approvalModel, approvedOrderModel],
  erasures: ['ProposalErased'],
}
