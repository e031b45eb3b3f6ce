import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { storeFrom } from '../adapters/config.ts'
import { openStore } from '../adapters/engine.ts'
import type { OrderEvent, WalletEvent } from '../engine/index.ts'
import { gapsIn } from './kill/witness.ts'
import { sharedStores } from './nodes/shared.ts'
import { type Answer, codesOf, eventually, type Known, openBusiness, send, signIn } from './orders/office.ts'
import { program } from './program/files.ts'
import { type Server, startServer } from './program/server.ts'

const ann = { name: 'Ann', address: { street: '1 Main Street', country: 'CA' } }
const order = { type: 'D', delivery: ann }

/** As the nodes of one store are told it. */
process.env.OTEP_SECRET_KEY = randomBytes(32).toString('hex')

/** A fact as it stands in a store. */
interface Stored {
  readonly type: string
  readonly stream: string
  readonly data: Readonly<Record<string, unknown>>
}

/** All facts of a category at an address. */
async function factsAt(address: string, category: string): Promise<readonly Stored[]> {
  const store = await openStore(storeFrom({ OTEP_STORE: address }))
  const facts: Stored[] = []
  for await (const { type, stream, data } of store.readAll(undefined, { category }))
    facts.push({ type, stream, data: data as Stored['data'] })
  await store.close()
  return facts
}

/** How often each value stands there, of those that are there more than once. */
function repeated<Value>(values: readonly Value[]): readonly Value[] {
  return values.filter((value, index) => values.indexOf(value) !== index)
}

/** Whether ids count from 1 without a gap, each once. */
function isCounted(ids: readonly unknown[]): boolean {
  return new Set(ids).size === ids.length && ids.every((_, index) => ids.includes(index + 1))
}

/** Orders that were created, by the facts. */
function createdIn(facts: readonly Stored[]): readonly Stored['data'][] {
  return facts.filter(({ type }) => type === ('OrderCreated' satisfies OrderEvent['type'])).map(({ data }) => data)
}

/** Side by side: after a kill, policies wait for the term of the node that is gone. */
t.jobs = 3

t.test(
  'given orders that come in singly and as a batch, when the server is killed, then nothing acknowledged is lost or done twice',
  { buffered: true },
  async (t) => {
    const dataDir = t.testdir({})
    const address = `sqlite:${join(dataDir, 'otep.db')}`
    const { admin } = await openBusiness(['--data-dir', dataDir], { admin: 'client_admin' })
    let server = await startServer(program, dataDir)
    t.teardown(() => server.kill())
    const token = await signIn(server, admin)
    const create = (number: number) =>
      send(server, 'POST', '/api/v1/orders', { token, key: `k${number}`, body: { ...order, reference: `R${number}` } })
    const answers = new Map<number, Answer>()
    const ready = new Map<number, Answer>()
    let isKilled = false
    let next = 0

    /** One client after the other sends what comes next, until the server answers no more. */
    async function lane(): Promise<void> {
      while (!isKilled) {
        const number = next++
        const answer = await create(number)
        if (answer.status === 0) return
        answers.set(number, answer)
        const path = `/api/v1/orders/${answer.body.order_id}/ready`
        if (number % 3 === 0) ready.set(number, await send(server, 'POST', path, { token }))
      }
    }

    const rows = Array.from({ length: 250 }, (_, index) => ({ ...order, reference: `B${index}` }))
    const { body: batch } = await send(server, 'POST', '/api/v1/client/batchOrderCreateAsync', {
      token,
      body: { orders: rows },
    })
    const result = async () => (await send(server, 'GET', `/api/v1/client/async/${batch.asyncId}`, { token })).body
    const lanes = Promise.all([lane(), lane(), lane(), lane()])
    const half = await eventually(result, ({ done }) => done >= 25 && answers.size >= 10)
    await server.kill()
    isKilled = true
    await lanes
    t.comment(`${answers.size} orders were acknowledged, and ${half.done} of the batch were done`)
    t.same(new Set([...answers.values()].map(({ status }) => status)), new Set([200]))

    server = await startServer(program, dataDir)
    const numbers = [...answers.keys()]
    const again = await Promise.all(numbers.map(create))
    t.same(
      again.map(({ body }) => body),
      numbers.map((number) => answers.get(number)?.body),
      'the same calls are answered as the first time',
    )
    t.match(await send(server, 'POST', '/api/v1/orders', { token, key: 'k0', body: order }), {
      body: { code: 'idempotency_key_reused' },
    })
    const unanswered = Array.from({ length: next }, (_, number) => number).filter((number) => !answers.has(number))
    for (const number of unanswered) answers.set(number, await create(number))
    t.same(
      new Set([...answers.values()].map(({ status }) => status)),
      new Set([200]),
      'a call without an answer goes again',
    )

    const finished = await eventually(result, ({ status }) => status === 'finished')
    t.match(finished, { status: 'finished', total: rows.length, done: rows.length, created: rows.length, failed: 0 })
    const facts = await factsAt(address, 'order')
    const created = createdIn(facts)
    t.equal(created.length, answers.size + rows.length)
    t.same(repeated(created.map(({ reference }) => reference)), [], 'every order is there once')
    t.same(repeated(created.map(({ tracking_number }) => tracking_number)), [], 'no two share a tracking number')
    t.ok(isCounted(created.map(({ order_id }) => order_id)), 'ids have no gaps')
    const byId = new Map(created.map((data) => [data.order_id, data]))
    const acknowledged = [...answers].map(([number, { body }]) => ({ ...body, reference: `R${number}` }))
    const rowsDone = finished.orders.map((row: { index: number }) => ({ ...row, reference: `B${row.index}` }))
    t.same(
      [...acknowledged, ...rowsDone].filter(({ order_id, reference, tracking_number }) => {
        const standing = byId.get(order_id)
        return standing?.reference !== reference || standing?.tracking_number !== tracking_number
      }),
      [],
      'each is under the id and the number that were answered',
    )

    const wanted = new Map(created.map((data) => [String(data.tracking_number), ['information_submitted']]))
    for (const { type, stream } of facts)
      if (type === 'OrderReady')
        wanted.get(String(byId.get(Number(stream.slice('order-'.length)))?.tracking_number))?.push('awaiting_pickup')
    t.same(
      [...ready].filter(
        ([number, { status }]) => status === 200 && wanted.get(answers.get(number)?.body.tracking_number)?.length !== 2,
      ),
      [],
      'what was acknowledged of an order is there, once',
    )
    const told = await eventually(
      () => codesOf(server, [...wanted.keys()]),
      (found) => [...wanted].every(([number, codes]) => (found.get(number)?.length ?? 0) >= codes.length),
    )
    t.same(Object.fromEntries(told), Object.fromEntries(wanted), 'timelines have caught up, each event once')
    t.equal(await server.stop(), 0)
    t.same(await gapsIn(dataDir), [], 'revisions have no gaps')
  },
)

