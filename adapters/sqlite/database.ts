import { createRequire } from 'node:module'

/** What a column holds. Integers of this store stay below 2^53. */
export type SqlValue = null | number | string | Uint8Array

/** A prepared statement: as much of `StatementSync` as is used here. */
export interface Statement {
  run(...values: readonly SqlValue[]): { readonly lastInsertRowid: number | bigint }
  get(...values: readonly SqlValue[]): unknown
  all(...values: readonly SqlValue[]): readonly unknown[]
  /** Not in Node before 22.16. */
  setReturnArrays?(isWanted: boolean): void
}

/** An open connection: as much of `DatabaseSync` as is used here. */
export interface Database {
  exec(sql: string): void
  prepare(sql: string): Statement
  close(): void
}

/** Runs a query whose rows are lists of values in the order of its columns: they cost less than objects do. */
export type Query<Row> = (...values: readonly SqlValue[]) => readonly Row[]

/** Prepares such a query. */
export function queryOn<Row extends readonly unknown[]>(database: Database, sql: string): Query<Row> {
  const statement = database.prepare(sql)
  if (statement.setReturnArrays === undefined)
    return (...values) => statement.all(...values).map((row) => Object.values(row as object) as unknown as Row)
  statement.setReturnArrays(true)
  return (...values) => statement.all(...values) as readonly Row[]
}

/** Opens a file, which is created where it is absent. */
export type Connection = new (file: string) => Database

/**
 * Copies a whole database into a file, some pages at a time. Where the source is within a transaction, the copy is of
 * what that transaction sees, however long it takes and whoever writes meanwhile.
 */
export type CopyDatabase = (
  source: Database,
  file: string,
  options: {
    /** Pages of a step. */
    readonly rate: number
    readonly progress: (state: { readonly totalPages: number; readonly remainingPages: number }) => void
  },
) => Promise<number>

/** A library with the `DatabaseSync` API; `load` answers nothing where this Node does not have it. */
export interface Driver {
  readonly name: string
  readonly load: () => Connection | undefined
}

/** Earlier versions can damage a file that two connections write to (the WAL-reset defect, mended in 3.51.3). */
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

/** The first driver whose SQLite is recent enough; throws where there is none, saying what was found. */
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

/** How the chosen driver copies a database; each that is recent enough can. */
export const copyDatabase: CopyDatabase = (source, file, options) => {
  const Connection = chooseDriver()
  for (const load of Object.values(libraries)) {
    const library = load()
    if (library?.DatabaseSync === Connection) return library.backup(source, file, options)
  }
  throw new Error('The driver of SQLite is gone.')
}

/** Node 22 warns that its SQLite is experimental; loading a built-in module is synchronous, so nothing else is lost. */
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
