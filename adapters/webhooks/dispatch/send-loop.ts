import type { Endpoint } from '../../../engine/index.ts'
import type { DueDelivery } from '../../node/deliveries.ts'
import { errorFields } from '../../node/log.ts'
import { createAlarm } from './alarm.ts'
import { makeAttempt } from './attempt.ts'
import { claimMore, dropForgotten, findDue, releaseClaims, skipAll } from './claims.ts'
import { createLanes, type Lane } from './lane.ts'
import type { Limits } from './limits.ts'
import { acceptsDelivery } from './redelivery.ts'
import { type DispatcherRun, retryUntilAborted } from './retry.ts'
import { createSlots, type Flight } from './slots.ts'
import { type DispatcherParts, type DispatcherState, scheduleAt, track } from './state.ts'

/** Sends between a start and a stop. */
export interface SendLoop {
  /** Looks for due deliveries of these endpoints, or of any if none is named. */
  wake(endpointIds?: Iterable<string>): void
  /** Drops deliveries about these subjects whose attempts have not started. */
  forget(subjects: Iterable<string>): void
  /** Resolves when the signal is aborted and all started attempts have ended. */
  finished(): Promise<void>
  count(): { readonly inFlight: number; readonly slow: number; readonly claimed: number }
}

/** Poll interval (ms) for deliveries added by another process. */
const pollInterval = 30_000

/** Prepares a run of the dispatcher. */
export function createSendLoop(parts: DispatcherParts, run: DispatcherRun, limits: Limits): SendLoop {
  const state: DispatcherState = {
    ...{ parts, run, limits, lanes: createLanes(limits), slots: createSlots(limits) },
    ...{ alarm: createAlarm(parts.clock, run.wait), tasks: new Set(), startDueAttempts: () => startDueAttempts(state) },
  }

  function wake(endpointIds?: Iterable<string>) {
    if (endpointIds === undefined) return track(state, findDue(state))
    const now = parts.clock()
    for (const endpointId of endpointIds) {
      const lane = state.lanes.of(endpointId)
      lane.dueAt = Math.min(lane.dueAt, now)
      claimMore(state, lane)
    }
  }

  async function end() {
    const stop = () => state.alarm.set(Number.NEGATIVE_INFINITY)
    run.signal.addEventListener('abort', stop)
    await loopUntilAborted(state)
    run.signal.removeEventListener('abort', stop)
    while (state.tasks.size > 0) await Promise.all(state.tasks)
    await releaseClaims(state).catch(() => {})
  }

  function count() {
    let claimed = 0
    for (const lane of state.lanes.all()) claimed += lane.claimed.size()
    return { ...state.slots.count(), claimed }
  }

  return { wake, forget: (subjects) => dropForgotten(state, new Set(subjects)), finished: end, count }
}

/** Claims due deliveries and moves slow attempts aside, until the signal is aborted. */
async function loopUntilAborted(state: DispatcherState): Promise<void> {
  const { parts, run, slots, lanes, alarm } = state
  let lookedAt = Number.NEGATIVE_INFINITY
  while (!run.signal.aborted) {
    const now = parts.clock()
    if (now - lookedAt >= pollInterval) {
      lookedAt = now
      track(state, findDue(state))
    }
    state.startDueAttempts()
    let next = Math.min(lookedAt + pollInterval, slots.moveSlow(now))
    for (const lane of lanes.all()) {
      if (lane.dueAt <= now) claimMore(state, lane)
      else next = Math.min(next, lane.dueAt)
      // A lane that was switched off while queued has nothing left to do.
      lanes.retire(lane)
    }
    await alarm.sleep(next)
  }
}

function startDueAttempts(state: DispatcherState): void {
  const { parts, run, limits, slots, alarm } = state
  if (run.signal.aborted) return
  const now = parts.clock()
  alarm.set(slots.moveSlow(now))
  for (let flight = slots.next(now); flight !== undefined; flight = slots.next(now)) {
    alarm.set(now + limits.slowAfter)
    track(state, runAttempt(state, flight))
    claimMore(state, flight.lane)
  }
}

async function runAttempt(state: DispatcherState, flight: Flight): Promise<void> {
  const { parts, run, slots, lanes } = state
  const { lane, delivery } = flight
  try {
    const find = () => parts.endpointOf(delivery.owner, delivery.endpointId)
    const endpoint = await retryUntilAborted(run, 'the endpoint of a delivery cannot be looked up', find)
    if (endpoint === undefined) await skipAll(state, lane, delivery.id)
    else if (!acceptsDelivery(endpoint, delivery)) await skipDelivery(state, delivery.id)
    else await send(state, lane, delivery, endpoint.keys)
  } finally {
    slots.finish(flight, parts.clock())
    // The next one about its subject may have become due.
    if (delivery.isInOrder) scheduleAt(state, lane, parts.clock())
    lanes.retire(lane)
    state.startDueAttempts()
  }
}

async function skipDelivery({ parts: { repository }, run }: DispatcherState, id: string): Promise<void> {
  await retryUntilAborted(run, 'a delivery cannot be skipped', () => repository.skip([id]))
}

/** An attempt keeps its place until it is recorded. This bounds the attempts that a crash repeats. */
async function send(state: DispatcherState, lane: Lane, delivery: DueDelivery, keys: Endpoint['keys']): Promise<void> {
  const { parts, run } = state
  const ended = run.watch?.({ kind: 'attempt', channel: delivery.channel })
  const { attempted, error } = await makeAttempt(parts, delivery, keys)
  ended?.({ outcome: attempted.attempt.failure ?? 'ok' })
  if (error !== undefined) run.log.error({ delivery: delivery.id, ...errorFields(error) }, 'a delivery cannot be sent')
  await retryUntilAborted(run, 'an attempt cannot be recorded', () => parts.repository.record(attempted))
  if (attempted.dueAt !== undefined) scheduleAt(state, lane, attempted.dueAt)
}
