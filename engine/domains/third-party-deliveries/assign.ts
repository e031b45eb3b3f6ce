import * as v from 'valibot'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import { operation } from '../../kernel/operation.ts'
import { demandProvider, given, staff } from '../../kernel/party.ts'
import { id, word } from '../../kernel/schemas.ts'
import { dress } from '../../store/dress.ts'
import { untilUncontended } from '../../store/execute.ts'
import { nextNumbers } from '../../store/sequence.ts'
import { assignmentStream, visibleAssignment } from './access.ts'
import { type ThirdPartyCommand, thirdPartyAssignments } from './decider.ts'
import type { ThirdPartyEvent } from './events.ts'
import { assignmentId, packages, provider, source } from './input.ts'
import { family } from './operations.ts'

const assigning = { scopes: ['orders:write'], roles: staff, risk: 'medium', ...family } as const

const output = v.strictObject({
  result: v.literal(true),
  assignment_id: v.pipe(v.number(), v.description('Number of the new assignment.')),
  status: v.literal('assigned'),
})

/** Gives an order to a provider. */
export const assignThirdParty = operation({
  name: 'assign_third_party',
  summary: 'Assign an order to a provider that is to deliver it. The order itself stays as it is.',
  ...assigning,
  input: v.strictObject({
    order_id: v.pipe(id, v.description('The order, which the caller has to see.')),
    order_reference: v.exactOptional(v.pipe(word(100), v.description('What the business calls the order.'))),
    provider,
    source: v.exactOptional(source),
    packages,
  }),
  output,
  errors: ['order_not_found', 'provider_not_found', 'third_party_order_taken', 'contention'],
  rest: { method: 'POST', path: '/api/v1/third-party-deliveries' },
  handle: async (context, { source = 'manual', ...input }) => {
    const business_id = accountOf(context).business.id
    if (!(await context.ports.thirdPartyDeliveries.orderExists(context, input.order_id)))
      throw new EngineError('order_not_found', { order: input.order_id })
    await demandProvider(context, input.provider, business_id)
    const told = { ...given(context), business_id, ...input, source }
    const assignment_id = await record(context, input.order_id, (assignment_id) => ({
      type: 'AssignThirdParty',
      data: { assignment_id, ...told },
    }))
    return { result: true, assignment_id, status: 'assigned' }
  },
})

/** Gives an order to another provider. */
export const reassignThirdParty = operation({
  name: 'reassign_third_party',
  summary: 'Withdraw an assignment and give the order to another provider, in one.',
  ...assigning,
  input: v.strictObject({
    ...assignmentId,
    provider,
    source: v.exactOptional(source),
    packages: v.exactOptional(
      v.pipe(packages, v.description('The packages, where they are others than before: their tracking numbers.')),
    ),
  }),
  output,
  errors: [
    ...(['third_party_assignment_not_found', 'third_party_status_forbids'] as const),
    ...(['third_party_same_provider', 'provider_not_found', 'contention'] as const),
  ],
  rest: { method: 'POST', path: '/api/v1/third-party-deliveries/{assignment_id}/reassign' },
  handle: async (context, { source = 'manual', ...input }) => {
    const { orderId, businessId } = await visibleAssignment(context, input.assignment_id)
    await demandProvider(context, input.provider, businessId)
    const told = { type: 'ReassignThirdParty', ...given(context), ...input, source } as const
    const assignment_id = await record(context, orderId, (new_assignment_id) => ({ ...told, new_assignment_id }))
    return { result: true, assignment_id, status: 'assigned' }
  },
})

/** Records what a command with a new number leads to, together with the number that it takes; answers the number. */
async function record(
  context: Context,
  orderId: number,
  commandOf: (assignmentId: number) => ThirdPartyCommand,
): Promise<number> {
  return untilUncontended(async () => {
    const { first, append } = await nextNumbers(context, 'third_party_assignment')
    const stream = assignmentStream(orderId)
    const history = (await context.store.read(stream)) as readonly RecordedEvent<ThirdPartyEvent>[]
    const state = fold(thirdPartyAssignments, history)
    const events = thirdPartyAssignments.decide(commandOf(first), state).map(dress(context))
    const expected = history.at(-1)?.revision ?? 'no-stream'
    await context.store.appendMany([append, { stream, events, expected }])
    return first
  })
}
