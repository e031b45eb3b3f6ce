import { setTimeout as pause } from 'node:timers/promises'
import { EventStoreDBClient } from '@eventstore/db-client'
import fc from 'fast-check'
import t from 'tap'
import type { Double } from '../../../conformance/eventstore/double.ts'
import {
  type Append,
  type Competing,
  type EventStore,
  isEngineError,
  runPolicy,
  type Storage,
  type StreamName,
  startLife,
} from '../../../engine/index.ts'
import { type Call, clientEventOf, recordOf, textsOf } from '../codec.ts'
import { after, collect, fact, setUp, until } from '../eventstore.test.fixture.ts'

/** An append of one event to each stream. */
function callTo(...streams: readonly StreamName[]): readonly Append[] {
  return streams.map((stream) => ({ stream, events: [fact()], expected: 'any' }))
}

const idsOf = (events: readonly { readonly id: string }[]) => events.map(({ id }) => id)
/** The server is unavailable for a moment, and loses all calls in progress. */
async function cut(double: Double) {
  await double.stop()
  await double.start()
}

const neverAborted = () => new AbortController().signal

t.test(
  'given a writer that dies before the decision, when others come, then nothing of its call is seen',
  async (t) => {
    const { double, open } = await setUp(t)
    const [dying, reader, writer] = [open({ retryFor: 0 }), open({ patience: 60_000 }), open()]
    const call = callTo('shelf-1', 'shelf-2', 'shelf-3')
    const dead = t.rejects(dying.appendMany(call), { code: 'store_unavailable' })
    await until(() => double.events().length === 2)
    await cut(double)
    await dead
    for (const { stream } of call) t.same(await reader.read(stream), [], 'a reader does not wait')
    const following = collect(writer.follow(undefined, {}, neverAborted()), 2)
    const next = [fact(), fact()]
    t.match(await writer.append('shelf-1', next, 'no-stream'), { revision: 1 })
    t.same(idsOf(await following), idsOf(next))
    t.same(await collect(reader.readAll()), await following)
    t.match(await open().appendMany(call), [{ revision: 2 }, { revision: 0 }, { revision: 0 }], 'sent again')
    t.ok(double.events().some(({ type }) => type === 'otep.void'))
  },
)

/** Writes an event of a call directly, as a slow writer would. */
async function sendIntent({ connectionString }: Double, stream: StreamName, revision: number, call: Call) {
  const event = fact()
  const mark = { revision, recordedAt: new Date().toISOString(), id: event.id, call }
  const client = EventStoreDBClient.connectionString(connectionString)
  await client.appendToStream(stream, clientEventOf(recordOf(event, textsOf(event), fact().id, mark)))
  await client.dispose()
}

t.test(
  'given a writer that dies in a call of many appends, when others follow, then they wait no longer',
  async (t) => {
    const { double, open } = await setUp(t)
    const dying = open({ retryFor: 0 })
    const streams = Array.from({ length: 2000 }, (_, index): StreamName => `shelf-${index}`)
    const dead = t.rejects(dying.appendMany(callTo(...streams).map((append) => ({ ...append, expected: 'no-stream' }))))
    await until(() => double.events().length >= 2)
    await cut(double)
    await dead
    t.match(await after(10_000, collect(open().readAll())), { status: 'fulfilled', value: [] })
  },
)

t.test('given a slow writer, when its events come, then its call is waited for; when none come, no more', async (t) => {
  const { double, open } = await setUp(t)
  const decision = fact()
  const call = { stream: 'box-1', revision: 0, id: decision.id }
  await sendIntent(double, 'shelf-1', 0, call)
  const store = open({ patience: 1000 })
  const reading = collect(store.readAll())
  for (let revision = 1; revision <= 10; revision++) {
    t.equal(await after(300, reading), undefined)
    await sendIntent(double, 'shelf-1', revision, call)
  }
  await open().append('box-1', [decision], 'no-stream')
  t.ok((await reading).length > 0)
  await sendIntent(double, 'shelf-2', 0, { ...call, revision: 1 })
  const { length } = await collect(store.readAll())
  t.equal(length, 12)
})

