import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { bulkCreateOrdersAsync, getAsyncBatchResult } from '../../engine/domains/batches/async.ts'
import { orderSnapshot } from '../../engine/domains/insights/snapshot.ts'
import { createOrder } from '../../engine/domains/orders/create.ts'
import { newOrder } from '../../engine/domains/orders/draft.ts'
import { orderSchemas } from '../../engine/domains/orders/for-insights.ts'
import { limitModel, sensorLimits } from '../../engine/domains/sensors/limit.ts'
import { breachSource } from '../../engine/domains/sensors/webhook-events.ts'
import { operationsOf } from '../../engine/entity/operations.ts'
import {
  type Account,
  anonymous,
  type Business,
  type Caller,
  type Context,
  call,
  createMemoryStore,
  deriveId,
  en,
  execute,
  fold,
  forgetOrder,
  isEngineError,
  isObject,
  isoOf,
  type OrderCommand,
  type OrderEvent,
  orders,
  otepIngest,
  otepTracking,
  otepValidate,
  platformProvider,
  progressOf,
  type RecordedEvent,
  recordReadings,
  type Storage,
  scopesOf,
  startLife,
  timelineEventId,
  toNewEvent,
  trackedBy,
} from '../../engine/index.ts'
import { runs } from '../../engine/testing/runs.test.fixture.ts'
import { world as signedIn } from '../auth/world.test.fixture.ts'
import { createParts, openStore } from '../engine.ts'
import { createApp, startServer } from '../main.ts'
import { configFrom, storeFrom } from '../node/config.ts'
import type { Log } from '../node/log.ts'
import type { Secret } from '../node/secret.ts'
import { openJourneys } from '../telemetry/journeys.ts'
import { runPoliciesOnce, startPolicies } from './index.ts'
import { journeyTraces } from './journey-traces.ts'

const start = Date.parse('2026-03-01T08:00:00Z')

/** An engine on a store in memory; its clock advances by a second with each command. */
function createWorld(store: Storage = createMemoryStore(() => now), secret?: Secret) {
  let at = start
  let ids = 0
  const randomId = () => deriveId('world', String(ids++))
  const parts = createParts({ store, publicView: 'full', clock: () => at, randomId, secret })
  const context: Context = { ...parts, caller: anonymous, messages: en, requestId: 'test' }
  const said: object[] = []
  const tell = (fields: object) => void said.push(fields)
  const log: Log = { debug: tell, info: tell, warn: tell, error: tell }

  async function command(order: number, given: Given): Promise<void> {
    at += 1_000
    const whole = { at: isoOf(at), by: 7, ...given } as OrderCommand
    await execute(parts.store, orders, `order-${order}`, whole, toNewEvent(context))
  }

  async function timeline(number: string) {
    const { data } = await call(otepTracking, context, { tracking_number: number })
    return data as { readonly events: readonly Told[]; readonly current_status: string; readonly subject: object }
  }

  return {
    parts,
    store,
    context,
    command,
    timeline,
    log,
    said,
    app: () => createApp({ store, clock: () => at, publicView: 'full' }),
  }
}

const now = start

type Given = { readonly type: string } & Readonly<Record<string, unknown>>

interface Told {
  readonly event_id: string
  readonly status_code: string
  readonly pod?: object
  readonly location?: object
  readonly source?: { readonly type: string; readonly provider?: string }
}

function create(order: number, more: object = {}): Given {
  const data = {
    ...{ at: isoOf(start), by: 7, order_id: order, business_id: 1, type: 'D', to: 'NEW_ORDER' },
    ...{ tracking_number: `TN${order}`, external_tracking_number: `EXT-${order}`, items: 1, source: 'single' },
    ...{ schedule_date: '2026-03-02', personal: { delivery: { name: 'Ann Lee', address: { street: 'High St 1' } } } },
    ...more,
  }
  return { type: 'CreateOrder', data }
}

const proof = {
  ...{ latitude: 52.5, longitude: 13.4, recipient: 'Ann Lee', note: 'At the door' },
  ...{ signature_url: 'https://files.example/s.png', photo_urls: ['https://files.example/p.jpg'] },
}

