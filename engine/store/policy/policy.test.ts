import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import type { Storage } from '../../kernel/event-store.ts'
import { sha256 } from '../../kernel/id.ts'
import type { Lease, Leases } from '../../kernel/lease.ts'
import { areMany, runs } from '../../testing/runs.test.fixture.ts'
import { createWorld, type Member, policyName, ttl, type World } from './world.test.fixture.ts'

/** A lease is looked at once a second. */
const beat = 1_000

function leaseOf({ store }: World): Promise<Lease | undefined> {
  return store.leases.read(policyName)
}

t.test('given events, when a node runs a policy, then each event is handled once and in order', async (t) => {
  const world = createWorld()
  const old = await world.record(600)
  const node = world.start('north')
  await world.pass(beat)
  const young = await world.record(3)
  await world.pass(beat)
  t.same(await world.copies(), [...old, ...young])
  t.equal(world.starts.length, 603)
  t.same(node.troubles, [])
})

t.test(
  'given a node, when time goes by, then it shows that it lives at each third of the ttl, and writes a lease at most once a second',
  async (t) => {
    const world = createWorld()
    world.start('north')
    await world.pass(4 * ttl)
    const signs = (await world.store.leases.read('node-1'))?.term ?? 0
    t.ok(signs >= 11 && signs <= 13, `${signs} signs of life`)
    t.equal((await leaseOf(world))?.term, 1, 'nothing has moved')
    for (let second = 0; second < 20; second++) {
      await world.record(50)
      await world.pass(beat)
    }
    const busy = (await leaseOf(world))?.term ?? 0
    t.ok(busy >= 20 && busy <= 22, `${busy} terms`)
  },
)

t.test('given a node with 20 policies, when nothing happens for a minute, then it writes 12 records', async (t) => {
  const world = createWorld()
  let written = 0
  const { read, write } = world.store.leases
  const counted: Leases['write'] = (name, lease) => {
    written++
    return write(name, lease)
  }
  const node = world.start('north', {}, { ...world.store, leases: { read, write: counted } })
  for (let policy = 1; policy < 20; policy++) node.also(`policy ${policy}`)
  await world.pass(ttl)
  written = 0
  await world.pass(60_000)
  t.equal(written, 12)
  await node.stop()
})

t.test(
  'given a reader that passes by what is not for it, when another node goes on, then it begins where that was',
  async (t) => {
    const world = createWorld()
    const begun: (string | undefined)[] = []
    const store: Storage = {
      ...world.store,
      async *follow(after, filter, signal) {
        begun.push(after)
        filter.passed?.('far away')
        yield* world.store.follow(undefined, { category: 'source' }, signal)
      },
    }
    const north = world.start('north', {}, store)
    await world.pass(2 * beat)
    t.match(await leaseOf(world), { checkpoint: 'far away' })
    const { term } = (await leaseOf(world)) ?? {}
    await world.pass(2 * ttl)
    t.equal((await leaseOf(world))?.term, term, 'it is written once')
    await north.stop()
    world.start('south', {}, store)
    await world.pass(beat)
    t.same(begun, [undefined, 'far away'])
  },
)

t.test('given two nodes, when events come, then one of them handles all and the other none', async (t) => {
  const world = createWorld()
  world.start('north')
  world.start('south')
  for (let turn = 0; turn < 10; turn++) {
    await world.record(5)
    await world.pass(ttl)
  }
  t.equal(world.starts.length, 50)
  t.equal(new Set(world.starts.map(({ node }) => node)).size, 1)
})

t.test(
  'given a holder that is gone, when its term has stood for the ttl, then another goes on after its checkpoint',
  async (t) => {
    const world = createWorld()
    const north = world.start('north')
    await world.pass(beat)
    const first = await world.record(3)
    await world.pass(2 * beat)
    world.start('south')
    await world.pass(beat)
    const second = await world.record(2)
    await world.pass(0)
    north.crash()
    const third = await world.record(1)
    await world.pass(ttl - 2 * beat)
    t.ok(
      world.starts.every(({ node }) => node === 'north'),
      'not before',
    )
    await world.pass(3 * beat)
    const later = world.starts.filter(({ node }) => node === 'south').map(({ event }) => event)
    t.same(later, [...second, ...third], 'what was done after the last checkpoint is done again')
    t.same(await world.copies(), [...first, ...second, ...third], 'and stands once')
  },
)

t.test(
  'given a holder that stops, when it has given the turn back, then another goes on at once, after its last event',
  async (t) => {
    const world = createWorld()
    const north = world.start('north')
    await world.pass(beat)
    world.start('south')
    await world.pass(beat)
    const first = await world.record(3)
    await world.pass(0)
    await north.stop()
    t.equal((await leaseOf(world))?.holder, '')
    const second = await world.record(2)
    await world.pass(beat)
    t.same(
      world.starts.map(({ node, event }) => `${node} ${event}`),
      [...first.map((id) => `north ${id}`), ...second.map((id) => `south ${id}`)],
    )
  },
)

