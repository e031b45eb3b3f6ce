import * as v from 'valibot'
import { type ChangeColumns, changedRows, type Following } from '../../entity/changed.ts'
import type { Context } from '../../kernel/context.ts'
import { cursorsOf } from '../../kernel/cursor.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import type { Cell, Condition } from '../../kernel/read-model.ts'
import { recordsOf } from './families.ts'
import { orderModel } from './order-model.ts'

/** The columns that lists are sorted by. No two orders have the same value in one of them. */
const sortColumns = { created_at: 'order_id', updated_at: 'changed', schedule_date: 'due' } as const

/** The orders of lists; a minus means descending. */
export const sorts = [
  '-created_at',
  'created_at',
  '-updated_at',
  'updated_at',
  '-schedule_date',
  'schedule_date',
] as const

/** The order of a list; a minus means descending. */
type Sort = (typeof sorts)[number]

/** The columns that say when an order changed. */
export const changeColumns: ChangeColumns = { position: 'changed', time: 'updated_at' }

/** The input member that says the order of a list. */
export const sortEntry = v.exactOptional(
  v.pipe(
    v.picklist(sorts),
    v.description(
      'A minus: descending. Default: -created_at. schedule_date: by the end of the time window on the day; orders without a day come first.',
    ),
  ),
)

/** Where a list goes on: its order, and the value of the last order that was answered. */
interface Place {
  readonly sort: Sort
  readonly last?: Cell
}

const kind = 'place of orders'
const last = v.union([v.string(), v.number(), v.null()])
const cursors = cursorsOf('l1.', v.strictObject({ kind: v.literal(kind), sort: v.picklist(sorts), last }))

/** Where the list of a cursor goes on; undefined for a cursor of another kind. */
export function placeIn(context: Context, cursor = ''): Place | undefined {
  return cursors.read(context, cursor)
}

function columnOf(sort: Sort) {
  return sortColumns[sort.replace('-', '') as keyof typeof sortColumns]
}

/** How much of a list is wanted. */
export interface Wanted {
  readonly limit: number
  readonly offset: number
  /** Whether all orders of the list are counted. */
  readonly isCounted: boolean
}

/** A page of the list of the orders that meet a condition, from a place on, and the cursor of the next one if there is more. */
export async function listedOrders(
  context: Context,
  condition: Condition,
  { sort, last }: Place,
  { limit, offset, isCounted }: Wanted,
) {
  const column = columnOf(sort)
  const newestFirst = sort.startsWith('-')
  const bounds: readonly [Cell | undefined, Cell | undefined] = newestFirst ? [undefined, last] : [last, undefined]
  const between = { ...condition.between, ...(last !== undefined && { [column]: bounds }) }
  // Of orders that are open, both columns have the same value, and this one has them alone.
  const orderBy = column === 'due' && between.open_due !== undefined ? 'open_due' : column
  // One more says whether there is more, and the bound itself may be there too.
  const query = { ...condition, between, orderBy, newestFirst, offset, limit: limit + 2, uncounted: true } as const
  const found = (await context.models.page(orderModel, query)).rows.filter((row) => row[column] !== last)
  const rows = found.slice(0, limit)
  const orders = await recordsOf(context, rows)
  const total = isCounted ? await countedOf(context, condition) : undefined
  const end = rows.at(-1)?.[column]
  const next_cursor =
    found.length > limit && end !== undefined ? cursors.write(context, { kind, sort, last: end }) : undefined
  return {
    ...{ result: true, orders },
    ...omitUndefined({ total, next_cursor }),
  }
}

/** The number of orders that meet a condition. */
export async function countedOf(context: Context, condition: Condition): Promise<number> {
  return (await context.models.page(orderModel, { ...condition, limit: 0 })).total
}

/** Orders in order of their last change, and the cursor of what changes after them. */
export async function changedOrders(
  context: Context,
  condition: Condition,
  following: Following,
  { limit, isCounted }: Pick<Wanted, 'limit' | 'isCounted'>,
) {
  const counted = { ...condition, ...(!isCounted && { uncounted: true as const }) }
  const { rows, total, ...more } = await changedRows(context, orderModel, changeColumns, counted, following, limit)
  return { ...{ result: true, ...(isCounted && { total }), orders: await recordsOf(context, rows) }, ...more }
}
