import * as v from 'valibot'
import { staff } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import { operation } from '../../kernel/operation.ts'
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
    hint: 'Open orders count whatever their day. get_orders lists them by status, and those that are late, undeliverable or unassigned.',
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
      reported: v.exactOptional(
        count('Orders that nobody has, and on which a carrier that was not given them reports. For staff.'),
      ),
      contradicting: v.exactOptional(
        count('Orders on whose parcels carriers report what cannot have happened to one parcel. For staff.'),
      ),
    }),
  }),
  errors: [],
  handle: async (context) => {
    const account = accountOf(context)
    const [now, date] = [context.clock(), todayOf(context, account)]
    const { timeZone } = account.business
    const { countListed, openStatusIds, orderCounts, statusId } = context.ports.insights
    // As many rows are read as there are open orders, however many have ended.
    const open = await orderCounts(context, 'status', { among: { status: openStatusIds() } })
    return {
      ...{ result: true, at: zonedIso(now, timeZone), date, time_zone: timeZone },
      open: visibleCounts(context, open),
      today: (await countedOf(context, account, { from: date, to: date })).by_status,
      exceptions: {
        failed: open.get(statusId('FAILED')) ?? 0,
        undeliverable: await countListed(context, 'undeliverable'),
        late: await countListed(context, 'late'),
        ...(staff.includes(account.role) && {
          unassigned: await countListed(context, 'unassigned'),
          reported: await countListed(context, 'reported'),
          contradicting: await countListed(context, 'contradicting'),
        }),
      },
    }
  },
})