const journey: readonly Given[] = [
  { type: 'AssignDriver', driver: 9, source: 'manual' },
  { type: 'TakeStep', step: 'accept', driver_id: 9 },
  { type: 'TakeStep', step: 'mark_ready' },
  { type: 'TakeStep', step: 'start_pickup', driver_id: 9 },
  { type: 'TakeStep', step: 'pick_up', driver_id: 9 },
  { type: 'TakeStep', step: 'depart', driver_id: 9 },
  { type: 'TakeStep', step: 'complete', driver_id: 9, circumstances: proof },
]

const journeyCodes = [
  ...['information_submitted', 'booking_confirmed', 'awaiting_pickup', 'out_for_pickup', 'picked_up'],
  ...['out_for_delivery', 'delivered'],
]

function codesOf({ events }: { readonly events: readonly Told[] }): readonly string[] {
  return events.map(({ status_code }) => status_code)
}

t.test(
  'given an order that was delivered, when the policies have caught up, then its whole timeline is public',
  async (t) => {
    const world = createWorld()
    for (const given of [create(1), ...journey]) await world.command(1, given)
    await runPoliciesOnce(world.parts, world.log)
    const answer = await world.app().request('/api/v1/otep/trackings/TN1')
    t.equal(answer.status, 200)
    const { data } = (await answer.json()) as { readonly data: { readonly events: readonly Told[] } & object }
    t.same(codesOf(data), journeyCodes)
    t.match(data, {
      current_status: 'delivered',
      subject: { tracking_number: 'TN1', external_tracking_number: 'EXT-1', order_id: undefined },
    })
    const { latitude, longitude, ...pod } = proof
    t.match(data.events.at(-1), { pod, location: { latitude, longitude }, source: { provider: 'self-delivery' } })
    const verdict = await call(otepValidate, world.context, { document: data })
    t.same(verdict.errors, [])
    t.same(codesOf(await world.timeline('EXT-1')), journeyCodes)
    const counted = await world.app().request('/api/v1/otep/trackings/1')
    t.equal(counted.status, 404, 'whoever counts finds nothing')
    const tracked = await world.app().request('/api/v1/track/TN1')
    t.match(await tracked.json(), { status: 'delivered', phase: 'delivered', delivered: true, proof_of_delivery: pod })
    t.same(world.said, [])
  },
)

t.test('given policies that have run, when they run again from the beginning, then nothing is added', async (t) => {
  const world = createWorld()
  for (const given of [create(1), ...journey]) await world.command(1, given)
  await runPoliciesOnce(world.parts, world.log)
  const last = await world.store.latest()
  await runPoliciesOnce(world.parts, world.log)
  t.equal(await world.store.latest(), last)
})

t.test(
  'given a store that fails now and then, when the policies run until they come through, then each event stands once',
  async (t) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(40), { maxLength: 6 }), async (failures) => {
        const world = createWorld()
        for (const given of [create(1), ...journey]) await world.command(1, given)
        let calls = 0
        const { store } = world.parts
        const failing = async <Result>(act: () => Promise<Result>): Promise<Result> => {
          const isAfter = calls % 2 === 1
          const fails = failures.includes(calls++)
          if (fails && !isAfter) throw new Error('before')
          const result = await act()
          if (fails) throw new Error('after')
          return result
        }
        const broken = {
          ...world.parts,
          store: {
            ...store,
            read: (...given: Parameters<typeof store.read>) => failing(() => store.read(...given)),
            appendMany: (...given: Parameters<typeof store.appendMany>) => failing(() => store.appendMany(...given)),
          },
        }
        for (let run = 0; run <= failures.length; run++) await runPoliciesOnce(broken, world.log).catch(() => {})
        t.same(codesOf(await world.timeline('TN1')), journeyCodes)
      }),
      { numRuns: runs(t, 3) },
    )
  },
)

