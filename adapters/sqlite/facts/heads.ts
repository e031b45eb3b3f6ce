import { type Database, queryOn } from '../database.ts'

/** The end of a stream: its row, and revision and id of its last event. */
export interface StreamEnd {
  readonly sid: number
  readonly revision: number
  readonly id: string
}

/** Cached ends of recently used streams. */
export interface Heads {
  /** If another connection has committed since, drops the ends of the streams that have grown. */
  refresh(): void
  /**
   * The same for readers, once per turn of the event loop. All requests of a turn arrived before its first read, so
   * none misses what was committed before it was sent.
   */
  refreshOnce(): void
  /** Called after a commit of this connection, whose ends were kept: they need not be looked up again. */
  skipOwn(): void
  find(stream: string): StreamEnd | undefined
  /** Caches an end; the oldest ones are dropped when the cache is full. */
  keep(stream: string, end: StreamEnd): void
  /** Row of the last event of the store; looked up if unknown. */
  latest(): number
  clear(): void
}

/** Maximum number of cached streams. */
const maxStreams = 20_000

/** Most streams that are looked at one by one after a commit of another connection; if more have grown, all are dropped. */
export const maxGrown = 1_000

/**
 * Creates an empty cache. After a commit of another connection, `grown` is called with the streams to which it has added
 * events, or with undefined if it may be any.
 */
export function createHeads(
  database: Database,
  grown: (streams: ReadonlySet<string> | undefined) => void = () => {},
): Heads {
  const ends = createEnds()
  const dataVersion = database.prepare('PRAGMA data_version')
  const lastRow = database.prepare('SELECT coalesce(max(pos), 0) AS pos FROM events')
  const grownIn = createGrownIn(database)
  let seen = version()
  /** Every cached end is of this row or later, or nothing was added to its stream up to this row; unknown after `clear`. */
  let known: number | undefined
  let last: number | undefined

  function version(): number {
    return (dataVersion.get() as { readonly data_version: number }).data_version
  }
  const rowOfLast = () => (lastRow.get() as { readonly pos: number }).pos

  /** The version is read before the rows: what is committed in between is looked at again the next time. */
  function refresh() {
    const current = version()
    if (current === seen && known !== undefined) return
    const from = known
    seen = current
    last = rowOfLast()
    known = last
    const added = from === undefined ? undefined : grownIn(from, last)
    if (added === undefined) ends.clear()
    else for (const name of added) ends.drop(name)
    grown(added)
  }

  /** The last row is read before the version: if that is the same, nobody else has added rows up to it. */
  function skipOwn() {
    const own = rowOfLast()
    if (version() === seen && known !== undefined) known = own
  }

  function latest(): number {
    last ??= rowOfLast()
    return last
  }

  const keep: Heads['keep'] = (stream, end) => {
    last = undefined
    ends.keep(stream, end)
  }

  function clear() {
    ends.clear()
    known = undefined
    last = undefined
  }

  return { refresh, refreshOnce: oncePerTurn(refresh), skipOwn, find: ends.find, keep, latest, clear }
}

function oncePerTurn(run: () => void): () => void {
  let hasRun = false
  return () => {
    if (hasRun) return
    run()
    hasRun = true
    // After the callbacks of this turn, and before the sockets are polled again.
    setImmediate(() => {
      hasRun = false
    })
  }
}

/** The streams with events after one row and up to another; undefined if there are many. */
function createGrownIn(database: Database) {
  const names = queryOn<readonly [name: string]>(
    database,
    'SELECT DISTINCT s.name FROM events e JOIN streams s USING (sid) WHERE e.pos > ? AND e.pos <= ? LIMIT ?',
  )
  return (after: number, end: number): ReadonlySet<string> | undefined => {
    const found = names(after, end, maxGrown + 1)
    return found.length > maxGrown ? undefined : new Set(found.map(([name]) => name))
  }
}

/** Ends of streams; the oldest ones go first. */
function createEnds() {
  const ends = new Map<string, StreamEnd>()

  function keep(stream: string, end: StreamEnd) {
    ends.delete(stream)
    ends.set(stream, end)
    if (ends.size > maxStreams) dropOldest()
  }

  function dropOldest() {
    for (const oldest of ends.keys()) {
      if (ends.size <= maxStreams) break
      ends.delete(oldest)
    }
  }

  return {
    find: (stream: string) => ends.get(stream),
    keep,
    drop: (stream: string) => void ends.delete(stream),
    clear: () => ends.clear(),
  }
}
