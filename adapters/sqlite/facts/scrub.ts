import { setTimeout } from 'node:timers/promises'
import { type Database, queryOn } from '../database.ts'
import type { Damages } from './damages.ts'
import { type EventRow, eventColumns, idOf, isWhole } from './row.ts'

/** How a scrub goes on: milliseconds before each pass over the file, and between two pages of `events` events. */
interface ScrubPace {
  readonly beforePass: number
  readonly betweenPages: number
  readonly events: number
}

/** About 2,000 events a second, once a day. */
const defaultPace: ScrubPace = { beforePass: 86_400_000, betweenPages: 100, events: 200 }

/** Compares every event with its checksum, a few at a time, again and again until `signal` is aborted. */
export async function scrub(
  database: Database,
  damages: Damages,
  signal: AbortSignal,
  { beforePass, betweenPages, events }: ScrubPace = defaultPace,
): Promise<void> {
  const page = queryOn<EventRow & { readonly 8: string }>(
    database,
    `SELECT ${eventColumns}, s.name FROM events e CROSS JOIN streams s USING (sid) WHERE e.pos > ? ORDER BY e.pos LIMIT ${events}`,
  )
  const pause = (ms: number) => setTimeout(ms, undefined, { signal, ref: false })
  for (;;) {
    for (let after = 0; ; await pause(betweenPages)) {
      const rows = page(after)
      for (const row of rows) if (!isWhole(row, row[8])) damages.report(row[0], idOf(row[2]))
      const last = rows.at(-1)?.[0] ?? 0
      if (last <= after) break
      after = last
    }
    await pause(beforePass)
  }
}
