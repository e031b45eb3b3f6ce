import type { Endpoint } from '../../../engine/index.ts'
import type { AttemptResult } from '../../node/deliveries.ts'
import { errorFields } from '../../node/log.ts'
import { acceptsDelivery } from '../redelivery.ts'
import { type DispatcherRun, retryUntilAborted } from '../retry.ts'
import { createAlarm } from './alarm.ts'
import { makeAttempt } from './attempt.ts'
import { claimMore, dropForgotten, findDue, releaseClaims, rest, skipAll } from './claims.ts'
import { createLanes, type Lane } from './lane.ts'
import type { Limits } from './limits.ts'
import { freeAt } from './pace.ts'
import { type Ending, endingOf } from './share.ts'
import { createSlots, type Flight } from './slots.ts'
import { type DispatcherParts, type DispatcherState, scheduleAt, track } from './state.ts'
import { takeTogether } from './together.ts'

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
    ...{ parts, run, limits, lanes: createLanes(limits), slots: createSlots(limits), unrecorded: 0 },
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
    const { inFlight, slow } = state.slots.count()
    return { inFlight: inFlight + state.unrecorded, slow, claimed }
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
    for (const lane of lanes.all()) if (lane.pace !== undefined) slots.enqueue(lane, now)
    state.startDueAttempts()
    let next = Math.min(lookedAt + pollInterval, slots.moveSlow(now))
    for (const lane of lanes.all()) {
      if (lane.pace !== undefined && lane.claimed.size() > 0) next = Math.min(next, pausedUntil(lane, now))
      if (lane.dueAt <= now) claimMore(state, lane)
      else next = Math.min(next, lane.dueAt)
      // A lane that was switched off while queued has nothing left to do.
      lanes.retire(lane)
    }
    await alarm.sleep(next)
  }
}

/** When a lane with a pace may send again; never if nothing but the end of an attempt is waited for. */
function pausedUntil({ pace }: Lane, now: number): number {
  const at = pace === undefined ? now : freeAt(pace, now)
  return at > now ? at : Number.POSITIVE_INFINITY
}

function startDueAttempts(state: DispatcherState): void {
  const { parts, run, limits, slots, alarm } = state
  if (run.signal.aborted) return
  const now = parts.clock()
  alarm.set(slots.moveSlow(now))
  for (let flight = slots.next(now); flight !== undefined; flight = slots.next(now)) {
    alarm.set(Math.min(now + limits.slowAfter, pausedUntil(flight.lane, now)))
    track(state, runAttempt(state, flight))
    claimMore(state, flight.lane)
  }
}

async function runAttempt(state: DispatcherState, flight: Flight): Promise<void> {
  const { parts, run } = state
  const { lane, delivery } = flight
  try {
    const find = () => parts.endpointOf(delivery.owner, delivery.endpointId)
    const endpoint = await retryUntilAborted(run, 'the endpoint of a delivery cannot be looked up', find)
    if (endpoint === undefined) await skipAll(state, lane, delivery.id)
    else if (endpoint.isOff === true) await rest(state, lane, delivery)
    else if (!acceptsDelivery(endpoint, delivery)) await skipDelivery(state, delivery.id)
    else await send(state, flight, endpoint)
  } finally {
    release(state, flight)
    // The next one about its subject may have become due.
    if (delivery.isInOrder) scheduleAt(state, lane.endpointId, parts.clock())
  }
}

async function skipDelivery({ parts: { repository }, run }: DispatcherState, id: string): Promise<void> {
  await retryUntilAborted(run, 'a delivery cannot be skipped', () => repository.skip([id]))
}

async function send(state: DispatcherState, flight: Flight, endpoint: Endpoint): Promise<void> {
  const { parts, run, limits } = state
  const { lane, delivery } = flight
  const ended = run.watch?.({ kind: 'attempt', channel: delivery.channel, endpoint: lane.endpointId })
  // A crash repeats what is not recorded, so only so many attempts give up their places before that.
  let isEarly = false
  const releaseEarly = (ending: Ending) => {
    if (isEarly || state.unrecorded >= limits.unrecorded) return
    isEarly = true
    state.unrecorded++
    release(state, flight, ending)
  }
  const { joined } = endpoint.isJoined ? parts : {}
  const all = joined === undefined ? ([delivery] as const) : await takeTogether(state, lane, delivery)
  const sent = joined === undefined || all.length === 1 ? delivery : joined(all)
  const { attempted, error } = await makeAttempt(parts, sent, endpoint, () => releaseEarly('delivered'), all)
  const [{ attempt }] = attempted
  ended?.({ outcome: attempt.failure ?? 'ok' })
  if (error !== undefined) run.log.error({ delivery: delivery.id, ...errorFields(error) }, 'a delivery cannot be sent')
  releaseEarly(endingOf(attempt))
  try {
    const record = (one: AttemptResult) =>
      retryUntilAborted(run, 'an attempt cannot be recorded', () => parts.repository.record(one))
    await Promise.all(attempted.map(record))
  } finally {
    if (isEarly) state.unrecorded--
    else release(state, flight, endingOf(attempt))
  }
  for (const { dueAt } of attempted) if (dueAt !== undefined) scheduleAt(state, lane.endpointId, dueAt)
}

/** Frees the place of an attempt, once, for the next one. */
function release(state: DispatcherState, flight: Flight, ending?: Ending): void {
  if (flight.isOver) return
  state.slots.finish(flight, state.parts.clock(), ending)
  state.lanes.retire(flight.lane)
  state.startDueAttempts()
}
