import type { Context } from '../../kernel/context.ts'
import { visibleWhere } from './load.ts'
import { orderModel } from './order-model.ts'
import { orderOf } from './streams.ts'

/**
 * The id of each order that changes after a position and that the caller may see, also of one that is deleted, until `signal` is
 * aborted. One order may come several times.
 */
export async function* ordersThatChange(
  context: Context,
  after: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<number> {
  const { store, models } = context
  const { is_deleted: _, ...own } = visibleWhere(context)
  const filter = { category: 'order', opens: () => false }
  for await (const { stream } of store.follow(after, filter, signal)) {
    const [row] = await models.rows(orderModel, { order_id: orderOf(stream) }, 1)
    if (row !== undefined && Object.entries(own).every(([column, cell]) => row[column] === cell)) yield orderOf(stream)
  }
}
