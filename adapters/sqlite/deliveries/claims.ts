import type { Box, Claim, DueDelivery, Turn } from '../../deliveries.ts'
import type { Database } from '../database.ts'
import { dueOf, type WithBody } from './rows.ts'

/** What waits and what is under way; each but the looks within a transaction that somebody else has begun. */
export interface Claims {
  recover(): void
  claim(endpointId: string, now: number, limit: number): Claim
  agenda(): readonly Turn[]
  waiting(): number
}

/** What of an open file is to be sent. All of it is answered from the index of what waits and is under way. */
export function createClaims(database: Database, box: Box): Claims {
  const open = 'deliveries d INDEXED BY open_deliveries'
  const recover = database.prepare("UPDATE deliveries SET state = 'waiting' WHERE state = 'sending' AND is_test = 0")
  const endTests = database.prepare(
    "UPDATE deliveries SET state = 'failed', last_failure = 'internal' WHERE state = 'sending' AND is_test = 1",
  )
  const due = database.prepare(
    `SELECT d.*, b.bytes FROM ${open} JOIN bodies b ON b.body = d.body
     WHERE d.state = 'waiting' AND d.endpoint = ? AND d.due <= ? ORDER BY d.due, d.number LIMIT ? + 0`,
  )
  const send = database.prepare("UPDATE deliveries SET state = 'sending' WHERE number = ?")
  const skip = database.prepare("UPDATE deliveries SET state = 'skipped' WHERE number = ?")
  const fail = database.prepare("UPDATE deliveries SET state = 'failed', last_failure = 'internal' WHERE number = ?")
  const next = database.prepare(`SELECT min(due) AS at FROM ${open} WHERE state = 'waiting' AND endpoint = ?`)
  // From one endpoint to the next: as fast with a hundred thousand that wait as with one for each.
  const agenda = database.prepare(
    `WITH RECURSIVE ends (endpoint) AS (
       SELECT min(endpoint) FROM ${open} WHERE state = 'waiting'
       UNION ALL
       SELECT (SELECT min(endpoint) FROM ${open} WHERE state = 'waiting' AND endpoint > ends.endpoint)
       FROM ends WHERE ends.endpoint IS NOT NULL
     )
     SELECT endpoint AS endpointId,
       (SELECT min(due) FROM ${open} WHERE state = 'waiting' AND d.endpoint = ends.endpoint) AS dueAt
     FROM ends WHERE endpoint IS NOT NULL ORDER BY dueAt`,
  )
  const waiting = database.prepare(`SELECT count(*) AS count FROM ${open} WHERE state = 'waiting'`)

  /** Nothing where it was forgotten meanwhile, or cannot be opened: either would keep all after it from being sent. */
  function claimed(row: WithBody): readonly DueDelivery[] {
    const due = openedOf(row, box)
    const isForgotten = due?.body.length === 0
    const become = due === undefined ? fail : isForgotten ? skip : send
    become.run(row.number)
    return due === undefined || isForgotten ? [] : [due]
  }

  return {
    recover: () => {
      recover.run()
      endTests.run()
    },
    claim: (endpointId, now, limit) => {
      const rows = due.all(endpointId, Math.trunc(now), limit) as readonly WithBody[]
      // A secret that cannot be read at the moment says nothing of what it sealed.
      if (rows.length > 0) box.name(new Uint8Array())
      const deliveries = rows.flatMap(claimed)
      const { at } = next.get(endpointId) as { readonly at: number | null }
      return { deliveries, ...(at === null ? {} : { nextAt: at }) }
    },
    agenda: () => (agenda.all() as readonly Turn[]).map((turn) => ({ ...turn })),
    waiting: () => (waiting.get() as { readonly count: number }).count,
  }
}

/** Nothing where it was sealed by another secret, or damaged since. */
function openedOf(row: WithBody, box: Box): DueDelivery | undefined {
  try {
    return dueOf(row, box)
  } catch {
    return undefined
  }
}
