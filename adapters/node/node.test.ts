import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { type Code, createMemoryStore, isoOf, startLife } from '../../engine/index.ts'
import { cached, cachedBytes } from '../../projections/shared/template/index.ts'
import { dropCachedTexts } from './cached-texts.ts'
import { createFairQueue } from './fair-queue.ts'
import { type Heartbeat, isForgotten, noteHeld, readNodes } from './heartbeats.ts'
import { once } from './once.ts'
import { optional } from './optional.ts'
import { createServer } from './server-state.ts'
import { createPatientLeases, createWait } from './wait.ts'

t.test('given many who ask at once, when it is made, then it is made once and all have the same', async (t) => {
  let made = 0
  const ask = once(async () => ({ number: ++made }))
  const all = await Promise.all(Array.from({ length: 10 }, ask))
  t.ok(all.every((one) => one === all[0]))
  t.equal(await ask(), all[0])
  t.equal(made, 1)
})

t.test('given a failure, when others ask later, then it is tried again', async (t) => {
  let tries = 0
  const ask = once(async () => {
    if (++tries === 1) throw new Error('not yet')
    return tries
  })
  const [first, second] = await Promise.allSettled([ask(), ask()])
  t.match([first, second], [{ reason: { message: 'not yet' } }, { reason: { message: 'not yet' } }])
  t.equal(await ask(), 2)
})

t.test('given a package that is missing, when it is loaded, then the error says how to install it', async (t) => {
  const missing = (name: string) => () =>
    Promise.reject(Object.assign(new Error(`Cannot find package '${name}'`), { code: 'ERR_MODULE_NOT_FOUND' }))
  const said = /^Labels need a package that is not installed: npm i a-package@latest$/
  await t.rejects(optional('Labels', 'a-package', missing('a-package')), { message: said })
  await t.rejects(optional('Labels', 'a-package', missing('another')), { message: /Cannot find package 'another'/ })
  t.equal(await optional('Labels', 'a-package', async () => 'loaded'), 'loaded')
})

/** A job that ends when the test says so. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

/** Lets all that can go on do so. */
const pause = () => new Promise((resolve) => setImmediate(resolve))

t.test('given one caller with many jobs, when another has one, then it is next but one', async (t) => {
  const queue = createFairQueue({ running: 1, runningOfOne: 1, waiting: 100, waitingOfOne: 50 })
  const done: string[] = []
  const jobs = [...Array.from({ length: 50 }, () => 'greedy'), 'modest', 'other']
  await Promise.all(jobs.map((caller) => queue.run(caller, async () => void done.push(caller))))
  t.equal(done.length, 52)
  t.ok(done.indexOf('modest') <= 3, `modest came at ${done.indexOf('modest')}`)
  t.ok(done.indexOf('other') <= 4, `other came at ${done.indexOf('other')}`)
  t.strictSame(queue.state(), { running: 0, waiting: 0 })
})

t.test('given a caller whose job runs, when it has another one, then that waits though there is room', async (t) => {
  const queue = createFairQueue({ running: 3, runningOfOne: 1, waiting: 10, waitingOfOne: 10 })
  const first = gate()
  const begun: string[] = []
  const start = (name: string, caller: string, until = Promise.resolve()) =>
    queue.run(caller, () => {
      begun.push(name)
      return until
    })
  const all = [start('one', 'a', first.opened), start('two', 'a'), start('three', 'b')]
  await pause()
  t.strictSame(begun, ['one', 'three'])
  t.strictSame(queue.state(), { running: 1, waiting: 1 })
  first.open()
  await Promise.all(all)
  t.strictSame(begun, ['one', 'three', 'two'])
})

t.test(
  'given as many as may wait, when one more comes, then it is refused, and failures free their place',
  async (t) => {
    const queue = createFairQueue({ running: 1, runningOfOne: 1, waiting: 3, waitingOfOne: 2 })
    const first = gate()
    const running = queue.run('a', () => first.opened)
    const failing = queue.run('a', () => Promise.reject(new Error('fails')))
    const waiting = queue.run('a', async () => 'ran')
    await t.rejects(
      queue.run('a', async () => {}),
      { code: 'too_busy' },
      'of one caller',
    )
    const other = queue.run('b', async () => 'ran, too')
    await t.rejects(
      queue.run('c', async () => {}),
      { code: 'too_busy' },
      'of all',
    )
    first.open()
    await running
    await t.rejects(failing, { message: 'fails' })
    t.strictSame(await Promise.all([waiting, other]), ['ran', 'ran, too'])
  },
)

t.test(
  'given a job that has waited for too long, when its turn would come, then it is refused and others go on',
  async (t) => {
    const queue = createFairQueue({ running: 1, runningOfOne: 1, waiting: 3, waitingOfOne: 2, patience: 1 })
    const first = gate()
    const running = queue.run('a', () => first.opened)
    for (const caller of ['a', 'b']) await t.rejects(queue.turn(caller), { code: 'too_busy' })
    t.strictSame(queue.state(), { running: 1, waiting: 0 })
    first.open()
    await running
    t.equal(await queue.run('b', async () => 'ran'), 'ran')
  },
)