t.test(
  'given an order whose personal data is erased, when the policies have caught up, then its timeline has none',
  async (t) => {
    const world = createWorld()
    for (const given of [create(1), ...journey]) await world.command(1, given)
    await runPoliciesOnce(world.parts, world.log)
    await world.command(1, { type: 'EraseOrder' })
    await runPoliciesOnce(world.parts, world.log)
    const after = await world.timeline('TN1')
    t.same(codesOf(after), journeyCodes)
    t.notMatch(JSON.stringify(after), /Ann Lee|the door|files\.example|52\.5/)
    const late = createWorld()
    for (const given of [create(2), ...journey, { type: 'EraseOrder' }]) await late.command(2, given)
    await runPoliciesOnce(late.parts, late.log)
    const ingest: Caller = { kind: 'operator', name: 'self-delivery', scopes: ['otep:ingest'] }
    const event = { occurred_at: isoOf(start), status_code: 'picked_up', pod: { recipient: 'Ann Lee' } }
    const document = { subject: { tracking_number: 'TN2' }, events: [event] }
    await call(otepIngest, { ...late.context, caller: ingest }, { document })
    t.notMatch(JSON.stringify(await late.timeline('TN2')), 'Ann Lee', 'nor does it take any up again')
  },
)

t.test(
  'given an external number that another order has had, when both are driven, then each has its own timeline',
  async (t) => {
    const world = createWorld()
    await world.command(1, create(1, { external_tracking_number: 'SAME' }))
    await world.command(1, { type: 'CancelOrder', replaced_by: 2 })
    await world.command(2, create(2, { external_tracking_number: 'SAME', source: 'reroute', replaces: 1 }))
    for (const given of journey) await world.command(2, given)
    await runPoliciesOnce(world.parts, world.log)
    t.same(codesOf(await world.timeline('TN1')), ['information_submitted', 'cancelled'])
    t.same(codesOf(await world.timeline('TN2')), journeyCodes)
    t.same(world.said, [])
  },
)

t.test(
  'given a number that a carrier reports on, when a customer orders with it, then the timeline stays the carrier’s',
  async (t) => {
    const world = createWorld()
    const carrier: Caller = { kind: 'provider', name: 'carrier', scopes: ['otep:ingest'] }
    for (const external_tracking_number of ['OTHERS', 'OURS']) {
      const event = { status_code: 'received', occurred_at: isoOf(start), description: 'At the side door' }
      const document = { subject: { external_tracking_number }, events: [event] }
      await call(otepIngest, { ...world.context, caller: carrier }, { document })
    }
    await world.command(1, create(1, { external_tracking_number: 'OTHERS', by: 7, customer_id: 7 }))
    await world.command(1, { type: 'CancelOrder' })
    await world.command(2, create(2, { external_tracking_number: 'OURS', by: 3, customer_id: 7 }))
    await runPoliciesOnce(world.parts, world.log)
    t.same(codesOf(await world.timeline('OTHERS')), ['received'])
    const own = await world.timeline('TN1')
    t.same(codesOf(own), ['information_submitted', 'cancelled'])
    t.notMatch(own, { events: [{ description: 'At the side door' }] })
    t.match((await world.timeline('OURS')).subject, { tracking_number: 'TN2' }, 'the staff know what is theirs')
    t.same(world.said, [])
  },
)

t.test(
  'given circumstances that the protocol does not take, when it is told, then the event stands without them',
  async (t) => {
    const world = createWorld()
    const circumstances = { latitude: 952, longitude: 13, signature_url: 'no address' }
    for (const given of [create(1), ...journey.slice(0, -1)]) await world.command(1, given)
    await world.command(1, { type: 'TakeStep', step: 'complete', circumstances })
    await runPoliciesOnce(world.parts, world.log)
    const { events } = await world.timeline('TN1')
    t.same(codesOf({ events }), journeyCodes)
    t.equal(events.at(-1)?.pod, undefined)
    t.equal(events.at(-1)?.location, undefined)
  },
)

t.test(
  'given an order of another carrier, when it fails and comes back, then the timeline says so without its name',
  async (t) => {
    const world = createWorld()
    const back = [{ type: 'HandToCarrier', provider: 'acme' }, { type: 'TakeBack' }, ...journey]
    for (const given of [create(1), ...back]) await world.command(1, given)
    await runPoliciesOnce(world.parts, world.log)
    const { events } = await world.timeline('TN1')
    t.same(codesOf({ events }), [
      ...['information_submitted', 'in_transit', 'removed_from_route', 'booking_confirmed', 'awaiting_pickup'],
      ...['out_for_pickup', 'picked_up', 'out_for_delivery', 'delivered'],
    ])
    t.match(events[1]?.source, { type: 'third_party_delivery', provider: 'self-delivery' })
  },
)

