import { chooseDriver, type Database } from './database.ts'
import { resultCodeOf, resultCodes } from './failure.ts'
import { busyTimeout, pragmaOf } from './file.ts'

/** What identifies a kind of file, and the version of its tables. */
export interface FileSchema {
  readonly application: number
  readonly version: number
}

/** Looks into a file without changing it. Returns `undefined` if it is not an SQLite database. */
export function lookInto<Result>(file: string, look: (database: Database) => Result): Result | undefined {
  const database = new (chooseDriver())(file)
  try {
    database.exec(`PRAGMA busy_timeout = ${busyTimeout}; PRAGMA query_only = ON`)
    return look(database)
  } catch (error) {
    if (resultCodeOf(error) === resultCodes.notADatabase) return undefined
    throw error
  } finally {
    database.close()
  }
}

/** The schema that a file has. */
export function schemaOf(database: Database): FileSchema {
  return { application: pragmaOf(database, 'application_id'), version: pragmaOf(database, 'user_version') }
}

/** The newest shape of each type of event in a store file, as its metadata says. */
export function shapesOf(database: Database): readonly { readonly type: string; readonly version: number }[] {
  const rows = database
    .prepare(`SELECT type, max(meta ->> 'schemaVersion') AS version FROM events GROUP BY type ORDER BY type`)
    .all()
  return rows as readonly { readonly type: string; readonly version: number }[]
}
