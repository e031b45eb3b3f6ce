import { isQueue } from '../../../engine/index.ts'
import type { Checkpoint, NewDelivery, Sealer, ThrottleMark } from '../../node/deliveries.ts'
import type { Database } from '../database.ts'
import { emptyBody, isErased } from './erase.ts'
import { held, pulled } from './open.ts'
import { createUrls } from './urls.ts'

/** Saves deliveries before their first attempt, inside the caller's transaction. */
export interface DeliveryWriter {
  /** Saves a delivery if it is new, unless its subject was erased since it was made. */
  keep(delivery: NewDelivery, hashes: Hashes): SavedDelivery | undefined
  tell(told: ThrottleMark): void
  move(checkpoint: Checkpoint): void
}

/** A delivery as it was saved. */
export interface SavedDelivery {
  readonly delivery: NewDelivery
  /** The number of its body in the file. */
  readonly body: number
  /** Whether it waits for its first attempt, and for nothing else. */
  readonly isDue: boolean
}

/** Hashes of the two bodies of a delivery; the second is absent if they are equal. */
interface Hashes {
  readonly body: Uint8Array
  readonly native?: Uint8Array
}

/** Computed before the lock is taken. */
export function hashesOf({ body, native }: Pick<NewDelivery, 'body' | 'native'>, box: Sealer): Hashes {
  const isSame = body === native || Buffer.compare(body, native) === 0
  return { body: box.name(body), ...(isSame ? {} : { native: box.name(native) }) }
}

/** Bytes that a row keeps for its first attempt, because a row that grows splits the page which it is in. */
const room = 200

/** Whether an endpoint in order has a delivery about a subject that has not ended. */
const someAhead = `SELECT 1 FROM deliveries INDEXED BY deliveries_in_order
  WHERE state = 'waiting' AND in_order = 1 AND endpoint = ? AND subject = ? LIMIT 1`

/** Creates the writer of an open file; `clock` returns epoch milliseconds. */
export function createDeliveryWriter(database: Database, clock: () => number, box: Sealer): DeliveryWriter {
  const known = database.prepare('SELECT 1 FROM deliveries WHERE id = ?')
  const forgotten = database.prepare(`SELECT 1 FROM deliveries WHERE id = ? AND ${isErased}`)
  const shared = database.prepare('UPDATE bodies SET uses = uses + 1 WHERE hash = ? RETURNING body')
  const insertBody = database.prepare('INSERT INTO bodies (hash, uses, bytes) VALUES (?, 1, ?)')
  const insert = database.prepare(
    `INSERT INTO deliveries (id, state, due, created, body, native, endpoint, owner, business, customer, channel, field,
       url, format, standard, event, event_id, subject, occurred_at, is_test, is_sandbox, redelivery_of, sequence, in_order,
       first_answer)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, zeroblob(${room}))`,
  )
  const upsertTold = database.prepare(
    'INSERT INTO told (endpoint, throttle, at) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET at = excluded.at',
  )
  const upsertCheckpoint = database.prepare(
    'INSERT OR REPLACE INTO checkpoint (only, position, stream, revision, id) VALUES (1, ?, ?, ?, ?)',
  )
  const ahead = database.prepare(someAhead)
  const urls = createUrls(box)

  function dueOf({ endpoint, subject, state, dueAt }: NewDelivery): number {
    const isHeld = isInOrder(endpoint) && state === 'waiting' && ahead.get(endpoint.id, subject) !== undefined
    return isQueue(endpoint.url) ? pulled : isHeld ? held : Math.trunc(dueAt)
  }

  function isOfForgotten({ redeliveryOf }: NewDelivery): boolean {
    return redeliveryOf !== undefined && forgotten.get(redeliveryOf, box.name(emptyBody)) !== undefined
  }

  function bodyOf(hash: Uint8Array, bytes: Uint8Array): number {
    const row = shared.get(hash) as { readonly body: number } | undefined
    return row?.body ?? Number(insertBody.run(hash, box.seal(bytes)).lastInsertRowid)
  }

  return {
    keep: (delivery, hashes) => {
      if (known.get(delivery.id) !== undefined || isOfForgotten(delivery)) return undefined
      const body = bodyOf(hashes.body, delivery.body)
      const native = hashes.native === undefined ? null : bodyOf(hashes.native, delivery.native)
      const { id, state, endpoint, event, eventId, subject } = delivery
      const [now, due] = [clock(), dueOf(delivery)]
      const created = Math.min(now, delivery.createdAt ?? Number.POSITIVE_INFINITY)
      insert.run(
        ...[id, state, due, Math.trunc(created), body, native],
        ...[endpoint.id, endpoint.owner, delivery.businessId, endpoint.customerId ?? null],
        ...[endpoint.channel, endpoint.field, urls.seal(endpoint.url), endpoint.format, Number(endpoint.standard)],
        ...[event, eventId, subject, delivery.occurredAt],
        ...[Number(delivery.isTest), Number(delivery.isSandbox), delivery.redeliveryOf ?? null],
        ...[delivery.sequence ?? null, Number(isInOrder(endpoint))],
      )
      return { delivery, body, isDue: state === 'waiting' && due <= now }
    },
    tell: ({ endpointId, throttle, at }) => void upsertTold.run(endpointId, throttle, Math.trunc(at)),
    move: ({ position, stream, revision, id }) => void upsertCheckpoint.run(position, stream, revision, id),
  }
}

/** A queue is in order as a whole: nothing of it is held for something else. */
export function isInOrder({ url, isInOrder }: NewDelivery['endpoint']): boolean {
  return isInOrder === true && !isQueue(url)
}
