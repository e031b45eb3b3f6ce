import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { EngineError } from '../../../engine/index.ts'
import type { DeliveryRepository, DueDelivery } from '../../node/deliveries.ts'
import type { Log } from '../../node/log.ts'
import { retryUntilAborted } from '../retry.ts'
import { createLanes } from './lane.ts'
import { defaultLimits } from './limits.ts'
import { nextDeliveryState } from './next-state.ts'
import { createQueue } from './queue.ts'
import type { Ending } from './share.ts'
import { createSlots, type Flight } from './slots.ts'
import { start } from './time.test.fixture.ts'
import { createWorld } from './world.test.fixture.ts'

const day = 86_400_000

t.test(
  'given a receiver that fails four times, when it is sent to, then each attempt has its pause (case 19)',
  async (t) => {
    for (const [random, drift] of [
      [() => 0, 0.9],
      [() => 0.5, 1],
      [() => 0.999_999, 1.1],
    ] as const) {
      const world = await createWorld(t, { random, reply: (_, count) => (count < 5 ? 500 : 200) })
      world.run()
      await world.send(world.delivery(world.endpoint('e1', '/a'), 'd1'))
      await world.passTo(start + 20_000_000)
      const times = [0, 10_000, 110_000, 1_110_000, 11_110_000].map((time) => time * drift)
      t.equal(world.receivers.got.length, 5)
      for (const [index, { at }] of world.receivers.got.entries())
        t.ok(Math.abs(at - start - (times[index] ?? 0)) < 100, `attempt ${index + 1} after ${at - start}`)
      const found = await world.repository.find(7, 'd1')
      t.match(found, { state: 'delivered', attempts: 5, lastStatus: 200 })
      t.same(
        found?.history.map(({ number, status }) => [number, status]),
        [
          [1, 500],
          [2, 500],
          [3, 500],
          [4, 500],
          [5, 200],
        ],
      )
      t.same(new Set(world.receivers.got.map(({ body }) => body)).size, 1, 'the same bytes each time')
      t.match(found?.history[0]?.requestHeaders, { 'X-Attempt': '1' })
      t.notOk('Signature' in (found?.history[0]?.requestHeaders ?? {}), 'signatures are not kept whole')
      t.same(world.errors, [])
      await world.stop()
    }
  },
)

t.test(
  'given a delivery that waits for its next attempt, when it is tried again, then at once, and as often as before',
  async (t) => {
    const world = await createWorld(t, { reply: (_, count) => (count < 3 ? 500 : 204) })
    world.run()
    await world.send(world.delivery(world.endpoint('e1', '/tenant'), 'd1'))
    await world.passTo(start + 1)
    t.match(await world.actions.retry(7, 'd1'), { id: 'd1', state: 'sending', attempts: 1 })
    await world.passTo(start + 2)
    t.match(await world.repository.find(7, 'd1'), { state: 'waiting', attempts: 2 })
    t.ok(
      ((await world.repository.find(7, 'd1'))?.nextAt ?? 0) > start + 50_000,
      'the pause is that of the second attempt',
    )
    await world.actions.retry(7, 'd1')
    await world.passTo(start + 3)
    t.match(await world.repository.find(7, 'd1'), { state: 'delivered', attempts: 3 })
  },
)

t.test(
  'given a receiver that goes on failing, then a tenant is given up and a provider dead, to be tried again (case 20)',
  async (t) => {
    const world = await createWorld(t, { reply: (_, count) => (count < 8 ? 410 : 204) })
    world.run()
    await world.send(
      world.delivery(world.endpoint('e1', '/tenant'), 'd1'),
      world.delivery(world.endpoint('e2', '/provider', { channel: 'provider_locker' }), 'd2'),
    )
    await world.passTo(start + day)
    t.match(await world.repository.find(7, 'd1'), { state: 'failed', attempts: 5 })
    t.match(await world.repository.find(7, 'd2'), { state: 'dead', attempts: 7 })
    t.equal(world.receivers.got.length, 12)
    await t.rejects(world.actions.retry(7, 'd1'), { code: 'delivery_not_retryable' })
    t.equal(await world.actions.retry(8, 'd2'), undefined)
    t.match(await world.actions.retry(7, 'd2'), { id: 'd2', state: 'sending', attempts: 7, eventId: 'EVT-d2' })
    await world.passTo(start + day + 1_000)
    const found = await world.repository.find(7, 'd2')
    t.match(found, { state: 'delivered', attempts: 8 })
    t.equal(found?.history.at(-1)?.number, 8)
  },
)

t.test(
  'given Retry-After, then it may make a pause longer, up to the next, and never the number of attempts (case 22)',
  async (t) => {
    const world = await createWorld(t, {
      reply: ({ path }, count) =>
        count > 1 ? 200 : { status: 429, headers: { 'Retry-After': path === '/minute' ? '60' : '999999999' } },
    })
    world.run()
    await world.send(
      world.delivery(world.endpoint('e1', '/minute'), 'd1'),
      world.delivery(world.endpoint('e2', '/ages'), 'd2'),
    )
    await world.passTo(start + 59_000)
    t.equal(world.receivers.got.length, 2)
    await world.passTo(start + 61_000)
    t.same(world.paths().slice(2), ['/minute'])
    await world.passTo(start + 101_000)
    t.same(world.paths().slice(2), ['/minute', '/ages'])
    const after = (attempts: number, retryAfter: number) =>
      nextDeliveryState({ channel: 'tenant', attempts, isTest: false }, { failure: 'status', retryAfter }, 0, () => 0.5)
    t.same(after(0, -1), { state: 'waiting', dueAt: 10_000 })
    t.same(after(0, 9_000), { state: 'waiting', dueAt: 10_000 })
    t.same(after(3, 1e9), { state: 'waiting', dueAt: 10_000_000 }, 'no pause follows the last')
    t.same(after(4, 1e9), { state: 'failed' })
  },
)

