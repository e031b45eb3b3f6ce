import * as v from 'valibot'
import { accountOf, requireInside, requireScopes } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError, isRefusal } from '../../kernel/errors.ts'
import { messageOf } from '../../kernel/messages/index.ts'
import { type Answer, operation } from '../../kernel/operation.ts'
import { pageAnswerEntries, pageEntries, pageOf } from '../../kernel/paging.ts'
import { isoOf } from '../../kernel/time.ts'
import { changeSchema, changesIn } from '../../store/changes.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { type Preview, silent } from '../../store/perform.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { approvalModel } from './approval-model.ts'
import { approvals, pendingAt } from './decider.ts'
import { approvalStream, isStaff, type LoadedProposal, loadProposal, proposerOf } from './load.ts'
import { propose } from './propose.ts'
import { proposalRecord, recordOf } from './record.ts'

const tag = 'Approvals'
const id = v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.description('Id of the proposal.'))
const proposalIds = {
  proposal_id: { noun: 'proposal', require: (context: Context, one: unknown) => loadProposal(context, Number(one)) },
}
const reason = v.exactOptional(v.pipe(v.string(), v.maxLength(500), v.description('Reason, for people.')))

/** Queues a write for approval. */
export const proposeWrite = operation({
  name: 'propose_write',
  summary: 'Queue a writing tool for human approval. Nothing is done until someone approves it.',
  scopes: ['approvals:read'],
  risk: 'low',
  writes: true,
  tag,
  input: v.strictObject({
    tool: v.pipe(v.string(), v.maxLength(64), v.description('Name of the proposed tool.')),
    arguments: v.pipe(v.record(v.string(), v.unknown()), v.description('Arguments of the tool.')),
    reason,
    expires_in_hours: v.exactOptional(
      v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(168), v.description('Default: 24.')),
    ),
  }),
  output: v.strictObject({
    result: v.literal(true),
    proposal_id: v.number(),
    tool: v.string(),
    status: v.literal('pending'),
    expires_at: v.string(),
    review_url: v.string(),
  }),
  errors: ['unknown_tool', 'not_proposable', 'invalid_input', 'wrong_account'],
  rest: { method: 'POST', path: '/api/v1/approvals', bodyLimit: 1024 * 1024 },
  mcp: { title: 'Propose a write', destructive: false },
  handle: propose,
})

/** Lists pending proposals. */
export const listPendingApprovals = operation({
  name: 'list_pending_approvals',
  summary: 'Pending proposals of the business, newest first. Callers who are not staff only see their own.',
  scopes: ['approvals:read'],
  risk: 'low',
  tag,
  input: v.strictObject({
    mine_only: v.exactOptional(v.pipe(v.boolean(), v.description('Only proposals of this account.'))),
    ...pageEntries,
  }),
  output: v.strictObject({
    result: v.literal(true),
    ...pageAnswerEntries,
    proposals: v.array(proposalRecord),
  }),
  errors: [],
  rest: { method: 'GET', path: '/api/v1/approvals' },
  mcp: { title: 'List pending approvals' },
  handle: async (context, { mine_only = false, ...page }) => {
    const account = accountOf(context)
    const { range, paging } = pageOf(page)
    const at = isoOf(context.clock())
    const mine = mine_only || !isStaff(account) ? { by: account.id } : {}
    const where = { business_id: account.business.id, status: 'pending', ...mine }
    // A proposal that expires right now is expired; the next possible instant is a millisecond later.
    const between = { expires_at: [isoOf(context.clock() + 1), undefined] } as const
    const { rows, total } = await context.models.page(approvalModel, { where, between, newestFirst: true, ...range })
    const loaded = await Promise.all(rows.map((row) => loadProposal(context, Number(row.proposal_id))))
    const proposals = loaded.map(({ proposal }) => recordOf(proposal, at, account.business.timeZone))
    return { result: true, total, ...paging, proposals }
  },
})

/** Returns a proposal, and what it would change if it were approved now. */
export const getProposal = operation({
  name: 'get_proposal',
  summary: 'One proposal. If it is pending, also what it would change if it were approved now, or why it could not be.',
  scopes: ['approvals:read'],
  risk: 'low',
  tag,
  ids: proposalIds,
  input: v.strictObject({ proposal_id: id }),
  output: v.strictObject({
    result: v.literal(true),
    proposal: proposalRecord,
    changes: v.exactOptional(v.array(changeSchema)),
    refusal: v.exactOptional(v.strictObject({ code: v.string(), message: v.string() })),
  }),
  errors: ['proposal_not_found'],
  rest: { method: 'GET', path: '/api/v1/approvals/{proposal_id}' },
  handle: async (context, { proposal_id }) => {
    const loaded = await loadProposal(context, proposal_id)
    const proposal = recordOf(loaded.proposal, isoOf(context.clock()), accountOf(context).business.timeZone)
    const more = proposal.status === 'pending' ? await previewOutcome(context, loaded) : {}
    return { result: true, proposal, ...more }
  },
})

