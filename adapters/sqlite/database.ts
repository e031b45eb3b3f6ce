import { createRequire } from 'node:module'

/** A column value. Integers of this store stay below 2^53. */
export type SqlValue = null | number | string | Uint8Array

/** A prepared statement: the part of `StatementSync` that is used here. */
export interface Statement {
  run(...values: readonly SqlValue[]): { readonly lastInsertRowid: number | bigint }
  get(...values: readonly SqlValue[]): unknown
  all(...values: readonly SqlValue[]): readonly unknown[]
  /** Not available before Node 22.16. */
  setReturnArrays?(isWanted: boolean): void
}

/** An open connection: the part of `DatabaseSync` that is used here. */
export interface Database {
  exec(sql: string): void
  prepare(sql: string): Statement
  close(): void
}

/** Runs a query that returns rows as arrays, which are cheaper than objects. */
export type Query<Row> = (...values: readonly SqlValue[]) => readonly Row[]

/** Prepares a query that returns rows as arrays. */
export function queryOn<Row extends readonly unknown[]>(database: Database, sql: string): Query<Row> {
  const statement = database.prepare(sql)
  if (statement.setReturnArrays === undefined)
    return (...values) => statement.all(...values).map((row) => Object.values(row as object) as unknown as Row)
  statement.setReturnArrays(true)
  return (...values) => statement.all(...values) as readonly Row[]
}

/** Opens a file, creating it if absent. */
export type Connection = new (file: string) => Database

/**
 * Copies a database to a file, some pages at a time. Inside a transaction the copy is a snapshot of that transaction,
 * however long it takes.
 */
export type CopyDatabase = (
  source: Database,
  file: string,
  options: {
    /** Pages per step. */
    readonly rate: number
    readonly progress: (state: { readonly totalPages: number; readonly remainingPages: number }) => void
  },
) => Promise<number>

/** A library with the `DatabaseSync` API; `load` returns `undefined` if this Node does not have it. */
interface Driver {
  readonly name: string
  readonly load: () => Connection | undefined
}

/** Earlier versions can damage a file that two connections write to (the WAL-reset defect, fixed in 3.51.3). */
const oldestVersion = '3.51.3'

interface Library {
  readonly DatabaseSync: Connection
  readonly backup: CopyDatabase
}

const libraries: Readonly<Record<string, () => Library | undefined>> = {
  'node:sqlite': () => quietly(() => process.getBuiltinModule('node:sqlite') as unknown as Library | undefined),
  '@photostructure/sqlite': () => createRequire(import.meta.url)('@photostructure/sqlite') as Library,
}

const drivers: readonly Driver[] = Object.entries(libraries).map(([name, load]) => ({
  name,
  load: () => load()?.DatabaseSync,
}))

/** The first driver with a recent SQLite; throws if there is none, listing what was found. */
export function chooseDriver(candidates: readonly Driver[] = drivers): Connection {
  const found: string[] = []
  for (const { name, load } of candidates) {
    try {
      const connection = load()
      const version = connection === undefined ? 'not in this Node' : versionOf(connection)
      if (connection !== undefined && isRecent(version)) return connection
      found.push(`${name}: ${version}`)
    } catch (error) {
      found.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  throw new Error(`SQLite ${oldestVersion} or later is needed. Found: ${found.join('; ')}.`)
}

/** Copies a database with the chosen driver. */
export const copyDatabase: CopyDatabase = (source, file, options) =>
  chosenLibrary().library.backup(source, file, options)

/** What `require` takes in a thread to load the chosen driver. */
export function driverInThread(): string {
  const { name } = chosenLibrary()
  return name.startsWith('node:') ? name : createRequire(import.meta.url).resolve(name)
}

function chosenLibrary() {
  const Connection = chooseDriver()
  for (const [name, load] of Object.entries(libraries)) {
    const library = load()
    if (library?.DatabaseSync === Connection) return { name, library }
  }
  throw new Error('The driver of SQLite is gone.')
}

/**
 * Suppresses the warning of Node 22 that its SQLite is experimental. Loading is synchronous, so no other warning is
 * lost.
 */
function quietly<Result>(load: () => Result): Result {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return load()
  } finally {
    process.emitWarning = emitWarning
  }
}

function versionOf(Connection: Connection): string {
  const database = new Connection(':memory:')
  const { version } = database.prepare('SELECT sqlite_version() AS version').get() as { version: string }
  database.close()
  return version
}

function isRecent(version: string): boolean {
  return version.localeCompare(oldestVersion, 'en', { numeric: true }) >= 0
}
