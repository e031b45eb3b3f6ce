import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import { commandStamp, staff } from '../../kernel/party.ts'
import { id } from '../../kernel/schemas.ts'
import { carryOut, family } from './access.ts'
import type { HandoffCommand } from './decider.ts'
import { amendmentId, handoffId, noteEntry } from './input.ts'
import { handoffStatusNames, rejectionReasons } from './status.ts'

/** What every change by staff has in common. */
export const byStaff = { scopes: ['orders:write'], roles: staff, risk: 'medium', ...family } as const

/** How the handoff stands after a change. */
export const changed = v.strictObject({
  result: v.literal(true),
  handoff_id: v.number(),
  status: v.picklist(handoffStatusNames),
})

/** What every change may refuse with. */
export const refusals = ['handoff_not_found', 'handoff_status_forbids', 'handoff_has_expired'] as const

/** Carries out a command, and answers how the handoff stands then. */
export async function change(context: Context, handoff_id: number, command: HandoffCommand) {
  const {
    handoff: { status },
  } = await carryOut(context, handoff_id, command)
  return { result: true, handoff_id, status }
}

/** Takes an order. */
export const acceptHandoff = operation({
  name: 'accept_handoff',
  summary: 'Take an order that a partner hands over. It makes no order here: that is created beside it, and named.',
  ...byStaff,
  input: v.strictObject({
    ...handoffId,
    order_id: v.exactOptional(v.pipe(id, v.description('The order that was made of it, which the caller has to see.'))),
  }),
  output: changed,
  errors: [...refusals, 'order_not_found'],
  rest: { method: 'POST', path: '/api/v1/handoffs/{handoff_id}/accept' },
  handle: async (context, { handoff_id, ...order }) => {
    const { order_id } = order
    if (order_id !== undefined && !(await context.ports.handoffs.orderExists(context, order_id)))
      throw new EngineError('order_not_found', { order: order_id })
    return change(context, handoff_id, { type: 'AcceptHandoff', ...commandStamp(context), ...order })
  },
})

/** Does not take an order. */
export const rejectHandoff = operation({
  name: 'reject_handoff',
  summary: 'Do not take an order that a partner hands over.',
  ...byStaff,
  input: v.strictObject({ ...handoffId, reason: v.picklist(rejectionReasons), ...noteEntry }),
  output: changed,
  errors: refusals,
  rest: { method: 'POST', path: '/api/v1/handoffs/{handoff_id}/reject' },
  handle: async (context, { handoff_id, ...why }) =>
    change(context, handoff_id, { type: 'RejectHandoff', ...commandStamp(context), ...why }),
})

const amendmentRefusals = [...refusals, 'amendment_not_found', 'amendment_settled'] as const

/** Takes a change of an accepted order. */
export const acceptAmendment = operation({
  name: 'accept_handoff_amendment',
  summary: 'Take a change of an accepted order; what it names takes the place of what was there.',
  ...byStaff,
  input: v.strictObject(amendmentId),
  output: changed,
  errors: amendmentRefusals,
  rest: { method: 'POST', path: '/api/v1/handoffs/{handoff_id}/amendments/{amendment_id}/accept' },
  handle: async (context, { handoff_id, amendment_id }) =>
    change(context, handoff_id, { type: 'AcceptAmendment', ...commandStamp(context), amendment_id }),
})

/** Does not take a change of an accepted order. */
export const rejectAmendment = operation({
  name: 'reject_handoff_amendment',
  summary: 'Do not take a change of an accepted order, which stays as it was.',
  ...byStaff,
  input: v.strictObject({ ...amendmentId, reason: v.picklist(rejectionReasons), ...noteEntry }),
  output: changed,
  errors: amendmentRefusals,
  rest: { method: 'POST', path: '/api/v1/handoffs/{handoff_id}/amendments/{amendment_id}/reject' },
  handle: async (context, { handoff_id, ...why }) =>
    change(context, handoff_id, { type: 'RejectAmendment', ...commandStamp(context), ...why }),
})
