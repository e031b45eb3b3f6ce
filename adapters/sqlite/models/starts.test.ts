import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { createMemoryModels, type EventStore, type ReadModel } from '../../../engine/index.ts'
import type { StartReader } from '../../node/start-log.ts'
import type { Database } from '../database.ts'
import { clock, facts } from '../facts/events.test.fixture.ts'
import { createSqliteStore, storeOn } from '../facts/index.ts'
import { openDatabase } from '../facts/open.ts'
import { createReadModels } from './index.ts'
import { lots, recordLots } from './lots.test.fixture.ts'
import { openModels } from './open.ts'
import { stock, stocked } from './stock.test.fixture.ts'

const models = [stock, lots]

/** A store on a file, and the number of scanned windows of its feed. */
function countingStore(t: Test, file: string) {
  let windows = 0
  function counting(database: Database): Database {
    return {
      exec: (sql) => database.exec(sql),
      close: () => database.close(),
      prepare: (sql) => {
        const statement = database.prepare(sql)
        if (!sql.includes('e.pos > ? AND e.pos <= ?')) return statement
        const all: typeof statement.all = (...values) => {
          windows += 1
          return statement.all(...values)
        }
        return { run: statement.run, get: statement.get, all }
      },
    }
  }
  const store = storeOn(counting(openDatabase(file)), clock)
  t.teardown(() => store.close())
  return { store, windows: () => windows }
}

/** The models of a newly started process, up to date with the store. */
async function start(t: Test, store: EventStore, file: string, followed: readonly ReadModel[] = models) {
  const started = createReadModels({ store, models: followed, file })
  t.teardown(() => started.close())
  await caughtUp(started)
  return started
}

async function caughtUp(started: ReturnType<typeof createReadModels>): Promise<void> {
  while (!(await started.state()).every(({ isCaughtUp }) => isCaughtUp));
}

function checkpointsIn(file: string): readonly (string | null)[] {
  const database = openModels(file)
  const rows = database.prepare('SELECT checkpoint FROM generations').all() as { readonly checkpoint: string | null }[]
  database.close()
  return rows.map(({ checkpoint }) => checkpoint)
}

/** Many events that no model follows. */
async function recordOthers(store: EventStore): Promise<void> {
  for (let box = 0; box < 3; box++) await store.append(`box-${box}`, facts(8_000), 'any')
}

t.test('given no event that a model follows, when it starts, then no other event is looked through', async (t) => {
  const directory = t.testdir()
  const { store, windows } = countingStore(t, join(directory, 'events.db'))
  await recordOthers(store)
  await start(t, store, join(directory, 'models.db'))
  t.equal(windows(), 0)
})

t.test(
  'given models, when they have caught up for the first time, then each tells from where and how far',
  async (t) => {
    const directory = t.testdir()
    const { store } = countingStore(t, join(directory, 'events.db'))
    for (let item = 0; item < 3; item++) await store.append('shelf-1', [stocked(`a${item}`)], 'any')
    const end = await store.latest()
    async function told() {
      const readers: StartReader[] = []
      const onCaughtUp = (reader: StartReader) => void readers.push(reader)
      const started = createReadModels({ store, models, file: join(directory, 'models.db'), onCaughtUp })
      await caughtUp(started)
      await store.append('shelf-1', [stocked('later')], 'any')
      await caughtUp(started)
      await started.close()
      return readers.sort((one, other) => one.reader.localeCompare(other.reader))
    }
    const first = { from: null, to: end, parts: Number, ms: Number }
    t.match(await told(), [
      { reader: 'lots', events: 0, ...first },
      { reader: 'stock', events: 3, ...first },
    ])
    const [, second] = await told()
    t.match(second, {
      reader: 'stock',
      events: 0,
      from: await store.read('shelf-1').then((read) => read[3]?.position),
    })
  },
)

t.test('given models that started empty, when the first event of one comes, then the model has it', async (t) => {
  const directory = t.testdir()
  const [storeFile, file] = [join(directory, 'events.db'), join(directory, 'models.db')]
  const { store } = countingStore(t, storeFile)
  const other = createSqliteStore({ file: storeFile, clock })
  t.teardown(() => other.close())
  await recordOthers(store)
  const started = await start(t, store, file)
  const ended = new AbortController()
  started.start(ended.signal)
  await store.append('shelf-1', [stocked('a')], 'any')
  t.match(await started.rows(stock, {}), [{ item: 'a' }])
  await recordLots(other, [{ number: 1, part: 'a' }])
  while (lotsIn(file) === 0) await setTimeout(5)
  t.match(await started.rows(lots, {}), [{ number: 1 }], 'also of another process, before anybody asks')
  ended.abort()
})