/** Two servers on one store, and who signs in there. */
interface Pair {
  readonly nodes: readonly [Server, Server]
  readonly address: string
  readonly people: Readonly<Record<'admin' | 'employee' | 'clerk' | 'customer' | 'driver', Known>>
  readonly tokens: Readonly<Record<'admin' | 'employee' | 'clerk' | 'customer' | 'driver', string>>
}

/** What is to hold for two nodes on any store that they may share, by its sentence. */
const sentences: Readonly<Record<string, (t: Test, pair: Pair) => Promise<void>>> = {
  'given two nodes, when both create orders at once, then ids are counted over both, and each timeline has each event once':
    async (t, { nodes, address, tokens: { admin: token } }) => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, number) =>
          send(nodes[number % 2 === 0 ? 0 : 1], 'POST', '/api/v1/orders', { token, body: order }),
        ),
      )
      t.same(new Set(answers.map(({ status }) => status)), new Set([200]))
      const ids = answers.map(({ body }) => body.order_id)
      t.ok(isCounted(ids), 'ids have no gaps')
      const numbers = answers.map(({ body }) => body.tracking_number)
      const told = await eventually(
        () => codesOf(nodes[1], numbers),
        (found) => numbers.every((number) => (found.get(number)?.length ?? 0) > 0),
      )
      t.same([...told.values()], Array(20).fill(['information_submitted']))
      const store = await openStore(storeFrom({ OTEP_STORE: address }))
      const policies = ['order-batches', 'order-timelines', 'device-order-timelines']
      const holders = await Promise.all(policies.map(async (name) => (await store.leases.read(name))?.holder))
      await store.close()
      t.notOk(holders.includes(undefined), 'every policy is in the hands of a node')
    },

  'given a proposal, when it is approved at both nodes at once, then it is carried out once': async (
    t,
    { nodes, address, tokens },
  ) => {
    const before = createdIn(await factsAt(address, 'order')).length
    for (let round = 0; round < 5; round++) {
      const proposed = { tool: 'create_order', arguments: { ...order, reference: `P${round}` } }
      const { body } = await send(nodes[0], 'POST', '/api/v1/approvals', { token: tokens.clerk, body: proposed })
      const path = `/api/v1/approvals/${body.proposal_id}/approve`
      const answers = await Promise.all([
        send(nodes[0], 'POST', path, { token: tokens.admin, body: {} }),
        send(nodes[1], 'POST', path, { token: tokens.employee, body: {} }),
      ])
      t.same(answers.map(({ status }) => status).sort(), [200, 409])
      t.equal(answers.find(({ status }) => status === 409)?.body.code, 'proposal_decided')
    }
    const created = createdIn(await factsAt(address, 'order')).slice(before)
    t.same(
      created.map(({ reference }) => reference),
      ['P0', 'P1', 'P2', 'P3', 'P4'],
    )
  },

  'given an order, when it is paid at both nodes at once, driven and cancelled, then order and wallet agree': async (
    t,
    { nodes, address, people, tokens },
  ) => {
    const [one, other] = nodes
    const { admin, customer } = tokens
    const balance = async () => (await send(other, 'GET', '/api/v1/customer/credits', { token: customer })).body.balance
    await send(one, 'POST', `/api/v1/accounts/${people.customer.id}/top-ups`, {
      token: admin,
      body: { amount: '15.00' },
    })
    const price = { shipping_price: '10.00', currency: 'CAD' }
    const asked = { ...order, customer_id: people.customer.id, price }
    const [first, second] = await Promise.all(
      nodes.map((node) => send(node, 'POST', '/api/v1/orders', { token: admin, body: asked })),
    )
    const paid = await Promise.all([
      send(one, 'POST', `/api/v1/orders/${first?.body.order_id}/pay`, { token: customer, body: {} }),
      send(other, 'POST', `/api/v1/orders/${second?.body.order_id}/pay`, { token: customer, body: {} }),
    ])
    t.same(paid.map(({ status }) => status).sort(), [200, 409], 'there is money for one')
    t.equal(await balance(), '5.00')
    const [id] = paid.flatMap(({ body }) => body.order_id ?? [])
    const path = `/api/v1/orders/${id}`
    const assigned = await send(other, 'POST', `${path}/assign-driver`, {
      token: admin,
      body: { driver_id: people.driver.id },
    })
    t.match(assigned, { status: 200, body: { status: 'ASSIGNED' } })
    const accepted = await send(one, 'POST', `${path}/accept`, { token: tokens.driver, body: {} })
    t.match(accepted, { status: 200, body: { status: 'ACCEPTED' } })
    const cancelled = await Promise.all(
      nodes.map((node) => send(node, 'POST', `${path}/cancel`, { token: admin, body: {} })),
    )
    t.same(
      cancelled.map(({ body }) => body.status),
      ['CANCELLED', 'CANCELLED'],
    )
    t.equal(await balance(), '15.00', 'what was paid is given back once')
    const moves = await factsAt(address, 'wallet')
    t.same(
      moves.map(({ type, data }) => [type, data.amount]),
      [
        ['WalletToppedUp', '15.00'],
        ['WalletCharged', '10.00'],
        ['WalletRefunded', '10.00'],
      ] satisfies readonly [WalletEvent['type'], string][],
    )
  },

  'given a batch at one node, when both nodes create orders meanwhile, then each row is created once': async (
    t,
    { nodes, address, tokens: { admin: token } },
  ) => {
    const orders = Array.from({ length: 60 }, (_, index) => ({ ...order, reference: `B${index}` }))
    const path = '/api/v1/client/batchOrderCreateAsync'
    const [{ body: batch }, ...others] = await Promise.all([
      send(nodes[0], 'POST', path, { token, body: { orders } }),
      ...nodes.map((node) => send(node, 'POST', '/api/v1/orders', { token, body: order })),
    ])
    t.same(new Set(others.map(({ status }) => status)), new Set([200]))
    const result = async () => (await send(nodes[1], 'GET', `/api/v1/client/async/${batch.asyncId}`, { token })).body
    t.match(await eventually(result, ({ status }) => status === 'finished'), { created: 60, failed: 0 })
    const created = createdIn(await factsAt(address, 'order'))
    t.same(repeated(created.flatMap(({ reference }) => reference ?? [])), [])
    t.ok(isCounted(created.map(({ order_id }) => order_id)), 'ids have no gaps')
  },
}

