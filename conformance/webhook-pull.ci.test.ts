import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import t, { type Test } from 'tap'
import { type sharedStores, storesOfRun } from './nodes/shared.ts'
import { eventually, type Known, openBusiness, send, signIn } from './orders/office.ts'
import { program } from './program/files.ts'
import { type Server, startServer } from './program/server.ts'

process.env.OTEP_SECRET_KEY = randomBytes(32).toString('hex')

const fields = ['order_create_webhook_url', 'order_lifecycle_webhook_url', 'order_deleted_webhook_url'] as const

interface Pulled {
  readonly delivery_id: string
  readonly event: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A business with a queue, and two nodes of its store. */
async function place(t: Test, makeStore: (typeof sharedStores)[keyof typeof sharedStores]) {
  const store = await makeStore(t.testdir({}))
  t.teardown(store.close)
  const words = ['--store', store.address]
  const people = await openBusiness(['--data-dir', store.dataDirOf('0'), ...words], {
    ...({ admin: 'client_admin', employee: 'client_employee', customer: 'customer' } as const),
  })
  const start = async (name: string) => {
    const node = await startServer(program, store.dataDirOf(name), [], words)
    t.teardown(() => node.kill())
    return node
  }
  const first = await start('0')
  const second = await start('1')
  const tokenOf = (one: Known) => signIn(first, one)
  const { admin, employee, customer } = people
  const tokens = [await tokenOf(admin), await tokenOf(employee), await tokenOf(customer)]
  const [token = ''] = tokens
  const format = { url: 'pull:erp', format: 'native', standard_signature: true }
  const settings = {
    ...Object.fromEntries(fields.map((field) => [field, 'pull:erp'])),
    url_formats: fields.map((field) => ({ ...format, field, ed25519: field === fields[0] })),
  }
  const set = await send(first, 'PUT', '/api/v1/webhook-settings', { token, body: settings })
  t.equal(set.status, 200, JSON.stringify(set.body))
  const revealed = await send(first, 'POST', '/api/v1/webhook-settings/secret/reveal', { token, body: {} })
  const verifier = new Webhook(revealed.body.standard_webhooks_secret)

  const pull = async (node: Server, more: Readonly<Record<string, string | number>> = {}, by = token) => {
    const query = new URLSearchParams({ queue: 'erp', ...more } as Record<string, string>)
    return send(node, 'GET', `/api/v1/webhooks/pull?${query}`, { token: by })
  }
  const order = async (node: Server): Promise<number> => {
    const body = { type: 'D', delivery: { name: 'A', address: { street: '1 Street' } } }
    return (await send(node, 'POST', '/api/v1/orders', { token, body })).body.order_id
  }
  return { start, first, second, tokens, pull, order, verifier }
}

type Place = Awaited<ReturnType<typeof place>>

const bodiesOf = (events: readonly Pulled[]) => events.map(({ body }) => JSON.parse(body))
const idsOf = (events: readonly Pulled[]) => events.map(({ delivery_id }) => delivery_id)

/** Reads page by page, each twice and from another node, as a receiver does that crashes before it stores what it read. */
async function readCrashing(t: Test, { first, second, pull }: Place) {
  const seen: string[] = []
  let cursor: string | undefined
  for (let turn = 0; ; turn++) {
    const [reading, afterCrash] = turn % 2 === 0 ? [first, second] : [second, first]
    const given = { limit: 3, ...(cursor === undefined ? {} : { cursor }) }
    const lost = (await pull(reading, given)).body
    const again = (await pull(afterCrash, given)).body
    t.same(idsOf(again.events), idsOf(lost.events))
    seen.push(...idsOf(again.events))
    cursor = again.cursor
    if (!again.has_more) return { seen, cursor: cursor ?? '' }
  }
}

for (const [name, makeStore] of storesOfRun) {
  await t.test(`given a receiver without an address and two nodes on ${name}`, async (t) => {
    const given = await place(t, makeStore)
    const { start, first, second, tokens, pull, order, verifier } = given
    const [token = '', employee, customer] = tokens
    const orders: number[] = []
    for (let n = 0; n < 6; n++) orders.push(await order(n % 2 === 0 ? first : second))
    for (const id of orders.slice(0, 2)) await send(second, 'POST', `/api/v1/orders/${id}/cancel`, { token, body: {} })
    const isWhole = (events: readonly Pulled[]) =>
      events.filter(({ event }) => event === 'order.cancelled').length === 2
    const all = await eventually(async (): Promise<readonly Pulled[]> => (await pull(second)).body.events, isWhole)
    await eventually(async () => (await pull(first)).body.events, isWhole)

    await t.test('when it reads, then events of all fields come in order, and its library verifies them', async (t) => {
      const created = all.filter(({ event }) => event === 'order.created')
      t.same(
        bodiesOf(created).map(({ data }) => data.order_id),
        orders,
      )
      const sequences = all.map(({ headers }) => headers['X-Webhook-Sequence'] ?? '')
      t.same(sequences, [...sequences].sort(), 'in the order in which it happened')
      for (const { body, headers, event } of all) {
        t.doesNotThrow(() => verifier.verify(body, headers), event)
        t.throws(() => verifier.verify(`${body} `, headers), event)
        t.match(headers, { 'Content-Type': 'application/json', 'X-Webhook-Attempt': '1' })
        t.equal(/ v1a,/.test(headers['webhook-signature'] ?? ''), event === 'order.created', 'as its field says')
      }
    })

    await t.test('when it crashes before it gives the cursor back, then it reads the same again', async (t) => {
      const { seen, cursor } = await readCrashing(t, given)
      t.same(seen, idsOf(all), 'each once, in order')
      const nothing = { result: true, queue: 'erp', events: [], cursor, has_more: false }
      t.same((await pull(second, { cursor })).body, nothing)
      const rest = await eventually(
        async () => (await pull(first)).body.events,
        (events) => events.length === 0,
      )
      t.same(rest, [], 'every node knows what was acknowledged')
      const earlier = (await pull(first, { cursor: all[1]?.delivery_id ?? '' })).body.events
      t.same(idsOf(earlier), idsOf(all).slice(2), 'a receiver that was put back reads again from an older cursor')
    })

    await t.test('when it waits, then it is answered once something happens, or when the time is over', async (t) => {
      const [waited, id] = await Promise.all([pull(first, { wait: 25 }), order(second)])
      t.ok(bodiesOf(waited.body.events).some(({ data }) => data.order_id === id))
      const half = setTimeout(500, 'half a second')
      const empty = eventually(
        async () =>
          (await pull(first, { cursor: (await pull(first)).body.cursor ?? waited.body.cursor, wait: 1 })).body,
        ({ events }) => events.length === 0,
      )
      t.equal(await Promise.race([empty, half]), 'half a second', 'it is not over yet')
      t.equal((await empty).has_more, false)
    })

    await t.test('when others ask, then they see no more than the settings would show them', async (t) => {
      const codes = async (more: Readonly<Record<string, string | number>>, by = token) => {
        const { status, body } = await pull(first, more, by)
        return `${status} ${body.code ?? ''}`
      }
      t.match(await codes({}, employee), /^403/)
      t.match(await codes({}, customer), /^404 webhook_queue_not_found/, 'a customer has queues of their own only')
      t.match(await codes({ queue: 'other' }), /^404 webhook_queue_not_found/)
      t.match(await codes({ customer_id: 999_999 }), /^404 customer_not_found/)
      t.match(await codes({ cursor: 'dlv_unknown' }), /^410 webhook_cursor_unknown/)
      for (const wrong of [{ limit: 0 }, { limit: 101 }, { wait: 26 }, { cursor: 'a b' }, { queue: 'A' }])
        t.match(await codes(wrong as Readonly<Record<string, string | number>>), /^422/, JSON.stringify(wrong))
      const post = async (path: string, body: object) =>
        (await send(first, 'POST', `/api/v1/${path}`, { token, body })).body.code
      const [{ delivery_id: id } = { delivery_id: '' }] = all
      t.equal(await post(`webhook-deliveries/${id}/redeliver`, {}), 'webhook_is_pulled')
      t.equal(await post(`webhook-deliveries/${id}/retry`, {}), 'delivery_not_retryable')
      t.equal(await post('webhook-settings/test', { field: fields[0] }), 'webhook_is_pulled')
    })

    await t.test('when a node is killed, then what was not acknowledged is read at another one', async (t) => {
      const id = await order(first)
      await first.kill()
      const found = await eventually(
        async () => (await pull(second)).body,
        ({ events }) => bodiesOf(events).some(({ event, data }) => event === 'order.created' && data.order_id === id),
      )
      t.match(bodiesOf(found.events).at(-1), { data: { order_id: id } })
      const { cursor } = found
      t.same((await pull(second, { cursor })).body.events, [])
      const third = await start('2')
      const after = await eventually(
        async () => (await pull(third, { cursor })).body,
        ({ result }) => result === true,
      )
      t.same(after.events, [], 'a new node knows the cursor')
    })
  })
}
