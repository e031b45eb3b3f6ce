import { crc32 } from 'node:zlib'
import type { SnapshotRow, SnapshotRows } from '../../../engine/index.ts'
import type { AnswerRow, AnswerRows } from '../../node/answers.ts'
import type { Database } from '../database.ts'
import { inTransaction } from '../transaction.ts'
import { answersOn, answersSchema } from './answers.ts'
import { openModels } from './open.ts'
import { createQueue, type NamedRow } from './queue.ts'

/** The snapshots of a node and the answers that were made of them, until they are closed. */
export interface NodeSnapshots extends SnapshotRows {
  /** Those of a stream are dropped with its snapshot. */
  readonly answers: AnswerRows
  close(): void
}

/** Where they are kept, and of which history of which store. */
interface SnapshotsPlace {
  /** The file of the read models. */
  readonly file: string
  readonly history: string
}

/** Milliseconds until a file is opened again that failed. */
const openingWait = 30_000

/**
 * Snapshots beside the read models of a node, on a separate connection. A commit does not wait for the disk. Nobody
 * waits for a lock either: while another process writes, rows are lost.
 */
export function createSnapshotRows({ file, history }: SnapshotsPlace): NodeSnapshots {
  let table: Table | undefined
  let openAt = 0
  let isClosed = false

  /** Runs `body` on the table; undefined if that fails. */
  function attempt<Result>(body: (table: Table) => Result): Result | undefined {
    if (isClosed || (table === undefined && performance.now() < openAt)) return undefined
    try {
      table ??= openTable(file, history)
      return body(table)
    } catch {
      if (table === undefined) openAt = performance.now() + openingWait
      return undefined
    }
  }

  const queue = createQueue<SnapshotRow>((rows) => attempt((table) => table.write(rows)))
  const answers = createQueue<AnswerRow>((rows) => attempt((table) => table.answers.write(rows)))
  return {
    find: (stream) => attempt((table) => table.find(stream)),
    keep: queue.add,
    drop: (stream) => {
      queue.take(stream)
      attempt((table) => table.has(stream) && table.drop(stream))
      attempt(({ answers }) => answers.has(stream) && answers.drop(stream))
    },
    answers: {
      find: (numbers) => attempt(({ answers }) => answers.find(numbers)) ?? [],
      // About as many bytes as an event has.
      keep: (number, bytes, make) => answers.add(number, Math.ceil(bytes / 500), make),
    },
    close: () => {
      if (isClosed) return
      isClosed = true
      queue.close()
      answers.close()
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
${answersSchema}`

type Table = ReturnType<typeof openTable>

function openTable(file: string, history: string) {
  const database = openModels(file)
  try {
    // A lock is waited for where rows begin, which happens once: after a failure there would be none for half a minute.
    if (!isOf(database, history)) begin(database, history)
    database.exec('PRAGMA busy_timeout = 0')
    return tableOn(database, history)
  } catch (error) {
    database.close()
    throw error
  }
}

function isOf(database: Database, history: string): boolean {
  const tables = database.prepare("SELECT 1 FROM sqlite_schema WHERE name IN ('kept_history', 'answers')").all()
  return tables.length === 2 && database.prepare('SELECT 1 FROM kept_history WHERE name = ?').get(history) !== undefined
}

/** Begins again without any snapshot or answer, unless another process was faster. */
function begin(database: Database, history: string): void {
  inTransaction(database, 'IMMEDIATE', () => {
    if (isOf(database, history)) return
    database.exec(
      `DROP TABLE IF EXISTS snapshots; DROP TABLE IF EXISTS answers; DROP TABLE IF EXISTS kept_history; ${schema}`,
    )
    database.prepare('INSERT INTO kept_history VALUES (?)').run(history)
  })
}

type KeptRow = Omit<SnapshotRow, 'isSealed'> & { readonly sealed: number; readonly sum: number }

/** The checksum of a row; a sealed one is authenticated when it is opened. */
function sumOf(stream: string, { revision, id, fold, isSealed, body }: SnapshotRow): number {
  return isSealed ? 0 : crc32(body, crc32([stream, revision, id, fold].join('\0')))
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
    write: (rows: readonly NamedRow<SnapshotRow>[]) => {
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
    answers: answersOn(database, history),
    close: () => database.close(),
  }
}
