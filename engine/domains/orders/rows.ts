import type { Context } from '../../kernel/context.ts'
import type { Row } from '../../kernel/read-model.ts'
import { findLoaded, isVisible } from './load.ts'
import type { Order } from './state.ts'

/** The orders of some rows, but for those that the caller may not see any more. */
export async function ordersOf(context: Context, rows: readonly Row[]): Promise<readonly Order[]> {
  const loaded = await Promise.all(rows.map(({ order_id }) => findLoaded(context, Number(order_id))))
  return loaded.flatMap((one) => (one === undefined || !isVisible(context, one.state) ? [] : [one.state]))
}
