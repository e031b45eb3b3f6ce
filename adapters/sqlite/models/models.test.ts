import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate, setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import {
  type Cell,
  createMemoryModels,
  createMemoryStore,
  domains,
  EngineError,
  type EventStore,
  fedBy,
  type Query,
  type ReadModel,
  type RecordedEvent,
  type Row,
  type SnapshotRow,
  type Storage,
  sealedStore,
  type Vault,
} from '../../../engine/index.ts'
import { runs } from '../../../engine/testing/runs.test.fixture.ts'
import { createMemoryVault } from '../../../engine/testing/vault.test.fixture.ts'
import { chooseDriver } from '../database.ts'
import { clock, collect } from '../facts/events.test.fixture.ts'
import { createSqliteStore } from '../facts/index.ts'
import { createReadModels, type ReadModelOptions } from './index.ts'
import { conditions, lots, lotsOf, queries, recordLots, stepsOfLots } from './lots.test.fixture.ts'
import { openModels } from './open.ts'
import { createSnapshotRows } from './snapshots.ts'
import { countsOf, definitionOf, pageOf, partsOf, termsOf, totalOf } from './sql.ts'
import { recordStock, stock, stocked, tablesIn } from './stock.test.fixture.ts'

const never = new AbortController().signal

/** Models in a file of the test, closed with it. */
function modelsOn(t: Test, options: Partial<ReadModelOptions> & Pick<ReadModelOptions, 'store'>) {
  const models = createReadModels({ models: [stock], ...options })
  t.teardown(() => models.close())
  return models
}

/** The expected contents. */
const folded = (store: EventStore, model: ReadModel = stock) => createMemoryModels(store).rows(model, {})

t.test('given any history, when rows are looked up, then they are those of a fresh fold', async (t) => {
  const places = fc.array(
    fc.record({
      stream: fc.constantFrom('shelf-1', 'shelf-2', 'box-1', 'shelf-é'),
      items: fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 3 }),
      isRead: fc.boolean(),
    }),
  )
  await fc.assert(
    fc.asyncProperty(places, async (steps) => {
      const store = createMemoryStore(clock)
      const models = createReadModels({ store, models: [stock] })
      for (const { stream, items, isRead } of steps) {
        await store.append(stream as 'shelf-1', [stocked(...items)], 'any')
        if (isRead) t.same(await models.rows(stock, {}), await folded(store))
      }
      t.same(await models.rows(stock, {}), await folded(store))
      t.same(
        await models.rows(stock, { shelf: 'shelf-1' }, 2),
        (await folded(store)).filter(({ shelf }) => shelf === 'shelf-1').slice(0, 2),
      )
      t.same(
        await models.rows(stock, { shelf: 'shelf-1', item: 'a', note: null }),
        (await folded(store)).filter(({ shelf, item }) => shelf === 'shelf-1' && item === 'a'),
      )
      await models.close()
      return t.passing()
    }),
    { numRuns: runs(t, 5) },
  )
})

t.test(
  'given events that name some columns each, when lists are asked for by pages, then both kinds of models answer alike',
  async (t) => {
    await fc.assert(
      fc.asyncProperty(stepsOfLots, fc.array(queries), fc.array(conditions), async (steps, asked, counted) => {
        const store = createMemoryStore(clock)
        const models = createReadModels({ store, models: [lots] })
        const reference = createMemoryModels(store)
        for (const { rows, isRead } of steps) {
          await recordLots(store, rows)
          if (isRead) t.same(await models.rows(lots, {}), await reference.rows(lots, {}))
        }
        t.same(
          await models.rows(lots, {}),
          lotsOf(steps.flatMap(({ rows }) => rows)),
          'each cell is what was said last',
        )
        t.same(await reference.rows(lots, {}), await models.rows(lots, {}))
        for (const query of asked) t.strictSame(await models.page(lots, query), await reference.page(lots, query))
        for (const condition of counted)
          for (const by of Object.keys(lots.columns)) {
            const [one, other] = [await models.counts(lots, by, condition), await reference.counts(lots, by, condition)]
            t.strictSame(inOrder(one), inOrder(other))
          }
        await models.close()
        return t.passing()
      }),
      { numRuns: runs(t, 6) },
    )
  },
)

