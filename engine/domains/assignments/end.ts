import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import { EngineError, isEngineError } from '../../kernel/errors.ts'
import { type Code, messageOf } from '../../kernel/messages/index.ts'
import { operation } from '../../kernel/operation.ts'
import { id, text } from '../../kernel/schemas.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { callerWithModule, moduleName } from './access.ts'
import { commandEach, orderIds, unchanged, unchangedEntries } from './each-order.ts'

const reasonEntries = {
  reason: v.exactOptional(v.pipe(text(255), v.description('Reason, at most 255 characters.'))),
}

/** Revokes the assignments of orders, which then follow the ordinary rules again. */
export const revokeBrokerOrderAssignments = operation({
  name: 'revoke_broker_order_assignments',
  summary: 'Revoke the assignments of orders to contractors. Orders on a route do not change.',
  scopes: ['orders:write'],
  roles: ['client_admin'],
  risk: 'medium',
  tag: 'Broker Order Assignments',
  module: moduleName,
  rest: { method: 'POST', path: '/api/v1/broker-order-assignments/revoke' },
  graphql: { kind: 'mutation', name: 'revokeBrokerOrderAssignments' },
  ids: { 'order_ids.*': 'each' },
  input: v.strictObject({ order_ids: orderIds, ...reasonEntries }),
  output: v.strictObject({
    result: v.pipe(v.boolean(), v.description('Whether at least one assignment was revoked.')),
    revoked: v.pipe(v.number(), v.safeInteger()),
    ...unchangedEntries,
  }),
  errors: ['module_disabled', 'module_not_migrated', 'invalid_input', 'contention'],
  handle: async (context, { order_ids, reason }) => {
    callerWithModule(context)
    const command = { type: 'RevokeContractor' as const, ...reasonOf(reason) }
    const outcome = await commandEach(context, order_ids, () => ({ command: () => command }))
    return { result: outcome.changed > 0, revoked: outcome.changed, ...unchanged(outcome, context) }
  },
})

/** The codes of a release for the codes of other refusals. */
const releaseRefusals: Readonly<Partial<Record<Code, Code>>> = {
  order_not_found: 'release_not_assigned',
  not_assigned: 'release_not_assigned',
  order_on_route: 'release_on_route',
  order_status_forbids: 'release_under_way',
}

/** Releases an order as its contractor. */
export const releaseBrokerOrderAssignment = operation({
  name: 'release_broker_order_assignment',
  summary: 'Release an order as the contractor to whom it is assigned.',
  scopes: ['orders:write'],
  roles: ['contractor'],
  risk: 'medium',
  tag: 'Broker Order Assignments',
  module: moduleName,
  rest: { method: 'POST', path: '/api/v1/broker-order-assignments/release' },
  graphql: { kind: 'mutation', name: 'releaseBrokerOrderAssignment' },
  ids: { order_id: 'rule' },
  input: v.strictObject({ order_id: v.pipe(id, v.description('Id of the order.')), ...reasonEntries }),
  output: v.strictObject({ result: v.literal(true), message: v.string() }),
  errors: [
    ...(['module_disabled', 'module_not_migrated', 'contention'] as const),
    ...(['release_not_assigned', 'release_on_route', 'release_under_way'] as const),
  ],
  handle: async (context, { order_id, reason }) => {
    const { id: broker_id } = callerWithModule(context)
    await release(context, order_id, { broker_id, ...reasonOf(reason) })
    return { result: true, message: messageOf('assignment_released', { order: order_id }, context.messages) }
  },
})

async function release(context: Context, order: number, about: { broker_id: number; reason?: string }): Promise<void> {
  try {
    await retryOnConflict(async () => {
      const { decide } = await context.ports.assignments.orderAt(context, order)
      const appends = decide({ type: 'ReleaseContractor', ...about })
      if (appends.length > 0) await context.store.appendMany(appends)
    })
  } catch (error) {
    const code = isEngineError(error) ? releaseRefusals[error.code] : undefined
    throw code === undefined ? error : new EngineError(code, { order })
  }
}

function reasonOf(reason = ''): { readonly reason?: string } {
  return reason === '' ? {} : { reason }
}