/** What an approval would change now, or why it would be refused. */
async function previewOutcome(context: Context, { proposal }: LoadedProposal) {
  try {
    return {
      changes: changesIn((await retryOnConflict(() => previewTool(context, { proposal }))).appends, context.caller),
    }
  } catch (error) {
    if (!isRefusal(error)) throw error
    return { refusal: { code: error.code, message: messageOf(error.code, error.params, context.messages) } }
  }
}

/** Previews the proposed tool as the account that proposed it; `approvedBy` is the account that approves it, if one does. */
async function previewTool(
  context: Context,
  { proposal }: Pick<LoadedProposal, 'proposal'>,
  approvedBy?: number,
): Promise<Preview> {
  const { tool, personal, proposal_id } = proposal.proposed
  const approval = approvedBy === undefined ? {} : { approval: { proposal: proposal_id, by: approvedBy } }
  const caller = { ...(await proposerOf(context, proposal)), ...approval }
  const asking = approvedBy === undefined ? silent(context) : context
  return context.ports.approvals.preview({ ...asking, caller }, tool, personal?.arguments)
}

/** Approves a proposal and executes it. */
export const approvePendingWrite = operation({
  name: 'approve_pending_write',
  summary: 'Approve a proposal and execute it once. Also requires the scopes of the proposed tool.',
  scopes: ['approvals:write'],
  risk: 'high',
  tag,
  roles: ['client_admin', 'client_employee'],
  ids: proposalIds,
  input: v.strictObject({ proposal_id: id }),
  output: v.strictObject({
    result: v.literal(true),
    proposal_id: v.number(),
    status: v.literal('approved'),
    tool: v.string(),
    answer: v.pipe(v.record(v.string(), v.unknown()), v.description('Answer of the tool.')),
  }),
  errors: ['proposal_not_found', 'proposal_decided', 'own_proposal', 'proposer_gone', 'contention'],
  rest: { method: 'POST', path: '/api/v1/approvals/{proposal_id}/approve' },
  mcp: { title: 'Approve a pending write' },
  handle: (context, { proposal_id }) =>
    retryOnConflict(async () => {
      const loaded = await loadProposal(context, proposal_id)
      const at = isoOf(context.clock())
      const { tool, sign_in } = pendingAt(loaded.proposal, at).proposed
      requireReviewer(context, tool)
      const { id: by } = accountOf(context)
      if (by === loaded.proposal.proposed.by && sign_in === context.caller.signIn) throw new EngineError('own_proposal')
      const { answer, appends } = await previewTool(context, loaded, by)
      const facts = approvals.decide({ type: 'ApproveWrite', data: { by, at, answer } }, loaded.proposal)
      const decision = { stream: approvalStream(proposal_id), expected: loaded.revision } as const
      // One transaction: of two concurrent approvals, one is too late, and neither a crash nor a repetition executes
      // it twice.
      await context.store.appendMany([...appends, { ...decision, events: facts.map(toNewEvent(context)) }])
      return { result: true, proposal_id, status: 'approved', tool, answer }
    }),
  settle: async (context, { answer, ...decided }) => {
    const { proposal } = await loadProposal(context, Number(decided.proposal_id))
    const caller = await proposerOf(context, proposal)
    const tool = String(decided.tool)
    return { ...decided, answer: await context.ports.approvals.settle({ ...context, caller }, tool, answer as Answer) }
  },
})

/** The reviewer needs the scopes of the proposed tool, and a staff role that leaves it. */
function requireReviewer(context: Context, tool: string): void {
  const door = context.ports.approvals.find(tool)
  if (door === undefined) return
  requireScopes(context, door.scopes)
  requireInside(context, door)
}

/** Rejects a proposal. */
export const rejectPendingWrite = operation({
  name: 'reject_pending_write',
  summary: 'Reject a proposal; nothing is done.',
  scopes: ['approvals:write'],
  risk: 'medium',
  tag,
  ids: proposalIds,
  input: v.strictObject({ proposal_id: id, reason }),
  output: v.strictObject({ result: v.literal(true), proposal_id: v.number(), status: v.literal('rejected') }),
  errors: ['proposal_not_found', 'proposal_decided'],
  rest: { method: 'POST', path: '/api/v1/approvals/{proposal_id}/reject' },
  mcp: { title: 'Reject a pending write', destructive: true },
  handle: (context, { proposal_id, reason }) =>
    retryOnConflict(async () => {
      const { proposal, revision } = await loadProposal(context, proposal_id)
      const personal = reason === undefined ? {} : { personal: { reason } }
      const data = { by: accountOf(context).id, at: isoOf(context.clock()), ...personal }
      const facts = approvals.decide({ type: 'RejectWrite', data }, proposal)
      await context.store.append(approvalStream(proposal_id), facts.map(toNewEvent(context)), revision)
      return { result: true, proposal_id, status: 'rejected' }
    }),
})
