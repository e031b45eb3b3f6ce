import type { MoveOf, Values } from '../../entity/field.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError, isRefusal } from '../../kernel/errors.ts'
import { type Finding, pathTo } from '../../kernel/finding.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import type { RouteOrder, RouteOrderCommand } from './ports.ts'
import type { Route, route } from './route.ts'

/** A command on an order that is recorded together with its route. */
export interface OrderStep {
  readonly order: RouteOrder
  readonly commands: readonly RouteOrderCommand[]
}

/**
 * The commands of a move on orders, which may depend on the route after it, and what the rules need to know about the
 * orders.
 */
interface Step {
  readonly values?: Values
  orders(after: Route): readonly OrderStep[] | Promise<readonly OrderStep[]>
}

type StepFor<Input = unknown> = (context: Context, current: Route, input: Input) => Promise<Step>

/** The effect of each move on the orders of the route. A start has none. */
export const stepsFor: { readonly [Name in MoveOf<typeof route>]?: StepFor<never> } = {
  add_orders: async (context, _, { order_ids }: { readonly order_ids: readonly number[] }) => ({
    orders: (after) => planOnRoute(context, after, [...new Set(order_ids)]),
  }),
  remove_order: async (context, current, { order_id }: { readonly order_id: number }) => {
    const found = await ordersOn(context, current)
    const named = found.filter(({ id }) => id === order_id)
    return { orders: () => takeOff(current, named) }
  },
  /** Orders that a driver is under way with, or has ended, stay with that driver. */
  change_driver: async (context, current, { driver_id }: { readonly driver_id: number | null }) => {
    const waiting = (await ordersOn(context, current)).filter(({ isWaiting }) => isWaiting)
    return { orders: () => waiting.map((order) => ({ order, commands: driverCommands(current, order, driver_id) })) }
  },
  /** An order whose delivery has failed leaves the route, to be planned again. */
  complete: async (context, current) => {
    const unended = (await ordersOn(context, current)).filter(({ isEnded }) => !isEnded)
    const failed = unended.filter(({ hasFailed }) => hasFailed)
    return { values: { open_orders: unended.length - failed.length }, orders: () => takeOff(current, failed) }
  },
  cancel: async (context, current) => {
    const unended = (await ordersOn(context, current)).filter(({ isEnded }) => !isEnded)
    return { orders: () => takeOff(current, unended) }
  },
}

/** The orders that are currently on a route, in order of their stops. */
export function ordersOn(context: Context, { route_id, stops = [] }: Route): Promise<readonly RouteOrder[]> {
  const ids = stops.map(({ order_id }) => order_id)
  return context.ports.routes.ordersOn(context, route_id, ids)
}

function takeOff({ route_id }: Route, orders: readonly RouteOrder[]): readonly OrderStep[] {
  return orders.map((order) => ({ order, commands: [{ type: 'TakeOffRoute', route_id }] }))
}

function driverCommands({ broker_id }: Route, order: RouteOrder, driver: number | null): OrderStep['commands'] {
  if (driver !== null) return [{ type: 'AssignDriver', driver, source: 'route', ...omitUndefined({ broker_id }) }]
  return order.driverId === undefined ? [] : [{ type: 'UnassignDriver', reason: 'removal' }]
}

/**
 * Plans orders on a route that has them as its stops, and assigns them to its driver. If any order cannot go on the
 * route, all are refused with `invalid_input` and a finding for each. Unassigned orders go on routes of the business,
 * a contractor's orders on routes of that contractor.
 */
export async function planOnRoute(
  context: Context,
  after: Route,
  ids: readonly number[],
): Promise<readonly OrderStep[]> {
  const steps = await Promise.all(
    ids.map((id, index) => stepOrFinding(pathTo('order_ids', index), () => planStep(context, after, id))),
  )
  const findings = steps.filter((one) => 'code' in one)
  if (findings.length > 0) throw new EngineError('invalid_input', { count: findings.length }, findings)
  return steps.filter((one) => 'order' in one)
}

async function planStep(context: Context, after: Route, id: number): Promise<OrderStep> {
  const { route_id, driver_id: driver, broker_id, stops = [] } = after
  const order = await context.ports.routes.orderAt(context, id)
  const contractor = omitUndefined({ broker_id })
  const stop = stops.find(({ order_id }) => order_id === id)?.stop ?? 0
  const plan: RouteOrderCommand = { ...contractor, type: 'PlanOrder', route_id, stop }
  const carry: readonly RouteOrderCommand[] =
    driver === undefined ? [] : [{ ...contractor, type: 'AssignDriver', driver, source: 'route' }]
  const step = { order, commands: [plan, ...carry] }
  // A first decision, so that the refusals of all orders are reported together.
  order.decide(step.commands)
  return step
}

async function stepOrFinding(path: string, run: () => Promise<OrderStep>): Promise<OrderStep | Finding> {
  try {
    return await run()
  } catch (error) {
    if (isRefusal(error)) return { path, code: error.code, params: error.params }
    throw error
  }
}
