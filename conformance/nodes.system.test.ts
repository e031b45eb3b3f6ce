import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { packageVersion } from '../adapters/node/version.ts'
import { ask, listen, type Sent, send } from './nodes/client.ts'
import { sharedStores } from './nodes/shared.ts'
import { program } from './program/files.ts'
import { otep } from './program/otep.ts'
import { addProvider, revokeProvider } from './program/provider.ts'
import { type Server, startServer } from './program/server.ts'

/** Two servers on one store, and the key of a provider. */
interface Pair {
  readonly one: Server
  readonly other: Server
  readonly key: string
  /** Options of a command that opens the store as the first node has it. */
  readonly options: readonly string[]
}

function event(parcel: string, number: number, more: Sent['subject'] = {}): Sent {
  return { event_id: `${parcel}-${number}`, subject: { tracking_number: parcel, ...more } }
}

/** What `otep nodes --json` prints. */
interface Listed {
  readonly nodes: readonly ({
    readonly [member in 'name' | 'state' | 'version' | 'since' | 'last_sign']: string
  } & { readonly leases: readonly string[]; readonly models: readonly { readonly caught_up: boolean }[] })[]
}

/** Both nodes, once all models are caught up and the webhooks and policies have a node. */
async function untilListed(options: readonly string[]): Promise<Listed> {
  for (;;) {
    const listed = JSON.parse(await otep(['nodes', '--json', ...options])) as Listed
    const leases = listed.nodes.flatMap(({ leases }) => leases)
    const isWhole =
      ['webhooks', 'order-timelines'].every((name) => leases.includes(name)) &&
      listed.nodes.every(({ models }) => models.every(({ caught_up }) => caught_up))
    if (listed.nodes.length === 2 && isWhole) return listed
    await setTimeout(200)
  }
}