const business = { id: 1, name: 'Acme', timeZone: 'America/Toronto', currency: 'CAD', modules: {} } satisfies Business
const admin: Account = { id: 1, role: 'client_admin', business, modules: {}, hiddenPrices: [] }
const staff: Caller = { kind: 'account', name: '1', scopes: scopesOf.client_admin, account: admin }
const ann = { name: 'Ann Lee', address: { street: 'High St 1' } }

t.test(
  'given a batch of orders, when the policies have caught up, then its orders are there and can be tracked',
  async (t) => {
    const world = createWorld()
    const person = async () => ({ ...admin, name: 'Boss', isActive: true })
    const parts = { ...world.parts, directory: { ...world.parts.directory, person } }
    const context: Context = { ...world.context, ...parts, caller: staff }
    const orders = Array.from({ length: 30 }, (_, index) => ({
      type: 'D',
      delivery: ann,
      tracking_number: `B${index}`,
    }))
    const { asyncId: id } = await call(bulkCreateOrdersAsync(newOrder), context, { orders })
    await runPoliciesOnce(parts, world.log)
    t.match(await call(getAsyncBatchResult, context, { id }), { status: 'finished', created: 30 })
    t.same(codesOf(await world.timeline('B29')), ['information_submitted'])
    const snapshot = await call(orderSnapshot(orderSchemas), context, { order: 'B7' })
    t.match(snapshot, { tracking: { current_status: 'information_submitted', subject: { tracking_number: 'B7' } } })
    t.same(world.said, [])
  },
)

