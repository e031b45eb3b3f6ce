import { getEventListeners } from 'node:events'
import t from 'tap'
import * as v from 'valibot'
import { en } from '../domains/of-all.ts'
import { call } from '../kernel/call.ts'
import { anonymous, type Context } from '../kernel/context.ts'
import type { Decider } from '../kernel/decider.ts'
import { EngineError, wrongExpectedRevision } from '../kernel/errors.ts'
import type { Event, NewEvent, RecordedEvent } from '../kernel/event.ts'
import { type ExpectedRevision, type Storage, wrapStore } from '../kernel/event-store.ts'
import { operation } from '../kernel/operation.ts'
import type { Query, ReadModel, Row } from '../kernel/read-model.ts'
import { outside } from '../testing/context.ts'
import { createMemoryVault } from '../testing/vault.test.fixture.ts'
import { people } from '../testing/world.test.fixture.ts'
import { decideAppend, decideAppends } from './append.ts'
import { changesIn } from './changes.ts'
import { createCollectingStore, isCollectedConflict } from './collect.ts'
import { execute, retryOnConflict } from './execute.ts'
import { createFeed, matchesFilter, type ReadPage } from './follow.ts'
import { createKeyedQueue } from './keyed-queue.ts'
import { createMemoryStore } from './memory.ts'
import { createMemoryModels } from './memory-models.ts'
import { callAnswered, perform, preview } from './perform.ts'
import { sealedStore } from './sealed.ts'
import { nextNumbers, numberTaken } from './sequence.ts'
import { createTools } from './tools.ts'

const metadata = { schemaVersion: 1 }

function event(id: string): NewEvent {
  return { id, type: 'SomethingHappened', data: {}, metadata }
}

function recorded(index: number, stream = 'shelf-1'): RecordedEvent {
  return { ...event(`${index}`), stream, revision: index, position: String(index).padStart(4, '0'), recordedAt: '' }
}

/** A stream whose events have these ids, and how often the ids were asked for. */
function headOf(...ids: readonly string[]) {
  const asked: number[] = []
  const idsFrom = (from: number, limit: number) => {
    asked.push(from)
    return ids.slice(from, from + limit)
  }
  return { revision: ids.length - 1, idsFrom, asked }
}

function append(expected: ExpectedRevision, ...ids: readonly string[]) {
  return { stream: 'shelf-1', events: ids.map(event), expected } as const
}

t.test('given the right expected revision, when an append is decided, then no ids are read', async (t) => {
  const head = headOf('a', 'b', 'c')
  t.same(decideAppend(append(2, 'd'), head), { at: 3 })
  t.same(decideAppend(append('no-stream', 'd'), headOf()), { at: 0 })
  t.throws(() => decideAppend(append(3, 'd'), head), wrongExpectedRevision('shelf-1', 3, 2))
  t.same(head.asked, [])
})

t.test(
  'given an earlier belief, when an append is decided, then only the ids after it tell whether it is a repetition',
  async (t) => {
    const head = headOf('a', 'b', 'c', 'd')
    t.same(decideAppend(append(0, 'b', 'c'), head), { repeated: 2 })
    t.same(decideAppend(append('no-stream', 'a'), head), { repeated: 0 })
    t.same(head.asked, [1, 0])
    t.throws(() => decideAppend(append(0, 'c', 'b'), head), wrongExpectedRevision('shelf-1', 0, 3))
    t.throws(() => decideAppend(append(2, 'd', 'e'), head), wrongExpectedRevision('shelf-1', 2, 3))
  },
)

t.test(
  'given an id that stands twice, when it is sent without a belief, then its first place is answered',
  async (t) => {
    t.same(decideAppend(append('any', 'a'), headOf('a', 'b', 'a')), { repeated: 0 })
  },
)

t.test(
  'given several appends, when one is refused, then it is the first wrong one in the order of the call',
  async (t) => {
    const appends = [
      append('any', 'x'),
      { ...append(5, 'y'), stream: 'shelf-2' as const },
      { ...append(6, 'z'), stream: 'shelf-3' as const },
    ]
    t.throws(() => decideAppends(appends, () => headOf('a')), wrongExpectedRevision('shelf-2', 5, 0))
    t.same(
      decideAppends(appends.slice(0, 1), () => headOf('a')).map(({ decision }) => decision),
      [{ at: 1 }],
    )
  },
)

/** Pages of a log that grows, and the positions that were asked for. */
function pagesOf(log: RecordedEvent[]) {
  const asked: (string | undefined)[] = []
  const readPage: ReadPage = async (after, filter, limit) => {
    asked.push(after)
    const events = log
      .filter(({ position, stream }) => position > (after ?? '') && matchesFilter(filter, stream))
      .slice(0, limit)
    return { events, next: events.length === limit ? events.at(-1)?.position : log.at(-1)?.position }
  }
  return { readPage, asked }
}