t.test(
  'given a list, when it is asked for by pages, then they come newest first, with the number of all',
  async (t) => {
    const store = createMemoryStore(clock)
    for (const models of [createMemoryModels(store), modelsOn(t, { store, models: [lots] })]) {
      await recordLots(store, [
        { number: 1, part: 'a', owner: 'anna', state: 'new', weight: 5 },
        { number: 2, part: 'a', owner: 'bert', state: 'new' },
        { number: 10, part: 'a', owner: 'anna', state: 'new', weight: 7 },
      ])
      await recordLots(store, [
        { number: 1, part: 'a', state: 'sent' },
        { number: 11, part: 'b' },
      ])
      const page = async (query: Query) => {
        const { rows, total } = await models.page(lots, query)
        return [rows.map(({ number }) => number), total]
      }
      t.same(await models.rows(lots, { number: 1 }), [
        { number: 1, part: 'a', owner: 'anna', state: 'sent', weight: 5 },
      ])
      t.same(await models.rows(lots, { number: 11 }), [
        { number: 11, part: 'b', owner: null, state: null, weight: null },
      ])
      t.same(await page({ newestFirst: true, limit: 2 }), [[11, 10], 4])
      t.same(await page({ newestFirst: true, limit: 2, offset: 2 }), [[2, 1], 4])
      t.same(await page({ limit: 2, offset: 9 }), [[], 4])
      t.same(await page({ where: { owner: 'anna' }, limit: 1 }), [[1], 2])
      t.same(await page({ among: { state: ['sent', null] }, limit: 9 }), [[1, 11], 2])
      t.same(await page({ among: { state: [] }, limit: 9 }), [[], 0])
      t.same(await page({ between: { number: [2, 10] }, limit: 9 }), [[2, 10], 2])
      t.same(await page({ between: { weight: [undefined, 6] }, limit: 9 }), [[1], 1])
      t.strictSame(inOrder(await models.counts(lots, 'state')), ['["new",2]', '["sent",1]', '[null,1]'])
      t.strictSame(inOrder(await models.counts(lots, 'state', { where: { owner: 'anna' } })), [
        '["new",1]',
        '["sent",1]',
      ])
    }
  },
)

t.test('given text that looks like SQL, when a list is asked for by it, then it is text', async (t) => {
  const store = createMemoryStore(clock)
  const models = modelsOn(t, { store, models: [lots] })
  const texts = [`'; DROP TABLE lots_v1_g1; --`, '" OR 1=1 --', '["x"]', 'a\0b', 'half \ud800', '?1']
  await recordLots(
    store,
    texts.map((owner, number) => ({ number, part: 'a', owner })),
  )
  for (const [number, owner] of texts.entries())
    for (const condition of [
      { where: { owner } },
      { among: { owner: [owner] } },
      { between: { owner: [owner, owner] } },
    ])
      t.match(await models.page(lots, { ...condition, limit: 9 } as Query), { total: 1, rows: [{ number }] }, owner)
})

t.test('given a query that cannot be asked, when it is, then all kinds of models say so', async (t) => {
  const store = createMemoryStore(clock)
  for (const models of [createMemoryModels(store), modelsOn(t, { store, models: [lots] })]) {
    const numbers = Array.from({ length: 501 }, (_, number) => number)
    t.same(await models.page(lots, { among: { number: numbers.slice(1) }, limit: 1 }), { rows: [], total: 0 })
    for (const query of [
      { among: { number: numbers }, limit: 1 },
      { where: { nothing: 'nothing' }, limit: 1 },
      { among: { toString: ['x'] }, limit: 1 },
      { between: { '1=1 OR number': [1, 2] }, limit: 1 },
      { limit: -1 },
      { limit: 0.5 },
      { limit: 1, offset: -1 },
      { limit: Number.POSITIVE_INFINITY },
    ] as const)
      await t.rejects(models.page(lots, query as unknown as Query), RangeError)
    await t.rejects(models.counts(lots, 'nothing'), RangeError)
    await t.rejects(models.counts(lots, 'state', { where: { nothing: null } }), RangeError)
  }
})

t.test('given a slow look-up in memory, when another overtakes it, then it undoes nothing', async (t) => {
  const store = createMemoryStore(clock)
  for (const state of ['new', 'sent']) await recordLots(store, [{ number: 1, part: 'a', state }])
  const events = await collect(store.readAll())
  const waiting: (() => void)[] = []
  /** Each of two readers takes a step, to the next event or to the end, when the test lets it. */
  async function* readAll() {
    const reader = readers++
    const turn = () => new Promise<void>((resolve) => Object.assign(waiting, { [reader]: resolve }))
    for (const event of events) {
      await turn()
      yield event
    }
    await turn()
  }
  let readers = 0
  const models = createMemoryModels({ readAll })
  const [slow, fast] = [models.rows(lots, {}), models.rows(lots, {})]
  for (const reader of [1, 1, 0, 1]) {
    await setImmediate()
    waiting[reader]?.()
  }
  t.match(await fast, [{ state: 'sent' }])
  for (let step = 0; step < 2; step++) {
    await setImmediate()
    waiting[0]?.()
  }
  t.match(await slow, [{ state: 'sent' }])
})

