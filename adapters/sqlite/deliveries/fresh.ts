import type { DueDelivery, NewDelivery } from '../../node/deliveries.ts'
import { type ClaimRow, countsOf } from './rows.ts'
import { isInOrder, type SavedDelivery } from './save.ts'

/** Deliveries in memory from when they are saved until they are claimed, so that they are not read back and unsealed. */
export interface FreshDeliveries {
  /** Remembers what waits for its first attempt alone; to be called when the transaction has ended well. */
  add(saved: readonly SavedDelivery[]): void
  isEmpty(): boolean
  /** Whether a delivery is remembered, and its row still has the body that it was saved with. */
  has(row: ClaimRow): boolean
  /** Returns such a delivery, once. */
  take(row: ClaimRow): DueDelivery | undefined
  /** Drops what is about subjects. */
  forget(subjects: readonly string[]): void
  /** This process claims, and so it sends. One that never claims remembers nothing; one that no longer does drops all once it would be full. */
  claiming(): void
}

interface Remembered {
  readonly delivery: Omit<DueDelivery, 'attempts' | 'attemptNumber'>
  /** The number of the body in the file. */
  readonly body: number
  readonly size: number
}

/** The most bytes that are remembered. */
const most = 8 * 1024 * 1024

/** The most bytes of one delivery. */
const mostOfOne = most / 16

/** Bytes of a delivery without its body and URL. */
const besides = 1024

/** Creates an empty memory. The oldest deliveries make room for new ones. */
export function createFreshDeliveries(): FreshDeliveries {
  const held = new Map<string, Remembered>()
  let bytes = 0
  // Bytes remembered since the last claim. As many as the memory holds say that another process sends.
  let unclaimed = most

  function drop(id: string) {
    bytes -= held.get(id)?.size ?? 0
    held.delete(id)
  }

  function remember({ delivery, body, isDue }: SavedDelivery) {
    const size = delivery.body.length + delivery.endpoint.url.length + besides
    const isErased = delivery.body.length === 0
    if (!isDue || isErased || size > mostOfOne) return
    drop(delivery.id)
    held.set(delivery.id, { delivery: contentsOf(delivery), body, size })
    bytes += size
    unclaimed += size
  }

  function makeRoom() {
    const room = unclaimed >= most ? 0 : most
    for (const id of held.keys()) {
      if (bytes <= room) return
      drop(id)
    }
  }

  return {
    add: (saved) => {
      if (unclaimed >= most) return
      for (const one of saved) remember(one)
      makeRoom()
    },
    isEmpty: () => held.size === 0,
    has: ({ id, body }) => held.get(id)?.body === body,
    take: (row) => {
      const found = held.get(row.id)
      drop(row.id)
      return found?.body === row.body ? { ...found.delivery, ...countsOf(row) } : undefined
    },
    forget: (subjects) => {
      if (subjects.length === 0) return
      const forgotten = new Set(subjects)
      for (const [id, { delivery }] of held) if (forgotten.has(delivery.subject)) drop(id)
    },
    claiming: () => {
      unclaimed = 0
    },
  }
}

/** What a claim returns of a delivery, whatever was attempted. Spreading objects would cost more than all else here. */
function contentsOf(delivery: NewDelivery): Remembered['delivery'] {
  const { endpoint, sequence, body } = delivery
  const contents: Remembered['delivery'] & { sequence?: string } = {
    event: delivery.event,
    eventId: delivery.eventId,
    subject: delivery.subject,
    occurredAt: delivery.occurredAt,
    businessId: delivery.businessId,
    isTest: delivery.isTest,
    isSandbox: delivery.isSandbox,
    id: delivery.id,
    owner: endpoint.owner,
    endpointId: endpoint.id,
    channel: endpoint.channel,
    url: endpoint.url,
    format: endpoint.format,
    standard: endpoint.standard,
    isInOrder: isInOrder(endpoint),
    // A small Buffer is a part of a larger one, which it would keep in memory.
    body: body.byteLength === body.buffer.byteLength ? body : new Uint8Array(body),
  }
  if (sequence !== undefined) contents.sequence = sequence
  return contents
}