t.test('given a call that is not decided, when a policy begins at the end, then it misses nothing of it', async (t) => {
  const { double, open } = await setUp(t)
  const store = open({ patience: 60_000 })
  const [before, decision] = [fact(), fact()]
  await store.append('shelf-0', [before], 'no-stream')
  const append: Storage['append'] = async (stream, events, expected) => {
    await sendIntent(double, 'shelf-1', 0, { stream: 'box-1', revision: 0, id: decision.id })
    return store.append(stream, events, expected)
  }
  const handled: string[] = []
  const stopping = new AbortController()
  const policy = {
    name: 'watching',
    filter: { category: 'shelf' },
    from: 'end' as const,
    handle: async ({ stream }: { readonly stream: string }) => {
      handled.push(stream)
      stopping.abort()
    },
  }
  const run: Omit<Competing, 'life'> = {
    signal: stopping.signal,
    now: () => performance.now(),
    wait: (milliseconds, signal) => pause(milliseconds, undefined, { signal }).catch(() => {}),
  }
  const failed = (error: unknown) => t.fail(String(error))
  const life = startLife(store.leases, { ...run, name: 'one', failed })
  const running = runPolicy({ ...store, append }, policy, { ...run, life, onFailure: ({ error }) => failed(error) })
  await until(() => double.events().some(({ type }) => type === 'PolicyBegan'))
  await open().append('box-1', [decision], 'no-stream')
  t.equal((await after(10_000, running))?.status, 'fulfilled')
  t.same(handled, ['shelf-1'])
  stopping.abort()
})

t.test('given a decision whose reply is lost, when the call is sent again, then it is a repetition', async (t) => {
  const { double, open } = await setUp(t)
  const hasty = open({ retryFor: 0 })
  const call = callTo('shelf-1', 'shelf-2')
  const unknown = t.rejects(hasty.appendMany(call), { code: 'store_unavailable' })
  await until(() => double.events().length === 1)
  double.faults.dropReplies(1)
  await until(() => double.events().length === 2)
  await cut(double)
  await unknown
  const store = open()
  t.match(await store.appendMany(call), [{ revision: 0 }, { revision: 0 }])
  t.equal(double.events().length, 2)
  t.same(idsOf(await collect(store.readAll())), idsOf(call.flatMap(({ events }) => events)))
})

t.test('given a conflict in a call, when it is refused, then revisions are those that the engine counts', async (t) => {
  const { double, open } = await setUp(t)
  const [one, other] = [open(), open()]
  await one.appendMany(callTo('shelf-1', 'shelf-2', 'shelf-3'))
  const call = callTo('shelf-1', 'shelf-2', 'shelf-3').map((append) => ({ ...append, expected: 0 }))
  await other.append('shelf-2', [fact()], 0)
  const refusal = { code: 'wrong_expected_revision', params: { stream: 'shelf-2', expected: 0, actual: 1 } }
  await t.rejects(one.appendMany(call), refusal)
  t.ok(double.events().length > 4, 'some of it stands on the server')
  for (const store of [one, other, open()]) {
    t.match(await store.read('shelf-1'), [{ revision: 0 }])
    const ahead = { code: 'wrong_expected_revision', params: { actual: 0 } }
    await t.rejects(store.append('shelf-1', [fact()], 1), ahead, 'the revision of the server')
  }
  t.match(await open().append('shelf-1', [fact()], 0), { revision: 1 })
  t.match(await other.read('shelf-1', { from: 1 }), [{ revision: 1 }])
  t.match(await other.read('shelf-1', { backwards: true, limit: 1 }), [{ revision: 1 }])
})

t.test('given an append that is too large for the server, when it is sent, then it stands as one', async (t) => {
  const { double, open } = await setUp(t)
  const store = open()
  const events = Array.from({ length: 12 }, (_, index) => fact('x'.repeat(50_000 * (index + 1))))
  t.match(await store.append('shelf-1', events, 'no-stream'), { revision: 11 })
  t.same(idsOf(await open().read('shelf-1')), idsOf(events))
  t.match(await open().append('shelf-1', events, 'no-stream'), { revision: 11 }, 'sent again')
  const dying = open({ retryFor: 0 })
  const dead = t.rejects(dying.append('shelf-2', events, 'no-stream'), { code: 'store_unavailable' })
  await until(() => double.events().some(({ stream }) => stream === 'shelf-2'))
  await cut(double)
  await dead
  t.match(await store.append('shelf-2', [fact()], 'any'), { revision: 0 })
  await t.rejects(store.append('shelf-3', [fact('x'.repeat(1_100_000))], 'any'), {
    ...{ code: 'too_large_to_store', params: { limit: 1_048_576 } },
  })
})

