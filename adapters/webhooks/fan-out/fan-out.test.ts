import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import {
  addProvider,
  type Context,
  call,
  createMemoryStore,
  deriveId,
  domains,
  EngineError,
  en,
  type Family,
  type Hooks,
  hooksOf,
  isObject,
  listParkedWebhookEvents,
  loadHooks,
  parkedStream,
  type RecordedEvent,
  rebuildWebhookEvents,
  type Storage,
  type StreamName,
  type WebhookEventSource,
  webhookOwnerOf,
  webhookStream,
} from '../../../engine/index.ts'
import { type World, world } from '../../auth/world.test.fixture.ts'
import { createApp, createParts } from '../../main.ts'
import type { DeliveryRepository } from '../../node/deliveries.ts'
import { createDeliveryRepository } from '../../sqlite/deliveries/index.ts'
import { createHooksCache } from '../hooks-cache.ts'
import { fanOut } from './index.ts'
import { createPark } from './park.ts'

const eventTypes = domains.flatMap((domain) => domain.webhookEventTypes ?? [])
const sources = domains.flatMap((domain) => domain.webhookEventSources ?? [])
const url = 'https://127.0.0.1/hook'
const day = 86_400_000

/** The options of the fan-out that differ from the defaults. */
interface FollowOptions {
  readonly sources?: readonly WebhookEventSource[]
  readonly hiddenFrom?: (customerId: number) => Promise<readonly Family[]>
  readonly turn?: { checkpoint: string | undefined }
}

type Place = Pick<World, 'parts' | 'store' | 'clock' | 'business'>

function hooksOn(store: World['parts']['store']) {
  const load = (owner: string) => loadHooks(store, owner)
  return createHooksCache({ store, streamOf: webhookStream, load, now: () => performance.now() })
}

function addAll(set: Set<string>, more: Iterable<string>): void {
  for (const one of more) set.add(one)
}

/** The fan-out of a test harness into a repository; it can be stopped and awaited. */
function following({ parts, store, clock }: Place, repository: DeliveryRepository, given: FollowOptions = {}) {
  const ending = new AbortController()
  const troubles: { readonly [name: string]: unknown }[] = []
  const woken = new Set<string>()
  const dropped = new Set<string>()
  let seen: string | undefined
  const silent = () => {}
  const note = (fields: object, words: string) => void troubles.push({ ...fields, words })
  let keeping: Promise<unknown> = Promise.resolve()
  const take: DeliveryRepository['save'] = (...all) => {
    const kept = repository.save(...all)
    keeping = kept.catch(() => {})
    return kept
  }
  async function* follow(...asked: Parameters<typeof store.follow>) {
    for await (const event of store.follow(...asked)) {
      yield event
      seen = event.position
    }
  }
  const running = fanOut(
    {
      ...{ eventTypes, sources, hiddenFrom: async () => [], ...given },
      kept: { readAll: store.readAll, follow },
      ...{ store: parts.store, facts: parts, hooks: hooksOn(parts.store) },
      park: createPark(parts.store, () => clock.now),
      reportsOf: async () => [],
      ownerOf: webhookOwnerOf,
      settings: ['webhook'],
      repository: { ...repository, save: take },
      turn: given.turn ?? { checkpoint: undefined },
      structured: (_, native) => native,
      wake: (ids) => addAll(woken, ids),
      forget: (subjects) => addAll(dropped, subjects),
      log: { debug: silent, info: silent, warn: note, error: note },
      clock: () => clock.now,
      wait: () => setImmediate(),
      memory: 90 * day,
    },
    ending.signal,
  )
  return {
    troubles,
    woken,
    dropped,
    /** Resolves once the last event of the store, which is a new one, has been turned into deliveries. */
    caughtUp: async () => {
      for (const end = performance.now() + 20_000; seen !== (await store.latest()); await setImmediate())
        if (performance.now() > end) throw new Error(`It stands at ${seen}: ${JSON.stringify(troubles)}`)
      // Events that arrive in one turn of the event loop are stored in the next.
      for (let turn = 0; turn < 2; turn++) await setImmediate()
      await keeping
    },
    stop: async () => {
      ending.abort()
      await running
    },
  }
}

