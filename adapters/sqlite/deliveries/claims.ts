import type { Box, Claim, Turn } from '../../deliveries.ts'
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
  const recover = database.prepare("UPDATE deliveries SET state = 'waiting' WHERE state = 'sending'")
  const due = database.prepare(
    `SELECT d.*, b.bytes FROM ${open} JOIN bodies b ON b.body = d.body
     WHERE d.state = 'waiting' AND d.endpoint = ? AND d.due <= ? ORDER BY d.due, d.number LIMIT ? + 0`,
  )
  const send = database.prepare("UPDATE deliveries SET state = 'sending' WHERE number = ?")
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

  return {
    recover: () => void recover.run(),
    claim: (endpointId, now, limit) => {
      const rows = due.all(endpointId, Math.trunc(now), limit) as readonly WithBody[]
      for (const { number } of rows) send.run(number)
      const { at } = next.get(endpointId) as { readonly at: number | null }
      return { deliveries: rows.map((row) => dueOf(row, box)), ...(at === null ? {} : { nextAt: at }) }
    },
    agenda: () => (agenda.all() as readonly Turn[]).map((turn) => ({ ...turn })),
    waiting: () => (waiting.get() as { readonly count: number }).count,
  }
}