t.test(
  'given a key that was replaced between two attempts, then each is signed with the keys of its moment (case 7)',
  async (t) => {
    const world = await createWorld(t, { reply: (_, count) => (count === 1 ? 500 : 200) })
    world.run()
    await world.send(world.delivery(world.endpoint('e1', '/a'), 'd1'))
    await world.passTo(start + 5_000)
    world.endpoint('e1', '/a', { keys: [{ secret: 'another secret!!' }, { secret: 'sixteen letters!', expiresAt: 1 }] })
    await world.passTo(start + 20_000)
    t.same(
      world.receivers.got.map(({ headers }) => headers.signature),
      ['sixteen letters!', 'another secret!!'],
    )
  },
)

t.test(
  'given a delivery at its end, when it is sent again, then its id is new unless the body has one (case 24)',
  async (t) => {
    const world = await createWorld(t, { reply: (_, count) => (count === 1 ? 'hang' : 200) })
    world.run()
    const to = world.endpoint('e1', '/a')
    const own = Buffer.from('{"event":"order.deleted","event_id":"ODE-1"}')
    await world.send(
      world.delivery(to, 'd1'),
      world.delivery(world.endpoint('e2', '/b'), 'd2', { native: own, eventId: 'ODE-1' }),
    )
    await world.until(() => world.receivers.hanging() === 2)
    await t.rejects(world.actions.redeliver(7, 'd1'), { code: 'delivery_under_way' })
    world.receivers.letGo()
    await world.passTo(start + 1)
    world.endpoint('e2', '/b', { format: 'ce_structured', keys: [{ secret: 'another secret!!' }] })
    const [first, second] = [await world.actions.redeliver(7, 'd1'), await world.actions.redeliver(7, 'd2')]
    t.match(first, { redeliveryOf: 'd1', attempts: 0 })
    t.match(second, { redeliveryOf: 'd2', eventId: 'ODE-1' })
    t.match(first?.eventId, /^EVT-[0-9a-f-]{36}$/)
    t.notOk(first && 'body' in first)
    await world.passTo(start + 2)
    const [again, structured] = world.receivers.got.slice(2)
    t.equal(again?.body, world.receivers.got.find(({ path }) => path === '/a')?.body, 'the same bytes')
    t.equal(again?.headers['x-event'], first?.eventId)
    t.equal(structured?.body, `{"data":${own}}`, 'in the format of the endpoint as it stands now')
    t.equal(structured?.headers.signature, 'another secret!!')
    t.equal(await world.actions.redeliver(7, 'nothing'), undefined)
    t.equal(await world.actions.redeliver(8, 'd1'), undefined, 'another business finds nothing (case 55)')
    t.match(await world.actions.page({ businessId: 7 }, { limit: 10, offset: 0 }), { total: 4 })
  },
)

t.test(
  'given an endpoint that is switched off, then what waits for it is skipped, and can be sent again (case 25)',
  async (t) => {
    const world = await createWorld(t, { limits: { batch: 4 } })
    const to = world.endpoint('e1', '/a')
    const later = Array.from({ length: 30 }, (_, n) => world.delivery(to, `d${n}`, { dueAt: start + n * 100_000 }))
    await world.repository.add(later)
    world.endpoints.clear()
    world.run()
    await world.passTo(start + 1)
    t.equal(await world.repository.countWaiting(), 0)
    const skipped = await world.repository.page({ businessId: 7, state: ['skipped'] }, { limit: 5, offset: 0 })
    t.equal(skipped.total, 30)
    await t.rejects(world.actions.redeliver(7, 'd3'), { code: 'endpoint_gone' })
    world.endpoint('e1', '/a')
    await world.actions.redeliver(7, 'd3')
    await world.passTo(start + 2)
    t.match(
      world.receivers.got.map(({ headers }) => headers['x-attempt']),
      ['1'],
    )
  },
)

t.test(
  'given an endpoint that is off, then what is due waits, goes on when it is on, and is given up after ninety days',
  async (t) => {
    const world = await createWorld(t)
    const to = world.endpoint('e1', '/a', { isOff: true })
    const day = 86_400_000
    const old = { occurredAt: new Date(start - 91 * day).toISOString() }
    await world.send(world.delivery(to, 'old', old), ...['a', 'b'].map((id) => world.delivery(to, id)))
    world.run()
    await world.passTo(start + 60_000)
    t.same(world.paths(), [])
    t.equal(await world.repository.countWaiting(), 2)
    t.equal(await world.state('old'), 'skipped')
    t.same(world.dispatcher.state(), { inFlight: 0, slow: 0, claimed: 0 })
    world.endpoint('e1', '/a')
    world.dispatcher.wake(['e1'])
    await world.passTo(start + 60_001)
    t.match(
      world.receivers.got.map(({ headers }) => [headers['x-id'], headers['x-attempt']]),
      [
        ['a', '1'],
        ['b', '1'],
      ],
    )
  },
)

t.test(
  'given limits of an endpoint, then it has no more attempts at once and in a second, and others are not limited',
  async (t) => {
    const world = await createWorld(t, { reply: ({ path }) => (path === '/few' ? 'hang' : 200) })
    const few = world.endpoint('few', '/few', { inFlight: 2 })
    const rare = world.endpoint('rare', '/rare', { perSecond: 2 })
    const free = world.endpoint('free', '/free')
    const eight = (to: typeof few) => Array.from({ length: 8 }, (_, n) => world.delivery(to, `${to.id}${n}`))
    await world.send(...eight(few), ...eight(rare), ...eight(free))
    world.run()
    const countOf = (path: string) => world.paths().filter((one) => one === path).length
    await world.until(() => countOf('/free') === 8 && countOf('/few') === 2)
    t.equal(countOf('/rare'), 1)
    for (const n of [2, 3, 4]) {
      world.pass(500)
      await world.until(() => countOf('/rare') === n)
    }
    t.equal(countOf('/few'), 2)
    t.equal(countOf('/rare'), 4)
  },
)

