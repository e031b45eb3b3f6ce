import {
  type Appended,
  createFeed,
  EngineError,
  type EventFilter,
  isEngineError,
  type Storage,
} from '../../engine/index.ts'
import { createKeys, createLeases } from './beside.ts'
import type { Database } from './database.ts'
import { failureOf } from './failure.ts'
import { openDatabase } from './open.ts'
import { createReader } from './read.ts'
import { createWatch } from './watch.ts'
import { createWriter } from './write.ts'

/** The embedded durable store in one file, which several processes of one machine may open. `clock` gives epoch milliseconds. */
export function createSqliteStore(options: { readonly file: string; readonly clock: () => number }): Storage {
  return storeOn(openDatabase(options.file), options.clock)
}

/** The store on a connection of its own, which `close` closes. */
export function storeOn(database: Database, clock: () => number): Storage {
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

  /** Every call refused once the store is closed, and failures of SQLite as the engine names them. */
  function guarded<Port extends Record<keyof Port, (...args: never[]) => Promise<unknown>>>(port: Port): Port {
    const calls = Object.entries(port) as [string, (...args: never[]) => Promise<unknown>][]
    return Object.fromEntries(
      calls.map(([name, run]) => [name, (...args: never[]) => whileOpen(() => run(...args))]),
    ) as Port
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
    latest: () => whileOpen(reader.latest),
    leases: guarded(createLeases(database)),
    keys: guarded(createKeys(database)),
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
