import * as v from 'valibot'
import { operation } from '../../kernel/operation.ts'
import { id, text } from '../../kernel/schemas.ts'
import { nextNumbers } from '../../store/sequence.ts'
import { callerWithModule, moduleName, requireContractor } from './access.ts'
import { commandEach, orderIds, unchanged, unchangedEntries } from './each-order.ts'

/** Assigns orders to a contractor; an order of another contractor is moved in one step. */
export const assignOrdersToBroker = operation({
  name: 'assign_orders_to_broker',
  summary: 'Assign orders to a contractor. An order of another contractor is moved in one step.',
  scopes: ['orders:write'],
  roles: ['client_admin'],
  risk: 'medium',
  tag: 'Broker Order Assignments',
  module: moduleName,
  rest: { method: 'POST', path: '/api/v1/broker-order-assignments' },
  graphql: { kind: 'mutation', name: 'assignOrdersToBroker' },
  ids: { 'order_ids.*': 'each', broker_id: 'rule' },
  input: v.strictObject({
    order_ids: orderIds,
    broker_id: v.pipe(id, v.description("The contractor's user id.")),
    note: v.exactOptional(v.pipe(text(500), v.description('Note for the contractor, at most 500 characters.'))),
  }),
  output: v.strictObject({
    result: v.pipe(v.boolean(), v.description('Whether at least one order was assigned.')),
    assigned: v.pipe(v.number(), v.safeInteger()),
    ...unchangedEntries,
  }),
  errors: ['module_disabled', 'module_not_migrated', 'invalid_input', 'contention'],
  handle: async (context, { order_ids, broker_id, note = '' }) => {
    callerWithModule(context)
    await requireContractor(context, broker_id)
    const command = {
      type: 'AssignContractor' as const,
      broker_id,
      ...(note === '' ? {} : { note }),
    }
    const outcome = await commandEach(context, order_ids, async () => {
      const { first, append } = await nextNumbers(context, 'assignment', order_ids.length)
      return {
        command: (place) => ({ ...command, assignment_id: first + place }),
        with: (count) => [{ ...append, events: append.events.slice(0, count) }],
      }
    })
    return { result: outcome.changed > 0, assigned: outcome.changed, ...unchanged(outcome, context) }
  },
})
