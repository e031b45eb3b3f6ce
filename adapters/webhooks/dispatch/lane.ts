import type { DueDelivery } from '../../node/deliveries.ts'
import type { Limits } from './limits.ts'
import { createQueue, type Queue } from './queue.ts'

/** A URL without its query, which several endpoints may share. */
export interface Address {
  readonly key: string
  /** Attempts under way. */
  inFlight: number
  /** Whether the last attempt was a slow one. */
  isSlow: boolean
  /** How many lanes lead to it. */
  lanes: number
  /** Lanes that have something to send once an attempt has ended. */
  readonly parked: Queue<Lane>
}

/** What goes to one endpoint. */
export interface Lane {
  readonly endpointId: string
  /** Claimed and not attempted yet. */
  readonly claimed: Queue<DueDelivery>
  /** Known once something was claimed. */
  address: Address | undefined
  /** When the book has something due for it, as far as is known; epoch milliseconds. */
  dueAt: number
  /** So many are claimed next: a few at first, more where it is quick. */
  batch: number
  inFlight: number
  isClaiming: boolean
  /** Whether it stands in a line, or is parked. */
  isInLine: boolean
}

/** The endpoints that have something to be sent, now or later. */
export interface Lanes {
  /** The lane of an endpoint; made where absent. */
  of(endpointId: string): Lane
  /** Puts what was claimed into its lane. */
  fill(lane: Lane, deliveries: readonly DueDelivery[]): void
  /** Forgets a lane that has nothing to do. */
  retire(lane: Lane): void
  all(): Iterable<Lane>
}

/** Makes lanes, none to begin with. */
export function createLanes({ inFlight }: Limits): Lanes {
  const lanes = new Map<string, Lane>()
  const addresses = new Map<string, Address>()

  function addressOf(url: string): Address {
    const key = url.replace(/[?#].*$/s, '')
    const address = addresses.get(key) ?? { key, inFlight: 0, isSlow: false, lanes: 0, parked: createQueue<Lane>() }
    addresses.set(key, address)
    address.lanes++
    return address
  }

  function of(endpointId: string): Lane {
    const lane = lanes.get(endpointId) ?? newLane(endpointId, inFlight)
    lanes.set(endpointId, lane)
    return lane
  }

  function retire(lane: Lane) {
    const isBusy = lane.isClaiming || lane.isInLine || lane.inFlight > 0 || lane.claimed.size() > 0
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

function newLane(endpointId: string, batch: number): Lane {
  return {
    ...{ endpointId, claimed: createQueue<DueDelivery>(), address: undefined, dueAt: Number.POSITIVE_INFINITY, batch },
    ...{ inFlight: 0, isClaiming: false, isInLine: false },
  }
}
