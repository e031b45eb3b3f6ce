import { closeSync, openSync } from 'node:fs'
import type { Database } from './database.ts'
import { resultCodeOf, resultCodes } from './failure.ts'

/** Milliseconds to wait for a lock of another connection. */
export const busyTimeout = 5000

/** Creates a file that only its owner can read, if absent; files that SQLite creates beside it get the same mode. */
export function makePrivate(file: string) {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** The value of a pragma that identifies a file or the version of its schema. */
export function pragmaOf(database: Database, name: 'application_id' | 'user_version'): number {
  return (database.prepare(`PRAGMA ${name}`).get() as Readonly<Record<typeof name, number>>)[name]
}

/**
 * Switches a file to a write-ahead log. This does not respect `busy_timeout`, so the loser of a race for a new file
 * retries.
 */
export function useWriteAheadLog(database: Database, file: string) {
  for (let waits = 0; ; waits++) {
    try {
      const { journal_mode } = database.prepare('PRAGMA journal_mode = WAL').get() as { journal_mode: string }
      if (journal_mode === 'wal') return
      throw new Error(`${file} cannot have a write-ahead log beside it (${journal_mode}). Is it on a network drive?`)
    } catch (error) {
      if (resultCodeOf(error) !== resultCodes.busy || waits === 500) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    }
  }
}

/** The structural problems that SQLite finds, at most 100; the quick check skips the indexes. */
export function problemsIn(database: Database, check: 'integrity_check' | 'quick_check'): readonly string[] {
  const rows = database.prepare(`PRAGMA ${check}`).all() as readonly Readonly<Record<typeof check, string>>[]
  return rows.map((row) => row[check]).filter((sentence) => sentence !== 'ok')
}
