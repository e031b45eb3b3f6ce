import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { createSqliteStore } from '../adapters/sqlite/facts/index.ts'
import { createMemoryStore } from '../engine/index.ts'
import { storageSuite } from './suites/index.ts'

await t.test('the store in memory', async (t) => {
  storageSuite(
    (name, run) => t.test(name, run),
    async (clock) => {
      const store = createMemoryStore(clock)
      return { store, cleanup: () => store.close() }
    },
  )
})

await t.test('the store in an SQLite file', async (t) => {
  storageSuite(
    (name, run) => t.test(name, run),
    async (clock) => {
      const folder = mkdtempSync(join(tmpdir(), 'otep-store-'))
      const open = () => createSqliteStore({ file: join(folder, 'data', 'events.db'), clock })
      let store = open()
      const reopen = async () => {
        await store.close()
        store = open()
        return store
      }
      const cleanup = async () => {
        await store.close()
        rmSync(folder, { recursive: true, force: true })
      }
      return { store, reopen, cleanup }
    },
  )
})
