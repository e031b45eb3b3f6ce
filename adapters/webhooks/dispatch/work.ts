import type { Endpoint, Owner } from '../../../engine/index.ts'
import type { DeliveryBook } from '../../node/deliveries.ts'
import { errorFields } from '../../node/log.ts'
import type { Alarm } from './alarm.ts'
import type { AttemptParts } from './attempt.ts'
import type { DispatcherRun } from './insist.ts'
import type { Lane, Lanes } from './lane.ts'
import type { Limits } from './limits.ts'
import type { Slots } from './slots.ts'

/** What a dispatcher is made of. */
export interface DispatcherParts extends AttemptParts {
  readonly book: DeliveryBook
  /** The endpoint as it stands now; nothing where it is switched off. */
  readonly endpointOf: (owner: Owner, endpointId: string) => Promise<Endpoint | undefined>
}

/** What is sent with, between a start and a stop. */
export interface Work {
  readonly parts: DispatcherParts
  readonly run: DispatcherRun
  readonly limits: Limits
  readonly lanes: Lanes
  readonly slots: Slots
  readonly alarm: Alarm
  /** What was begun and has not ended. */
  readonly tasks: Set<Promise<void>>
  /** Lets everything begin that may. */
  readonly go: () => void
}

/** Begins something that `Work.tasks` knows of until it has ended. Only a stop makes it fail, which has then been said. */
export function begin({ tasks, run: { signal, log } }: Work, task: Promise<void>): void {
  const settled = task
    .catch((error: unknown) => {
      if (!signal.aborted) log.error(errorFields(error), 'the dispatcher has failed')
    })
    .then(() => void tasks.delete(settled))
  tasks.add(settled)
}

/** A lane has something due at an instant (epoch milliseconds), if not before. */
export function expect({ alarm }: Work, lane: Lane, dueAt: number): void {
  lane.dueAt = Math.min(lane.dueAt, dueAt)
  alarm.set(dueAt)
}
