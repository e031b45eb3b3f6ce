import { setImmediate } from 'node:timers/promises'
import {
  categoryOf,
  type EventFilter,
  type FeedPage,
  type ReadPage,
  type ReadRange,
  type RecordedEvent,
} from '../../engine/index.ts'
import type { Database } from './database.ts'
import { type EventRow, eventOf, isKeepable, positionOf, posOf } from './row.ts'

/** The reading half of the store: a stream, and pages of the feed. */
export interface Reader {
  read(stream: string, range: ReadRange): readonly RecordedEvent[]
  readonly readPage: ReadPage
  /** Position of the last event; nothing where there is none. */
  latest(): string | undefined
}

/** A row of the feed, which says its stream. */
interface FeedRow extends EventRow {
  readonly name: string
}

type SelectRows = (after: number, end: number, limit: number) => readonly FeedRow[]

// Each value that crosses from the driver has its price, and bytes the highest.
const columns = 'e.pos, e.rev, lower(hex(e.id)) AS id, e.type, e.data, e.meta, e.created'

const ofOneStream = 'FROM streams s JOIN events e USING (sid) WHERE s.name = ?'

/** Positions looked through at a time for a category, so that a rare one does not hold up everybody else. */
const windowSize = 10_000

/** Prepares the queries. Every one is read to its end at once: an iterator left open would keep the log from shrinking. */
export function createReader(database: Database): Reader {
  const forwards = database.prepare(`SELECT ${columns} ${ofOneStream} AND e.rev >= ? ORDER BY e.rev LIMIT ?`)
  const backwards = database.prepare(`SELECT ${columns} ${ofOneStream} AND e.rev <= ? ORDER BY e.rev DESC LIMIT ?`)
  const lastPos = database.prepare('SELECT coalesce(max(pos), 0) AS pos FROM events')
  const end = () => (lastPos.get() as { readonly pos: number }).pos

  function read(name: string, range: ReadRange): readonly RecordedEvent[] {
    if (!isKeepable(name)) return []
    const limit = Math.max(0, range.limit ?? Number.MAX_SAFE_INTEGER)
    const isBackwards = range.backwards === true
    const from = range.from ?? (isBackwards ? Number.MAX_SAFE_INTEGER : 0)
    const rows = (isBackwards ? backwards : forwards).all(name, from, limit) as readonly EventRow[]
    return rows.map((row) => eventOf(row, name))
  }

  function latest(): string | undefined {
    const pos = end()
    return pos === 0 ? undefined : positionOf(pos)
  }

  return { read, latest, readPage: createReadPage(database, end) }
}

/** Prepares the queries of the feed; `end` answers the row of the last event. */
function createReadPage(database: Database, end: () => number): ReadPage {
  const feed = `FROM events e CROSS JOIN streams s USING (sid) WHERE e.pos > ? AND e.pos <= ?`
  const ofAll = database.prepare(`SELECT s.name, ${columns} ${feed} ORDER BY e.pos LIMIT ?`)
  // The category is what stands before the first hyphen, and a full stop is the character after the hyphen.
  const ofCategory = database.prepare(
    `SELECT s.name, ${columns} ${feed} AND s.name >= ? || '-' AND s.name < ? || '.' ORDER BY e.pos LIMIT ?`,
  )
  // Within a stream, revisions grow with positions; the plus keeps the planner to the index of revisions.
  const ofStream = database.prepare(
    `SELECT s.name, ${columns} ${ofOneStream} AND +e.pos > ? AND +e.pos <= ? ORDER BY e.rev LIMIT ?`,
  )

  function selectionOf(filter: EventFilter): SelectRows | undefined {
    const { stream, category } = filter
    if (stream !== undefined) {
      if (!isKeepable(stream) || (category !== undefined && category !== categoryOf(stream))) return undefined
      return (after, end, limit) => ofStream.all(stream, after, end, limit) as readonly FeedRow[]
    }
    if (category === undefined) return (after, end, limit) => ofAll.all(after, end, limit) as readonly FeedRow[]
    if (!isKeepable(category) || category.includes('-')) return undefined
    return (after, end, limit) => ofCategory.all(after, end, category, category, limit) as readonly FeedRow[]
  }

  /** The end is read first. Whatever stands up to there is visible, so that `next` never passes what is still to come. */
  async function readPage(position: string | undefined, filter: EventFilter, limit: number): Promise<FeedPage> {
    const start = posOf(position)
    const last = end()
    const select = selectionOf(filter)
    const events: RecordedEvent[] = []
    const step = filter.stream === undefined ? windowSize : last
    for (let after = start; select !== undefined && after < last; after += step) {
      if (after > start) await setImmediate()
      for (const row of select(after, Math.min(after + step, last), limit - events.length))
        events.push(eventOf(row, row.name))
      const next = events.at(-1)?.position
      if (events.length === limit) return { events, next }
    }
    return { events, next: last > start ? positionOf(last) : position }
  }

  return readPage
}
