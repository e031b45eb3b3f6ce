import { randomUUID } from 'node:crypto'
import t from 'tap'
import { createEventstoreStorage } from '../adapters/eventstore/index.ts'
import type { Storage } from '../engine/index.ts'
import { startDouble } from './eventstore/double.ts'
import { type MakeStore, storageSuite } from './suites/index.ts'

const url = process.env.EVENTSTORE_URL
const server = url === undefined ? 'a double' : 'the server of EVENTSTORE_URL'

/** On a shared server, each store is separated by its prefix. */
const makeStore: MakeStore<Storage> = async (clock) => {
  const double = url === undefined ? await startDouble() : undefined
  const address = url ?? double?.connectionString ?? ''
  const connectionString = `${address}${address.includes('?') ? '&' : '?'}otepPrefix=t${randomUUID()}.`
  const open = () => createEventstoreStorage({ connectionString, clock })
  let store = open()
  const reopen = async () => {
    await store.close()
    store = open()
    return store
  }
  const cleanup = async () => {
    await store.close()
    await double?.close()
  }
  // A server on the loopback that is no server takes its time.
  return { store, reopen, cleanup, crowd: 200 }
}

await t.test(`the store on EventStoreDB (${server})`, async (t) => {
  storageSuite((name, run) => t.test(name, run), makeStore)
})
