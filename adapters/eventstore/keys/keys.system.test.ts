import { type EventData, EventStoreDBClient } from '@eventstore/db-client'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { type Append, type EventStore, isEngineError, type Storage, type StreamName } from '../../../engine/index.ts'
import { clientEventOf, ownRecordOf } from '../codec.ts'
import { collect, fact, setUp } from '../eventstore.test.fixture.ts'

type Setting = Awaited<ReturnType<typeof setUp>>

/** The records of streams on the server, as `stream type` each, in their order. */
const recordsOf = ({ double }: Setting) => double.events().map(({ stream, type }) => `${stream} ${type}`)

const first = (key: string, events = [fact()]): Append => ({ stream: 'shelf-1', events, expected: 'no-stream', key })

/** A client of the server, as another program has one. */
function clientOf(t: Test, { double }: Setting): EventStoreDBClient {
  const client = EventStoreDBClient.connectionString(double.connectionString)
  t.teardown(() => client.dispose())
  return client
}

const keyRecord = (key: string): EventData => clientEventOf(ownRecordOf('key', { key }, fact().id))

t.test('given a new stream and its key, when they are appended, then that is one append, and one read', async (t) => {
  const setting = await setUp(t)
  const store = setting.open()
  const events = [fact(), fact()]
  t.match(await store.appendMany([first('ours', events)]), [{ stream: 'shelf-1', revision: 1 }])
  t.equal(setting.double.tally.calls().filter((call) => call.startsWith('append')).length, 1)
  t.strictSame(recordsOf(setting), ['shelf-1 otep.key', 'shelf-1 SomethingHappened', 'shelf-1 SomethingHappened'])
  t.match(await store.append('shelf-1', [fact()], 1), { revision: 2 })
  for (const node of [store, setting.open()]) {
    t.equal(await node.keys.read('shelf-1'), 'ours')
    t.match(await node.read('shelf-1'), [{ revision: 0 }, { revision: 1 }, { revision: 2 }])
    t.match(await node.read('shelf-1', { from: 1, limit: 1 }), [{ id: events[1]?.id, revision: 1 }])
    t.match(await node.read('shelf-1', { limit: 1 }), [{ id: events[0]?.id, revision: 0 }])
    t.match(await node.read('shelf-1', { backwards: true, limit: 1 }), [{ revision: 2 }])
    t.equal((await collect(node.readAll())).length, 3)
  }
})

t.test(
  'given a call about new streams, when one was faster, then the others keep no event, and take the key',
  async (t) => {
    const setting = await setUp(t)
    const [one, other] = [setting.open(), setting.open()]
    await other.appendMany([{ ...first('theirs'), stream: 'shelf-2' }])
    const both = [first('ours'), { ...first('ours'), stream: 'shelf-2' as const }]
    await t.rejects(one.appendMany(both), { code: 'wrong_expected_revision' })
    t.same(await other.read('shelf-1'), [])
    const kept = await other.keys.read('shelf-1')
    t.ok(kept === undefined || kept === 'ours')
    await other.appendMany([first(kept ?? 'third')])
    t.equal(await one.keys.read('shelf-1'), kept ?? 'third')
    t.match(await one.read('shelf-1'), [{ revision: 0 }])
  },
)

t.test('given a key at the beginning, when it is destroyed, then the events stay, and no key follows', async (t) => {
  const setting = await setUp(t)
  const [store, other] = [setting.open(), setting.open()]
  const client = clientOf(t, setting)
  await client.setStreamMetadata('shelf-1', { owner: 'shop' })
  await store.appendMany([first('ours')])
  await store.keys.remove('shelf-1')
  await store.keys.remove('shelf-1')
  t.match((await client.getStreamMetadata('shelf-1')).metadata, { owner: 'shop', truncateBefore: 1 })
  for (const node of [store, other, setting.open()]) {
    t.equal(await node.keys.read('shelf-1'), undefined)
    t.equal(await node.keys.add('shelf-1', 'another'), undefined)
    const sealed = { ...first('another'), expected: 'any' as const }
    await t.rejects(node.appendMany([sealed]), { code: 'wrong_expected_revision' })
    t.match(await node.read('shelf-1'), [{ revision: 0 }])
  }
  t.match(await other.append('shelf-1', [fact()], 0), { revision: 1 })
  t.match(await setting.open().append('shelf-1', [fact()], 1), { revision: 2 })
})

t.test('given streams without events, when their keys are destroyed, then they never have one', async (t) => {
  const setting = await setUp(t)
  const store = setting.open()
  await store.keys.add('shelf-2', 'lonely')
  for (const stream of ['shelf-1', 'shelf-2'] as const) {
    await store.keys.remove(stream)
    t.equal(await store.keys.read(stream), undefined)
    await t.rejects(store.appendMany([{ ...first('ours'), stream }]), { code: 'wrong_expected_revision' })
    t.match(await store.append(stream, [fact()], 'no-stream'), { revision: 0 })
  }
  // A scavenge keeps the last record of a stream, which must not be the key.
  t.strictSame(
    recordsOf(setting)
      .filter((record) => record.startsWith('shelf-2'))
      .slice(0, 2),
    ['shelf-2 otep.key', 'shelf-2 otep.void'],
  )
})

t.test('given a stream that began without a key, when it gets one, then that is a stream of its own', async (t) => {
  const setting = await setUp(t)
  const store = setting.open()
  await store.append('shelf-1', [fact()], 'no-stream')
  t.match(await store.appendMany([{ ...first('ours'), expected: 0 }]), [{ revision: 1 }])
  t.ok(recordsOf(setting).includes('otep-key-shelf-1 otep.key'))
  t.equal(await setting.open().keys.read('shelf-1'), 'ours')
  await store.keys.remove('shelf-1')
  t.equal(await setting.open().keys.add('shelf-1', 'another'), undefined)
})