t.test(
  'given deliveries that were kept, when the process ended before, then the next one sends them, once (cases 27, 28)',
  async (t) => {
    const file = join(t.testdir(), 'deliveries.db')
    const before = await createWorld(t, { file })
    const to = before.endpoint('e1', '/a')
    await before.repository.add([before.delivery(to, 'd1'), before.delivery(to, 'd2'), before.delivery(to, 'd3')])
    await before.repository.claim('e1', start, 1)
    await before.repository.close()
    const world = await createWorld(t, { file })
    world.endpoint('e1', '/a')
    before.endpoints.clear()
    world.run()
    await before.until(
      async () => (await world.repository.countWaiting()) === 0 && world.dispatcher.state().inFlight === 0,
    )
    await world.passTo(start + 40_000)
    t.equal(before.receivers.got.length, 3)
    for (const id of ['d1', 'd2', 'd3'])
      t.match(await world.repository.find(7, id), { state: 'delivered', attempts: 1 })
  },
)

t.test('given two URLs of which one is down, then the other has it once (case 29)', async (t) => {
  const world = await createWorld(t, { reply: ({ path }) => (path === '/down' ? 503 : 200) })
  world.run()
  await world.send(
    world.delivery(world.endpoint('e1', '/up'), 'd1'),
    world.delivery(world.endpoint('e2', '/down'), 'd2'),
  )
  await world.passTo(start + 200_000)
  t.same(world.paths().toSorted(), ['/down', '/down', '/down', '/up'])
  t.same(world.ended.toSorted(), ['tenant ok', 'tenant status', 'tenant status', 'tenant status'])
  t.same(await world.dispatcher.queue(), { waiting: 1, inFlight: 0 })
  await world.stop()
  t.same(await world.dispatcher.queue(), { waiting: 0, inFlight: 0 }, 'where it does not send there is nothing to tell')
})

t.test(
  'given deliveries of ninety days, then older ones are gone within the hour, while others go on (case 31)',
  async (t) => {
    const world = await createWorld(t)
    const to = world.endpoint('e1', '/a')
    const old = Array.from({ length: 350 }, (_, n) => world.delivery(to, `old${n}`, { state: 'skipped' }))
    await world.repository.add(old)
    world.run()
    await world.passTo(start + day)
    await world.send(world.delivery(to, 'newer'))
    world.pass(89 * day - 7_200_000)
    await world.passTo(start + 90 * day - 3_600_000)
    const total = async () => (await world.repository.page({ businessId: 7 }, { limit: 1, offset: 0 })).total
    t.equal(await total(), 351)
    world.pass(2 * 3_600_000)
    await world.send(world.delivery(to, 'meanwhile'))
    await world.passTo(start + 90 * day + 3 * 3_600_000)
    t.equal(await total(), 2)
    t.match(await world.repository.find(7, 'newer'), { state: 'delivered' })
    t.match(await world.repository.find(7, 'meanwhile'), { state: 'delivered' })
  },
)

t.test('given a test, when it is sent, then it is marked, tried once, and stands in the log (case 32)', async (t) => {
  const world = await createWorld(t, { reply: (_, count) => (count === 1 ? 500 : 200) })
  world.run()
  const to = world.endpoint('e1', '/a')
  const failed = await world.actions.test(to, 'order.created')
  t.match(failed, { state: 'failed', isTest: true, attempts: 1, body: '{"test":true}', history: [{ status: 500 }] })
  await world.passTo(start + day)
  t.equal(world.receivers.got.length, 1)
  t.equal(world.receivers.got[0]?.headers['x-webhook-test'], '1')
  t.match(await world.actions.test(to, 'order.created'), { state: 'delivered' })
  t.match(await world.actions.page({ businessId: 7 }, { limit: 9, offset: 0 }), { total: 2 })
})

t.test(
  'given somebody who tests again and again, then there is an end to it, for this business and a minute',
  async (t) => {
    const world = await createWorld(t)
    const to = world.endpoint('e1', '/a')
    for (let count = 0; count < 60; count++) await world.actions.test(to, 'order.created')
    await t.rejects(world.actions.test(to, 'order.created'), { code: 'too_many_sends', params: { seconds: 60 } })
    t.equal(world.receivers.got.length, 60)
    t.match(await world.actions.test(world.endpoint('e2', '/b', { businessId: 8 }), 'order.created'), {
      state: 'delivered',
    })
    await t.rejects(world.actions.test(to, 'order.created'), { code: 'too_many_sends' }, 'the others change nothing')
    world.pass(60_000)
    t.match(await world.actions.test(to, 'order.created'), { state: 'delivered' })
  },
)

t.test('given sends of every kind that are requested by hand, then each counts', async (t) => {
  const world = await createWorld(t)
  const to = world.endpoint('e1', '/a')
  await world.repository.add([world.delivery(to, 'd1', { state: 'skipped' }), world.delivery(to, 'd2')])
  for (let count = 0; count < 58; count++) await world.actions.test(to, 'order.created')
  t.match(await world.actions.redeliver(7, 'd1'), { state: 'waiting' })
  t.match(await world.actions.retry(7, 'd2'), { id: 'd2', state: 'waiting' })
  const refused = { code: 'too_many_sends', params: { seconds: 60 } }
  await t.rejects(world.actions.test(to, 'order.created'), refused)
  await t.rejects(world.actions.redeliver(7, 'd1'), refused)
  await t.rejects(world.actions.retry(7, 'd2'), refused)
  await t.rejects(world.actions.retry(7, 'd1'), { code: 'delivery_not_retryable' })
  t.same([await world.actions.retry(7, 'none'), await world.actions.redeliver(7, 'none')], [undefined, undefined])
})

/** Endpoints, some of which never answer, with a few deliveries each and few slots for all of them. */
async function crowded(t: Test, hanging: number) {
  const world = await createWorld(t, {
    reply: ({ path }) => (path.startsWith('/hang') ? 'hang' : 200),
    limits: { fast: 4, slow: 1_000 },
  })
  const healthy = 40 - hanging
  const made = Array.from({ length: 40 }, (_, n) => world.endpoint(`e${n}`, n < hanging ? `/hang/${n}` : `/well/${n}`))
  world.run()
  await world.send(...[0, 1, 2, 3, 4].flatMap((n) => made.map((to, place) => world.delivery(to, `d${place}-${n}`))))
  const well = () => world.paths().filter((path) => path.startsWith('/well')).length
  await world.until(() => {
    world.pass(50)
    return well() === healthy * 5
  })
  return { world, hanging }
}

