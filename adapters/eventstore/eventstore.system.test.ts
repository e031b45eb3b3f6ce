import { join } from 'node:path'
import { Readable } from 'node:stream'
import { inspect } from 'node:util'
import { EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client'
import t from 'tap'
import { startDouble } from '../../conformance/eventstore/double.ts'
import { run } from '../cli/run.ts'
import { verifyModels } from '../history/models.ts'
import { createReadModels } from '../sqlite/models/index.ts'
import { stock, stocked } from '../sqlite/models/stock.test.fixture.ts'
import { after, collect, fact, setUp, untilAnswered } from './eventstore.test.fixture.ts'
import { createEventstoreStorage } from './index.ts'

const unavailable = { code: 'store_unavailable' }
const event = () => jsonEvent({ type: 'SomethingHappened', data: {} })

t.test('given a reply that is lost, when a client waits for ever, then the store sends the same again', async (t) => {
  const { double, open } = await setUp(t)
  const client = EventStoreDBClient.connectionString(double.connectionString)
  double.faults.dropReplies(1)
  t.equal(await after(500, client.appendToStream('box-1', event())), undefined, 'the client waits')
  await client.dispose()
  const store = open({ timeout: 200 })
  double.faults.dropReplies(1)
  t.match(await store.append('shelf-1', [fact()], 'no-stream'), { revision: 0 })
  double.faults.dropReplies(2)
  const call = ['shelf-1', 'shelf-2', 'shelf-3'] as const
  await store.appendMany(call.map((stream) => ({ stream, events: [fact()], expected: 'any' })))
  t.equal((await collect(store.readAll())).length, 4)
  t.equal(double.events().length, 5, 'nothing stands twice')
})

t.test('given clocks that differ, when a client is told that it is late, then the store is not', async (t) => {
  const { double, open } = await setUp(t)
  double.faults.clockBehind(60_000)
  const client = EventStoreDBClient.connectionString(double.connectionString)
  t.match(await after(5000, client.appendToStream('box-1', event())), { reason: { type: 'deadline-exceeded' } })
  await t.resolves(open().append('shelf-1', [fact()], 'no-stream'))
})

t.test('given another server that fails, when a client loses its call too, then the store does not', async (t) => {
  const { double, open } = await setUp(t)
  const other = await startDouble()
  t.teardown(() => other.close())
  const [client, otherClient] = [double, other].map(({ connectionString }) =>
    EventStoreDBClient.connectionString(connectionString),
  ) as [EventStoreDBClient, EventStoreDBClient]
  await Promise.all([client, otherClient].map((one) => one.appendToStream('box-1', event())))
  double.faults.loseAppends(1)
  const lost = after(5000, client.appendToStream('box-1', event()))
  const store = open()
  double.faults.delay(200)
  const append = store.append('shelf-1', [fact()], 'no-stream')
  await other.stop()
  t.match(await lost, { status: 'rejected' }, 'the failure of one server is that of all')
  t.match(await append, { revision: 0 })
})

t.test('given a wish not to be told of conflicts, when there is one, then the store tells all the same', async (t) => {
  const { double, open } = await setUp(t)
  const connectionString = `${double.connectionString}&throwOnAppendFailure=false`
  const client = EventStoreDBClient.connectionString(connectionString)
  await client.appendToStream('box-1', [event(), event(), event()])
  const answer = await client.appendToStream('box-1', event(), { expectedRevision: NO_STREAM })
  t.match(answer, { success: false, nextExpectedRevision: 1n }, 'the client tells a wrong revision')
  const store = open({ connectionString })
  await store.append('shelf-1', [fact(), fact(), fact()], 'no-stream')
  await t.rejects(open({ connectionString }).append('shelf-1', [fact()], 'no-stream'), {
    code: 'wrong_expected_revision',
    params: { actual: 2 },
  })
})

t.test('given a server that refuses, when it does so for long, then the store says so; else it waits', async (t) => {
  const { double, open } = await setUp(t)
  for (const status of ['full', 'timeout', 'unavailable'] as const) {
    double.faults.refuse(status)
    const failure = await open({ retryFor: 100 })
      .append('shelf-1', [fact()], 'any')
      .catch((error: unknown) => error)
    t.match(failure, unavailable, status)
    t.match(failure, { cause: /server/ })
    const waiting = open().append('shelf-1', [fact()], 'any')
    t.equal(await after(150, waiting), undefined)
    double.faults.refuse(undefined)
    await t.resolves(waiting)
  }
})

t.test('given no server, when a store is asked, then it says so, and works when the server is back', async (t) => {
  const { double, open } = await setUp(t)
  const store = open()
  await store.append('shelf-1', [fact()], 'any')
  await double.stop()
  const hurried = open({ retryFor: 100 })
  await t.rejects(hurried.read('shelf-1'), unavailable)
  await t.rejects(hurried.keys.read('mary'), unavailable)
  const append = store.append('shelf-1', [fact()], 'any')
  await double.start()
  t.match(await append, { revision: 1 })
  await untilAnswered(hurried)
  t.equal((await hurried.read('shelf-1')).length, 2)
})

t.test('given wrong credentials, when they are used, then the store says so at once and tells none', async (t) => {
  const { double, open } = await setUp(t, { credentials: { username: 'admin', password: 'changeit' } })
  await t.resolves(open().append('shelf-1', [fact()], 'any'))
  const connectionString = double.connectionString.replace('changeit', 'hunter2')
  const store = open({ connectionString, retryFor: 3_600_000 })
  const outcomes = await Promise.allSettled([
    store.append('shelf-1', [fact()], 'any'),
    collect(store.readAll()),
    collect(store.follow(undefined, {}, new AbortController().signal)),
    store.leases.write('webhooks', { holder: 'node', term: 1 }),
  ])
  for (const outcome of outcomes) {
    t.match(outcome, { status: 'rejected', reason: { ...unavailable, cause: /credentials/ } })
    t.notMatch(inspect(outcome), /hunter2/)
  }
})

t.test('given a connection string that cannot be read, when it is used, then nothing secret is told', async (t) => {
  const connectionString = 'esdb://admin:hunter2@host name?tls=perhaps'
  const make = () => createEventstoreStorage({ connectionString, clock: Date.now })
  const [outcome] = await Promise.allSettled([Promise.resolve().then(make)])
  t.match(outcome, { reason: { message: /connection string .* expected/ } })
  t.notMatch(inspect(outcome), /hunter2/)
  const prefix = 'esdb://127.0.0.1?otepPrefix=$a'
  t.throws(() => createEventstoreStorage({ connectionString: prefix, clock: Date.now }), { code: 'internal' })
})

t.test('given several engines on one server, when each has its prefix, then none sees the others', async (t) => {
  const { double, open } = await setUp(t)
  const prefixed = (prefix: string) => open({ connectionString: `${double.connectionString}&otepPrefix=${prefix}` })
  const [plain, one, other] = [open(), prefixed('one.'), prefixed('other.')]
  for (const store of [one, other]) {
    await store.append('shelf-1', [fact()], 'no-stream')
    t.equal(await store.leases.write('webhooks', { holder: 'node', term: 1 }), true)
    t.equal(await store.keys.add('mary', 'key'), 'key')
  }
  await plain.append('tracking-tracking_number:SR1', [fact()], 'no-stream')
  t.ok(double.events().some(({ stream }) => stream === 'tracking-tracking_number:SR1'))
  for (const store of [one, other]) t.match(await collect(store.readAll()), [{ stream: 'shelf-1', revision: 0 }])
  const [first] = await collect(one.follow(undefined, {}, new AbortController().signal), 1)
  t.same([first], await one.read('shelf-1'))
})

t.test('given a prefix that begins like another, when each engine is read, then none sees the others', async (t) => {
  const { double, open } = await setUp(t)
  const prefixed = (prefix: string) => open({ connectionString: `${double.connectionString}&otepPrefix=${prefix}` })
  const stores = [open(), prefixed('shop'), prefixed('shop2')]
  for (const [index, store] of stores.entries()) {
    await store.appendMany(
      [1, 2].map((box) => ({ stream: `shelf-${box}`, events: [fact({ index })], expected: 'any' })),
    )
  }
  for (const [index, store] of stores.entries()) {
    const own = [1, 2].map(() => ({ data: { index } }))
    t.match(await collect(store.readAll()), own)
    t.equal((await collect(store.readAll())).length, 2)
    t.match(await collect(store.follow(undefined, {}, new AbortController().signal), 2), own)
  }
  t.same(await stores[0]?.read('shop2shelf-1'), [])
})

t.test(
  'given what others wrote, when a process asks for the latest, then it is that, and it has seen it',
  async (t) => {
    const { double, open } = await setUp(t)
    const [one, other] = [open(), open()]
    const first = await one.append('shelf-1', [fact()], 'any')
    t.equal(await other.latest(), first.position)
    const second = await one.append('shelf-1', [fact()], 'any')
    t.equal(await other.latest(), second.position)
    t.equal(await one.latest(), second.position)
    const own = await other.append('shelf-2', [fact()], 'any')
    t.equal(await other.latest(), own.position)
    const late = open({ retryFor: 50 })
    await double.stop()
    await t.rejects(late.latest(), unavailable)
    await double.start()
    await untilAnswered(late)
    t.equal(await late.latest(), own.position)
  },
)

t.test('given two data directories, when one node has written, then the other answers as that one does', async (t) => {
  const { double } = await setUp(t)
  const directory = t.testdir({})
  async function otep(node: string, line: readonly string[], input = '') {
    const out: string[] = []
    const write = (text: string) => out.push(text) > 0
    const code = await run(line, {
      env: { OTEP_DATA_DIR: join(directory, node), OTEP_STORE: double.connectionString },
      stdin: Readable.from([input]),
      stdout: { write },
      stderr: { write, isTTY: false, columns: 80 } as never,
    })
    return { code, out: out.join('') }
  }
  const parcel = (number: string) =>
    `{"otep_version":"0.1","profile":"parcel",\
"subject":{"tracking_number":"${number}","order_id":77},"event_id":"${number}-1",\
"occurred_at":"2026-06-10T08:42:10Z","status_code":"information_submitted","phase":"pre_shipment",\
"source":{"type":"self_delivery","code":"ORDER_IN"}}\n`.replaceAll('\\\n', '')
  t.match(await otep('one', ['ingest', '-'], parcel('SR1')), { code: 0 })
  for (const node of ['one', 'two']) t.match(await otep(node, ['show', '77']), { code: 0, out: /SR1/ })
  t.match(await otep('one', ['ingest', '-'], parcel('SR2')), { code: 0 })
  for (const node of ['two', 'one']) {
    for (const line of [
      ['show', '77'],
      ['forget', '77', '--yes'],
    ]) {
      t.match(await otep(node, line), { code: 1, out: /SR1.*SR2/s }, `${node} ${line[0]}`)
    }
  }
  t.match(await otep('one', ['ingest', '-'], parcel('SR3')), { code: 0 })
  for (const node of ['two', 'one']) t.match(await otep(node, ['verify']), { code: 0 }, `${node} verify`)
})

t.test('given a node that writes, when another verifies its models, then what came between is no damage', async (t) => {
  const { open } = await setUp(t)
  const [writer, store] = [open(), open()]
  await writer.append('shelf-1', [stocked('a')], 'any')
  const [own, fresh] = [1, 2].map(() => createReadModels({ store, models: [stock] })) as [
    ReturnType<typeof createReadModels>,
    ReturnType<typeof createReadModels>,
  ]
  t.teardown(() => Promise.all([own.close(), fresh.close()]))
  const scan: typeof own.scan = async (...asked) => {
    const rows = await own.scan(...asked)
    await writer.append('shelf-2', [stocked('a')], 'any')
    await fresh.state()
    return rows
  }
  const damages: unknown[] = []
  await verifyModels({ own: { ...own, scan }, fresh }, (damage) => damages.push(damage))
  t.same(damages, [])
})

t.test('given an outage that is longer than calls wait, when it ends, then a follower goes on', async (t) => {
  const { double, open } = await setUp(t)
  const store = open({ retryFor: 50 })
  await double.stop()
  const following = collect(store.follow(undefined, { stream: 'shelf-1' }, new AbortController().signal), 1)
  t.equal(await after(500, following), undefined)
  await double.start()
  await open().append('shelf-1', [fact()], 'any')
  t.match(await following, [{ revision: 0 }])
})

t.test('given what is none of the facts, when the store is read, then nobody sees it', async (t) => {
  const { double, open } = await setUp(t)
  const client = EventStoreDBClient.connectionString(double.connectionString)
  const store = open()
  await client.appendToStream('shelf-1', event())
  await store.leases.write('webhooks', { holder: 'node', term: 1 })
  await store.keys.add('mary', 'key')
  t.same(await store.read('shelf-1'), [], 'an event of another application')
  t.match(await store.append('shelf-1', [fact()], 'any'), { revision: 0 })
  t.match(await store.append('shelf-1', [fact()], 0), { revision: 1 })
  const events = await store.read('shelf-1')
  t.same(await collect(store.readAll()), events)
  t.same(await collect(store.follow(undefined, {}, new AbortController().signal), 2), events)
  await t.rejects(store.append('otep-key-mary', [fact()], 'any'), { code: 'internal' })
  await t.rejects(store.append('$ce-shelf', [fact()], 'any'), { code: 'internal' })
  await t.rejects(collect(store.readAll('0000000000000001')), { code: 'internal' })
})

t.test(
  'given followers, when subscriptions are lost and the server restarts, then each event comes once',
  async (t) => {
    const { double, open } = await setUp(t)
    const [store, writer] = [open(), open()]
    const { signal } = new AbortController()
    const filters = [{}, { category: 'shelf' }, { stream: 'shelf-1' }] as const
    const following = filters.map((filter) => collect(store.follow(undefined, filter, signal), 12))
    for (let turn = 0; turn < 12; turn++) {
      await writer.append('shelf-1', [fact({ turn })], 'any')
      if (turn % 3 === 1) double.faults.dropSubscriptions()
      if (turn % 5 === 2) await double.stop()
      if (turn % 5 === 2) await double.start()
    }
    const events = await writer.read('shelf-1')
    for (const seen of await Promise.all(following)) t.same(seen, events)
  },
)

t.test(
  'given more live pages than a server takes subscriptions, when streams grow, then each page sees it',
  async (t) => {
    const { open } = await setUp(t)
    const store = open()
    const { signal } = new AbortController()
    const pages = Array.from({ length: 150 }, (_, page) =>
      collect(store.follow(undefined, { stream: `shelf-${page % 30}` }, signal), 2),
    )
    for (let turn = 0; turn < 2; turn++) {
      await Promise.all(Array.from({ length: 30 }, (_, shelf) => store.append(`shelf-${shelf}`, [fact()], 'any')))
    }
    t.ok((await Promise.all(pages)).every((seen, page) => seen.every(({ stream }) => stream === `shelf-${page % 30}`)))
  },
)
