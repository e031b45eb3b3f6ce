import { randomBytes } from 'node:crypto'
import t from 'tap'
import { storesOfRun } from './nodes/shared.ts'
import { eventually, openBusiness, send, signIn } from './orders/office.ts'
import { ann, factsAt, type Stored } from './orders/two-nodes.test.fixture.ts'
import { program } from './program/files.ts'
import { otep } from './program/otep.ts'
import { type Server, startServer } from './program/server.ts'

const orders = 24

/** How often a driver got an order that already had one, by the facts in their order. */
function takenTwice(facts: readonly Stored[]): readonly string[] {
  const drivers = new Set<string>()
  const twice: string[] = []
  for (const { type, stream } of facts)
    if (type === 'OrderAssigned') {
      if (drivers.has(stream)) twice.push(stream)
      drivers.add(stream)
    } else if (type === 'OrderUnassigned' || type === 'OrderRejected') drivers.delete(stream)
  return twice
}

for (const [name, makeStore] of storesOfRun)
  t.test(
    `given assignment rules at two nodes on ${name}, when nodes are killed while orders come, then no order is lost or assigned twice`,
    async (t) => {
      process.env.OTEP_SECRET_KEY = randomBytes(32).toString('hex')
      const store = await makeStore(t.testdir({}))
      const started: Server[] = []
      t.teardown(async () => {
        for (const server of started) await server.kill()
        await store.close()
      })
      const of = ['--store', store.address, '--data-dir', store.dataDirOf('one')]
      const wanted = { admin: 'client_admin', contractor: 'contractor', driver: 'driver', second: 'driver' } as const
      const people = await openBusiness(of, wanted)
      await otep(['module', 'enable', '1', 'broker_assignment', ...of])
      const start = async (node: string) => {
        const server = await startServer(program, store.dataDirOf(node), [], ['--store', store.address])
        started.push(server)
        return server
      }
      const nodes = [await start('one'), await start('other')]
      const at = (place: number) => nodes[place % 2] as Server
      const [admin, driver, second] = await Promise.all(
        [people.admin, people.driver, people.second].map((known) => signIn(at(0), known)),
      )
      const as = (token = '', method = 'GET', path = '', body?: object, place = 0) =>
        send(at(place), method, `/api/v1/${path}`, { token, ...(body && { body }) })
      const modules = { modules: { broker_assignment: 'on' } }
      await as(admin, 'PUT', `accounts/${people.contractor.id}/modules`, modules)
      for (const token of [driver, second]) await as(token, 'POST', 'drivers/on-duty', { on_duty: true })
      const rules = [
        { name: 'Ours', target: 'drivers', capacity: { open: 4 } },
        { name: 'Theirs', target: 'contractors', contractors: [people.contractor.id] },
      ]
      for (const rule of rules) t.match(await as(admin, 'POST', 'assignment-rules', { rule }), { status: 200 })
      const ids: number[] = []
      for (let count = 0; count < orders; count++) {
        const { body } = await as(admin, 'POST', 'orders', { type: 'D', delivery: ann }, count)
        ids.push(body.order_id)
        if (count % 8 === 5) {
          const place = count % 2
          await at(place).kill()
          nodes[place] = await start(place === 0 ? 'one' : 'other')
        }
      }
      const taken = async () => {
        const { body } = await as(admin, 'GET', 'orders?per_page=200', undefined, 1)
        return (body.orders ?? []).filter((one: { driver_id?: number }) => one.driver_id !== undefined).length
      }
      const offered = async () =>
        (await as(admin, 'GET', 'broker-order-assignments/offers?per_page=200', undefined, 1)).body.total
      const found = await eventually(
        async () => [await taken(), await offered()] as const,
        ([drivers, contractors]) => drivers + contractors === orders,
      )
      t.equal(found[0] + found[1], orders, 'every order has a driver, or is offered to the contractor')
      t.ok(found[0] >= 8, 'the drivers have at least as many as they can take')
      const facts = await factsAt(store.address, 'order')
      t.same(takenTwice(facts), [], 'no order was assigned twice')
      const pooled = facts.filter(({ type }) => type === 'OrderPooled').map(({ stream }) => stream)
      t.equal(new Set(pooled).size, pooled.length, 'or offered twice')
    },
  )
