import type { DeliveryChannel } from '../../engine/index.ts'
import { errorFields, type Log } from '../node/log.ts'

/** What a run of the dispatcher receives from its node. */
export interface DispatcherRun {
  /** Aborted to stop: no new attempt starts, and the promise of the run resolves when all have ended. */
  readonly signal: AbortSignal
  readonly log: Log
  /** Whether the one that sent before was lost, so that its attempts may have been made without being recorded. */
  readonly isAfterLoss?: boolean
  /** Called when an attempt starts; the returned function is called with its outcome, `ok` or the failure. */
  readonly watch?: (work: {
    readonly kind: 'attempt'
    readonly channel: DeliveryChannel
    readonly endpoint: string
  }) => (ended: { readonly outcome: string }) => void
  /** Resolves after so many milliseconds, or as soon as the signal is aborted. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** Milliseconds before the first retry and at most; each retry doubles the delay. */
const retryDelay = { first: 100, longest: 10_000 }

/**
 * Retries until it succeeds, because a full disk may have room again. Throws the last error once the signal is aborted.
 */
export async function retryUntilAborted<Result>(
  { signal, log, wait }: DispatcherRun,
  words: string,
  work: () => Promise<Result>,
) {
  for (let next: number = retryDelay.first; ; next = Math.min(2 * next, retryDelay.longest)) {
    try {
      return await work()
    } catch (error) {
      log.error(errorFields(error), words)
      if (signal.aborted) throw error
    }
    await wait(next, signal)
  }
}
