import type { DueDelivery } from '../../node/deliveries.ts'
import type { Limits } from './limits.ts'
import type { Pace } from './pace.ts'
import { createQueue, type Queue } from './queue.ts'
import { newShare, type Share } from './share.ts'

/** A URL without its query; several endpoints may share it. */
export interface Address {
  readonly key: string
  /** Attempts in flight. */
  inFlight: number
  /** Whether the last attempt was slow. */
  isSlow: boolean
  readonly share: Share
  /** Number of lanes that send to it. */
  lanes: number
  /** Lanes that wait until an attempt at this address has ended. */
  readonly parked: Queue<Lane>
}

/** The deliveries to one endpoint. */
export interface Lane {
  readonly endpointId: string
  /** Claimed deliveries that wait for an attempt. */
  readonly claimed: Queue<DueDelivery>
  /** Unknown until something was claimed. */
  address: Address | undefined
  /** Epoch milliseconds at which the repository has something due, as far as is known. */
  dueAt: number
  /** Number of deliveries to claim next: few at first, more if the endpoint is fast. */
  batch: number
  inFlight: number
  /** Concurrent attempts that its owner allows. */
  most: number
  /** Attempts a second that its owner allows; any number if undefined. */
  pace: Pace | undefined
  isClaiming: boolean
  /** Whether it is in a queue or parked. */
  isQueued: boolean
}

/** The endpoints with deliveries to send, now or later. */
export interface Lanes {
  /** The lane of an endpoint, created if absent. */
  of(endpointId: string): Lane
  /** Adds claimed deliveries to their lane. */
  fill(lane: Lane, deliveries: readonly DueDelivery[]): void
  /** Removes a lane that has nothing to do. */
  retire(lane: Lane): void
  all(): Iterable<Lane>
}

/** Creates an empty set of lanes. */
export function createLanes(limits: Limits): Lanes {
  const lanes = new Map<string, Lane>()
  const addresses = new Map<string, Address>()

  function addressOf(url: string): Address {
    const key = url.replace(/[?#].*$/s, '')
    const address = addresses.get(key) ?? newAddress(key, limits)
    addresses.set(key, address)
    address.lanes++
    return address
  }

  function of(endpointId: string): Lane {
    const lane = lanes.get(endpointId) ?? newLane(endpointId, limits.inFlight)
    lanes.set(endpointId, lane)
    return lane
  }

  function retire(lane: Lane) {
    const isBusy = lane.isClaiming || lane.isQueued || lane.inFlight > 0 || lane.claimed.size() > 0
    if (isBusy || lane.dueAt < Number.POSITIVE_INFINITY) return
    lanes.delete(lane.endpointId)
    const { address } = lane
    lane.address = undefined
    if (address !== undefined && --address.lanes === 0) addresses.delete(address.key)
  }

  return {
    of,
    fill: (lane, deliveries) => {
      for (const delivery of deliveries) {
        lane.address ??= addressOf(delivery.url)
        lane.claimed.add(delivery)
      }
    },
    retire,
    all: () => lanes.values(),
  }
}

function newAddress(key: string, limits: Limits): Address {
  return { key, inFlight: 0, isSlow: false, share: newShare(limits), lanes: 0, parked: createQueue<Lane>() }
}

function newLane(endpointId: string, batch: number): Lane {
  return {
    ...{ endpointId, claimed: createQueue<DueDelivery>(), address: undefined, dueAt: Number.POSITIVE_INFINITY, batch },
    ...{ inFlight: 0, most: Number.POSITIVE_INFINITY, pace: undefined, isClaiming: false, isQueued: false },
  }
}
