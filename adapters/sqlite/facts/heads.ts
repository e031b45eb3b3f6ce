import type { Database } from '../database.ts'

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
const maxGrown = 1_000

/** Creates an empty cache. */
export function createHeads(database: Database): Heads {
  const ends = createEnds()
  const dataVersion = database.prepare('PRAGMA data_version')
  const lastRow = database.prepare('SELECT coalesce(max(pos), 0) AS pos FROM events')
  const grownIn = database.prepare('SELECT DISTINCT sid FROM events WHERE pos > ? AND pos <= ? LIMIT ?')
  let seen = version()
  /** Every cached end is of this row or later, or nothing was added to its stream up to this row; unknown after `clear`. */
  let known: number | undefined
  let isFresh = false
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
    const grown =
      from === undefined ? [] : (grownIn.all(from, last, maxGrown + 1) as readonly { readonly sid: number }[])
    if (from === undefined || grown.length > maxGrown) ends.clear()
    else for (const { sid } of grown) ends.drop(sid)
  }

  function refreshOnce() {
    if (isFresh) return
    refresh()
    isFresh = true
    // After the callbacks of this turn, and before the sockets are polled again.
    setImmediate(() => {
      isFresh = false
    })
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

  return { refresh, refreshOnce, find: ends.find, keep, latest, clear }
}

/** Ends of streams, which are dropped by their row. */
function createEnds() {
  const ends = new Map<string, StreamEnd>()
  const names = new Map<number, string>()

  function drop(sid: number) {
    const stream = names.get(sid)
    if (stream === undefined) return
    names.delete(sid)
    ends.delete(stream)
  }

  function keep(stream: string, end: StreamEnd) {
    ends.delete(stream)
    ends.set(stream, end)
    names.set(end.sid, stream)
    if (ends.size > maxStreams) dropOldest()
  }

  function dropOldest() {
    for (const { sid } of ends.values()) {
      if (ends.size <= maxStreams) break
      drop(sid)
    }
  }

  function clear() {
    ends.clear()
    names.clear()
  }

  return { find: (stream: string) => ends.get(stream), keep, drop, clear }
}
