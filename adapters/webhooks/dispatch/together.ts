import type { DueDelivery } from '../../node/deliveries.ts'
import { retryUntilAborted } from '../retry.ts'
import type { Lane } from './lane.ts'
import { type DispatcherState, scheduleAt } from './state.ts'

/** The most deliveries that one request joins, and bytes of their bodies; one body may be larger. */
const most = { deliveries: 1_000, bytes: 1024 * 1024 } as const

/** Deliveries that are claimed at once, because the bodies of all are in memory. */
const batch = 100

/** Milliseconds until the next look whether other claims have come in. */
const pause = 2

/** Takes the deliveries of a lane that are due together with one, as many as one request may join; the others stay. */
export async function takeTogether(
  state: DispatcherState,
  lane: Lane,
  first: DueDelivery,
): Promise<readonly [DueDelivery, ...DueDelivery[]]> {
  const { parts, run } = state
  const others: DueDelivery[] = []
  let bytes = first.body.length
  const takes = ({ body }: DueDelivery) => {
    if (others.length + 1 >= most.deliveries || bytes + body.length > most.bytes) return false
    bytes += body.length
    return true
  }
  while (lane.isClaiming && !run.signal.aborted) await run.wait(pause, run.signal)
  lane.isClaiming = true
  try {
    for (;;) {
      for (let next = lane.claimed.peek(); next !== undefined && takes(next); next = lane.claimed.peek()) {
        lane.claimed.take()
        others.push(next)
      }
      if (lane.claimed.size() > 0 || others.length + 1 >= most.deliveries || run.signal.aborted) break
      const claim = () => parts.repository.claim(lane.endpointId, parts.clock(), batch)
      const { deliveries, nextAt } = await retryUntilAborted(run, 'deliveries cannot be claimed', claim)
      if (nextAt !== undefined) scheduleAt(state, lane.endpointId, nextAt)
      if (deliveries.length === 0) break
      state.lanes.fill(lane, deliveries)
    }
  } finally {
    lane.isClaiming = false
  }
  return [first, ...others]
}
