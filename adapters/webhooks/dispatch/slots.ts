import type { DueDelivery } from '../../node/deliveries.ts'
import type { Address, Lane } from './lane.ts'
import type { Limits } from './limits.ts'
import { createQueue, type Queue } from './queue.ts'

/** An attempt under way. */
export interface Flight {
  readonly lane: Lane
  readonly address: Address
  readonly delivery: DueDelivery
  /** Epoch milliseconds. */
  readonly startedAt: number
  isSlow: boolean
  isOver: boolean
}

/** Who may begin an attempt next. */
export interface Slots {
  /** Puts a lane in line that has something to send. */
  line(lane: Lane): void
  /** The next attempt that may begin, and has begun with that; nothing where there is none. */
  next(now: number): Flight | undefined
  /** Takes from an attempt that has ended what it held. */
  land(flight: Flight, now: number): void
  /** Moves attempts that have become slow out of the way; answers when the next will have. */
  sweep(now: number): number
  count(): { readonly inFlight: number; readonly slow: number }
}

/** Lines, attempts under way and places taken. */
interface Places {
  readonly limits: Limits
  readonly lines: Readonly<Record<Kind, Queue<Lane>>>
  /** Those that began among the quick, in the order in which they began. */
  readonly flights: Queue<Flight>
  readonly used: Record<Kind, number>
}

type Kind = 'fast' | 'slow'

/**
 * Quick and slow attempts do not stand in each other's way: a URL that was slow last time begins among the slow, and
 * another moves there once it is. No attempt is left out, whatever the URL was like before.
 */
export function createSlots(limits: Limits): Slots {
  const places: Places = {
    limits,
    lines: { fast: createQueue(), slow: createQueue() },
    flights: createQueue(),
    used: { fast: 0, slow: 0 },
  }
  const { used } = places
  return {
    line: (lane) => line(places, lane),
    next: (now) => nextOf(places, 'fast', now) ?? nextOf(places, 'slow', now),
    land: (flight, now) => land(places, flight, now),
    sweep: (now) => sweep(places, now),
    count: () => ({ inFlight: used.fast + used.slow, slow: used.slow }),
  }
}

function ceilingOf({ limits, used }: Places, { isSlow }: Address): number {
  return isSlow && used.slow < limits.slow / 2 ? limits.slowShare : limits.inFlight
}

function lineOf({ lines }: Places, { isSlow }: Address): Queue<Lane> {
  return isSlow ? lines.slow : lines.fast
}

function line(places: Places, lane: Lane): void {
  const { address } = lane
  if (lane.isInLine || address === undefined || lane.claimed.size() === 0) return
  lane.isInLine = true
  lineOf(places, address).add(lane)
}

/** Puts as many lanes back in line as may begin at their address. */
function unpark(places: Places, address: Address): void {
  for (let room = ceilingOf(places, address) - address.inFlight; room > 0; room--) {
    const lane = address.parked.take()
    if (lane === undefined) return
    lineOf(places, address).add(lane)
  }
}

/** The first of a line that may begin; those that may not are put where they belong. */
function nextOf(places: Places, kind: Kind, now: number): Flight | undefined {
  const { limits, lines, used } = places
  while (used[kind] < limits[kind]) {
    const lane = lines[kind].take()
    if (lane === undefined) return undefined
    const { address } = lane
    const delivery = lane.claimed.peek()
    if (address === undefined || delivery === undefined) leave(places, lane)
    else if (lineOf(places, address) !== lines[kind]) lineOf(places, address).add(lane)
    else if (address.inFlight >= ceilingOf(places, address)) address.parked.add(lane)
    else return begin(places, { lane, address, delivery, startedAt: now, isSlow: kind === 'slow', isOver: false })
  }
  return undefined
}

/** A lane that has nothing to send any more gives its room at the address to the next that is parked there. */
function leave(places: Places, lane: Lane): void {
  lane.isInLine = false
  if (lane.address !== undefined) unpark(places, lane.address)
}

function begin(places: Places, flight: Flight): Flight {
  const { lane, address, isSlow } = flight
  lane.claimed.take()
  lane.isInLine = false
  lane.inFlight++
  address.inFlight++
  places.used[isSlow ? 'slow' : 'fast']++
  if (!isSlow) places.flights.add(flight)
  line(places, lane)
  return flight
}

function land(places: Places, flight: Flight, now: number): void {
  const { lane, address, isSlow, startedAt } = flight
  flight.isOver = true
  places.used[isSlow ? 'slow' : 'fast']--
  lane.inFlight--
  address.inFlight--
  address.isSlow = now - startedAt >= places.limits.slowAfter
  unpark(places, address)
}

function sweep(places: Places, now: number): number {
  const { limits, flights, used } = places
  for (let flight = flights.peek(); flight !== undefined; flight = flights.peek()) {
    const end = flight.startedAt + limits.slowAfter
    if (!flight.isOver && end > now) return end
    // Where there is no room it is looked at again once an attempt has ended.
    if (!flight.isOver && used.slow >= limits.slow) return Number.POSITIVE_INFINITY
    flights.take()
    if (!flight.isOver) moveOver(places, flight)
  }
  return Number.POSITIVE_INFINITY
}

function moveOver(places: Places, flight: Flight): void {
  flight.isSlow = true
  flight.address.isSlow = true
  places.used.fast--
  places.used.slow++
  unpark(places, flight.address)
}
