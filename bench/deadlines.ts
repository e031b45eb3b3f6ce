import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { watchDeadlines } from '../adapters/deadlines/index.ts'
import { createParts } from '../adapters/main.ts'
import { errorLog } from '../adapters/node/log.ts'
import { wait } from '../adapters/node/wait.ts'
import { createSqliteStore } from '../adapters/sqlite/facts/index.ts'
import { type Append, deviceOrders, fold, isoOf, readModels, toNewEvent } from '../engine/index.ts'
import { type Case, measured, median, type Prepared, type Sample, type Settings, type Topic } from './harness.ts'
import { removeDatabase } from './stores.ts'

/** How soon a node notes that a deadline has passed. */
export const deadlines: Topic = {
  name: 'deadlines',
  summary: 'from the deadline of a stay in a locker to the event that says that it has passed, by open stays',
  unit: 'stay',
  maxRounds: 2,
  prepare,
}

/** Open stays whose deadlines are far away. */
const sizes = [100, 100_000]

/** Stays of a call of the store while it is filled. */
const staysAtOnce = 1_000

const month = 30 * 86_400_000

/** The stays of a round that become due, and the deadlines of those that are stored together, as epoch milliseconds. */
const known = {
  ...{ name: '', stays: 20 },
  dueAfter: (now: number, many: number) => Array.from({ length: many }, (_, index) => now + 1_500 + 230 * index),
}

/** Each is stored when the one before is noted, and so the clock has just looked. */
const late = { name: ', due as it is stored', stays: 5, dueAfter: (now: number) => [now + 10] }

type Plan = typeof known | typeof late

async function prepare({ scale, directory, progress }: Settings): Promise<Prepared> {
  const nodes: Node[] = []
  const cases: Case[] = []
  for (const [index, size] of sizes.entries()) {
    const count = Math.max(10, Math.round(size * scale))
    const open = `${count.toLocaleString('en')} open stays`
    progress(`writing ${open}`)
    const node = await openNode(join(directory, `deadlines-${index}`), count)
    nodes.push(node)
    for (const plan of [known, late]) {
      const many = Math.max(2, Math.round(plan.stays * Math.min(1, scale)))
      cases.push({ name: `${open}${plan.name}`, run: () => noting(node, plan, many) })
    }
  }
  const close = async () => {
    for (const node of nodes) await node.close()
  }
  return { cases, notes: [note], close }
}

type Node = Awaited<ReturnType<typeof openNode>>

/** A store with open stays, and its read models. */
async function openNode(path: string, count: number) {
  const files = [`${path}.db`, `${path}-models.db`] as const
  const store = createSqliteStore({ file: files[0], clock: Date.now })
  const parts = createParts({ store, modelsFile: { file: files[1], name: 'bench' } })
  const closing = new AbortController()
  let last = 0

  async function add(deadlines: readonly number[]): Promise<readonly Stay[]> {
    const stays = deadlines.map((dueAt) => ({ id: ++last, dueAt }))
    await parts.store.appendMany(stays.map((stay) => appendOf(parts, stay)))
    return stays
  }

  while (last < count) {
    const far = Date.now() + month
    await add(Array.from({ length: Math.min(staysAtOnce, count - last) }, (_, index) => far + index))
  }
  const model = readModels.find(({ category }) => category === 'device_order')
  if (model === undefined) throw new Error('There is no read model of stays.')
  await parts.models.rebuild(model, closing.signal)
  parts.models.start(closing.signal)
  const close = async () => {
    closing.abort()
    await parts.models.close()
    await store.close()
    files.forEach(removeDatabase)
  }
  return { parts, add, close }
}

/** Adds stays that are due soon, and measures how long after its deadline each is overdue. */
async function noting({ parts, add }: Node, plan: Plan, many: number): Promise<Sample> {
  const stopping = new AbortController()
  const watching = watchDeadlines(parts, { signal: stopping.signal, log: errorLog, wait })
  const delays: number[] = []
  const sample = await measured(many, async () => {
    while (delays.length < many)
      for (const stay of await add(plan.dueAfter(Date.now(), many))) delays.push(await delayOf(parts, stay))
  })
  stopping.abort()
  await watching
  return { ...sample, figures: { 'median ms': median(delays), 'longest ms': Math.max(...delays) } }
}

/** A stay, and its deadline (epoch milliseconds). */
interface Stay {
  readonly id: number
  readonly dueAt: number
}

type Parts = ReturnType<typeof createParts>

const caller = { kind: 'operator', name: 'bench', scopes: [] } as const

/** What records a stay that lies in a locker until its deadline. */
function appendOf(parts: Parts, { id, dueAt }: Stay): Append {
  const announced = {
    ...{ device_order_id: id, business_id: 1, kind: 'delivery', device_type: 'locker' },
    ...{ device_id: 4, device_name: 'Locker', next_actor: 'courier', piece_id: `urn:uuid:${id}` },
  }
  const stored = { due_at: isoOf(dueAt), next_actor: 'recipient', code_hash: 'hash' }
  const at = { at: isoOf(parts.clock()), by: 7 }
  const created = deviceOrders.decide({ move: 'create', ...at, values: announced }, undefined)
  const state = fold(deviceOrders, created)
  const events = [...created, ...deviceOrders.decide({ move: 'store', ...at, values: stored }, state)]
  const dressed = events.map(toNewEvent({ ...parts, caller, requestId: 'bench' }))
  return { stream: `device_order-${id}`, events: dressed, expected: 'no-stream' }
}

/** Waits until a stay is overdue; returns how long after its deadline that was recorded, in milliseconds. */
async function delayOf({ store }: Parts, { id, dueAt }: Stay): Promise<number> {
  for (; ; await setTimeout(5)) {
    const overdue = (await store.read(`device_order-${id}`)).find(({ type }) => type === 'DeviceOrderBecameOverdue')
    if (overdue !== undefined) return Date.parse(overdue.recordedAt) - dueAt
  }
}

const note =
  'Open stays lie in lockers for a month. The stays of a round are due one after another, from a second and a half after they ' +
  'are stored; or each in 10 ms, stored when the clock has just looked, which is the worst that can be: it looks again a second ' +
  'later. A node in this process keeps the read models and looks at deadlines as otep serve does, and does nothing else. The ' +
  'delay is from the deadline to the time at which the event was recorded.'
