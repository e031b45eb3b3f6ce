import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import { operation } from '../../kernel/operation.ts'
import { pageAnswerEntries, pageEntries, pageOf } from '../../kernel/paging.ts'
import { ownedBy, staff } from '../../kernel/party.ts'
import { id } from '../../kernel/schemas.ts'
import { loadAssignments, visibleAssignment } from './access.ts'
import { assignmentModel } from './assignment-model.ts'
import { assignmentId, provider } from './input.ts'
import { assignmentOf, assignmentRecord } from './record.ts'
import { assignmentIn } from './state.ts'
import { assignmentStatusNames } from './status.ts'

/** The family of the operations here. */
export const family = { tag: 'Third-Party Deliveries' } as const

const filters = {
  status: v.exactOptional(v.picklist(assignmentStatusNames)),
  order_id: v.exactOptional(v.pipe(id, v.description('Only those of this order.'))),
  ...pageEntries,
}

const listed = v.strictObject({
  result: v.literal(true),
  ...pageAnswerEntries,
  assignments: v.array(assignmentRecord),
})

const one = v.strictObject({ result: v.literal(true), assignment: assignmentRecord })

/** Lists assignments, newest first. */
export const listThirdPartyDeliveries = operation({
  name: 'list_third_party_deliveries',
  summary: 'The assignments of orders of the business to providers, newest first.',
  scopes: ['orders:read'],
  roles: staff,
  risk: 'low',
  ...family,
  input: v.strictObject({ provider: v.exactOptional(provider), ...filters }),
  output: listed,
  errors: [],
  rest: { method: 'GET', path: '/api/v1/third-party-deliveries' },
  handle: list,
})

/** One assignment. */
export const getThirdPartyDelivery = operation({
  name: 'get_third_party_delivery',
  summary: 'One assignment of an order to a provider, with its packages and what was booked for them.',
  scopes: ['orders:read'],
  roles: staff,
  risk: 'low',
  ...family,
  input: v.strictObject(assignmentId),
  output: one,
  errors: ['third_party_assignment_not_found'],
  rest: { method: 'GET', path: '/api/v1/third-party-deliveries/{assignment_id}' },
  handle: async (context, { assignment_id }) => ({
    result: true,
    assignment: assignmentOf(await visibleAssignment(context, assignment_id)),
  }),
})

/** Lists the assignments of the provider that asks, newest first. */
export const listProviderAssignments = operation({
  name: 'list_provider_assignments',
  summary: 'For the key of a provider: what is assigned to it, newest first.',
  scopes: ['third_party:write'],
  risk: 'low',
  ...family,
  input: v.strictObject(filters),
  output: listed,
  errors: ['account_required'],
  rest: { method: 'GET', path: '/api/v1/provider/third-party-deliveries' },
  handle: list,
})

interface Wanted {
  readonly provider?: string
  readonly status?: string
  readonly order_id?: number
  readonly page?: number
  readonly per_page?: number
}

async function list(context: Context, { page, per_page, ...wanted }: Wanted) {
  const { range, said } = pageOf({ ...(page && { page }), ...(per_page && { per_page }) })
  const where = { ...wanted, ...ownedBy(context) }
  const { rows, total } = await context.models.page(assignmentModel, { where, ...range, newestFirst: true })
  const assignments = await Promise.all(rows.map(({ id, order_id }) => recordOf(context, Number(id), Number(order_id))))
  return { result: true, total, ...said, assignments: assignments.flat() }
}

async function recordOf({ store }: Context, id: number, orderId: number) {
  const found = assignmentIn(await loadAssignments(store, orderId), id)
  return found === undefined ? [] : [assignmentOf(found)]
}
