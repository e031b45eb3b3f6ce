import * as v from 'valibot'
import type { Account } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import { day } from '../../kernel/schemas.ts'
import { countedOf, statusCounts } from './counted.ts'
import { countsOf, type Days, daysOf, lengthOf, periods, shifted, todayOf } from './days.ts'
import { type Punctuality, punctualityOf, rateOf, together } from './on-time.ts'

/** The longest range in days. */
const maxDays = 366

/** The most carriers in the answer. */
const maxCarriers = 10

/** Returns the counts and the on-time rate of a range of days. */
export const getOrdersSummary = operation({
  name: 'get_orders_summary',
  summary: 'Orders in a range of days: counts by status, top carriers, on-time rate, and exceptions.',
  scopes: ['analytics:read'],
  risk: 'low',
  tag: 'Client',
  mcp: {
    title: 'Summary of orders',
    idempotent: true,
    hint: 'Days are those of the business. An order without a scheduled date counts on its creation date.',
  },
  rest: { method: 'GET', path: '/api/v1/analytics/orders-summary' },
  input: v.strictObject({
    period: v.exactOptional(
      v.pipe(
        v.picklist(periods),
        v.description(
          'today (the default), the week from Monday, or the month. Cannot be combined with date_from or date_to.',
        ),
      ),
    ),
    date_from: v.exactOptional(v.pipe(day, v.description('First day of a range of at most 366 days.'))),
    date_to: v.exactOptional(v.pipe(day, v.description('Last day of the range. Default: today.'))),
  }),
  output: v.strictObject({
    result: v.literal(true),
    date_from: v.string(),
    date_to: v.string(),
    time_zone: v.string(),
    total: v.number(),
    by_status: statusCounts,
    top_carriers: v.exactOptional(
      v.pipe(
        v.array(v.strictObject({ carrier: v.string(), orders: v.number() })),
        v.description('Third-party carriers with the most orders; not shown to customers.'),
      ),
    ),
    on_time_rate: v.pipe(
      v.nullable(v.number()),
      v.description(
        'Share of delivered orders that arrived by the end of their day, or of their window; null if there are none.',
      ),
    ),
    exceptions: v.pipe(v.number(), v.description('Failed and returned orders.')),
  }),
  errors: ['too_many_days'],
  handle: async (context, input) => {
    const account = accountOf(context)
    const days = requestedDays(input, todayOf(context, account))
    const { total, by_status, exceptions } = await countedOf(context, account, days)
    return {
      ...{ result: true, date_from: days.from, date_to: days.to, time_zone: account.business.timeZone },
      ...{ total, by_status },
      ...(account.role === 'customer' ? {} : { top_carriers: await carriersOf(context, account, days) }),
      ...{ on_time_rate: await onTimeRate(context, account, days), exceptions },
    }
  },
})

interface PeriodInput {
  readonly period?: (typeof periods)[number]
  readonly date_from?: string
  readonly date_to?: string
}

function requestedDays({ period, date_from: from, date_to: to }: PeriodInput, today: string): Days {
  if (period !== undefined && (from !== undefined || to !== undefined))
    throw new EngineError('invalid_input', { count: 1 }, [{ path: 'period', code: 'period_and_days' }])
  if (from === undefined) {
    if (to !== undefined)
      throw new EngineError('invalid_input', { count: 1 }, [
        { path: 'date_from', code: 'required', params: { field: 'date_from' } },
      ])
    return daysOf(period ?? 'today', today)
  }
  const days = { from, to: to ?? today }
  const length = lengthOf(days)
  if (length < 1) throw new EngineError('invalid_input', { count: 1 }, [{ path: 'date_to', code: 'ends_before_start' }])
  if (length > maxDays) throw new EngineError('too_many_days', { limit: maxDays })
  return days
}

async function carriersOf(context: Context, account: Account, days: Days) {
  const counts = await countsOf(context, account, days, 'provider')
  return [...counts]
    .flatMap(([carrier, orders]) => (typeof carrier === 'string' ? [{ carrier, orders }] : []))
    .sort((one, other) => other.orders - one.orders || (one.carrier < other.carrier ? -1 : 1))
    .slice(0, maxCarriers)
}

async function onTimeRate(context: Context, account: Account, days: Days): Promise<number | null> {
  const punctual: Punctuality[] = []
  for (let day = days.from; day <= days.to; day = shifted(day, 1))
    punctual.push(await punctualityOf(context, account, day))
  return rateOf(together(punctual))
}
