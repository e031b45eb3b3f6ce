import type { Endpoint } from '../../../engine/index.ts'
import type { Attempted, DueDelivery, Outcome, Outgoing, Sender } from '../../node/deliveries.ts'
import { verdictOn } from './verdict.ts'

/** What attempts are made with. */
export interface AttemptParts {
  readonly sender: Pick<Sender, 'send'>
  /** The request of an attempt, signed with the keys of this moment; may throw where it cannot be made. */
  readonly requestOf: (attempt: {
    readonly delivery: DueDelivery
    readonly keys: Endpoint['keys']
    /** Epoch milliseconds. */
    readonly now: number
  }) => Outgoing
  /** Headers as the log keeps them, signatures cut short. */
  readonly redacted: (headers: Outgoing['headers']) => Outgoing['headers']
  /** Epoch milliseconds. */
  readonly clock: () => number
  /** From 0 to 1. */
  readonly random: () => number
}

/** What came of an attempt; `error` where no request could be made. */
export interface Made {
  readonly attempted: Attempted
  readonly error?: unknown
}

/** Sends a delivery once, and says what it is by that. A request that cannot be made is an attempt that has failed. */
export async function makeAttempt(parts: AttemptParts, delivery: DueDelivery, keys: Endpoint['keys']): Promise<Made> {
  const { sender, requestOf, clock } = parts
  const now = clock()
  try {
    const outgoing = requestOf({ delivery, keys, now })
    return { attempted: attemptedOf(parts, delivery, await sender.send(outgoing), outgoing.headers) }
  } catch (error) {
    const failed = { startedAt: now, duration: 0, failure: 'internal', ...nothing } as const
    return { attempted: attemptedOf(parts, delivery, failed, {}), error }
  }
}

const nothing = { responseHeaders: {}, responseBody: '', isResponseCut: false }

function attemptedOf(
  { redacted, clock, random }: AttemptParts,
  delivery: DueDelivery,
  { retryAfter, ...outcome }: Outcome,
  headers: Outgoing['headers'],
): Attempted {
  const asked = retryAfter === undefined ? {} : { retryAfter }
  return {
    id: delivery.id,
    attempt: { ...outcome, number: delivery.attemptNumber, requestHeaders: redacted(headers) },
    ...verdictOn(delivery, { ...outcome, ...asked }, clock(), random),
  }
}
