import { setTimeout } from 'node:timers/promises'

/** Waits for so many milliseconds, or until the signal is aborted. */
export async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { signal }).catch(() => {})
}