async function place(fields: object = { order_create_webhook_url: url }): Promise<World> {
  const made = await world({ webhooks: { allow: ['127.0.0.0/8'] } })
  const body = { webhook_sign_secret: 'a secret of some length', ...fields }
  const { status, body: answer } = await made.send('PUT', '/api/v1/webhook-settings', {
    token: made.tokens.client_admin,
    body,
  })
  if (status !== 200) throw new Error(JSON.stringify(answer))
  return made
}

async function order({ send, tokens }: Pick<World, 'send' | 'tokens'>, more: object = {}): Promise<number> {
  const body = { type: 'D', delivery: { name: 'A', address: { street: '1 Street' } }, ...more }
  return (await send('POST', '/api/v1/orders', { token: tokens.client_admin, body })).body.order_id
}

/** The subjects of the deliveries in a repository, oldest first. */
async function subjectsIn(
  repository: DeliveryRepository,
  { business }: Pick<World, 'business'>,
): Promise<readonly string[]> {
  const { deliveries } = await repository.page({ businessId: business }, { limit: 1_000, offset: 0 })
  return deliveries.map(({ subject }) => subject).reverse()
}

/** The repository starts at the end of the store, so it must exist before the first event. */
async function begun(made: World, repository: DeliveryRepository): Promise<void> {
  const first = following(made, repository)
  while ((await repository.checkpoint()) === undefined) await setImmediate()
  await first.stop()
}

function memoryRepository(t: Test, { clock }: Pick<World, 'clock'>): DeliveryRepository {
  const repository = createDeliveryRepository({ clock: () => clock.now })
  t.teardown(() => repository.close())
  return repository
}

t.test(
  'given a repository in a file, when the node begins again and again, then each event is told once',
  async (t) => {
    const made = await place()
    const file = join(t.testdir(), 'webhooks.db')
    const open = () => createDeliveryRepository({ file, clock: () => made.clock.now })
    const expected: string[] = []
    let repository = open()
    await begun(made, repository)
    for (let round = 0; round < 8; round++) {
      const node = following(made, repository)
      for (let count = 0; count < 3; count++) expected.push(`order/${await order(made)}`)
      // Some runs are interrupted, and some have processed everything.
      if (round % 2 === 0) await node.caughtUp()
      await node.stop()
      await repository.close()
      expected.push(`order/${await order(made)}`)
      repository = open()
    }
    const last = following(made, repository)
    await last.caughtUp()
    await last.stop()
    t.same(await subjectsIn(repository, made), expected)
    t.same(last.troubles, [])
    await repository.close()
  },
)

t.test(
  'given two nodes with databases of their own, when they take turns, then each event is told by one',
  async (t) => {
    const made = await place()
    const repositories = [memoryRepository(t, made), memoryRepository(t, made)] as const
    const turn: { checkpoint: string | undefined } = { checkpoint: undefined }
    await begun(made, repositories[0])
    const expected: string[] = []
    for (const repository of [repositories[0], repositories[1], repositories[0]]) {
      expected.push(`order/${await order(made)}`)
      const node = following(made, repository, { turn })
      expected.push(`order/${await order(made)}`)
      await node.caughtUp()
      await node.stop()
    }
    const told = await Promise.all(repositories.map((repository) => subjectsIn(repository, made)))
    t.same(told, [[...expected.slice(0, 2), ...expected.slice(4)], expected.slice(2, 4)])
  },
)

