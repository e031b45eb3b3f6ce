import { randomUUID } from 'node:crypto'
import { startChild } from './child.ts'

/** A server of events for a topic. */
export interface EventStoreServer {
  /** Its address with one more setting of the client, such as `throwOnAppendFailure=true`. */
  addressWith(setting: string): string
  /** Its address for an engine that has nothing there yet. */
  newStore(): string
  stop(): Promise<void>
}

/** What the notes of a topic say about its server. */
export const serverNote =
  'The server is that of EVENTSTORE_URL, or a double in a process of its own that takes 1 ms for a read and 6 ms for an append.'

/** Starts a double, unless EVENTSTORE_URL names a server. */
export async function startEventStore(progress: (doing: string) => void): Promise<EventStoreServer> {
  const { EVENTSTORE_URL: given } = process.env
  progress(given === undefined ? 'starting a double of a server' : 'starting a server')
  const double = given === undefined ? await startChild({ kind: 'event store double' }) : undefined
  const address = given ?? `esdb://127.0.0.1:${double?.port}?tls=false`
  const addressWith = (setting: string) => `${address}${address.includes('?') ? '&' : '?'}${setting}`
  return {
    addressWith,
    newStore: () => addressWith(`otepPrefix=bench-${randomUUID()}.`),
    stop: async () => void (await double?.stop()),
  }
}
