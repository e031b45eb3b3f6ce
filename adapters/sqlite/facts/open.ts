import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { chooseDriver, type Database } from '../database.ts'
import { isOfDriver, resultCodeOf, resultCodes } from '../failure.ts'
import { busyTimeout, makePrivate, pragmaOf, useWriteAheadLog } from '../file.ts'
import { inTransaction } from '../transaction.ts'

/** `OTEP` in ASCII, in the header of every store file. */
const applicationId = 0x4f544550
const schemaVersion = 2

/** What the header of a store file says that this version writes. */
export const factsSchema = { application: applicationId, version: schemaVersion } as const

/**
 * Rows of `events` are never deleted: `pos` is the rowid, and SQLite would reuse that of a deleted last row. Event ids
 * have no index, which would cost a random page per event; they are searched within their stream.
 */
const schema = `
CREATE TABLE streams (sid INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE events (
  pos INTEGER PRIMARY KEY,
  sid INTEGER NOT NULL REFERENCES streams,
  rev INTEGER NOT NULL,
  id BLOB NOT NULL,
  type TEXT NOT NULL,
  data TEXT NOT NULL,
  meta TEXT NOT NULL,
  created INTEGER NOT NULL,
  sum INTEGER,
  UNIQUE (sid, rev)
) STRICT;
PRAGMA application_id = ${applicationId};
`

/**
 * Schema version 2 adds this. The row of a deleted key stays with NULL. A restore changes the id of the history,
 * because positions are reused.
 */
const beside = `
CREATE TABLE leases (name TEXT PRIMARY KEY, holder TEXT NOT NULL, term INTEGER NOT NULL, checkpoint TEXT) STRICT;
CREATE TABLE keys (subject TEXT PRIMARY KEY, key TEXT) STRICT;
CREATE TABLE history (id TEXT NOT NULL) STRICT;
INSERT INTO history VALUES (lower(hex(randomblob(16))));
PRAGMA user_version = ${schemaVersion};
`

/** Returns a function that says whether a file still has its name: it was neither deleted nor replaced. */
export function sameFile(file: string): () => boolean {
  const look = () => statSync(file, { throwIfNoEntry: false })
  const first = look()
  return () => {
    try {
      const now = look()
      return now !== undefined && now.ino === first?.ino && now.dev === first.dev
    } catch {
      return false
    }
  }
}

/** Opens the file of a store, creating it and its directory if absent; throws for other files. */
export function openDatabase(file: string): Database {
  const Connection = chooseDriver()
  makeDirectoryOf(file)
  const database = open(file, Connection)
  return prepared(database, file, () => {
    database.exec(`PRAGMA busy_timeout = ${busyTimeout}`)
    const isOld = inTransaction(database, 'DEFERRED', () => versionOf(database, file) < schemaVersion)
    useWriteAheadLog(database, file)
    for (const pragma of [
      'synchronous = FULL',
      // On macOS a plain fsync leaves the data in the drive's cache; elsewhere this changes nothing.
      'fullfsync = ON',
      // 128 MiB, which is rarely reached where a thread moves the log.
      'wal_autocheckpoint = 32768',
      'cache_size = -65536',
      'foreign_keys = ON',
      // Deleted keys are overwritten.
      'secure_delete = ON',
    ]) {
      database.exec(`PRAGMA ${pragma}`)
    }
    if (isOld) inTransaction(database, 'IMMEDIATE', () => bringUp(database, file))
    return database
  })
}

function makeDirectoryOf(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  } catch (error) {
    throw cannotBeOpened(file, error)
  }
}

/** Prepares an open connection, and closes it if that fails. An error of SQLite then names the file and the reason. */
export function prepared<Result>(database: Database, file: string, prepare: () => Result): Result {
  try {
    return prepare()
  } catch (error) {
    database.close()
    throw isOfDriver(error) ? cannotBeOpened(file, error) : error
  }
}

function cannotBeOpened(file: string, cause: unknown): Error {
  return new Error(`The event store ${file} cannot be opened: ${reasonOf(file, cause)}.`, { cause })
}

/** SQLite does not say that the file may not be read or written. */
function reasonOf(file: string, error: unknown): string {
  try {
    accessSync(file, constants.R_OK | constants.W_OK)
  } catch (refusal) {
    if ((refusal as NodeJS.ErrnoException).code === 'EACCES') return 'permission denied'
  }
  return error instanceof Error ? error.message : String(error)
}

function open(file: string, Connection: ReturnType<typeof chooseDriver>): Database {
  try {
    makePrivate(file)
    return new Connection(file)
  } catch (error) {
    throw cannotBeOpened(file, error)
  }
}

/** Migrates a file to the current schema. Checks again under the lock, because another process may have been faster. */
function bringUp(database: Database, file: string) {
  const version = versionOf(database, file)
  if (version === 0) database.exec(schema)
  if (version === 1) database.exec('ALTER TABLE events ADD COLUMN sum INTEGER')
  if (version < 2) database.exec(beside)
}

/** Opens a file read-only; throws if it is not a store or has never been written. */
export function openToRead(file: string): Database {
  if (!existsSync(file)) throw new Error(`There is no file ${file}.`)
  const database = open(file, chooseDriver())
  return prepared(database, file, () => {
    database.exec(`PRAGMA busy_timeout = ${busyTimeout}; PRAGMA query_only = ON`)
    if (versionOf(database, file) === 0) throw new Error(`${file} is not an event store: it is empty.`)
    return database
  })
}

/** The schema version of a file, 0 if it has never been written; throws if it is not a store of this engine. */
export function versionOf(database: Database, file: string): number {
  const refuse = (reason: string, cause?: unknown) => new Error(`${file} is not an event store: ${reason}.`, { cause })
  let id: number
  try {
    id = pragmaOf(database, 'application_id')
  } catch (error) {
    throw resultCodeOf(error) === resultCodes.notADatabase ? refuse('it is not an SQLite database', error) : error
  }
  const version = pragmaOf(database, 'user_version')
  if (id === applicationId) {
    if (version > schemaVersion) throw refuse(`its schema, version ${version}, is newer than this engine`)
    return version
  }
  const { count } = database.prepare('SELECT count(*) AS count FROM sqlite_schema').get() as { count: number }
  if (id !== 0 || version !== 0 || count > 0) throw refuse('it is the database of another application')
  return 0
}