t.test(
  'given an order and its parcel, when things happen to both, then their webhook events can be put in order',
  async (t) => {
    const made = await place({ order_lifecycle_webhook_url: url, tracking_event_webhook_url: url })
    const { send, tokens, ids } = made
    const repository = memoryRepository(t, made)
    await begun(made, repository)
    const node = following(made, repository)
    const body = { type: 'D', delivery: { name: 'A', address: { street: '1 Street' } } }
    const { order_id, tracking_number } = (await send('POST', '/api/v1/orders', { token: tokens.client_admin, body }))
      .body
    const report = await reporter(made)
    const assign = (to: string, more: object = {}) =>
      send('POST', `/api/v1/orders/${order_id}/${to}`, { token: tokens.client_admin, body: more })
    await report({ tracking_number }, { status_code: 'in_transit', occurred_at: '2026-06-10T09:00:00Z' })
    await assign('assign-driver', { driver_id: ids.driver })
    await report({ tracking_number }, { status_code: 'arrival_scan', occurred_at: '2026-06-10T08:00:00Z' })
    await assign('unassign-driver')
    await node.caughtUp()
    await node.stop()
    const told = await dueIn(repository)
    t.same(new Set(told.map(({ subject }) => subject)), new Set([`order/${order_id}`]))
    const inOrder = [...told].sort((one, other) => ((one.sequence ?? '') < (other.sequence ?? '') ? -1 : 1))
    t.same(
      inOrder.map(({ event }) => event),
      ['tracking.event', 'order.assigned', 'tracking.event', 'order.unassigned'],
    )
    t.equal(new Set(told.map(({ sequence }) => sequence)).size, 4)
  },
)

/** All deliveries that wait. */
async function dueIn(repository: DeliveryRepository) {
  const endpoints = await repository.nextDueTimes()
  const claims = await Promise.all(
    endpoints.map(({ endpointId }) => repository.claim(endpointId, Number.MAX_SAFE_INTEGER, 100)),
  )
  return claims.flatMap(({ deliveries }) => deliveries)
}

/** Sends what a carrier reports about a subject. */
async function reporter({ parts, send }: World) {
  const operator: Context = {
    ...{ ...parts, messages: en, requestId: 'test' },
    caller: { kind: 'operator', name: 'test', scopes: ['providers:write'] },
  }
  const { key } = await call(addProvider, operator, { name: 'acme', all_businesses: true })
  return async (subject: object, ...events: readonly object[]) => {
    const body = { profile: 'parcel', subject, events }
    const { status, body: answer } = await send('POST', '/api/v1/otep/ingest', { token: String(key), body })
    if (status !== 200 || answer.data.rejected > 0) throw new Error(JSON.stringify(answer))
  }
}

t.test('given a database that is new, when it is begun, then nothing of before is told', async (t) => {
  const made = await place()
  await order(made)
  const repository = memoryRepository(t, made)
  await begun(made, repository)
  const node = following(made, repository)
  const id = await order(made)
  await node.caughtUp()
  await node.stop()
  t.same(await subjectsIn(repository, made), [`order/${id}`])
  t.equal(node.woken.size, 1, 'its endpoint is woken')
})

t.test('given things that tell nothing, when the node is stopped, then the next begins after them', async (t) => {
  const made = await place()
  const repository = memoryRepository(t, made)
  await begun(made, repository)
  const node = following(made, repository)
  const report = await reporter(made)
  await report({ tracking_number: 'P1' }, { status_code: 'in_transit', occurred_at: '2026-06-10T09:00:00Z' })
  await node.caughtUp()
  await node.stop()
  t.equal((await repository.checkpoint())?.position, await made.store.latest())
})