t.test(
  'given receivers that never answer, when others have deliveries too, then all of these come (case 34)',
  async (t) => {
    for (const count of [2, 8]) {
      const { world, hanging } = await crowded(t, count)
      t.ok(world.receivers.hanging() > 0, 'while others hang')
      await world.until(() => world.dispatcher.state().inFlight - world.receivers.hanging() < 5)
      world.receivers.letGo()
      await world.passTo(world.clock() + 1_000)
      const told = world.paths().filter((path) => path.startsWith('/hang'))
      t.equal(told.length, hanging * 5, 'and none of theirs was left out')
      t.equal(await world.repository.countWaiting(), 0)
      await world.stop()
    }
  },
)

t.test('given an endpoint with very much to come, then others do not wait for it (case 35)', async (t) => {
  const world = await createWorld(t, { reply: ({ path }) => (path === '/much' ? 'hang' : 200), limits: { fast: 8 } })
  world.run()
  const much = world.endpoint('much', '/much')
  await world.send(...Array.from({ length: 2_000 }, (_, n) => world.delivery(much, `m${n}`)))
  await world.until(() => world.receivers.hanging() === 4)
  const others = Array.from({ length: 20 }, (_, n) => world.endpoint(`e${n}`, `/e${n}`))
  await world.send(...others.map((to, n) => world.delivery(to, `d${n}`)))
  await world.until(() => world.receivers.got.length === 24)
  t.equal(world.receivers.hanging(), 4, 'it has its four, and those of others came meanwhile')
  t.ok(world.dispatcher.state().claimed < 100, 'what waits for it waits in the repository')
  world.pass(301)
  await world.until(() => world.receivers.hanging() === 8 && world.dispatcher.state().inFlight === 8)
  t.match(world.dispatcher.state(), { inFlight: 8 }, 'a slow one with much to come has eight')
})

t.test(
  'given what was claimed, when its subject is forgotten, then nothing of it is sent but what is under way',
  async (t) => {
    const world = await createWorld(t, { reply: (_, count) => (count <= 4 ? 'hang' : 200) })
    const to = world.endpoint('e1', '/a')
    world.run()
    await world.send(
      ...Array.from({ length: 12 }, (_, n) => world.delivery(to, `d${n}`, { subject: `order/${n % 2}` })),
    )
    await world.until(() => world.receivers.hanging() === 4)
    t.ok(world.dispatcher.state().claimed > 0)
    await world.repository.save([], { position: '1', stream: 'order-0', revision: 0, id: 'a' }, [], ['order/0'])
    world.dispatcher.forget(['order/0'])
    world.receivers.letGo()
    await world.passTo(start + 1)
    const states = await Promise.all(Array.from({ length: 12 }, (_, n) => world.state(`d${n}`)))
    t.equal(world.receivers.got.length, 8, 'four that were under way, and four of the other')
    t.equal(states.filter((state) => state === 'skipped').length, 4)
    for (const [n, state] of states.entries()) if (n % 2 === 1) t.not(state, 'skipped')
  },
)

t.test('given many who share one URL, then it has no more at once than one of them (case 36)', async (t) => {
  const world = await createWorld(t, { reply: () => 'hang', limits: { most: 4 } })
  world.run()
  const tenants = Array.from({ length: 12 }, (_, n) => world.endpoint(`e${n}`, `/shared?tenant=${n}`))
  await world.send(...[0, 1, 2].flatMap((n) => tenants.map((to, place) => world.delivery(to, `d${place}-${n}`))))
  await world.until(() => world.receivers.hanging() === 4)
  t.equal(world.dispatcher.state().inFlight, 4)
  world.receivers.letGo()
  await world.until(() => world.receivers.got.length === 36)
  t.equal(world.receivers.peak('/shared'), 4)
  const first = world.receivers.got.slice(0, 16).map(({ headers }) => String(headers['x-id']).split('-')[0])
  t.equal(new Set(first).size, 12, 'each has its turn')
})

t.test(
  'given a thousand failures, when they are replayed, then ten a second are, and a call takes up the last (case 57)',
  async (t) => {
    const world = await createWorld(t)
    const to = world.endpoint('e1', '/a')
    const gone = world.delivery({ ...to, id: 'gone' }, 'gone', { state: 'skipped' })
    const failed = Array.from({ length: 1_000 }, (_, n) => world.delivery(to, `d${n}`, { state: 'skipped' }))
    await world.repository.add([gone, ...failed])
    world.run()
    const query = { businessId: 7, state: ['skipped' as const] }
    t.same(await world.actions.replay(query, 30), { replayed: 30, left: 971 })
    const both = await Promise.all([world.actions.replay(query, 5), world.actions.replay(query, 5)])
    t.same(both, [
      { replayed: 5, left: 966 },
      { replayed: 5, left: 961 },
    ])
    await world.passTo(start + 1_950)
    t.equal(world.receivers.got.length, 20)
    await world.passTo(start + 3_950)
    t.same(world.receivers.got.length, 40)
    const firsts = world.receivers.got.slice(0, 3).map(({ body }) => JSON.parse(body).n)
    t.same(firsts, ['d0', 'd1', 'd2'], 'oldest first')
    t.same(await world.actions.replay(query, 5_000), { replayed: 960, left: 1 }, 'what has no endpoint stays')
    t.same(await world.actions.replay(query, 5_000), { replayed: 0, left: 1 })
    await world.stop()
    world.run()
    await world.passTo(start + 120_000)
    t.equal(world.receivers.got.length, 1_000, 'across a restart, each once')
    t.equal(new Set(world.receivers.got.map(({ body }) => body)).size, 1_000)
  },
)

t.test('given a replay that takes its time, when another business asks for one, then it does not wait', async (t) => {
  let letGo = () => {}
  const isLetGo = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const world = await createWorld(t, {
    disturbed: (repository) => ({
      ...repository,
      redeliverable: async (query, ...more) => {
        if (query.businessId === 7) await isLetGo
        return repository.redeliverable(query, ...more)
      },
    }),
  })
  const to = world.endpoint('e8', '/b', { businessId: 8 })
  await world.repository.add([world.delivery(to, 'd8', { state: 'skipped' })])
  const first = world.actions.replay({ businessId: 7, state: ['skipped'] }, 10)
  t.same(await world.actions.replay({ businessId: 8, state: ['skipped'] }, 10), { replayed: 1, left: 0 })
  letGo()
  t.same(await first, { replayed: 0, left: 0 })
})

