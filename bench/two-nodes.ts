import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Known, openBusiness, send, signIn } from '../conformance/orders/office.ts'
import { program } from '../conformance/program/files.ts'
import { type Server, startServer } from '../conformance/program/server.ts'
import { challengeIn, type Receiver, startReceiver } from '../conformance/webhooks/receiver.ts'
import { serverNote, startEventStore } from './event-store.ts'
import { median, type Prepared, type Sample, type Settings, type Topic } from './harness.ts'

/** Webhooks of two nodes on an event store server, of which one sends all. */
export const twoNodes: Topic = {
  name: 'two-nodes',
  summary:
    'from an order at one of two nodes on an event store server to its webhook, also while the nodes are killed in turn',
  unit: 'order',
  maxRounds: 2,
  prepare,
}

/** Orders of a round, and milliseconds between two of them. */
const quiet = { orders: 100, pause: 50 }
const kills = { orders: 240, pause: 50, every: 80 }

async function prepare({ scale, directory, progress }: Settings): Promise<Prepared> {
  const server = await startEventStore(progress)
  progress('starting two nodes')
  const store = server.newStore()
  const dataDirOf = (place: number) => join(directory, `two-nodes-${place}`)
  // Both have one secret; the commands take it from here, too.
  const { OTEP_SECRET_KEY: secret = '' } = process.env
  process.env.OTEP_SECRET_KEY = '0'.repeat(64)
  const settings = { OTEP_LIMITS: 'off', OTEP_BASE_URL: 'https://otep.example' }
  const start = (place: number) => startServer(program, dataDirOf(place), [], ['--store', store], settings)
  const { admin } = await openBusiness(['--store', store, '--data-dir', dataDirOf(0)], { admin: 'client_admin' })
  const nodes = [await start(0), await start(1)]
  const receiver = await startReceiver(() => performance.now())
  const url = receiver.urlOf('/orders')
  await put(nodes[0] as Server, admin, url)

  const measure = measuring({ nodes, start, receiver, admin })
  const cases = [
    { name: 'both run', run: () => measure(Math.ceil(quiet.orders * scale), quiet.pause) },
    {
      name: 'a node is killed every 4 seconds',
      run: () => measure(Math.ceil(kills.orders * scale), kills.pause, Math.ceil(kills.every * scale)),
    },
  ]
  const close = async () => {
    await Promise.all(nodes.map((node) => node.kill()))
    await receiver.close()
    await server.stop()
    if (secret === '') delete process.env.OTEP_SECRET_KEY
    else process.env.OTEP_SECRET_KEY = secret
  }
  return { cases, notes: [note], close }
}

const note =
  'From the answer to POST /api/v1/orders, at the nodes in turn, to the arrival of order.created; a killed node starts again at once. ' +
  serverNote

/** Two nodes, of which each can be started again, and who orders there. */
interface Pair {
  readonly nodes: Server[]
  readonly start: (place: number) => Promise<Server>
  readonly receiver: Receiver
  readonly admin: Known
}

/** Makes what measures orders with a pause between two, a node killed after `every` of them. */
function measuring({ nodes, start, receiver, admin }: Pair) {
  /** A node that was killed starts again with work to do: until an order has its webhook soon. */
  async function settle(token: string): Promise<void> {
    for (let soon = 0; soon < 5; ) {
      const { body } = await send(nodes[soon % 2] as Server, 'POST', '/api/v1/orders', { token, body: order })
      const [delay = 0] = await delaysOf(new Map([[body.order_id, performance.now()]]), () =>
        timesAt(receiver.captures),
      )
      soon = delay < 100 ? soon + 1 : 0
    }
  }

  return async (orders: number, pause: number, every = Number.POSITIVE_INFINITY): Promise<Sample> => {
    const token = await signIn(nodes[0] as Server, admin)
    await settle(token)
    const begun = performance.now()
    const made = new Map<number, number>()
    let restarted = Promise.resolve()
    for (let number = 0; number < orders; number++) {
      const killed = Math.floor(number / every) % 2
      if (number > 0 && number % every === 0) {
        await restarted
        await nodes[killed]?.kill()
        restarted = start(killed).then((node) => void nodes.splice(killed, 1, node))
      }
      const node = nodes[every === Number.POSITIVE_INFINITY ? number % 2 : 1 - killed] as Server
      const { status, body } = await send(node, 'POST', '/api/v1/orders', { token, body: order })
      if (status === 201 || status === 200) made.set(body.order_id, performance.now())
      await setTimeout(pause)
    }
    await restarted
    const delays = await delaysOf(made, () => timesAt(receiver.captures))
    const seconds = (performance.now() - begun) / 1000
    const sorted = delays.toSorted((one, other) => one - other)
    const figures = {
      'median ms': median(sorted),
      'p95 ms': sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN,
      'longest ms': sorted.at(-1) ?? Number.NaN,
    }
    return { units: made.size, seconds, cpuSeconds: Number.NaN, figures }
  }
}

const contact = { name: 'A. Recipient', phone: '+1 416 555 0100', address: { street: '1 Road', country: 'CA' } }
const order = { type: 'D', items: 1, delivery: contact }

async function put(node: Server, admin: Known, url: string): Promise<void> {
  const token = await signIn(node, admin)
  const body = { order_create_webhook_url: url }
  const { status, body: answer } = await send(node, 'PUT', '/api/v1/webhook-settings', { token, body })
  if (status !== 200) throw new Error(`The URL was not taken: ${JSON.stringify(answer)}`)
}

/** When the first webhook of each order has come. */
function timesAt(captures: Receiver['captures']): ReadonlyMap<number, number> {
  const times = new Map<number, number>()
  for (const capture of captures) {
    if (challengeIn(capture) !== undefined) continue
    const { data } = JSON.parse(capture.body.toString()) as { readonly data?: { readonly order_id?: number } }
    const id = data?.order_id
    if (id !== undefined && !times.has(id)) times.set(id, capture.at)
  }
  return times
}

/** Milliseconds from each order to its webhook, once all have come. */
async function delaysOf(
  made: ReadonlyMap<number, number>,
  times: () => ReadonlyMap<number, number>,
): Promise<readonly number[]> {
  for (;;) {
    const come = times()
    const delays = [...made].flatMap(([id, at]) => {
      const time = come.get(id)
      return time === undefined ? [] : [Math.max(0, time - at)]
    })
    if (delays.length === made.size) return delays
    await setTimeout(20)
  }
}
