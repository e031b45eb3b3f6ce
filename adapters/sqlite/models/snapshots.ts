import { crc32 } from 'node:zlib'
import type { SnapshotRow, SnapshotRows } from '../../../engine/index.ts'
import type { Database } from '../database.ts'
import { inTransaction } from '../transaction.ts'
import { openModels } from './open.ts'

/** The snapshots of a node, until they are closed. */
export interface NodeSnapshots extends SnapshotRows {
  close(): void
}

/** Where they are kept, and of which history of which store. */
export interface SnapshotsPlace {
  /** The file of the read models. */
  readonly file: string
  readonly history: string
}

/** Milliseconds until rows are written, so that many are written at once, and until a file is opened again that failed. */
const waits = { writing: 100, opening: 30_000 }

/** Events in the rows that wait to be written; later ones are left out. */
const maxWaiting = 20_000

/** Events in the rows that are written in one turn of the event loop. */
const eventsAtOnce = 500

/** A row that waits. */
interface Waiting {
  readonly size: number
  readonly make: () => Promise<SnapshotRow | undefined>
}

/**
 * Snapshots beside the read models of a node, on a connection of their own. A commit does not wait for the disk. Nobody
 * waits for a lock either: while another process writes, rows are lost.
 */
export function createSnapshotRows({ file, history }: SnapshotsPlace): NodeSnapshots {
  const waiting = new Map<string, Waiting>()
  let waitingEvents = 0
  let table: Table | undefined
  let openAt = 0
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  /** Runs `body` on the table; undefined if that fails. */
  function attempt<Result>(body: (table: Table) => Result): Result | undefined {
    if (isClosed || (table === undefined && performance.now() < openAt)) return undefined
    try {
      table ??= openTable(file, history)
      return body(table)
    } catch {
      if (table === undefined) openAt = performance.now() + waits.opening
      return undefined
    }
  }

  function keep(stream: string, size: number, make: Waiting['make']) {
    leave(stream)
    if (isClosed || waitingEvents + size > maxWaiting) return
    waiting.set(stream, { size, make })
    waitingEvents += size
    timer ??= setTimeout(write, waits.writing).unref()
  }

  function leave(stream: string): Waiting | undefined {
    const row = waiting.get(stream)
    waitingEvents -= row?.size ?? 0
    waiting.delete(stream)
    return row
  }

  async function write() {
    const rows: [string, SnapshotRow][] = []
    let events = 0
    for (const stream of waiting.keys()) {
      if (events >= eventsAtOnce) break
      const { size = 0, make } = leave(stream) ?? {}
      events += size
      const row = await make?.().catch(() => undefined)
      if (row !== undefined) rows.push([stream, row])
    }
    attempt((table) => table.write(rows))
    timer = waiting.size === 0 || isClosed ? undefined : setTimeout(write).unref()
  }

  return {
    find: (stream) => attempt((table) => table.find(stream)),
    keep,
    drop: (stream) => {
      leave(stream)
      attempt((table) => table.has(stream) && table.drop(stream))
    },
    close: () => {
      isClosed = true
      clearTimeout(timer)
      waiting.clear()
      table?.close()
    },
  }
}

/** Rows of the history of `kept_history`. */
const schema = `
CREATE TABLE snapshots (
  stream TEXT PRIMARY KEY,
  revision INTEGER NOT NULL,
  id TEXT NOT NULL,
  fold TEXT NOT NULL,
  sealed INTEGER NOT NULL,
  body TEXT NOT NULL,
  sum INTEGER NOT NULL
) STRICT;
CREATE TABLE kept_history (name TEXT NOT NULL) STRICT;
`

type Table = ReturnType<typeof openTable>

function openTable(file: string, history: string) {
  const database = openModels(file)
  try {
    database.exec('PRAGMA busy_timeout = 0')
    if (!isOf(database, history)) begin(database, history)
    return tableOn(database, history)
  } catch (error) {
    database.close()
    throw error
  }
}

function isOf(database: Database, history: string): boolean {
  const known = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'kept_history'").get() !== undefined
  return known && database.prepare('SELECT 1 FROM kept_history WHERE name = ?').get(history) !== undefined
}

/** Begins again without any snapshot. */
function begin(database: Database, history: string): void {
  inTransaction(database, 'IMMEDIATE', () => {
    database.exec(`DROP TABLE IF EXISTS snapshots; DROP TABLE IF EXISTS kept_history; ${schema}`)
    database.prepare('INSERT INTO kept_history VALUES (?)').run(history)
  })
}

type KeptRow = Omit<SnapshotRow, 'isSealed'> & { readonly sealed: number; readonly sum: number }

/** The checksum of a row: what is not sealed is not authenticated. */
function sumOf(stream: string, { revision, id, fold, isSealed, body }: SnapshotRow): number {
  return crc32(body, crc32([stream, revision, id, fold, isSealed].join('\0')))
}

function tableOn(database: Database, history: string) {
  const ofThis = '(SELECT 1 FROM kept_history WHERE name = ?)'
  const select = database.prepare(
    `SELECT revision, id, fold, sealed, body, sum FROM snapshots WHERE stream = ? AND EXISTS ${ofThis}`,
  )
  const insert = database.prepare(`INSERT OR REPLACE INTO snapshots SELECT ?, ?, ?, ?, ?, ?, ? WHERE EXISTS ${ofThis}`)
  const has = database.prepare('SELECT 1 FROM snapshots WHERE stream = ?')
  const remove = database.prepare('DELETE FROM snapshots WHERE stream = ?')

  return {
    find: (stream: string): SnapshotRow | undefined => {
      const found = select.get(stream, history) as KeptRow | undefined
      if (found === undefined) return undefined
      const { sealed, sum, ...rest } = found
      const row = { ...rest, isSealed: sealed === 1 }
      return sum === sumOf(stream, row) ? row : undefined
    },
    write: (rows: readonly (readonly [string, SnapshotRow])[]) => {
      if (rows.length === 0) return
      inTransaction(database, 'IMMEDIATE', () => {
        for (const [stream, row] of rows) {
          const { revision, id, fold, isSealed, body } = row
          insert.run(stream, revision, id, fold, isSealed ? 1 : 0, body, sumOf(stream, row), history)
        }
      })
    },
    has: (stream: string) => has.get(stream) !== undefined,
    drop: (stream: string) => void remove.run(stream),
    close: () => database.close(),
  }
}
