import type { Orders } from '../../kernel/context.ts'
import { isEngineError } from '../../kernel/errors.ts'
import { loadOrder } from './load.ts'

/** Orders, as the parts that are not theirs ask for them. */
export const orderBook: Orders = {
  exists: async (context, id) => {
    try {
      await loadOrder(context, id)
      return true
    } catch (error) {
      if (isEngineError(error, 'order_not_found')) return false
      throw error
    }
  },
}