t.test(
  'given readings that come late, when the policies run twice and over restarts, then each breach is told once',
  async (t) => {
    const config = { OTEP_DATA_DIR: t.testdir(), OTEP_LOG_LEVEL: 'silent' }
    const { secret } = configFrom(config)
    const said: object[] = []
    const tell = (fields: object) => void said.push(fields)
    const log: Log = { debug: tell, info: tell, warn: tell, error: tell }
    /** Does something in a server that was just started, and runs the policies twice. */
    async function restarted(act: (context: Context) => Promise<unknown>) {
      const store = await openStore(storeFrom(config))
      const parts = createParts({ store, publicView: 'full', clock: () => start + 7_200_000, secret })
      const context: Context = { ...parts, caller: anonymous, messages: en, requestId: 'test' }
      await act(context)
      for (const _ of ['once', 'twice']) await runPoliciesOnce(parts, log)
      const { data } = (await call(otepTracking, context, { tracking_number: 'TN1' })) as {
        readonly data: { readonly events: readonly Excursion[]; readonly withdrawn_events?: readonly Excursion[] }
      }
      const events = (await parts.store.read('tracking-tracking_number:TN1')) as readonly RecordedEvent[]
      const facts = await parts.store.read('sensor_series-tracking_number:TN1')
      const webhooks = await Promise.all(facts.map((fact) => breachSource.webhookEventsOf({} as never, fact)))
      await store.close()
      const excursions = (list: readonly Excursion[] = []) =>
        list
          .filter(({ status_code }) => status_code === 'x-temperature-excursion')
          .map(({ occurred_at, description }) => [(Date.parse(occurred_at) - start) / 60_000, description])
      const sent = webhooks.flat()
      t.equal(new Set(sent.map(({ id }) => id)).size, sent.length)
      t.match(data, { current_status: 'information_submitted' })
      return {
        holding: excursions(data.events),
        withdrawn: excursions(data.withdrawn_events),
        recorded: events.filter(({ type }) => type === 'TrackingEventRecorded').length,
        sent: sent.map(({ type }) => type),
      }
    }
    const measured =
      (...values: readonly (readonly [device: string, minute: number, value: number])[]) =>
      (context: Context) =>
        recordReadings(
          { ...context, caller: { kind: 'provider', name: 'acme', scopes: ['otep:ingest'] } },
          {
            subject: { tracking_number: 'TN1' },
            readings: values.map(([device, minute, value]) => {
              return { type: 'temperature', at: start + minute * 60_000, value, device } as const
            }),
          },
        )
    const set = operationsOf(sensorLimits, limitModel).find(({ name }) => name === 'set_sensor_limit')
    const limit = { type: 'temperature', maximum: '8', tolerated_seconds: 600, tracking_number: 'TN1' }
    const begun = await restarted(async (context) => {
      await call(createOrder, { ...context, caller: staff }, { type: 'D', delivery: ann, tracking_number: 'TN1' })
      await call(set as never, { ...context, caller: staff }, limit)
      await measured(['a', 0, 5], ['a', 5, 9], ['a', 20, 10])(context)
    })
    const breached = 'sensor.limit_breached'
    t.same(begun, { holding: [[5, undefined]], withdrawn: [], recorded: 2, sent: [breached] })
    const again = await restarted(measured(['a', 5, 9], ['a', 20, 10], ['b', 10, 9], ['b', 30, 9]))
    t.same(again, begun, 'what came before is nothing new, and a second device is in the same breach')
    const shifted = await restarted(measured(['a', 3, 9]))
    t.same(shifted, { holding: [[3, undefined]], withdrawn: [[5, undefined]], recorded: 3, sent: [breached] })
    const ended = await restarted(measured(['a', 40, 5], ['b', 45, 5]))
    const said42 = 'Up to 10 Cel for 42 min; the limit is 8 Cel.'
    const ends = [breached, 'sensor.breach_ended']
    t.same(ended, { holding: [[3, said42]], withdrawn: [[5, undefined]], recorded: 3, sent: ends })
    const shorter = await restarted(measured(['b', 31, 6]))
    t.match(shorter.sent, ends)
    t.same([shorter.recorded, shorter.holding], [4, [[3, 'Up to 10 Cel for 37 min; the limit is 8 Cel.']]])
    const none = await restarted(measured(['a', 4, 5], ['a', 6, 5], ['a', 21, 5], ['b', 11, 5]))
    t.same([none.holding, none.withdrawn.length, none.recorded, none.sent], [[], 3, 4, ends])
    const other = await restarted(measured(['a', 50, 9], ['a', 60, 9]))
    t.same([other.holding, other.withdrawn.length, other.recorded], [[[50, undefined]], 3, 5])
    t.same(other.sent, [...ends, breached])
    t.same(said, [])
  },
)

interface Excursion {
  readonly status_code: string
  readonly occurred_at: string
  readonly description?: string
}

t.test('given a number that nobody knows, when it is tracked, then there is no such timeline', async (t) => {
  const answer = await createWorld().app().request('/api/v1/track/NONE')
  t.equal(answer.status, 404)
  t.match(await answer.json(), { code: 'timeline_not_found' })
})

t.test(
  'given a server on a store, when orders are recorded in it by others, then it tells their timelines',
  async (t) => {
    const config = {
      PORT: '0',
      HOST: '127.0.0.1',
      OTEP_LOG_LEVEL: 'silent',
      OTEP_DATA_DIR: t.testdir(),
      OTEP_PUBLIC_VIEW: 'full',
    }
    const read = configFrom(config)
    const { url, stop } = await startServer(read)
    t.teardown(stop)
    const store = await openStore(storeFrom(config))
    const world = createWorld(store, read.secret)
    for (const given of [create(1), ...journey]) await world.command(1, given)
    for await (const { data } of store.follow(undefined, { category: 'tracking' }, AbortSignal.timeout(30_000)))
      if (isObject(data) && isObject(data.event) && data.event.status_code === 'delivered') break
    const tracked = await (await fetch(`${url}/api/v1/track/TN1`)).json()
    t.match(tracked, { status: 'delivered', proof_of_delivery: { recipient: 'Ann Lee' } })
    await stop()
    t.equal((await store.leases.read('order-timelines'))?.holder, '', 'the turn was given back before the store closed')
    await store.close()
  },
)

