import type { Endpoint } from '../../../engine/index.ts'
import type { DueDelivery } from '../../node/deliveries.ts'
import { errorFields } from '../../node/log.ts'
import { createAlarm } from './alarm.ts'
import { makeAttempt } from './attempt.ts'
import { dropForgotten, giveBack, look, refill, switchOff } from './claims.ts'
import { type DispatcherRun, insist } from './insist.ts'
import { createLanes, type Lane } from './lane.ts'
import type { Limits } from './limits.ts'
import { isTaking } from './redelivery.ts'
import { createSlots, type Flight } from './slots.ts'
import { begin, type DispatcherParts, expect, type Work } from './work.ts'

/** What is sent between a start and a stop. */
export interface Round {
  /** Looks what is due for these endpoints; for any, where none are given. */
  wake(endpointIds?: Iterable<string>): void
  /** What is about these subjects and is not begun is not sent any more. */
  forget(subjects: Iterable<string>): void
  /** Sends until the signal is aborted and all that was begun has ended. */
  end(): Promise<void>
  count(): { readonly inFlight: number; readonly slow: number; readonly claimed: number }
}

/** So often it is looked for what nobody has told of, in milliseconds: another process may have added to the book. */
const lookInterval = 30_000

/** Gets ready to send. */
export function createRound(parts: DispatcherParts, run: DispatcherRun, limits: Limits): Round {
  const work: Work = {
    ...{ parts, run, limits, lanes: createLanes(limits), slots: createSlots(limits) },
    ...{ alarm: createAlarm(parts.clock, run.wait), tasks: new Set(), go: () => go(work) },
  }

  function wake(endpointIds?: Iterable<string>) {
    if (endpointIds === undefined) return begin(work, look(work))
    const now = parts.clock()
    for (const endpointId of endpointIds) {
      const lane = work.lanes.of(endpointId)
      lane.dueAt = Math.min(lane.dueAt, now)
      refill(work, lane)
    }
  }

  async function end() {
    const stop = () => work.alarm.set(Number.NEGATIVE_INFINITY)
    run.signal.addEventListener('abort', stop)
    await keepTime(work)
    run.signal.removeEventListener('abort', stop)
    while (work.tasks.size > 0) await Promise.all(work.tasks)
    await giveBack(work).catch(() => {})
  }

  function count() {
    let claimed = 0
    for (const lane of work.lanes.all()) claimed += lane.claimed.size()
    return { ...work.slots.count(), claimed }
  }

  return { wake, forget: (subjects) => dropForgotten(work, new Set(subjects)), end, count }
}

/** Claims what becomes due, and moves what becomes slow, until the signal is aborted. */
async function keepTime(work: Work): Promise<void> {
  const { parts, run, slots, lanes, alarm } = work
  let lookedAt = Number.NEGATIVE_INFINITY
  while (!run.signal.aborted) {
    const now = parts.clock()
    if (now - lookedAt >= lookInterval) {
      lookedAt = now
      begin(work, look(work))
    }
    work.go()
    let next = Math.min(lookedAt + lookInterval, slots.sweep(now))
    for (const lane of lanes.all()) {
      if (lane.dueAt <= now) refill(work, lane)
      else next = Math.min(next, lane.dueAt)
      // One that was switched off while it stood in line has nothing to do since.
      lanes.retire(lane)
    }
    await alarm.sleep(next)
  }
}

function go(work: Work): void {
  const { parts, run, limits, slots, alarm } = work
  if (run.signal.aborted) return
  const now = parts.clock()
  alarm.set(slots.sweep(now))
  for (let flight = slots.next(now); flight !== undefined; flight = slots.next(now)) {
    alarm.set(now + limits.slowAfter)
    begin(work, fly(work, flight))
    refill(work, flight.lane)
  }
}

async function fly(work: Work, flight: Flight): Promise<void> {
  const { parts, run, slots, lanes } = work
  const { lane, delivery } = flight
  try {
    const find = () => parts.endpointOf(delivery.owner, delivery.endpointId)
    const endpoint = await insist(run, 'the endpoint of a delivery cannot be looked up', find)
    if (endpoint === undefined) await switchOff(work, lane, delivery.id)
    else if (!isTaking(endpoint, delivery)) await skip(work, delivery.id)
    else await send(work, lane, delivery, endpoint.keys)
  } finally {
    slots.land(flight, parts.clock())
    lanes.retire(lane)
    work.go()
  }
}

async function skip({ parts: { book }, run }: Work, id: string): Promise<void> {
  await insist(run, 'a delivery cannot be skipped', () => book.skip([id]))
}

/** An attempt has its place until it is recorded, so that no more are repeated after a crash than had one. */
async function send(work: Work, lane: Lane, delivery: DueDelivery, keys: Endpoint['keys']): Promise<void> {
  const { parts, run } = work
  const ended = run.watch?.({ kind: 'attempt', channel: delivery.channel })
  const { attempted, error } = await makeAttempt(parts, delivery, keys)
  ended?.({ outcome: attempted.attempt.failure ?? 'ok' })
  if (error !== undefined) run.log.error({ delivery: delivery.id, ...errorFields(error) }, 'a delivery cannot be sent')
  await insist(run, 'an attempt cannot be recorded', () => parts.book.record(attempted))
  if (attempted.dueAt !== undefined) expect(work, lane, attempted.dueAt)
}
