import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { startBalancer } from './nodes/balancer.ts'
import { listen } from './nodes/client.ts'
import { storesOfRun } from './nodes/shared.ts'
import { program } from './program/files.ts'
import { otep } from './program/otep.ts'
import { addProvider } from './program/provider.ts'
import { type Server, startServer } from './program/server.ts'

/** The parts of a request beside its method and path. */
interface Sent {
  readonly token?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A response, with its body parsed as JSON if it is. */
interface Received {
  readonly status: number
  readonly headers: Headers
  readonly body: ReturnType<typeof JSON.parse>
}

/** Three nodes of one store, where each request goes to the next one. */
interface World {
  send(method: string, path: string, sent?: Sent): Promise<Received>
  /** Repeats a request, each time at the next node, until this holds. */
  until(path: string, sent: Sent, holds: (received: Received) => boolean): Promise<Received>
  /** Signs in, and returns the token. */
  signIn(person: Person): Promise<string>
  readonly port: number
  readonly provider: string
  readonly admin: Person
  readonly employee: Person
}

interface Person {
  readonly email: string
  readonly password: string
}

const path = '/api/v1/otep'
const delivery = { name: 'Ann Smith', address: { street: '1 Main Street', locality: 'Lyon', country: 'FR' } }
const order = { type: 'D', delivery }

function eventOf(parcel: string, number: number) {
  const events = [{ event_id: `${parcel}-${number}`, status_code: 'in_transit', occurred_at: '2026-06-10T08:00:00Z' }]
  return { subject: { tracking_number: parcel }, events }
}

/** What is to hold though no request meets the node of the one before, by its sentence. */
const sentences: Readonly<Record<string, (t: Test, world: World) => Promise<void>>> = {
  'given a session that one node began, when another ends it, then all others know it, and know its end': async (
    t,
    { send, signIn, admin },
  ) => {
    const token = await signIn(admin)
    for (const _ of nodeNames)
      t.match(await send('GET', '/api/v1/user', { token }), { status: 200, body: { email: admin.email } })
    t.equal((await send('POST', '/api/v1/user/logout', { token, body: {} })).status, 200)
    for (const _ of nodeNames) t.equal((await send('GET', '/api/v1/user', { token })).status, 401)
  },

  'given a new password, when it was set at one node, then the old one and its sessions are void at all': async (
    t,
    { send, signIn, employee },
  ) => {
    const token = await signIn(employee)
    const body = { current_password: employee.password, new_password: 'quite another secret 17' }
    t.equal((await send('PUT', '/api/v1/user/password', { token, body })).status, 200)
    for (const _ of nodeNames) t.equal((await send('GET', '/api/v1/user', { token })).status, 401)
    for (const _ of nodeNames) t.equal((await send('POST', '/api/v1/user/login', { body: employee })).status, 401)
    const renewed = await signIn({ ...employee, password: body.new_password })
    const back = { current_password: body.new_password, new_password: employee.password }
    t.equal((await send('PUT', '/api/v1/user/password', { token: renewed, body: back })).status, 200)
  },

  'given two admins, when each takes the rights of the other at another node at once, then one of them stays': async (
    t,
    { send, signIn, admin, employee },
  ) => {
    const tokens = [await signIn(admin), await signIn(employee)] as const
    const ids = await Promise.all(tokens.map(async (token) => (await send('GET', '/api/v1/user', { token })).body.id))
    const promoted = { token: tokens[0], body: { role: 'client_admin' } }
    t.equal((await send('PATCH', `/api/v1/accounts/${ids[1]}`, promoted)).status, 200)
    const body = { role: 'client_employee' }
    for (let round = 0; round < 8; round++) {
      const takings = tokens.map((token, index) => send('PATCH', `/api/v1/accounts/${ids[1 - index]}`, { token, body }))
      const statuses = (await Promise.all(takings)).map(({ status }) => status)
      t.same(statuses.toSorted(), [200, 403])
      const winner = statuses.indexOf(200)
      const back = { token: tokens[winner] ?? '', body: { role: 'client_admin' } }
      t.equal((await send('PATCH', `/api/v1/accounts/${ids[1 - winner]}`, back)).status, 200)
    }
    t.equal((await send('PATCH', `/api/v1/accounts/${ids[1]}`, { token: tokens[0], body })).status, 200)
  },

  'given a registration, when its code is tried at all nodes at once, then it has as many tries as at one': async (
    t,
    { send },
  ) => {
    const at = '/api/v1/apps/shop/clients/one/registrations'
    const { registration } = (await send('POST', at, { body: { email: 'zoe@one.example' } })).body
    const person = { name: 'Zoé', password: 'several unrelated words', device_id: 'd', device_platform: 'ios' }
    const tryOnce = () => send('POST', `${at}/confirm`, { body: { registration, code: 'wrong', ...person } })
    const codes = (await Promise.all(Array.from({ length: 12 }, tryOnce))).map(({ body }) => body.code)
    t.equal(codes.filter((code) => code === 'wrong_code').length, 5)
    t.equal(codes.filter((code) => code === 'too_many_attempts').length, 7)
    for (const _ of nodeNames) t.equal((await tryOnce()).status, 429)
  },

  'given an order, when it was recorded at one node, then the lists and pages of all others have it': async (
    t,
    { send, signIn, admin },
  ) => {
    const token = await signIn(admin)
    const headers = { 'Idempotency-Key': 'order-1' }
    const { body } = await send('POST', '/api/v1/orders', { token, body: order, headers })
    for (const _ of nodeNames) {
      const again = await send('POST', '/api/v1/orders', { token, body: order, headers })
      t.equal(again.body.order_id, body.order_id, 'the same request again has the same answer')
      t.equal((await send('GET', `/api/v1/orders/${body.order_id}`, { token })).status, 200)
      const list = await send('GET', '/api/v1/orders', { token })
      t.same(
        list.body.orders.map(({ order_id }: { order_id: number }) => order_id),
        [body.order_id],
      )
    }
  },

  'given a job that one node accepted, when another is asked, then it tells how it went': async (
    t,
    { send, until, signIn, admin },
  ) => {
    const token = await signIn(admin)
    const body = { orders: Array.from({ length: 5 }, () => order) }
    const { asyncId } = (await send('POST', '/api/v1/client/batchOrderCreateAsync', { token, body })).body
    const isFinished = (received: Received) => received.body.status === 'finished'
    await until(`/api/v1/client/async/${asyncId}`, { token }, isFinished)
    for (const _ of nodeNames)
      t.match(await send('GET', `/api/v1/client/async/${asyncId}`, { token }), { body: { created: 5, failed: 0 } })
  },

  'given an EPCIS document that one node captured, when others are asked, then they have the job and the event': async (
    t,
    { send, provider: token },
  ) => {
    const event = {
      ...{ type: 'ObjectEvent', eventID: 'urn:uuid:0b6a1c1e-6a2f-4b1e-9a43-0d8f3a6f9c11', action: 'OBSERVE' },
      ...{ eventTime: '2026-06-10T08:00:00Z', eventTimeZoneOffset: '+00:00' },
      ...{ epcList: ['urn:epc:id:sscc:0614141.1234567890'], bizStep: 'shipping', disposition: 'in_transit' },
    }
    const body = {
      '@context': ['https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld'],
      ...{ type: 'EPCISDocument', schemaVersion: '2.0', creationDate: '2026-06-10T08:00:00Z' },
      epcisBody: { eventList: [event] },
    }
    const { status, headers } = await send('POST', '/epcis/capture', { token, body })
    t.equal(status, 202)
    const job = new URL(headers.get('location') ?? '').pathname
    for (const _ of nodeNames) {
      t.match(await send('GET', job, { token }), { status: 200, body: { success: true, running: false } })
      t.equal((await send('GET', `/epcis/events/${event.eventID}`, { token })).status, 200)
    }
  },

  'given a timeline that every node has in its cache, when one node takes an event, then no other shows the old one':
    async (t, { send, provider: token }) => {
      const timeline = `${path}/trackings/CACHED`
      for (let number = 0; number < 6; number++) {
        t.equal((await send('POST', `${path}/ingest`, { token, body: eventOf('CACHED', number) })).status, 200)
        const tags = new Set<string | null>()
        for (const _ of nodeNames) {
          const { body, headers } = await send('GET', timeline)
          t.equal(body.data.events.length, number + 1)
          tags.add(headers.get('etag'))
        }
        t.equal(tags.size, 1, 'all nodes give it the same tag')
        const [tag] = tags
        for (const _ of nodeNames)
          t.equal((await send('GET', timeline, { headers: { 'If-None-Match': tag ?? '' } })).status, 304)
      }
    },

  'given a reader of a live timeline, when each node takes an event, then the reader hears all of them in order':
    async (t, { port, send, provider: token }) => {
      await send('POST', `${path}/ingest`, { token, body: eventOf('LIVE', 0) })
      const live = await listen({ port }, 'LIVE')
      for (let number = 1; number <= 6; number++) {
        const next = live.next()
        t.equal((await send('POST', `${path}/ingest`, { token, body: eventOf('LIVE', number) })).status, 200)
        t.equal((await next).value, `LIVE-${number}`)
      }
      await live.return(undefined)
    },

  'given a form that one node has served, when it is sent to another, then it does what it says': async (
    t,
    { send, signIn, admin, employee },
  ) => {
    const token = await signIn(employee)
    const { order_id } = (await send('POST', '/api/v1/orders', { token, body: order })).body
    const proposal = { tool: 'cancel_order', arguments: { order_id } }
    const { proposal_id } = (await send('POST', '/api/v1/approvals', { token, body: proposal })).body
    const home = '/mcp-approvals'
    const entered = await send('POST', `${home}/sign-in`, formOf({ ...admin }))
    t.equal(entered.status, 303)
    const [cookie = ''] = (entered.headers.get('set-cookie') ?? '').split(';')
    const page = await send('GET', `${home}/${proposal_id}`, { headers: { cookie } })
    const form = /name="form" value="(\w+)"/.exec(page.body)?.[1] ?? ''
    t.equal((await send('POST', `${home}/${proposal_id}/approve`, formOf({ form }, cookie))).status, 303)
    for (const _ of nodeNames)
      t.match(await send('GET', `/api/v1/orders/${order_id}`, { token }), { body: { order: { status: 'CANCELLED' } } })
    t.equal((await send('POST', `${home}/sign-out`, formOf({ form }, cookie))).status, 303)
    for (const _ of nodeNames)
      t.match((await send('GET', `${home}/${proposal_id}`, { headers: { cookie } })).body, /name="password"/)
  },
}

/** An app in which customers of a business may register. */
async function addApp(t: Test, business: string, options: readonly string[]): Promise<void> {
  const common = { capabilities: [] }
  const app = { ...common, name: 'Shop', type: 'consumer', schema_version: 1, roles: ['customer'] }
  const registration = { requires_approval: false, phone_verification_required: false }
  const client = { ...common, display_name: 'One', business_id: Number(business), methods: ['email'], registration }
  const files = {
    app: { ...app, providers: [], versions: [] },
    client: { ...client, quick_actions: [], default_phone_region: 'FR' },
  }
  const fileOf = (name: keyof typeof files) => {
    const file = join(t.testdirName, `${name}.json`)
    writeFileSync(file, JSON.stringify(files[name]))
    return file
  }
  await otep(['app', 'add', 'shop', fileOf('app'), ...options])
  await otep(['app', 'assign', 'shop', 'one', fileOf('client'), ...options])
}

function formOf(fields: Readonly<Record<string, string>>, cookie = ''): Sent {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', cookie }
  return { body: String(new URLSearchParams(fields)), headers }
}

/** The functions of a world that send to the port of a balancer. */
function sender(port: number): Pick<World, 'send' | 'until' | 'signIn'> {
  const send: World['send'] = async (method, path, { token, body, headers = {} } = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true
    return { status: response.status, headers: response.headers, body: isJson && text !== '' ? JSON.parse(text) : text }
  }
  const until: World['until'] = async (path, sent, holds) => {
    for (;;) {
      const received = await send('GET', path, sent)
      if (holds(received)) return received
      await setTimeout(50)
    }
  }
  const signIn: World['signIn'] = async ({ email, password }) =>
    (await send('POST', '/api/v1/user/login', { body: { email, password } })).body.access_token
  return { send, until, signIn }
}

const nodeNames = ['one', 'two', 'three']

/** In the form for the nodes of one store. */
process.env.OTEP_SECRET_KEY = randomBytes(32).toString('hex')

for (const [name, makeStore] of storesOfRun) {
  await t.test(`three nodes on ${name}, and each request at another one`, async (t) => {
    const store = await makeStore(t.testdir({}))
    const nodes: Server[] = []
    const balancer = await startBalancer(() => nodes.map(({ port }) => port))
    t.teardown(async () => {
      await balancer.close()
      await Promise.all(nodes.map((node) => node.kill()))
      await store.close()
    })
    const words = ['--store', store.address]
    const options = [...words, '--data-dir', store.dataDirOf('one')]
    const accountOf = async (role: string, more: readonly string[]) => {
      const email = `${role}@one.example`
      const made = await otep(['account', 'add', email, '--role', role, '--json', ...more, ...options])
      const { password, business_id } = JSON.parse(made) as { password: string; business_id: number }
      return { email, password, business: String(business_id) }
    }
    const place = ['--time-zone', 'Europe/Paris', '--currency', 'EUR']
    const { business, ...admin } = await accountOf('client_admin', ['--new-business', 'One', ...place])
    const { business: _, ...employee } = await accountOf('client_employee', ['--business', business])
    const provider = await addProvider('acme', options)
    await addApp(t, business, options)
    const settings = {
      OTEP_MAIL_URL: `file:${t.testdirName}/mails`,
      OTEP_MAIL_FROM: 'otep@one.example',
      OTEP_LIMITS: 'off',
      OTEP_BASE_URL: `http://127.0.0.1:${balancer.port}`,
    }
    for (const node of nodeNames) nodes.push(await startServer(program, store.dataDirOf(node), [], words, settings))
    const { port } = balancer
    await Promise.all(nodes.map(({ port }) => sender(port).until('/readyz', {}, ({ status }) => status === 200)))
    const world = { ...sender(port), port, provider, admin, employee }
    for (const [sentence, holds] of Object.entries(sentences)) await t.test(sentence, (t) => holds(t, world))
    t.same(balancer.failures, [])
  })
}
