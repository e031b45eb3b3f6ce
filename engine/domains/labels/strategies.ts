import { unitsOf } from '../../kernel/money.ts'
import type { OfferedRate } from './ports.ts'

/** How one of many rates is chosen. */
export const strategies = ['cheapest', 'fastest', 'best_value', 'preferred_carrier'] as const

/** How one of many rates is chosen. */
type Strategy = (typeof strategies)[number]

/**
 * Chooses one of several rates, which come cheapest first. Of equals, the cheaper one is chosen; a rate that does not tell its days is
 * the slowest. Undefined if there is none.
 *
 * - `best_value` adds how many times the price is that of the cheapest, and how many times the days are those of the fastest, and
 *   takes the least.
 * - `preferred_carrier` takes the cheapest rate of the first account that has one; other accounts have none.
 */
export function chosenRate(
  strategy: Strategy,
  offered: readonly OfferedRate[],
  preferred: readonly number[] = [],
): OfferedRate | undefined {
  switch (strategy) {
    case 'cheapest':
      return offered[0]
    case 'fastest':
      return least(offered, daysOf)
    case 'best_value':
      return least(offered, worthAmong(offered))
    case 'preferred_carrier':
      return preferred.flatMap((account) => offered.find((one) => one.carrier_account_id === account) ?? [])[0]
    default:
      return strategy satisfies never
  }
}

function daysOf({ transit_days = Number.POSITIVE_INFINITY }: OfferedRate): number {
  return transit_days
}

/** How bad a rate is among others; 2 is the best that there can be. */
function worthAmong(offered: readonly OfferedRate[]): (one: OfferedRate) => number {
  const priceOf = ({ charge }: OfferedRate) => Number(unitsOf(charge))
  const price = Math.max(1, Math.min(...offered.map(priceOf)))
  const known = offered.map(daysOf).filter(Number.isFinite)
  const [fastest, slowest] = [Math.max(1, Math.min(...known)), Math.max(1, ...known)]
  return (one) => priceOf(one) / price + Math.min(slowest, Math.max(1, daysOf(one))) / fastest
}

/** The first of those with the least value. */
function least(offered: readonly OfferedRate[], badness: (one: OfferedRate) => number): OfferedRate | undefined {
  return offered.reduce<OfferedRate | undefined>(
    (best, one) => (best === undefined || badness(one) < badness(best) ? one : best),
    undefined,
  )
}
