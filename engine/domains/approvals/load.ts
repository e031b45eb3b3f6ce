import { loadOwn, type Named } from '../../entity/access.ts'
import type { Account } from '../../kernel/account.ts'
import { accountOf, callerOf } from '../../kernel/call.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { approvals, type Proposal } from './decider.ts'

/** The stream of a proposal. */
export function approvalStream(id: number): StreamName {
  return `approval-${id}`
}

/** A proposal and the revision of its stream. */
export interface LoadedProposal {
  readonly proposal: Proposal
  readonly revision: number
}

/** Staff see the proposals of their business, others their own. */
const kind: Named<Proposal> = {
  entity: {
    category: 'approval',
    refusals: { missing: 'proposal_not_found', param: 'proposal' },
    access: {
      belongs: (context, { proposed }) => {
        const account = accountOf(context)
        return proposed.business_id === account.business.id && (isStaff(account) || proposed.by === account.id)
      },
    },
  },
  decider: approvals,
}

/** A proposal that the caller may see; refuses with `proposal_not_found` if there is none. */
export async function loadProposal(context: Context, id: number): Promise<LoadedProposal> {
  const { state: proposal, revision } = await loadOwn(context, kind, id)
  return { proposal, revision }
}

/** Whether an account works for the business itself. */
export function isStaff({ role }: Account): boolean {
  return role === 'client_admin' || role === 'client_employee'
}

/**
 * The proposing account as a caller with all scopes of its role: approvals exist for what its agent could not do
 * alone. What it does is recorded with the API key of the proposal. Refuses with `proposer_gone` if the account is no longer active.
 */
export async function proposerOf(context: Context, { proposed }: Proposal): Promise<Caller> {
  const account = await context.directory.person(context, proposed.by)
  if (account?.isActive !== true) throw new EngineError('proposer_gone')
  const { key_id } = proposed
  return { ...callerOf(account), ...(key_id === undefined ? {} : { key: { id: key_id } }) }
}
