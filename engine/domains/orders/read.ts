import * as v from 'valibot'
import {
  followedEntries,
  followingEntries,
  followingOf,
  followingProblem,
  longestCursor,
} from '../../entity/changed.ts'
import { families } from '../../kernel/account.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { operation } from '../../kernel/operation.ts'
import { localDelivery } from '../../kernel/order-family.ts'
import { pageAnswerEntries, pageOf } from '../../kernel/paging.ts'
import { id, refusingMember } from '../../kernel/schemas.ts'
import { csvColumns, csvRow, csvRowOf } from './csv.ts'
import { anyOrder, anyOrderIds, anyRecord, recordsOf } from './families.ts'
import { conditionOf, filterEntries, filterIds, tagEntries } from './filter.ts'
import { changeColumns, changedOrders, listedOrders, placeIn, sortEntry, sorts } from './list.ts'
import { orderModel } from './order-model.ts'
import { orderEntries } from './schema.ts'

/** One order. */
export const getOrderDetail = operation({
  name: 'get_order_detail',
  summary: 'One order by its id, of any family.',
  scopes: ['orders:read'],
  risk: 'low',
  tag: 'Client',
  mcp: { title: 'Order detail' },
  rest: { method: 'GET', path: '/api/v1/orders/{order_id}' },
  ids: anyOrderIds,
  input: v.strictObject(orderEntries),
  output: v.strictObject({ result: v.literal(true), order: anyOrder }),
  errors: ['order_not_found'],
  handle: async (context, { order_id }) => ({ result: true, order: await anyRecord(context, order_id) }),
})

const listed = v.strictObject({
  family: v.exactOptional(
    v.pipe(
      v.picklist(families),
      v.description('Only orders of this family; all that the caller may see where absent.'),
    ),
  ),
  ...filterEntries,
  ...tagEntries,
  ...followingEntries(sorts),
  sort: sortEntry,
  cursor: v.exactOptional(
    v.pipe(
      v.string(),
      v.maxLength(longestCursor),
      v.description('next_cursor of an answer, with the same filters: the rest of its list, or what changed after it.'),
    ),
  ),
  with_total: v.exactOptional(
    v.pipe(
      v.boolean(),
      v.description('false leaves total out: to count many orders takes longer than to read a page.'),
    ),
  ),
})

/** The orders that the caller may see. */
export const getOrders = operation({
  name: 'get_orders',
  summary:
    'Orders of all families, filtered and by pages, newest first; or those that changed since a moment or an earlier answer.',
  scopes: ['orders:read'],
  risk: 'low',
  tag: 'Client',
  mcp: { title: 'List orders' },
  rest: { method: 'GET', path: '/api/v1/orders' },
  ids: filterIds,
  input: v.pipe(
    listed,
    refusingMember((input) => followingProblem(input)),
  ),
  output: v.strictObject({
    result: v.literal(true),
    ...pageAnswerEntries,
    total: v.exactOptional(pageAnswerEntries.total),
    orders: v.array(anyOrder),
    ...followedEntries,
    next_cursor: v.exactOptional(
      v.pipe(
        v.string(),
        v.description(
          'Asks for the rest of the list, and is missing at its end; with updated_since and what follows it, for what changes after this answer.',
        ),
      ),
    ),
  }),
  errors: [],
  handle: async (context, { page, per_page, updated_since, cursor, sort = '-created_at', with_total, ...filter }) => {
    const { range, paging } = pageOf({ ...(page && { page }), ...(per_page && { per_page }) })
    const wanted = { ...range, isCounted: with_total !== false }
    const condition = await conditionOf(context, filter)
    const place = placeIn(context, cursor)
    const following = place ? undefined : followingOf(context, changeColumns, { updated_since, cursor })
    const listed =
      following === undefined
        ? await listedOrders(context, condition, place ?? { sort }, wanted)
        : await changedOrders(context, condition, following, wanted)
    return { ...listed, ...paging }
  },
})

const exportPage = 100

/** The orders that the caller may see, as rows of a table. */
export const exportOrders = operation({
  name: 'export_orders',
  summary:
    'Orders of a family as CSV, the oldest first: those of local delivery have the columns that import_orders reads. Surcharges have no column.',
  scopes: ['orders:read'],
  risk: 'low',
  tag: 'Client',
  rest: {
    method: 'GET',
    path: '/api/v1/orders/export',
    csv: { columns: csvColumns, rows: 'orders', asks: 'after', tells: 'next_after', file: 'orders' },
  },
  ids: { ...filterIds, after: 'filter' },
  input: v.strictObject({
    ...filterEntries,
    family: v.exactOptional(
      v.pipe(v.picklist(families), v.description('The family of the orders; local_delivery where absent.')),
    ),
    after: v.exactOptional(v.pipe(id, v.description('Only orders with a greater id.'))),
  }),
  output: v.strictObject({ result: v.literal(true), orders: v.array(csvRow), next_after: v.exactOptional(v.number()) }),
  errors: [],
  handle: async (context, { after = 0, family = localDelivery, ...filter }) => {
    const condition = await conditionOf(context, { ...filter, family })
    const between = { ...condition.between, order_id: [after + 1, undefined] as const }
    const query = { ...condition, between, limit: exportPage, uncounted: true } as const
    const { rows } = await context.models.page(orderModel, query)
    const orders = await recordsOf(context, rows)
    const next_after = rows.length < exportPage ? undefined : Number(rows.at(-1)?.order_id)
    return {
      ...{ result: true, orders: orders.map(csvRowOf) },
      ...omitUndefined({ next_after }),
    }
  },
})