t.test(
  'given texts that formats have cached, when the interval has passed, then they are dropped, until the end',
  async (t) => {
    const ending = new AbortController()
    const text = cached((name: string) => name)
    text('Ghent South')
    t.ok(cachedBytes() > 0)
    dropCachedTexts(ending.signal, 1)
    while (cachedBytes() > 0) await setTimeout(1)
    ending.abort()
    text('Ghent South')
    await setTimeout(20)
    t.ok(cachedBytes() > 0)
  },
)

/** Nodes on one store in memory, and a time that only moves when the test says so. */
function crew() {
  const clock = { now: Date.parse('2026-06-10T08:00:00Z') }
  const { leases } = createMemoryStore(() => clock.now)
  const failures: unknown[] = []
  const start = (name: string) => {
    const stopping = new AbortController()
    const noted = noteHeld(leases, name)
    const [since, model] = [isoOf(clock.now), { name: 'orders', version: 1, checkpoint: '7' }]
    const life = startLife(leases, {
      ...{ name, signal: stopping.signal, now: () => clock.now },
      isForgotten: (told) => isForgotten(told, clock.now),
      told: async () => ({
        ...{ name, host: 'here', pid: 1, version: '1.0.0', since, at: isoOf(clock.now), leases: noted.held() },
        models: [{ ...model, isCaughtUp: true, secondsBehind: 0 }],
      }),
      wait: async () => setTimeout(1),
      failed: (error) => failures.push(error),
    })
    const end = () => {
      stopping.abort()
      return life.ended
    }
    return { noted, end }
  }
  const seen = async () =>
    (await readNodes(leases, clock.now)).map(({ name, state, leases }) => `${name} ${state} ${leases.join('+')}`)
  const until = async (nodes: readonly string[]) => {
    while ((await seen()).join() !== nodes.join()) await setTimeout(1)
  }
  return { leases, clock, failures, start, seen, until }
}

t.test(
  'given a node whose clock is ahead, when it has told something, then others do not take it for live',
  async (t) => {
    const { clock, start, seen, until } = crew()
    const node = start('one')
    await until(['one live '])
    clock.now -= 60_000
    t.same(await seen(), ['one live '])
    clock.now -= 1
    t.same(await seen(), ['one unknown '])
    await node.end()
  },
)

t.test('given two nodes, when one takes a lease, loses it and stops, then the other sees each of it', async (t) => {
  const { leases, clock, failures, start, seen, until } = crew()
  const [one, other] = [start('one'), start('other')]
  await until(['one live ', 'other live '])
  await one.noted.leases.write('webhooks', { holder: 'one', term: 1 })
  clock.now += 5_000
  await until(['one live webhooks', 'other live '])
  await other.noted.leases.write('webhooks', { holder: 'other', term: 2 })
  t.same((await seen())[0], 'one live ', 'what another one has is not told, though this node does not know yet')
  clock.now += 5_000
  await until(['one live ', 'other live webhooks'])
  await one.end()
  t.same(await seen(), ['other live webhooks'])
  t.equal((await leases.read('node-1'))?.holder, '')
  await other.end()
  t.same(await seen(), [])
  t.same(failures, [])
})

t.test(
  'given a node that tells nothing, when time passes, then it is lost, forgotten, and its place is free',
  async (t) => {
    const { leases, clock, failures, start, seen, until } = crew()
    const gone = { name: 'gone', host: 'here', pid: 2, version: '1.0.0', since: isoOf(clock.now), at: isoOf(clock.now) }
    await leases.write('node-1', {
      holder: 'gone',
      term: 1,
      checkpoint: JSON.stringify({ ...gone, leases: [], models: [] }),
    })
    t.same(await seen(), ['gone live '])
    clock.now += 61_000
    const other = start('other')
    await until(['gone lost ', 'other live '])
    clock.now += 3_600_000
    await until(['other live '])
    const third = start('third')
    await until(['third live ', 'other live '])
    t.equal((await leases.read('node-3'))?.holder, undefined, 'there are not more records than nodes')
    await Promise.all([other.end(), third.end()])
    t.same(failures, [])
  },
)

t.test('given a node whose place was taken, when it tells again, then it has another one', async (t) => {
  const { leases, clock, start, until } = crew()
  const one = start('one')
  await until(['one live '])
  const { term = 0, checkpoint = '' } = (await leases.read('node-1')) ?? {}
  const thief = { ...JSON.parse(checkpoint), name: 'thief' }
  await leases.write('node-1', { holder: 'thief', term: term + 1, checkpoint: JSON.stringify(thief) })
  clock.now += 30_000
  await until(['thief live ', 'one live '])
  t.match(await leases.read('node-2'), { holder: 'one', term: 1 })
  await one.end()
})

