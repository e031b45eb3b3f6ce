import * as v from 'valibot'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { operation } from '../../kernel/operation.ts'
import { tallyOf } from '../../kernel/rows.ts'
import { retryOnConflict } from '../../store/execute.ts'
import type { RowResult } from './events.ts'
import { answerOfRow, draftRows, rowAnswer, rowOrder } from './rows.ts'

/** The most orders in one call (document 1, limits). */
export const maxAtOnce = 100

/** Creates orders together and at once; `newOrder` is the schema of each. */
export const bulkCreateOrders = (newOrder: v.GenericSchema) =>
  operation({
    name: 'bulk_create_orders',
    summary: 'Create up to 100 orders in one call, each with its own result.',
    scopes: ['orders:write'],
    risk: 'high',
    tag: 'Client',
    roles: ['client_admin', 'client_employee', 'customer'],
    mcp: {
      title: 'Create many orders',
      destructive: false,
      hint: 'A refused order does not stop the others, unless all_or_nothing is true.',
    },
    rest: { method: 'POST', path: '/api/v1/orders/bulk', bodyLimit: 1024 * 1024 },
    ids: { 'orders.*.customer_id': 'each', 'orders.*.rate_id': 'each', 'orders.*.shop_id': 'each' },
    input: v.strictObject({
      orders: v.pipe(v.array(rowOrder(newOrder)), v.minLength(1), v.maxLength(maxAtOnce)),
      all_or_nothing: v.exactOptional(
        v.pipe(v.boolean(), v.description('Create no order if any is refused. Default: false.')),
      ),
    }),
    output: v.strictObject({
      result: v.pipe(v.boolean(), v.description('Whether at least one order was created.')),
      total: v.number(),
      created: v.number(),
      failed: v.number(),
      orders: v.array(rowAnswer),
    }),
    errors: ['contention'],
    handle: async (context, { orders, all_or_nothing = false }) => {
      accountOf(context)
      const results = await createdAtOnce(context, orders, (drafted) => {
        return all_or_nothing && tallyOf(drafted).failed > 0 ? drafted.map(withheld) : undefined
      })
      const { created, failed } = tallyOf(results)
      const answers = results.map((row) => answerOfRow(row, context.messages))
      return { result: created > 0, total: orders.length, created, failed, orders: answers }
    },
  })

/** Creates orders in one transaction. Where `instead` has other results for those that were drafted, nothing is created. */
export function createdAtOnce(
  context: Context,
  orders: readonly unknown[],
  instead: (drafted: readonly RowResult[]) => readonly RowResult[] | undefined,
): Promise<readonly RowResult[]> {
  return retryOnConflict(async () => {
    const { results, appends } = await draftRows(context, orders, 'bulk')
    const others = instead(results)
    if (others === undefined && appends.length > 0) await context.store.appendMany(appends)
    return others ?? results
  })
}

/** The order was valid, but the call was all or nothing. */
function withheld(row: RowResult): RowResult {
  if (!row.result) return row
  const { order_id, tracking_number, ...rest } = row
  return { ...rest, result: false, code: 'batch_row_withheld', params: {} }
}
