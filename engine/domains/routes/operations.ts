import type { GenericSchema } from 'valibot'
import * as v from 'valibot'
import { ownId, requireFields } from '../../entity/access.ts'
import type { MoveCall, Values } from '../../entity/field.ts'
import { idsIn, inputEntries } from '../../entity/input.ts'
import { callersIn, idEntry } from '../../entity/reading.ts'
import { pick, recordSchemaOf } from '../../entity/record.ts'
import { accountOf } from '../../kernel/call.ts'
import { named } from '../../kernel/named.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { type Operation, operation } from '../../kernel/operation.ts'
import { moves } from './moves.ts'
import { type Route, route } from './route.ts'
import { kind } from './rules.ts'
import { planRoute as plan, type RouteMove, runRoute } from './run-route.ts'

/** The summary of a route in the answers of moves: ids and status, nothing personal. */
const routeSummary = named(
  'RouteAnswer',
  v.strictObject({
    result: v.literal(true),
    ...pick(recordSchemaOf(route).entries, ['id', 'route_id', 'status', 'driver_id'] as const),
  }),
)

const { path, tag, write } = route.api

/** Common members of the operations of all moves. Drivers do not have `routes:write`. */
function callEntries({ operation: name, summary, by }: MoveCall) {
  const scopes = by.includes('driver') ? ['routes:read', 'orders:write'] : [write.scope]
  return { name, summary, scopes, ...callersIn(by), risk: 'medium', tag, output: routeSummary } as const
}

/** Plans a route of orders; all of them go on it, or none does. */
export const planRoute = operation({
  ...callEntries(moves.plan.call),
  ids: idsIn(route, 'plan'),
  requireFields: (context, given) => requireFields(context, route, 'plan', given),
  input: v.strictObject(inputEntries(route, 'plan')),
  errors: moves.plan.call.errors,
  rest: { method: 'POST', path },
  handle: async (context, input) => {
    const { id, role, business } = accountOf(context)
    if (input.driver_id !== undefined) await context.ports.routes.requireDriver(context, input.driver_id)
    const broker_id = role === 'contractor' ? id : undefined
    return summaryOf(await plan(context, { ...input, business_id: business.id, broker_id }))
  },
})

/** The operation of a move. */
function moveOperation(move: RouteMove): Operation<GenericSchema, typeof routeSummary> {
  const { call } = moves[move]
  return operation({
    ...callEntries(call),
    ids: { route_id: ownId(kind), ...idsIn(route, move) },
    requireFields: (context, given: Values) => requireFields(context, route, move, given),
    input: v.strictObject({ ...idEntry(route), ...inputEntries(route, move) }),
    errors: [route.refusals.missing, route.refusals.forbidden, ...call.errors],
    rest: { method: 'POST', path: `${path}/{${route.id}}/${call.verb}` },
    handle: async (context, { route_id, ...input }: Values) => {
      if (move === 'change_driver' && input.driver_id !== null)
        await context.ports.routes.requireDriver(context, Number(input.driver_id))
      return summaryOf(await runRoute(context, Number(route_id), move, input))
    },
  })
}

/** The operations on an existing route, by move. */
export const moveOperations = {
  add_orders: moveOperation('add_orders'),
  remove_order: moveOperation('remove_order'),
  change_driver: moveOperation('change_driver'),
  start: moveOperation('start'),
  complete: moveOperation('complete'),
  cancel: moveOperation('cancel'),
} satisfies Readonly<Record<RouteMove, Operation<GenericSchema, typeof routeSummary>>>

function summaryOf({ route_id, status, driver_id }: Route): v.InferOutput<typeof routeSummary> {
  return { result: true, id: route_id, route_id, status, ...omitUndefined({ driver_id }) }
}
