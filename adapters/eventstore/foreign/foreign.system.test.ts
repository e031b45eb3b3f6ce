import { randomUUID } from 'node:crypto'
import { binaryEvent, type EventData, EventStoreDBClient, jsonEvent } from '@eventstore/db-client'
import t, { type Test } from 'tap'
import { collect, fact, setUp } from '../eventstore.test.fixture.ts'

const recordedAt = '2026-06-10T10:00:00.000Z'
const id = randomUUID()

/** An event with metadata in which others have written what looks like the mark of an engine. */
function marked(mark: unknown, data: unknown = {}): EventData {
  return jsonEvent({
    type: 'SomethingHappened',
    data,
    metadata: { schemaVersion: 1, $otep: mark },
  } as never) as EventData
}

const inCall = (call: unknown) => marked({ revision: 0, recordedAt, call })

/** What others may write into streams with names like those of an engine. */
const foreign: Readonly<Record<string, EventData>> = {
  'no metadata': jsonEvent({ type: 'SomethingHappened', data: { any: 1 } }) as EventData,
  'data that is null': jsonEvent({ type: 'SomethingHappened', data: null as never }) as EventData,
  bytes: binaryEvent({ type: 'SomethingHappened', data: Buffer.from([0, 255, 1]) }) as EventData,
  'a link': jsonEvent({ type: '$>', data: '0@shelf-1' as never }) as EventData,
  'no mark': marked(null),
  'a text as mark': marked('mine'),
  'a list as mark': marked([]),
  'no revision': marked({ recordedAt }),
  'a revision below zero': marked({ revision: -7, recordedAt }),
  'a revision beyond that of the server': marked({ revision: 2 ** 50, recordedAt }),
  'no time': marked({ revision: 0, recordedAt: 'yesterday' }),
  'an id that is none': marked({ revision: 0, recordedAt, id: 5 }),
  'a text as call': inCall('call'),
  'null as call': inCall(null),
  'a call without a place': inCall({}),
  'a call in no stream': inCall({ stream: '', revision: 0, id }),
  'a call in a stream of the server': inCall({ stream: '$settings', revision: 0, id }),
  'a call in a stream of leases': inCall({ stream: 'otep-lease-webhooks', revision: 5, id }),
  'a call before the beginning': inCall({ stream: 'shelf-9', revision: -5, id }),
  'a call between two revisions': inCall({ stream: 'shelf-9', revision: 0.5, id }),
  'a call that is never decided': inCall({ stream: 'shelf-9', revision: 1e9, id }),
}

async function clientOn(t: Test) {
  const { double, open } = await setUp(t)
  const client = EventStoreDBClient.connectionString(double.connectionString)
  t.teardown(() => client.dispose())
  return { double, open, client }
}

const idsOf = (events: readonly { readonly id: string }[]) => events.map(({ id }) => id)

for (const [what, event] of Object.entries(foreign))
  t.test(`given a foreign event with ${what}, when nodes read and write, then they pass over it`, async (t) => {
    const { double, open, client } = await clientOn(t)
    const [store, own] = [open(), [fact(), fact(), fact()]]
    const [first, second, third] = own as [(typeof own)[0], (typeof own)[0], (typeof own)[0]]
    await store.append('shelf-1', [first], 'no-stream')
    await client.appendToStream('shelf-1', event)
    await store.append('shelf-2', [second], 'no-stream')
    for (const node of [store, open()]) {
      t.same(idsOf(await collect(node.readAll())), idsOf([first, second]))
      t.same(idsOf(await node.read('shelf-1')), idsOf([first]))
      const { signal } = new AbortController()
      t.same(idsOf(await collect(node.follow(undefined, {}, signal), 2)), idsOf([first, second]))
    }
    t.match(await open().append('shelf-1', [third], 0), { revision: 1 })
    t.same(idsOf(await store.read('shelf-1')), idsOf([first, third]))
    t.ok(double.events().length < 20, 'and fill no stream with void events')
  })

