import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import {
  addProvider,
  type Context,
  call,
  createMemoryStore,
  EngineError,
  en,
  otepForget,
  revokeProvider,
  startLife,
} from '../../../engine/index.ts'
import { world as accountsWorld, type World } from '../../auth/world.test.fixture.ts'
import { createApp, createParts } from '../../main.ts'
import { errorLog, type Log } from '../../node/log.ts'
import { createDeliveryRepository } from '../../sqlite/deliveries/index.ts'
import { reportEmpty } from './empty.ts'

type Json = Record<string, unknown>

/** What a receiver got. */
interface Got {
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly results: { readonly queryName: string; readonly subscriptionID: string; readonly resultsBody: Results }
}

interface Results {
  readonly eventList: readonly Json[]
}

const token = '13df38d8275b13f05704629e5f1cf3d45d6132d5'

/** A receiver on this machine; it answers with a status that can be changed. */
async function receiver(t: Test) {
  const got: Got[] = []
  const state = { status: 200 }
  const server = createServer(async (request, response) => {
    const text = (await buffer(request)).toString()
    got.push({ headers: request.headers, text, results: JSON.parse(text).epcisBody.queryResults })
    response.writeHead(state.status).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/results?key=1`
  /** The numbers of the events that came. */
  const numbers = () => got.flatMap(({ results }) => results.resultsBody.eventList.map((one) => one['ex:count']))
  return { got, state, url, numbers }
}

/** A node with a named query "received", whose deliveries are in a file; it can be stopped and started again. */
async function world(t: Test) {
  const clock = { now: Date.parse('2026-11-21T12:00:10Z') }
  const store = createMemoryStore(() => clock.now)
  const file = `${t.testdir()}/webhooks.db`
  // The node of a new file begins with what is recorded after its start.
  const repository = createDeliveryRepository({ file, clock: () => clock.now })
  await repository.save([], { position: '', stream: '', revision: -1, id: '' }, [])
  await repository.close()
  const node = () => createParts({ store, clock: () => clock.now, webhooks: { file, allow: ['127.0.0.0/8'] } })
  const parts = node()
  const app = createApp({ store, clock: () => clock.now, parts })
  const operator: Context = {
    ...parts,
    caller: { kind: 'operator', name: 'test', scopes: ['providers:write', 'otep:erase'] },
    messages: en,
    requestId: 'test',
  }
  const add = async (name: string) => String((await call(addProvider, operator, { name, all_businesses: true })).key)
  const clientOf = (key: string) => async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const response = await app.request(`/epcis${path}`, init)
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
  }
  const acme = clientOf(await add('acme'))
  const query = { EQ_bizStep: ['receiving'] }
  await acme('POST', '/queries', { name: 'received', query })
  t.teardown(() => parts.webhooks.close())
  const waiting = (count: number) => until(async () => (await parts.webhooks.queue()).waiting === count)
  return { clock, node, parts, operator, add, clientOf, acme, waiting, run: (by = parts) => running(t, by, store) }
}

/** Runs the sending side until it is stopped, or the test ends. */
function running(t: Test, parts: ReturnType<typeof createParts>, { leases }: ReturnType<typeof createMemoryStore>) {
  const ending = new AbortController()
  const wait = (ms: number, signal: AbortSignal) =>
    setTimeout(Math.min(ms, 10), undefined, { signal }).then(undefined, () => {})
  const now = () => performance.now()
  const clocks = { signal: ending.signal, now, wait }
  const life = startLife(leases, { ...clocks, name: 'node', failed: () => {} })
  const done = parts.webhooks.run({ ...clocks, leases, life, log: errorLog })
  const stop = async () => {
    ending.abort()
    await done
  }
  t.teardown(stop)
  return stop
}

/** Gives the employee of the first business a staff role of these terms. */
async function narrowed({ send, tokens, ids }: World, terms: Json) {
  const by = { token: tokens.client_admin }
  const made = await send('POST', '/api/v1/staff-roles', { ...by, body: { name: JSON.stringify(terms), ...terms } })
  const body = { staff_role_id: made.body.staff_role_id }
  const { status } = await send('PATCH', `/api/v1/accounts/${ids.client_employee}`, { ...by, body })
  if (status !== 200) throw new Error(`The role is answered with ${status}.`)
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 20_000; !(await holds()); await setTimeout(5))
    if (performance.now() > end) throw new Error('It did not come about.')
}

const context = [
  'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld',
  { ex: 'https://ns.example/' },
] as const

const event = (count: number, more: Json = {}): Json => ({
  type: 'ObjectEvent',
  eventID: `urn:uuid:00000000-0000-4000-8000-${String(count).padStart(12, '0')}`,
  eventTime: new Date(Date.parse('2026-06-10T08:00:00Z') + count * 60_000).toISOString(),
  eventTimeZoneOffset: '+00:00',
  epcList: [`urn:epc:id:sgtin:4012345.011111.${count}`],
  action: 'OBSERVE',
  bizStep: 'receiving',
  'ex:count': count,
  ...more,
})

const captured = (...eventList: readonly Json[]) => ({
  '@context': context,
  type: 'EPCISDocument',
  schemaVersion: '2.0',
  creationDate: '2026-06-10T14:00:00Z',
  epcisBody: { eventList },
})

const subscriptions = '/queries/received/subscriptions'

t.test('given a subscription to results as they come, then each is sent once, signed and as it was', async (t) => {
  const { acme, clientOf, clock, add, run } = await world(t)
  const { got, url, numbers } = await receiver(t)
  const stop = run()
  await acme('POST', '/capture', captured(event(1)))
  clock.now += 1_000
  const { status, headers, body } = await acme('POST', subscriptions, {
    dest: url,
    signatureToken: token,
    stream: true,
  })
  t.equal(status, 201)
  t.match(body, { dest: url, stream: true, queryName: 'received', createdAt: '2026-11-21T12:00:11.000Z' })
  t.notMatch(JSON.stringify(body), token, 'the token is not told again')
  const at = `${subscriptions}/${body.subscriptionID}`
  t.equal(headers.get('location'), `http://localhost:3000/epcis${at}`)
  const other = clientOf(await add('other'))
  await other('POST', '/queries', { name: 'received', query: {} })
  await other('POST', '/capture', captured(event(7)))
  await acme('POST', '/capture', captured(event(2), event(3, { bizStep: 'shipping' }), event(4)))
  await acme('POST', '/capture', captured(event(2)))
  await acme('POST', '/capture', captured(event(5)))
  await until(() => got.length >= 3)
  await until(async () => (await acme('GET', at)).body.lastNotifiedAt !== undefined)
  await stop()
  t.same([...numbers()].sort(), [2, 4, 5], 'not what was recorded before, what does not match, or what others sent')
  for (const { headers, text, results } of got) {
    t.match(results, { queryName: 'received', subscriptionID: body.subscriptionID })
    t.equal(headers['gs1-signature'], createHmac('sha256', token).update(text).digest('hex'))
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`
    t.equal(headers['webhook-signature'], `v1,${createHmac('sha256', token).update(signed).digest('base64')}`)
  }
  t.equal(new Set(got.map(({ headers }) => headers['webhook-id'])).size, 3, 'each has an id of its own')
  t.match(
    got.map(({ results }) => results.resultsBody.eventList[0]).find((one) => one?.['ex:count'] === 2),
    event(2),
  )
  t.match((await acme('GET', subscriptions)).body, [{ subscriptionID: body.subscriptionID, dest: url }])
  t.same((await other('GET', subscriptions)).body, [], 'a subscription is of its provider')
  t.equal((await other('GET', at)).status, 404)
  t.equal((await other('DELETE', at)).status, 404)
})

t.test(
  'given a subscription from an earlier time on, then what was recorded since then is sent too, once',
  async (t) => {
    const { acme, clock, run } = await world(t)
    const { url, numbers } = await receiver(t)
    const stop = run()
    await acme('POST', '/capture', captured(event(1)))
    clock.now += 60_000
    const initialRecordTime = '2026-11-21T13:01:00+01:00'
    await acme('POST', '/capture', captured(event(2), event(3, { bizStep: 'shipping' })))
    clock.now += 60_000
    await acme('POST', subscriptions, { dest: url, stream: true, initialRecordTime })
    await acme('POST', '/capture', captured(event(4)))
    await until(() => numbers().length >= 2)
    await stop()
    t.same([...numbers()].sort(), [2, 4])
  },
)

t.test(
  'given a subscription by a schedule, then results wait for its time, and that there are none is said if wanted',
  async (t) => {
    const { acme, clock, waiting, run } = await world(t)
    const { got, url, numbers } = await receiver(t)
    const stop = run()
    const schedule = { minute: '5' }
    const made = await acme('POST', subscriptions, { dest: url, signatureToken: token, schedule, reportIfEmpty: true })
    t.match(made.body, { schedule, reportIfEmpty: true })
    await acme('POST', '/capture', captured(event(1), event(2)))
    await waiting(2)
    t.same(numbers(), [], 'it is not yet time')
    clock.now = Date.parse('2026-11-21T12:05:00Z')
    await until(() => got.length >= 1)
    t.same([...numbers()].sort(), [1, 2])
    t.equal(got.length, 1, 'one document has all')
    clock.now = Date.parse('2026-11-21T13:05:00Z')
    await until(() => got.length >= 2)
    t.same(got[1]?.results.resultsBody.eventList, [])
    await stop()
    const again = run()
    await setTimeout(100)
    await again()
    t.equal(got.length, 2, 'it is said once')
  },
)

t.test(
  'given more results than one document may have, then a schedule sends several, and what fails is sent again in one',
  async (t) => {
    const { acme, clock, waiting, run } = await world(t)
    const { got, state, url, numbers } = await receiver(t)
    state.status = 500
    const stop = run()
    const { body } = await acme('POST', subscriptions, { dest: url, signatureToken: token, schedule: { minute: '5' } })
    const large = (count: number) => event(count, { 'ex:text': 'a'.repeat(400_000) })
    await acme('POST', '/capture', captured(...[1, 2, 3, 4, 5].map(large)))
    await acme('POST', '/capture', {
      ...captured({ ...large(6), 'other:seal': 1 }),
      '@context': [context[0], { ...context[1], other: 'urn:o:' }],
    })
    await waiting(6)
    clock.now = Date.parse('2026-11-21T12:05:00Z')
    await until(() => numbers().length >= 6)
    t.same([...numbers()].sort(), [1, 2, 3, 4, 5, 6])
    t.equal(got.length, 3)
    await waiting(6)
    state.status = 200
    clock.now += 3_600_000
    await until(() => numbers().length >= 12)
    await waiting(0)
    await stop()
    t.equal(got.length, 6, 'what was sent together stays together')
    for (const { headers, text, results } of got) {
      t.match(results, { queryName: 'received', subscriptionID: body.subscriptionID })
      t.equal(headers['gs1-signature'], createHmac('sha256', token).update(text).digest('hex'))
    }
    const ids = got.map(({ headers }) => headers['webhook-id'])
    t.same(new Set(ids.slice(3)), new Set(ids.slice(0, 3)), 'the same results have the same id')
  },
)

t.test(
  'given a node that ends at any moment, when it starts again, then nothing is lost, and each result has one id',
  async (t) => {
    const { acme, node, run, parts } = await world(t)
    const { got, url, numbers } = await receiver(t)
    await acme('POST', subscriptions, { dest: url, signatureToken: token, stream: true })
    for (let round = 1; round <= 5; round++) {
      await acme('POST', '/capture', captured(event(2 * round), event(2 * round + 1)))
      const again = round % 2 === 0 ? node() : parts
      const stop = run(again)
      await setTimeout(round * 7)
      await stop()
      if (again !== parts) await again.webhooks.close()
    }
    const stop = run()
    await until(() => new Set(numbers()).size === 10)
    await stop()
    t.equal(new Set(got.map(({ headers }) => headers['webhook-id'])).size, 10, 'the same id for the same result')
  },
)

t.test(
  'given results that wait, when the subscription ends, or the key, or the event is erased, then they are not sent',
  async (t) => {
    const { acme, clock, operator, add, clientOf, waiting, run } = await world(t)
    const { url, numbers } = await receiver(t)
    const stop = run()
    const wanted = { dest: url, schedule: { minute: '5' } }
    const first = (await acme('POST', subscriptions, wanted)).body.subscriptionID
    await acme('POST', '/queries', { name: 'all', query: {} })
    await acme('POST', '/queries/all/subscriptions', wanted)
    const kept = await acme('POST', subscriptions, { ...wanted, dest: `${url}&kept` })
    t.equal(kept.status, 201)
    await acme('POST', '/capture', captured(event(1), event(2)))
    await waiting(6)
    t.equal((await acme('DELETE', `${subscriptions}/${first}`)).status, 204)
    t.equal((await acme('DELETE', `${subscriptions}/${first}`)).status, 404)
    t.equal((await acme('DELETE', '/queries/all')).status, 204, 'the query takes its subscriptions with it')
    t.equal((await acme('GET', '/queries/all/subscriptions')).status, 404)
    await call(otepForget, operator, { tracking_number: 'https://id.gs1.org/01/04012345111118/21/1' })
    await waiting(3)
    clock.now = Date.parse('2026-11-21T12:05:00Z')
    await until(() => numbers().length >= 1)
    await waiting(0)
    t.same(numbers(), [2], 'once, by the only one that is left')
    clock.now += 1_000
    await acme('POST', '/capture', captured(event(3)))
    await waiting(1)
    await call(revokeProvider, operator, { name: 'acme' })
    clock.now = Date.parse('2026-11-21T13:05:00Z')
    const anew = clientOf(await add('acme'))
    t.same((await anew('GET', subscriptions)).body, [], 'a later provider of the name does not have them')
    await anew('POST', subscriptions, { ...wanted, dest: `${url}&anew` })
    await anew('POST', '/capture', captured(event(4)))
    clock.now = Date.parse('2026-11-21T14:05:00Z')
    await until(() => numbers().includes(4))
    await stop()
    t.same(numbers(), [2, 4])
  },
)

t.test(
  'given subscriptions of accounts, then each is sent the results of its own orders, until it may not sign in or query any more',
  async (t) => {
    const file = `${t.testdir()}/webhooks.db`
    const made = await accountsWorld({ webhooks: { file, allow: ['127.0.0.0/8'] } })
    const { parts, store, clock, tokens, other, send } = made
    const operator = { ...parts, messages: en, requestId: 'test' }
    const caller = { kind: 'operator', name: 'test', scopes: ['providers:write', 'otep:erase'] } as const
    const { key } = await call(addProvider, { ...operator, caller }, { name: 'acme', all_businesses: true })
    const things = await Promise.all(
      [tokens, other.tokens].map(async ({ client_admin: token }) => {
        const delivery = { name: 'Ann', address: { street: '1 Main Street', country: 'CA' } }
        const { body } = await send('POST', '/api/v1/orders', { token, body: { type: 'D', delivery } })
        return `${parts.baseUrl}/id/tracking_number/${body.tracking_number}`
      }),
    )
    const [one, two, three, customers] = await Promise.all([receiver(t), receiver(t), receiver(t), receiver(t)])
    const subscriptionsOf = async (token: string, { url }: { readonly url: string }, more: Json = {}) => {
      await send('POST', '/epcis/queries', { token, body: { name: 'received', query: { EQ_bizStep: ['receiving'] } } })
      return send('POST', `/epcis${subscriptions}`, { token, body: { dest: url, stream: true, ...more } })
    }
    t.equal((await subscriptionsOf(tokens.client_admin, one)).status, 201)
    t.equal((await subscriptionsOf(other.tokens.client_employee, two)).status, 201)
    t.equal((await subscriptionsOf(tokens.client_employee, three)).status, 201)
    t.equal((await subscriptionsOf(tokens.customer, customers)).status, 201)
    const earlier = { initialRecordTime: '2026-06-01T00:00:00Z' }
    t.equal((await subscriptionsOf(tokens.client_admin, one, earlier)).status, 400, 'what was before is queried')
    const listed = (await send('GET', `/epcis${subscriptions}`, { token: tokens.client_admin })).body
    t.match(listed, [{ dest: one.url, stream: true }])
    const at = `/epcis${subscriptions}/${listed[0].subscriptionID}`
    for (const token of [other.tokens.client_employee, tokens.customer])
      t.equal((await send('GET', at, { token })).status, 404)
    clock.now += 1_000
    const capture = (...eventList: readonly Json[]) =>
      send('POST', '/epcis/capture', { token: String(key), body: captured(...eventList) })
    const stop = running(t, parts, store)
    const [ofOne, ofTwo] = things.map((thing) => ({ epcList: [thing] }))
    await capture(
      ...[event(1, ofOne), event(2, ofTwo), event(3, { ...ofOne, bizStep: 'shipping' }), event(4)],
      event(5, { epcList: things }),
    )
    await until(() => one.got.length >= 2 && two.got.length >= 2)
    t.same([...one.numbers()].sort(), [1, 5])
    t.same([...two.numbers()].sort(), [2, 5])
    const disabled = { token: other.tokens.client_admin, body: { is_active: false } }
    const status = `/api/v1/accounts/${other.ids.client_employee}/status`
    t.equal((await send('PUT', status, disabled)).status, 200)
    await capture(event(6, { epcList: things }))
    await until(() => one.got.length >= 3)
    await narrowed(made, { scopes: ['orders:read'] })
    await capture(event(7, ofOne))
    await until(() => three.got.length >= 4)
    await narrowed(made, { scopes: ['orders:read'], operations: ['get_orders'] })
    t.equal((await send('GET', `/epcis${subscriptions}`, { token: tokens.client_employee })).status, 403)
    await capture(event(8, ofOne))
    await until(() => one.got.length >= 5)
    await stop()
    t.same([...one.numbers()].sort(), [1, 5, 6, 7, 8])
    t.same([...three.numbers()].sort(), [1, 5, 6, 7], 'whom a staff role leaves no query gets nothing')
    t.same([...two.numbers()].sort(), [2, 5], 'whoever may not sign in gets nothing')
    t.same(customers.numbers(), [], 'of no order of theirs')
    t.equal((await send('DELETE', at, { token: tokens.client_admin })).status, 204)
    t.equal((await send('GET', at, { token: tokens.client_admin })).status, 404)
  },
)

t.test('given a receiver that fails, then what it did not take is sent again with the same id', async (t) => {
  const { acme, clock, run } = await world(t)
  const { got, url, state } = await receiver(t)
  const stop = run()
  await acme('POST', subscriptions, { dest: url, signatureToken: token, stream: true })
  state.status = 500
  await acme('POST', '/capture', captured(event(1)))
  await until(() => got.length === 1)
  state.status = 200
  await until(() => {
    clock.now += 1_000
    return got.length === 2
  })
  await stop()
  const [one, other] = got
  t.equal(one?.headers['webhook-id'], other?.headers['webhook-id'])
  t.equal(one?.text, other?.text)
})

t.test(
  'given read models that are being built, when a node starts, then no error is logged and it soon looks again',
  async (t) => {
    const { parts } = await world(t)
    const ending = new AbortController()
    const failures = ['store_unavailable', 'internal'] as const
    const told: string[] = []
    const pauses: number[] = []
    const read = () => {
      const failure = failures[pauses.length]
      if (failure !== undefined) throw new EngineError(failure)
      ending.abort()
      return []
    }
    const models = new Proxy(parts.models, { get: () => async () => read() })
    const note = (level: string) => () => void told.push(level)
    const log: Log = { ...errorLog, error: note('error'), warn: note('warn'), debug: note('debug') }
    const wait = async (milliseconds: number) => void pauses.push(milliseconds)
    const rest = { reports: { standing: async () => [] }, wake: () => {}, clock: Date.now }
    const repository = createDeliveryRepository({ clock: Date.now })
    t.teardown(() => repository.close())
    await reportEmpty({ ...rest, facts: { models }, repository, log, wait }, ending.signal)
    t.same(told, ['debug', 'error'])
    t.ok((pauses[0] ?? 0) < (pauses[1] ?? 0), 'what will be there soon is looked for soon')
  },
)

t.test('given a wrong subscription, then it is refused by what is wrong', async (t) => {
  const { acme, parts } = await world(t)
  const good = { dest: 'http://127.0.0.1:8099/x', stream: true }
  const refused = async (given: unknown, name: RegExp | string) => {
    const { status, body } = await acme('POST', subscriptions, given)
    t.match({ status, ...body }, { status: 400, title: name }, JSON.stringify(given))
    return body
  }
  t.equal((await refused({ ...good, stream: false }, /stream/)).type, 'epcisException:SubscriptionControlsException')
  await refused({ ...good, schedule: { hour: '1' } }, /stream/)
  await refused({ dest: good.dest }, /stream/)
  await refused({ ...good, dest: 'ftp://example.com' }, /dest/)
  await refused({ ...good, dest: 'http://10.0.0.1/' }, /sent/)
  await refused({ ...good, signatureToken: 'short' }, /signatureToken/)
  await refused({ ...good, reportIfEmpty: true }, /reportIfEmpty/)
  await refused({ ...good, initialRecordTime: 'yesterday' }, /initialRecordTime/)
  await refused({ ...good, color: 'red' }, /color/)
  await refused({ dest: good.dest, schedule: { second: '*' } }, /schedule\.second/)
  await refused([], /body/)
  await acme('POST', '/queries', { name: 'few', query: { eventCountLimit: 3 } })
  t.match((await acme('POST', '/queries/few/subscriptions', good)).body, { status: 400, title: /eventCountLimit/ })
  t.equal((await acme('POST', '/queries/nothing/subscriptions', good)).status, 404)
  for (let count = 0; count < 50; count++) t.equal((await acme('POST', subscriptions, good)).status, 201)
  await refused(good, /at most 50/)
  t.equal((await acme('GET', `${subscriptions}?perPage=20`)).body.length, 20)
  const many = Array.from({ length: 1_001 }, (_, index) => event(index + 1))
  await acme('POST', '/capture', captured(...many))
  await until(async () => (await acme('GET', '/events')).status === 200)
  await refused({ ...good, initialRecordTime: '2026-11-21T12:00:00Z' }, /initialRecordTime/)
  await parts.webhooks.close()
})
