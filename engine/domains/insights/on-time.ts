import * as v from 'valibot'
import type { Account } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { endOfMinute } from '../../kernel/days.ts'
import { named } from '../../kernel/named.ts'
import { operation } from '../../kernel/operation.ts'
import type { Query, Row } from '../../kernel/read-model.ts'
import { idsOf } from './counted.ts'
import { shifted, todayOf } from './days.ts'

/** The orders of a day that were delivered, and how many of them by the end of the day, or of their window. */
export interface Punctuality {
  readonly delivered: number
  readonly onTime: number
}

/** Number of rows read at a time. */
const pageSize = 1_000

/** How punctual the orders were that were scheduled for a day, as far as the account may see them. */
export async function punctualityOf(
  context: Context,
  { business: { timeZone } }: Account,
  day: string,
): Promise<Punctuality> {
  const isOnTime = punctual(timeZone)
  const among = { status: idsOf(context, ['DELIVERED', 'DELIVERED_BY_CARRIER']) }
  const columns = ['order_id', 'delivered_at', 'schedule_date', 'window_end']
  let [delivered, onTime] = [0, 0]
  for (let next = 1; ; ) {
    const between = { order_id: [next, undefined] as const }
    const query: Query = { where: { schedule_date: day }, among, between, columns, limit: pageSize, uncounted: true }
    const { rows } = await context.ports.insights.orderRows(context, query)
    delivered += rows.length
    onTime += rows.filter(isOnTime).length
    if (rows.length < pageSize) return { delivered, onTime }
    next = Number(rows.at(-1)?.order_id) + 1
  }
}

/**
 * Returns whether an order was delivered before the end of its scheduled day, or of its time window on that day; the last minute
 * is included. An early delivery is on time.
 */
export function punctual(zone: string): (row: Row) => boolean {
  const ends = new Map<string, string>()
  return ({ delivered_at, schedule_date, window_end }) => {
    if (typeof delivered_at !== 'string') return false
    const [day, minute] = [String(schedule_date), String(window_end ?? '23:59')]
    const end = ends.get(`${day} ${minute}`) ?? endOfMinute(day, minute, zone)
    ends.set(`${day} ${minute}`, end)
    return delivered_at <= end
  }
}

/** The share that was on time, to four digits; null if nothing was delivered. */
export function rateOf({ delivered, onTime }: Punctuality): number | null {
  return delivered === 0 ? null : Math.round((onTime / delivered) * 10_000) / 10_000
}

/** The punctuality of several days together. */
export function together(days: readonly Punctuality[]): Punctuality {
  const sum = (count: (day: Punctuality) => number) => days.reduce((total, day) => total + count(day), 0)
  return { delivered: sum(({ delivered }) => delivered), onTime: sum(({ onTime }) => onTime) }
}

const share = v.pipe(
  v.nullable(v.number()),
  v.description('Share of the delivered orders that arrived in time, from 0 to 1; null if there are none.'),
)

const punctualDay = named(
  'PunctualDay',
  v.strictObject({ date: v.string(), delivered: v.number(), on_time: v.number(), on_time_rate: share }),
)

/** The most days in an answer. */
const maxDays = 31

/** Returns the on-time rate of each of the last days. */
export const getOnTimeRate = operation({
  name: 'get_on_time_rate',
  summary: 'On-time rate of each of the last days, and of all of them: today and those before.',
  scopes: ['analytics:read'],
  risk: 'low',
  tag: 'Client',
  mcp: {
    title: 'On-time rate by day',
    server: 'developer',
    idempotent: true,
    hint: 'Counts orders with a scheduled day, on that day. Those that were not delivered are not counted.',
  },
  rest: { method: 'GET', path: '/api/v1/analytics/on-time' },
  input: v.strictObject({
    days: v.exactOptional(
      v.pipe(
        v.number(),
        v.safeInteger(),
        v.minValue(1),
        v.maxValue(maxDays),
        v.description('How many days, today included. Default: 14.'),
      ),
    ),
  }),
  output: v.strictObject({
    result: v.literal(true),
    time_zone: v.string(),
    delivered: v.number(),
    on_time: v.number(),
    on_time_rate: share,
    days: v.pipe(v.array(punctualDay), v.description('Oldest first.')),
  }),
  errors: [],
  handle: async (context, { days: count = 14 }) => {
    const account = accountOf(context)
    const today = todayOf(context, account)
    const days = []
    for (let ago = count - 1; ago >= 0; ago--) {
      const date = shifted(today, -ago)
      days.push({ date, ...(await punctualityOf(context, account, date)) })
    }
    return {
      ...{ result: true, time_zone: account.business.timeZone, ...recordOf(together(days)) },
      days: days.map(({ date, ...day }) => ({ date, ...recordOf(day) })),
    }
  },
})

function recordOf(day: Punctuality) {
  return { delivered: day.delivered, on_time: day.onTime, on_time_rate: rateOf(day) }
}
