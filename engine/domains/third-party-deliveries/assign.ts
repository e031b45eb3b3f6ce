import * as v from 'valibot'
import { businessCallerOf, loadOwn, ownId, requireProvider } from '../../entity/access.ts'
import type { Values } from '../../entity/field.ts'
import { inputEntries } from '../../entity/input.ts'
import { readModelOf } from '../../entity/list.ts'
import type { EntityEvent } from '../../entity/machine.ts'
import { commandStamp, type Machine } from '../../entity/operations.ts'
import { idEntry } from '../../entity/reading.ts'
import { staff } from '../../kernel/account.ts'
import type { Context, Facts } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import { isEngineError } from '../../kernel/errors.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { Append } from '../../kernel/event-store.ts'
import { operation } from '../../kernel/operation.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { isoOf } from '../../kernel/time.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { nextNumbers } from '../../store/sequence.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { assignment } from './assignment.ts'
import { type AssignmentCommand, assignments, assignmentsOfOrder, isTaken } from './rules.ts'

/** The read model of assignments, with the order that each belongs to. */
export const assignmentModel = { ...readModelOf(assignment), name: 'third_party_assignments' }

/** Assignments, with their special rules: those of an order share a stream, and at most one is under way. */
export const machine: Machine<typeof assignment> = {
  entity: assignment,
  decider: assignments,
  prepare: {
    assign: async (context, { provider, source = 'manual' }) => {
      const business_id = businessCallerOf(context).businessId
      await requireProvider(context, String(provider), business_id)
      return { business_id, source }
    },
  },
  streamOf: async ({ models }, assignment_id) => {
    const [row] = await models.rows(assignmentModel, { assignment_id }, 1)
    return row && streamOfOrder(Number(row.order_id))
  },
  create: (context, values) =>
    record(context, Number(values.order_id), (assignment_id) => ({
      move: 'assign',
      ...commandStamp(context),
      values: { ...values, assignment_id },
    })),
}

function streamOfOrder(id: number): StreamName {
  return `third_party-${id}`
}

const { provider, source, packages } = inputEntries(assignment, 'assign')

/** Reassigns an order to another provider. */
export const reassignThirdParty = operation({
  name: 'reassign_third_party',
  summary: 'Withdraw an assignment and give the order to another provider, in one step.',
  scopes: [assignment.api.write.scope],
  roles: staff,
  by: staff,
  ids: { assignment_id: ownId(machine) },
  risk: 'medium',
  tag: assignment.api.tag,
  input: v.strictObject({
    ...idEntry(assignment),
    provider,
    source,
    packages: v.exactOptional(
      v.pipe(packages, v.description('Tracking numbers of the packages, where they are not the same as before.')),
    ),
  }),
  output: v.strictObject({
    result: v.literal(true),
    assignment_id: v.pipe(v.number(), v.description('Id of the new assignment.')),
    status: v.literal('assigned'),
  }),
  errors: [
    ...(['account_required', 'third_party_assignment_not_found', 'third_party_status_forbids'] as const),
    ...(['third_party_same_provider', 'provider_not_found', 'contention'] as const),
  ],
  rest: { method: 'POST', path: '/api/v1/third-party-deliveries/{assignment_id}/reassign' },
  handle: reassign,
})

async function reassign(context: Context, { assignment_id, source = 'manual', ...given }: Values) {
  const { order_id, business_id } = (await loadOwn(context, machine, Number(assignment_id))).state
  await requireProvider(context, String(given.provider), business_id)
  const values = { assignment_id, ...given, source }
  const id = await record(context, order_id, (new_assignment_id) => ({
    move: 'reassign',
    ...commandStamp(context),
    values: { ...values, new_assignment_id },
  }))
  return { result: true, assignment_id: id, status: 'assigned' }
}

/** Records the events of a command that takes a new id, in one transaction with the id; answers the id. */
async function record(
  context: Context,
  orderId: number,
  commandOf: (id: number) => AssignmentCommand,
): Promise<number> {
  return retryOnConflict(async () => {
    const { id, appends } = await decided(context, orderId, commandOf)
    await context.store.appendMany(appends)
    return id
  })
}

async function historyOf({ store }: Pick<Context, 'store'>, orderId: number) {
  return (await store.read(streamOfOrder(orderId))) as readonly RecordedEvent<EntityEvent>[]
}

/** The new id, and the appends that record it with the events of a command. */
async function decided(context: Context, orderId: number, commandOf: (id: number) => AssignmentCommand) {
  const { first, append } = await nextNumbers(context, 'third_party_assignment')
  const stream = streamOfOrder(orderId)
  const history = await historyOf(context, orderId)
  const state = fold(assignmentsOfOrder, history)
  const events = assignmentsOfOrder.decide(commandOf(first), state).map(toNewEvent(context))
  const expected = history.at(-1)?.revision ?? 'no-stream'
  return { id: first, appends: [append, { stream, events, expected }] as readonly Append[] }
}

/** An order that a rule gives to a provider. */
interface RuledDelivery {
  readonly order_id: number
  readonly business_id: number
  readonly order_reference?: string | undefined
  readonly provider: string
  readonly packages: readonly string[]
}

/** The appends that give an order to a provider by a rule; undefined if a provider has or had it already. */
export async function giveByRule(context: Context, values: RuledDelivery): Promise<readonly Append[] | undefined> {
  try {
    const { appends } = await decided(context, values.order_id, (assignment_id) => ({
      move: 'assign',
      ...{ at: isoOf(context.clock()), by: null },
      values: { ...values, source: 'rule', assignment_id },
    }))
    return appends
  } catch (error) {
    if (isEngineError(error, 'third_party_order_taken')) return undefined
    throw error
  }
}

/** Whether a provider is to deliver an order, or has delivered it. */
export async function isWithProvider(context: Pick<Context, 'store'>, orderId: number): Promise<boolean> {
  return (await providerOf(context, orderId)) !== undefined
}

/** The provider that is to deliver an order, or has delivered it; undefined if there is none. */
export async function providerOf(context: Pick<Context, 'store'>, orderId: number): Promise<string | undefined> {
  const last = fold(assignmentsOfOrder, await historyOf(context, orderId)).at(-1)
  return isTaken(last) ? last.provider : undefined
}

/** How many orders of a business a provider has still to deliver. */
export async function openDeliveries(context: Facts, business_id: number, provider: string): Promise<number> {
  const among = { status: ['assigned', 'handed_over', 'partially_delivered'] }
  const { total } = await context.models.page(assignmentModel, { where: { business_id, provider }, among, limit: 0 })
  return total
}