t.test('given a stream that others deleted, when it is written to, then it begins again, or is refused', async (t) => {
  const { open, client } = await clientOn(t)
  const store = open()
  await store.append('shelf-1', [fact(), fact()], 'no-stream')
  await store.append('shelf-2', [fact()], 'no-stream')
  await store.append('shelf-3', [fact()], 'no-stream')
  await client.deleteStream('shelf-1')
  await client.tombstoneStream('shelf-2')
  const node = open()
  t.same(await node.read('shelf-1'), [])
  t.same(await node.read('shelf-2'), [])
  t.match(await node.append('shelf-1', [fact()], 'no-stream'), { revision: 0 })
  t.match(await open().read('shelf-1'), [{ revision: 0 }])
  const appends = ['shelf-3', 'shelf-2'].map((stream) => ({ stream, events: [fact()], expected: 'any' }) as never)
  await t.rejects(node.appendMany(appends), { code: 'store_unavailable', cause: /deleted/ })
  t.equal((await open().read('shelf-3')).length, 1, 'nothing of the call stands')
  t.match(await open().append('shelf-3', [fact()], 0), { revision: 1 })
})

t.test('given a stream that others cut, when it is read and written to, then its end stays what it is', async (t) => {
  const { open, client } = await clientOn(t)
  await open().append('shelf-1', [fact(), fact(), fact()], 'no-stream')
  await client.setStreamMetadata('shelf-1', { maxCount: 1 })
  const node = open()
  t.match(await node.read('shelf-1'), [{ revision: 2 }])
  t.match(await node.append('shelf-1', [fact()], 2), { revision: 3 })
  t.match(await open().last('shelf-1'), { revision: 3 })
})

t.test(
  'given a stream that others cut beyond its end, when it is used, then it is empty and takes no calls',
  async (t) => {
    const { double, open, client } = await clientOn(t)
    const store = open()
    await store.append('shelf-1', [fact(), fact()], 'no-stream')
    await store.append('shelf-2', [fact()], 'no-stream')
    await client.setStreamMetadata('shelf-1', { truncateBefore: 100 })
    const node = open()
    t.same(await node.read('shelf-1'), [])
    t.equal(await node.last('shelf-1'), undefined)
    const written = double.events().length
    await t.rejects(node.append('shelf-1', [fact()], 'no-stream'), { code: 'store_unavailable', cause: /hidden/ })
    const appends = ['shelf-2', 'shelf-1'].map((stream) => ({ stream, events: [fact()], expected: 'any' }) as never)
    await t.rejects(node.appendMany(appends), { code: 'store_unavailable', cause: /hidden/ })
    const { length } = await open().read('shelf-2')
    t.match(await node.append('shelf-2', [fact()], length - 1), { revision: length }, 'other streams go on')
    t.ok(double.events().length - written < 40, 'and nobody tries for long')
  },
)

t.test('given a call whose decision others deleted, when nodes read, then all else of the call is there', async (t) => {
  for (const remove of ['deleteStream', 'tombstoneStream'] as const) {
    const { open, client } = await clientOn(t)
    const store = open()
    const call = ['shelf-1', 'shelf-2', 'shelf-3'] as const
    await store.appendMany(call.map((stream) => ({ stream, events: [fact()], expected: 'any' })))
    await store.append('shelf-4', [fact()], 'any')
    await client[remove]('shelf-3')
    const node = open()
    for (const stream of ['shelf-1', 'shelf-2'] as const) {
      t.match(await open().append(stream, [fact()], 0), { revision: 1 }, remove)
      t.equal((await node.read(stream)).length, 2)
    }
    const seen = (await collect(open().readAll())).map(({ stream }) => stream)
    for (const [stream, count] of [
      ['shelf-1', 2],
      ['shelf-2', 2],
      ['shelf-4', 1],
    ] as const)
      t.equal(seen.filter((one) => one === stream).length, count, `${remove} ${stream}`)
  }
})
