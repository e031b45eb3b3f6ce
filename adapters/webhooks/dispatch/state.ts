import type { Endpoint, Owner } from '../../../engine/index.ts'
import type { DeliveryRepository, DueDelivery } from '../../node/deliveries.ts'
import { errorFields } from '../../node/log.ts'
import type { DispatcherRun } from '../retry.ts'
import type { Alarm } from './alarm.ts'
import type { AttemptParts } from './attempt.ts'
import type { Lanes } from './lane.ts'
import type { Limits } from './limits.ts'
import type { Slots } from './slots.ts'

/** Dependencies of a dispatcher. */
export interface DispatcherParts extends AttemptParts {
  readonly repository: DeliveryRepository
  /** The current endpoint; `undefined` if it is switched off. */
  readonly endpointOf: (owner: Owner, endpointId: string) => Promise<Endpoint | undefined>
  /** One delivery that says all that these say; absent where no endpoint wants that. */
  readonly joined?: (deliveries: readonly [DueDelivery, ...DueDelivery[]]) => DueDelivery
}

/** State of the dispatcher between a start and a stop. */
export interface DispatcherState {
  readonly parts: DispatcherParts
  readonly run: DispatcherRun
  readonly limits: Limits
  readonly lanes: Lanes
  readonly slots: Slots
  readonly alarm: Alarm
  /** Attempts that have given up their places and are not recorded yet. */
  unrecorded: number
  /** Tasks in progress. */
  readonly tasks: Set<Promise<void>>
  /** Starts every attempt that the limits allow. */
  readonly startDueAttempts: () => void
}

/** Adds a task to `DispatcherState.tasks` until it has ended. Errors after a stop are expected and are not logged. */
export function track({ tasks, run: { signal, log } }: DispatcherState, task: Promise<void>): void {
  const settled = task
    .catch((error: unknown) => {
      if (!signal.aborted) log.error(errorFields(error), 'the dispatcher has failed')
    })
    .then(() => void tasks.delete(settled))
  tasks.add(settled)
}

/** Schedules the lane of an endpoint for an instant (epoch milliseconds), unless it is due earlier. */
export function scheduleAt({ alarm, lanes }: DispatcherState, endpointId: string, dueAt: number): void {
  const lane = lanes.of(endpointId)
  lane.dueAt = Math.min(lane.dueAt, dueAt)
  alarm.set(dueAt)
}