for (const [name, makeStore] of Object.entries(sharedStores)) {
  t.test(`orders at two nodes on ${name}`, { buffered: true }, async (t) => {
    const store = await makeStore(t.testdir({}))
    const starting: Promise<Server>[] = []
    t.teardown(async () => {
      for (const node of await Promise.allSettled(starting)) if (node.status === 'fulfilled') await node.value.kill()
      await store.close()
    })
    const people = await openBusiness(['--store', store.address, '--data-dir', store.dataDirOf('one')], {
      ...{ admin: 'client_admin', employee: 'client_employee', clerk: 'client_employee' },
      ...{ customer: 'customer', driver: 'driver' },
    } as const)
    const start = (node: string) => {
      const server = startServer(program, store.dataDirOf(node), [], ['--store', store.address])
      starting.push(server)
      return server
    }
    const nodes = await Promise.all([start('one'), start('other')])
    const tokens = {} as Record<keyof typeof people, string>
    for (const [name, known] of Object.entries(people))
      tokens[name as keyof typeof people] = await signIn(nodes[0], known)
    const pair = { nodes, address: store.address, people, tokens }
    for (const [sentence, holds] of Object.entries(sentences)) await t.test(sentence, (t) => holds(t, pair))
    t.same(await Promise.all(nodes.map((node) => node.stop())), [0, 0])
  })
}
