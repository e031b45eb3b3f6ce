import { accountOf } from '../../../kernel/call.ts'
import type { Context } from '../../../kernel/context.ts'
import { EngineError } from '../../../kernel/errors.ts'
import { visibleWhere } from '../load.ts'
import { numberKey, orderModel } from '../order-model.ts'
import { ordersOf } from '../read.ts'
import type { Order } from '../state.ts'

/** Columns of what an order may be named by. */
type Column = 'order_id' | 'tracking_key' | 'external_key'

/**
 * The newest order that the caller may see which one of these columns names, the first of them that names any; refuses
 * with `order_not_found` where there is none.
 */
export async function orderNamed(context: Context, name: string, columns: readonly Column[]): Promise<Order> {
  const where = visibleWhere(accountOf(context))
  for (const column of columns) {
    const cell = column === 'order_id' ? idIn(name) : numberKey(name)
    if (cell === undefined) continue
    const query = { where, among: { [column]: [cell] }, newestFirst: true, limit: 1 }
    const [order] = await ordersOf(context, (await context.models.page(orderModel, query)).rows)
    if (order !== undefined) return order
  }
  throw new EngineError('order_not_found', { order: name.slice(0, 60) })
}

function idIn(name: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(name.trim()) ? Number(name) : undefined
}