t.test(
  'given a server, when an order moves while it runs, then its timeline follows until the server stops',
  async (t) => {
    const world = createWorld()
    await world.command(1, create(1))
    const stopping = new AbortController()
    t.teardown(() => stopping.abort())
    const wait = (_: number, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        setTimeout(resolve, 1)
        signal.addEventListener('abort', () => resolve())
      })
    const clock = { signal: stopping.signal, now: () => performance.now(), wait }
    const life = startLife(world.store.leases, { ...clock, name: 'node', failed: (error) => t.fail(String(error)) })
    const running = startPolicies(world.parts, world.store, { ...clock, life, log: world.log })
    for (const given of journey) await world.command(1, given)
    for await (const { data } of world.store.follow(undefined, { category: 'tracking' }, AbortSignal.timeout(20_000)))
      if (isObject(data) && isObject(data.event) && data.event.status_code === 'delivered') break
    stopping.abort()
    await Promise.all([running, life.ended])
    t.same(codesOf(await world.timeline('TN1')), journeyCodes)
    t.equal((await world.store.leases.read('order-timelines'))?.holder, '', 'the turn is given back')
    t.same(world.said, [])
  },
)

/** The codes of the timeline after these commands; refused commands do nothing. */
function codesAfter(commands: readonly Given[]): readonly string[] {
  const facts: OrderEvent[] = []
  const codes: string[] = []
  for (const given of commands) {
    const command = { at: isoOf(start), by: 7, ...given } as OrderCommand
    for (const fact of decided(command, facts)) {
      const told = trackedBy(fact, progressOf(facts))
      if (told !== undefined) codes.push(told.status_code)
      facts.push(fact)
    }
  }
  return codes
}

function decided(command: OrderCommand, facts: readonly OrderEvent[]): readonly OrderEvent[] {
  try {
    return orders.decide(command, fold(orders, facts))
  } catch (error) {
    if (isEngineError(error)) return []
    throw error
  }
}

t.test('given an attempt that fails, when the next one succeeds, then only what is new of the parcel is told', (t) => {
  const failing = journey.slice(0, -1)
  for (const reason of ['deliver_later', 'refused']) {
    const again = [{ type: 'TakeStep', step: 'fail', reason }, journey[0], journey[1], ...journey.slice(3)]
    t.same(codesAfter([create(1), ...failing, ...(again as readonly Given[])]), [
      ...journeyCodes.slice(0, -1),
      ...['delivery_failed', 'in_transit', 'out_for_delivery', 'delivered'],
    ])
  }
  const refused = [
    ...failing,
    { type: 'TakeStep', step: 'fail', reason: 'refused' },
    { type: 'TakeStep', step: 'return' },
  ]
  t.same(codesAfter([create(1), ...refused]).slice(-2), ['delivery_failed', 'return_to_sender'])
  const day = { type: 'Reschedule', schedule_date: '2026-03-05' }
  const window = { type: 'Reschedule', time_window: { start: '09:00', end: '11:00' } }
  t.same(codesAfter([create(1), day, window]).slice(1), ['delivery_rescheduled'])
  t.same(codesAfter([create(1, { type: 'P' }), day]).slice(1), ['pickup_rescheduled'])
  t.same(codesAfter([create(1, { type: 'P' }), ...failing, day]).at(-1), 'delivery_rescheduled')
  t.end()
})

t.test(
  'given a refusal that an earlier version told as final, when the order is delivered, then both count, and once',
  async (t) => {
    const world = createWorld()
    const failing = [...journey.slice(0, -1), { type: 'TakeStep', step: 'fail', reason: 'refused' }]
    for (const given of [create(1), ...failing]) await world.command(1, given)
    const refusal = (await world.store.read('order-1')).at(-1) as RecordedEvent<OrderEvent>
    const told = {
      event_id: timelineEventId(refusal),
      occurred_at: refusal.data.at,
      status_code: 'rejected_by_recipient',
    }
    const caller: Caller = { kind: 'operator', name: platformProvider, scopes: ['otep:ingest'] }
    const document = { subject: { tracking_number: 'TN1' }, events: [told] }
    await call(otepIngest, { ...world.context, caller }, { document })
    for (const given of [journey[0], ...journey.slice(4)]) await world.command(1, given as Given)
    for (const _ of ['first', 'again']) await runPoliciesOnce(world.parts, world.log)
    const after = await world.timeline('TN1')
    t.same(codesOf(after), [
      ...journeyCodes.slice(0, -1),
      ...['rejected_by_recipient', 'in_transit', 'out_for_delivery', 'delivered'],
    ])
    t.equal(after.current_status, 'delivered')
  },
)

