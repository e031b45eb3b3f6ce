import * as v from 'valibot'
import type { Account } from '../../kernel/account.ts'
import type { Context } from '../../kernel/context.ts'
import { type Code, messageOf } from '../../kernel/messages/index.ts'
import { named } from '../../kernel/named.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { operation } from '../../kernel/operation.ts'
import { pageEntries, pageOf } from '../../kernel/paging.ts'
import type { Row } from '../../kernel/read-model.ts'
import { id } from '../../kernel/schemas.ts'
import { zonedIso } from '../../kernel/zone.ts'
import { callerWithModule, moduleName } from './access.ts'
import { assignmentModel, assignmentStatuses } from './assignment-model.ts'
import type { AssignmentFact } from './facts.ts'
import type { AssignedOrder } from './ports.ts'

const count = v.pipe(v.number(), v.safeInteger())
const idOrNull = v.nullable(count)
const textOrNull = v.nullable(v.string())

/** An assignment in lists (document 1, broker order assignment). */
const assignmentRecord = named(
  'BrokerAssignment',
  v.strictObject({
    id: count,
    order_id: count,
    order_ref: textOrNull,
    order_status_id: idOrNull,
    scheduled_date: v.pipe(textOrNull, v.description('Calendar date, YYYY-MM-DD.')),
    route_id: v.pipe(idOrNull, v.description('Null while the order is unplanned.')),
    broker_id: count,
    broker_name: textOrNull,
    status: v.picklist(assignmentStatuses),
    note: textOrNull,
    assigned_by: idOrNull,
    assigned_at: v.pipe(textOrNull, v.description('In the time zone of the business, ISO 8601.')),
    ended_by: idOrNull,
    ended_at: v.pipe(textOrNull, v.description('In the time zone of the business, ISO 8601.')),
    end_reason: textOrNull,
  }),
)

type AssignmentRecord = v.InferOutput<typeof assignmentRecord>

/** Lists the assignments of a business, newest first; contractors see their own. */
export const listBrokerOrderAssignments = operation({
  name: 'list_broker_order_assignments',
  summary: 'Assignments of orders to contractors, newest first. Contractors only see their own, whatever broker_id is.',
  scopes: ['orders:read'],
  roles: ['client_admin', 'client_employee', 'contractor'],
  risk: 'low',
  tag: 'Broker Order Assignments',
  module: moduleName,
  rest: { method: 'GET', path: '/api/v1/broker-order-assignments' },
  graphql: { kind: 'query', name: 'brokerOrderAssignments' },
  ids: { broker_id: 'filter', order_id: 'filter' },
  input: v.strictObject({
    broker_id: v.exactOptional(v.pipe(id, v.description("The contractor's user id; ignored for a contractor."))),
    status: v.exactOptional(v.picklist(assignmentStatuses)),
    order_id: v.exactOptional(v.pipe(id, v.description('Id of the order.'))),
    ...pageEntries,
  }),
  output: v.strictObject({
    result: v.literal(true),
    ...{ total: count, page: count, per_page: count },
    assignments: v.array(assignmentRecord),
  }),
  errors: ['module_disabled', 'module_not_migrated'],
  handle: async (context, input) => {
    const account = callerWithModule(context)
    const { range, paging } = pageOf(input)
    const broker_id = account.role === 'contractor' ? account.id : input.broker_id
    const where = {
      business_id: account.business.id,
      ...omitUndefined({ broker_id, status: input.status, order_id: input.order_id }),
    }
    const { rows, total } = await context.models.page(assignmentModel, { where, newestFirst: true, ...range })
    return { result: true, total, ...paging, assignments: await recordsOf(context, account, rows) }
  },
})

async function recordsOf(context: Context, account: Account, rows: readonly Row[]): Promise<AssignmentRecord[]> {
  const { assignedOrder } = context.ports.assignments
  const orders = await byId(rows, 'order_id', (order) => assignedOrder(context, order))
  const people = await byId(rows, 'broker_id', (broker) => context.directory.person(context, broker))
  return rows.map((row) => {
    const order = orders.get(Number(row.order_id)) ?? { facts: [] }
    return recordOf(context, account, row, order, people.get(Number(row.broker_id))?.name)
  })
}

async function byId<Value>(rows: readonly Row[], column: string, find: (id: number) => Promise<Value>) {
  const ids = [...new Set(rows.map((row) => Number(row[column])))]
  return new Map(await Promise.all(ids.map(async (one) => [one, await find(one)] as const)))
}

function recordOf(
  { messages }: Context,
  account: Account,
  row: Row,
  { reference, current, facts }: AssignedOrder,
  brokerName = null as string | null,
): AssignmentRecord {
  const assignment = Number(row.assignment_id)
  const { note, end } = wordsOf(facts, assignment)
  const inZone = (instant: unknown) =>
    typeof instant === 'string' ? zonedIso(Date.parse(instant), account.business.timeZone) : null
  return {
    id: assignment,
    order_id: Number(row.order_id),
    order_ref: reference ?? null,
    order_status_id: current?.statusId ?? null,
    scheduled_date: current?.scheduleDate ?? null,
    route_id: current?.routeId ?? null,
    broker_id: Number(row.broker_id),
    broker_name: brokerName,
    status: assignmentStatuses.find((status) => status === row.status) ?? 'active',
    note: note ?? null,
    assigned_by: numberOrNull(row.assigned_by),
    assigned_at: inZone(row.assigned_at),
    ended_by: numberOrNull(row.ended_by),
    ended_at: inZone(row.ended_at),
    end_reason: (typeof end === 'string' ? messageOf(end, {}, messages) : end?.reason) ?? null,
  }
}

/** The reason for an assignment that ended with its order. */
const endedWith = { cancel: 'assignment_order_cancelled', delete: 'assignment_order_deleted' } as const

/** The note of an assignment, and the reason for its end. */
function wordsOf(facts: readonly AssignmentFact[], assignment: number) {
  let note: string | undefined
  let end: Code | { readonly reason?: string } | undefined
  for (const { type, data } of facts) {
    if (type === 'ContractorAssigned') {
      if (data.assignment_id === assignment) note = data.personal?.note
      if (data.moved_from?.assignment_id === assignment) end = 'assignment_moved'
    } else if (data.assignment_id === assignment)
      end = data.reason === undefined ? (data.personal ?? {}) : endedWith[data.reason]
  }
  return { note, end }
}

function numberOrNull(cell: Row[string] | undefined): number | null {
  return typeof cell === 'number' ? cell : null
}
