import type { Context } from '../../kernel/context.ts'
import { EngineError, isRefusal } from '../../kernel/errors.ts'
import { type Finding, pathTo } from '../../kernel/finding.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import type { RouteOrderCommand } from './ports.ts'
import type { Route } from './route.ts'
import { appendsOf, type OrderStep } from './run-route.ts'

/**
 * Plans orders on a route that has them as its stops, and assigns them to its driver. If any order cannot go on the
 * route, all are refused with `invalid_input` and a finding for each. Unassigned orders go on routes of the business,
 * a contractor's orders on routes of that contractor.
 */
export async function planOnRoute(
  context: Context,
  route: Route,
  ids: readonly number[],
): Promise<readonly OrderStep[]> {
  const steps = await Promise.all(
    ids.map((id, index) => stepOrFinding(pathTo('order_ids', index), () => planStep(context, route, id))),
  )
  const findings = steps.filter((one) => 'code' in one)
  if (findings.length > 0) throw new EngineError('invalid_input', { count: findings.length }, findings)
  return steps.filter((one) => 'order' in one)
}

async function planStep(context: Context, route: Route, id: number): Promise<OrderStep> {
  const order = await context.ports.routes.orderAt(context, id)
  const contractor = omitUndefined({ broker_id: route.brokerId })
  const stop = route.stops.find(({ orderId }) => orderId === id)?.stop ?? 0
  const plan: RouteOrderCommand = { ...contractor, type: 'PlanOrder', route_id: route.id, stop }
  const carry: readonly RouteOrderCommand[] =
    route.driverId === undefined
      ? []
      : [{ ...contractor, type: 'AssignDriver', driver: route.driverId, source: 'route' }]
  const planned = { order, commands: [plan, ...carry] }
  // Decided here once, so that the refusals of all orders are reported together.
  appendsOf(planned)
  return planned
}

async function stepOrFinding(path: string, run: () => Promise<OrderStep>): Promise<OrderStep | Finding> {
  try {
    return await run()
  } catch (error) {
    if (isRefusal(error)) return { path, code: error.code, params: error.params }
    throw error
  }
}
