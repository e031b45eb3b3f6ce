/** A pause that ends early where something comes up. */
export interface Alarm {
  /** Resolves at an instant (epoch milliseconds), or at an earlier one that is set meanwhile. */
  sleep(until: number): Promise<void>
  /** Something is due at this instant. */
  set(at: number): void
}

/** So many milliseconds pass at least, so that many instants close to each other are one. */
const shortest = 10

/** Makes an alarm; `wait` resolves after so many milliseconds, or once its signal is aborted. */
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
