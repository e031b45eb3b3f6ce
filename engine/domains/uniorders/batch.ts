import * as v from 'valibot'
import { staff } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { named, shownAs } from '../../kernel/named.ts'
import { type Answer, operation } from '../../kernel/operation.ts'
import { refusedRowAnswer, rowRefusalEntries, tallyOf } from '../../kernel/rows.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { bookingSchema } from './booking.ts'
import { type BookedRow, draftRows } from './rows.ts'
import { recordOf, settleUniorder, uniorderRecord } from './uniorder.ts'

/** The most shipments of one call (document 1, limits). */
const maxShipments = 20

/** The most carriers that are asked for labels at once. */
const atOnce = 5

/** A shipment of many, by the schema of one. An invalid shipment is refused alone, without the others. */
export const requestRow = shownAs('UniorderBooking', v.union([bookingSchema, v.record(v.string(), v.unknown())]))

const rowSchema = named(
  'UniorderBatchRow',
  v.strictObject({
    index: v.pipe(v.number(), v.description('Place in the call, from 0.')),
    result: v.boolean(),
    reference: v.exactOptional(v.string()),
    uniorder: v.exactOptional(uniorderRecord),
    ...rowRefusalEntries,
  }),
)

/** Books many shipments. */
export const uniorderCreateBatch = operation({
  name: 'uniorder_create_batch',
  summary: `Book up to ${maxShipments} shipments, each at its own rate and with its own result.`,
  scopes: ['uniorder:write'],
  roles: [...staff, 'customer'],
  risk: 'high',
  tag: 'Uniorder',
  mcp: {
    title: 'Book many shipments',
    destructive: false,
    hint: 'A refused shipment does not stop the others. Send an idempotency key, so that a repeated call does not book again.',
  },
  rest: { method: 'POST', path: '/api/v1/uniorder/batch', bodyLimit: 512 * 1024 },
  ids: { 'orders.*.rate_id': 'each' },
  input: v.strictObject({ orders: v.pipe(v.array(requestRow), v.minLength(1), v.maxLength(maxShipments)) }),
  output: v.strictObject({
    result: v.pipe(v.boolean(), v.description('Whether at least one shipment was booked.')),
    total: v.number(),
    created: v.number(),
    failed: v.number(),
    orders: v.array(rowSchema),
  }),
  errors: ['contention'],
  handle: async (context, { orders }) => {
    accountOf(context)
    const rows = await retryOnConflict(async () => {
      const { rows, appends } = await draftRows(context, orders)
      if (appends.length > 0) await context.store.appendMany(appends)
      return rows
    })
    const { created, failed } = tallyOf(rows)
    const answers = await Promise.all(rows.map((row) => rowAnswer(context, row)))
    return { result: created > 0, total: rows.length, created, failed, orders: answers }
  },
  settle: async (context, { orders, ...answer }) => {
    const rows = orders as readonly v.InferOutput<typeof rowSchema>[]
    const settled: Answer[] = []
    for (let from = 0; from < rows.length; from += atOnce)
      settled.push(...(await Promise.all(rows.slice(from, from + atOnce).map((row) => settledRow(context, row)))))
    return { ...answer, orders: settled }
  },
})

async function rowAnswer(context: Context, row: BookedRow): Promise<Answer> {
  if (!row.result) return refusedRowAnswer(row, context.messages)
  const { uniorder_id, ...place } = row
  return { ...place, uniorder: await recordOf(context, uniorder_id) }
}

async function settledRow(context: Context, row: v.InferOutput<typeof rowSchema>): Promise<Answer> {
  if (row.uniorder === undefined) return row
  const { uniorder_id } = row.uniorder
  await settleUniorder(context, uniorder_id)
  return { ...row, uniorder: await recordOf(context, uniorder_id) }
}
