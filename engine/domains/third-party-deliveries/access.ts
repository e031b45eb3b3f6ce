import type { Context } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { EventStore } from '../../kernel/event-store.ts'
import { ownedBy } from '../../kernel/party.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { dress } from '../../store/dress.ts'
import { execute } from '../../store/execute.ts'
import { assignmentModel } from './assignment-model.ts'
import { type ThirdPartyCommand, thirdPartyAssignments } from './decider.ts'
import type { ThirdPartyEvent } from './events.ts'
import { type Assignment, type AssignmentsState, assignmentIn } from './state.ts'

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
