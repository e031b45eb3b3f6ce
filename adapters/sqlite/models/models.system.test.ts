import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t from 'tap'
import { createMemoryModels } from '../../../engine/index.ts'
import { clock, collect } from '../facts/events.test.fixture.ts'
import { createSqliteStore } from '../facts/index.ts'
import { createReadModels } from './index.ts'
import { stock, tablesIn } from './stock.test.fixture.ts'

const never = new AbortController().signal
const rounds = Number(process.env.OTEP_KILL_ROUNDS ?? 3)

function startBuilder(storeFile: string, file: string) {
  const script = join(import.meta.dirname, 'builder.test.child.js')
  return spawn(process.execPath, [script, storeFile, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

t.test(
  'given two processes on one file, when one is killed at any moment, then every table holds what its checkpoint says',
  async (t) => {
    const directory = t.testdir()
    const [storeFile, file] = [join(directory, 'events.db'), join(directory, 'models.db')]
    for (let round = 0; round < rounds; round++) {
      const store = createSqliteStore({ file: storeFile, clock })
      const models = createReadModels({ store, models: [stock], file })
      const end = 5 + Math.floor(Math.random() * 60)
      const builder = startBuilder(storeFile, file)
      let lines = 0
      for await (const _ of createInterface({ input: builder.stdout })) {
        if (++lines === end) builder.kill('SIGKILL')
        else await models.rows(stock, { item: 'i1' }).catch(() => 'the file was busy for too long')
      }
      for (const { held, folded } of tablesIn(file, await collect(store.readAll())))
        t.same(held, folded, `round ${round}`)
      t.same(await models.rows(stock, {}), await createMemoryModels(store).rows(stock, {}), 'the other goes on')
      t.ok(await models.rebuild(stock, never), 'and a rebuilding that was killed comes to its end')
      t.same(await models.rows(stock, {}), await createMemoryModels(store).rows(stock, {}))
      t.equal(tablesIn(file, []).length, 1)
      await models.close()
      await store.close()
    }
  },
)
