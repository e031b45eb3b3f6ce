import { setImmediate } from 'node:timers/promises'

/** The start of these tests in epoch milliseconds. */
export const start = Date.parse('2026-06-10T10:00:00.000Z')

/** After this many idle turns of the event loop, nothing more happens until time advances. */
const calm = 20

/** A clock that only moves when the test advances it, and wakes waiting timers. */
export function createTime() {
  let now = start
  const sleepers = new Set<{ readonly until: number; readonly wake: () => void }>()

  function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        sleepers.delete(sleeper)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      const sleeper = { until: now + milliseconds, wake }
      sleepers.add(sleeper)
      if (signal.aborted) wake()
      else signal.addEventListener('abort', wake)
    })
  }

  /** Advances the clock at once. */
  function pass(milliseconds: number) {
    now += milliseconds
    for (const sleeper of [...sleepers]) if (sleeper.until <= now) sleeper.wake()
  }

  /** Advances the clock from timer to timer; `isIdle` says whether all started work has ended. */
  async function passTo(end: number, isIdle: () => boolean) {
    for (;;) {
      for (let turns = 0; turns < calm; turns++) {
        if (!isIdle()) turns = 0
        await setImmediate()
      }
      const next = Math.min(...[...sleepers].map(({ until }) => until))
      if (next > end) break
      pass(Math.max(0, next - now))
    }
    pass(Math.max(0, end - now))
  }

  return { clock: () => now, wait, pass, passTo }
}

/** Waits in real time until a condition holds, because the network needs real time. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await setImmediate()
}