t.test(
  'given a repository that fails, when it works again, then nothing is lost and nothing is there twice',
  async (t) => {
    const made = await place()
    const real = memoryRepository(t, made)
    await begun(made, real)
    let failures = 0
    const failing: DeliveryRepository = {
      ...real,
      save: async (deliveries, ...rest) => {
        // Fails every other time, before or after storing.
        if (++failures % 2 === 1 || failures > 12) return real.save(deliveries, ...rest)
        if (failures % 4 === 0) await real.save(deliveries, ...rest)
        throw new EngineError('store_unavailable')
      },
    }
    const node = following(made, failing)
    const expected: string[] = []
    for (let count = 0; count < 12; count++) {
      expected.push(`order/${await order(made)}`)
      await node.caughtUp()
    }
    expected.push(`order/${await order(made)}`)
    await node.caughtUp()
    await node.stop()
    t.same(await subjectsIn(real, made), expected)
    t.ok(node.troubles.length > 0 && node.troubles.every(({ code }) => code === 'store_unavailable'))
  },
)

t.test(
  'given positions of a driver, when they come often, then one an interval is told, over restarts too',
  async (t) => {
    const made = await place({ driver_location_webhook_url: url, driver_location_min_interval_sec: 60 })
    const { send, tokens, clock, ids } = made
    const repository = memoryRepository(t, made)
    await begun(made, repository)
    let node = following(made, repository)
    const told: number[] = []
    const locate = async () => {
      const body = { latitude: 43.6, longitude: -79.4 }
      const { body: answer } = await send('POST', '/api/v1/drivers/location', { token: tokens.driver, body })
      t.match(answer, { result: true, recorded: true })
    }
    const steps = [0, 20, 20, 19.999, 20.001, 30, 30]
    for (const [index, seconds] of steps.entries()) {
      clock.now += seconds * 1_000
      await locate()
      await node.caughtUp()
      if (index === 2) {
        await node.stop()
        node = following(made, repository)
      }
      told.push((await subjectsIn(repository, made)).length)
    }
    await node.stop()
    t.same(told, [1, 1, 1, 1, 2, 2, 3], 'exactly at the end of the interval the next is')
    t.same(new Set(await subjectsIn(repository, made)), new Set([`driver/${ids.driver}`]))
  },
)

t.test(
  'given an event that cannot be told, when it comes, then that is said, and those after it are told',
  async (t) => {
    const made = await place()
    const repository = memoryRepository(t, made)
    await begun(made, repository)
    const [good, bad] = [await order(made), await order(made)]
    let attempts = 0
    const broken: WebhookEventSource = {
      category: 'order',
      types: ['OrderCreated'],
      webhookEventsOf: async (_, { stream }) => {
        if (stream === `order-${bad}`) throw new TypeError(`what is private, attempt ${++attempts}`)
        return []
      },
    }
    const node = following(made, repository, { sources: [...sources, broken] })
    const next = await order(made)
    await node.caughtUp()
    await node.stop()
    t.same(await subjectsIn(repository, made), [`order/${good}`, `order/${next}`])
    t.equal(attempts, 3)
    t.match(node.troubles, [{ words: 'an event was not told', type: 'OrderCreated', position: String }])
    t.equal(node.troubles.length, 1)
    t.notMatch(JSON.stringify(node.troubles), /what is private/)
  },
)

