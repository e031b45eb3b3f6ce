import { setTimeout } from 'node:timers/promises'
import type { Leases, Storage } from '../../engine/index.ts'

/** Waits for so many milliseconds, or until the signal is aborted. */
export async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { signal }).catch(() => {})
}

/** Creates a `wait` that also ends when a store that was lost at its begin is back. */
export function createWait({ lost }: Pick<Storage, 'lost'>): typeof wait {
  return async (milliseconds, signal) => {
    const back = lost?.()
    if (back === undefined) return wait(milliseconds, signal)
    const over = new AbortController()
    await Promise.race([wait(milliseconds, AbortSignal.any([signal, over.signal])), back])
    over.abort()
  }
}

/** Leases that are not tried while the store is lost, but as soon as it is back, or refused when the signal is aborted. */
export function createPatientLeases(leases: Leases, { lost }: Pick<Storage, 'lost'>, signal: AbortSignal): Leases {
  async function untilThere(): Promise<void> {
    for (let back = lost?.(); back !== undefined && !signal.aborted; back = lost?.()) {
      const over = new AbortController()
      const stopped = new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve(), { signal: over.signal })
      })
      await Promise.race([stopped, back])
      over.abort()
    }
  }

  return {
    read: (name) => untilThere().then(() => leases.read(name)),
    write: (name, lease) => untilThere().then(() => leases.write(name, lease)),
  }
}
