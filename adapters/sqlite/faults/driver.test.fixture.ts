import { createRequire } from 'node:module'
import type { CopyDatabase, Database, SqlValue, Statement } from '../database.ts'

/** What a driver call fails with. */
export interface Fault {
  readonly name: string
  readonly errcode: number
  readonly message: string
  /** Whether the call is carried out before it fails, as a commit whose outcome is unknown. */
  readonly isCarriedOut?: boolean
  /** Whether SQLite rolls back the transaction by itself. */
  readonly rollsBack?: boolean
}

/** The faults, with the codes and messages of the drivers. */
export const faults: readonly Fault[] = [
  { name: 'an I/O error', errcode: 10, message: 'disk I/O error', rollsBack: true },
  { name: 'an I/O error after the call', errcode: 10, message: 'disk I/O error', isCarriedOut: true, rollsBack: true },
  { name: 'a full disk', errcode: 13, message: 'database or disk is full', rollsBack: true },
  { name: 'a lock', errcode: 5, message: 'database is locked' },
  { name: 'a malformed page', errcode: 11, message: 'database disk image is malformed' },
]

/** Which calls fail: `count` of them from number `from`, of those on the files whose path ends with `file`. */
interface Injection {
  readonly file: string
  readonly from: number
  readonly count: number
  readonly fault: Fault
}

/** The driver calls since the last injection, and which of them fail. */
interface State {
  injection: Injection | undefined
  calls: number
}

const state: State = { injection: undefined, calls: 0 }

/** Counts the driver calls from now on, and lets some of them fail. */
export function inject(injection: Injection): void {
  state.injection = injection
  state.calls = 0
}

/** Ends the injection and returns the number of calls that it has seen. */
export function restoreDriver(): number {
  state.injection = undefined
  return state.calls
}

/** Runs `body` with the true driver. */
export async function withTrueDriver<Result>(body: () => Promise<Result>): Promise<Result> {
  const { injection } = state
  state.injection = undefined
  try {
    return await body()
  } finally {
    state.injection = injection
  }
}

interface TrueDatabase extends Database {
  readonly isTransaction: boolean
}

interface Library {
  readonly DatabaseSync: new (file: string) => TrueDatabase
  readonly backup: CopyDatabase
}

/** A call of the driver, as the methods of `Database` and `Statement` make it. */
interface Call {
  readonly file: string
  readonly database?: TrueDatabase
  readonly sql?: string
  /** Whether this driver loses the code of an error. */
  readonly losesCode?: boolean
}

function made<Result>({ file, database, sql, losesCode }: Call, call: () => Result): Result {
  const { injection } = state
  if (injection === undefined || !file.endsWith(injection.file)) return call()
  const number = state.calls++
  if (number < injection.from || number >= injection.from + injection.count) return call()
  const { fault } = injection
  // A transaction ends by ROLLBACK, whatever else goes wrong. The temporary table of claims is in memory, and a
  // connection that could not be opened is none.
  const isOutcomeUnknown = sql !== undefined && !sql.startsWith('INSERT INTO claimed')
  if ((fault.isCarriedOut && isOutcomeUnknown) || sql === 'ROLLBACK') call()
  if (fault.rollsBack && database?.isTransaction) database.exec('ROLLBACK')
  const { errcode, message } = fault
  const code = 'ERR_SQLITE_ERROR'
  throw Object.assign(new Error(message), losesCode ? { code } : { code, errcode, errstr: message })
}

/** Replaces both drivers for this process by ones that make the same calls, and fail when the test says so. */
export function replaceDriver(): void {
  const { cache, resolve } = createRequire(import.meta.url)
  createRequire(import.meta.url)('@photostructure/sqlite')
  const packaged = cache[resolve('@photostructure/sqlite')]
  if (packaged === undefined) throw new Error('The driver is not where it was loaded from.')
  packaged.exports = failing(packaged.exports as Library, true)
  const builtIn = process.getBuiltinModule('node:sqlite') as unknown as Library | undefined
  if (builtIn !== undefined) Object.assign(builtIn, failing({ ...builtIn }, false))
}

function failing(library: Library, losesCodes: boolean): Library {
  const trueOf = new WeakMap<Database, TrueDatabase>()
  function DatabaseSync(file: string): Database {
    const database = made({ file }, () => new library.DatabaseSync(file))
    const wrapped: Database = {
      exec: (sql) => made({ file, database, sql }, () => database.exec(sql)),
      prepare: (sql) => {
        const statement = made({ file, database, sql }, () => database.prepare(sql))
        return failingStatement(statement, { file, database, sql }, losesCodes)
      },
      close: () => database.close(),
    }
    trueOf.set(wrapped, database)
    return wrapped
  }
  return {
    DatabaseSync: DatabaseSync as unknown as Library['DatabaseSync'],
    backup: (source, file, options) =>
      made({ file }, () => library.backup(trueOf.get(source) as TrueDatabase, file, options)),
  }
}

function failingStatement(statement: Statement, call: Call, losesCodes: boolean): Statement {
  const { setReturnArrays } = statement
  return {
    run: (...values: readonly SqlValue[]) => made(call, () => statement.run(...values)),
    get: (...values: readonly SqlValue[]) => made(call, () => statement.get(...values)),
    all: (...values: readonly SqlValue[]) => made({ ...call, losesCode: losesCodes }, () => statement.all(...values)),
    ...(setReturnArrays && { setReturnArrays: (isWanted: boolean) => setReturnArrays.call(statement, isWanted) }),
  }
}