t.test(
  'given a stream that others deleted, when it is used again, then its new key is found and destroyed',
  async (t) => {
    const setting = await setUp(t)
    const client = clientOf(t, setting)
    await setting.open().appendMany([first('ours')])
    await client.deleteStream('shelf-1')
    await setting.open().appendMany([first('again')])
    const store = setting.open()
    t.equal(await store.keys.read('shelf-1'), 'again')
    await store.keys.remove('shelf-1')
    t.equal(await store.keys.read('shelf-1'), undefined)
    t.match(await store.read('shelf-1'), [{ revision: 0 }])
    await client.tombstoneStream('shelf-1')
    await store.keys.remove('shelf-1')
    t.equal(await store.keys.read('shelf-1'), undefined)
  },
)

t.test(
  'given keys that an earlier version stored, when they are needed, then those of streams are found',
  async (t) => {
    const setting = await setUp(t)
    const client = clientOf(t, setting)
    await setting.open().append('shelf-1', [fact()], 'no-stream')
    for (const stream of ['shelf-1', 'shelf-2']) await client.appendToStream(`otep-key-${stream}`, keyRecord('earlier'))
    const store = setting.open()
    t.equal(await store.keys.read('shelf-1'), 'earlier')
    t.equal(await store.keys.add('shelf-1', 'ours'), 'earlier')
    // Its call had recorded nothing, so nothing was sealed with it.
    t.equal(await store.keys.read('shelf-2'), undefined)
    await store.appendMany([{ ...first('ours'), stream: 'shelf-2' }])
    t.equal(await setting.open().keys.read('shelf-2'), 'ours')
  },
)

/** What the nodes do one after the other: which streams a call is about, and what goes wrong on its way. */
const turns = fc.array(
  fc.record({
    node: fc.integer({ min: 0, max: 1 }),
    streams: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }),
    fault: fc.constantFrom('none', 'none', 'reply', 'append', 'erase'),
    alone: fc.boolean(),
  }),
  { minLength: 8, maxLength: 16 },
)

/** Appends an event to each stream that says with which key it is sealed, as the engine does: a new stream is not looked up. */
async function sealInto(store: Storage, streams: readonly StreamName[], names: () => string): Promise<void> {
  const lasts = await Promise.all(streams.map((stream) => store.last?.(stream)))
  const drafts = streams.map((stream, at): Append => {
    const key = names()
    return { ...first(key, [fact({ key })]), stream, expected: lasts[at]?.revision ?? 'no-stream' }
  })
  try {
    await store.appendMany(drafts)
  } catch (error) {
    if (!isEngineError(error, 'wrong_expected_revision')) throw error
    await store.appendMany(await withStoredKeys(store, drafts))
  }
}

async function withStoredKeys(store: Storage, drafts: readonly Append[]): Promise<readonly Append[]> {
  const sealed = drafts.map(async ({ stream, key = '' }): Promise<Append> => {
    const valid = (await store.keys.read(stream)) ?? (await store.keys.add(stream, key))
    return { stream, expected: 'any', events: [fact(valid === undefined ? {} : { key: valid })] }
  })
  return Promise.all(sealed)
}

/** The streams whose events are sealed with another key than the store has. */
async function lostIn(store: EventStore & Storage, erased: ReadonlySet<string>): Promise<readonly string[]> {
  const lost: string[] = []
  for (const { stream, data } of await collect(store.readAll())) {
    const { key } = data as { readonly key?: string }
    const valid = await store.keys.read(stream)
    if (erased.has(stream) ? valid !== undefined : key !== undefined && key !== valid) lost.push(stream)
  }
  return lost
}

t.test(
  'given any calls of two nodes and any faults, when all is quiet, then each event opens with its key',
  async (t) => {
    let events = 0
    await fc.assert(
      fc.asyncProperty(turns, async (plan) => {
        const { double, open } = await setUp(t)
        const nodes = [open({ timeout: 300, retryFor: 600 }), open({ timeout: 300, retryFor: 600 })] as const
        const erased = new Set<string>()
        let named = 0
        const running: Promise<unknown>[] = []
        for (const { node, streams, fault, alone } of plan) {
          const store = nodes[node] as Storage
          const names = streams.map((number): StreamName => `shelf-${number}`)
          if (fault === 'reply') double.faults.dropReplies(1)
          if (fault === 'append') double.faults.loseAppends(1)
          const work =
            fault === 'erase' && names[0] !== undefined
              ? store.keys.remove(names[0]).then(() => erased.add(names[0] ?? ''))
              : sealInto(store, names, () => `key-${named++}`)
          running.push(work.catch((error: unknown) => unlessPassing(error)))
          if (alone) await Promise.all(running)
        }
        await Promise.all(running)
        double.faults.dropReplies(0)
        double.faults.loseAppends(0)
        const last = open()
        for (const stream of erased) await last.keys.remove(stream)
        t.strictSame(await lostIn(last, erased), [])
        events += (await collect(last.readAll())).length
      }),
      { numRuns: 4 },
    )
    t.ok(events > 10)
  },
)

/** A call may lose its race, or its server. */
function unlessPassing(error: unknown): void {
  if (isEngineError(error, 'wrong_expected_revision') || isEngineError(error, 'store_unavailable')) return
  throw error
}