t.test(
  'given a store that knows only its own appends, when others have written, then a new process sees it, and each state',
  async (t) => {
    const file = join(t.testdir(), 'models.db')
    const whole = createMemoryStore(clock)
    const store = { ...whole, latest: async () => undefined }
    await whole.append('shelf-1', [stocked('a')], 'any')
    const before = createReadModels({ store, models: [stock], file })
    t.same(await before.rows(stock, {}), await folded(whole))
    await before.close()
    await whole.append('shelf-1', [stocked('b')], 'any')
    const after = modelsOn(t, { store, file })
    t.same(await after.rows(stock, {}), await folded(whole))
    const last = await whole.append('shelf-1', [stocked('c')], 'any')
    t.match(await after.state(), [{ isCaughtUp: true, checkpoint: last.position }])
    t.same(await after.rows(stock, {}), await folded(whole))
  },
)

t.test('given many look-ups at once, when something was written, then each has it', async (t) => {
  const store = createMemoryStore(clock)
  const models = modelsOn(t, { store })
  await recordStock(store, 2_000)
  await models.rebuild(stock, never)
  const pushed = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      await store.append('shelf-1', [stocked(`new-${index}`)], 'any')
      return (await models.rows(stock, { item: `new-${index}` })).length
    }),
  )
  t.same(new Set(pushed), new Set([1]))
  t.same(await models.rows(stock, {}), await folded(store))
})

t.test('given two nodes with one file, when one has brought it up, then the other answers from it', async (t) => {
  const file = join(t.testdir(), 'models.db')
  const store = createMemoryStore(clock)
  const nodes = [modelsOn(t, { store, file }), modelsOn(t, { store, file })]
  for (let count = 0; count < 6; count++) {
    await store.append('shelf-1', [stocked('a', `b${count}`)], 'any')
    await store.append('box-1', [stocked('a')], 'any')
    for (const node of count % 2 === 0 ? nodes : nodes.toReversed())
      t.match(await node.rows(stock, { item: 'a' }), [{ shelf: 'shelf-1', revision: count }])
  }
})

t.test(
  'given any history and two nodes with one file, when the same things are looked up again and again, then each answer is current',
  async (t) => {
    const wheres = [{ item: 'a' }, { item: 'b' }, { shelf: 'shelf-1' }, { item: 'a', shelf: 'shelf-2' }, {}] as const
    const step = fc.record({
      stream: fc.constantFrom('shelf-1', 'shelf-2', 'box-1'),
      items: fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 2 }),
      asks: fc.array(fc.tuple(fc.nat(1), fc.nat(wheres.length - 1)), { maxLength: 4 }),
    })
    const directory = t.testdir()
    let run = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const store = createMemoryStore(clock)
        const file = join(directory, `${run++}.db`)
        const nodes = [1, 2].map(() => createReadModels({ store, models: [stock], file }))
        for (const { stream, items, asks } of steps) {
          await store.append(stream as 'shelf-1', [stocked(...items)], 'any')
          for (const [node, where] of asks)
            t.same(
              await nodes[node]?.rows(stock, wheres[where] ?? {}),
              await createMemoryModels(store).rows(stock, wheres[where] ?? {}),
            )
        }
        for (const node of nodes) await node.close()
      }),
      { numRuns: runs(t, 6) },
    )
  },
)

t.test('given text that SQLite does not keep, when it is looked up, then it is found and stops nothing', async (t) => {
  const store = createMemoryStore(clock)
  const models = modelsOn(t, { store })
  await store.append('shelf-1', [stocked('a\0b', 'half \ud800', 'a')], 'any')
  t.equal((await models.rows(stock, {})).length, 3)
  for (const item of ['a\0b', 'half \ud800', 'a']) t.equal((await models.rows(stock, { item })).length, 1)
})

t.test(
  'given a model that two categories feed, when rows are looked up, then each cell is what was said last',
  async (t) => {
    const boxes = {
      category: 'box',
      rows: (event: RecordedEvent) => stock.rows(event).map(({ note: _, ...row }) => row),
    }
    const both = fedBy(stock, [boxes])
    const streams = fc.constantFrom('shelf-1', 'box-1', 'box-2', 'crate-1')
    const items = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 2 })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(streams, items, fc.boolean())), async (steps) => {
        const store = createMemoryStore(clock)
        const models = createReadModels({ store, models: [both] })
        const last = new Map<string, Row>()
        for (const [stream, names, isRead] of steps) {
          await store.append(stream as 'shelf-1', [stocked(...names)], 'any')
          const { revision = 0 } = (await store.last(stream as 'shelf-1')) ?? {}
          if (stream !== 'crate-1')
            for (const item of names) last.set(item, { item, shelf: stream, revision, note: null })
          if (!isRead) continue
          const wanted = [...last.values()].sort((one, other) => (String(one.item) < String(other.item) ? -1 : 1))
          t.same(await models.rows(both, {}), wanted)
          t.same(await createMemoryModels(store).rows(both, {}), wanted)
        }
        await models.close()
        return t.passing()
      }),
      { numRuns: runs(t, 10) },
    )
  },
)

