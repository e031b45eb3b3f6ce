import type { QueueProgress } from '../../../engine/index.ts'
import type { QueuePage, Sealer } from '../../node/deliveries.ts'
import type { Database } from '../database.ts'
import { emptyBody } from './erase.ts'
import { pulled } from './open.ts'
import { type DeliveryRow, type DueRow, demandSecret, dueColumns, dueOf, textIn } from './rows.ts'

/** The queues of an open file, from which receivers read. */
export interface Queues {
  page(endpointId: string, limit: number, after?: string): QueuePage
  progress(endpointId: string): QueueProgress
  /** Whether a queue has a delivery. */
  has(endpointId: string, id: string): boolean
  /** Inside the caller's transaction. */
  acknowledge(endpointId: string, through: string): number | undefined
}

type QueueRow = DueRow & Pick<DeliveryRow, 'field'>

/** Bytes of bodies of a page, as long as it has one. */
const maxBytes = 1024 * 1024

/** Creates the queues. */
export function createQueues(database: Database, box: Sealer): Queues {
  const place = database.prepare(`SELECT number FROM deliveries WHERE id = ? AND endpoint = ? AND due = ${pulled}`)
  const first = database.prepare(
    `SELECT min(number) AS number FROM deliveries INDEXED BY open_deliveries
     WHERE state = 'waiting' AND endpoint = ? AND due = ${pulled}`,
  )
  const columns = [...dueColumns, 'field'].map((column) => `d.${column}`).join(', ')
  const next = database.prepare(
    `SELECT ${columns}, b.bytes FROM deliveries d INDEXED BY deliveries_to_pull JOIN bodies b ON b.body = d.body
     WHERE d.endpoint = ? AND d.due = ${pulled} AND d.number > ? AND d.state IN ('waiting', 'delivered') AND b.hash <> ?
     ORDER BY d.number LIMIT ? + 0`,
  )
  const settle = database.prepare(
    `UPDATE deliveries INDEXED BY open_deliveries SET state = 'delivered'
     WHERE state = 'waiting' AND endpoint = ? AND due = ${pulled} AND number <= ? RETURNING number`,
  )

  function numberOf(id: string, endpointId: string): number | undefined {
    return (place.get(id, endpointId) as { readonly number: number } | undefined)?.number
  }

  function startOf(endpointId: string, after: string | undefined): number {
    const known = after === undefined ? undefined : numberOf(after, endpointId)
    if (known !== undefined) return known
    const { number } = first.get(endpointId) as { readonly number: number | null }
    return number === null ? Number.MAX_SAFE_INTEGER : number - 1
  }

  return {
    page: (endpointId, limit, after) => {
      const rows = next.all(endpointId, startOf(endpointId, after), box.name(emptyBody), limit + 1)
      return pageOf(rows as readonly QueueRow[], limit, box)
    },
    progress: createProgress(database),
    has: (endpointId, id) => numberOf(id, endpointId) !== undefined,
    acknowledge: (endpointId, through) => {
      const number = numberOf(through, endpointId)
      return number === undefined ? undefined : settle.all(endpointId, number).length
    },
  }
}

function pageOf(rows: readonly QueueRow[], limit: number, box: Sealer): QueuePage {
  if (rows.length > 0) demandSecret(box)
  const deliveries: QueuePage['deliveries'][number][] = []
  let [bytes, looked] = [0, 0]
  for (const row of rows.slice(0, limit)) {
    bytes += row.bytes.length
    if (bytes > maxBytes && looked > 0) break
    looked++
    const delivery = openedOf(row, box)
    if (delivery !== undefined) deliveries.push(delivery)
  }
  const last = rows[looked - 1]
  return {
    deliveries,
    ...(last === undefined ? {} : { last: last.id }),
    hasMore: rows.length > looked,
  }
}

/** `undefined` if it cannot be decrypted, because it would block all after it. */
function openedOf(row: QueueRow, box: Sealer): QueuePage['deliveries'][number] | undefined {
  try {
    return { ...dueOf(row, textIn(row.url, box), box), field: row.field }
  } catch {
    return undefined
  }
}

/** Creates how to see how far queues were read. */
function createProgress(database: Database): Queues['progress'] {
  const waiting = database.prepare(
    `SELECT count(*) AS waiting, min(created) AS since FROM deliveries INDEXED BY open_deliveries
     WHERE state = 'waiting' AND endpoint = ? AND due = ${pulled}`,
  )
  const acknowledged = database.prepare(
    `SELECT id FROM deliveries INDEXED BY deliveries_to_pull
     WHERE endpoint = ? AND due = ${pulled} AND state = 'delivered' ORDER BY number DESC LIMIT 1`,
  )

  return (endpointId) => {
    const { waiting: count, since } = waiting.get(endpointId) as {
      readonly waiting: number
      readonly since: number | null
    }
    const last = acknowledged.get(endpointId) as { readonly id: string } | undefined
    return {
      waiting: count,
      ...(since === null ? {} : { waitingSince: since }),
      ...(last === undefined ? {} : { cursor: last.id }),
    }
  }
}
