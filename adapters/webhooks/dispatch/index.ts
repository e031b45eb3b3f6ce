import { setMaxListeners } from 'node:events'
import type { Endpoint } from '../../../engine/index.ts'
import type { DueDelivery, QueueState } from '../../node/deliveries.ts'
import { makeAttempt } from './attempt.ts'
import { type DispatcherRun, insist } from './insist.ts'
import { type Limits, usualLimits } from './limits.ts'
import { keepPurging } from './purge.ts'
import { createRound, type Round } from './round.ts'
import type { DispatcherParts } from './work.ts'

export type { DispatcherRun } from './insist.ts'
export type { Limits } from './limits.ts'
export type { DispatcherParts } from './work.ts'

/** Attempts under way, the slow ones of them, and deliveries that were claimed and wait in memory. */
export type DispatcherState = ReturnType<Round['count']>

/** Sends what the book holds, each delivery until it is at its end. */
export interface Dispatcher {
  /** Sends until the signal is aborted, and all that was begun has ended; may be run again after that. */
  run(run: DispatcherRun): Promise<void>
  /** There is something new for these endpoints; for any, where none are given. Does nothing where it is not running. */
  wake(endpointIds?: Iterable<string>): void
  /** What the book has forgotten about these subjects is not sent, but what is under way. */
  forget(subjects: Iterable<string>): void
  /** Attempts a delivery that is `sending`, at once and beside all others; resolves once that is recorded. */
  attempt(delivery: DueDelivery, keys: Endpoint['keys']): Promise<void>
  state(): DispatcherState
  /** What is still to be sent; nothing where it is not running, as another node sends then. */
  queue(): Promise<QueueState>
}

/** Makes the dispatcher. */
export function createDispatcher(parts: DispatcherParts, limits: Partial<Limits> = {}): Dispatcher {
  let round: Round | undefined

  const state = () => round?.count() ?? { inFlight: 0, slow: 0, claimed: 0 }

  async function run(given: DispatcherRun) {
    const { book, clock } = parts
    // Each that waits for the book listens to it, and Node takes more than ten listeners for a leak.
    setMaxListeners(0, given.signal)
    const purging = keepPurging(book, clock, given)
    try {
      await insist(given, 'what was under way cannot be taken up', () => book.recover())
      round = createRound(parts, given, { ...usualLimits, ...limits })
      await round.end()
    } catch (error) {
      if (!given.signal.aborted) throw error
    } finally {
      round = undefined
      await purging
    }
  }

  return {
    run,
    wake: (endpointIds) => round?.wake(endpointIds),
    forget: (subjects) => round?.forget(subjects),
    attempt: async (delivery, keys) => {
      const { attempted } = await makeAttempt(parts, delivery, keys)
      await parts.book.record(attempted)
    },
    state,
    queue: async () => {
      const { claimed, inFlight } = state()
      return { waiting: round === undefined ? 0 : (await parts.book.waiting()) + claimed, inFlight }
    },
  }
}
