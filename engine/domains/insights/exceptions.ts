import * as v from 'valibot'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { named } from '../../kernel/named.ts'
import { operation } from '../../kernel/operation.ts'
import { pageAnswerEntries, pageEntries, pageOf } from '../../kernel/paging.ts'
import type { Condition, Page, Row } from '../../kernel/read-model.ts'
import { day } from '../../kernel/schemas.ts'
import { zonedIso } from '../../kernel/zone.ts'
import { exceptionStatuses, idsOf } from './counted.ts'
import { ordersOf, todayOf } from './days.ts'

const text = v.nullable(v.string())

const exception = named(
  'OrderException',
  v.strictObject({
    order_id: v.number(),
    tracking_number: v.string(),
    external_tracking_number: text,
    reference: text,
    type: v.pipe(v.string(), v.description('D, P or P2P; empty for orders of other families.')),
    status: v.string(),
    order_status_id: v.number(),
    schedule_date: text,
    failed_at: v.pipe(text, v.description('When the last attempt failed, in the time zone of the business.')),
    failed_stage: v.pipe(text, v.description('pickup or delivery.')),
    failed_reason: v.pipe(text, v.description('deliver_later, reschedule or refused.')),
  }),
)

/** Lists failed and returned orders of a day: those scheduled for it, and unscheduled ones created on it. */
export const listExceptions = operation({
  name: 'list_exceptions',
  summary: 'Failed and returned orders of a day (scheduled for it, or without a day and created on it), newest first.',
  scopes: ['orders:read'],
  risk: 'low',
  tag: 'Client',
  mcp: { title: 'Exceptions of a day', idempotent: true },
  rest: { method: 'GET', path: '/api/v1/orders/exceptions' },
  input: v.strictObject({
    date: v.exactOptional(
      v.pipe(day, v.description('The scheduled day, or that of creation for orders without one. Default: today.')),
    ),
    ...pageEntries,
  }),
  output: v.strictObject({
    result: v.literal(true),
    ...pageAnswerEntries,
    date: v.string(),
    orders: v.array(exception),
  }),
  errors: [],
  handle: async (context, { date: requested, ...page }) => {
    const account = accountOf(context)
    const date = requested ?? todayOf(context, account)
    const { range, paging } = pageOf(page)
    const { rows, total } = await exceptionRows(context, ordersOf(account, { from: date, to: date }), range)
    return { result: true, total, ...paging, date, orders: rows.map((row) => exceptionOf(row, context)) }
  },
})

/** A page of the failed and returned orders that meet one of two conditions, newest first. */
async function exceptionRows(
  context: Context,
  conditions: readonly [Condition, Condition],
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<Page> {
  const among = { status: idsOf(context, exceptionStatuses) }
  const pages = await Promise.all(
    conditions.map((condition) =>
      context.ports.insights.orderRows(context, { ...condition, among, newestFirst: true, limit: offset + limit }),
    ),
  )
  const rows = pages.flatMap((page) => page.rows)
  rows.sort((one, other) => Number(other.order_id) - Number(one.order_id))
  return { rows: rows.slice(offset, offset + limit), total: pages.reduce((sum, { total }) => sum + total, 0) }
}

function exceptionOf(row: Row, context: Context): v.InferOutput<typeof exception> {
  const { timeZone } = accountOf(context).business
  const status = context.ports.insights.visibleStatus(context, Number(row.status))
  const textOf = (column: string) => {
    const cell = row[column]
    return typeof cell === 'string' ? cell : null
  }
  const failedAt = textOf('failed_at')
  return {
    order_id: Number(row.order_id),
    tracking_number: textOf('tracking_number') ?? '',
    external_tracking_number: textOf('external_tracking_number'),
    reference: textOf('reference'),
    type: textOf('type') ?? '',
    status: status.name,
    order_status_id: status.id,
    schedule_date: textOf('schedule_date'),
    failed_at: failedAt === null ? null : zonedIso(Date.parse(failedAt), timeZone),
    failed_stage: textOf('failed_stage'),
    failed_reason: textOf('failed_reason'),
  }
}
