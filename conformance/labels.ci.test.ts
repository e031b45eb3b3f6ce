import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { program } from './program/files.ts'
import { otep } from './program/otep.ts'
import { type Server, startServer } from './program/server.ts'

/** A plug-in with a carrier that is a separate service, as a real one is. */
const plugin = (url: string) => `
import { defineCarrier, definePlugin, v } from 'otep-engine/plugin'
const ask = (what, signal) => async (input) => {
  const answer = await fetch('${url}/' + what, { method: 'POST', body: JSON.stringify(input), signal })
  return answer.json()
}
const method = (what) => (input, { signal }) => ask(what, signal)(input)
export const plugin = definePlugin({
  carriers: [
    defineCarrier({
      name: 'books',
      title: 'Books',
      credentials: v.strictObject({}),
      services: [{ code: 'one', name: 'One' }],
      rate: async (_, { currency }) => ({ rates: [{ service: 'one', amount: '9.00', currency }] }),
      buy: method('buy'),
      void: method('void'),
      manifest: method('manifest'),
      track: async () => ({ refused: { code: 'unknown_number', message: 'None.' } }),
    }),
  ],
})
`

/** Moments at which the server is killed: before a label is sold, after it was sold and before the answer, and after the answer. */
const moments = ['before', 'between', 'after'] as const

/** How often it is killed; a nightly run does it 20 times. */
const kills = Number(process.env.OTEP_KILL_ROUNDS ?? moments.length)