/** Lets everything that is ready run. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

t.test('given a full page, when the feed is read, then the next page begins where it ended', async (t) => {
  const { readPage, asked } = pagesOf(Array.from({ length: 1000 }, (_, index) => recorded(index)))
  let [count, looks] = [0, 0]
  const passed = () => void looks++
  for await (const _ of createFeed(readPage).readAll(undefined, { passed })) count += 1
  t.equal(count, 1000)
  t.same(asked, [undefined, '0499', '0999'])
  t.equal(looks, 3, 'which the reader is told of')
})

t.test('given a follower, when only other streams are announced, then it does not read', async (t) => {
  const log = [recorded(0)]
  const { readPage, asked } = pagesOf(log)
  const feed = createFeed(readPage)
  t.equal(feed.hasFollowers(), false)
  const follower = feed.follow(undefined, { category: 'shelf' }, new AbortController().signal)[Symbol.asyncIterator]()
  await follower.next()
  const coming = follower.next()
  await settled()
  t.equal(feed.hasFollowers(), true)
  log.push(recorded(1, 'box-1'))
  feed.announce(['box-1'])
  await settled()
  t.same(asked, [undefined])
  log.push(recorded(2))
  feed.announce(['box-1', 'shelf-1'])
  t.equal((await coming).value?.id, '2')
  t.same(asked, [undefined, '0000'])
  const later = follower.next()
  log.push(recorded(3))
  feed.announce()
  t.equal((await later).value?.id, '3', 'without names, any stream may have grown')
  await follower.return?.()
  t.equal(feed.hasFollowers(), false)
})

t.test(
  'given a stream that grows while a page is read, when that was announced, then the follower looks again',
  async (t) => {
    const log: RecordedEvent[] = []
    const { readPage } = pagesOf(log)
    const feed = createFeed(async (...page) => {
      const answer = await readPage(...page)
      if (log.length === 0) {
        log.push(recorded(0))
        feed.announce(['shelf-1'])
      }
      return answer
    })
    const follower = feed.follow(undefined, {}, new AbortController().signal)[Symbol.asyncIterator]()
    t.equal((await follower.next()).value?.id, '0')
    await follower.return?.()
  },
)

t.test(
  'given a page that cannot be read, when somebody follows, then the follower fails unless it was ended',
  async (t) => {
    const feed = createFeed(() => Promise.reject(new EngineError('store_unavailable')))
    const follow = (signal: AbortSignal) => feed.follow(undefined, {}, signal)[Symbol.asyncIterator]().next()
    await t.rejects(follow(new AbortController().signal), { code: 'store_unavailable' })
    const abort = new AbortController()
    const ending = follow(abort.signal)
    abort.abort()
    t.same(await ending, { value: undefined, done: true })
    t.equal(feed.hasFollowers(), false)
    t.same(getEventListeners(abort.signal, 'abort'), [], 'the signal of the caller keeps no listener')
  },
)

t.test(
  'given streams, when they are held against a filter, then the stream and the category both have to fit',
  async (t) => {
    t.ok(matchesFilter({}, 'shelf-1'))
    t.ok(matchesFilter({ stream: 'shelf-1', category: 'shelf' }, 'shelf-1'))
    t.notOk(matchesFilter({ stream: 'shelf-1', category: 'box' }, 'shelf-1'))
    t.notOk(matchesFilter({ stream: 'shelf-1' }, 'shelf-12'))
    t.notOk(matchesFilter({ category: 'shelf' }, 'shelves-1'))
  },
)

t.test(
  'given lost races, when an attempt is repeated, then it is until it wins, or has lost 1,000 times',
  async (t) => {
    let count = 0
    const winsAt = (attempt: number) => async () => {
      count += 1
      if (count < attempt) throw wrongExpectedRevision('shelf-1', 0, 1)
      return count
    }
    t.equal(await retryOnConflict(winsAt(1000)), 1000)
    count = 0
    await t.rejects(retryOnConflict(winsAt(1001)), { code: 'contention' })
    t.equal(count, 1000)
  },
)

t.test('given many writers that lose a race, when they retry, then they take turns and each wins', async (t) => {
  const store = createMemoryStore(() => 0)
  let attempts = 0
  const write = (id: string) =>
    retryOnConflict(async () => {
      attempts += 1
      const stood = await store.read('shelf-1')
      return store.append('shelf-1', [event(id)], stood.at(-1)?.revision ?? 'no-stream')
    })
  await Promise.all(Array.from({ length: 50 }, (_, index) => write(`${index}`)))
  t.equal((await store.read('shelf-1')).length, 50)
  t.equal(attempts, 99, 'the first wins at once, every other one with its second attempt')
})

t.test('given any other failure, when an attempt meets it, then it is not retried', async (t) => {
  let count = 0
  const failing = async () => {
    count += 1
    throw new EngineError('store_unavailable')
  }
  await t.rejects(retryOnConflict(failing), { code: 'store_unavailable' })
  t.equal(count, 1)
})

type Counted = Event<'Counted', { readonly total: number }>

/** Counts to ten, one at a time; the command may ask for nothing. */
const counting: Decider<number, 'count' | 'rest', Counted> = {
  initial: () => 0,
  evolve: (_, { data }) => data.total,
  decide: (command, total) => {
    if (total === 10) throw new EngineError('too_many_events', { limit: 10 })
    return command === 'rest' ? [] : [{ type: 'Counted', data: { total: total + 1 } }]
  },
}

