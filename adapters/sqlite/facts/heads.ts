import type { Database } from '../database.ts'

/** Where a stream ends: its row, and revision and id of its last event. */
export interface StreamEnd {
  readonly sid: number
  readonly revision: number
  readonly id: string
}

/** The ends of the streams that were written to or asked for last, so that they need not be looked up. */
export interface Heads {
  /** Forgets all where another connection has committed since: they may not be right any more. */
  refresh(): void
  /**
   * The same for a reader: once in a turn of the event loop. All requests of a turn had come in before its first look, so
   * that none of them misses what was committed before it was sent.
   */
  refreshOnce(): void
  find(stream: string): StreamEnd | undefined
  /** Keeps an end; where there is no room, those go that were kept first. */
  keep(stream: string, end: StreamEnd): void
  /** Row of the last event of all; looked up where it is not known. */
  latest(): number
  clear(): void
}

/** Room for so many streams. */
const room = 20_000

/** No end is known at first. */
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
    // Behind the callbacks of this turn, and before the sockets are looked at again.
    setImmediate(() => {
      isFresh = false
    })
  }

  function keep(stream: string, end: StreamEnd) {
    last = undefined
    ends.delete(stream)
    ends.set(stream, end)
    for (const oldest of ends.keys()) {
      if (ends.size <= room) break
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
