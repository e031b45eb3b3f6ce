import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { createMemoryModels, type ReadModel, type Storage } from '../../../engine/index.ts'
import { run } from '../../cli/run.ts'
import { createReadModels } from '../../sqlite/models/index.ts'
import { lots, recordLots } from '../../sqlite/models/lots.test.fixture.ts'
import { openModels } from '../../sqlite/models/open.ts'
import { stock, stocked } from '../../sqlite/models/stock.test.fixture.ts'
import { collect, fact, setUp } from '../eventstore.test.fixture.ts'

const models: readonly ReadModel[] = [stock, lots]

/** Starts a node on a file, brings its models up, compares them with the store, and stops it. */
async function session(t: Test, store: Storage, file: string): Promise<{ isOther: boolean }> {
  let isOther = false
  const onOtherHistory = () => {
    isOther = true
  }
  const { identity = async () => undefined } = store
  const node = createReadModels({ store, models, file, name: 'a store', identity, onOtherHistory })
  while (!(await node.state()).every(({ isCaughtUp }) => isCaughtUp)) await setTimeout(20)
  for (const model of models) t.same(await node.rows(model, {}), await createMemoryModels(store).rows(model, {}))
  await node.close()
  return { isOther }
}

interface Kept {
  readonly generation: number
  readonly history: string | null
  readonly checkpoint: string | null
}

function keptIn(file: string): readonly Kept[] {
  const database = openModels(file)
  const rows = database.prepare('SELECT generation, history, checkpoint FROM generations ORDER BY generation').all()
  database.close()
  return rows as readonly Kept[]
}

const named = /^otep-history-/

t.test('given two nodes that start at once, when both ask for the history, then one name is written', async (t) => {
  const { double, open } = await setUp(t)
  const asked = [open(), open(), open()].map((store) => store.identity?.())
  const names = new Set(await Promise.all(asked))
  t.equal(names.size, 1)
  t.match([...names], [/^[0-9a-f-]{36}$/])
  const told = double.events().filter(({ stream }) => named.test(stream))
  t.same(
    told.map(({ data }) => data),
    ['{}', '{"isFirst":true}'],
    'and that nothing was before',
  )
  const other = open({ connectionString: `${double.connectionString}&otepPrefix=shop.` })
  t.notOk(names.has(await other.identity?.()), 'each prefix has its own')
})

t.test('given events from before the name, when it is written, then readers begin before them', async (t) => {
  const { double, open } = await setUp(t)
  const [store, other] = [open(), open()]
  await store.append('shelf-1', [fact()], 'any')
  t.match(await store.identity?.(), /-/)
  await store.append('shelf-1', [fact()], 'any')
  t.equal(double.events().filter(({ stream }) => named.test(stream)).length, 1)
  t.equal((await collect(other.readAll())).length, 2)
})

t.test('given a store that takes no writes and has no name, when it is asked, then it gets one later', async (t) => {
  const { double, open } = await setUp(t)
  const store = open({ timeout: 500, retryFor: 500 })
  double.faults.refuse('full')
  t.equal(await store.identity?.(), undefined)
  double.faults.refuse(undefined)
  t.match(await store.identity?.(), /-/)
})

t.test(
  'given models of an engine without names, when it starts, then they get one and are not built anew',
  async (t) => {
    const { double, open } = await setUp(t)
    const file = join(t.testdir({}), 'models.db')
    const store = open()
    await store.append('shelf-1', [stocked('a')], 'any')
    await session(t, { ...store, identity: async () => undefined }, file)
    t.notOk(double.events().some(({ stream }) => named.test(stream)))
    const database = openModels(file)
    database.exec('ALTER TABLE generations DROP COLUMN history')
    database.close()
    t.notOk((await session(t, store, file)).isOther)
    const history = await store.identity?.()
    t.match(keptIn(file), [
      { generation: 1, history },
      { generation: 2, history },
    ])
  },
)

