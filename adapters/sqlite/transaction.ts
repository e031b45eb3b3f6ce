import type { Database } from './database.ts'

/** Runs `body` in a transaction, which is rolled back if it throws. */
export function inTransaction<Result>(database: Database, mode: 'DEFERRED' | 'IMMEDIATE', body: () => Result): Result {
  database.exec(`BEGIN ${mode}`)
  try {
    const result = body()
    database.exec('COMMIT')
    return result
  } catch (error) {
    rollBack(database)
    throw error
  }
}

/** The same for asynchronous work; needs its own connection. */
export async function inLongTransaction<Result>(
  database: Database,
  mode: 'DEFERRED' | 'IMMEDIATE',
  body: () => Promise<Result>,
): Promise<Result> {
  database.exec(`BEGIN ${mode}`)
  try {
    const result = await body()
    database.exec('COMMIT')
    return result
  } catch (error) {
    rollBack(database)
    throw error
  }
}

/** After some errors (full disk, I/O) SQLite has rolled back already and refuses to do it again. */
function rollBack(database: Database) {
  try {
    database.exec('ROLLBACK')
  } catch {}
}
