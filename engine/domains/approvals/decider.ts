import type { Decider, Reducer } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { ApprovalEvent, WriteApproved, WriteProposed, WriteRejected } from './events.ts'

/** Status of a proposal. `expired` is not recorded; it follows from the time. */
type ProposalStatus = 'pending' | 'approved' | 'rejected' | 'expired'

/** The state of a proposal. */
export interface Proposal {
  readonly proposed: WriteProposed['data']
  readonly decided?: WriteApproved['data'] | WriteRejected['data']
  readonly status: Exclude<ProposalStatus, 'expired'>
  /** Its personal data was erased. */
  readonly isErased: boolean
}

/**
 * The commands of a proposal. A decision on one that is already decided or expired is refused with
 * `proposal_decided`.
 */
type ApprovalCommand =
  | { readonly type: 'ProposeWrite'; readonly data: WriteProposed['data'] }
  | { readonly type: 'ApproveWrite'; readonly data: Omit<WriteApproved['data'], 'proposal_id'> }
  | { readonly type: 'RejectWrite'; readonly data: Omit<WriteRejected['data'], 'proposal_id'> }
  | { readonly type: 'EraseProposal'; readonly at: string }

const evolve: Reducer<Proposal | undefined, ApprovalEvent> = (state, { type, data }) => {
  if (type === 'WriteProposed') return { proposed: data, status: 'pending', isErased: false }
  if (state === undefined) return state
  if (type === 'ProposalErased') return { ...state, isErased: true }
  return { ...state, decided: data, status: type === 'WriteApproved' ? 'approved' : 'rejected' }
}

function decide(command: ApprovalCommand, state: Proposal | undefined): readonly ApprovalEvent[] {
  if (command.type === 'ProposeWrite') return [{ type: 'WriteProposed', data: command.data }]
  if (command.type === 'EraseProposal') return erased(command.at, state)
  const { proposal_id } = pendingAt(state, command.data.at).proposed
  return command.type === 'ApproveWrite'
    ? [{ type: 'WriteApproved', data: { proposal_id, ...command.data } }]
    : [{ type: 'WriteRejected', data: { proposal_id, ...command.data } }]
}

function erased(at: string, state: Proposal | undefined): readonly ApprovalEvent[] {
  if (state === undefined || state.isErased) return []
  return [{ type: 'ProposalErased', data: { proposal_id: state.proposed.proposal_id, at } }]
}

/** The proposal, if it is pending at this instant. */
export function pendingAt(state: Proposal | undefined, at: string): Proposal {
  if (state === undefined) throw new EngineError('proposal_not_found', { proposal: '' })
  const status = statusAt(state, at)
  const proposal = state.proposed.proposal_id
  if (status !== 'pending') throw new EngineError('proposal_decided', { proposal, status })
  return state
}

/** The status of a proposal at an instant. */
export function statusAt({ status, proposed }: Proposal, at: string): ProposalStatus {
  return status === 'pending' && at >= proposed.expires_at ? 'expired' : status
}

/** The decider of proposals. */
export const approvals: Decider<Proposal | undefined, ApprovalCommand, ApprovalEvent> = {
  initial: () => undefined,
  evolve,
  decide,
}
