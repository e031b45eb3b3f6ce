import * as v from 'valibot'
import { accountOf } from '../../kernel/call.ts'
import { operation } from '../../kernel/operation.ts'
import { countedOf, statusCounts } from './counted.ts'
import { todayOf } from './days.ts'

/** Returns the counts of today's orders. */
export const dailyDigest = operation({
  name: 'daily_digest',
  summary: "Today's orders: total, counts by status, exceptions, and pending pick-ups.",
  scopes: ['analytics:read'],
  risk: 'low',
  tag: 'Client',
  mcp: {
    title: 'Digest of today',
    idempotent: true,
    hint: 'Today is the date in the time zone of the business. An order without a scheduled date counts on its creation date.',
  },
  rest: { method: 'GET', path: '/api/v1/analytics/daily-digest' },
  input: v.strictObject({}),
  output: v.strictObject({
    result: v.literal(true),
    date: v.string(),
    time_zone: v.string(),
    total: v.number(),
    by_status: statusCounts,
    exceptions: v.pipe(v.number(), v.description('Failed and returned orders.')),
    pending_pickups: v.pipe(v.number(), v.description('Orders that are neither held nor picked up yet.')),
  }),
  errors: [],
  handle: async (context) => {
    const account = accountOf(context)
    const date = todayOf(context, account)
    const counted = await countedOf(context, account, { from: date, to: date })
    return { result: true, date, time_zone: account.business.timeZone, ...counted }
  },
})
