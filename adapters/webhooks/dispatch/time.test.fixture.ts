import { setImmediate } from 'node:timers/promises'

/** The beginning of these tests, epoch milliseconds. */
export const start = Date.parse('2026-06-10T10:00:00.000Z')

/** So many turns of the event loop without anything to do mean that nothing more is to come before time passes. */
const calm = 20

/** A time that stands until the test lets it pass, and wakes whoever waits for it. */
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

  /** Lets so much time pass at once. */
  function pass(milliseconds: number) {
    now += milliseconds
    for (const sleeper of [...sleepers]) if (sleeper.until <= now) sleeper.wake()
  }

  /** Lets time pass from one awakening to the next; `isIdle` says whether all that was begun has ended. */
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

/** Waits until something is so, as the network takes what it takes. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await setImmediate()
}