t.test(
  'given many failures whose endpoints are gone, when one is replayed, then those are not looked at one by one',
  async (t) => {
    let looks = 0
    const disturbed = (repository: DeliveryRepository): DeliveryRepository => ({
      ...repository,
      redeliverable: (...asked) => {
        looks++
        return repository.redeliverable(...asked)
      },
    })
    const world = await createWorld(t, { disturbed })
    const to = world.endpoint('e1', '/a')
    const gone = { ...to, id: 'gone' }
    await world.repository.add(
      Array.from({ length: 250 }, (_, number) => world.delivery(gone, `d${number}`, { state: 'skipped' })),
    )
    await world.repository.add([1, 2].map((number) => world.delivery(to, `e${number}`, { state: 'skipped' })))
    t.same(await world.actions.replay({ businessId: 7, state: ['skipped'] }, 1), { replayed: 1, left: 251 })
    t.equal(looks, 3)
    t.same(await world.actions.replay({ businessId: 7, state: ['skipped'] }, 1), { replayed: 1, left: 250 })
  },
)

t.test('given something that is erased while it is sent again, then it is refused, and not sent', async (t) => {
  const world = await createWorld(t, { disturbed: (repository) => ({ ...repository, add: () => Promise.resolve([]) }) })
  await world.repository.add([world.delivery(world.endpoint('e1', '/a'), 'd1', { state: 'skipped' })])
  await t.rejects(world.actions.redeliver(7, 'd1'), { code: 'delivery_erased' })
  t.same(await world.actions.replay({ businessId: 7, state: ['skipped'] }, 5), { replayed: 0, left: 1 })
})

t.test(
  'given the sandbox switched off, then nothing from it is sent, not even what waits or is asked for',
  async (t) => {
    const world = await createWorld(t)
    const to = world.endpoint('e1', '/a', { channel: 'provider_locker', field: 'url', isSandboxOff: true })
    await world.send(world.delivery(to, 'd1', { isSandbox: true }), world.delivery(to, 'd2'))
    world.run()
    await world.passTo(start + 1)
    t.same(
      world.receivers.got.map(({ headers }) => headers['x-id']),
      ['d2'],
    )
    t.equal(await world.state('d1'), 'skipped')
    await t.rejects(world.actions.redeliver(7, 'd1'), { code: 'endpoint_gone' })
    t.same(await world.actions.replay({ businessId: 7, state: ['skipped'] }, 10), { replayed: 0, left: 1 })
    world.endpoint('e1', '/a', { channel: 'provider_locker', field: 'url' })
    t.match(await world.actions.redeliver(7, 'd1'), { redeliveryOf: 'd1', isSandbox: true })
  },
)

/** A repository that refuses some calls of each kind. */
function failing(times: number) {
  return (repository: DeliveryRepository): DeliveryRepository => {
    const left = { claim: times, record: times, agenda: times, recover: times, purge: times }
    const fails = async (kind: keyof typeof left) => {
      if (left[kind]-- > 0) throw new EngineError('store_unavailable')
    }
    return {
      ...repository,
      claim: (...given) => fails('claim').then(() => repository.claim(...given)),
      record: (...given) => fails('record').then(() => repository.record(...given)),
      nextDueTimes: () => fails('agenda').then(repository.nextDueTimes),
      recover: () => fails('recover').then(() => repository.recover()),
      purge: (...given) => fails('purge').then(() => repository.purge(...given)),
    }
  }
}

t.test('given a disk that is full for a while, then nothing is lost or sent twice, and it is said', async (t) => {
  const world = await createWorld(t, { disturbed: failing(3) })
  world.endpoint('e1', '/a')
  await world.repository.add(Array.from({ length: 20 }, (_, n) => world.delivery(world.endpoint('e1', '/a'), `d${n}`)))
  world.run()
  await world.until(() => {
    world.pass(100)
    return world.receivers.got.length === 20 && world.dispatcher.state().inFlight === 0
  })
  await world.passTo(world.clock() + 1_000)
  t.equal(new Set(world.receivers.got.map(({ headers }) => headers['x-id'])).size, 20)
  t.equal(world.receivers.got.length, 20)
  const { total } = await world.repository.page({ businessId: 7, state: ['delivered'] }, { limit: 1, offset: 0 })
  t.equal(total, 20)
  t.ok(world.errors.length >= 13)
})

t.test('given a request that cannot be made, then that is a failed attempt, and others go on', async (t) => {
  const world = await createWorld(t)
  world.run()
  const broken = world.endpoint('e1', '/a', { keys: [{ secret: 'none' }] })
  await world.send(world.delivery(broken, 'd1'), world.delivery(world.endpoint('e2', '/b'), 'd2'))
  await world.passTo(start + 1)
  t.match(await world.repository.find(7, 'd1'), { state: 'waiting', attempts: 1, lastFailure: 'internal' })
  t.equal(await world.state('d2'), 'delivered')
  t.same(world.errors, ['a delivery cannot be sent'])
})

t.test(
  'given attempts under way, when it is stopped, then they are recorded, and what was only claimed waits',
  async (t) => {
    const world = await createWorld(t, { reply: () => 'hang' })
    world.run()
    const to = world.endpoint('e1', '/a')
    await world.send(...Array.from({ length: 10 }, (_, n) => world.delivery(to, `d${n}`)))
    await world.until(() => world.receivers.hanging() === 4)
    const stopped = world.stop()
    world.receivers.letGo()
    await stopped
    t.equal(world.receivers.got.length, 4, 'nothing new is begun')
    const count = async (state: 'delivered' | 'waiting' | 'sending') =>
      (await world.repository.page({ businessId: 7, state: [state] }, { limit: 1, offset: 0 })).total
    t.same([await count('delivered'), await count('sending'), await count('waiting')], [4, 0, 6])
    world.run()
    await world.passTo(start + 1)
    t.equal(await count('delivered'), 10)
  },
)

