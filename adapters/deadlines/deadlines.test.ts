import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import {
  type Caller,
  createMemoryStore,
  type DeviceOrderCommand,
  deriveId,
  deviceOrders,
  type EntityEvent,
  execute,
  isoOf,
  toNewEvent,
} from '../../engine/index.ts'
import { createParts } from '../engine.ts'
import type { Log } from '../node/log.ts'
import { watchDeadlines } from './index.ts'
import { createTime } from './time.test.fixture.ts'

const start = Date.parse('2026-06-10T10:00:00.000Z')
const caller: Caller = { kind: 'operator', name: 'test', scopes: [] }

/** A store with device orders, and the arguments of the clocks on it. */
function createWorld() {
  let ids = 0
  const { clock, ...time } = createTime(start)
  const stopping = new AbortController()
  const parts = createParts({
    store: createMemoryStore(clock),
    clock,
    randomId: () => deriveId('clock', String(ids++)),
  })
  const said: string[] = []
  const tell = (_: object, message: string) => void said.push(message)
  const log: Log = { debug: tell, info: tell, warn: tell, error: tell }

  async function command(order: number, given: Pick<DeviceOrderCommand, 'move' | 'values'>) {
    const whole = { at: isoOf(clock()), by: 7, ...given }
    const dressed = toNewEvent<EntityEvent>({ ...parts, caller, requestId: 'test' })
    await execute(parts.store, deviceOrders, `device_order-${order}`, whole, dressed)
  }

  async function store(order: number, due: number) {
    const values = {
      ...{ device_order_id: order, business_id: 1, kind: 'delivery', device_type: 'locker' },
      ...{ device_id: 4, device_name: 'Locker', next_actor: 'courier', piece_id: `urn:uuid:${order}` },
    }
    await command(order, { move: 'create', values })
    const stored = { due_at: isoOf(due), next_actor: 'recipient', code_hash: 'hash' }
    await command(order, { move: 'store', values: stored })
  }

  /** The times at which the device order became overdue. */
  async function overdueAt(order: number): Promise<readonly string[]> {
    const events = await parts.store.read(`device_order-${order}`)
    return events.flatMap(({ type, data }) =>
      type === 'DeviceOrderBecameOverdue' ? [(data as { readonly overdue_at: string }).overdue_at] : [],
    )
  }

  const run = () => watchDeadlines(parts, { signal: stopping.signal, log, wait: time.wait })

  /** Waits until the read models have all events. It takes real time, and the clocks of the tests do not wait for it. */
  async function modelsAreBuilt() {
    while (!(await parts.models.state()).every(({ isCaughtUp }) => isCaughtUp)) await setImmediate()
  }

  return { ...time, parts, run, log, stopping, command, store, overdueAt, modelsAreBuilt, said }
}

t.test(
  'given deadlines, when time passes, then each passes at its minute, and what was collected is left',
  async (t) => {
    const world = createWorld()
    await world.store(1, start + 5_000)
    await world.store(2, start + 12_345)
    await world.store(3, start + 6_000)
    await world.store(4, start + 100_000)
    const running = world.run()
    await world.passTo(start + 5_500)
    t.same(await world.overdueAt(1), [isoOf(start + 5_000)])
    await world.command(3, { move: 'collect', values: { code_hash: 'hash', is_staff: false } })
    await world.passTo(start + 600_000)
    world.stopping.abort()
    await running
    t.same(await world.overdueAt(1), [isoOf(start + 5_000)], 'once')
    t.same(await world.overdueAt(2), [isoOf(start + 12_345)])
    t.same(await world.overdueAt(3), [])
    t.same(await world.overdueAt(4), [isoOf(start + 100_000)])
    t.ok(world.pauses.every((pause) => pause > 0 && pause <= 1_000))
    t.same(world.said, [])
  },
)

t.test('given a deadline that comes up while the clock waits, then it passes within half a second', async (t) => {
  const world = createWorld()
  const running = world.run()
  await world.passTo(start + 1_000)
  await world.store(1, start + 1_500)
  await world.passTo(start + 2_500)
  t.same(await world.overdueAt(1), [isoOf(start + 1_500)])
  world.stopping.abort()
  await running
})

