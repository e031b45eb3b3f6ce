import * as v from 'valibot'
import type { Account } from '../../kernel/account.ts'
import type { Context } from '../../kernel/context.ts'
import type { Cell } from '../../kernel/read-model.ts'
import { countsOf, type Days } from './days.ts'
import type { OrderStatus } from './ports.ts'

/** Number of orders in each status. */
export const statusCounts = v.array(
  v.strictObject({ status: v.string(), order_status_id: v.number(), orders: v.number() }),
)

/** Counts of orders by status. */
interface Counted {
  readonly total: number
  /** Only statuses with orders, in order of id. */
  readonly by_status: v.InferOutput<typeof statusCounts>
  /** Failed and returned orders. */
  readonly exceptions: number
  /** Dispatched orders that are not picked up yet. */
  readonly pending_pickups: number
}

/** Statuses of orders with problems. */
export const exceptionStatuses: readonly OrderStatus[] = ['FAILED', 'RETURNED']

/** Orders on hold are not included. */
const pendingStatuses: readonly OrderStatus[] = ['NEW_ORDER', 'ASSIGNED', 'ACCEPTED', 'PICKUP_STARTED']

/** The ids of these statuses. */
export function idsOf(context: Pick<Context, 'ports'>, names: readonly OrderStatus[]): readonly number[] {
  return names.map((name) => context.ports.insights.statusId(name))
}

/** Counts of orders in a range of days, as far as the account may see them. */
export async function countedOf(context: Context, account: Account, days: Days): Promise<Counted> {
  const counts = await countsOf(context, account, days, 'status')
  const by_status = visibleCounts(context, counts)
  const sumOf = (names: readonly OrderStatus[]) =>
    idsOf(context, names).reduce((sum, id) => sum + (counts.get(id) ?? 0), 0)
  return {
    total: by_status.reduce((sum, { orders }) => sum + orders, 0),
    by_status,
    exceptions: sumOf(exceptionStatuses),
    pending_pickups: sumOf(pendingStatuses),
  }
}

/** Counts by visible status, in order of id. For customers it does not depend on who carries the shipment. */
export function visibleCounts(context: Context, counts: ReadonlyMap<Cell, number>): Counted['by_status'] {
  const byId = new Map<number, Counted['by_status'][number]>()
  for (const [cell, count] of counts) {
    const { id, name } = context.ports.insights.visibleStatus(context, Number(cell))
    const orders = (byId.get(id)?.orders ?? 0) + count
    byId.set(id, { status: name, order_status_id: id, orders })
  }
  return [...byId.values()].sort((one, other) => one.order_status_id - other.order_status_id)
}
