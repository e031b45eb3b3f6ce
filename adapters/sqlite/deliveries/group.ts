import { isEngineError } from '../../../engine/index.ts'
import type { Database } from '../database.ts'
import { failureOf } from '../failure.ts'
import { inTransaction } from '../transaction.ts'

/** Groups the writes of one turn of the event loop in one transaction; when a write resolves, it is durable. */
export interface WriteGroup {
  write<Result>(work: () => Result): Promise<Result>
  /** Commits the pending writes now. */
  flush(): void
}

interface GroupedWrite {
  /** Performs the write and returns a function that reports the result once it is durable. */
  readonly settle: () => () => void
  readonly reject: (error: unknown) => void
}

/** Milliseconds after which a transaction accepts no further writes, so that other work gets its turn. */
const maxCommitTime = 10

/** What is gathered from the writes of a transaction, and written once at its end. */
interface Gathered {
  flush(): void
  /** The transaction failed. */
  drop(): void
}

/** Creates a group: one fsync for all its writes. */
export function createWriteGroup(database: Database, gathered: Gathered): WriteGroup {
  const place: Commit = { database, gathered }
  let waiting: GroupedWrite[] = []

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
    waiting = group.splice(commit(place, group, maxCommitTime))
    if (waiting.length > 0) setImmediate(turn)
  }

  function flush() {
    const group = waiting
    waiting = []
    while (group.length > 0) group.splice(0, commit(place, group, Number.POSITIVE_INFINITY))
  }

  return { write, flush }
}

/** Where writes are committed, and what is written with them. */
interface Commit {
  readonly database: Database
  readonly gathered: Gathered
}

/** Commits as many writes of a group as time allows; returns their number. */
function commit(place: Commit, group: readonly GroupedWrite[], time: number): number {
  const end = performance.now() + time
  const settled: (() => void)[] = []
  let begun = 0
  try {
    inTransaction(place.database, 'IMMEDIATE', () => {
      for (const { settle } of group) {
        begun++
        settled.push(settle())
        if (performance.now() >= end) break
      }
      place.gathered.flush()
    })
    for (const settle of settled) settle()
  } catch (error) {
    place.gathered.drop()
    refuse(place, group.slice(0, Math.max(1, begun)), failureOf(error))
  }
  return Math.max(1, begun)
}

/** After a failed commit, tries each write by itself, so that one bad write does not block the others. */
function refuse(place: Commit, group: readonly GroupedWrite[], failure: Error) {
  if (group.length > 1 && !isEngineError(failure, 'store_unavailable'))
    for (const one of group) commit(place, [one], Number.POSITIVE_INFINITY)
  else for (const { reject } of group) reject(failure)
}
