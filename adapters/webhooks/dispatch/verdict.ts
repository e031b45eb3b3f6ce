import { patience } from '../../../engine/index.ts'
import type { Attempted, DueDelivery, Outcome } from '../../node/deliveries.ts'

/** Of a pause, how much it may be shorter or longer, so that what failed together does not come back together. */
const jitter = 0.1

/** What a delivery is after an attempt (document 3, "Limits"): a test is tried once, all else as often as its channel is patient. */
export function verdictOn(
  delivery: Pick<DueDelivery, 'channel' | 'attempts' | 'isTest'>,
  { failure, retryAfter = 0 }: Pick<Outcome, 'failure' | 'retryAfter'>,
  now: number,
  random: () => number,
): Pick<Attempted, 'state' | 'dueAt'> {
  if (failure === undefined) return { state: 'delivered' }
  if (delivery.isTest) return { state: 'failed' }
  const { pauses, end } = patience[delivery.channel]
  const pause = pauses[delivery.attempts]
  if (pause === undefined) return { state: end }
  const usual = pause * (1 - jitter + 2 * jitter * random())
  return {
    state: 'waiting',
    dueAt: now + Math.max(usual, Math.min(retryAfter, pauses[delivery.attempts + 1] ?? pause)),
  }
}
