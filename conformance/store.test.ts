import { join } from 'node:path'
import t from 'tap'
import { createSqliteStore } from '../adapters/sqlite/facts/index.ts'
import { createMemoryStore } from '../engine/index.ts'
import { storageSuite } from './store.ts'

await storageSuite(t, 'the store in memory', async (_, clock) => {
  const store = createMemoryStore(clock)
  return { store, cleanup: () => store.close() }
})

await storageSuite(t, 'the store in an SQLite file', async (t, clock) => {
  const file = join(t.testdir(), 'data', 'events.db')
  const open = () => createSqliteStore({ file, clock })
  let store = open()
  const reopen = async () => {
    await store.close()
    store = open()
    return store
  }
  return { store, reopen, cleanup: () => store.close() }
})