t.test(
  'given a parked event, when it is rebuilt, then it is told once, or parked again while it cannot be',
  async (t) => {
    const made = await place()
    const repository = memoryRepository(t, made)
    await begun(made, repository)
    const bad = await order(made)
    let isBroken = true
    const broken: WebhookEventSource = {
      category: 'order',
      types: ['OrderCreated'],
      webhookEventsOf: async (_, { stream }) => {
        if (isBroken && stream === `order-${bad}`) throw new TypeError('what is private')
        return []
      },
    }
    const { parts, clock } = made
    const scopes = ['platform:write', 'webhooks:read', 'webhooks:write']
    const operator = { kind: 'operator', name: 'cli', scopes } as const
    const context: Context = {
      ...parts,
      caller: operator,
      messages: en,
      requestId: parts.randomId(),
      clock: () => clock.now,
    }
    // However many there were, a list does not read all of them.
    const withoutParked: Context['store'] = {
      ...parts.store,
      read: async (stream, range) => {
        if (stream === parkedStream) throw new Error('the stream is read')
        return parts.store.read(stream, range)
      },
    }
    const parked = async () =>
      (await call(listParkedWebhookEvents, { ...context, store: withoutParked }, {})).parked as readonly {
        readonly event_id: string
      }[]
    const node = following(made, repository, { sources: [...sources, broken] })
    const next = await order(made)
    await node.caughtUp()
    const [first, ...others] = await parked()
    t.match(first, { type: 'OrderCreated', failure: 'TypeError', position: String, parked_at: /^20/ })
    t.same(others, [])
    t.notMatch(JSON.stringify(await parts.store.read(parkedStream)), /what is private/)
    t.same(await subjectsIn(repository, made), [`order/${next}`])
    const event_id = first?.event_id ?? ''
    t.same(await call(rebuildWebhookEvents, context, { event_id: parts.randomId() }), {
      result: true,
      rebuilt: 0,
      left: 0,
    })
    t.same(await call(rebuildWebhookEvents, context, { event_id }), { result: true, rebuilt: 1, left: 0 })
    await node.caughtUp()
    t.match(await parked(), [{ event_id }], 'it still cannot be told')
    isBroken = false
    t.same(await call(rebuildWebhookEvents, context, {}), { result: true, rebuilt: 1, left: 0 })
    await node.caughtUp()
    t.same(await parked(), [])
    t.same(await subjectsIn(repository, made), [`order/${next}`, `order/${bad}`])
    await call(rebuildWebhookEvents, context, { event_id })
    await node.stop()
    t.equal((await subjectsIn(repository, made)).length, 2)
  },
)

t.test('given a store that fails for a while, when it is back, then the event is told all the same', async (t) => {
  const made = await place()
  const repository = memoryRepository(t, made)
  await begun(made, repository)
  let failures = 0
  const shaky: WebhookEventSource = {
    category: 'order',
    types: ['OrderCreated'],
    webhookEventsOf: async () => {
      if (++failures <= 7) throw new EngineError('store_unavailable')
      return []
    },
  }
  const node = following(made, repository, { sources: [...sources, shaky] })
  const id = await order(made)
  await node.caughtUp()
  await node.stop()
  t.same(await subjectsIn(repository, made), [`order/${id}`])
  t.equal(node.troubles.length, 7)
})

/** A store with the events that another had before an order was created, like a restored backup. */
async function restored({ store, clock }: World, lost: number): Promise<Storage> {
  const copy = createMemoryStore(() => clock.now)
  const events: RecordedEvent[] = []
  for await (const one of store.readAll()) events.push(one)
  // The number of the order was assigned right before it.
  const end = events.findIndex(({ stream }) => stream === `order-${lost}`) - 1
  for (const { stream, id, type, data, metadata } of events.slice(0, end))
    await copy.append(stream as StreamName, [{ id, type, data, metadata }], 'any')
  return { ...copy, keys: store.keys }
}

t.test(
  'given a backup that was put back, when it is gone on with, then nothing is told twice, and nothing is left out',
  async (t) => {
    const made = await place()
    const repository = memoryRepository(t, made)
    await begun(made, repository)
    const node = following(made, repository)
    const told = [await order(made), await order(made)]
    const lost = await order(made)
    await node.caughtUp()
    await node.stop()
    const before = await repository.page({ businessId: made.business }, { limit: 10, offset: 0 })
    t.same(
      await subjectsIn(repository, made),
      [...told, lost].map((id) => `order/${id}`),
    )

    const store = await restored(made, lost)
    const options = { store, clock: () => made.clock.now }
    const parts = createParts(options)
    const app = createApp({ ...options, parts })
    const send: World['send'] = async (method, path, { token, body } = {}) => {
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
      const answer = await app.request(path, { method, headers, body: JSON.stringify(body) })
      return { status: answer.status, headers: answer.headers, body: await answer.json() }
    }
    const place2 = { ...made, store, parts, send }
    const again = await order(place2)
    t.equal(again, lost, 'the number is given out again')
    const second = following(place2, repository)
    await second.caughtUp()
    await second.stop()
    const after = await repository.page({ businessId: made.business }, { limit: 10, offset: 0 })
    t.equal(after.total, 4, 'the new order is told, and the others are not told again')
    t.same(
      after.deliveries.slice(1).map(({ id }) => id),
      before.deliveries.map(({ id }) => id),
    )
    const third = following(place2, repository)
    const next = await order(place2)
    await third.caughtUp()
    await third.stop()
    t.equal((await subjectsIn(repository, made)).at(-1), `order/${next}`, 'and it goes on from there')
    await parts.webhooks.close()
  },
)