t.test('given a follower of two categories, when events of one come, then the model has them', async (t) => {
  const file = join(t.testdir(), 'models.db')
  const store = createMemoryStore(clock)
  const both = fedBy(stock, [{ category: 'box', rows: stock.rows }])
  const models = modelsOn(t, { store, file, models: [both] })
  models.start(never)
  for (const stream of ['shelf-1', 'box-1', 'box-1', 'shelf-1'] as const) {
    await store.append(stream, [stocked(`of ${stream}`)], 'any')
    const position = await store.latest()
    await until(async () => (await models.state())[0]?.checkpoint === position)
  }
  t.equal((await models.scan(both, undefined, 9)).length, 2)
})

t.test('given a follower, when events come, then the model has them before anybody asks', async (t) => {
  const directory = t.testdir()
  const file = join(directory, 'models.db')
  const store = createMemoryStore(clock)
  await recordStock(store, 700)
  const models = modelsOn(t, { store, file })
  const ended = new AbortController()
  models.start(ended.signal)
  await until(() => holdsAll(file, store))
  await recordStock(store, 700)
  await store.append('shelf-1', [stocked('last')], 'any')
  await until(() => holdsAll(file, store))
  await store.append('box-1', [stocked('elsewhere')], 'any')
  t.match(await models.state(), [
    { name: 'stock', version: 1, isCaughtUp: true, secondsBehind: 0, checkpoint: await store.latest() },
  ])
  ended.abort()
})

t.test(
  'given a reader that meets none of its events, when the state is asked for, then it says that it reads',
  async (t) => {
    const store = createMemoryStore(clock)
    let parts = 0
    async function* readAll(...[after, filter = {}]: Parameters<EventStore['readAll']>) {
      for (let part = 0; part < 7; part++) {
        filter.passed?.('1')
        parts++
      }
      yield* store.readAll(after, { ...filter, passed: undefined })
    }
    const models = modelsOn(t, { store: { ...store, readAll } })
    const [state] = await models.state()
    t.match(state, { checkpoint: undefined, isCaughtUp: true })
    t.equal(state?.looks, parts)
  },
)

t.test('given a follower, when the store fails for a while, then it goes on afterwards', async (t) => {
  const file = join(t.testdir(), 'models.db')
  const store = createMemoryStore(clock)
  await recordStock(store, 100)
  let failures = 0
  const fail = () => {
    failures += 1
    throw new EngineError('store_unavailable')
  }
  const models = modelsOn(t, {
    store: { ...store, latest: async () => (failures === 0 ? fail() : store.latest()) },
    file,
  })
  models.start(never)
  await until(() => holdsAll(file, store))
  t.equal(failures, 1)
})

t.test('given several who bring up one file, when they do it in turns, then no event is applied twice', async (t) => {
  const file = join(t.testdir(), 'models.db')
  const store = createMemoryStore(clock)
  await recordStock(store, 3_000)
  let applied = 0
  const counting: ReadModel = {
    ...stock,
    rows: (event) => {
      applied += 1
      return stock.rows(event)
    },
  }
  const nodes = [1, 2, 3].map(() => modelsOn(t, { store, models: [counting], file }))
  const expected = await folded(store)
  await Promise.all(nodes.map((models) => models.rebuild(counting, never)))
  for (const models of nodes) t.same(await models.rows(counting, {}), expected)
  t.equal(applied, (await collect(store.readAll(undefined, { category: 'shelf' }))).length)
})

t.test(
  'given a rebuilding, when others write and read, then they see the old table, and then the new one',
  async (t) => {
    const directory = t.testdir()
    const file = join(directory, 'models.db')
    const store = createMemoryStore(clock)
    await recordStock(store, 5_000)
    const server = modelsOn(t, { store, file })
    t.ok(await server.rebuild(stock, never))
    const database = openModels(file)
    database.exec("UPDATE stock_v1_g1 SET note = 'wrong'")
    database.close()
    t.match(await server.rows(stock, {}, 1), [{ note: 'wrong' }])
    const other = modelsOn(t, { store, file })
    let isDone = false
    const rebuilding = other.rebuild(stock, never).finally(() => {
      isDone = true
    })
    for (let turn = 0; !isDone; turn++) {
      await store.append('shelf-1', [stocked(`turn-${turn}`)], 'any')
      t.equal((await server.rows(stock, { item: `turn-${turn}` })).length, 1)
      await setImmediate()
    }
    t.ok(await rebuilding)
    t.same(await server.rows(stock, {}), await folded(store))
    t.equal(tablesIn(file, []).length, 1)
  },
)

