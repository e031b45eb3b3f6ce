import { isEngineError } from '../../../engine/index.ts'
import type { Database } from '../database.ts'
import { failureOf } from '../failure.ts'
import { inTransaction } from '../open.ts'

/** Writes within a transaction that others of the same turn of the event loop share; what resolves is durable. */
export interface Group {
  write<Result>(work: () => Result): Promise<Result>
  /** Writes what waits, now. */
  flush(): void
}

interface Work {
  /** Works, and answers what to tell the caller once that is durable. */
  readonly settle: () => () => void
  readonly reject: (error: unknown) => void
}

/** Commits together what is written together: one fsync for all of it. */
export function createGroup(database: Database): Group {
  let waiting: Work[] = []

  function write<Result>(work: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        const result = work()
        return () => resolve(result)
      }
      waiting.push({ settle, reject })
      if (waiting.length === 1) setImmediate(flush)
    })
  }

  function flush() {
    const group = waiting
    waiting = []
    if (group.length > 0) commit(group)
  }

  /** What is wrong with one of them must not keep the others out: then each is tried by itself. */
  function commit(group: readonly Work[]) {
    try {
      const settled = inTransaction(database, 'IMMEDIATE', () => group.map(({ settle }) => settle()))
      for (const settle of settled) settle()
    } catch (error) {
      const failure = failureOf(error)
      if (group.length > 1 && !isEngineError(failure, 'store_unavailable')) for (const one of group) commit([one])
      else for (const { reject } of group) reject(failure)
    }
  }

  return { write, flush }
}
