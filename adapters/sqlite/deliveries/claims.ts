import type { Backlog } from '../../../engine/index.ts'
import type { Claim, DueDelivery, EndpointDueTime, Sealer } from '../../node/deliveries.ts'
import type { Database } from '../database.ts'
import type { FreshDeliveries } from './fresh.ts'
import { isClaimed, pulled } from './open.ts'
import { type ClaimRow, type DueRow, demandSecret, dueColumns, dueOf } from './rows.ts'
import { createUrls, type Urls } from './urls.ts'

/** Waiting and claimed deliveries. Only `recover` needs a transaction, which the caller starts. */
export interface Claims {
  recover(loss?: { readonly now: number; readonly inFlight: number }): void
  claim(endpointId: string, now: number, limit: number): Claim
  agenda(): readonly EndpointDueTime[]
  waiting(): number
  backlog(endpointId: string): Backlog
}

/** All these queries use the index of open deliveries. */
const open = 'deliveries d INDEXED BY open_deliveries'

const waits = `d.state = 'waiting' AND d.due <> ${pulled} AND NOT ${isClaimed}`

/** The most deliveries of an endpoint that are counted: each is read. */
const counted = 1_000

/** Counts an attempt of what is due first at each endpoint, and may have been in flight; the number of those left is the same. */
const lost = `UPDATE deliveries SET attempts = attempts + 1, earlier = earlier + 1 WHERE number IN (
  SELECT number FROM (
    SELECT number, row_number() OVER (PARTITION BY endpoint ORDER BY due, number) AS place
    FROM deliveries INDEXED BY open_deliveries WHERE state = 'waiting' AND due <= ?
  ) WHERE place <= ?
)`

/** Creates the claims of an open file. */
export function createClaims(database: Database, box: Sealer, fresh: FreshDeliveries): Claims {
  const forgetClaims = database.prepare('DELETE FROM claimed')
  const endTests = database.prepare(
    "UPDATE deliveries SET state = 'failed', last_failure = 'internal' WHERE state = 'sending'",
  )
  const countLost = database.prepare(lost)
  // Jumps from endpoint to endpoint, so the cost does not depend on how many deliveries wait.
  const agenda = database.prepare(
    `WITH RECURSIVE ends (endpoint) AS (
       SELECT min(endpoint) FROM ${open} WHERE state = 'waiting'
       UNION ALL
       SELECT (SELECT min(endpoint) FROM ${open} WHERE state = 'waiting' AND endpoint > ends.endpoint)
       FROM ends WHERE ends.endpoint IS NOT NULL
     )
     SELECT endpoint AS endpointId,
       (SELECT min(due) FROM ${open} WHERE ${waits} AND d.endpoint = ends.endpoint) AS dueAt
     FROM ends WHERE endpoint IS NOT NULL AND dueAt IS NOT NULL ORDER BY dueAt`,
  )
  // Many deliveries wait and few are claimed, so the claimed ones are counted separately (CROSS keeps the join order).
  const waiting = database.prepare(
    `SELECT (SELECT count(*) FROM ${open} WHERE state = 'waiting' AND due <> ${pulled}) - (SELECT count(*) FROM claimed c
       CROSS JOIN deliveries d ON d.number = c.number WHERE d.state = 'waiting') AS count`,
  )

  const backlog = database.prepare(
    `SELECT count(*) AS waiting, min(created) AS since FROM (SELECT created FROM ${open}
       WHERE d.state = 'waiting' AND d.endpoint = ? AND d.due <> ${pulled} ORDER BY d.due LIMIT ${counted + 1})`,
  )

  return {
    recover: (loss) => {
      forgetClaims.run()
      endTests.run()
      if (loss !== undefined) countLost.run(Math.trunc(loss.now), loss.inFlight)
    },
    claim: createClaim(database, box, fresh),
    agenda: () => (agenda.all() as readonly EndpointDueTime[]).map((turn) => ({ ...turn })),
    waiting: () => (waiting.get() as { readonly count: number }).count,
    backlog: (endpointId) => {
      const found = backlog.get(endpointId) as { readonly waiting: number; readonly since: number | null }
      const known = { waiting: Math.min(found.waiting, counted), isMore: found.waiting > counted }
      return found.since === null ? known : { ...known, since: found.since }
    },
  }
}

