import { randomBytes } from 'node:crypto'
import t, { type Test } from 'tap'
import { openStore } from '../../adapters/engine.ts'
import { storeFrom } from '../../adapters/node/config.ts'
import type { OrderEvent, WalletEvent } from '../../engine/index.ts'
import { sharedStores } from '../nodes/shared.ts'
import { program } from '../program/files.ts'
import { type Server, startServer } from '../program/server.ts'
import { codesOf, eventually, type Known, openBusiness, send, signIn } from './office.ts'

export const ann = { name: 'Ann', address: { street: '1 Main Street', country: 'CA' } }
export const order = { type: 'D', delivery: ann }

/** In the form for the nodes of one store. */
process.env.OTEP_SECRET_KEY = randomBytes(32).toString('hex')

/** An event in a store. */
export interface Stored {
  readonly type: string
  readonly stream: string
  readonly data: Readonly<Record<string, unknown>>
}

/** All facts of a category at an address. */
export async function factsAt(address: string, category: string): Promise<readonly Stored[]> {
  const store = await openStore(storeFrom({ OTEP_STORE: address }))
  const facts: Stored[] = []
  for await (const { type, stream, data } of store.readAll(undefined, { category }))
    facts.push({ type, stream, data: data as Stored['data'] })
  await store.close()
  return facts
}

/** The counts of the values that occur more than once. */
export function repeated<Value>(values: readonly Value[]): readonly Value[] {
  return values.filter((value, index) => values.indexOf(value) !== index)
}

/** Whether ids count from 1 without gaps and repetitions. */
export function isCounted(ids: readonly unknown[]): boolean {
  return new Set(ids).size === ids.length && ids.every((_, index) => ids.includes(index + 1))
}

/** Orders that were created, by the facts. */
export function createdIn(facts: readonly Stored[]): readonly Stored['data'][] {
  return facts.filter(({ type }) => type === ('OrderCreated' satisfies OrderEvent['type'])).map(({ data }) => data)
}

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
      const codes = await eventually(
        () => codesOf(nodes[1], numbers),
        (found) => numbers.every((number) => (found.get(number)?.length ?? 0) > 0),
      )
      t.same([...codes.values()], Array(20).fill(['information_submitted']))
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
    const draft = { ...order, customer_id: people.customer.id, price }
    const [first, second] = await Promise.all(
      nodes.map((node) => send(node, 'POST', '/api/v1/orders', { token: admin, body: draft })),
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

/** Takes orders at two nodes on a store of this name. */
export function ordersAtTwoNodes(name: keyof typeof sharedStores): void {
  const makeStore = sharedStores[name]
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
