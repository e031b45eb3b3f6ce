import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import { operation } from '../../kernel/operation.ts'
import { pageAnswerEntries, pageEntries, pageOf } from '../../kernel/paging.ts'
import { ownedBy, staff } from '../../kernel/party.ts'
import { family, handoffScope, loadHandoff, partnerOf, visibleHandoff } from './access.ts'
import { handoffModel } from './handoff-model.ts'
import { handoffId } from './input.ts'
import { handoffRecord, recordOf } from './record.ts'
import { handoffStatusNames } from './status.ts'

const filters = v.strictObject({ status: v.exactOptional(v.picklist(handoffStatusNames)), ...pageEntries })

const listed = v.strictObject({ result: v.literal(true), ...pageAnswerEntries, handoffs: v.array(handoffRecord) })

const one = v.strictObject({ result: v.literal(true), handoff: handoffRecord })

/** Lists handoffs for staff, newest first. */
export const listHandoffs = operation({
  name: 'list_handoffs',
  summary: 'The orders that partners hand over to the business, newest first.',
  scopes: ['orders:read'],
  roles: staff,
  risk: 'low',
  ...family,
  input: filters,
  output: listed,
  errors: [],
  rest: { method: 'GET', path: '/api/v1/handoffs' },
  handle: list,
})

/** One handoff for staff. */
export const getHandoff = operation({
  name: 'get_handoff',
  summary: 'One order that a partner hands over, with its amendments, its tracking and its settlement.',
  scopes: ['orders:read'],
  roles: staff,
  risk: 'low',
  ...family,
  input: v.strictObject(handoffId),
  output: one,
  errors: ['handoff_not_found'],
  rest: { method: 'GET', path: '/api/v1/handoffs/{handoff_id}' },
  handle: async (context, { handoff_id }) => ({
    result: true,
    handoff: recordOf(await visibleHandoff(context, handoff_id)),
  }),
})

/** Lists the handoffs of the partner that asks, newest first. */
export const listOwnHandoffs = operation({
  name: 'list_own_handoffs',
  summary: 'For the handoff token of a partner: the orders that it has handed over, newest first.',
  scopes: [handoffScope],
  risk: 'low',
  ...family,
  input: filters,
  output: listed,
  errors: ['account_required'],
  rest: { method: 'GET', path: '/api/v1/ohp/handoffs' },
  handle: async (context, input) => {
    partnerOf(context)
    return list(context, input)
  },
})

/** One handoff of the partner that asks. */
export const getOwnHandoff = operation({
  name: 'get_own_handoff',
  summary: 'For the handoff token of a partner: one order that it has handed over, and how it stands.',
  scopes: [handoffScope],
  risk: 'low',
  ...family,
  input: v.strictObject(handoffId),
  output: one,
  errors: ['account_required', 'handoff_not_found'],
  rest: { method: 'GET', path: '/api/v1/ohp/handoffs/{handoff_id}' },
  handle: async (context, { handoff_id }) => {
    partnerOf(context)
    return { result: true, handoff: recordOf(await visibleHandoff(context, handoff_id)) }
  },
})

async function list(context: Context, { page, per_page, ...wanted }: v.InferOutput<typeof filters>) {
  const { range, paging } = pageOf({ ...(page && { page }), ...(per_page && { per_page }) })
  const where = { ...wanted, ...ownedBy(context) }
  const { rows, total } = await context.models.page(handoffModel, { where, ...range, newestFirst: true })
  const found = await Promise.all(rows.map(({ id }) => loadHandoff(context.store, Number(id))))
  return { result: true, total, ...paging, handoffs: found.filter((one) => one !== undefined).map(recordOf) }
}