t.test('given models of another history, when a node starts, then it says so and begins them again', async (t) => {
  const { double, open } = await setUp(t)
  const file = join(t.testdir({}), 'models.db')
  const other = open({ connectionString: `${double.connectionString}&otepPrefix=shop.` })
  await other.append('shelf-1', [stocked('a')], 'any')
  await session(t, other, file)
  const store = open()
  await store.append('shelf-1', [stocked('b')], 'any')
  t.ok((await session(t, store, file)).isOther)
  t.notOk((await session(t, store, file)).isOther)
  const history = await store.identity?.()
  t.ok(keptIn(file).every((one) => one.history === history))
})

t.test('given a backup of the server that was put back, when a node starts, then it misses nothing', async (t) => {
  for (const later of [0, 40]) {
    const { double, open } = await setUp(t)
    const file = join(t.testdir({ [`${later}`]: {} }), `${later}`, 'models.db')
    const first = open()
    await recordLots(first, [{ number: 1, part: 'a' }])
    await first.append('shelf-1', [stocked('a')], 'any')
    await session(t, first, file)
    const putBack = double.backup()
    // Nothing that a model follows: the checkpoints are the only trace of it.
    for (let box = 0; box < 5; box++) await first.append(`box-${box}`, [fact(), fact(), fact()], 'any')
    await session(t, first, file)
    const before = keptIn(file)
    await first.close()
    await double.stop()
    putBack()
    await double.start()
    const store = open()
    t.ok((before[0]?.checkpoint ?? '') > ((await store.latest()) ?? ''), 'the checkpoint is beyond the end')
    for (let item = 0; item < later; item++) await store.append('shelf-1', [stocked(`other ${item}`)], 'any')
    t.notOk((await session(t, store, file)).isOther)
    t.same(
      keptIn(file).map(({ generation }) => generation),
      before.map(({ generation }) => generation),
      'no table was built anew',
    )
  }
})

t.test(
  'given a table with events that a put-back backup lacks, when a node starts, then it is built anew',
  async (t) => {
    const { double, open } = await setUp(t)
    const file = join(t.testdir({}), 'models.db')
    const first = open()
    await first.append('shelf-1', [stocked('a')], 'any')
    await recordLots(first, [{ number: 1, part: 'a' }])
    await session(t, first, file)
    const putBack = double.backup()
    await first.append('shelf-1', [stocked('lost')], 'any')
    await session(t, first, file)
    await first.close()
    await double.stop()
    putBack()
    await double.start()
    const store = open()
    await recordLots(store, [{ number: 2, part: 'b' }])
    t.notOk((await session(t, store, file)).isOther)
  },
)

t.test('given a data directory of another history, when it is checked, then the check of models says so', async (t) => {
  const { double } = await setUp(t)
  const dataDir = t.testdir({})
  async function otep(prefix: string, line: readonly string[]) {
    const env = { OTEP_DATA_DIR: dataDir, OTEP_STORE: `${double.connectionString}&otepPrefix=${prefix}` }
    const out: string[] = []
    const write = (text: string) => out.push(text) > 0
    const stderr = { write, isTTY: false, columns: 80 } as never
    const code = await run(line, { env, stdin: Readable.from([]), stdout: { write }, stderr })
    return { code, out: out.join('') }
  }
  mkdirSync(dataDir, { recursive: true })
  t.match(await otep('a.', ['doctor']), { code: 0, out: /^ok +models +none are in the data directory yet/m })
  t.match(await otep('a.', ['rebuild', 'identifiers']), { code: 0 })
  t.ok(existsSync(join(dataDir, 'models.db')))
  t.match(await otep('a.', ['doctor']), { code: 0, out: /^ok +models +of the history [0-9a-f-]{36}/m })
  const file = openModels(join(dataDir, 'models.db'))
  file.exec(`UPDATE generations SET history = 'another'`)
  file.close()
  t.match(await otep('a.', ['doctor']), {
    code: 1,
    out: /^failed +models .* read models of another history\n +-> Name/m,
  })
})