t.test(
  'given two processes, when providers push to both, then each counts by the hour, and sees what the other told',
  async (t) => {
    const clock = { now: Date.parse('2026-06-10T08:30:00Z') }
    const { leases } = createMemoryStore(() => clock.now)
    const made = () => createServer({ leases }, () => clock.now)
    const [one, other] = [made(), made()]
    const [acme, bound] = [
      { kind: 'provider', name: 'acme' },
      { kind: 'provider', name: 'bolt', businessId: 7 },
    ]
    const [fine, known] = [
      { outcome: 'accepted', errors: [] },
      { outcome: 'duplicate', errors: [] },
    ]
    const wrong = (code: Code) => ({ outcome: 'rejected', errors: [{ code }, { code: 'required' as const }] })
    one.pushed({ kind: 'account', name: '1' }, [fine])
    one.pushed({ kind: 'operator', name: 'orders' }, [fine])
    one.pushed(acme, [])
    t.match(one.counted(), { since: clock.now, providers: { length: 0 } }, 'neither people nor this program push')
    one.pushed(acme, [fine, known, wrong('too_long')])
    clock.now += 3_600_000
    one.pushed(acme, [wrong('too_long'), wrong('wrong_type')])
    other.pushed(bound, [fine])
    other.pushed({ kind: 'operator', name: 'carrier:parcels', businessId: 7 }, [fine])
    const hours = [
      { start: Date.parse('2026-06-10T08:00:00Z'), received: 3, refused: 1 },
      { start: Date.parse('2026-06-10T09:00:00Z'), received: 2, refused: 2 },
    ]
    const codes = { too_long: 2, wrong_type: 1 }
    t.same(one.counted().providers, [{ provider: 'acme', lastAt: clock.now, codes, repeated: 1, hours }])
    t.equal((await one.ingest()).length, 1, 'the other has not told anything')

    const beat: Heartbeat = {
      ...{ name: 'n', host: 'here', pid: 1, version: '1.0.0', since: '', at: isoOf(clock.now), leases: [] },
      ...{ models: [{ name: 'orders', version: 1, checkpoint: '7', isCaughtUp: false, secondsBehind: 9 }] },
    }
    await leases.write('node-1', {
      holder: 'n',
      term: 1,
      checkpoint: JSON.stringify({ ...beat, ingest: other.counted() }),
    })
    await leases.write('node-2', { holder: 'old', term: 1, checkpoint: JSON.stringify({ ...beat, name: 'old' }) })
    const seen = await one.ingest()
    t.same(
      seen.flatMap(({ providers }) => providers.map(({ provider, businessId }) => [provider, businessId])),
      [
        ['acme', undefined],
        ['bolt', 7],
        ['carrier:parcels', 7],
      ],
    )
    t.same((await other.ingest()).length, 1, 'what it told itself is not counted twice')
    t.match(await one.state(), {
      store: 'memory:',
      bytes: undefined,
      nodes: [{ name: 'n', state: 'live', models: [{ name: 'orders', secondsBehind: 9 }] }, { name: 'old' }],
    })
    clock.now += 23 * 3_600_000
    t.same(one.counted().providers[0]?.hours, hours.slice(1), 'an hour is forgotten after a day')
    clock.now += 3_600_000
    t.same(one.counted().providers, [])
  },
)

/** A store that is lost until the test says that it is back. */
function lostStore() {
  const { leases } = createMemoryStore(Date.now)
  let comeBack = () => {}
  let loss: Promise<void> | undefined = new Promise((resolve) => {
    comeBack = resolve
  })
  let tries = 0
  const read = (name: string) => {
    tries++
    return leases.read(name)
  }
  return {
    lost: () => loss,
    leases: { ...leases, read },
    tries: () => tries,
    comeBack: () => {
      loss = undefined
      comeBack()
    },
  }
}

t.test(
  'given a store that is lost, when it is back, then waits end, and leases are tried for the first time',
  async (t) => {
    const { lost, leases, tries, comeBack } = lostStore()
    const { signal } = new AbortController()
    const patient = createPatientLeases(leases, { lost }, signal)
    const [waiting, reading] = [createWait({ lost })(3_600_000, signal), patient.read('webhooks')]
    const writing = patient.write('webhooks', { holder: 'one', term: 1 })
    await setTimeout(0)
    t.equal(tries(), 0)
    t.equal(await leases.read('webhooks'), undefined)
    comeBack()
    await Promise.all([waiting, reading])
    t.equal(await writing, true)
    t.match(await patient.read('webhooks'), { holder: 'one' })
  },
)

t.test('given a store that is lost, when a node stops, then it waits for nothing more', async (t) => {
  const { lost, leases, tries } = lostStore()
  const stopping = new AbortController()
  const reading = createPatientLeases(leases, { lost }, stopping.signal).read('webhooks')
  const waiting = createWait({ lost })(3_600_000, stopping.signal)
  stopping.abort()
  await Promise.all([waiting, reading])
  t.equal(tries(), 1)
})

t.test(
  'given a store that is there, or cannot be lost, when work waits, then it waits as long as it wants',
  async (t) => {
    const stopping = new AbortController()
    const waits = [{}, { lost: () => undefined }].map((store) => createWait(store)(3_600_000, stopping.signal))
    let ended = 0
    for (const wait of waits) void wait.then(() => ended++)
    await setTimeout(0)
    t.equal(ended, 0)
    stopping.abort()
    await Promise.all(waits)
    await createWait({})(1, new AbortController().signal)
  },
)
