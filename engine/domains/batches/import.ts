import * as v from 'valibot'
import type { Values } from '../../entity/field.ts'
import { accountOf } from '../../kernel/call.ts'
import { operation } from '../../kernel/operation.ts'
import { refuseLongRows, tallyOf } from '../../kernel/rows.ts'
import { acceptBatch, maxLater } from './async.ts'
import { createdAtOnce, maxAtOnce } from './bulk.ts'
import { answerOfRow, rowAnswer } from './rows.ts'

/** Reads requests for orders out of a text in CSV, at most so many. */
export type ReadRows = (text: string, most: number) => readonly { readonly line: number; readonly order: Values }[]

const lines = v.pipe(v.array(v.number()), v.description('The line of each order of the batch, by its place in it.'))

/** Creates orders from CSV: few at once, many as a batch. */
export const importOrders = (rowsIn: ReadRows) =>
  operation({
    name: 'import_orders',
    summary: `Create up to ${maxLater} orders from CSV, each with its own result: up to ${maxAtOnce} at once, more as an asynchronous batch.`,
    scopes: ['orders:write'],
    risk: 'high',
    tag: 'Client',
    roles: ['client_admin', 'client_employee', 'customer'],
    rest: {
      ...{ method: 'POST', path: '/api/v1/orders/import' },
      ...{ document: 'csv', types: ['text/csv'], bodyLimit: 1024 * 1024 },
    },
    input: v.strictObject({
      csv: v.pipe(v.string(), v.description('RFC 4180 in UTF-8. The first line names the columns.')),
      dry_run: v.exactOptional(v.pipe(v.boolean(), v.description('Only say what would become of each line.'))),
    }),
    output: v.strictObject({
      result: v.pipe(v.boolean(), v.description('Whether at least one order was, or would be, created.')),
      total: v.number(),
      created: v.number(),
      failed: v.number(),
      orders: v.array(v.strictObject({ line: v.pipe(v.number(), v.description('From 1.')), ...rowAnswer.entries })),
      asyncId: v.exactOptional(
        v.pipe(v.number(), v.description('Of the batch: get_async_batch_result has its results.')),
      ),
      lines: v.exactOptional(lines),
    }),
    errors: ['contention'],
    handle: async (context, { csv, dry_run = false }) => {
      accountOf(context)
      const rows = rowsIn(csv, maxLater)
      const orders = rows.map(({ order }) => order)
      if (orders.length > maxAtOnce && !dry_run) {
        refuseLongRows('csv', orders)
        const asyncId = await acceptBatch(context, orders, undefined)
        const told = { asyncId, lines: rows.map(({ line }) => line) }
        return { result: true, total: orders.length, created: 0, failed: 0, orders: [], ...told }
      }
      const results = await createdAtOnce(context, orders, (drafted) => (dry_run ? drafted : undefined))
      const { created, failed } = tallyOf(results)
      const answers = results.map((row) => {
        const { order_id, tracking_number, ...told } = answerOfRow(row, context.messages)
        const made = dry_run ? {} : { ...(order_id && { order_id }), ...(tracking_number && { tracking_number }) }
        return { line: rows[row.index]?.line ?? 0, ...told, ...made }
      })
      return { result: created > 0, total: orders.length, created: dry_run ? 0 : created, failed, orders: answers }
    },
  })