t.test(
  'given a rebuilding that was stopped, when it is begun again, then it goes on from its checkpoint',
  async (t) => {
    const file = join(t.testdir(), 'models.db')
    const store = createMemoryStore(clock)
    await recordStock(store, 3_000)
    const models = modelsOn(t, { store, file })
    const stopped = new AbortController()
    t.notOk(await models.rebuild(stock, stopped.signal, () => stopped.abort()))
    const [{ held } = { held: [] }] = tablesIn(file, [])
    const told: number[] = []
    t.ok(await models.rebuild(stock, never, (rows) => told.push(rows)))
    t.ok((told[0] ?? 0) > (held as []).length && (held as []).length > 0)
    t.same(await models.rows(stock, {}), await folded(store))
  },
)

t.test('given another version of a model, when it is built, then the table of the old one goes', async (t) => {
  const file = join(t.testdir(), 'models.db')
  const store = createMemoryStore(clock)
  await recordStock(store, 1_000)
  const before = createReadModels({ store, models: [stock], file })
  t.same(await before.rows(stock, {}), await folded(store))
  const next: ReadModel = {
    ...stock,
    version: 2,
    columns: { item: 'text', shelf: 'text' },
    indexes: [['shelf']],
    rows: (event) => stock.rows(event).map(({ item = null, shelf = null }) => ({ item, shelf })),
  }
  const feed = { readAll: store.readAll }
  const hung = modelsOn(t, { store: { ...store, readAll: () => stuck() }, models: [next], file })
  await t.rejects(hung.rows(next, {}), { code: 'store_unavailable' }, 'nothing is answered while it is built')
  t.same(await before.rows(stock, {}), await folded(store), 'the old version answers as long')
  await before.close()
  const after = modelsOn(t, { store: { ...store, ...feed }, models: [next], file })
  t.same(await after.rows(next, {}), await folded(store, next))
  t.equal(tablesIn(file, []).length, 1)
})

t.test('given an older backup that was put back, when rows are looked up, then they follow from it', async (t) => {
  const directory = t.testdir()
  const [storeFile, backup] = [join(directory, 'events.db'), join(directory, 'backup.db')]
  const file = join(directory, 'models.db')
  /** The work of one process: what it writes, and whether it reads. */
  async function session(write: (store: Storage) => Promise<unknown>, looks = true) {
    const store = createSqliteStore({ file: storeFile, clock })
    await write(store)
    const models = createReadModels({ store, models: [stock], file })
    if (looks) t.same(await models.rows(stock, {}), await folded(store))
    await models.close()
    await store.close()
  }
  const put =
    (stream: 'shelf-1' | 'box-1', ...items: string[]) =>
    (store: Storage) =>
      store.append(stream, [stocked(...items)], 'any')
  await session(put('shelf-1', 'a', 'b'), false)
  copyFileSync(storeFile, backup)
  await session(put('shelf-1', 'a', 'c'))
  copyFileSync(backup, storeFile)
  await session(put('shelf-1', 'd'), true)
  copyFileSync(storeFile, backup)
  for (let box = 0; box < 3; box++) await session(put('box-1'))
  copyFileSync(backup, storeFile)
  await session(async (store) => {
    for (const item of ['e', 'f', 'g', 'h']) await put('shelf-1', item)(store)
  })
})

t.test(
  'given a file with tables of another store, when rows are looked up, then they follow from the own one',
  async (t) => {
    const file = join(t.testdir(), 'models.db')
    const [one, other] = [createMemoryStore(clock), createMemoryStore(clock)]
    await one.append('shelf-1', [stocked('a', 'b')], 'any')
    await other.append('shelf-1', [stocked('c')], 'any')
    const first = modelsOn(t, { store: one, name: 'one', file })
    const second = modelsOn(t, { store: other, name: 'other', file })
    for (let turn = 0; turn < 2; turn++) {
      t.same(await first.rows(stock, {}), await folded(one))
      t.same(await second.rows(stock, {}), await folded(other))
    }
    t.equal(tablesIn(file, []).length, 1)
  },
)

t.test(
  'given a file that is none of read models, when rows are looked up, then that is refused and the file stays',
  async (t) => {
    const directory = t.testdir({ 'text.db': 'no database, and long enough to be looked at as one: '.repeat(20) })
    const store = createMemoryStore(clock)
    await createSqliteStore({ file: join(directory, 'events.db'), clock }).close()
    for (const name of ['text.db', 'events.db']) {
      const file = join(directory, name)
      const content = readFileSync(file)
      const models = modelsOn(t, { store, file })
      await t.rejects(models.rows(stock, {}), { code: 'store_unavailable' })
      await t.rejects(models.state(), { code: 'store_unavailable', cause: { message: /database|Remove it/ } })
      t.same(readFileSync(file), content)
    }
  },
)