t.test('given another process that adds to the repository, then that is noticed by itself', async (t) => {
  const world = await createWorld(t)
  world.run()
  await world.passTo(start + 1)
  await world.repository.add([world.delivery(world.endpoint('e1', '/a'), 'd1')])
  world.dispatcher.wake()
  await world.passTo(start + 2)
  t.equal(world.receivers.got.length, 1, 'told of it without a name')
  await world.repository.add([world.delivery(world.endpoint('e1', '/a'), 'd2')])
  await world.passTo(start + 31_000)
  t.equal(world.receivers.got.length, 2)
})

t.test('given a URL that many share, when one of them is switched off in line, then the next is not left out', (t) => {
  const limits = { ...defaultLimits, inFlight: 1 }
  const [lanes, slots] = [createLanes(limits), createSlots(limits)]
  const laneOf = (id: string, count: number) => {
    const lane = lanes.of(id)
    lanes.fill(
      lane,
      Array.from({ length: count }, () => dueTo(id)),
    )
    slots.enqueue(lane, 0)
    return lane
  }
  const off = laneOf('off', 2)
  const flight = slots.next(0)
  if (flight === undefined) throw new Error('Nothing began.')
  t.equal(slots.next(0), undefined)
  const next = laneOf('next', 1)
  t.equal(slots.next(0), undefined, 'both are parked')
  off.claimed.take()
  slots.finish(flight, 0)
  t.equal(slots.next(0)?.lane, next)
  t.end()
})

t.test(
  'given an endpoint in order, when a webhook event fails, then those after it about its subject wait, and no others',
  async (t) => {
    const refused = new Set(['a1'])
    const world = await createWorld(t, {
      reply: ({ headers }) => (refused.has(String(headers['x-id'])) ? 500 : 200),
    })
    world.run()
    const to = world.endpoint('e1', '/a', { isInOrder: true })
    const about = (id: string) => world.delivery(to, id, { subject: `order/${id[0]}` })
    await world.send(...['a1', 'b1', 'a2', 'b2', 'a3'].map(about))
    const sent = () => world.receivers.got.map(({ headers }) => String(headers['x-id']))
    await world.passTo(start + 1_000)
    t.same(sent().sort(), ['a1', 'b1', 'b2'])
    t.match(await world.repository.find(7, 'a2'), { state: 'waiting', attempts: 0 })
    t.notOk('nextAt' in ((await world.repository.find(7, 'a2')) ?? {}), 'it is not known when it is due')
    await t.rejects(world.actions.retry(7, 'a2'), { code: 'delivery_not_retryable' })
    refused.clear()
    await world.actions.retry(7, 'a1')
    await world.passTo(start + 2_000)
    t.same(sent().slice(3), ['a1', 'a2', 'a3'])

    refused.add('c1')
    await world.send(...['c1', 'c2', 'c3'].map(about))
    await world.passTo(start + day)
    t.match(await world.repository.find(7, 'c1'), { state: 'failed', attempts: 5 })
    t.same(sent().slice(-3), ['c1', 'c2', 'c3'], 'the next ones are sent once it is given up')
    await world.send(...['d1', 'd2'].map(about))
    world.endpoints.delete('e1')
    await world.passTo(start + day + 1_000)
    t.equal(await world.repository.countWaiting(), 0, 'nothing is held of an endpoint that is off')
    t.same(world.errors, [])
  },
)

t.test(
  'given random answers, when an endpoint in order is sent to by two runs, then each subject is told in its order',
  async (t) => {
    let seed = Number(process.env.OTEP_TEST_SEED ?? 7)
    const chance = () => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 1
      return seed / 2 ** 31
    }
    const world = await createWorld(t, { reply: () => (chance() < 0.3 ? 503 : 200) })
    world.run()
    const to = world.endpoint('e1', '/a', { isInOrder: true })
    const ids = Array.from({ length: 120 }, (_, index) => `${Math.trunc(chance() * 9)}-${index}`)
    const about = (id: string) => world.delivery(to, id, { subject: `order/${id[0]}` })
    await world.send(...ids.slice(0, 60).map(about))
    await world.passTo(start + 5_000)
    await world.stop()
    await world.send(...ids.slice(60).map(about))
    world.run()
    await world.passTo(start + 3 * day)
    t.equal(await world.repository.countWaiting(), 0)
    const ended = new Map<string, number>()
    for (const { headers } of world.receivers.got) {
      const [subject = '', index] = String(headers['x-id']).split('-')
      t.ok(Number(index) >= (ended.get(subject) ?? -1), `${subject}-${index}`)
      ended.set(subject, Number(index))
    }
    t.equal(new Set(world.receivers.got.map(({ headers }) => headers['x-id'])).size, ids.length)
  },
)

function dueTo(endpointId: string): DueDelivery {
  return {
    ...{ id: 'd', event: 'order.created', eventId: 'EVT-d', subject: 'order/42', businessId: 7, isTest: false },
    ...{ occurredAt: '2026-06-10T10:00:00.000Z', isSandbox: false, owner: 'business.7', endpointId, channel: 'tenant' },
    ...{ url: 'https://shop.example/hook', format: 'native', standard: false, body: new Uint8Array(1) },
    ...{ attempts: 0, attemptNumber: 1, isInOrder: false },
  }
}

t.test(
  'given a queue, when items are added, taken and taken out, then they come in the order in which they came',
  async (t) => {
    const queue = createQueue<number>()
    t.same([queue.peek(), queue.take(), queue.size()], [undefined, undefined, 0])
    for (let item = 0; item < 5000; item++) queue.add(item)
    for (let item = 0; item < 3000; item++) {
      if (queue.peek() !== item || queue.take() !== item || queue.size() !== 4999 - item) t.fail(`${item}`)
    }
    t.same(
      queue.takeOut((item) => item > 5000),
      [],
    )
    t.equal(queue.size(), 2000)
    t.equal(queue.takeOut((item) => item % 2 === 0).length, 1000)
    queue.add(1)
    t.same([queue.size(), queue.peek(), queue.take(), queue.take()], [1001, 3001, 3001, 3003])
    const rest: number[] = []
    for (let item = queue.take(); item !== undefined; item = queue.take()) rest.push(item)
    t.same([rest.length, rest[0], rest.at(-2), rest.at(-1), queue.size()], [999, 3005, 4999, 1, 0])
  },
)

