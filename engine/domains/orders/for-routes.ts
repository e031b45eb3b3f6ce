import type { Context } from '../../kernel/context.ts'
import type { Append } from '../../kernel/event-store.ts'
import type { Cell } from '../../kernel/read-model.ts'
import type { CommandBody } from './decided.ts'
import { commandStamp, decideAll, findLoaded, isVisible, type LoadedOrder, loadOrderAt } from './load.ts'
import { orderModel } from './order-model.ts'
import { summaryOf } from './record.ts'
import { finalStatuses, type Status } from './status.ts'

type RouteCommand = CommandBody<'PlanOrder' | 'TakeOffRoute' | 'AssignDriver' | 'UnassignDriver'>

/** An order follows its route to the next driver until a driver is under way with it. */
const waiting: readonly Status[] = ['NEW_ORDER', 'ASSIGNED', 'ACCEPTED']

/** An order that the caller may see, as routes see it; refuses with `order_not_found`. */
export async function routeOrderAt(context: Context, id: number) {
  return routeOrder(context, await loadOrderAt(context, id))
}

/** Those of these orders that are on a route according to their own events, for any caller. */
export async function ordersOnRoute(context: Context, route: number, ids: readonly number[]) {
  const found = await Promise.all(ids.map((id) => findLoaded(context, id)))
  return found
    .filter((loaded) => loaded !== undefined)
    .filter(({ state }) => state.route_id === route && !state.is_deleted)
    .map((loaded) => routeOrder(context, loaded))
}

/** How many orders are on each of these routes. */
export function countOrdersOnRoutes(context: Context, route_id: readonly Cell[]): Promise<ReadonlyMap<Cell, number>> {
  return context.models.counts(orderModel, 'route_id', { where: { is_deleted: 0 }, among: { route_id } })
}

function routeOrder(context: Context, loaded: LoadedOrder) {
  const { state: order } = loaded
  const {
    order_id: id,
    driver_id: driverId,
    status,
    stop,
    schedule_date: scheduleDate,
    time_window: timeWindow,
  } = order
  const isSeen = isVisible(context, order)
  return {
    ...{ id, driverId },
    isWaiting: waiting.includes(status),
    hasFailed: status === 'FAILED',
    isEnded: finalStatuses.includes(status),
    shown: isSeen ? { summary: summaryOf(order, context), stop, scheduleDate, timeWindow } : undefined,
    decide: (commands: readonly RouteCommand[]): readonly Append[] =>
      decideAll(
        context,
        loaded,
        commands.map((command) => ({ ...commandStamp(context), ...command })),
      ).appends,
  }
}
