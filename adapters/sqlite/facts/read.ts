import {
  categoryOf,
  EngineError,
  type EventFilter,
  type FeedPage,
  type LastEvent,
  type ReadPage,
  type ReadRange,
  type RecordedEvent,
} from '../../../engine/index.ts'
import { pause } from '../../http/pause.ts'
import { type Database, queryOn } from '../database.ts'
import type { Damages } from './damages.ts'
import type { Heads, StreamEnd } from './heads.ts'
import { type EventRow, eventColumns, eventOf, idOf, isKeepable, isWhole, positionOf, posOf } from './row.ts'

/** The part of the store that reads: streams, and pages of the feed. */
export interface Reader {
  read(stream: string, range: ReadRange): readonly RecordedEvent[]
  /** The last event of a stream; `undefined` if it does not exist. */
  last(stream: string): LastEvent | undefined
  /** The revision of the last event of a stream; -1 if it does not exist. */
  knownRevision(stream: string): number
  readonly readPage: ReadPage
  /** Position of the last event; `undefined` if there is none. */
  latest(): string | undefined
}

type EndRow = readonly [sid: number, rev: number, id: string]

/** A row of the feed with its stream. */
type FeedRow = EventRow & { readonly 8: string }

type SelectRows = (after: number, end: number, limit: number) => readonly FeedRow[]

const ofOneStream = 'FROM streams s JOIN events e USING (sid) WHERE s.name = ?'

// With a bare parameter as LIMIT, SQLite would prepare the statement again for each value.
const limited = 'LIMIT ? + 0'

/** Positions scanned at a time for a category, so that a rare one does not block everybody else. */
const windowSize = 10_000

/**
 * Prepares the queries. Each is read to its end at once: an open iterator would keep the log from shrinking. A read of a
 * stream throws `damaged` for an event that is not as it was recorded. The feed passes such an event on, because one
 * damaged event must not stop all that follow it. Both report it.
 */
export function createReader(database: Database, heads: Heads, damages: Damages): Reader {
  const query = (rest: string) => queryOn<EventRow>(database, `SELECT ${eventColumns} ${ofOneStream} ${rest}`)
  const forwards = query(`AND e.rev >= ? ORDER BY e.rev ${limited}`)
  const backwards = query(`AND e.rev <= ? ORDER BY e.rev DESC ${limited}`)
  const end = queryOn<EndRow>(database, `SELECT e.sid, e.rev, hex(e.id) ${ofOneStream} ORDER BY e.rev DESC LIMIT 1`)

  function read(name: string, range: ReadRange): readonly RecordedEvent[] {
    if (!isKeepable(name)) return []
    const limit = Math.max(0, range.limit ?? Number.MAX_SAFE_INTEGER)
    const isBackwards = range.backwards === true
    const from = range.from ?? (isBackwards ? Number.MAX_SAFE_INTEGER : 0)
    if (!isBackwards && from > 0 && isBeyond(name, from)) return []
    const rows = isBackwards ? backwards(name, from, limit) : forwards(name, from, limit)
    return rows.map((row) => {
      if (isWhole(row, name)) return eventOf(row, name)
      const event = idOf(row[2])
      damages.report(row[0], event)
      throw new EngineError('damaged', { event })
    })
  }

  /** Whether the stream is known to end before a revision. */
  function isBeyond(name: string, from: number): boolean {
    heads.refreshOnce()
    return (heads.find(name)?.revision ?? from) < from
  }

  function last(name: string): LastEvent | undefined {
    if (!isKeepable(name)) return undefined
    heads.refreshOnce()
    return heads.find(name) ?? lookUp(name)
  }

  function lookUp(name: string): StreamEnd | undefined {
    const [row] = end(name)
    if (row === undefined) return undefined
    const found = { sid: row[0], revision: row[1], id: idOf(row[2]) }
    heads.keep(name, found)
    return found
  }

  function latest(): string | undefined {
    heads.refreshOnce()
    const pos = heads.latest()
    return pos === 0 ? undefined : positionOf(pos)
  }

  const knownRevision = (name: string) => last(name)?.revision ?? -1
  return { read, last, latest, knownRevision, readPage: createReadPage(database, heads, damages) }
}

/** Prepares the queries of the feed. */
function createReadPage(database: Database, heads: Heads, damages: Damages): ReadPage {
  const query = (rest: string) => queryOn<FeedRow>(database, `SELECT ${eventColumns}, s.name ${rest} ${limited}`)
  const feed = 'FROM events e CROSS JOIN streams s USING (sid) WHERE e.pos > ? AND e.pos <= ?'
  const ofAll = query(`${feed} ORDER BY e.pos`)
  // The category ends at the first hyphen, and the full stop is the character after the hyphen.
  const ofCategory = query(`${feed} AND s.name >= ? || '-' AND s.name < ? || '.' ORDER BY e.pos`)
  // Within a stream, revisions grow with positions; the plus makes the planner use the index of revisions.
  const ofStream = query(`${ofOneStream} AND +e.pos > ? AND +e.pos <= ? ORDER BY e.rev`)
  const end = queryOn<readonly [pos: number]>(database, 'SELECT coalesce(max(pos), 0) FROM events')
  const streamOf = queryOn(database, "SELECT 1 FROM streams WHERE name >= ? || '-' AND name < ? || '.' LIMIT 1")

  function selectionOf(filter: EventFilter): SelectRows | undefined {
    const { stream, category } = filter
    if (stream !== undefined) {
      if (!isKeepable(stream) || (category !== undefined && category !== categoryOf(stream))) return undefined
      return (after, end, limit) => ofStream(stream, after, end, limit)
    }
    if (category === undefined) return ofAll
    if (!isKeepable(category) || category.includes('-')) return undefined
    // Most stores have no events of most categories; this check avoids scanning all others.
    if (streamOf(category, category).length === 0) return undefined
    return (after, end, limit) => ofCategory(after, end, category, category, limit)
  }

  /** Reads the end first. Everything up to it is visible, so `next` never skips an event that is still to come. */
  async function readPage(position: string | undefined, filter: EventFilter, limit: number): Promise<FeedPage> {
    const start = posOf(position)
    const [[last] = [0]] = end()
    const select = selectionOf(filter)
    const events: RecordedEvent[] = []
    const step = filter.stream === undefined ? windowSize : last
    for (let after = start; select !== undefined && after < last; after += step) {
      // A long call wakes many readers at once, and one that reads page after page lets others be served.
      await pause()
      for (const row of select(after, Math.min(after + step, last), limit - events.length)) {
        if (!isWhole(row, row[8])) damages.report(row[0], idOf(row[2]))
        events.push(eventOf(row, row[8]))
      }
      // A read of the stream of such an event, or of its end, finds at least that event.
      if (events.length > 0) heads.refresh()
      const next = events.at(-1)?.position
      if (events.length === limit) return { events, next }
    }
    return { events, next: last > start ? positionOf(last) : position }
  }

  return readPage
}
