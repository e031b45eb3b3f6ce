import { setMaxListeners } from 'node:events'
import type { Endpoint } from '../../../engine/index.ts'
import type { DueDelivery, QueueState } from '../../node/deliveries.ts'
import { type DispatcherRun, retryUntilAborted } from '../retry.ts'
import { makeAttempt } from './attempt.ts'
import { defaultLimits, type Limits } from './limits.ts'
import { keepPurging } from './purge.ts'
import { createSendLoop, type SendLoop } from './send-loop.ts'
import type { DispatcherParts } from './state.ts'

export type { DispatcherRun } from '../retry.ts'
export type { Limits } from './limits.ts'
export type { DispatcherParts } from './state.ts'

/** Attempts in flight or not recorded yet, the slow ones among them, and claimed deliveries that wait in memory. */
type DispatcherCounts = ReturnType<SendLoop['count']>

/** Sends the deliveries of the repository until each has reached a final state. */
export interface Dispatcher {
  /** Sends until the signal is aborted and all started attempts have ended. May be called again afterwards. */
  run(run: DispatcherRun): Promise<void>
  /**
   * These endpoints have new deliveries; any endpoint may have some if none is named. Does nothing while not running.
   */
  wake(endpointIds?: Iterable<string>): void
  /** Stops deliveries about these erased subjects, except attempts in flight. */
  forget(subjects: Iterable<string>): void
  /** Attempts a delivery in state `sending` at once, outside of the queues; resolves once the result is recorded. */
  attempt(delivery: DueDelivery, endpoint: Endpoint): Promise<void>
  state(): DispatcherCounts
  /** What is still to be sent; zero while not running, because another node sends then. */
  queue(): Promise<QueueState>
}

/** Creates the dispatcher. */
export function createDispatcher(parts: DispatcherParts, limits: Partial<Limits> = {}): Dispatcher {
  let round: SendLoop | undefined

  const state = () => round?.count() ?? { inFlight: 0, slow: 0, claimed: 0 }

  async function run(given: DispatcherRun) {
    const { repository, clock } = parts
    const { most, unrecorded } = { ...defaultLimits, ...limits }
    // Each waiter for the repository listens to this signal, and Node takes more than ten listeners for a leak.
    setMaxListeners(0, given.signal)
    const purging = keepPurging(repository, clock, given)
    try {
      await retryUntilAborted(given, 'what was under way cannot be taken up', () =>
        repository.recover(given.isAfterLoss === true ? { now: clock(), inFlight: most + unrecorded } : undefined),
      )
      round = createSendLoop(parts, given, { ...defaultLimits, ...limits })
      await round.finished()
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
    attempt: async (delivery, endpoint) => {
      const { attempted } = await makeAttempt(parts, delivery, endpoint)
      await parts.repository.record(attempted[0])
    },
    state,
    queue: async () => {
      const { claimed, inFlight } = state()
      return { waiting: round === undefined ? 0 : (await parts.repository.countWaiting()) + claimed, inFlight }
    },
  }
}