t.test('given a node that waits for the lease, when it is stopped, then it ends and changes nothing', async (t) => {
  const world = createWorld()
  world.start('north')
  await world.pass(beat)
  const south = world.start('south')
  await world.pass(beat)
  const before = await leaseOf(world)
  await south.stop()
  t.same(await leaseOf(world), before)
})

t.test(
  'given a node that comes back under its name after a crash, when it begins, then it goes on at once',
  async (t) => {
    const world = createWorld()
    const north = world.start('north')
    await world.pass(beat)
    north.crash()
    const events = await world.record(2)
    world.start('north')
    await world.pass(beat)
    t.same(await world.copies(), events)
  },
)

for (const clock of ['runs', 'stands'] as const) {
  t.test(
    `given a holder that is paused while its clock ${clock}, when it comes back, then it harms nothing and waits`,
    async (t) => {
      const world = createWorld()
      const north = world.start('north')
      await world.pass(beat)
      world.start('south')
      await world.pass(beat)
      const events = [...(await world.record(3))]
      await world.pass(0)
      north.pause(3 * ttl, clock)
      const during = await world.record(3)
      await world.pass(2 * ttl)
      t.equal(world.holder(), 'south')
      await world.pass(2 * ttl)
      const after = await world.record(3)
      await world.pass(beat)
      events.push(...during, ...after)
      t.same(await world.copies(), events)
      const handled = world.starts.filter(({ node }) => node === 'north').map(({ event }) => event)
      const overlap = clock === 'runs' ? 3 : 6
      t.same(handled, events.slice(0, overlap), 'where the clock stood, what it had in hand was handled by both')
    },
  )
}

t.test('given a holder whose renewals fail, when its lease expires, then it stops', async (t) => {
  const world = createWorld()
  const renewals = { fail: false }
  const { leases } = world.store
  const store = {
    ...world.store,
    leases: {
      read: leases.read,
      write: async (name: string, lease: Lease) => {
        if (renewals.fail) throw new Error('no way')
        return leases.write(name, lease)
      },
    },
  }
  const north = world.start('north', {}, store)
  await world.pass(2 * beat)
  renewals.fail = true
  await world.pass(ttl + beat)
  await world.record(5)
  await world.pass(3 * ttl)
  t.same(world.starts, [], 'though nobody else has taken it')
  t.ok(north.troubles.length > 10)
  renewals.fail = false
  await world.pass(beat)
  t.equal(world.starts.length, 5)
})

t.test('given a holder whose renewal never returns, when its lease expires, then its handler is aborted', async (t) => {
  const world = createWorld()
  let told = false
  const { leases } = world.store
  let isHanging = false
  const write = (name: string, lease: Lease) => (isHanging ? new Promise<boolean>(() => {}) : leases.write(name, lease))
  const store = { ...world.store, leases: { read: leases.read, write } }
  const handle = (_: unknown, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => {
        told = true
        resolve()
      })
    })
  world.start('north', { handle }, store)
  await world.pass(beat)
  isHanging = true
  await world.record(1)
  await world.pass(ttl - 2 * beat)
  t.equal(told, false)
  await world.pass(2 * beat)
  t.equal(told, true)
})

t.test(
  'given a sign of life that is answered late, when its time is counted, then it counts from when it was sent',
  async (t) => {
    const world = createWorld()
    const { leases } = world.store
    let answer = () => {}
    const write = async (name: string, lease: Lease) => {
      const isWritten = await leases.write(name, lease)
      if (name !== policyName)
        await new Promise<void>((resolve) => {
          answer = resolve
        })
      return isWritten
    }
    world.start('north', {}, { ...world.store, leases: { read: leases.read, write } })
    await world.pass(ttl - 2 * beat)
    answer()
    const [event] = await world.record(1)
    await world.pass(beat)
    t.match(world.starts, [{ event }])
    await world.pass(2 * beat)
    await world.record(1)
    await world.pass(ttl)
    t.equal(world.starts.length, 1)
  },
)

t.test(
  'given a checkpoint that is refused, when another node has the turn, then no event is handled any more',
  async (t) => {
    const world = createWorld()
    world.start('north')
    await world.pass(beat)
    const { term = 0 } = (await leaseOf(world)) ?? {}
    t.ok(await world.store.leases.write(policyName, { holder: 'stranger', term: term + 1 }))
    await world.record(1)
    await world.pass(2 * beat)
    await world.record(2)
    await world.pass(ttl / 4)
    t.equal(world.starts.length, 1)
  },
)

t.test(
  'given an event that cannot be handled, when it fails, then it is tried ever more seldom, said, and none passes it',
  async (t) => {
    const world = createWorld()
    let isBroken = true
    const handle = async () => {
      if (isBroken) throw new Error('not today')
    }
    const north = world.start('north', { handle })
    const events = await world.record(3)
    await world.pass(10 * 60_000)
    t.same(new Set(world.starts.map(({ event }) => event)), new Set(events.slice(0, 1)))
    const [first] = await world.store.read('source-0')
    t.match(north.troubles.slice(0, 2), [
      { policy: policyName, failures: 1 },
      { failures: 2, position: first?.position },
    ])
    const pauses = world.starts.slice(1).map(({ at }, index) => at - (world.starts[index]?.at ?? 0))
    t.same(pauses.slice(0, 4), [100, 200, 400, 800])
    t.equal(Math.max(...pauses), 30_000)
    t.equal(world.holder(), 'north', 'the turn is kept')
    isBroken = false
    await world.pass(30_000)
    t.same(await world.copies(), events)
  },
)

