import type { Endpoint } from '../../../engine/index.ts'
import type { AttemptResult, DueDelivery, Outcome, Outgoing, Sender } from '../../node/deliveries.ts'
import { nextDeliveryState } from './next-state.ts'

/** Dependencies of an attempt. */
export interface AttemptParts {
  readonly sender: Pick<Sender, 'send'>
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

/** The result of an attempt; `error` is set if no request could be made. */
interface AttemptMade {
  readonly attempted: AttemptResult
  readonly error?: unknown
}

/**
 * Sends a delivery once and returns its next state; `answered` is called as soon as it is a success. A request that cannot
 * be made counts as a failed attempt.
 */
export async function makeAttempt(
  parts: AttemptParts,
  delivery: DueDelivery,
  { keys, headers: extra }: Pick<Endpoint, 'keys' | 'headers'>,
  answered: () => void = () => {},
): Promise<AttemptMade> {
  const { sender, requestOf, clock } = parts
  const now = clock()
  try {
    const outgoing = requestOf({ delivery, keys, now })
    const outcome = await sender.send({ ...outgoing, extra, answered })
    return { attempted: attemptedOf(parts, delivery, outcome, outgoing.headers) }
  } catch (error) {
    const failed = { startedAt: now, duration: 0, failure: 'internal', ...nothing } as const
    return { attempted: attemptedOf(parts, delivery, failed, {}), error }
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