t.test(
  'given a last event whose key is lost, when the models are opened again, then they answer all the same',
  async (t) => {
    const file = join(t.testdir(), 'models.db')
    const kept = createMemoryStore(clock)
    const sealedWith = (vault: Vault) => sealedStore(kept, { vault, upcasts: {}, erasures: [] })
    const unopened = { ...stock, opens: () => false }
    const before = sealedWith(createMemoryVault())
    const event = stocked('a', 'b')
    await before.append(
      'shelf-1',
      [{ ...event, data: { ...(event.data as object), personal: { name: 'Ann' } } }],
      'any',
    )
    const first = createReadModels({ store: before, models: [unopened], file })
    const rows = await first.rows(unopened, {})
    t.equal(rows.length, 2)
    await first.close()
    const after = sealedWith(createMemoryVault())
    await t.rejects(after.read('shelf-1'), 'it cannot be opened')
    const again = modelsOn(t, { store: after, models: [unopened], file })
    t.same(await again.rows(unopened, {}), rows)
    t.match(await again.state(), [{ isCaughtUp: true }])
  },
)

t.test('given closed models, when they are asked, then they refuse', async (t) => {
  const models = createReadModels({ store: createMemoryStore(clock), models: [stock] })
  t.same(await models.rows(stock, {}), [])
  t.equal(await models.count(stock), 0)
  await models.close()
  await t.rejects(models.rows(stock, {}), { code: 'store_unavailable' })
  await models.close()
})

/** Counts in sorted order. */
function inOrder(counts: ReadonlyMap<Cell, number>): readonly string[] {
  return [...counts].map((entry) => JSON.stringify(entry)).sort()
}

/** Whether a table of the file contains everything up to the end of the store, read from outside. */
async function holdsAll(file: string, store: EventStore): Promise<boolean> {
  if (!existsSync(file)) return false
  const [table, ...others] = tablesIn(file, await collect(store.readAll()))
  return others.length === 0 && JSON.stringify(table?.held) === JSON.stringify(await folded(store))
}

/** Polls until the condition holds; otherwise the runner ends the test. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await setTimeout(5)
}

async function* stuck(): AsyncGenerator<never> {
  await new Promise(() => {})
}

t.test('given an event that removes rows, when they are looked up, then the others are there', async (t) => {
  const cleared: ReadModel = {
    ...stock,
    name: 'cleared',
    indexes: [['shelf']],
    gone: ({ type, stream }) => (type === 'Cleared' ? [{ shelf: stream }] : []),
    rows: (event) => (event.type === 'Cleared' ? [] : stock.rows(event)),
  }
  const store = createMemoryStore(clock)
  for (const models of [createMemoryModels(store), modelsOn(t, { store, models: [cleared] })]) {
    await store.append('shelf-1', [stocked('a', 'b')], 'any')
    await store.append('shelf-2', [stocked('c')], 'any')
    t.equal((await models.rows(cleared, {})).length, 3)
    await store.append('shelf-1', [{ ...stocked(), type: 'Cleared' }], 'any')
    const { rows, total } = await models.page(cleared, { limit: 5, uncounted: true, columns: ['item'] })
    t.strictSame([rows, total], [[{ item: 'c' }], 0])
    await t.rejects(models.page(cleared, { limit: 5, columns: ['color'] }), RangeError)
    await store.append('shelf-1', [stocked('a')], 'any')
    t.strictSame(
      (await models.rows(cleared, {})).map(({ item }) => item),
      ['a', 'c'],
      'what comes later stays',
    )
  }
})

t.test('given an index on what is counted by, when few rows match, then the index of those is read', (t) => {
  const columns = { id: 'integer', business: 'integer', state: 'integer', day: 'text' } as const
  const indexes = [
    ['business', 'state'],
    ['business', 'day'],
  ]
  const model: ReadModel = { ...stock, columns, key: ['id'], indexes }
  const database = new (chooseDriver())(':memory:')
  database.exec(definitionOf(model, 1))
  const terms = termsOf({ where: { business: 1 }, among: { state: [2, 3] } })
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${countsOf(model, 1, terms, 'day')}`).all(...terms.values)
  t.match(JSON.stringify(plan), /\(business=\? AND state=\?\)/)
  database.close()
  t.end()
})

/** The table of the register of orders, and how SQLite reads it. */
function createRegister() {
  const model = domains.flatMap(({ readModels = [] }) => readModels).find(({ name }) => name === 'orders') as ReadModel
  const database = new (chooseDriver())(':memory:')
  database.exec(definitionOf(model, 1))
  const stepsOf = (sql: string, values: readonly Cell[]) =>
    database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values) as readonly { readonly detail: string }[]
  const planOf = (sql: string, values: readonly Cell[]) =>
    stepsOf(sql, values).flatMap(({ detail }) => /\(.*\)|TEMP B-TREE/.exec(detail)?.[0] ?? [])

  function plansOf(query: Omit<Query, 'limit'>) {
    const [asked, terms] = [{ orderBy: 'order_id', newestFirst: true, limit: 50, ...query }, termsOf(query)]
    const parts = partsOf(model, asked).map(termsOf)
    const values = [...parts.flatMap((part) => part.values), 50, 0]
    const total = planOf(totalOf(model, 1, terms), terms.values)[0]
    return { page: planOf(pageOf(model, 1, parts, asked), values), total }
  }

  /** Whether rows are counted without a look at them. */
  function isCountedByIndex(query: Omit<Query, 'limit'>): boolean {
    const terms = termsOf(query)
    return stepsOf(totalOf(model, 1, terms), terms.values)[0]?.detail.includes('COVERING INDEX') === true
  }

  return { plansOf, isCountedByIndex, close: () => database.close() }
}