t.test(
  'given settings that change, when something happens at once after, then it is told by the new ones',
  async (t) => {
    const made = await place()
    const { send, tokens } = made
    const repository = memoryRepository(t, made)
    await begun(made, repository)
    const node = following(made, repository)
    const expected: string[] = []
    for (let count = 0; count < 15; count++) {
      const isOff = count % 3 === 2
      const to = isOff ? '' : `${url}/${count}`
      const body = { order_create_webhook_url: to }
      t.equal((await send('PUT', '/api/v1/webhook-settings', { token: tokens.client_admin, body })).status, 200)
      const id = await order(made)
      if (!isOff) expected.push(`order/${id} ${to}`)
      await node.caughtUp()
    }
    await node.stop()
    const { deliveries } = await repository.page({ businessId: made.business }, { limit: 100, offset: 0 })
    t.same(deliveries.map(({ subject, url: to }) => `${subject} ${to}`).reverse(), expected)
  },
)

t.test(
  'given a crash after settings changed, when the node begins again, then what was before them is not told by them',
  async (t) => {
    const made = await place()
    const set = (to: string) =>
      made.send('PUT', '/api/v1/webhook-settings', {
        token: made.tokens.client_admin,
        body: { order_create_webhook_url: to },
      })
    await set('')
    const repository = memoryRepository(t, made)
    await begun(made, repository)
    let saves = 0
    let isCrashed = false
    const save: DeliveryRepository['save'] = async (...all) => {
      saves += 1
      return isCrashed ? [] : repository.save(...all)
    }
    const crashing = following(made, { ...repository, save })
    await order(made)
    await crashing.caughtUp()
    t.equal(saves, 0, 'an event of which nobody is told waits for others to be saved with')
    await set(url)
    await crashing.caughtUp()
    t.ok(saves > 0, 'settings do not')
    isCrashed = true
    await crashing.stop()
    const node = following(made, repository)
    const id = await order(made)
    await node.caughtUp()
    await node.stop()
    t.same(await subjectsIn(repository, made), [`order/${id}`])
  },
)

t.test(
  'given settings that are being looked at, when they are said to have changed, then the old ones are not kept',
  async (t) => {
    let revision = 0
    let answer = () => {}
    let now = 0
    const loaded: number[] = []
    const hooks = createHooksCache({
      store: {
        last: async (stream) => {
          const found = revision
          await new Promise<void>((resolve) => {
            answer = resolve
          })
          return { ...event(stream), revision: found }
        },
      },
      streamOf: webhookStream,
      load: async (owner): Promise<Hooks> => {
        loaded.push(revision)
        return hooksOf(owner, [], { businessCopy: revision === 1 })
      },
      now: () => now,
    })
    const ask = async () => {
      const asked = hooks.of('business.1')
      for (let turn = 0; turn < 5; turn++) {
        await setImmediate()
        answer()
      }
      return (await asked).businessCopy
    }
    t.equal(await ask(), false)
    now += 1_001
    const looking = hooks.of('business.1')
    await setImmediate()
    revision = 1
    hooks.changed('business.1')
    answer()
    for (let turn = 0; turn < 5; turn++) {
      await setImmediate()
      answer()
    }
    await looking
    t.equal(await ask(), true, 'what is asked for after the change is as it is after the change')
    now += 500
    const count = loaded.length
    t.equal(await ask(), true)
    t.equal(loaded.length, count, 'for a second nothing is looked at again')
  },
)

