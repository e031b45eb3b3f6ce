import { once } from 'node:events'

const signals = ['SIGINT', 'SIGTERM'] as const

/** Waits for a signal to stop, or until nobody waits any more. The next one is nobody's, and so ends the process at once. */
export async function firstSignal(over?: Promise<void>): Promise<void> {
  const heard = new AbortController()
  const asked = signals.map((signal) => once(process, signal, heard))
  await Promise.race(over === undefined ? asked : [...asked, over])
  heard.abort()
}
