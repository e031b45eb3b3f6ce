import * as v from 'valibot'
import { accountOf } from '../../kernel/call.ts'
import { operation } from '../../kernel/operation.ts'
import { countedOf, statusCounts } from './counted.ts'
import { todayOf } from './days.ts'

/** Where the day stands. */
export const dailyDigest = operation({
  name: 'daily_digest',
  summary: 'The orders of today: how many, in which status, how many have failed or wait to be picked up.',
  scopes: ['analytics:read'],
  risk: 'low',
  tag: 'Client',
  mcp: {
    title: 'Digest of today',
    idempotent: true,
    hint: 'Today is the day where the business is. An order without a scheduled day counts on the day it was taken.',
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
