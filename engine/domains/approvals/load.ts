import { type Account, scopesOf } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { approvals, type Proposal } from './decider.ts'
import type { ApprovalEvent } from './events.ts'

/** The stream of a proposal. */
export function approvalStream(id: number): StreamName {
  return `approval-${id}`
}

/** A proposal and the revision of its stream. */
export interface Loaded {
  readonly proposal: Proposal
  readonly revision: number
}

/**
 * A proposal that the caller may see: for staff those of the business, for others their own. Refuses with
 * `proposal_not_found`.
 */
export async function loadProposal(context: Context, id: number): Promise<Loaded> {
  const events = await context.store.read(approvalStream(id))
  const proposal = fold(approvals, events as readonly ApprovalEvent[])
  if (proposal === undefined || !isVisible(proposal, accountOf(context)))
    throw new EngineError('proposal_not_found', { proposal: id })
  return { proposal, revision: events.length - 1 }
}

function isVisible({ proposed }: Proposal, account: Account): boolean {
  if (proposed.business_id !== account.business.id) return false
  return isStaff(account) || proposed.by === account.id
}

/** Whether an account works for the business itself. */
export function isStaff({ role }: Account): boolean {
  return role === 'client_admin' || role === 'client_employee'
}

/**
 * The proposing account as a caller with all scopes of its role: approvals exist for what its agent could not do
 * alone. Refuses with `proposer_gone` if the account is no longer active.
 */
export async function proposerOf(context: Context, { proposed }: Proposal): Promise<Caller> {
  const account = await context.directory.person(context, proposed.by)
  if (account?.isActive !== true) throw new EngineError('proposer_gone')
  return callerOf(account)
}

/** An account as an unrestricted caller. */
export function callerOf(account: Account): Caller {
  return { kind: 'account', name: String(account.id), scopes: scopesOf[account.role], account }
}
