import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { chooseDriver, type Database } from '../database.ts'
import { makePrivate, pragmaOf, useWriteAheadLog } from '../file.ts'
import { inTransaction } from '../transaction.ts'

/** `OTEM` in ASCII, in the header of every read-models file. */
const applicationId = 0x4f54454d

/** What the header of a read-models file says that this version writes. */
export const modelsSchema = { application: applicationId, version: 1 } as const

/**
 * A generation is a table built from the first event on. Its number is never reused, so that a holder can tell when it
 * is gone. `stream` to `position` identify the last applied event, and `history` what it was built from.
 */
const schema = `
CREATE TABLE generations (
  generation INTEGER PRIMARY KEY AUTOINCREMENT,
  store TEXT NOT NULL,
  model TEXT NOT NULL,
  version INTEGER NOT NULL,
  serves INTEGER NOT NULL DEFAULT 0,
  checkpoint TEXT,
  stream TEXT,
  revision INTEGER,
  id TEXT,
  position TEXT,
  history TEXT
) STRICT;
PRAGMA application_id = ${applicationId};
PRAGMA user_version = ${modelsSchema.version};
`

/** Opens a read-models file, creating it and its directory if absent (`:memory:` for none); throws for other files. */
export function openModels(file: string): Database {
  const Connection = chooseDriver()
  if (file !== ':memory:') {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    makePrivate(file)
  }
  const database = new Connection(file)
  try {
    // Waiting for a lock blocks the event loop; without an answer, lookups read the events themselves.
    database.exec('PRAGMA busy_timeout = 1000')
    if (file !== ':memory:') useWriteAheadLog(database, file)
    // No fsync per commit: after a power failure the last transactions may be missing, and are applied again.
    database.exec('PRAGMA synchronous = NORMAL')
    inTransaction(database, 'IMMEDIATE', () => bringUp(database, file))
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Creates the tables of an empty file. */
export function createModels(database: Database) {
  database.exec(schema)
}

function bringUp(database: Database, file: string) {
  const { count } = database.prepare('SELECT count(*) AS count FROM sqlite_schema').get() as { count: number }
  if (count === 0) return createModels(database)
  if (
    pragmaOf(database, 'application_id') === applicationId &&
    pragmaOf(database, 'user_version') === modelsSchema.version
  )
    return addHistory(database)
  throw new Error(`${file} does not hold read models of this engine. Remove it, and they are built anew.`)
}

/** The column came later. An engine that does not know it can still use the file, so the version stays the same. */
function addHistory(database: Database) {
  if (!hasHistory(database)) database.exec('ALTER TABLE generations ADD COLUMN history TEXT')
}

/** Whether the tables of a file have the column. */
export function hasHistory(database: Database): boolean {
  return database.prepare(`SELECT 1 FROM pragma_table_info('generations') WHERE name = 'history'`).get() !== undefined
}

/** The names of the histories that the tables of a store were built from, as far as they have one. */
export function historiesIn(database: Database, store: string): readonly string[] {
  if (!hasHistory(database)) return []
  const rows = database
    .prepare('SELECT DISTINCT history FROM generations WHERE store = ? AND history IS NOT NULL')
    .all(store) as readonly { readonly history: string }[]
  return rows.map(({ history }) => history)
}
