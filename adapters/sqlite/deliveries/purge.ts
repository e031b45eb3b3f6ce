import type { Database } from '../database.ts'
import type { HealthBook } from './health.ts'
import { pulled } from './open.ts'

/** Deletes old deliveries, inside the caller's transaction. */
export type Purge = (before: number, limit: number) => number

interface Old {
  readonly number: number
  readonly body: number
  readonly native: number | null
}

/** Releases a body and deletes it if nothing else uses it. */
export function createReleaseBody(database: Database): (body: number | null) => void {
  const use = database.prepare('UPDATE bodies SET uses = uses - 1 WHERE body = ? RETURNING uses')
  const drop = database.prepare('DELETE FROM bodies WHERE body = ?')
  return (body) => {
    if (body === null) return
    const { uses } = use.get(body) as { readonly uses: number }
    if (uses === 0) drop.run(body)
  }
}

/** Jumps from business to business, so that one index serves the log of each and what is old of all. */
const oldOfAll = `WITH RECURSIVE ends (business) AS (
    SELECT min(business) FROM deliveries
    UNION ALL
    SELECT (SELECT min(business) FROM deliveries WHERE business > ends.business) FROM ends WHERE ends.business IS NOT NULL
  )
  SELECT d.number, d.body, d.native FROM ends CROSS JOIN deliveries d INDEXED BY deliveries_of_business
  WHERE d.business = ends.business AND d.created < ?
    AND (d.state NOT IN ('waiting', 'sending') OR d.due = ${pulled}) LIMIT ? + 0`

/** Creates the purge of an open file. What nobody has read of a queue goes like what is finished. */
export function createPurge(database: Database, health: Pick<HealthBook, 'purge'>): Purge {
  const old = database.prepare(oldOfAll)
  const dropAttempts = database.prepare('DELETE FROM attempts WHERE delivery = ?')
  const drop = database.prepare('DELETE FROM deliveries WHERE number = ?')
  const letGo = createReleaseBody(database)
  const forget = database.prepare(
    'DELETE FROM told WHERE (endpoint, throttle) IN (SELECT endpoint, throttle FROM told WHERE at < ? LIMIT ? + 0)',
  )

  return (before, limit) => {
    const rows = old.all(Math.trunc(before), limit) as readonly Old[]
    for (const { number, body, native } of rows) {
      dropAttempts.run(number)
      drop.run(number)
      letGo(body)
      letGo(native)
    }
    health.purge(Math.trunc(before), limit)
    forget.run(Math.trunc(before), limit)
    return rows.length
  }
}
