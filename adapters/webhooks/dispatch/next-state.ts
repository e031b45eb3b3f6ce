import type { AttemptResult, DueDelivery, Outcome } from '../../node/deliveries.ts'
import { retryPolicies } from '../retry-policy.ts'

/** Relative jitter of a delay, so that deliveries that failed together do not retry together. */
const jitter = 0.1

/**
 * The state of a delivery after an attempt (document 3, "Limits"). A test is tried once; other deliveries follow the
 * retry schedule of their channel.
 */
export function nextDeliveryState(
  delivery: Pick<DueDelivery, 'channel' | 'attempts' | 'isTest'>,
  { failure, retryAfter = 0 }: Pick<Outcome, 'failure' | 'retryAfter'>,
  now: number,
  random: () => number,
): Pick<AttemptResult, 'state' | 'dueAt'> {
  if (failure === undefined) return { state: 'delivered' }
  if (delivery.isTest) return { state: 'failed' }
  const { pauses, end } = retryPolicies[delivery.channel]
  const pause = pauses[delivery.attempts]
  if (pause === undefined) return { state: end }
  const usual = pause * (1 - jitter + 2 * jitter * random())
  return {
    state: 'waiting',
    dueAt: now + Math.max(usual, Math.min(retryAfter, pauses[delivery.attempts + 1] ?? pause)),
  }
}
