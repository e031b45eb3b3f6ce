import * as v from 'valibot'
import type { Account } from '../../../kernel/account.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Cell } from '../../../kernel/read-model.ts'
import { type Status, statuses, statusForCustomer, statusOf } from '../status.ts'
import { countsOf, type Days } from './days.ts'

/** How many orders there are in a status. */
export const statusCounts = v.array(
  v.strictObject({ status: v.string(), order_status_id: v.number(), orders: v.number() }),
)

/** How orders stand, counted. */
export interface Counted {
  readonly total: number
  /** Those of which there are any, in order of id. */
  readonly by_status: v.InferOutput<typeof statusCounts>
  /** Failed and returned ones. */
  readonly exceptions: number
  /** Those that are dispatched and not picked up yet. */
  readonly pending_pickups: number
}

/** What went wrong with an order. */
export const exceptionStatuses: readonly Status[] = ['FAILED', 'RETURNED']

/** One that is held back is not waited for. */
const pendingStatuses: readonly Status[] = ['NEW_ORDER', 'ASSIGNED', 'ACCEPTED', 'PICKUP_STARTED']

/** The ids of these statuses. */
export function idsOf(names: readonly Status[]): readonly number[] {
  return names.map((name) => statuses[name].id)
}

/** The orders of some days, counted as the account may see them. */
export async function countedOf(context: Context, account: Account, days: Days): Promise<Counted> {
  const counts = await countsOf(context, account, days, 'status')
  const told = account.role === 'customer' ? toldToCustomer(counts) : counts
  const by_status = [...told]
    .map(([id, orders]) => ({ status: statusOf(Number(id)) ?? '', order_status_id: Number(id), orders }))
    .sort((one, other) => one.order_status_id - other.order_status_id)
  const total = by_status.reduce((sum, { orders }) => sum + orders, 0)
  return {
    total,
    by_status,
    exceptions: sumOf(counts, exceptionStatuses),
    pending_pickups: sumOf(counts, pendingStatuses),
  }
}

/** A customer is told the same whoever carries the shipment. */
function toldToCustomer(counts: ReadonlyMap<Cell, number>): ReadonlyMap<Cell, number> {
  const told = new Map<Cell, number>()
  for (const [id, count] of counts) {
    const status = statusOf(Number(id))
    const toldId = status === undefined ? id : statuses[statusForCustomer(status)].id
    told.set(toldId, (told.get(toldId) ?? 0) + count)
  }
  return told
}

function sumOf(counts: ReadonlyMap<Cell, number>, names: readonly Status[]): number {
  return idsOf(names).reduce((sum, id) => sum + (counts.get(id) ?? 0), 0)
}
