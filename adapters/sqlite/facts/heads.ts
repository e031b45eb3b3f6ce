import type { Database } from '../database.ts'

/** The end of a stream: its row, and revision and id of its last event. */
export interface StreamEnd {
  readonly sid: number
  readonly revision: number
  readonly id: string
}

/** Cached ends of recently used streams. */
export interface Heads {
  /** Clears the cache if another connection has committed since. */
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

/** Creates an empty cache. */
export function createHeads(database: Database): Heads {
  const ends = new Map<string, StreamEnd>()
  const dataVersion = database.prepare('PRAGMA data_version')
  const lastRow = database.prepare('SELECT coalesce(max(pos), 0) AS pos FROM events')
  let seen = version()
  let isFresh = false
  let last: number | undefined

  function version(): number {
    return (dataVersion.get() as { readonly data_version: number }).data_version
  }

  function refresh() {
    const current = version()
    if (current !== seen) clear()
    seen = current
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

  function keep(stream: string, end: StreamEnd) {
    last = undefined
    ends.delete(stream)
    ends.set(stream, end)
    for (const oldest of ends.keys()) {
      if (ends.size <= maxStreams) break
      ends.delete(oldest)
    }
  }

  function latest(): number {
    last ??= (lastRow.get() as { readonly pos: number }).pos
    return last
  }

  function clear() {
    ends.clear()
    last = undefined
  }

  return { refresh, refreshOnce, find: (stream) => ends.get(stream), keep, latest, clear }
}
