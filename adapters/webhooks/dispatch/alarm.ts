/** A sleep that ends early when something becomes due. */
export interface Alarm {
  /** Resolves at an instant (epoch milliseconds), or at an earlier one that is set meanwhile. */
  sleep(until: number): Promise<void>
  /** Wakes the sleeper at this instant at the latest. */
  set(at: number): void
}

/** Minimum sleep in milliseconds, so that instants close to each other share one wake-up. */
const shortest = 10

/** Creates an alarm; `wait` resolves after so many milliseconds, or as soon as its signal is aborted. */
export function createAlarm(clock: () => number, wait: (ms: number, signal: AbortSignal) => Promise<void>): Alarm {
  let ringing = new AbortController()
  let target = Number.NEGATIVE_INFINITY
  return {
    sleep: (until) => {
      ringing = new AbortController()
      target = until
      return wait(Math.max(shortest, until - clock()), ringing.signal)
    },
    set: (at) => {
      if (at >= target) return
      target = Number.NEGATIVE_INFINITY
      ringing.abort()
    },
  }
}
