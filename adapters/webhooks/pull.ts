import { setTimeout } from 'node:timers/promises'
import { type Endpoint, EngineError, type PulledEvent, type Webhooks } from '../../engine/index.ts'
import type { DeliveryRepository, DueDelivery, Outgoing, QueuePage } from '../node/deliveries.ts'

/** Dependencies of reading from queues. */
interface PullParts {
  readonly repository: Pick<DeliveryRepository, 'queued' | 'acknowledge'>
  readonly requestOf: (attempt: {
    readonly delivery: DueDelivery
    readonly keys: Endpoint['keys']
    readonly now: number
  }) => Outgoing
  /** Epoch milliseconds. */
  readonly clock: () => number
  /** Milliseconds in which a cursor of another node becomes known here; 0 if all share their deliveries. */
  readonly patience: number
  /** Aborted when calls are no longer to wait. */
  readonly stopping: AbortSignal
}

/** Milliseconds between two looks at a queue, and at a cursor of another node. */
const pause = 250

/** Calls that wait at a time; further ones are answered at once. */
const maxWaiting = 500

/** Creates the reading side of queues. */
export function createPull(parts: PullParts): Webhooks['pull'] {
  const { repository, clock, stopping } = parts
  let waiting = 0

  return async ([endpoint, ...others], { cursor, limit, wait, gone }) => {
    const waits = waitsOf(stopping, gone)
    const after = cursor === undefined ? undefined : await acknowledge(parts, endpoint.id, cursor, waits)
    const look = () => repository.queued(endpoint.id, limit, after)
    const end = clock() + wait
    let page = await look()
    if (page.last === undefined && wait > 0 && waiting < maxWaiting) {
      waiting++
      try {
        while (page.last === undefined && clock() < end && !waits.isOver()) {
          await waits.pause(Math.min(pause, end - clock()))
          page = await look()
        }
      } finally {
        waiting--
      }
    }
    const { last = cursor } = page
    const events = page.deliveries.map((delivery) => pulledOf(parts, delivery, [endpoint, ...others]))
    return { events, ...(last === undefined ? {} : { cursor: last }), hasMore: page.hasMore }
  }
}

/** Acknowledges what a cursor names: the last delivery that was processed. */
async function acknowledge(
  { repository, clock, patience }: PullParts,
  endpointId: string,
  cursor: string,
  waits: Waits,
): Promise<string> {
  for (const end = clock() + patience; ; await waits.pause(pause)) {
    if ((await repository.acknowledge(endpointId, cursor)) !== undefined) return cursor
    if (clock() >= end || waits.isOver()) throw new EngineError('webhook_cursor_unknown')
  }
}

function pulledOf(
  { requestOf, clock }: PullParts,
  delivery: QueuePage['deliveries'][number],
  endpoints: readonly [Endpoint, ...Endpoint[]],
): PulledEvent {
  const { keys } = endpoints.find(({ field }) => field === delivery.field) ?? endpoints[0]
  const { headers, body } = requestOf({ delivery, keys, now: clock() })
  return { deliveryId: delivery.id, event: delivery.event, headers, body: Buffer.from(body).toString() }
}

/** How a call waits. */
interface Waits {
  /** Whether nobody waits any more. */
  isOver(): boolean
  /** Resolves after so many milliseconds, or as soon as the caller is gone. */
  pause(milliseconds: number): Promise<void>
}

/** A signal that joins both would stay with `stopping` in Node.js 20 for as long as the server runs. */
function waitsOf(stopping: AbortSignal, gone: AbortSignal = stopping): Waits {
  return {
    isOver: () => stopping.aborted || gone.aborted,
    pause: (milliseconds) => setTimeout(milliseconds, undefined, { signal: gone }).catch(() => {}),
  }
}
