import { appendThrough, createFeed, EngineError, guarded, type Keys, type Storage } from '../../../engine/index.ts'
import { unlessFailing } from '../../node/unless-failing.ts'
import type { Database } from '../database.ts'
import { createDamages, type ReportDamagedEvent } from './damages.ts'
import { createGrowth } from './growth.ts'
import { historyIn } from './history.ts'
import { createKeys, createLeases } from './keys-and-leases.ts'
import { createLife, type Life } from './life.ts'
import { createLogMover, type LogMover } from './log-mover.ts'
import { openDatabase, prepared, sameFile } from './open.ts'
import { createReaders } from './readers.ts'
import { scrub } from './scrub.ts'
import { createWatch } from './watch.ts'
import { createWriter, type WriterParts } from './write.ts'
import { createGroupedWrites, createWriteTurns, type WriteTurns, writeTurnsOf } from './write-turns.ts'

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
  /** Called once when the file was deleted or another file has its name. The store then refuses calls. */
  readonly lost?: (() => void) | undefined
  /** Called once for each event that is found damaged, in a read or by the scrub. */
  readonly damaged?: ReportDamagedEvent | undefined
  /** Whether to compare every event with its checksum in the background, slowly. */
  readonly scrubs?: boolean
}

/** The embedded durable store in one file, which several processes of one machine may open. */
export function createSqliteStore({ file, ...options }: SqliteOptions): Storage {
  const database = openDatabase(file)
  return prepared(database, file, () => {
    const isSameFile = sameFile(file)
    const openAnother = () => {
      // Another file, or a new one, would take what belongs to this store.
      if (!isSameFile()) throw new EngineError('store_unavailable')
      return openDatabase(file)
    }
    const mover = createLogMover(file, isSameFile)
    return storeOn(database, options.clock, { ...options, isSameFile, openAnother, mover, turns: writeTurnsOf(file) })
  })
}

/** Options of a store on an open connection. */
type ConnectionOptions = Omit<SqliteOptions, 'file' | 'clock'> & {
  /** Whether the file still has its name. */
  readonly isSameFile?: () => boolean
  /** Opens another connection to the file. */
  readonly openAnother?: () => Database
  readonly mover?: LogMover
  readonly turns?: WriteTurns
}

const ignore = () => {}

/** Creates the store on its own connection, which `close` closes. */
export function storeOn(database: Database, clock: () => number, options: ConnectionOptions = {}): Storage {
  const { replaced = ignore, lost = ignore, damaged = ignore, scrubs = false, isSameFile = () => true } = options
  const { openAnother, mover, turns = createWriteTurns() } = options
  const life = createLife(historyIn(database), replaced)
  const { gate, isSame, refuseOther } = life
  const { heads, growth, noteGrowth } = createGrowth(database, life)
  const damages = createDamages(damaged)
  const reader = createReaders({ database, openAnother }, heads, damages)
  const feed = createFeed((after, filter, limit) =>
    gate.pass(async () => {
      const page = await reader.readPage(after, filter, limit)
      // Checked after reading, so that no row belongs to another history.
      refuseOther()
      return page
    }),
  )
  const committed: WriterParts['committed'] = (streams, events) => {
    noteGrowth(streams)
    feed.announce(streams)
    mover?.noteCommit(events)
  }
  const writer = createWriter(database, { heads, clock, turns, openAnother, begun: refuseOther, committed })
  const grouped = createGroupedWrites(database, turns)
  const leases = guarded(createLeases(database, grouped), gate.pass)
  const keys = guardedKeys(createKeys(database, turns, grouped), gate)
  const watch = createWatch(database, {
    changed: () => isSame() && feed.announce(),
    looked: () => isSameFile() || endOf(life, lost),
  })
  life.ended.addEventListener('abort', () => {
    watch.stop()
    feed.close()
  })
  if (scrubs) scrub(database, damages, life.ended).catch(ignore)
  let isOpen = true

  async function close() {
    if (!isOpen) return
    isOpen = false
    await writer.close()
    life.end()
    reader.close()
    await closeWithLog(database, mover)
  }

  const appendMany: Storage['appendMany'] = (appends) => gate.pass(() => writer.append(appends))
  return {
    append: appendThrough(appendMany),
    appendMany,
    read: (stream, range = {}) => gate.pass(() => reader.read(stream, range)),
    last: (stream) => gate.pass(() => reader.last(stream)),
    knownRevision: (stream) => (gate.isShut() ? undefined : unlessFailing(() => reader.knownRevision(stream))),
    readAll: feed.readAll,
    follow: feed.follow,
    latest: () => gate.pass(reader.latest),
    damaged: () => damages.count,
    addsKeys: true,
    ...{ leases, keys, close, growth, history: life.history },
  }
}

function guardedKeys({ readNow, ...keys }: ReturnType<typeof createKeys>, gate: Life['gate']): Keys {
  return { ...guarded(keys, gate.pass), readNow: (subject) => (gate.isShut() ? undefined : readNow(subject)) }
}

/** The open file still takes writes, but nobody would ever find them. */
function endOf(life: Life, lost: () => void) {
  life.end()
  setImmediate(lost)
}

/**
 * Moves the log into the file, so that the file is complete by itself, and closes it; the log stays if another process
 * needs it or the disk is full.
 */
async function closeWithLog(database: Database, mover: LogMover | undefined) {
  await mover?.stop()
  try {
    database.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // Acknowledged data is durable in the log, and the next process reads it there.
  }
  database.close()
}
