import t from 'tap'
import {
  type Caller,
  createMemoryStore,
  type DeviceOrderCommand,
  deriveId,
  deviceOrders,
  type EntityEvent,
  execute,
  isEngineError,
  isoOf,
  type StreamName,
  toNewEvent,
} from '../../../engine/index.ts'
import { createParts } from '../../engine.ts'
import type { Log } from '../../node/log.ts'
import { watchDeadlines } from '../index.ts'
import { createTime } from '../time.test.fixture.ts'

const start = Date.parse('2026-06-10T10:00:00.000Z')
const hour = 3_600_000
const minute = 60_000

/** How far clocks are wrong. */
const apart = 6 * minute

/** Between the deadlines of orders. */
const step = apart / 20
const caller: Caller = { kind: 'operator', name: 'test', scopes: [] }

/** How far the clock of each node is ahead of the right time, by how often it was asked. */
const errors = {
  right: () => 0,
  ahead: () => apart,
  behind: () => -apart,
  jumping: (asked: number) => [0, apart, -apart, 2 * apart][asked % 4] as number,
}

type NodeName = keyof typeof errors

/** One store, and nodes on it whose clocks differ. */
function createWorld() {
  let ids = 0
  const { clock, ...time } = createTime(start)
  const store = createMemoryStore(clock)
  const stopping = new AbortController()
  const said: string[] = []
  const tell = (_: object, message: string) => void said.push(message)
  const log: Log = { debug: tell, info: tell, warn: tell, error: tell }
  const run = { signal: stopping.signal, log, wait: time.wait }

  function node(name: NodeName) {
    let asked = 0
    const own = () => clock() + errors[name](asked++)
    const randomId = () => deriveId('clocks', String(ids++))
    return createParts({ store, clock: own, randomId })
  }
  const nodes = { right: node('right'), ahead: node('ahead'), behind: node('behind'), jumping: node('jumping') }

  async function end(running: readonly Promise<void>[]) {
    stopping.abort()
    await Promise.all(running)
  }

  const watch = (...names: readonly NodeName[]) => names.map((name) => watchDeadlines(nodes[name], run))
  return { ...time, ...ordersOn(nodes), watch, end, said }
}

/** What is done at each node. */
function ordersOn(nodes: Readonly<Record<NodeName, ReturnType<typeof createParts>>>) {
  async function command(by: NodeName, order: number, given: Pick<DeviceOrderCommand, 'move' | 'values'>) {
    const parts = nodes[by]
    const whole = { at: isoOf(parts.clock()), by: 7, ...given }
    const dressed = toNewEvent<EntityEvent>({ ...parts, caller, requestId: 'test' })
    return execute(parts.store, deviceOrders, `device_order-${order}`, whole, dressed)
  }

  async function stored(by: NodeName, order: number, due: number) {
    const values = {
      ...{ device_order_id: order, business_id: 1, kind: 'delivery', device_type: 'locker' },
      ...{ device_id: 4, device_name: 'Locker', next_actor: 'courier', piece_id: `urn:uuid:${order}` },
    }
    await command(by, order, { move: 'create', values })
    await command(by, order, {
      move: 'store',
      values: { due_at: isoOf(due), next_actor: 'recipient', code_hash: 'hash' },
    })
  }

  async function typesOf(stream: StreamName): Promise<readonly string[]> {
    return (await nodes.right.store.read(stream)).map(({ type }) => type)
  }

  /** What becomes of a code that is entered at a node. */
  async function enter(by: NodeName, code_hash: string): Promise<string> {
    const given = { move: 'collect', values: { code_hash, is_staff: false } } as const
    try {
      const [{ type } = { type: '' }] = await command(by, 1, given)
      return type === 'PickupCodeRefused' ? 'wrong' : 'right'
    } catch (error) {
      if (isEngineError(error)) return error.code
      throw error
    }
  }

  return { stored, typesOf, enter }
}

const overdue = 'DeviceOrderBecameOverdue'

t.test('given nodes whose clocks differ, when deadlines come, then each passes once and none is lost', async (t) => {
  const world = createWorld()
  const orders = Array.from({ length: 20 }, (_, index) => index + 1)
  for (const order of orders) await world.stored('right', order, start + 2 * apart + order * step)
  const running = world.watch('right', 'ahead', 'behind')
  const count = async () => {
    const all = await Promise.all(orders.map((order) => world.typesOf(`device_order-${order}`)))
    return all.flat().filter((type) => type === overdue).length
  }
  await world.passTo(start + apart, 3)
  t.equal(await count(), 0, 'none passes earlier than the clocks differ')
  await world.passTo(start + apart + 20 * step + 1_000, 3)
  t.equal(await count(), 20, 'the node that is ahead passes them')
  await world.passTo(start + 4 * apart, 3)
  t.equal(await count(), 20, 'and no other node does it again')
  await world.end(running)
  t.same(world.said, [])
})

t.test('given a node that is behind and alone, when deadlines come, then they pass as much later', async (t) => {
  const world = createWorld()
  await world.stored('right', 1, start + 2 * apart)
  const running = world.watch('behind')
  await world.passTo(start + 3 * apart - 1_000)
  t.notOk((await world.typesOf('device_order-1')).includes(overdue))
  await world.passTo(start + 3 * apart + minute)
  t.ok((await world.typesOf('device_order-1')).includes(overdue))
  await world.end(running)
})

t.test('given a clock that jumps, when deadlines come, then each passes once', async (t) => {
  const world = createWorld()
  for (let order = 1; order <= 20; order++) await world.stored('right', order, start + 3 * apart + order * step)
  const running = world.watch('jumping', 'right')
  await world.passTo(start + 5 * apart, 2)
  for (let order = 1; order <= 20; order++) {
    const passed = (await world.typesOf(`device_order-${order}`)).filter((type) => type === overdue)
    t.equal(passed.length, 1, `${order}`)
  }
  await world.end(running)
  t.same(world.said, [])
})

t.test(
  'given nodes whose clocks differ, when somebody guesses a pickup code at all of them, then it is locked at all',
  async (t) => {
    const world = createWorld()
    await world.stored('right', 1, start + 72 * hour)
    const names = ['right', 'ahead', 'behind'] as const
    let guesses = 0
    for (let round = 0; round < 100; round++)
      for (const name of [...names, ...names.toReversed()])
        if ((await world.enter(name, `wrong ${round}`)) === 'wrong') guesses += 1
    t.equal(guesses, 5, 'as many as at one node')
    for (const name of names) t.equal(await world.enter(name, 'hash'), 'too_many_attempts')
    await world.passTo(start + 2 * apart + 16 * minute, 0)
    for (let round = 0; round < 100; round++)
      for (const name of names) if ((await world.enter(name, `wrong ${round}`)) === 'wrong') guesses += 1
    t.equal(guesses, 10, 'and five more after the lock')
    await world.passTo(start + 2 * hour, 0)
    t.equal(await world.enter('behind', 'hash'), 'right', 'and nobody is locked out for longer than the clocks differ')
  },
)