const own = { business_id: 1, is_deleted: 0 }
const owners = ['customer_id', 'driver_id', 'broker_id']

t.test('given orders, when they are listed by statuses, then indexes have the rows, and SQLite sorts nothing', (t) => {
  const { plansOf, close } = createRegister()
  const status = '(business_id=? AND status=?)'
  t.same(plansOf({ where: own, among: { status: [70] } }), { page: [status], total: status })
  t.same(plansOf({ where: own, among: { status: [70, 60, 70] } }), {
    page: ['(UNION ALL)', status, status],
    total: status,
  })
  const open = { created_at: [undefined, undefined], order_id: [undefined, 1_000] } as const
  const after = '(business_id=? AND status=? AND order_id<?)'
  t.same(plansOf({ where: own, among: { status: [1, 70] }, between: open }).page, ['(UNION ALL)', after, after])
  for (const owner of owners) {
    const ofOwner = `(${owner}=? AND business_id=?)`
    for (const statuses of [[70], [70, 60]])
      t.same(plansOf({ where: { ...own, [owner]: 7 }, among: { status: statuses } }), {
        page: [ofOwner],
        total: ofOwner,
      })
  }
  const unassigned = { status: [1], driver_id: [null], broker_id: [null], provider: [null], route_id: [null] }
  const late = { where: own, between: { open_due: ['0', '2026-06-10U'] } } as const
  for (const among of [{}, { status: [70] }, { status: [70, 60] }, unassigned])
    t.match(plansOf({ ...late, among }).page[0], '(business_id=? AND open_due>? AND open_due<?)', 'open orders are few')
  close()
  t.end()
})

t.test(
  'given orders of several families, when those of one are listed, then an index counts them, and owners keep theirs',
  (t) => {
    const { plansOf, isCountedByIndex, close } = createRegister()
    const where = { ...own, family: 'local_delivery' }
    for (const among of [{}, { status: [70] }, { status: [70, 60] }]) {
      t.ok(isCountedByIndex({ where: own, among }))
      t.ok(isCountedByIndex({ where, among }))
      t.same(plansOf({ where, among }).page, plansOf({ where: own, among }).page, 'as those of all families')
    }
    for (const owner of owners) {
      const ofOwner = `(${owner}=? AND business_id=?)`
      t.same(plansOf({ where: { ...where, [owner]: 7 } }), { page: [ofOwner], total: ofOwner })
    }
    close()
    t.end()
  },
)

t.test('given orders, when they are searched by a number, then its index is read and not the list', (t) => {
  const { plansOf, close } = createRegister()
  for (const number of ['tracking_key', 'external_key', 'reference_key'])
    for (const where of [
      own,
      { ...own, family: 'local_delivery' },
      ...owners.map((owner) => ({ ...own, [owner]: 7 })),
    ]) {
      const plan = `(${number}=? AND business_id=? AND is_deleted=?)`
      t.same(plansOf({ where, among: { [number]: ['X1'] } }), { page: [plan], total: plan })
    }
  close()
  t.end()
})

t.test(
  'given rows of several values, when a page of them is in the order of an index, then it is as any other',
  async (t) => {
    const store = createMemoryStore(clock)
    await recordLots(
      store,
      Array.from({ length: 30 }, (_, number) => ({
        number,
        part: 'a',
        owner: 'x',
        state: ['a', 'b\ufffd', 'c'][number % 3] ?? '',
        weight: number % 7,
      })),
    )
    const [known, asked] = [createMemoryModels(store), modelsOn(t, { store, models: [lots] })]
    for (const newestFirst of [true, false])
      for (const more of [
        {},
        { between: { weight: [1, 4] } },
        { where: { state: 'a' } },
        { where: { owner: 'x' } },
      ] as const) {
        const among = { state: ['a', 'c', 'a', 'b\0', 'b\ufffd'] }
        const query = { among, orderBy: 'weight', newestFirst, limit: 5, offset: 3, ...more }
        t.same(await asked.page(lots, query), await known.page(lots, query))
      }
  },
)

