import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { Condition } from '../../kernel/read-model.ts'
import { isoOf } from '../../kernel/time.ts'
import type { Wanted } from './list.ts'
import { orderModel } from './order-model.ts'
import { recordOf } from './record.ts'
import { ordersOf } from './rows.ts'

/** From where on changes are wanted: the column that says so, and its least value. */
export type Following = readonly [column: 'updated_at' | 'changed', from: string]

const cursorForm = /^c1\.([0-9A-Za-z]{0,64})$/

/** From where on a request wants changes. Refuses what is no cursor. */
export function followingOf(since: string | undefined, cursor = ''): Following {
  if (since !== undefined) return ['updated_at', isoOf(Date.parse(since))]
  const after = cursorForm.exec(cursor)?.[1]
  if (after === undefined)
    throw new EngineError('invalid_input', { count: 1 }, [{ path: 'cursor', code: 'not_a_cursor' }])
  // A blank comes before every digit, so this is just behind the position itself.
  return ['changed', `${after} `]
}

/**
 * Orders in order of their last change. An order that changes while somebody goes through the pages comes again, further
 * behind: positions of events only grow, whatever the clocks say.
 */
export async function changedOrders(
  context: Context,
  condition: Condition,
  [column, from]: Following,
  { limit, isCounted }: Pick<Wanted, 'limit' | 'isCounted'>,
) {
  // Taken before the rows, which then have everything up to it.
  const end = (await context.store.latest()) ?? ''
  const between = { ...condition.between, [column]: [from, undefined] as const }
  const counting = isCounted ? {} : ({ uncounted: true } as const)
  const query = { ...condition, between, orderBy: 'changed', limit: limit + 1, ...counting }
  const { rows: found, total } = await context.models.page(orderModel, query)
  const rows = found.slice(0, limit)
  const orders = await ordersOf(context, rows)
  const last = rows.at(-1)?.changed
  const has_more = found.length > limit
  const reached = has_more || (typeof last === 'string' && last > end) ? last : end
  return {
    ...{ result: true, ...(isCounted && { total }), orders: orders.map((order) => recordOf(order, context)) },
    ...{ next_cursor: `c1.${reached}`, has_more },
  }
}