for (const end of ['closed', 'killed'] as const)
  t.test(
    `given models that were brought up and ${end}, when they start again, then only what came since is read`,
    async (t) => {
      const directory = t.testdir()
      const [file, later] = [join(directory, 'models.db'), join(directory, 'later', 'models.db')]
      const { store, windows } = countingStore(t, join(directory, 'events.db'))
      await store.append('shelf-1', [stocked('a')], 'any')
      await recordOthers(store)
      await recordLots(store, [{ number: 1, part: 'a' }])
      const first = await start(t, store, file)
      t.ok(windows() > 2, 'the first one looks through all')
      if (end === 'closed') await first.close()
      mkdirSync(join(directory, 'later'))
      for (const suffix of ['', '-wal']) if (existsSync(file + suffix)) copyFileSync(file + suffix, later + suffix)
      t.same(checkpointsIn(later), [await store.latest(), await store.latest()])
      for (const restart of ['second', 'third']) {
        const before = windows()
        const again = await start(t, store, later)
        t.equal(windows(), before, `the ${restart} one does not`)
        t.match(await again.rows(stock, {}), [{ item: 'a' }])
        t.match(await again.rows(lots, {}), [{ number: 1 }])
        await again.close()
      }
    },
  )

t.test('given a model that nothing came for, when all grows, then how far it is is kept beside', async (t) => {
  const directory = t.testdir()
  const [storeFile, file] = [join(directory, 'events.db'), join(directory, 'models.db')]
  const { store, windows } = countingStore(t, storeFile)
  await store.append('shelf-1', [stocked('a')], 'any')
  const first = await start(t, store, file)
  await recordOthers(store)
  await recordLots(store, [{ number: 1, part: 'a' }])
  await caughtUp(first)
  await first.close()
  t.same(checkpointsIn(file), [await store.latest(), await store.latest()])
  const before = windows()
  await start(t, store, file)
  t.equal(windows(), before)
})

t.test(
  'given an older backup that was put back, when a model starts that had passed it, then nothing is missed',
  async (t) => {
    const directory = t.testdir()
    const [storeFile, backup] = [join(directory, 'events.db'), join(directory, 'backup.db')]
    const file = join(directory, 'models.db')
    async function session(write: (store: EventStore) => Promise<unknown>) {
      const store = createSqliteStore({ file: storeFile, clock })
      await write(store)
      const started = await start(t, store, file)
      for (const model of models) t.same(await started.rows(model, {}), await createMemoryModels(store).rows(model, {}))
      await started.close()
      await store.close()
    }
    await session(async (store) => {
      await store.append('shelf-1', [stocked('a')], 'any')
      await recordLots(store, [{ number: 1, part: 'a' }])
    })
    copyFileSync(storeFile, backup)
    await session(async (store) => {
      await store.append('box-1', facts(3), 'any')
      await recordLots(store, [{ number: 2, part: 'a' }])
    })
    copyFileSync(backup, storeFile)
    await session(async (store) => {
      await store.append('shelf-1', [stocked('b'), stocked('c')], 'any')
      await store.append('box-1', facts(5), 'any')
    })
  },
)

t.test(
  'given a store that knows only its own appends, when a model is built anew, then how far others have looked holds nobody up',
  async (t) => {
    const directory = t.testdir()
    const file = join(directory, 'models.db')
    const { store } = countingStore(t, join(directory, 'events.db'))
    await store.append('shelf-1', [stocked('a')], 'any')
    const stood = await store.latest()
    const other = createReadModels({ store: { ...store, latest: async () => stood }, models, file })
    t.teardown(() => other.close())
    await caughtUp(other)
    await store.append('box-1', facts(1), 'any')
    await start(t, store, file)
    const ended = new AbortController()
    let pages = 0
    const onPage = () => {
      if (++pages > 5) ended.abort()
    }
    t.ok(await other.rebuild(stock, ended.signal, onPage))
  },
)

/** The number of rows of the list in the file, read from outside. */
function lotsIn(file: string): number {
  const database = openModels(file)
  const { count } = database.prepare('SELECT count(*) AS count FROM lots_v1_g2').get() as { readonly count: number }
  database.close()
  return count
}
