import { realpathSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from '../database.ts'
import { inTransaction } from '../transaction.ts'

/** The writes of this process to one file: only one connection at a time can write. */
export interface WriteTurns {
  /** Runs a write that ends at once; now, or as soon as the running long one has ended. */
  short<Result>(write: () => Result): Promise<Result>
  /** Runs a write that goes on over several turns of the event loop; short ones that wait go first. */
  long<Result>(write: () => Promise<Result>): Promise<Result>
}

const turnsByFile = new Map<string, WriteTurns>()

/** The turns of an existing file, which all stores of this process share. */
export function writeTurnsOf(file: string): WriteTurns {
  const path = realpathSync(file)
  const turns = turnsByFile.get(path) ?? createWriteTurns()
  turnsByFile.set(path, turns)
  return turns
}

/** Creates turns. Without them, a short write would block the process until the long one's lock is free. */
export function createWriteTurns(): WriteTurns {
  let running: Promise<void> | undefined

  async function short<Result>(write: () => Result): Promise<Result> {
    while (running !== undefined) await running
    return write()
  }

  async function long<Result>(write: () => Promise<Result>): Promise<Result> {
    while (running !== undefined) {
      await running
      await nextTurn()
    }
    let end = () => {}
    running = new Promise((resolve) => {
      end = resolve
    })
    try {
      return await write()
    } finally {
      running = undefined
      end()
    }
  }

  return { short, long }
}

/** A write that waits for the end of the turn of the event loop. */
interface Waiting {
  /** Returns the function that answers the caller once everything is committed. */
  readonly write: () => () => void
  readonly reject: (error: unknown) => void
}

/** Runs the small writes of one turn of the event loop in one transaction, and so with one fsync; a failure ends all. */
export function createGroupedWrites(database: Database, turns: WriteTurns): WriteTurns['short'] {
  let waiting: Waiting[] = []

  function flush() {
    const group = waiting
    waiting = []
    try {
      const answers = inTransaction(database, 'IMMEDIATE', () => group.map(({ write }) => write()))
      for (const answer of answers) answer()
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }

  return <Result>(write: () => Result) =>
    new Promise<Result>((resolve, reject) => {
      const settle = () => {
        const result = write()
        return () => resolve(result)
      }
      waiting.push({ write: settle, reject })
      if (waiting.length === 1) setImmediate(() => turns.short(flush))
    })
}