t.test(
  'given a policy that begins at the end, when it first starts, then only later events are handled, by whichever node',
  async (t) => {
    const world = createWorld()
    await world.record(3)
    const north = world.start('north', { from: 'end' })
    await world.pass(beat)
    north.crash()
    const later = await world.record(2)
    world.start('south', { from: 'end' })
    await world.pass(ttl + 2 * beat)
    t.same(await world.copies(), later)
    t.equal((await world.store.read(`policy-${policyName}`)).length, 1, 'that it began is recorded once')
  },
)

t.test('given a store that fails for a while, when it recovers, then the policy runs', async (t) => {
  const world = createWorld({ random: () => 0, failing: 1, delay: 0 })
  const { troubles } = world.start('north', { from: 'end' })
  await world.pass(10 * beat)
  t.match(troubles.filter(({ policy }) => policy === policyName).slice(0, 2), [
    { failures: 1, error: { code: 'store_unavailable' } },
    { failures: 2 },
  ])
  t.equal(world.holder(), '')
})

t.test(
  'given an event that failed and was handled, when a later one fails, then its failures are counted anew',
  async (t) => {
    const world = createWorld()
    const failed = new Map<unknown, number>()
    const handle = async (event: unknown) => {
      const { position } = event as { position: string }
      const count = failed.get(position) ?? 0
      failed.set(position, count + 1)
      if (count < 2) throw new Error('not at first')
    }
    const north = world.start('north', { handle })
    const events = await world.record(3)
    await world.pass(60_000)
    t.same(await world.copies(), events)
    t.same(
      north.troubles.map(({ failures }) => failures),
      [1, 2, 1, 2, 1, 2],
    )
  },
)

type Step =
  | { readonly kind: 'record' | 'pass'; readonly amount: number }
  | { readonly kind: 'pause' | 'crash' | 'stop'; readonly node: number; readonly amount: number }

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('record' as const), amount: fc.integer({ min: 1, max: 9 }) }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('pass' as const), amount: fc.integer({ min: 0, max: ttl }) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constantFrom('pause' as const, 'crash' as const, 'stop' as const),
        node: fc.nat(2),
        amount: fc.integer({ min: 0, max: 3 * ttl }),
      }),
    },
  ),
  { maxLength: 30 },
)

/** Numbers from 0 to 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let count = 0
  return () => Number.parseInt(sha256(`${seed} ${count++}`).slice(0, 8), 16) / 2 ** 32
}

/** Three nodes on a store that fails, answers late and now and then not at all; another node follows each one that is gone. */
async function live(
  history: readonly Step[],
  seed: number,
  clock: 'runs' | 'stands',
  silence: { readonly ttl?: number },
) {
  const random = randomFrom(seed)
  const disturbance = { random, failing: 0.03, delay: 300 }
  const world = createWorld(disturbance, silence)
  const handle = async () => {
    if (random() < disturbance.failing) throw new Error('not this time')
  }
  let count = 0
  const next = () => world.start(`node ${count++}`, { handle })
  const nodes = [next(), next(), next()]
  const events: string[] = []
  for (const step of history) {
    if (step.kind === 'record') events.push(...(await world.record(step.amount)))
    else if (step.kind === 'pass') await world.pass(step.amount)
    else if ('node' in step) {
      const node = nodes[step.node] as Member
      if (step.kind === 'pause') node.pause(step.amount, clock)
      else if (step.kind === 'crash') node.crash()
      else void node.stop()
      if (step.kind !== 'pause') nodes[step.node] = next()
    }
  }
  disturbance.failing = 0
  await world.pass(20 * ttl)
  return { world, events }
}

t.test(
  'given any history of pauses, crashes, stops and failures, when it has passed, then each effect stands once and in order',
  async (t) => {
    let overlaps = 0
    await fc.assert(
      fc.asyncProperty(
        steps,
        fc.nat(),
        fc.constantFrom('runs' as const, 'stands' as const),
        fc.constantFrom({ ttl }, {}),
        async (history, seed, clock, silence) => {
          const { world, events } = await live(history, seed, clock, silence)
          assert.deepEqual(await world.copies(), events)
          const strangers = world.starts.filter(({ node, holder }) => node !== holder)
          if (clock === 'runs') assert.deepEqual(strangers, [], 'whoever handles an event holds the lease')
          overlaps += world.starts.length - events.length
        },
      ),
      { numRuns: runs(t, 6), interruptAfterTimeLimit: 30_000 },
    )
    t.ok(!areMany || overlaps > 0, `${overlaps} events were handled again`)
  },
)
