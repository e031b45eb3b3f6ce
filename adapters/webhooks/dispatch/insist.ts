import type { Channel } from '../../../engine/index.ts'
import { errorFields, type Log } from '../../node/log.ts'

/** What a run of the dispatcher is lent. */
export interface DispatcherRun {
  /** Aborted when nothing new is to be begun; the promise of the run is done when all has ended. */
  readonly signal: AbortSignal
  readonly log: Log
  /** Is told when an attempt begins, and, by what it gives back, how it ends: `ok`, or why it has failed. */
  readonly watch?: (work: {
    readonly kind: 'attempt'
    readonly channel: Channel
  }) => (ended: { readonly outcome: string }) => void
  /** Resolves after so many milliseconds, or once the signal is aborted. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** From a failure to the next try, in milliseconds; doubled with each further one. */
const pause = { first: 100, longest: 10_000 }

/** Does something until it works: a full disk may have room again. Throws what went wrong once the signal is aborted. */
export async function insist<Result>({ signal, log, wait }: DispatcherRun, words: string, work: () => Promise<Result>) {
  for (let next: number = pause.first; ; next = Math.min(2 * next, pause.longest)) {
    try {
      return await work()
    } catch (error) {
      log.error(errorFields(error), words)
      if (signal.aborted) throw error
    }
    await wait(next, signal)
  }
}