t.test('given fast and slow attempts, when places run out, then each kind keeps within its own limits', async (t) => {
  const limits = { ...defaultLimits, inFlight: 2, fast: 3, slowAfter: 100, slow: 2, slowShare: 3 }
  const [lanes, slots] = [createLanes(limits), createSlots(limits)]
  const laneOf = (id: string, url: string, count: number) => {
    const lane = lanes.of(id)
    lanes.fill(
      lane,
      Array.from({ length: count }, () => ({ ...dueTo(id), url })),
    )
    slots.enqueue(lane, 0)
    slots.enqueue(lane, 0)
    return lane
  }
  const begun = (now: number) => {
    const flights: Flight[] = []
    for (let flight = slots.next(now); flight !== undefined; flight = slots.next(now)) flights.push(flight)
    return flights
  }
  laneOf('a', 'https://a.example/?one', 5)
  laneOf('b', 'https://b.example/', 5)
  const first = begun(0)
  t.same(
    first.map(({ lane, isSlow }) => [lane.endpointId, isSlow]),
    [
      ['a', false],
      ['b', false],
      ['a', false],
    ],
  )
  t.same(slots.count(), { inFlight: 3, slow: 0 })
  t.equal(slots.moveSlow(99), 100, 'the first becomes slow at 100')
  t.equal(slots.moveSlow(100), Number.POSITIVE_INFINITY)
  t.same(slots.count(), { inFlight: 3, slow: 2 }, 'the third waits for a slow place')
  const [one, two, three] = first as [Flight, Flight, Flight]
  t.same([one.isSlow, two.isSlow, three.isSlow], [true, true, false])
  t.same(begun(100), [], 'both URLs are slow, and no slow place is free')
  slots.finish(one, 110)
  t.same(slots.count(), { inFlight: 2, slow: 1 })
  t.equal(slots.moveSlow(110), Number.POSITIVE_INFINITY)
  t.same(slots.count(), { inFlight: 2, slow: 2 })
  laneOf('c', 'https://c.example/', 1)
  t.same(
    begun(120).map(({ lane }) => lane.endpointId),
    ['c'],
    'a fast one does not wait for the slow ones',
  )
  slots.finish(two, 50)
  slots.finish(three, 120)
  t.same(slots.count(), { inFlight: 1, slow: 0 })
  t.same(two.address.isSlow, false, 'the last attempt decides')
  t.same(three.address.isSlow, true)
  const then = begun(130)
  t.same(
    then.map(({ lane, isSlow }) => [lane.endpointId, isSlow]),
    [
      ['a', true],
      ['b', false],
      ['b', false],
      ['a', true],
    ],
  )
  t.same(slots.count(), { inFlight: 5, slow: 2 })
})

t.test(
  'given a slow URL, when half of the slow places are free, then it has more at once than a fast one',
  async (t) => {
    const limits = { ...defaultLimits, inFlight: 1, fast: 9, slowAfter: 100, slow: 4, slowShare: 3 }
    const [lanes, slots] = [createLanes(limits), createSlots(limits)]
    const lane = lanes.of('a')
    lanes.fill(
      lane,
      Array.from({ length: 9 }, () => dueTo('a')),
    )
    slots.enqueue(lane, 0)
    const first = slots.next(0)
    t.equal(slots.next(0), undefined)
    if (first === undefined) throw new Error('Nothing began.')
    slots.finish(first, 100)
    t.same([slots.next(100)?.isSlow, slots.next(100)?.isSlow, slots.next(100)], [true, true, undefined])
  },
)

t.test(
  'given lanes, when one has nothing to do any more, then it is gone, and its URL with the last of it',
  async (t) => {
    const lanes = createLanes(defaultLimits)
    const fill = (id: string, url: string) => {
      const lane = lanes.of(id)
      lanes.fill(lane, [{ ...dueTo(id), url }])
      return lane
    }
    const [one, two] = [fill('e1', 'https://a.example/?x=1'), fill('e2', 'https://a.example/#y')]
    const other = fill('e3', 'https://b.example/')
    t.equal(lanes.of('e1'), one)
    t.equal(one.address, two.address, 'what follows the path does not count')
    t.not(other.address, two.address)
    const { address } = one
    lanes.retire(one)
    t.equal([...lanes.all()].length, 3, 'it has something to send')
    const busy = [{ isClaiming: true }, { isQueued: true }, { inFlight: 1 }, { dueAt: 5 }]
    one.claimed.take()
    for (const state of busy) {
      const before = { isClaiming: false, isQueued: false, inFlight: 0, dueAt: Number.POSITIVE_INFINITY }
      lanes.retire(Object.assign(one, state))
      t.equal([...lanes.all()].length, 3, JSON.stringify(state))
      Object.assign(one, before)
    }
    lanes.retire(one)
    t.same([...lanes.all()], [two, other])
    t.equal(fill('e4', 'https://a.example/').address, address, 'others still send there')
    for (const id of ['e2', 'e4']) {
      const lane = lanes.of(id)
      lane.claimed.take()
      lanes.retire(lane)
    }
    t.not(fill('e5', 'https://a.example/').address, address)
  },
)