let nextId = 0
const dress = (fact: Counted): NewEvent<Counted> => ({ ...fact, id: `id-${nextId++}`, metadata })

t.test('given a decider, when commands come at once, then each decides on the results of the others', async (t) => {
  const store = createMemoryStore(() => 0)
  await Promise.all(Array.from({ length: 10 }, () => execute(store, counting, 'counter-1', 'count', dress)))
  const totals = (await store.read('counter-1')).map(({ data }) => (data as Counted['data']).total)
  t.same(totals, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  await t.rejects(execute(store, counting, 'counter-1', 'count', dress), { code: 'too_many_events' })
})

t.test('given a command without effect, when it is executed, then nothing is appended', async (t) => {
  const store = createMemoryStore(() => 0)
  t.same(await execute(store, counting, 'counter-1', 'rest', dress), [])
  t.same(await store.read('counter-1'), [])
  const [counted] = await execute(store, counting, 'counter-1', 'count', dress)
  t.match(await store.read('counter-1'), [counted ?? {}])
})

t.test('given a collecting store', async (t) => {
  async function collected() {
    const store = createMemoryStore(() => 0)
    await store.append('shelf-1', [event('a'), event('b')], 'no-stream')
    return { store, over: createCollectingStore(store, () => 0) }
  }
  const ids = (events: readonly RecordedEvent[]) => events.map(({ id }) => id)

  t.test('then collected events read as if they were recorded, in every range and direction', async (t) => {
    const { over } = await collected()
    const appended = await over.append('shelf-1', [event('c'), event('d')], 1)
    t.match(
      [appended, await over.append('shelf-2', [event('e')], 'no-stream')],
      [
        { stream: 'shelf-1', revision: 3 },
        { stream: 'shelf-2', revision: 0 },
      ],
    )
    const real = createMemoryStore(() => 0)
    await real.append('shelf-1', ['a', 'b', 'c', 'd'].map(event), 'no-stream')
    for (const range of [
      ...[{}, { from: 1 }, { from: 3, limit: 1 }, { limit: 0 }, { from: 9 }],
      ...[
        { backwards: true },
        { backwards: true, from: -1 },
        { backwards: true, from: 2, limit: 2 },
        { backwards: true, limit: 1 },
      ],
    ])
      t.same(ids(await over.read('shelf-1', range)), ids(await real.read('shelf-1', range)), JSON.stringify(range))
    t.match(await over.last('shelf-1'), { id: 'd', revision: 3 })
    t.same(ids(await over.read('shelf-2')), ['e'])
  })
  t.test('then nothing is recorded until the collected events are', async (t) => {
    const { store, over } = await collected()
    const before = await store.latest()
    await over.append('shelf-1', [event('c')], 1)
    await over.append('shelf-1', [event('d')], 2)
    t.equal(await store.latest(), before)
    await store.appendMany(over.appends())
    t.same(ids(await store.read('shelf-1')), ['a', 'b', 'c', 'd'])
  })
  t.test('then it checks expected revisions like a store, also against collected events', async (t) => {
    const { over } = await collected()
    await over.append('shelf-1', [event('c')], 1)
    await t.rejects(over.append('shelf-1', [event('x')], 1), { code: 'wrong_expected_revision' })
    await t.rejects(over.append('shelf-1', [event('x')], 'no-stream'), { code: 'wrong_expected_revision' })
    t.equal((await over.append('shelf-1', [event('c')], 1)).revision, 2, 'a repetition')
    await over.append('shelf-1', [event('d')], 'stream-exists')
    await t.rejects(over.append('shelf-9', [event('x')], 'stream-exists'), { code: 'wrong_expected_revision' })
    t.same(ids(await over.read('shelf-1')), ['a', 'b', 'c', 'd'])
  })
  t.test('then its appends are refused if another writer was faster', async (t) => {
    const { store, over } = await collected()
    await over.append('shelf-1', [event('c')], 'any')
    await store.append('shelf-1', [event('z')], 1)
    await t.rejects(store.appendMany(over.appends()), { code: 'wrong_expected_revision' })
  })
  t.test('then a collected stream can no longer be read once another writer has appended to it', async (t) => {
    const { store, over } = await collected()
    await over.append('shelf-1', [event('c')], 1)
    await store.append('shelf-1', [event('z')], 1)
    const refusal = await over.read('shelf-1').catch((error: unknown) => error)
    t.match(refusal, { code: 'wrong_expected_revision', params: { stream: 'shelf-1' } })
    t.ok(isCollectedConflict(refusal), 'only the one who began to collect can begin again')
    t.same(ids(await over.read('shelf-2')), [], 'other streams still can')
  })
})

/** Gives a thing the next number, and refuses the thing called `bad` after it has been numbered. */
const number = operation({
  name: 'number',
  summary: 'Number a thing.',
  scopes: [],
  risk: 'medium',
  input: v.strictObject({ name: v.string() }),
  output: v.strictObject({ result: v.literal(true), id: v.number() }),
  errors: [],
  handle: (context, { name }) =>
    retryOnConflict(async () => {
      const { first, append } = await nextNumbers(context, 'thing')
      const made = { ...event(context.randomId()), data: { name } }
      await context.store.appendMany([append, { stream: `thing-${first}`, events: [made], expected: 'no-stream' }])
      if (name === 'bad') throw new EngineError('invalid_input', { count: 1 })
      return { result: true, id: first }
    }),
})

function contextOn(store: Storage, name = 'ann'): Context {
  return {
    ...outside,
    ...{ store, models: createMemoryModels(store), clock: () => 0, randomId: () => crypto.randomUUID() },
    ...{ profiles: [] as never, formats: [] as never, baseUrl: '', messages: en, requestId: 'r' },
    caller: { kind: 'operator', name, scopes: [] },
  }
}

t.test('given many who take a number at once, then each gets its own and none is skipped', async (t) => {
  const context = contextOn(createMemoryStore(() => 0))
  const answers = await Promise.all(Array.from({ length: 20 }, () => call(number, context, { name: 'a' })))
  const ids = answers.map(({ id }) => id as number).sort((one, other) => one - other)
  t.same(
    ids,
    Array.from({ length: 20 }, (_, index) => index + 1),
  )
})

t.test('given a preview, then it returns what would be done, and takes no number', async (t) => {
  const store = createMemoryStore(() => 0)
  const seen = await preview(number, contextOn(store), { name: 'a' })
  t.same(seen.answer, { result: true, id: 1 })
  t.same(changesIn(seen.appends, anonymous), [{ about: 'thing 1', fact: 'SomethingHappened', to: { name: 'a' } }])
  t.equal(await store.latest(), undefined)
})

t.test('given an idempotency key', async (t) => {
  t.test('then a repeated or concurrent request runs once and returns the first result', async (t) => {
    const store = createMemoryStore(() => 0)
    const again = () => perform(number, contextOn(store), { name: 'a' }, 'key')
    const answers = await Promise.all([again(), again(), again()])
    t.same([...answers, await again()], Array(4).fill({ result: true, id: 1 }))
    t.equal((await store.read('sequence-thing')).length, 1)
  })
  t.test('then concurrent requests call external systems once', async (t) => {
    const store = createMemoryStore(() => 0)
    let sent = 0
    const send = operation({
      ...{ name: 'send', summary: 'Send.', scopes: [], risk: 'medium', errors: [] },
      input: v.strictObject({}),
      output: v.strictObject({ result: v.literal(true), sent: v.number() }),
      handle: async () => {
        await new Promise((resolve) => setImmediate(resolve))
        return { result: true, sent: ++sent }
      },
    })
    const again = () => perform(send, contextOn(store), {}, 'key')
    t.same(await Promise.all([again(), again(), again()]), Array(3).fill({ result: true, sent: 1 }))
    t.equal(sent, 1)
    // A view need not show what was recorded after its request had begun.
    const later = () => perform(send, contextOn({ ...store, read: async () => [], origin: store }), {}, 'other')
    t.same(await Promise.all([later(), later()]), Array(2).fill({ result: true, sent: 2 }))
  })
  t.test('then another request with it is refused, and the key of another caller is independent', async (t) => {
    const store = createMemoryStore(() => 0)
    await perform(number, contextOn(store), { name: 'a' }, 'key')
    await t.rejects(perform(number, contextOn(store), { name: 'b' }, 'key'), { code: 'idempotency_key_reused' })
    t.match(await perform(number, contextOn(store, 'bob'), { name: 'b' }, 'key'), { id: 2 })
  })
  t.test('then a refusal is not stored, and nothing of it is recorded', async (t) => {
    const store = createMemoryStore(() => 0)
    await t.rejects(perform(number, contextOn(store), { name: 'bad' }, 'key'), { code: 'invalid_input' })
    t.equal(await store.latest(), undefined)
    t.match(await perform(number, contextOn(store), { name: 'good' }, 'key'), { id: 1 })
  })
})

t.test('given a handler whose collected appends are overtaken', async (t) => {
  /** Renames two shelves in two steps, and retries by itself; `between` runs after the first. */
  function renaming(between: () => Promise<unknown>) {
    const rename = (context: Context, shelf: string) =>
      retryOnConflict(async () => {
        const last = await context.store.last(`shelf-${shelf}`)
        await context.store.append(`shelf-${shelf}`, [event(context.randomId())], last?.revision ?? 'no-stream')
        return (last?.revision ?? -1) + 1
      })
    return operation({
      ...{ name: 'rename', summary: 'Rename two shelves.', scopes: [], risk: 'medium', errors: [] },
      input: v.strictObject({}),
      output: v.strictObject({ result: v.literal(true), first: v.number(), second: v.number() }),
      handle: async (context) => {
        const first = await rename(context, '1')
        await between()
        return { result: true, first, second: await rename(context, '1') }
      },
    })
  }

  t.test('then the whole call starts again, and nothing of the lost attempt remains', async (t) => {
    const store = createMemoryStore(() => 0)
    let isFirst = true
    const overtake = async () => {
      if (isFirst) await store.append('shelf-1', [event('other')], 'any')
      isFirst = false
    }
    const done = await perform(renaming(overtake), contextOn(store), {}, 'key')
    t.same(done, { result: true, first: 1, second: 2 })
    t.equal((await store.read('shelf-1')).length, 3)
  })
  t.test('then many concurrent calls all finish, each done once', async (t) => {
    const store = createMemoryStore(() => 0)
    const pause = () => new Promise((resolve) => setImmediate(resolve))
    const slow: Storage = {
      ...store,
      last: async (stream) => {
        await pause()
        return store.last(stream)
      },
      read: async (stream, range) => {
        await pause()
        return store.read(stream, range)
      },
    }
    const calls = Array.from({ length: 20 }, (_, index) =>
      perform(renaming(pause), contextOn(slow), {}, index % 2 === 0 ? `key-${index}` : undefined),
    )
    await Promise.all(calls)
    t.equal((await store.read('shelf-1')).length, 40)
  })
})

t.test('given appends of every kind, when their changes are listed, then each says what it changes', async (t) => {
  const changed = (type: string, data: unknown): NewEvent => ({ ...event(type), type, data })
  const appends = [
    {
      ...{ stream: 'device_order_item-12-3' as const, expected: 'any' as const },
      events: [
        changed('Moved', { from: 'new', to: 'sent', at: 'noon', by: 'ann', price: 3 }),
        changed('Named', { to: 'Ann', price: 3, at: 'noon', by: 'ann', personal: { name: 'Ann' } }),
        changed('Weighed', { weight: 5 }),
        changed('Emptied', 'all'),
        changed('Priced', { from: 3, to: 4 }),
      ],
    },
    { stream: 'sequence-order' as const, expected: 'any' as const, events: [changed(numberTaken, { last: 1 })] },
    { stream: 'idempotency-1' as const, expected: 'any' as const, events: [changed(callAnswered, { answer: {} })] },
  ]
  const about = 'device order item 12-3'
  const staff = { kind: 'operator', name: 'ann', scopes: [] } as const
  t.same(changesIn(appends, staff), [
    { about, fact: 'Moved', from: 'new', to: 'sent' },
    { about, fact: 'Named', to: { to: 'Ann', price: 3 } },
    { about, fact: 'Weighed', to: { weight: 5 } },
    { about, fact: 'Emptied', to: {} },
    { about, fact: 'Priced', from: 3, to: 4 },
  ])
  const account = { ...people.customer, hiddenPrices: ['device_orders'] } as const
  const customer = { kind: 'account', name: '7', scopes: [], account } as const
  t.same(
    changesIn(appends, customer),
    [
      { about, fact: 'Moved', from: 'new', to: 'sent' },
      { about, fact: 'Named', to: { to: 'Ann' } },
      { about, fact: 'Weighed', to: {} },
      { about, fact: 'Emptied', to: {} },
      { about, fact: 'Priced', to: {} },
    ],
    'who does not see all prices sees the changes of status alone',
  )
})

t.test(
  'given tools, when one is looked up or called by name, then only operations with a tool are found',
  async (t) => {
    const look = operation({
      ...{ name: 'look', summary: 'Look.', scopes: ['thing:read'], risk: 'low', errors: [] },
      ...{ mcp: { title: 'Look at it' }, input: v.strictObject({ id: v.number() }), output: v.strictObject({}) },
      handle: async () => ({}),
    })
    const tool = operation({ ...number, name: 'number_tool', mcp: { title: 'Number it' } })
    const tools = createTools([look, tool, number])
    t.equal(tools.find('number'), undefined)
    t.same(tools.find('look'), {
      name: 'look',
      title: 'Look at it',
      scopes: ['thing:read'],
      risk: 'low',
      writes: false,
    })
    t.same(tools.find('number_tool'), {
      name: 'number_tool',
      title: 'Number it',
      scopes: [],
      risk: 'medium',
      writes: true,
    })
    const store = createMemoryStore(() => 0)
    const context = contextOn(store)
    t.throws(() => tools.authorizeAndValidate(context, 'number', {}), {
      code: 'unknown_tool',
      params: { received: 'number' },
    })
    t.throws(() => tools.authorizeAndValidate(context, 'look', { id: 1 }), { code: 'forbidden' })
    t.throws(() => tools.authorizeAndValidate(context, 'number_tool', {}), { code: 'invalid_input' })
    tools.authorizeAndValidate(context, 'number_tool', { name: 'a' })
    t.match(await tools.preview(context, 'number_tool', { name: 'a' }), { answer: { id: 1 }, appends: [{}, {}] })
    await t.rejects(tools.preview(context, 'number_tool', {}), { code: 'invalid_input' })
    t.equal(await store.latest(), undefined)
  },
)

t.test('given a recorded answer, when its request is repeated, then the caller is told that it is one', async (t) => {
  const store = createMemoryStore(() => 0)
  let replays = 0
  const again = (key?: string) => perform(number, contextOn(store), { name: 'a' }, key, () => replays++)
  await again('key')
  t.equal(replays, 0)
  await again('key')
  t.equal(replays, 1)
  t.match(await again(), { id: 2 })
  t.match(await again(), { id: 3 }, 'without a key, each request is another one')
  t.equal(replays, 1)
  const answered: RecordedEvent[] = []
  for await (const one of store.readAll(undefined, { category: 'idempotency' })) answered.push(one)
  t.match(answered[0], {
    ...{ type: callAnswered, data: { answer: { id: 1 } } },
    metadata: { actor: 'operator:ann', correlationId: 'r', schemaVersion: 1 },
  })
})

t.test('given an operation that only reads, or whose answer is secret, then its answer is not recorded', async (t) => {
  const store = createMemoryStore(() => 0)
  let count = 0
  const parts = {
    ...{ name: 'count', summary: 'Count.', scopes: [], errors: [], input: v.strictObject({}) },
    ...{ output: v.strictObject({ count: v.number() }), handle: async () => ({ count: ++count }) },
  }
  const reading = operation({ ...parts, risk: 'low' })
  const secret = operation({ ...parts, risk: 'medium', secret: true })
  for (const one of [reading, secret, reading, secret]) await perform(one, contextOn(store), {}, 'key')
  t.equal(count, 4)
  t.equal(await store.latest(), undefined)
})

t.test(
  'given tasks of one key, when one fails, then the next ones run, in order, and another key does not wait',
  async (t) => {
    const queue = createKeyedQueue<string>()
    const done: string[] = []
    let release = () => {}
    const first = queue('a', async () => {
      await new Promise<void>((resolve) => {
        release = resolve
      })
      done.push('a1')
      throw new Error('a1 failed')
    })
    const second = queue('a', async () => done.push('a2'))
    await queue('b', async () => done.push('b'))
    t.same(done, ['b'])
    release()
    await t.rejects(first, { message: 'a1 failed' })
    t.equal(await second, 3, 'the result of the task is returned')
    await queue('a', async () => done.push('a3'))
    t.same(done, ['b', 'a1', 'a2', 'a3'])
  },
)

t.test('given read models in memory', async (t) => {
  const boxes: ReadModel = {
    ...{ name: 'boxes', version: 1, category: 'shelf', key: ['shelf', 'box'], indexes: [] },
    columns: { shelf: 'text', box: 'integer', label: 'text', weight: 'integer' },
    rows: ({ data }) => [data as Row],
  }
  async function filled(...rows: readonly Row[]) {
    const store = createMemoryStore(() => 0)
    const put = (...more: readonly Row[]) =>
      store.append(
        'shelf-1',
        more.map((data, index) => ({ ...event(crypto.randomUUID()), data, index })),
        'any',
      )
    await put(...rows)
    const asked: (string | undefined)[] = []
    const readAll: Storage['readAll'] = (after, filter) => {
      asked.push(after)
      return store.readAll(after, filter)
    }
    return { put, asked, store, models: createMemoryModels({ readAll }) }
  }
  const labels = (rows: readonly Row[]) => rows.map(({ shelf, box }) => `${shelf}${box}`).join(' ')

  t.test(
    'then rows come in the order of the key, by code points and numbers, at most as many as asked for',
    async (t) => {
      const names = ['b', 'a', 'ab', '', 'z', '\u{1f4a3}', '\uffff', 'é']
      const { models } = await filled(
        ...names.map((shelf) => ({ shelf, box: 1 })),
        { shelf: 'a', box: 10 },
        { shelf: 'a', box: 2 },
      )
      t.equal(labels(await models.rows(boxes, {})), '1 a1 a2 a10 ab1 b1 z1 é1 \uffff1 \u{1f4a3}1')
      t.equal(labels(await models.rows(boxes, {}, 3)), '1 a1 a2')
      t.equal(labels(await models.rows(boxes, { shelf: 'a' }, 2)), 'a1 a2')
      t.equal(labels(await models.rows(boxes, { label: null, box: 10 })), 'a10')
    },
  )
  t.test('then a cell keeps its value until it is set again, and is null before', async (t) => {
    const { models, put } = await filled({ shelf: 'a', box: 1, weight: 5 })
    t.same(await models.rows(boxes, {}), [{ shelf: 'a', box: 1, label: null, weight: 5 }])
    await put({ shelf: 'a', box: 1, label: 'x' }, { shelf: 'a', box: 2 })
    t.same(await models.rows(boxes, {}), [
      { shelf: 'a', box: 1, label: 'x', weight: 5 },
      { shelf: 'a', box: 2, label: null, weight: null },
    ])
  })
  t.test('then a query reads only the events after the last one', async (t) => {
    const { models, put, store, asked } = await filled({ shelf: 'a', box: 1 })
    await models.rows(boxes, {})
    const first = await store.latest()
    await put({ shelf: 'a', box: 2 })
    await Promise.all([models.rows(boxes, {}), models.counts(boxes, 'shelf')])
    t.same(asked, [undefined, first, first])
    t.equal(labels(await models.rows(boxes, {})), 'a1 a2')
  })
  t.test('then a page has a part of the matching rows, and their number', async (t) => {
    const weights = [5, 1, 3, null, 4]
    const { models } = await filled(...weights.map((weight, index) => ({ shelf: 'a', box: index + 1, weight })))
    const page = async (query: Query) => {
      const { rows, total } = await models.page(boxes, query)
      return `${labels(rows)} of ${total}`
    }
    t.equal(await page({ limit: 2 }), 'a1 a2 of 5')
    t.equal(await page({ limit: 2, offset: 4 }), 'a5 of 5')
    t.equal(await page({ limit: 2, offset: 1, newestFirst: true }), 'a4 a3 of 5')
    t.equal(await page({ limit: 9, orderBy: 'weight' }), 'a4 a2 a3 a5 a1 of 5')
    t.equal(await page({ limit: 2, orderBy: 'weight', newestFirst: true }), 'a1 a5 of 5')
    t.equal(await page({ limit: 9, between: { weight: [3, 4] } }), 'a3 a5 of 2')
    t.equal(await page({ limit: 9, between: { weight: [4, undefined] } }), 'a1 a5 of 2')
    t.equal(await page({ limit: 9, between: { weight: [undefined, 1] } }), 'a2 of 1')
    t.equal(await page({ limit: 9, between: { weight: [null, undefined] } }), ' of 0')
    t.equal(await page({ limit: 9, between: { weight: [undefined, null] } }), ' of 0')
    t.equal(await page({ limit: 9, among: { weight: [1, null] }, where: { shelf: 'a' } }), 'a2 a4 of 2')
    for (const query of [
      { limit: -1 },
      { limit: 1, offset: 0.5 },
      { limit: 1, where: { colour: 'red' } },
      { limit: 1, orderBy: 'colour' },
    ])
      await t.rejects(models.page(boxes, query), RangeError)
  })
  t.test('then counts are by value', async (t) => {
    const { models } = await filled(
      ...[
        { shelf: 'a', box: 1, label: 'x' },
        { shelf: 'a', box: 2, label: 'x' },
        { shelf: 'b', box: 1 },
      ],
    )
    t.same(
      [...(await models.counts(boxes, 'label'))],
      [
        ['x', 2],
        [null, 1],
      ],
    )
    t.same(
      [...(await models.counts(boxes, 'label', { where: { box: 1 } }))],
      [
        ['x', 1],
        [null, 1],
      ],
    )
    await t.rejects(models.counts(boxes, 'colour'), RangeError)
  })
})

t.test(
  'given a call of many new streams, then others are served while keys are made, events are sealed, and keys are noted',
  async (t) => {
    let pauses = 0
    const pause = async () => void pauses++
    const sealing = { vault: createMemoryVault(), upcasts: {}, erasures: [], pause }
    const store = sealedStore(
      createMemoryStore(() => 0),
      sealing,
    )
    const appends = Array.from({ length: 1_000 }, (_, index) => ({
      stream: `shelf-${index}` as const,
      events: [
        { id: '00000000-0000-4000-8000-000000000001', type: 'Noted', metadata, data: { personal: { name: 'Ann' } } },
      ],
      expected: 'no-stream' as const,
    }))
    await store.appendMany(appends)
    t.equal(pauses, 3 * 49)
  },
)

t.test(
  'given sealed events, when a reader opens some of them, then those are opened and upcast, and the others come as they are stored',
  async (t) => {
    const plain = createMemoryStore(() => 0)
    const upcasts = { Noted: [(data: object) => ({ ...data, isLifted: true })], Erased: [] }
    const store = sealedStore(plain, { vault: createMemoryVault(), upcasts, erasures: ['Erased'] })
    const noted = (index: number): NewEvent => ({
      ...{ id: `00000000-0000-4000-8000-00000000000${index}`, type: 'Noted', metadata },
      data: { index, personal: { name: `Ann ${index}` } },
    })
    await store.append('shelf-1', [noted(1), noted(2)], 'no-stream')
    const opens = ({ data }: RecordedEvent) => (data as { readonly index: number }).index === 2
    const read = async (filter: Parameters<typeof store.readAll>[1]) => {
      const all: RecordedEvent['data'][] = []
      for await (const { data } of store.readAll(undefined, filter)) all.push(data)
      return all
    }
    const [one, two] = await read({ category: 'shelf', opens })
    t.match(one, { index: 1, personal: String, isLifted: undefined })
    t.same(two, { index: 2, personal: { name: 'Ann 2' }, isLifted: true })
    t.match(
      await read({}),
      [{ personal: { name: 'Ann 1' } }, { personal: { name: 'Ann 2' } }],
      'all if it says nothing',
    )
    const ending = new AbortController()
    const followed: RecordedEvent['data'][] = []
    for await (const { data } of store.follow(undefined, { opens }, ending.signal))
      if (followed.push(data) === 2) ending.abort()
    t.same(followed, [one, two])
  },
)

t.test(
  'given a store with views, when an event is written through one, then it is sealed, and opened in both',
  async (t) => {
    const plain = createMemoryStore(() => 0)
    const sealing = { vault: createMemoryVault(), upcasts: {}, erasures: [], roomForStates: { bytes: 5 } }
    const store = sealedStore({ ...plain, forRequest: () => ({ ...plain }) }, sealing)
    const view = store.forRequest?.() ?? store
    await view.append('shelf-1', [{ ...event('Noted'), data: { personal: { name: 'Ann' } } }], 'no-stream')
    t.match((await plain.read('shelf-1'))[0]?.data, { personal: String })
    for (const one of [store, view]) t.match(await one.read('shelf-1'), [{ data: { personal: { name: 'Ann' } } }])
    t.match(view, { origin: store, roomForStates: { bytes: 5 } })
  },
)

t.test('given a store with views, when it is wrapped, then its views are, too', async (t) => {
  const plain = createMemoryStore(() => 0)
  const read: string[] = []
  const store = wrapStore({ ...plain, forRequest: () => ({ ...plain }) }, (inner) => ({
    read: (stream, range) => {
      read.push(stream)
      return inner.read(stream, range)
    },
  }))
  await store.read('shelf-1')
  await store.forRequest?.().read('shelf-2')
  await store.forRequest?.().origin?.read('shelf-3')
  t.same(read, ['shelf-1', 'shelf-2', 'shelf-3'], 'also what is read past a view')
  t.equal(wrapStore(plain, () => ({})).forRequest, undefined)
})
