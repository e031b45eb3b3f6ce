import { realpathSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'

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
