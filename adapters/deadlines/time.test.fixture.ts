import { setImmediate } from 'node:timers/promises'

/** Time that only passes when a test says so, and wakes those who wait for it. */
export function createTime(start: number) {
  const time = { now: start }
  const sleepers = new Set<{ readonly until: number; readonly wake: () => void }>()
  const pauses: number[] = []

  function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    pauses.push(milliseconds)
    return new Promise((resolve) => {
      const wake = () => {
        sleepers.delete(sleeper)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      const sleeper = { until: time.now + milliseconds, wake }
      sleepers.add(sleeper)
      signal.addEventListener('abort', wake)
    })
  }

  /** Runs everything that is ready, until this many clocks wait. */
  async function settle(clocks: number) {
    while (sleepers.size < clocks) await setImmediate()
  }

  async function passTo(end: number, clocks = 1) {
    for (;;) {
      await settle(clocks)
      const next = Math.min(...[...sleepers].map(({ until }) => until))
      if (next > end) break
      time.now = next
      for (const sleeper of [...sleepers]) if (sleeper.until <= next) sleeper.wake()
    }
    time.now = end
  }

  return { clock: () => time.now, wait, settle, passTo, pauses }
}
