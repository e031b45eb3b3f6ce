import type { DueDelivery } from '../../node/deliveries.ts'
import type { Address, Lane } from './lane.ts'
import type { Limits } from './limits.ts'
import { freeAt, spend } from './pace.ts'
import { createQueue, type Queue } from './queue.ts'
import { adapt, type Ending } from './share.ts'

/** An attempt in flight. */
export interface Flight {
  readonly lane: Lane
  readonly address: Address
  readonly delivery: DueDelivery
  /** Epoch milliseconds. */
  readonly startedAt: number
  isSlow: boolean
  isOver: boolean
}

/** Decides which attempt may start next. */
export interface Slots {
  /** Queues a lane that has something to send, unless its endpoint may have no more for now. */
  enqueue(lane: Lane, now: number): void
  /** Starts and returns the next attempt that the limits allow; `undefined` if there is none. */
  next(now: number): Flight | undefined
  /** Frees the place of an attempt that has ended; nothing is learnt from one that was not made. */
  finish(flight: Flight, now: number, ending?: Ending): void
  /** Moves attempts that have become slow aside; returns when the next one will. */
  moveSlow(now: number): number
  count(): { readonly inFlight: number; readonly slow: number }
}

/** Queues, attempts in flight and places in use. */
interface SlotState {
  readonly limits: Limits
  readonly lines: Readonly<Record<Kind, Queue<Lane>>>
  /** Attempts that started as fast ones, oldest first. */
  readonly flights: Queue<Flight>
  readonly used: Record<Kind, number>
}

type Kind = 'fast' | 'slow'

/**
 * Keeps fast and slow attempts out of each other's way. An attempt at a URL that was slow last time starts among the
 * slow; any other moves there when it becomes slow.
 */
export function createSlots(limits: Limits): Slots {
  const places: SlotState = {
    limits,
    lines: { fast: createQueue(), slow: createQueue() },
    flights: createQueue(),
    used: { fast: 0, slow: 0 },
  }
  const { used } = places
  return {
    enqueue: (lane, now) => enqueue(places, lane, now),
    next: (now) => nextOf(places, 'fast', now) ?? nextOf(places, 'slow', now),
    finish: (flight, now, ending) => finish(places, flight, now, ending),
    moveSlow: (now) => sweep(places, now),
    count: () => ({ inFlight: used.fast + used.slow, slow: used.slow }),
  }
}

/** Beyond the initial share there is room only while half of the places are free, so that no URL takes those of others. */
function ceilingOf({ limits, used }: SlotState, { isSlow, share }: Address): number {
  const size = Math.floor(share.size)
  const kind = isSlow ? 'slow' : 'fast'
  if (size < limits.inFlight || used[kind] >= limits[kind] / 2) return Math.min(size, limits.inFlight)
  return isSlow ? Math.max(size, limits.slowShare) : size
}

function queueOf({ lines }: SlotState, { isSlow }: Address): Queue<Lane> {
  return isSlow ? lines.slow : lines.fast
}

function enqueue(places: SlotState, lane: Lane, now: number): void {
  const { address, pace } = lane
  if (lane.isQueued || address === undefined || lane.claimed.size() === 0) return
  if (lane.inFlight >= lane.most || (pace !== undefined && freeAt(pace, now) > now)) return
  lane.isQueued = true
  queueOf(places, address).add(lane)
}

/** Queues as many parked lanes as the address has room for. */
function unpark(places: SlotState, address: Address): void {
  for (let room = ceilingOf(places, address) - address.inFlight; room > 0; room--) {
    const lane = address.parked.take()
    if (lane === undefined) return
    queueOf(places, address).add(lane)
  }
}

/** Starts the first attempt of a queue that may start; puts other lanes where they belong. */
function nextOf(places: SlotState, kind: Kind, now: number): Flight | undefined {
  const { limits, lines, used } = places
  while (used[kind] < limits[kind]) {
    const lane = lines[kind].take()
    if (lane === undefined) return undefined
    const { address } = lane
    const delivery = lane.claimed.peek()
    if (address === undefined || delivery === undefined) releaseAddress(places, lane)
    else if (queueOf(places, address) !== lines[kind]) queueOf(places, address).add(lane)
    else if (address.inFlight >= ceilingOf(places, address)) address.parked.add(lane)
    else return start(places, { lane, address, delivery, startedAt: now, isSlow: kind === 'slow', isOver: false })
  }
  return undefined
}

/** A lane with nothing left to send frees its room at the address for the next parked lane. */
function releaseAddress(places: SlotState, lane: Lane): void {
  lane.isQueued = false
  if (lane.address !== undefined) unpark(places, lane.address)
}

function start(places: SlotState, flight: Flight): Flight {
  const { lane, address, isSlow, startedAt } = flight
  lane.claimed.take()
  lane.isQueued = false
  lane.inFlight++
  address.inFlight++
  places.used[isSlow ? 'slow' : 'fast']++
  if (!isSlow) places.flights.add(flight)
  if (lane.pace !== undefined) spend(lane.pace, startedAt)
  enqueue(places, lane, startedAt)
  return flight
}

function finish(places: SlotState, flight: Flight, now: number, ending: Ending | undefined): void {
  const { lane, address, isSlow, startedAt } = flight
  flight.isOver = true
  if (ending !== undefined) {
    const wasInUse = 2 * address.inFlight >= ceilingOf(places, address)
    adapt(address.share, places.limits, { ending, startedAt, now, wasInUse })
  }
  places.used[isSlow ? 'slow' : 'fast']--
  lane.inFlight--
  address.inFlight--
  address.isSlow = now - startedAt >= places.limits.slowAfter
  unpark(places, address)
  enqueue(places, lane, now)
}

function sweep(places: SlotState, now: number): number {
  const { limits, flights, used } = places
  for (let flight = flights.peek(); flight !== undefined; flight = flights.peek()) {
    const end = flight.startedAt + limits.slowAfter
    if (!flight.isOver && end > now) return end
    // Without room, this is checked again once an attempt has ended.
    if (!flight.isOver && used.slow >= limits.slow) return Number.POSITIVE_INFINITY
    flights.take()
    if (!flight.isOver) moveToSlow(places, flight)
  }
  return Number.POSITIVE_INFINITY
}

function moveToSlow(places: SlotState, flight: Flight): void {
  flight.isSlow = true
  flight.address.isSlow = true
  places.used.fast--
  places.used.slow++
  unpark(places, flight.address)
}
