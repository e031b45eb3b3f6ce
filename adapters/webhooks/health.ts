import { type Caller, canBeGone, type EventStore, goneStatus, isoOf, reportHealth } from '../../engine/index.ts'
import type { DeliveryRepository, HealthNotice } from '../node/deliveries.ts'
import { errorFields, type Log } from '../node/log.ts'

/** Dependencies of the review of the health of endpoints. */
interface HealthOptions {
  readonly store: EventStore
  readonly repository: Pick<DeliveryRepository, 'notices' | 'reviewed'>
  readonly randomId: () => string
  readonly log: Log
  /** Resolves after so many milliseconds, or as soon as the signal is aborted. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** Milliseconds between two looks. */
const pause = 2_000

/** Milliseconds until the next look after one that failed. */
const longerPause = 30_000

/** Endpoints that are reviewed at a time. */
const pageSize = 100

const caller: Caller = { kind: 'operator', name: 'webhook-health', scopes: [] }

/**
 * Records which endpoints fail, have failed for too long or have recovered, until `signal` is aborted. What was recorded
 * before a crash is not recorded again.
 */
export async function reviewHealth(options: HealthOptions, signal: AbortSignal): Promise<void> {
  const { repository, log, wait } = options
  while (!signal.aborted) {
    try {
      const notices = await repository.notices(pageSize)
      for (const notice of notices) await review(options, notice)
      await wait(pause, signal)
    } catch (error) {
      if (!signal.aborted) log.error(errorFields(error), 'the health of webhook URLs is reviewed again')
      await wait(longerPause, signal)
    }
  }
}

async function review({ store, repository, randomId }: HealthOptions, notice: HealthNotice): Promise<void> {
  const { owner, endpointId, at, isFailing, failingSince, status, failure } = notice
  const gone = status === goneStatus && failingSince !== undefined && (await canBeGone(store, owner, endpointId))
  const since = (isFailing || gone) && failingSince !== undefined ? { since: isoOf(failingSince) } : {}
  const answer = { ...(status === undefined ? {} : { status }), ...(failure === undefined ? {} : { failure }) }
  const recording = { store, caller, randomId, requestId: randomId() }
  await reportHealth(recording, owner, {
    ...{ at: isoOf(at), endpoint_id: endpointId },
    ...since,
    ...answer,
    ...(gone && { gone }),
  })
  await repository.reviewed(notice)
}
