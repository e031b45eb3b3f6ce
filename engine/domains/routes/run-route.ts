import { type Loaded, loadOwn, streamOf } from '../../entity/access.ts'
import type { MoveOf, Values } from '../../entity/field.ts'
import { commandStamp } from '../../entity/operations.ts'
import type { Context } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { Append } from '../../kernel/event-store.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { nextNumbers } from '../../store/sequence.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { type OrderStep, planOnRoute, stepsFor } from './order-steps.ts'
import { type Route, route } from './route.ts'
import { kind, type RouteCommand, routes } from './rules.ts'

/** A move of an existing route. */
export type RouteMove = Exclude<MoveOf<typeof route>, 'plan'>

/** Plans a route with its orders, in one transaction: all of them go on it, or nothing is recorded. Answers the route. */
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
    const loaded = await loadOwn(context, kind, id)
    const step = await stepsFor[move]?.(context, loaded.state, input as never)
    const command = { move, ...commandStamp(context), values: { ...input, ...step?.values } }
    const { after, append } = decideRoute(context, id, command, loaded)
    const steps = (await step?.orders(after)) ?? []
    const appends = [...append, ...steps.flatMap(appendsOf)]
    if (appends.length > 0) await context.store.appendMany(appends)
    return after
  })
}

/** What a command does to a route, not yet recorded. */
function decideRoute(context: Context, id: number, command: RouteCommand, loaded?: Loaded<Route>) {
  const events = routes.decide(command, loaded?.state).map(toNewEvent(context))
  const after = fold(routes, events, loaded?.state)
  if (after === undefined) throw new EngineError('delivery_route_not_found', { route: id })
  const expected = loaded?.revision ?? 'no-stream'
  const append: readonly Append[] = events.length === 0 ? [] : [{ stream: streamOf(route, id), events, expected }]
  return { after, append }
}

/** The appends of an order that are recorded with its route. */
function appendsOf({ order, commands }: OrderStep): readonly Append[] {
  return order.decide(commands)
}
