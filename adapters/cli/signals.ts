import { once } from 'node:events'

const signals = ['SIGINT', 'SIGTERM'] as const

/**
 * Waits for a stop signal, or until `over` resolves. A second signal ends the process at once. A program that says it is
 * ready may be stopped at once, so it waits before it says so.
 */
export async function waitForSignal(over?: Promise<void>): Promise<void> {
  const heard = new AbortController()
  const asked = signals.map((signal) => once(process, signal, heard))
  await Promise.race(over === undefined ? asked : [...asked, over])
  heard.abort()
}