/** A service that sells a label once for each key, and calls `kill` at a moment of a purchase if it is to. */
async function createBooks(t: Test) {
  const sold = new Map<string, string>()
  const next: { kill?: { readonly moment: (typeof moments)[number]; readonly run: () => Promise<void> } | undefined } =
    {}
  const server = createServer(async (request, response) => {
    const { key, amount, currency } = (await json(request)) as Readonly<Record<string, string>>
    const { kill } = next
    next.kill = undefined
    if (kill?.moment === 'before') return void (await kill.run())
    const number = sold.get(String(key)) ?? `B${sold.size + 1}`
    sold.set(String(key), number)
    if (kill?.moment === 'between') return void (await kill.run())
    await end(response, { label: { reference: String(key), tracking_numbers: [number], amount, currency } })
    if (kill?.moment === 'after') await kill.run()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { sold, next, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

async function end(response: ServerResponse, answer: object): Promise<void> {
  response.end(JSON.stringify(answer))
  await once(response, 'finish')
}

const ann = { name: 'Ann', street: '1 Main Street', country: 'CA' }
const shipment = { from: ann, to: ann, parcels: [{ weight_grams: 800 }] }

/** How long a new process waits for one that has ended, with some reserve. */
const patience = 60_000

/** A server of a business with an account at such a service. */
async function opened(t: Test) {
  const books = await createBooks(t)
  const directory = t.testdir({ 'books.mjs': plugin(books.url) })
  const dataDir = join(directory, 'data')
  const words = ['--plugin', join(directory, 'books.mjs')]
  const place = ['--data-dir', dataDir]
  const business = ['--new-business', 'Acme', '--time-zone', 'America/Toronto', '--currency', 'CAD']
  const password = (
    await otep(['account', 'add', 'ann@acme.example', '--role', 'client_admin', ...business, ...place])
  ).trim()
  await otep(['carrier', 'add', 'books', '--business', '1', ...words, ...place])
  let server: Server = await startServer(program, dataDir, [], words)
  t.teardown(() => server.kill())

  async function ask(method: string, path: string, body?: object, headers = {}) {
    const sent = { method, ...(body && { body: JSON.stringify(body) }) }
    const url = `http://127.0.0.1:${server.port}/api/v1/${path}`
    const answer = await fetch(url, { ...sent, headers: { 'Content-Type': 'application/json', ...headers } })
    return (await answer.json()) as ReturnType<typeof JSON.parse>
  }
  const signIn = async () => {
    const { access_token } = await ask('POST', 'user/login', { email: 'ann@acme.example', password })
    return { Authorization: `Bearer ${access_token}` }
  }
  const kill = () => server.kill()
  const restart = async () => {
    await kill().catch(() => {})
    server = await startServer(program, dataDir, [], words)
  }
  return { books, ask, signIn, kill, restart }
}

t.test(
  'given purchases, when the server is killed at each moment, then each label is bought once, and none is lost',
  async (t) => {
    const { books, ask, signIn, kill, restart } = await opened(t)
    const ship = async (key: string, token: object) =>
      ask('POST', 'labelservice/quoteAndShip', shipment, { ...token, 'Idempotency-Key': key })

    const keys: string[] = []
    for (let round = 0; round < kills; round++) {
      const moment = moments[round % moments.length] ?? 'before'
      const token = await signIn()
      const some = [1, 2, 3].map((count) => `${round}-${count}`)
      keys.push(...some)
      books.next.kill = { moment, run: kill }
      const answers = await Promise.allSettled(some.map((key) => ship(key, token)))
      t.ok(
        moment === 'after' || answers.some(({ status }) => status === 'rejected'),
        `round ${round}: a purchase was cut off ${moment}`,
      )
      await restart()
    }

    const token = await signIn()
    const until = Date.now() + patience
    let bought: readonly Readonly<Record<string, unknown>>[] = []
    do {
      bought = await Promise.all(keys.map((key) => ship(key, token)))
      await setTimeout(500)
    } while (bought.some(({ status }) => status !== 'LABEL_PURCHASED') && Date.now() < until)
    t.same(
      bought.map(({ status }) => status),
      keys.map(() => 'LABEL_PURCHASED'),
    )
    const numbers = bought.flatMap(({ tracking_numbers }) => tracking_numbers as readonly string[])
    t.equal(new Set(numbers).size, keys.length, 'each purchase has a label of its own')
    t.same([...books.sold.values()].sort(), [...numbers].sort(), 'the carrier sold these labels and no other')
  },
)

/** Shipments of a job. */
const many = 40

t.test(
  'given a job of many shipments, when the server is killed while it works, then each is booked and bought once',
  async (t) => {
    const { books, ask, signIn, kill, restart } = await opened(t)
    let token = await signIn()
    const quoted = async (_: unknown, index: number) => {
      const { rates } = await ask('POST', 'uniorder/rate', { ...shipment, quote_labels: true }, token)
      return { ...shipment, reference: `R${index}`, rate_id: rates[0].rate_id }
    }
    const orders = await Promise.all(Array.from({ length: many }, quoted))
    const { job_id } = await ask('POST', 'uniorder/batch-async', { orders }, token)
    const job = (page = 1) => ask('GET', `uniorder/jobs/${job_id}?per_page=200&page=${page}`, undefined, token)
    await restart()
    const killed = new Promise<void>((resolve) => {
      books.next.kill = { moment: 'between', run: () => kill().finally(resolve) }
    })
    await Promise.race([killed, setTimeout(patience)])
    await restart()
    token = await signIn()
    const until = Date.now() + 2 * patience
    const bought = async () => {
      const { orders } = await job()
      return Promise.all(
        orders.map(async ({ uniorder_id }: Readonly<Record<string, string>>) => {
          const { uniorder } = await ask('GET', `uniorder/${uniorder_id}`, undefined, token)
          return uniorder
        }),
      )
    }
    const isDone = async () =>
      books.sold.size === many &&
      (await job()).status === 'finished' &&
      (await bought()).every(({ status }) => status === 'LABEL_PURCHASED')
    while (!(await isDone()) && Date.now() < until) await setTimeout(500)
    const done = await job()
    t.match(done, { status: 'finished', total: many, done: many, created: many, failed: 0 })
    const ids = done.orders.map(({ uniorder_id }: Readonly<Record<string, string>>) => uniorder_id)
    t.equal(new Set(ids).size, many, 'each shipment is booked once')
    t.equal(books.sold.size, many, 'the carrier sold a label for each and no other')
    const uniorders = await bought()
    t.same(
      uniorders.map(({ status }) => status).filter((status) => status !== 'LABEL_PURCHASED'),
      [],
    )
    const references = uniorders.map(({ reference }) => reference).sort()
    t.same(references, orders.map(({ reference }) => reference).sort())
  },
)
