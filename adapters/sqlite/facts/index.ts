import { appendThrough, createFeed, EngineError, guarded, type Storage } from '../../../engine/index.ts'
import type { Database } from '../database.ts'
import { createGate } from './gate.ts'
import { createHeads } from './heads.ts'
import { historyIn } from './history.ts'
import { createKeys, createLeases } from './keys-and-leases.ts'
import { openDatabase } from './open.ts'
import { createReader } from './read.ts'
import { createWatch } from './watch.ts'
import { createWriter } from './write.ts'

/** Options of an embedded store. */
export interface SqliteOptions {
  readonly file: string
  /** Epoch milliseconds. */
  readonly clock: () => number
  /**
   * Called once when a restore has replaced the history in the file. The store then refuses calls and must be closed;
   * cached state belongs to the old history, so everything must be opened again.
   */
  readonly replaced?: (() => void) | undefined
}

/** The embedded durable store in one file, which several processes of one machine may open. */
export function createSqliteStore({ file, clock, replaced }: SqliteOptions): Storage {
  return storeOn(openDatabase(file), clock, replaced)
}

/** Creates the store on its own connection, which `close` closes. */
export function storeOn(database: Database, clock: () => number, replaced: () => void = () => {}): Storage {
  const gate = createGate()
  const history = historyIn(database)
  const heads = createHeads(database)
  const reader = createReader(database, heads)
  const feed = createFeed((after, filter, limit) =>
    gate.pass(async () => {
      const page = await reader.readPage(after, filter, limit)
      // Checked after reading, so that no row belongs to another history.
      refuseOther()
      return page
    }),
  )
  const writer = createWriter(database, { heads, clock, begun: refuseOther, committed: feed.announce })
  const watch = createWatch(database, () => {
    if (isSame()) feed.announce()
  })
  let isOpen = true

  function isSame(): boolean {
    if (history.stands()) return true
    if (!gate.isShut()) setImmediate(replaced)
    end()
    return false
  }

  function refuseOther() {
    if (!isSame()) throw new EngineError('store_unavailable')
  }

  function end() {
    gate.shut()
    watch.stop()
    feed.close()
  }

  async function close() {
    if (!isOpen) return
    isOpen = false
    writer.flush()
    end()
    foldLog(database)
    database.close()
  }

  const appendMany: Storage['appendMany'] = (appends) => gate.pass(() => writer.append(appends))

  return {
    append: appendThrough(appendMany),
    appendMany,
    read: (stream, range = {}) => gate.pass(() => reader.read(stream, range)),
    last: (stream) => gate.pass(() => reader.last(stream)),
    readAll: feed.readAll,
    follow: feed.follow,
    latest: () => gate.pass(reader.latest),
    leases: guarded(createLeases(database), gate.pass),
    keys: guarded(createKeys(database), gate.pass),
    close,
  }
}

/**
 * Moves the log into the file, so that it stands alone; skipped if another process needs the log or the disk is full.
 */
function foldLog(database: Database) {
  try {
    database.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // Acknowledged data is durable in the log, and the next process reads it there.
  }
}