function event(stream: string): RecordedEvent {
  const at = '2026-06-10T10:00:00.000Z'
  const id = deriveId('event')
  return { stream, revision: 0, position: '1', recordedAt: at, id, type: 'T', data: {}, metadata: { schemaVersion: 1 } }
}

t.test(
  'given a customer from whom prices are hidden, when it and the business are told, then it is told none',
  async (t) => {
    const made = await place()
    const { send, tokens, ids, business } = made
    const set = (body: object) => send('PUT', '/api/v1/webhook-settings', { token: tokens.customer, body })
    await set({ order_create_webhook_url: `${url}/customer`, business_copy: true })
    const repository = memoryRepository(t, made)
    await begun(made, repository)
    const asked: unknown[] = []
    const hiddenFrom = async (customerId: number): Promise<readonly Family[]> => {
      asked.push(customerId)
      return ['storage_services', 'local_delivery']
    }
    const node = following(made, repository, { hiddenFrom })
    const price = { shipping_price: '10', currency: 'CAD', tax: '1' }
    await order(made, { customer_id: ids.customer, price })
    await node.caughtUp()
    await node.stop()
    const { deliveries } = await repository.page({ businessId: business }, { limit: 10, offset: 0 })
    const bodyFor = async (customerId: number | undefined) => {
      const found = deliveries.find((one) => one.customerId === customerId)
      const body: unknown = JSON.parse((await repository.find(business, found?.id ?? ''))?.body ?? '{}')
      return isObject(body) && isObject(body.data) ? body.data : {}
    }
    t.equal(deliveries.length, 2)
    t.match(await bodyFor(undefined), { shipping_price: '10.00', currency: 'CAD', price_details: { tax: '1.00' } })
    t.notMatch(JSON.stringify(await bodyFor(ids.customer)), /price"|price_|currency|"tax|surcharge|amount/)
    t.same(asked, [ids.customer], 'nobody looks up what is hidden from the business')
  },
)

/** An erasure that cannot describe an order, but erases its deliveries on demand. */
function forgetting(
  subjectOf: (orderId: number) => string,
  webhookEventsOf: WebhookEventSource['webhookEventsOf'],
): WebhookEventSource {
  const subjects = async (_: object, { stream }: RecordedEvent) => [subjectOf(Number(stream.slice('order-'.length)))]
  return {
    category: 'order',
    types: ['OrderCreated'],
    webhookEventsOf,
    forgets: { types: ['OrderCreated'], subjects },
  }
}

async function bodiesIn(repository: DeliveryRepository, { business }: Pick<World, 'business'>) {
  const { deliveries } = await repository.page({ businessId: business }, { limit: 100, offset: 0 })
  const found = await Promise.all(deliveries.map(({ id }) => repository.find(business, id)))
  return new Map(found.map((one) => [one?.subject, { isErased: one?.body === '', state: one?.state }]))
}

t.test('given an event that cannot be told and erases, when it comes, then what it erases is forgotten', async (t) => {
  const made = await place()
  const repository = memoryRepository(t, made)
  await begun(made, repository)
  let node = following(made, repository)
  const old = await order(made)
  await node.caughtUp()
  await node.stop()
  const webhookEventsOf = () => Promise.reject(new TypeError('It cannot be told.'))
  const confused = forgetting(() => {
    throw new TypeError('Nor does it know what to forget.')
  }, webhookEventsOf)
  node = following(made, repository, { sources: [confused] })
  await order(made)
  await node.caughtUp()
  await node.stop()
  t.equal((await bodiesIn(repository, made)).get(`order/${old}`)?.isErased, false)
  node = following(made, repository, { sources: [forgetting(() => `order/${old}`, webhookEventsOf)] })
  await order(made)
  await node.caughtUp()
  await node.stop()
  t.equal((await bodiesIn(repository, made)).get(`order/${old}`)?.isErased, true)
  t.same([...node.dropped], [`order/${old}`], 'and who sends is told')
})

