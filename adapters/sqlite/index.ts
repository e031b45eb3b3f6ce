import {
  type Appended,
  createFeed,
  EngineError,
  type EventFilter,
  type EventStore,
  isEngineError,
} from '../../engine/index.ts'
import type { Database } from './database.ts'
import { failureOf } from './failure.ts'
import { openDatabase } from './open.ts'
import { createReader } from './read.ts'
import { createWatch } from './watch.ts'
import { createWriter } from './write.ts'

/** The embedded durable store in one file, which several processes of one machine may open. `clock` gives epoch milliseconds. */
export function createSqliteStore(options: { readonly file: string; readonly clock: () => number }): EventStore {
  return storeOn(openDatabase(options.file), options.clock)
}

/** The store on a connection of its own, which `close` closes. */
export function storeOn(database: Database, clock: () => number): EventStore {
  const reader = createReader(database)
  const feed = createFeed(async (after, filter, limit) => whileOpen(() => reader.readPage(after, filter, limit)))
  const writer = createWriter(database, clock, (streams) => feed.announce(streams))
  const watch = createWatch(database, () => feed.announce())
  let closed = false

  async function whileOpen<Result>(body: () => Result | Promise<Result>): Promise<Result> {
    if (closed) throw new EngineError('store_unavailable')
    try {
      return await body()
    } catch (error) {
      throw closed && !isEngineError(error) ? new EngineError('store_unavailable') : failureOf(error)
    }
  }

  async function* follow(after: string | undefined, filter: EventFilter, signal: AbortSignal) {
    if (!closed) watch.start()
    try {
      yield* feed.follow(after, filter, signal)
    } finally {
      if (!feed.followed()) watch.stop()
    }
  }

  async function close() {
    if (closed) return
    writer.flush()
    closed = true
    watch.stop()
    feed.close()
    foldLog(database)
    database.close()
  }

  return {
    append: async (stream, events, expected) => {
      const [appended] = await whileOpen(() => writer.append([{ stream, events, expected }]))
      return appended as Appended
    },
    appendMany: (appends) => whileOpen(() => writer.append(appends)),
    read: (stream, range = {}) => whileOpen(() => reader.read(stream, range)),
    readAll: feed.readAll,
    follow,
    close,
  }
}

/** Moves the log into the file, which then stands alone; not where another process needs the log, or the disk is full. */
function foldLog(database: Database) {
  try {
    database.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // What was acknowledged is durable in the log, and the next to open the file reads it there.
  }
}
