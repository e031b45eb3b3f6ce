import { join } from 'node:path'
import t from 'tap'
import { gapsIn } from './kill/witness.ts'
import { type Answer, codesOf, eventually, openBusiness, send, signIn } from './orders/office.ts'
import { createdIn, factsAt, isCounted, order, ordersAtTwoNodes, repeated } from './orders/two-nodes.test.fixture.ts'
import { program } from './program/files.ts'
import { startServer } from './program/server.ts'

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

    /** One client after the other sends the next calls, until the server no longer responds. */
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

ordersAtTwoNodes('one SQLite file')
