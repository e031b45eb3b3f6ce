import { isEngineError } from '../../../engine/index.ts'
import type { Database } from '../database.ts'
import { failureOf } from '../failure.ts'
import { inTransaction } from '../transaction.ts'

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

/** After so many milliseconds a transaction takes nothing more on, so that everything else gets its turn. */
const longest = 10

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
      if (waiting.length === 1) setImmediate(turn)
    })
  }

  function turn() {
    const group = waiting
    waiting = group.splice(commit(database, group, longest))
    if (waiting.length > 0) setImmediate(turn)
  }

  function flush() {
    const group = waiting
    waiting = []
    while (group.length > 0) group.splice(0, commit(database, group, Number.POSITIVE_INFINITY))
  }

  return { write, flush }
}

/** Commits the first of a group, as many as there is time for; answers how many. */
function commit(database: Database, group: readonly Work[], time: number): number {
  const end = performance.now() + time
  const settled: (() => void)[] = []
  let begun = 0
  try {
    inTransaction(database, 'IMMEDIATE', () => {
      for (const { settle } of group) {
        begun++
        settled.push(settle())
        if (performance.now() >= end) break
      }
    })
    for (const settle of settled) settle()
  } catch (error) {
    refuse(database, group.slice(0, Math.max(1, begun)), failureOf(error))
  }
  return Math.max(1, begun)
}

/** What is wrong with one must not keep the others out: where a store does work, each is tried by itself. */
function refuse(database: Database, group: readonly Work[], failure: Error) {
  if (group.length > 1 && !isEngineError(failure, 'store_unavailable'))
    for (const one of group) commit(database, [one], Number.POSITIVE_INFINITY)
  else for (const { reject } of group) reject(failure)
}
