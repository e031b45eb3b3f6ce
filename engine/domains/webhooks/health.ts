import type { HealthPeriod } from '../../kernel/webhooks.ts'
import { latencyBounds } from '../../kernel/webhooks.ts'

/** What a number of attempts says: how many were delivered, and how quickly. */
interface Tally {
  readonly attempts: number
  readonly delivered: number
  /** From 0 to 1; undefined without an attempt. */
  readonly rate: number | undefined
  /** Milliseconds within which half of the delivered attempts, and 95 of 100, were answered. */
  readonly p50: number | undefined
  readonly p95: number | undefined
}

/** The longest an attempt can take in milliseconds. */
const longest = 3_000

/** The tally of a period. */
export function tallyOf({ failed, latencies }: HealthPeriod): Tally {
  const delivered = latencies.reduce((sum, count) => sum + count, 0)
  const attempts = delivered + failed
  const rate = attempts === 0 ? undefined : delivered / attempts
  return { attempts, delivered, rate, p50: quantileOf(latencies, 0.5), p95: quantileOf(latencies, 0.95) }
}

/** A quantile of latencies that are counted by step, which are taken as evenly spread within each. */
function quantileOf(latencies: readonly number[], part: number): number | undefined {
  const rank = part * latencies.reduce((sum, count) => sum + count, 0)
  if (rank === 0) return undefined
  let before = 0
  for (const [index, count] of latencies.entries()) {
    const [from, to] = [latencyBounds[index - 1] ?? 0, latencyBounds[index] ?? longest]
    if (before + count >= rank) return Math.round(from + ((to - from) * (rank - before)) / count)
    before += count
  }
  return longest
}