async function call({ port }: Server, method: string, path: string, headers: object, body?: object) {
  const sent = { method, headers: { 'Content-Type': 'application/json', ...headers } }
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`, {
    ...sent,
    ...(body && { body: JSON.stringify(body) }),
  })
  return (await answer.json()) as ReturnType<typeof JSON.parse>
}

/** What is to hold for two nodes on any store that they may share, by its sentence. */
const sentences: Readonly<Record<string, (t: Test, pair: Pair) => Promise<void>>> = {
  'given a reader at one node, when the other records an event, then the reader receives it live and can read it':
    async (t, { one, other, key }) => {
      await send(one, key, [event('LIVE', 0)])
      t.same((await ask(other, 'LIVE')).events, ['LIVE-0'])
      const live = await listen(other, 'LIVE')
      for (const number of [1, 2]) {
        const next = live.next()
        t.match(await send(one, key, [event('LIVE', number)]), { status: 200, accepted: 1 })
        t.same((await ask(other, 'LIVE')).events.length, number + 1)
        t.same((await next).value, `LIVE-${number}`)
      }
      await live.return(undefined)
    },

  'given personal data that one node recorded, when the other reads it, then it can decrypt it': async (
    t,
    { one, other, key },
  ) => {
    await send(one, key, [{ ...event('OPEN', 0), pod: { recipient: 'Ada' } }])
    t.equal((await ask(other, 'OPEN')).recipient, 'Ada')
  },

  'given two nodes, when a provider is added at one, then both know it, and both know when its key is void': async (
    t,
    { one, other, options },
  ) => {
    const key = await addProvider('late', options)
    t.match(await send(other, key, [event('LATE', 0)]), { status: 200, accepted: 1 })
    t.match(await send(one, key, [event('LATE', 0)]), { status: 200, duplicate: 1 })
    await revokeProvider('late', options)
    for (const node of [one, other]) t.match(await send(node, key, [event('LATE', 1)]), { status: 401 })
  },

  'given two nodes, when an operator asks, then each is listed with its models, and each lease with its holder': async (
    t,
    { options },
  ) => {
    const { nodes } = await untilListed(options)
    t.equal(new Set(nodes.map(({ name }) => name)).size, 2)
    for (const { state, version, since, last_sign, models } of nodes) {
      t.equal(state, 'live')
      t.equal(version, packageVersion())
      t.ok(since <= last_sign)
      t.ok(models.length > 10)
      t.match(models[0], { name: String, version: Number, caught_up: true, lag_seconds: 0 })
    }
    const leases = nodes.flatMap(({ leases }) => leases)
    t.equal(new Set(leases).size, leases.length, 'no lease has two holders')
    const told = await otep(['nodes', ...options])
    t.equal(told.match(/ {2}live$/gm)?.length, 2)
    t.match(told, /^ {2}leases {3}.*order-timelines/m)
    t.match(told, /^ {2}models {3}\d+ of \d+ caught up$/m)
  },

  'given new parcels, when both nodes take them at once under other identifiers, then each has one timeline': async (
    t,
    { one, other, key },
  ) => {
    const numbers = Array.from({ length: 6 }, (_, number) => number)
    const answers = await Promise.all(
      numbers.flatMap((number) => [
        send(one, key, [event(`NEW${number}`, 0, { order_id: 7_000 + number })]),
        send(other, key, [event(`NEW${number}`, 1, { package_id: 9_000 + number })]),
      ]),
    )
    t.same(new Set(answers.map(({ status }) => status)), new Set([200]))
    for (const number of numbers) {
      for (const node of [one, other]) {
        for (const name of [`NEW${number}`, String(7_000 + number), String(9_000 + number)]) {
          const { subject, events } = await ask(node, name, key)
          t.same(events.toSorted(), [`NEW${number}-0`, `NEW${number}-1`], name)
          t.match(subject, { order_id: 7_000 + number, package_id: 9_000 + number })
        }
      }
    }
  },

  'given labels, when both nodes are asked at once to have each picked up, then one driver comes for each': async (
    t,
    { one, other, options },
  ) => {
    const business = ['--new-business', 'Acme', '--time-zone', 'UTC', '--currency', 'CAD']
    const person = ['account', 'add', 'ann@acme.example', '--role', 'client_admin']
    const password = (await otep([...person, ...business, ...options])).trim()
    const account = { email: 'ann@acme.example', password }
    const { access_token } = await call(one, 'POST', 'user/login', {}, account)
    const caller = { Authorization: `Bearer ${access_token}` }
    const post = (node: Server, path: string, key: string, body: object) =>
      call(node, 'POST', path, { ...caller, 'Idempotency-Key': key }, body)
    await post(one, 'carrier-accounts', 'account', { carrier: 'sandbox', credentials: { account: 'acme' } })
    const ann = { name: 'Ann', street: '1 Main Street', postal_code: 'M5V 1A1', country: 'CA' }
    const shipment = { from: ann, to: ann, parcels: [{ weight_grams: 800 }] }
    const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    const window = { ready_at: `${day}T09:00:00Z`, closes_at: `${day}T17:00:00Z` }
    for (const label of [1, 2, 3, 4]) {
      t.match(await post(one, 'labelservice/quoteAndShip', `label-${label}`, shipment), { order_id: label })
      const asked = { order_ids: [label], ...window, place: { ...ann, phone: '+14165550100' } }
      const calls = [one, other].flatMap((node) => [`${label}-a`, `${label}-b`].map((key) => [node, key] as const))
      const answers = await Promise.all(calls.map(([node, key]) => post(node, 'labelservice/pickups', key, asked)))
      const [booked, refused] = [true, false].map((result) => answers.filter((answer) => answer.result === result))
      t.same([booked?.length, refused?.length], [2, 2], 'the same key at both nodes has one answer')
      t.equal(booked?.[0].pickup_id, booked?.[1].pickup_id)
      const message = `label order ${label} is in the pickup ${booked?.[0].pickup_id}`
      for (const answer of refused ?? []) t.match(answer, { code: 'label_in_pickup', message })
    }
    t.match(await call(other, 'GET', 'labelservice/pickups', caller), { total: 4 })
  },

  'given events that come in at a node, when it is killed, then the other has what it acknowledged, and takes the rest':
    async (t, { one, other, key }) => {
      const events = Array.from({ length: 200 }, (_, number) => event(`KILL${number % 10}`, number))
      const unanswered: Sent[] = []
      const acknowledged: string[] = []
      const waiting = [...events]
      const lane = async () => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          const { status } = await send(one, key, [next])
          if (status === 200) acknowledged.push(next.event_id)
          else unanswered.push(next)
          if (acknowledged.length === 60) void one.kill()
        }
      }
      await Promise.all([lane(), lane(), lane(), lane()])
      t.ok(acknowledged.length >= 60 && unanswered.length > 0, `${acknowledged.length} acknowledged`)
      const reported = async () => {
        const parcels = await Promise.all(Array.from({ length: 10 }, (_, parcel) => ask(other, `KILL${parcel}`)))
        return parcels.flatMap((parcel) => parcel.events)
      }
      const found = new Set(await reported())
      t.same(
        acknowledged.filter((id) => !found.has(id)),
        [],
        'nothing acknowledged is lost',
      )
      const { status, accepted = 0, duplicate = 0 } = await send(other, key, unanswered)
      t.equal(status, 200)
      t.equal(accepted + duplicate, unanswered.length)
      t.same(
        (await reported()).toSorted(),
        events.map(({ event_id }) => event_id).toSorted(),
        'in the end each event is there, once',
      )
    },
}

/** In the form for the nodes of one store. */
process.env.OTEP_SECRET_KEY = randomBytes(32).toString('hex')

for (const [name, makeStore] of Object.entries(sharedStores)) {
  await t.test(`two nodes on ${name}`, async (t) => {
    const store = await makeStore(t.testdir({}))
    const starting: Promise<Server>[] = []
    t.teardown(async () => {
      for (const node of await Promise.allSettled(starting)) if (node.status === 'fulfilled') await node.value.kill()
      await store.close()
    })
    const start = (node: string) => {
      const server = startServer(program, store.dataDirOf(node), [], ['--store', store.address])
      starting.push(server)
      return server
    }
    const options = ['--store', store.address, '--data-dir', store.dataDirOf('one')]
    const key = await addProvider('acme', options)
    const [one, other] = await Promise.all([start('one'), start('other')])
    for (const [sentence, holds] of Object.entries(sentences)) {
      await t.test(sentence, (t) => holds(t, { one, other, key, options }))
    }
    t.equal(await other.stop(), 0, 'the one that is left ends in order')
  })
}
