import type { Role } from '../../kernel/account.ts'
import type { Context, Facts } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { EventStore } from '../../kernel/event-store.ts'
import { partyOf } from '../../kernel/party.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { isoOf } from '../../kernel/time.ts'
import { dress } from '../../store/dress.ts'
import { execute } from '../../store/execute.ts'
import { assignmentModel } from './assignment-model.ts'
import { type ThirdPartyCommand, thirdPartyAssignments } from './decider.ts'
import type { ThirdPartyEvent } from './events.ts'
import { type Assignment, type AssignmentsState, assignmentIn } from './state.ts'

/** Who works for the business itself. */
export const staff: readonly Role[] = ['client_admin', 'client_employee']

/** The cells of the assignments that the caller may see: those of its business, and a provider those that are its own. */
export function ownedBy(context: Context): { readonly business_id: number; readonly provider?: string } {
  const { businessId, provider } = partyOf(context)
  return { business_id: businessId, ...(provider === undefined ? {} : { provider }) }
}

/** Who commands, and when. */
export function given(context: Context): { readonly at: string; readonly by: number | null } {
  return { at: isoOf(context.clock()), by: partyOf(context).by }
}

/** The stream of the assignments of an order. */
export function assignmentStream(orderId: number): StreamName {
  return `third_party-${orderId}`
}

/** The assignments of an order. */
export async function loadAssignments(store: EventStore, orderId: number): Promise<AssignmentsState> {
  return fold(thirdPartyAssignments, (await store.read(assignmentStream(orderId))) as readonly ThirdPartyEvent[])
}

/** An assignment that the caller may see; else `third_party_assignment_not_found`. */
export async function visibleAssignment(context: Context, id: number): Promise<Assignment> {
  const where = { id, ...ownedBy(context) }
  const [row] = await context.models.rows(assignmentModel, where, 1)
  const found = row && assignmentIn(await loadAssignments(context.store, Number(row.order_id)), id)
  if (found === undefined) throw new EngineError('third_party_assignment_not_found', { assignment: id })
  return found
}

/** Carries out a command on an assignment that the caller may see; answers how it stands then. */
export async function carryOut(
  context: Context,
  command: Exclude<ThirdPartyCommand, { type: 'AssignThirdParty' }>,
): Promise<Assignment> {
  const before = await visibleAssignment(context, command.assignment_id)
  const stream = assignmentStream(before.orderId)
  await execute(context.store, thirdPartyAssignments, stream, command, dress(context))
  return assignmentIn(await loadAssignments(context.store, before.orderId), before.id) ?? before
}

/** Refuses with `provider_not_found` a provider that the business cannot work with. */
export async function demandProvider(
  context: Facts & Pick<Context, 'providers'>,
  name: string,
  businessId: number,
): Promise<void> {
  if (!(await context.providers.serves(context, name, businessId)))
    throw new EngineError('provider_not_found', { name })
}
