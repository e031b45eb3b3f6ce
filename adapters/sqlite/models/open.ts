import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { chooseDriver, type Database } from '../database.ts'
import { makePrivate, pragmaOf, useWriteAheadLog } from '../file.ts'
import { inTransaction } from '../transaction.ts'

/** `OTEM` in ASCII, in the header of every file of read models. */
const applicationId = 0x4f54454d

/**
 * A generation is one table, built from the first event on. Its number is never given out again, so that whoever holds
 * one can tell that it is gone. `stream` to `position` say which event was applied last.
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
  position TEXT
) STRICT;
PRAGMA application_id = ${applicationId};
PRAGMA user_version = 1;
`

/** Opens a file of read models, made with its directory where absent (`:memory:` for none); refuses any other file. */
export function openModels(file: string): Database {
  const Connection = chooseDriver()
  if (file !== ':memory:') {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    makePrivate(file)
  }
  const database = new Connection(file)
  try {
    // The event loop stands still while a lock is waited for, and without an answer the facts themselves are asked.
    database.exec('PRAGMA busy_timeout = 1000')
    if (file !== ':memory:') useWriteAheadLog(database, file)
    // No fsync a commit: a crash of the machine may take the last pages back, whole, and they are applied again.
    database.exec('PRAGMA synchronous = NORMAL')
    inTransaction(database, 'IMMEDIATE', () => bringUp(database, file))
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function bringUp(database: Database, file: string) {
  const { count } = database.prepare('SELECT count(*) AS count FROM sqlite_schema').get() as { count: number }
  if (count === 0) return database.exec(schema)
  if (pragmaOf(database, 'application_id') === applicationId && pragmaOf(database, 'user_version') === 1) return
  throw new Error(`${file} does not hold read models of this engine. Remove it, and they are built anew.`)
}