t.test('given what is told after its subject was erased, when both are kept at once, then it is sent', async (t) => {
  const made = await place()
  const repository = memoryRepository(t, made)
  await begun(made, repository)
  const [first, second] = [await order(made), await order(made)]
  const erasing = forgetting(
    (id) => (id === first ? `order/${second}` : 'order/0'),
    async () => [],
  )
  const node = following(made, repository, { sources: [...sources, erasing] })
  await order(made)
  await node.caughtUp()
  await node.stop()
  t.same((await bodiesIn(repository, made)).get(`order/${second}`), { isErased: false, state: 'waiting' })
})

t.test('given a repository that goes on failing, then each failure counts, as the pauses grow with them', async (t) => {
  const made = await place()
  const real = memoryRepository(t, made)
  await begun(made, real)
  let failures = 0
  const take: DeliveryRepository['save'] = async (...given) => {
    if (++failures <= 3) throw new EngineError('store_unavailable')
    return real.save(...given)
  }
  const node = following(made, { ...real, save: take })
  const id = await order(made)
  while (failures <= 3) await setImmediate()
  await node.caughtUp()
  await node.stop()
  t.same(await subjectsIn(real, made), [`order/${id}`])
  t.same(
    node.troubles.map((trouble) => trouble.failures),
    [1, 2, 3],
  )
})

t.test(
  'given a container with 600 parcels of orders, when it departs and a save fails, then each order is told once, in pages',
  async (t) => {
    const made = await place({ tracking_event_webhook_url: url })
    const { send, tokens } = made
    const report = await reporter(made)
    const numbers: string[] = []
    for (let count = 0; count < 600; count++) {
      const body = { type: 'D', delivery: { name: 'A', address: { street: '1 Street' } } }
      const { body: answer } = await send('POST', '/api/v1/orders', { token: tokens.client_admin, body })
      numbers.push(answer.tracking_number)
    }
    const pallet = { gs1_sscc: '106141412345678908' }
    for (const tracking_number of numbers)
      await report(
        { tracking_number },
        ...[
          {
            status_code: 'x-packed',
            occurred_at: '2026-06-10T08:00:00Z',
            aggregation: { action: 'ADD', parent: pallet },
          },
        ],
      )
    const real = memoryRepository(t, made)
    await begun(made, real)
    const saved: number[] = []
    const failing: DeliveryRepository = {
      ...real,
      save: async (deliveries, ...rest) => {
        saved.push(deliveries.length)
        if (saved.length === 2) throw new EngineError('store_unavailable')
        return real.save(deliveries, ...rest)
      },
    }
    const node = following(made, failing)
    await report(pallet, { status_code: 'in_transit', occurred_at: '2026-06-10T09:00:00Z' })
    await node.caughtUp()
    await node.stop()
    const { deliveries, total } = await real.page({ businessId: made.business }, { limit: 1_000, offset: 0 })
    t.equal(total, 600)
    t.equal(new Set(deliveries.map(({ subject }) => subject)).size, 600)
    t.ok(Math.max(...saved) <= 500, `never more than a few hundred at once: ${saved}`)
    t.ok(saved.length > 3, 'the flow began again after the failure')
    const body = JSON.parse((await real.find(made.business, deliveries[0]?.id ?? ''))?.body ?? '{}')
    t.match(body, { event: 'tracking.event', data: { otep_status: 'in_transit', inherited_from: pallet } })
  },
)
