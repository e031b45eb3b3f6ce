import * as v from 'valibot'
import { type Account, staff } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { operation } from '../../kernel/operation.ts'
import type { Condition } from '../../kernel/read-model.ts'
import { zonedIso } from '../../kernel/zone.ts'
import { countedOf, statusCounts, visibleCounts } from './counted.ts'
import { todayOf } from './days.ts'

const count = (of: string) => v.pipe(v.number(), v.description(of))

/** Returns what is open and what needs somebody, at this moment. */
export const getToday = operation({
  name: 'get_today',
  summary:
    'Orders at this moment: open ones by status, those of today, and what needs somebody: failed, undeliverable, late, unassigned.',
  scopes: ['analytics:read'],
  risk: 'low',
  tag: 'Client',
  mcp: {
    title: 'Orders at this moment',
    server: 'developer',
    idempotent: true,
    hint: 'Open orders count whatever their day. get_orders lists them by status, or those that are late.',
  },
  rest: { method: 'GET', path: '/api/v1/analytics/today' },
  input: v.strictObject({}),
  output: v.strictObject({
    result: v.literal(true),
    at: v.string(),
    date: v.string(),
    time_zone: v.string(),
    open: v.pipe(statusCounts, v.description('Orders that have not ended, whatever their day.')),
    today: v.pipe(statusCounts, v.description('Orders scheduled for today, or without a day and created today.')),
    exceptions: v.strictObject({
      failed: count('Orders whose last attempt failed, and that wait for a decision.'),
      undeliverable: count('Of the failed ones, those that were refused.'),
      late: count('Open orders whose day, or time window of today, is over; those that failed, too.'),
      unassigned: v.exactOptional(
        count(
          'Orders for today or earlier that nobody has: no driver, route, contractor or carrier. Not for customers.',
        ),
      ),
    }),
  }),
  errors: [],
  handle: async (context) => {
    const account = accountOf(context)
    const [now, date] = [context.clock(), todayOf(context, account)]
    const { timeZone } = account.business
    const open = await countsBy(context, 'status', openStatuses(context))
    return {
      ...{ result: true, at: zonedIso(now, timeZone), date, time_zone: timeZone },
      open: visibleCounts(context, open),
      today: (await countedOf(context, account, { from: date, to: date })).by_status,
      exceptions: {
        failed: open.get(failedId(context)) ?? 0,
        undeliverable: (await countsBy(context, 'failed_reason', [failedId(context)])).get('refused') ?? 0,
        late: await lateOrders(context, account, date),
        ...(staff.includes(account.role) && { unassigned: await unassignedOrders(context, date) }),
      },
    }
  },
})

function failedId(context: Context): number {
  return context.ports.insights.statusId('FAILED')
}

function openStatuses(context: Context): readonly number[] {
  return context.ports.insights.openStatusIds()
}

/** Counts of the orders in these statuses: as many rows are read as there are such orders, however many have ended. */
function countsBy(context: Context, column: string, status: readonly number[], condition: Condition = {}) {
  return context.ports.insights.orderCounts(context, column, { ...condition, among: { status } })
}

/** The open orders that should have arrived by now. */
async function lateOrders(context: Context, { business: { timeZone } }: Account, date: string): Promise<number> {
  const status = openStatuses(context)
  const byDay = await countsBy(context, 'schedule_date', status)
  const passed = zonedIso(context.clock() - 60_000, timeZone)
  const ofToday = { where: { schedule_date: date }, between: { window_end: ['', passed.slice(11, 16)] as const } }
  // In the first minute of the day no minute of it has passed.
  const windows = passed.startsWith(date) ? await countsBy(context, 'schedule_date', status, ofToday) : new Map()
  return sumBefore(byDay, date) + (windows.get(date) ?? 0)
}

/** The orders up to a day that nobody has. */
async function unassignedOrders(context: Context, date: string): Promise<number> {
  const { orderCounts, statusId } = context.ports.insights
  const nobody = { driver_id: [null], broker_id: [null], provider: [null], route_id: [null] }
  // The status is what the rows are looked up by: of all orders, many have no driver any more, or never had one.
  const condition = { where: { status: statusId('NEW_ORDER') }, among: nobody }
  const byDay = await orderCounts(context, 'schedule_date', condition)
  return sumBefore(byDay, date) + (byDay.get(date) ?? 0)
}

function sumBefore(byDay: Awaited<ReturnType<typeof countsBy>>, date: string): number {
  return [...byDay].reduce((sum, [day, orders]) => (typeof day === 'string' && day < date ? sum + orders : sum), 0)
}
