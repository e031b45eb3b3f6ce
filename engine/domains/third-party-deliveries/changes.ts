import * as v from 'valibot'
import { operation } from '../../kernel/operation.ts'
import { given, staff } from '../../kernel/party.ts'
import { carryOut } from './access.ts'
import { assignmentId } from './input.ts'
import { family } from './operations.ts'
import { assignmentStatusNames, withdrawalReasons } from './status.ts'

/** What every change of an assignment by staff has in common. */
export const change = { scopes: ['orders:write'], roles: staff, risk: 'medium', ...family } as const

/** What every change may refuse with. */
export const refusals = ['third_party_assignment_not_found', 'third_party_status_forbids'] as const

/** How the assignment stands after a change. */
export const changed = v.strictObject({
  result: v.literal(true),
  assignment_id: v.number(),
  status: v.picklist(assignmentStatusNames),
})

/** Gives the packages to the provider. */
export const handOverThirdParty = operation({
  name: 'hand_over_third_party',
  summary: 'Record that the warehouse gave all packages of an assignment to the provider.',
  ...change,
  input: v.strictObject(assignmentId),
  output: changed,
  errors: refusals,
  rest: { method: 'POST', path: '/api/v1/third-party-deliveries/{assignment_id}/hand-over' },
  handle: async (context, { assignment_id }) => {
    const { status } = await carryOut(context, { type: 'HandOver', assignment_id, ...given(context) })
    return { result: true, assignment_id, status }
  },
})

/** Withdraws an assignment. */
export const cancelThirdParty = operation({
  name: 'cancel_third_party',
  summary: 'Withdraw an assignment: it was cancelled at the carrier, or the business delivers the order itself.',
  ...change,
  input: v.strictObject({ ...assignmentId, reason: v.picklist(withdrawalReasons) }),
  output: changed,
  errors: refusals,
  rest: { method: 'POST', path: '/api/v1/third-party-deliveries/{assignment_id}/cancel' },
  handle: async (context, { assignment_id, reason }) => {
    const { status } = await carryOut(context, { type: 'CancelThirdParty', assignment_id, ...given(context), reason })
    return { result: true, assignment_id, status }
  },
})
