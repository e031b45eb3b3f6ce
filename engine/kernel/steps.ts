/** Waits until everybody else who is ready was served: a turn of the event loop. */
export type Pause = () => Promise<void>

/** Counts units of long work, with a pause after each hundred or so. */
export interface Pauses {
  /** Call it before a unit. The result is a promise where it is time for a pause. */
  next(): Promise<void> | undefined
}

/** Pauses after every `units` units. A unit is about an event, and takes 10 to 50 µs. */
export function createPauses(pause: Pause, units = 100): Pauses {
  let left = units
  return {
    next: () => {
      if (left-- > 0) return undefined
      left = units - 1
      return pause()
    },
  }
}

/** Runs work in steps, with a pause after each. */
export async function inSteps<Result>(work: Generator<void, Result>, pause: Pause): Promise<Result> {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
    await pause()
  }
}

/** Runs work in steps, without pauses. */
export function atOnce<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
  }
}
