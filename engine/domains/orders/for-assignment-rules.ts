import type { Context, Facts } from '../../kernel/context.ts'
import { dueIn } from '../../kernel/due.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import type { Cell } from '../../kernel/read-model.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { type decidePool, isFree } from './decide-pool.ts'
import type { CommandBody } from './decided.ts'
import { commandStamp, decideOn, findLoaded, type LoadedOrder, loadOrderAt } from './load.ts'
import { orderModel } from './order-model.ts'
import { finalStatuses, type Status, statuses } from './status.ts'

type RuleCommand = CommandBody<'AssignDriver' | Parameters<typeof decidePool>[0]['type']>

/** An order as assignment rules see it, for any caller; undefined if there is none. */
export async function ruledOrder(context: Context, id: number) {
  const loaded = await findLoaded(context, id)
  return loaded === undefined || loaded.state.is_deleted ? undefined : ruled(context, loaded)
}

/** An order as assignment rules see it; refuses with `order_not_found` one that the caller may not see. */
export async function visibleRuledOrder(context: Context, id: number) {
  return ruled(context, await loadOrderAt(context, id))
}

function ruled(context: Context, loaded: LoadedOrder) {
  const { state: order } = loaded
  const { delivery, pickup, type, items, schedule_date, time_window, service, reference } = order
  return {
    ...{ id: order.order_id, businessId: order.business_id, trackingNumber: order.tracking_number },
    ...{ type, items, tags: order.tags ?? [], pool: order.pool, declined: order.declined ?? [], isFree: isFree(order) },
    ...omitUndefined({ service, reference, scheduleDate: schedule_date, timeWindow: time_window }),
    ...omitUndefined({ delivery: delivery?.address, pickup: pickup?.address }),
    decide: (command: RuleCommand) =>
      decideOn(context, loaded, { ...commandStamp(context), ...command } as Parameters<typeof decideOn>[2]).appends,
  }
}

const idsOf = (names: readonly Status[]) => names.map((name) => statuses[name].id)

/** Statuses of orders that somebody has still to carry. */
const open = idsOf((Object.keys(statuses) as readonly Status[]).filter((name) => !finalStatuses.includes(name)))

/** Ids of the orders of a business that nobody has, after this one, in order of id. */
export async function freeOrders({ models }: Facts, business_id: number, after: number, limit: number) {
  const where = { business_id, is_deleted: 0, driver_id: null, broker_id: null, provider: null, route_id: null }
  const { rows } = await models.page(orderModel, {
    ...{ where, limit, uncounted: true },
    among: { status: idsOf(['NEW_ORDER', 'FAILED']) },
    between: { order_id: [after + 1, undefined] },
  })
  return rows.map((row) => Number(row.order_id))
}

/** How many open orders each of these drivers, or contractors, of a business has. */
export function openOrders(
  { models }: Facts,
  business_id: number,
  by: 'driver_id' | 'broker_id',
  ids: readonly Cell[],
): Promise<ReadonlyMap<Cell, number>> {
  const condition = { where: { business_id, is_deleted: 0 }, among: { [by]: ids, status: open } }
  return models.counts(orderModel, by, condition)
}

/** Orders whose time to answer ends before an instant (epoch milliseconds), with ids after `after`, in order of id. */
export const dueAnswers = dueIn(orderModel, 'respond_by')

/** Takes an order from the driver, or the contractors, who did not answer in time; does nothing before, or once one has. */
export async function endAnswerTime(context: Context, id: number): Promise<void> {
  await retryOnConflict(async () => {
    const loaded = await findLoaded(context, id)
    if (loaded === undefined || loaded.state.is_deleted) return
    const { appends } = decideOn(context, loaded, { type: 'EndAnswerTime', ...commandStamp(context) })
    if (appends.length > 0) await context.store.appendMany(appends)
  })
}
