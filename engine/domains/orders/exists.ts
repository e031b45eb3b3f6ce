import type { Context } from '../../kernel/context.ts'
import { isEngineError } from '../../kernel/errors.ts'
import { loadOrder } from './load.ts'

/** Whether there is an order that the caller may see; what it may not see does not exist for it. */
export async function orderExists(context: Context, id: number): Promise<boolean> {
  try {
    await loadOrder(context, id)
    return true
  } catch (error) {
    if (isEngineError(error, 'order_not_found')) return false
    throw error
  }
}
