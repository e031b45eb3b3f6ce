import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { Storage } from '../../../engine/index.ts'
import { run } from '../../cli/run.ts'
import { createParts } from '../../engine.ts'
import { collect, fact, setUp } from '../eventstore.test.fixture.ts'

/** Brings the read models of a node in a file up, and closes them. */
async function bringUp(t: Test, store: Storage, file: string): Promise<void> {
  const { models } = createParts({ store, modelsFile: { file, name: 'a store' } })
  t.teardown(() => models.close())
  while (!(await models.state()).every(({ isCaughtUp }) => isCaughtUp)) await setTimeout(20)
  await models.close()
}

const foreign = 50_000

t.test('given events of other applications, when an engine starts, then the server sends next to none', async (t) => {
  const { double, open } = await setUp(t)
  const connectionString = `${double.connectionString}&otepPrefix=shop.`
  double.foreign(foreign)
  const writer = open({ connectionString })
  for (let number = 0; number < 20; number++)
    await writer.append(
      `tracking-${number}`,
      Array.from({ length: 100 }, () => fact()),
      'any',
    )
  double.foreign(foreign)
  const file = join(t.testdir({}), 'models.db')
  const sentTo = async () => {
    const before = double.tally.events()
    await bringUp(t, open({ connectionString }), file)
    return double.tally.events() - before
  }
  // Some pages are read without the filter where the server has not told yet how far it has come.
  t.ok((await sentTo()) < 3 * 2_000 + 2_500, 'a new one is sent its own, to two or three readers')
  t.ok((await sentTo()) < 2_500, 'the same again what came since')
})

t.test(
  'given many events, when all are read, then the reader is told of each part that was looked through',
  async (t) => {
    const { open } = await setUp(t)
    const writer = open()
    for (let number = 0; number < 3; number++)
      await writer.append(
        'tracking-1',
        Array.from({ length: 600 }, () => fact()),
        'any',
      )
    let looks = 0
    const passed = () => void looks++
    t.equal((await collect(open().readAll(undefined, { passed }))).length, 1_800)
    t.ok(looks >= 4, 'parts of 500 events at most')
  },
)

t.test('given events of other applications, when a node is verified, then it is whole', async (t) => {
  const { double } = await setUp(t)
  double.foreign(foreign)
  const env = { OTEP_DATA_DIR: t.testdir({}), OTEP_STORE: `${double.connectionString}&otepPrefix=shop.` }
  async function otep(line: readonly string[], input = '') {
    const out: string[] = []
    const write = (text: string) => out.push(text) > 0
    const stderr = { write, isTTY: false, columns: 80 } as never
    return {
      code: await run(line, { env, stdin: Readable.from([input]), stdout: { write }, stderr }),
      out: out.join(''),
    }
  }
  const parcels = Array.from({ length: 50 }, (_, number) =>
    JSON.stringify({
      ...{ otep_version: '0.1', profile: 'parcel', subject: { tracking_number: `SR${number}`, order_id: number + 1 } },
      ...{ event_id: `SR${number}-1`, occurred_at: '2026-06-10T08:42:10Z', status_code: 'information_submitted' },
      ...{ phase: 'pre_shipment', source: { type: 'self_delivery', code: 'ORDER_IN' } },
    }),
  )
  t.match(await otep(['ingest', '-'], parcels.join('\n')), { code: 0 })
  const own = double.events().filter(({ stream }) => stream.startsWith('shop.')).length
  const before = double.tally.events()
  t.match(await otep(['verify']), { code: 0, out: /whole/ })
  const sent = double.tally.events() - before
  t.ok(sent < 10 * own + 3_500, `${sent} events were sent for ${own}`)
})

t.test('given readers that lag and readers that stop, when they share a feed, then each receives all', async (t) => {
  const { open } = await setUp(t)
  const [writer, store] = [open(), open()]
  for (let shelf = 0; shelf < 12; shelf++)
    await writer.append(
      `shelf-${shelf}`,
      Array.from({ length: 500 }, () => fact()),
      'any',
    )
  const all = await idsOf(writer.readAll())
  t.equal(all.length, 6_000)
  const stopped = store.readAll()[Symbol.asyncIterator]()
  await stopped.next()
  const lagging = async () => {
    const ids: string[] = []
    for await (const { id } of store.readAll()) if (ids.push(id) % 500 === 0) await setTimeout(50)
    return ids
  }
  for (const ids of await Promise.all([idsOf(store.readAll()), lagging(), idsOf(store.readAll())])) t.same(ids, all)
  t.ok((await stopped.next()).value)
  await stopped.return?.(undefined)
})

t.test('given a server that never tells that it has caught up, when it is read, then all is there', async (t) => {
  const { double, open } = await setUp(t, { caughtUp: false })
  const connectionString = `${double.connectionString}&otepPrefix=shop.`
  const writer = open({ connectionString })
  double.foreign(700)
  const first = await writer.append('shelf-1', [fact()], 'any')
  double.foreign(1_200)
  const store = open({ connectionString })
  t.equal((await idsOf(store.readAll())).length, 1)
  t.same(await idsOf(store.readAll(first.position)), [])
  double.foreign(10)
  t.equal((await idsOf(store.readAll())).length, 1)
  const second = await writer.append('shelf-1', [fact()], 'any')
  double.foreign(10)
  t.equal(await store.latest(), second.position)
})

t.test('given followers of a node, when events are recorded, then one subscription feeds all', async (t) => {
  const { double, open } = await setUp(t)
  const [writer, store] = [open(), open()]
  await store.latest()
  const { signal } = new AbortController()
  const filters = [{}, { category: 'shelf' }, { stream: 'shelf-1' }, { category: 'box' }] as const
  const after = (await writer.append('shelf-0', [fact()], 'any')).position
  const following = filters.map((filter) => collect(store.follow(after, filter, signal), 5))
  for (let turn = 0; turn < 5; turn++) {
    await writer.append('shelf-1', [fact()], 'any')
    await writer.append('box-1', [fact()], 'any')
  }
  const [all = [], shelf, ofStream, box] = await Promise.all(following)
  t.equal(all.length, 5)
  t.same(shelf, await writer.read('shelf-1'))
  t.same(ofStream, shelf)
  t.same(box, await writer.read('box-1'))
  t.equal(double.tally.calls().filter((call) => call.startsWith('subscribe')).length, 1)
})

async function idsOf(events: AsyncIterable<{ readonly id: string }>): Promise<readonly string[]> {
  const ids: string[] = []
  for await (const { id } of events) ids.push(id)
  return ids
}
