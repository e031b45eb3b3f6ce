import { accountOf, callerOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { isoOf } from '../../kernel/time.ts'
import { zonedIso } from '../../kernel/zone.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { nextNumbers } from '../../store/sequence.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { approvals } from './decider.ts'
import { approvalStream } from './load.ts'

/** The proposed write. */
interface ProposalInput {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly reason?: string
  readonly expires_in_hours?: number
}

const hour = 3_600_000

/** Only people decide, so decisions cannot be proposed. */
const decisions = ['propose_write', 'approve_pending_write', 'reject_pending_write']

/** Queues a write if its tool accepts the input from the account, even if the connection has fewer scopes. */
export async function propose(context: Context, proposed: ProposalInput) {
  const account = accountOf(context)
  const { tool, arguments: input, reason, expires_in_hours = 24 } = proposed
  const facts = context.ports.approvals.find(tool)
  if (facts === undefined) throw new EngineError('unknown_tool', { received: tool })
  if (!facts.writes || decisions.includes(tool)) throw new EngineError('not_proposable', { tool })
  context.ports.approvals.authorizeAndValidate({ ...context, caller: callerOf(account) }, tool, input)
  const now = context.clock()
  const expires = now + expires_in_hours * hour
  const { signIn, key } = context.caller
  const proposal = {
    ...{ business_id: account.business.id, tool, by: account.id, at: isoOf(now), expires_at: isoOf(expires) },
    ...(signIn === undefined ? {} : { sign_in: signIn }),
    ...(key === undefined ? {} : { key_id: key.id }),
    personal: { arguments: input, ...(reason === undefined ? {} : { reason }) },
  }
  return retryOnConflict(async () => {
    const { first, append } = await nextNumbers(context, 'approval')
    const events = approvals.decide({ type: 'ProposeWrite', data: { proposal_id: first, ...proposal } }, undefined)
    const stream = approvalStream(first)
    await context.store.appendMany([append, { stream, events: events.map(toNewEvent(context)), expected: 'no-stream' }])
    return {
      ...{ result: true, proposal_id: first, tool, status: 'pending' },
      expires_at: zonedIso(expires, account.business.timeZone),
      review_url: `${context.baseUrl}/mcp-approvals/${first}`,
    }
  })
}
