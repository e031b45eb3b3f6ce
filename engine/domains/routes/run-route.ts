import { streamOf } from '../../entity/access.ts'
import type { MoveOf, Values } from '../../entity/field.ts'
import type { EntityEvent } from '../../entity/machine.ts'
import { commandStamp } from '../../entity/operations.ts'
import type { Context } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { Append } from '../../kernel/event-store.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { nextNumbers } from '../../store/sequence.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { type OrderStep, planOnRoute, stepsFor } from './order-steps.ts'
import { type Route, route } from './route.ts'
import { type RouteCommand, routes } from './rules.ts'

/** A move of an existing route. */
export type RouteMove = Exclude<MoveOf<typeof route>, 'plan'>

/** A route, and the revision of its stream that it was read at. */
interface LoadedRoute {
  readonly current: Route
  readonly revision: number
}

/**
 * Plans a route with its orders, in one transaction: either all of them are added, or nothing is recorded. Returns the
 * route.
 */
export async function planRoute(context: Context, values: Values): Promise<Route> {
  return retryOnConflict(async () => {
    const { first: route_id, append: number } = await nextNumbers(context, 'route')
    const command = { move: 'plan', ...commandStamp(context), values: { ...values, route_id } } as const
    const { after, append } = decideRoute(context, route_id, command)
    const steps = await planOnRoute(context, after, after.order_ids)
    await context.store.appendMany([...append, number, ...steps.flatMap(appendsOf)])
    return after
  })
}

/** Moves a route, and orders with it, in one transaction. A refusal of either refuses all. Answers the route after it. */
export async function runRoute(context: Context, id: number, move: RouteMove, input: Values): Promise<Route> {
  return retryOnConflict(async () => {
    const loaded = await loadRoute(context, id)
    const step = await stepsFor[move]?.(context, loaded.current, input as never)
    const command = { move, ...commandStamp(context), values: { ...input, ...step?.values } }
    const { after, append } = decideRoute(context, id, command, loaded)
    const steps = (await step?.orders(after)) ?? []
    const appends = [...append, ...steps.flatMap(appendsOf)]
    if (appends.length > 0) await context.store.appendMany(appends)
    return after
  })
}

/** A route that the caller may see; refuses others with `delivery_route_not_found`. */
async function loadRoute(context: Context, id: number): Promise<LoadedRoute> {
  const history = (await context.store.read(streamOf(route, id))) as readonly RecordedEvent<EntityEvent>[]
  const current = fold(routes, history)
  const last = history.at(-1)
  if (current === undefined || last === undefined || !route.access.belongs(context, current))
    throw new EngineError('delivery_route_not_found', { route: id })
  return { current, revision: last.revision }
}

/** The outcome of a command on a route, before it is recorded. */
function decideRoute(context: Context, id: number, command: RouteCommand, loaded?: LoadedRoute) {
  const events = routes.decide(command, loaded?.current).map(toNewEvent(context))
  const after = fold(routes, events, loaded?.current)
  if (after === undefined) throw new EngineError('delivery_route_not_found', { route: id })
  const expected = loaded?.revision ?? 'no-stream'
  const append: readonly Append[] = events.length === 0 ? [] : [{ stream: streamOf(route, id), events, expected }]
  return { after, append }
}

/** The appends of an order that are recorded with its route. */
function appendsOf({ order, commands }: OrderStep): readonly Append[] {
  return order.decide(commands)
}