interface Taken {
  readonly number: number
  readonly delivery: DueDelivery
}

function createClaim(database: Database, box: Sealer, fresh: FreshDeliveries): Claims['claim'] {
  const takeUp = createTakingUp(database, box, fresh)
  const claim = database.prepare(
    'INSERT INTO claimed SELECT number, attempts + 1 FROM deliveries WHERE number IN (SELECT value FROM json_each(?))',
  )
  const next = database.prepare(
    `SELECT min(due) AS at FROM ${open} WHERE ${waits} AND endpoint = ? AND d.number NOT IN (SELECT value FROM json_each(?))`,
  )

  return (endpointId, now, limit) => {
    const taken = takeUp(endpointId, Math.trunc(now), limit)
    const numbers = JSON.stringify(taken.map(({ number }) => number))
    const { at } = next.get(endpointId, numbers) as { readonly at: number | null }
    // Last, because nobody would send what was claimed by a call that then failed.
    claim.run(numbers)
    const deliveries = taken.map(({ delivery }) => delivery)
    return { deliveries, ...(at === null ? {} : { nextAt: at }) }
  }
}

/** Creates what takes up due deliveries. It reads few columns of deliveries in memory, and all that is sent of others. */
function createTakingUp(database: Database, box: Sealer, fresh: FreshDeliveries) {
  const urls = createUrls(box)
  const due = `${waits} AND d.endpoint = ? AND d.due <= ? ORDER BY d.due, d.number LIMIT ? + 0`
  const columns = ([...dueColumns, 'body'] as const).map((column) => `d.${column}`).join(', ')
  const known = database.prepare(`SELECT d.number, d.id, d.body, d.attempts, d.earlier FROM ${open} WHERE ${due}`)
  const whole = database.prepare(
    `SELECT ${columns}, b.bytes FROM ${open} JOIN bodies b ON b.body = d.body WHERE ${due}`,
  )
  const skip = database.prepare("UPDATE deliveries SET state = 'skipped' WHERE number = ?")
  const fail = database.prepare("UPDATE deliveries SET state = 'failed', last_failure = 'internal' WHERE number = ?")

  /** `undefined` if it was erased or cannot be decrypted, because either would block all deliveries after it. */
  function read(row: DueRow): DueDelivery | undefined {
    const delivery = openedOf(row, urls, box)
    if (delivery !== undefined && delivery.body.length > 0) return delivery
    const giveUp = delivery === undefined ? fail : skip
    giveUp.run(row.number)
    return undefined
  }

  return (...limits: readonly [endpointId: string, now: number, limit: number]): readonly Taken[] => {
    fresh.claiming()
    const some = fresh.isEmpty() ? [] : (known.all(...limits) as readonly ClaimRow[])
    if (some.length > 0 && some.every(fresh.has)) {
      demandSecret(box)
      return some.flatMap((row) => takenOf(row, fresh.take(row)))
    }
    const rows = whole.all(...limits) as readonly (ClaimRow & DueRow)[]
    if (rows.length > 0) demandSecret(box)
    return rows.flatMap((row) => takenOf(row, fresh.take(row) ?? read(row)))
  }
}

function takenOf({ number }: ClaimRow, delivery: DueDelivery | undefined): readonly Taken[] {
  return delivery === undefined ? [] : [{ number, delivery }]
}

/** `undefined` if it was sealed with another secret or is damaged. */
function openedOf(row: DueRow, urls: Urls, box: Sealer): DueDelivery | undefined {
  try {
    return dueOf(row, urls.open(row.url), box)
  } catch {
    return undefined
  }
}