t.test(
  'given more than a page of deadlines that have passed, when a clock starts, then all of them pass',
  async (t) => {
    const world = createWorld()
    for (let order = 1; order <= 450; order++) await world.store(order, start + 1)
    await world.passTo(start + 10, 0)
    await world.modelsAreBuilt()
    const running = world.run()
    await world.settle(1)
    world.stopping.abort()
    await running
    t.same(world.said, [])
    let count = 0
    for (let order = 1; order <= 450; order++) count += (await world.overdueAt(order)).length
    t.equal(count, 450)
  },
)

t.test('given pools that take long to look through, when a deadline comes meanwhile, then it passes', async (t) => {
  const world = createWorld()
  const { parts, log, wait, stopping } = world
  await world.store(1, start + 40_000)
  const { counts, ...models } = parts.models
  let looks = 0
  const endless: typeof counts = async () => {
    looks += 1
    await once(stopping.signal, 'abort')
    return new Map()
  }
  const slow = { ...parts, models: { ...models, counts: endless } }
  const node = { signal: stopping.signal, log, wait }
  const running = [watchDeadlines(slow, node), watchDeadlines(slow, node, 'pools')]
  await world.passTo(start + 60_000)
  t.equal(looks, 1)
  t.same(await world.overdueAt(1), [isoOf(start + 40_000)])
  stopping.abort()
  await Promise.all(running)
  t.same(world.said, [])
})

t.test('given two nodes on one store, when both notice a deadline, then it passes once', async (t) => {
  const world = createWorld()
  for (let order = 1; order <= 20; order++) await world.store(order, start + 5_000)
  const running = [world.run(), world.run()]
  await world.passTo(start + 60_000, 2)
  world.stopping.abort()
  await Promise.all(running)
  for (let order = 1; order <= 20; order++) t.same(await world.overdueAt(order), [isoOf(start + 5_000)])
  t.same(world.said, [])
})

t.test(
  'given a store that fails, when the clock looks again, then what was due passes, and the failures are told',
  async (t) => {
    const world = createWorld()
    await world.store(1, start + 5_000)
    await world.store(2, start + 5_000)
    let failures = 0
    const failing = async (stream: string) => {
      if (stream === 'device_order-1' && failures++ < 1) throw new Error('No disk.')
    }
    const { parts, log, wait, stopping } = world
    const read: typeof parts.store.read = async (stream, range) => {
      await failing(stream)
      return parts.store.read(stream, range)
    }
    let pages = 0
    const page: typeof parts.models.page = async (model, query) => {
      if (pages++ < 3) throw new Error('Not built yet.')
      return parts.models.page(model, query)
    }
    const broken = { ...parts, store: { ...parts.store, read }, models: { ...parts.models, page } }
    const running = watchDeadlines(broken, { signal: stopping.signal, log, wait })
    await world.passTo(start + 30_000)
    t.same(await world.overdueAt(1), [])
    t.same(await world.overdueAt(2), [isoOf(start + 5_000)], 'the other one does not wait for it')
    await world.passTo(start + 61_000)
    t.same(await world.overdueAt(1), [isoOf(start + 35_000)], 'it is tried again half a minute later')
    t.same(
      world.said,
      [
        'deadlines could not be looked at and are looked at again',
        'a deadline could not pass',
        'deadlines are looked at again',
      ],
      'each change is one line, however many deadlines there are',
    )
    stopping.abort()
    await running
  },
)

t.test(
  'given models that are still built, when a clock starts, then it waits for them and nothing is an error',
  async (t) => {
    const world = createWorld()
    await world.store(1, start + 500)
    const { parts, log, wait, stopping } = world
    let isBuilt = false
    const state: typeof parts.models.state = async () => {
      const states = await parts.models.state()
      return isBuilt ? states : states.map((model) => ({ ...model, wasCaughtUp: false }))
    }
    const page: typeof parts.models.page = async (model, query) => {
      if (!isBuilt) throw new Error('Not built yet.')
      return parts.models.page(model, query)
    }
    const young = { ...parts, models: { ...parts.models, state, page } }
    const running = watchDeadlines(young, { signal: stopping.signal, log, wait })
    await world.passTo(start + 4_500)
    t.same(await world.overdueAt(1), [])
    isBuilt = true
    await world.passTo(start + 6_000)
    t.same(await world.overdueAt(1), [isoOf(start + 5_000)])
    t.same(world.said, [])
    stopping.abort()
    await running
  },
)