t.test(
  'given a URL that answers in 200 ms, when it has much to come, then more and more are sent at once, and fewer after a 429',
  async (t) => {
    const { share, rounds } = await simulated({ latency: () => 200 })
    t.ok(rounds.at(-1) === 64, `${rounds}`)
    t.ok(
      rounds.every((size, index) => size >= (rounds[index - 1] ?? 0)),
      'it grows steadily',
    )
    t.ok(share.size === defaultLimits.most)
    const slower = await simulated({ latency: (inFlight) => 100 + Math.max(0, inFlight - 16) * 40 })
    t.ok(
      slower.rounds.every((size) => size <= 24),
      `it stays where answers become slower: ${slower.rounds}`,
    )
    t.ok(Math.max(...slower.rounds) >= 12, `${slower.rounds}`)
    const failing = await simulated({ latency: () => 50, ending: () => 'failed' })
    t.same(failing.rounds.slice(0, 2), [4, 4], 'it keeps the initial share while it fails now and then')
    t.ok(
      failing.rounds.slice(4).every((size) => size === 1),
      `one that keeps failing gets one at a time: ${failing.rounds.slice(0, 8)}`,
    )
    let attempts = 0
    const mended = await simulated({ latency: () => 50, ending: () => (++attempts < 40 ? 'failed' : 'delivered') })
    t.equal(mended.rounds.at(-1), 64, 'it grows again once it answers')
    const moody = await simulated({ latency: () => 50, ending: () => (++attempts % 4 === 0 ? 'delivered' : 'failed') })
    t.ok(Math.min(...moody.rounds) >= 4, 'one that takes some keeps the initial share')
    const full = await simulated({
      latency: () => 50,
      ending: (inFlight) => (inFlight > 2 ? 'overloaded' : 'delivered'),
    })
    t.ok(Math.max(...full.rounds.slice(2)) <= 4, `${full.rounds}`)
    t.ok(Math.min(...full.rounds) < 4, 'one that asks for less gets less')
  },
)

/** The attempts in flight at one URL, round by round, with receivers that answer as given. */
async function simulated(receiver: {
  readonly latency: (inFlight: number) => number
  readonly ending?: (inFlight: number) => Ending
}) {
  const [lanes, slots] = [createLanes(defaultLimits), createSlots(defaultLimits)]
  const lane = lanes.of('a')
  lanes.fill(
    lane,
    Array.from({ length: 20_000 }, () => dueTo('a')),
  )
  slots.enqueue(lane, 0)
  const rounds: number[] = []
  let now = 0
  for (let round = 0; round < 150; round++) {
    const flights: Flight[] = []
    for (let flight = slots.next(now); flight !== undefined; flight = slots.next(now)) flights.push(flight)
    rounds.push(flights.length)
    now += receiver.latency(flights.length)
    for (const flight of flights) slots.finish(flight, now, receiver.ending?.(flights.length) ?? 'delivered')
  }
  if (lane.address === undefined) throw new Error('The lane has no address.')
  return { share: lane.address.share, rounds }
}

t.test(
  'given attempts that are not recorded yet, then only so many give up their places before they are',
  async (t) => {
    let recordAll = () => {}
    const recorded = new Promise<void>((resolve) => {
      recordAll = resolve
    })
    const world = await createWorld(t, {
      limits: { unrecorded: 10 },
      disturbed: (repository) => ({
        ...repository,
        record: (attempted) => recorded.then(() => repository.record(attempted)),
      }),
    })
    world.run()
    const to = world.endpoint('e1', '/a')
    const ids = Array.from({ length: 60 }, (_, index) => `d${index}`)
    await world.send(...ids.map((id) => world.delivery(to, id)))
    await world.until(() => world.ended.length >= 14)
    for (let turns = 0; turns < 1_000; turns++) await setImmediate()
    const sent = world.ended.length
    t.ok(sent <= 18, `${sent} were sent`)
    t.equal(world.receivers.got.length, sent)
    t.match(await world.dispatcher.queue(), { inFlight: sent }, 'none is forgotten by the counts')
    recordAll()
    for (const id of ids) await world.until(async () => (await world.state(id)) === 'delivered')
    t.equal(world.receivers.got.length, 60, 'each was sent once')
  },
)

t.test(
  'given an endpoint with much to come, when it is fast, then twice as many are claimed each time, up to 16 at first',
  async (t) => {
    const claimed: number[] = []
    const world = await createWorld(t, {
      disturbed: (repository) => ({
        ...repository,
        claim: async (endpointId, now, limit) => {
          claimed.push(limit)
          return repository.claim(endpointId, now, limit)
        },
      }),
    })
    const to = world.endpoint('e1', '/a')
    world.run()
    await world.send(...Array.from({ length: 60 }, (_, index) => world.delivery(to, `d${index}`)))
    await world.until(() => world.receivers.got.length === 60)
    t.same(claimed.slice(0, 5), [4, 8, 16, 16, 16])
  },
)

t.test(
  'given work that fails, when it is tried again, then ever later, until it succeeds or the node stops',
  async (t) => {
    const waits: number[] = []
    const logged: unknown[] = []
    const node = new AbortController()
    const run = {
      signal: node.signal,
      log: { error: (_: object, words: string) => void logged.push(words) } as unknown as Log,
      wait: async (milliseconds: number) => void waits.push(milliseconds),
    }
    let count = 0
    const work = async () => {
      if (++count < 10) throw new Error('the disk is full')
      return count
    }
    t.equal(await retryUntilAborted(run, 'it cannot be kept', work), 10)
    t.same(waits, [100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000])
    t.same(logged, Array(9).fill('it cannot be kept'))
    node.abort()
    count = 0
    await t.rejects(retryUntilAborted(run, 'it cannot be kept', work), { message: 'the disk is full' })
    t.equal(count, 1)
  },
)

t.test(
  'given a receiver that answers 200 and keeps the body open, when there is one place, then the next attempts do not wait for the body',
  async (t) => {
    const world = await createWorld(t, {
      reply: () => 'drip',
      limits: { inFlight: 1, most: 1, fast: 1, unrecorded: 2 },
    })
    const endpoint = world.endpoint('drip', '/drip')
    world.run()
    await world.send(...['a', 'b', 'c', 'd'].map((id) => world.delivery(endpoint, id)))
    await world.until(() => world.receivers.got.length === 3)
    t.equal(await world.state('a'), 'sending', 'it is recorded when its body has ended')
    t.match(world.dispatcher.state(), { inFlight: 3, claimed: 1 }, 'two have left their places, and only so many may')
    world.receivers.letGo()
    await world.until(() => world.ended.length === 4 && world.dispatcher.state().inFlight === 0)
    t.same(world.ended, Array(4).fill('tenant ok'))
    t.equal(await world.state('a'), 'delivered')
  },
)