/** Snapshots in a file, closed with the test. */
function snapshotsIn(t: Test, file: string, history = 'a') {
  const rows = createSnapshotRows({ file, history })
  t.teardown(rows.close)
  const add = (stream: string, row = snapshot) => rows.keep(stream, 5, async () => row)
  /** Waits until a row is kept; others that were left out before it are then never kept. */
  const kept = async (stream: string, row = snapshot) => {
    while (rows.find(stream)?.revision !== row.revision) {
      add(stream, row)
      await setTimeout(20)
    }
    return rows.find(stream)
  }
  return { ...rows, add, kept }
}

const snapshot: SnapshotRow = { fold: 'stock 1', revision: 7, id: 'i-7', isSealed: false, body: '{"a":"é"}' }

t.test('given a snapshot, when it is kept, then every node with the file finds it until it is dropped', async (t) => {
  const file = join(t.testdir(), 'models.db')
  const [one, other] = [snapshotsIn(t, file), snapshotsIn(t, file)]
  t.equal(one.find('shelf-1'), undefined)
  t.strictSame({ ...(await one.kept('shelf-1')) }, snapshot)
  t.strictSame({ ...other.find('shelf-1') }, snapshot)
  const later = { ...snapshot, revision: 9, isSealed: true }
  t.strictSame({ ...(await other.kept('shelf-1', later)) }, later)
  t.strictSame({ ...one.find('shelf-1') }, later)
  one.drop('shelf-1')
  t.equal(other.find('shelf-1'), undefined)
  one.drop('shelf-2')
  const models = modelsOn(t, { store: createMemoryStore(clock), file })
  t.same(await models.rows(stock, {}), [], 'and models are beside them')
})

t.test(
  'given snapshots of a history, when another is opened, then there are none, and neither gets in the way',
  async (t) => {
    const file = join(t.testdir(), 'models.db')
    const before = snapshotsIn(t, file)
    await before.kept('shelf-1')
    const after = snapshotsIn(t, file, 'b')
    t.equal(after.find('shelf-1'), undefined)
    t.equal(before.find('shelf-1'), undefined)
    before.add('shelf-1')
    await after.kept('shelf-2')
    t.equal(after.find('shelf-1'), undefined)
    t.equal(before.find('shelf-2'), undefined)
  },
)

t.test('given a damaged row or file, when a snapshot is looked for, then there is none', async (t) => {
  const file = join(t.testdir(), 'models.db')
  const rows = snapshotsIn(t, file)
  await rows.kept('shelf-1')
  const database = openModels(file)
  const change = (set: string) => database.exec(`UPDATE snapshots SET ${set}`)
  for (const set of [
    "body = replace(body, 'é', 'e')",
    'revision = 8',
    "id = 'i-8'",
    "fold = 'stock 2'",
    'sealed = 1',
  ]) {
    change(set)
    t.equal(rows.find('shelf-1'), undefined, set)
    rows.drop('shelf-1')
    await rows.kept('shelf-1')
  }
  database.close()
  const broken = join(t.testdir(), 'broken.db')
  writeFileSync(broken, 'no database at all '.repeat(1000))
  const none = snapshotsIn(t, broken)
  none.add('shelf-1')
  t.equal(none.find('shelf-1'), undefined)
  none.drop('shelf-1')
})

t.test('given a lock of another process, when snapshots are kept, then nobody waits, and later ones are', async (t) => {
  const file = join(t.testdir(), 'models.db')
  const rows = snapshotsIn(t, file)
  await rows.kept('shelf-1')
  const database = openModels(file)
  database.exec('BEGIN IMMEDIATE')
  let wasMade = false
  rows.keep('shelf-2', 5, async () => {
    wasMade = true
    return snapshot
  })
  while (!wasMade) await setTimeout(20)
  t.match(rows.find('shelf-1'), { revision: 7 })
  rows.drop('shelf-1')
  database.exec('ROLLBACK')
  database.close()
  await rows.kept('shelf-3')
  t.equal(rows.find('shelf-2'), undefined)
})

t.test(
  'given more snapshots than there is room for, when they wait, then some are left out, and a failed one stops none',
  async (t) => {
    const rows = snapshotsIn(t, join(t.testdir(), 'models.db'))
    rows.keep('shelf-0', 5, async () => {
      throw new Error('The key cannot be read.')
    })
    for (let index = 1; index <= 60; index++) rows.keep(`shelf-${index}`, 500, async () => snapshot)
    const last = { ...snapshot, revision: 8 }
    rows.keep('shelf-1', 500, async () => last)
    await rows.kept('shelf-x')
    while (rows.find('shelf-39') === undefined) await setTimeout(20)
    t.equal(rows.find('shelf-0'), undefined)
    t.equal(rows.find('shelf-60'), undefined)
    t.match(rows.find('shelf-1'), { revision: 8 }, 'the later one of a stream')
    rows.close()
    t.equal(rows.find('shelf-1'), undefined)
  },
)
