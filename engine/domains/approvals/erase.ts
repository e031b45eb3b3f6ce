import type { Context } from '../../kernel/context.ts'
import { isoOf } from '../../kernel/time.ts'
import { execute } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { approvedOrderModel } from './approval-model.ts'
import { approvals } from './decider.ts'
import { approvalStream } from './load.ts'

/** Erases the personal data about an order from approved proposals: the arguments of their tools. */
export async function eraseProposalsOf(context: Context, orderId: number): Promise<void> {
  const rows = await context.models.rows(approvedOrderModel, { order_id: orderId })
  const command = { type: 'EraseProposal', at: isoOf(context.clock()) } as const
  for (const { proposal_id } of rows)
    await execute(context.store, approvals, approvalStream(Number(proposal_id)), command, toNewEvent(context))
}