t.test(
  'given an order that came of an approved proposal, when it is forgotten, then the proposal tells of nobody',
  async (t) => {
    const { send, tokens, parts } = await signedIn()
    const delivery = { name: 'Jo Example', address: { street: '1 Main Street' } }
    const body = { tool: 'create_order', arguments: { type: 'D', delivery } }
    for (const _ of [1, 2]) await send('POST', '/api/v1/approvals', { token: tokens.client_employee, body })
    await send('POST', '/api/v1/approvals/1/approve', { token: tokens.client_admin })
    const seen = async (id: number) =>
      (await send('GET', `/api/v1/approvals/${id}`, { token: tokens.client_admin })).body
    t.match(await seen(1), { proposal: { status: 'approved', arguments: { delivery } } })
    const caller: Caller = { kind: 'operator', name: 'cli', scopes: ['otep:erase'] }
    await call(forgetOrder, { ...parts, caller, messages: en, requestId: 'test' }, { order_id: 1 })
    await runPoliciesOnce(parts)
    t.match(await seen(1), { proposal: { status: 'approved', arguments: null } })
    t.match(await seen(2), { proposal: { status: 'pending', arguments: { delivery } } }, 'which was no part of it')
    const last = await parts.store.latest()
    await runPoliciesOnce(parts)
    t.equal(await parts.store.latest(), last, 'said once')
  },
)

/** A receiver of traces with the status that it answers. */
async function createReceiver(t: Test) {
  const received: string[][] = []
  let status = 200
  const server = createServer(async (request, response) => {
    const names = [...(await text(request)).matchAll(/"name":"([\w ]+)","kind"/g)].map(([, name = '']) => name)
    if (status === 200) received.push(names)
    response.writeHead(status, { 'Content-Type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const journeys = await openJourneys(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`)
  t.teardown(() => journeys.close())
  return {
    journeys,
    received,
    answers: (code: number) => {
      status = code
    },
  }
}

t.test(
  'given a receiver of traces, when a journey goes on, then each stage is sent once after it has ended',
  async (t) => {
    const { store, log, said, context: still } = createWorld()
    let at = start
    const clock = () => {
      at += 1_000
      return at
    }
    const parts = createParts({ store, clock })
    const context = { ...still, ...parts }
    const { journeys, received, answers } = await createReceiver(t)
    const policy = journeyTraces(parts, journeys, log)
    const signal = new AbortController().signal
    const provider: Caller = { kind: 'provider', name: 'acme', scopes: ['otep:ingest'] }
    const report = async (status_code: string, hour: number) => {
      const event = { occurred_at: isoOf(start - (9 - hour) * 3_600_000), status_code }
      await call(
        otepIngest,
        { ...context, caller: provider },
        {
          document: { subject: { tracking_number: 'SR1' }, events: [event] },
        },
      )
      for await (const one of store.readAll(undefined, policy.filter)) await policy.handle(one, signal)
    }
    await report('picked_up', 0)
    t.same(received, [], 'the first stage goes on')
    await report('in_transit', 2)
    t.same(received, [['picked_up']])
    await report('arrival_scan', 1)
    t.same(received.slice(1), [['arrival_scan']], 'a late one, which changes nothing of the other')
    answers(404)
    await t.rejects(report('out_for_delivery', 4), 'a receiver that is not there is tried again')
    answers(200)
    await report('delivered', 5)
    t.same(received.slice(2), [['parcel journey', 'in_transit', 'out_for_delivery', 'delivered']])
    answers(400)
    await report('return_to_sender', 7)
    t.match(said, [{ policy: 'journey-traces', spans: 1 }], 'what is refused for good is not sent again')
    answers(200)
    await report('return_to_sender', 7)
    t.equal(received.length, 3)
  },
)
