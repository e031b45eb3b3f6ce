import type { Account } from '../../kernel/account.ts'
import type { Context } from '../../kernel/context.ts'
import { endOfDay, startOfDay } from '../../kernel/days.ts'
import type { Cell, Condition } from '../../kernel/read-model.ts'
import { isoOf } from '../../kernel/time.ts'
import { dayIn } from '../../kernel/zone.ts'

/** A range of days, both inclusive: `YYYY-MM-DD`. */
export interface Days {
  readonly from: string
  readonly to: string
}

/** Named ranges of days. */
export const periods = ['today', 'week', 'month'] as const

const dayLength = 86_400_000

/** The day a number of days later (or earlier, if negative). */
export function shifted(day: string, days: number): string {
  return isoOf(Date.parse(`${day}T00:00:00Z`) + days * dayLength).slice(0, 10)
}

/** The number of days in a range. */
export function lengthOf({ from, to }: Days): number {
  return (Date.parse(to) - Date.parse(from)) / dayLength + 1
}

/** Today, or the week (from Monday) or month of today. */
export function daysOf(period: (typeof periods)[number], today: string): Days {
  if (period === 'today') return { from: today, to: today }
  if (period === 'week') {
    const sinceMonday = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7
    const from = shifted(today, -sinceMonday)
    return { from, to: shifted(from, 6) }
  }
  const from = `${today.slice(0, 8)}01`
  const nextMonth = `${shifted(from, 31).slice(0, 8)}01`
  return { from, to: shifted(nextMonth, -1) }
}

/** Today in the time zone of the account's business. */
export function todayOf({ clock }: Pick<Context, 'clock'>, { business }: Account): string {
  return dayIn(clock(), business.timeZone)
}

/** The orders of a range of days: those scheduled for it, and unscheduled ones created in it. */
export function ordersOf({ business: { timeZone } }: Account, { from, to }: Days): readonly [Condition, Condition] {
  return [
    { between: { schedule_date: [from, to] } },
    {
      where: { schedule_date: null },
      between: { created_at: [startOfDay(from, timeZone), endOfDay(to, timeZone)] },
    },
  ]
}

/** The number of orders in a range of days for each value of a column, of those with these values. */
export async function countsOf(
  context: Context,
  account: Account,
  days: Days,
  column: string,
  among: Condition['among'] = {},
): Promise<ReadonlyMap<Cell, number>> {
  const sums = new Map<Cell, number>()
  for (const condition of ordersOf(account, days))
    for (const [value, count] of await context.ports.insights.orderCounts(context, column, { ...condition, among }))
      sums.set(value, (sums.get(value) ?? 0) + count)
  return sums
}
