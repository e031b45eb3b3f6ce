/** Lets other requests run between the units of long work. */
export interface Turns {
  /** Counts a unit of work. After every `perTurn` units, the promise waits for a turn of the event loop. */
  next(): Promise<void> | undefined
}

/** Counts units of work; one unit is about an event, and takes some 10 to 50 µs. */
export function createTurns(perTurn = 100): Turns {
  let left = perTurn
  return {
    next: () => {
      if (--left > 0) return undefined
      left = perTurn
      return turn()
    },
  }
}

/** Runs work in steps, with a turn of the event loop after each `yield`. */
export async function inTurns<Result>(work: Generator<void, Result>): Promise<Result> {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
    await turn()
  }
}

/** Resolves after the event loop has served others. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
