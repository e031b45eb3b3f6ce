import type { Context } from '../../kernel/context.ts'
import { isEngineError } from '../../kernel/errors.ts'
import { loadOrder } from './load.ts'

/** Whether the caller may see an order with this id. Orders that the caller may not see do not exist for it. */
export async function orderExists(context: Context, id: number): Promise<boolean> {
  try {
    await loadOrder(context, id)
    return true
  } catch (error) {
    if (isEngineError(error, 'order_not_found') || isEngineError(error, 'not_a_self_delivery_order')) return false
    throw error
  }
}
