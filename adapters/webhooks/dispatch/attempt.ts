import type { Endpoint } from '../../../engine/index.ts'
import type { AttemptResult, DueDelivery, Outcome, Outgoing, Sender } from '../../node/deliveries.ts'
import { nextDeliveryState } from './next-state.ts'

/** Dependencies of an attempt. */
export interface AttemptParts {
  readonly sender: Pick<Sender, 'send'>
  /** Sends to an endpoint that is a shop; there is none if absent. */
  readonly sendToShop?: (delivery: DueDelivery, endpoint: Endpoint) => Promise<Outcome>
  /** The request of an attempt, signed with the current keys. Throws if the request cannot be made. */
  readonly requestOf: (attempt: {
    readonly delivery: DueDelivery
    readonly keys: Endpoint['keys']
    /** Epoch milliseconds. */
    readonly now: number
  }) => Outgoing
  /** Headers for the log, with shortened signatures. */
  readonly redacted: (headers: Outgoing['headers']) => Outgoing['headers']
  /** Epoch milliseconds. */
  readonly clock: () => number
  /** From 0 to 1. */
  readonly random: () => number
}

/** The results of an attempt, one for each delivery that it sent; `error` is set if no request could be made. */
interface AttemptMade {
  readonly attempted: readonly [AttemptResult, ...AttemptResult[]]
  readonly error?: unknown
}

/**
 * Sends a delivery once and returns its next state; `answered` is called as soon as it is a success. A request that cannot
 * be made counts as a failed attempt. `joined` are the deliveries that it was made of, itself if absent: those that were
 * tried as often have one next time, so that they stay together.
 */
export async function makeAttempt(
  parts: AttemptParts,
  delivery: DueDelivery,
  endpoint: Pick<Endpoint, 'keys' | 'headers' | 'shop'>,
  answered: () => void = () => {},
  joined: readonly [DueDelivery, ...DueDelivery[]] = [delivery],
): Promise<AttemptMade> {
  const { sender, requestOf, clock, sendToShop } = parts
  const { keys, headers: extra, shop } = endpoint
  const now = clock()
  const [first, ...others] = joined
  const attemptedOfAll = (outcome: Outcome, headers: Outgoing['headers']): AttemptMade['attempted'] => {
    const [at, chance] = [clock(), parts.random()]
    const attempted = (one: DueDelivery) =>
      attemptedOf({ ...parts, clock: () => at, random: () => chance }, one, outcome, headers)
    return [attempted(first), ...others.map(attempted)]
  }
  try {
    if (shop !== undefined && sendToShop !== undefined)
      return { attempted: attemptedOfAll(await sendToShop(delivery, endpoint as Endpoint), {}) }
    const outgoing = requestOf({ delivery, keys, now })
    const outcome = await sender.send({ ...outgoing, extra, answered })
    return { attempted: attemptedOfAll(outcome, outgoing.headers) }
  } catch (error) {
    const failed = { startedAt: now, duration: 0, failure: 'internal', ...nothing } as const
    return { attempted: attemptedOfAll(failed, {}), error }
  }
}

const nothing = { responseHeaders: {}, responseBody: '', isResponseCut: false }

function attemptedOf(
  { redacted, clock, random }: AttemptParts,
  delivery: DueDelivery,
  outcome: Outcome,
  headers: Outgoing['headers'],
): AttemptResult {
  const { retryAfter: _, ...kept } = outcome
  return {
    id: delivery.id,
    attempt: { ...kept, number: delivery.attemptNumber, requestHeaders: redacted(headers) },
    ...nextDeliveryState(delivery, outcome, clock(), random),
    earlier: delivery.attemptNumber - 1 - delivery.attempts,
  }
}