/** A step of a node, and what happens to the server meanwhile. */
const turns = fc.array(
  fc.record({
    node: fc.integer({ min: 0, max: 1 }),
    streams: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }),
    belief: fc.constantFrom('any' as const, 'any' as const, 'read' as const, 'no-stream' as const),
    fault: fc.constantFrom('none', 'none', 'none', 'reply', 'append', 'subscriptions'),
    alone: fc.boolean(),
  }),
  { minLength: 8, maxLength: 16 },
)

type Outcome = 'stands' | 'refused' | 'unknown'

/** Sends a call; the expectation `read` is the revision that the node sees. */
async function send(store: EventStore, streams: readonly number[], belief: 'any' | 'read' | 'no-stream') {
  const appends: Append[] = []
  let outcome: Outcome = 'unknown'
  try {
    for (const number of streams) {
      const stream: StreamName = `shelf-${number}`
      const [last] = belief === 'read' ? await store.read(stream, { backwards: true, limit: 1 }) : []
      const expected = belief === 'read' ? (last?.revision ?? 'no-stream') : belief
      appends.push({ stream, events: [fact(), fact()].slice(number % 2), expected })
    }
    await store.appendMany(appends)
    outcome = 'stands'
  } catch (error) {
    if (isEngineError(error, 'wrong_expected_revision')) outcome = 'refused'
    else if (!isEngineError(error, 'store_unavailable')) throw error
  }
  return { outcome, ids: appends.flatMap(({ events }) => idsOf(events)) }
}

t.test('given any calls of two nodes and any faults, when all is quiet, then each is there whole or not', async (t) => {
  let stood = 0
  await fc.assert(
    fc.asyncProperty(turns, async (plan) => {
      const { double, open } = await setUp(t)
      const nodes = [0, 1].map(() => open({ timeout: 300, retryFor: 600, patience: 30 }))
      const { faults } = double
      const strike = { none: () => {}, reply: () => faults.dropReplies(1), append: () => faults.loseAppends(1) }
      const abort = new AbortController()
      const seen: string[] = []
      const following = (async () => {
        for await (const { id } of nodes[0]?.follow(undefined, {}, abort.signal) ?? []) seen.push(id)
      })()
      const sent: ReturnType<typeof send>[] = []
      for (const { node, streams, belief, fault, alone } of plan) {
        if (fault === 'subscriptions') faults.dropSubscriptions()
        else strike[fault as keyof typeof strike]()
        sent.push(send(nodes[node] as EventStore, streams, belief))
        if (alone) await Promise.all(sent)
      }
      const calls = await Promise.all(sent)
      faults.dropReplies(0)
      faults.loseAppends(0)
      const store = open()
      const events = await collect(store.readAll())
      const ids = new Set(idsOf(events))
      for (const { outcome, ids: own } of calls) {
        const standing = own.filter((id) => ids.has(id)).length
        if (outcome === 'stands') stood += 1
        const isWhole = standing === own.length || (standing === 0 && outcome !== 'stands')
        if (!isWhole || (outcome === 'refused' && standing > 0)) t.fail(`${outcome}: ${standing} of ${own.length}`)
      }
      t.equal(ids.size, events.length, 'nothing stands twice')
      for (const number of [1, 2, 3, 4]) {
        const stream: StreamName = `shelf-${number}`
        const own = events.filter((event) => event.stream === stream)
        t.same(
          own.map(({ revision }) => revision),
          own.map((_, index) => index),
        )
        for (const reader of [...nodes, store]) t.same(await reader.read(stream), own)
      }
      await until(() => seen.length >= events.length)
      abort.abort()
      await following
      t.same(seen, idsOf(events))
    }),
    { numRuns: 6 },
  )
  t.ok(stood > 0, 'some calls stand')
})
