import fc from 'fast-check'
import t from 'tap'
import * as v from 'valibot'
import type { MoveOf } from '../../entity/field.ts'
import { allowsMove, type EntityEvent, type MoveCommand } from '../../entity/machine.ts'
import {
  type Account,
  anonymous,
  type Business,
  type Caller,
  type Context,
  call,
  createMemoryModels,
  createMemoryStore,
  deriveId,
  en,
  fold,
  isEngineError,
  isoOf,
  type Operation,
  type RecordedEvent,
  type Role,
  scopesOf,
  sealedStore,
  type WebhookEvent,
} from '../../index.ts'
import type { WebhookEventSource } from '../../kernel/webhook-event.ts'
import { outside } from '../../testing/context.ts'
import { recordCall } from '../../testing/recording.test.fixture.ts'
import { refusalOf, specificationOf } from '../../testing/spec.ts'
import { createMemoryVault } from '../../testing/vault.test.fixture.ts'
import { carrierPackage } from './carrier-package.ts'
import { carrierPackagesDomain, carrierPackages as machine } from './index.ts'

type CarrierPackageEvent = EntityEvent
type CarrierPackageStatus = keyof typeof carrierPackage.statuses
type CarrierPackageMove = Exclude<MoveOf<typeof carrierPackage>, 'advise' | 'erase'>
type CarrierPackageCommand = MoveCommand<MoveOf<typeof carrierPackage>>

const carrierPackages = machine.decider
const { webhookEventTypes: carrierPackageEventTypes = [], webhookEventSources = [] } = carrierPackagesDomain
const carrierPackageEventSource = webhookEventSources[0] as WebhookEventSource
const carrierPackageStatusNames = Object.keys(carrierPackage.statuses) as readonly CarrierPackageStatus[]

const { given } = specificationOf(t, carrierPackages)

const start = Date.parse('2026-06-10T10:00:00.000Z')
const minutes = (count: number) => isoOf(start + count * 60_000)
const at = minutes(0)
const by = 7
const told = { at, by }

const advice: EntityEvent['data'] = {
  ...told,
  package_id: 1,
  business_id: 1,
  provider: 'acme',
  package_number: 'PK-1',
  carrier_reference: null,
  destination: { location_id: 9, location_name: 'Locker Main St' },
  personal: { member_number: 'M-1001' },
}
const origin = { location_id: null, location_name: 'Warehouse North' }
const place = { grid_id: 31, grid_code: 'A-07', shelf_code: null }

const advised: CarrierPackageEvent = { type: 'CarrierPackageAdvised', data: advice }
const received: CarrierPackageEvent = { type: 'CarrierPackageReceived', data: { ...told, origin } }
const distributed: CarrierPackageEvent = {
  type: 'CarrierPackageDistributed',
  data: { ...told, order_id: 9, order_ref: 'D-9' },
}
const loaded: CarrierPackageEvent = { type: 'CarrierPackageLoaded', data: told }
const handedOver: CarrierPackageEvent = { type: 'CarrierPackageHandedOver', data: told }
const shelved: CarrierPackageEvent = { type: 'CarrierPackageShelved', data: { ...told, location: place } }
const takenOff = (reason: 'removed' | 'cancelled'): CarrierPackageEvent => ({
  type: 'CarrierPackageTakenOff',
  data: { ...told, reason },
})
const erased: CarrierPackageEvent = { type: 'CarrierPackagePersonalDataErased', data: told }

/** A history that ends in each status. */
const histories: Readonly<Record<CarrierPackageStatus, readonly CarrierPackageEvent[]>> = {
  advised: [advised],
  listed: [advised, received],
  ordered: [advised, received, distributed],
  in_transit: [advised, received, distributed, loaded],
  delivered: [advised, received, distributed, loaded, handedOver],
  shelved: [advised, received, distributed, loaded, handedOver, shelved],
}

/** A command that makes each move, and what then follows. */
const moves: Readonly<Record<CarrierPackageMove, readonly [CarrierPackageCommand, CarrierPackageEvent]>> = {
  receive: [{ move: 'receive', ...told, values: { origin } }, received],
  distribute: [{ move: 'distribute', ...told, values: { order_id: 9, order_ref: 'D-9' } }, distributed],
  load: [{ move: 'load', ...told }, loaded],
  deliver: [{ move: 'deliver', ...told }, handedOver],
  shelve: [{ move: 'shelve', ...told, values: { location: place } }, shelved],
  remove: [{ move: 'remove', ...told }, takenOff('removed')],
  cancel_order: [{ move: 'cancel_order', ...told }, takenOff('cancelled')],
}

/** What becomes of a package by each move, written by hand; what is not named is refused. */
const outcomes: Readonly<Record<CarrierPackageStatus, Partial<Record<CarrierPackageMove, CarrierPackageStatus>>>> = {
  advised: { receive: 'listed' },
  listed: { distribute: 'ordered' },
  ordered: { load: 'in_transit', remove: 'listed', cancel_order: 'listed' },
  in_transit: { deliver: 'delivered', cancel_order: 'listed' },
  delivered: { shelve: 'shelved' },
  shelved: {},
}

const forbidden = 'carrier_package_status_forbids'

for (const status of carrierPackageStatusNames) {
  for (const move of Object.keys(moves) as readonly CarrierPackageMove[]) {
    const becomes = outcomes[status][move]
    const words = becomes === undefined ? 'it is refused' : `it is ${becomes}`
    t.test(`given a carrier package that is ${status}, when ${move} is asked for, then ${words}`, async (t) => {
      const history = histories[status]
      const [command, fact] = moves[move]
      t.equal(fold(carrierPackages, history)?.status, status)
      t.equal(allowsMove(carrierPackage, status, move), becomes !== undefined, 'the table says the same')
      if (becomes === undefined) {
        given(...history)
          .when(command)
          .thenRefused(forbidden)
        return
      }
      given(...history)
        .when(command)
        .then(fact)
      t.equal(fold(carrierPackages, [...history, fact])?.status, becomes)
      t.equal(carrierPackage.moves[move].to, becomes, 'the table says the same')
    })
  }
}

t.test('given nothing, when a package is announced, then it is, and only once', async () => {
  const { at, by, personal, ...values } = { ...advice, ...told }
  const announce: CarrierPackageCommand = { move: 'advise', at, by, values: { ...values, ...personal } }
  given().when(announce).then(advised)
  given(advised).when(announce).thenRefused(forbidden)
  given()
    .when({ move: 'load', ...told })
    .thenRefused('carrier_package_not_found')
})

t.test(
  'given a package, when it is taken off its order, then its distribution says why, until it has another',
  async (t) => {
    const after = (...facts: readonly CarrierPackageEvent[]) => {
      const state = fold(carrierPackages, [...histories.ordered, ...facts])
      const { order_id, order_ref, order_status, distribution_status, reason, loaded_at, delivered_at } = state ?? {}
      return { order_id, order_ref, order_status, distribution_status, reason, loaded_at, delivered_at }
    }
    const none = { reason: undefined, loaded_at: undefined, delivered_at: undefined }
    const created = { order_status: 'created', distribution_status: 'created', ...none }
    const order = { order_id: 9, order_ref: 'D-9', ...created }
    t.same(after(), order)
    t.same(after(takenOff('removed')), { ...order, distribution_status: 'removed', reason: 'removed' })
    const cancelled = { ...order, order_status: 'cancelled', distribution_status: 'removed', reason: 'cancelled' }
    t.same(after(takenOff('cancelled')), cancelled)
    t.same(after(loaded, takenOff('cancelled')), { ...cancelled, loaded_at: at })
    const again: CarrierPackageEvent = {
      type: 'CarrierPackageDistributed',
      data: { ...told, order_id: 10, order_ref: null },
    }
    t.same(after(loaded, takenOff('cancelled'), again), { order_id: 10, order_ref: undefined, ...created })
    t.same(after(loaded, handedOver, shelved), {
      ...{ ...order, order_status: 'delivered', distribution_status: 'delivered', loaded_at: at, delivered_at: at },
    })
  },
)

t.test('given a package in any status, when it is erased, then it is once', async () => {
  for (const status of carrierPackageStatusNames) {
    given(...histories[status])
      .when({ move: 'erase', ...told })
      .then(erased)
    given(...histories[status], erased)
      .when({ move: 'erase', ...told })
      .thenNothing()
  }
})

/** A second telling of the rules: where the package is, and whether it is on an order. */
interface Parcel {
  at: 'carrier' | 'warehouse' | 'truck' | 'counter' | 'shelf'
  order: 'none' | 'created' | 'in_transit' | 'delivered' | 'removed'
}

const rules: Readonly<Record<CarrierPackageMove, (parcel: Parcel) => Parcel | undefined>> = {
  receive: ({ at }) => (at === 'carrier' ? { at: 'warehouse', order: 'none' } : undefined),
  distribute: ({ at, order }) =>
    at === 'warehouse' && order !== 'created' ? { at: 'warehouse', order: 'created' } : undefined,
  load: ({ at, order }) =>
    at === 'warehouse' && order === 'created' ? { at: 'truck', order: 'in_transit' } : undefined,
  deliver: ({ at }) => (at === 'truck' ? { at: 'counter', order: 'delivered' } : undefined),
  shelve: ({ at, order }) => (at === 'counter' ? { at: 'shelf', order } : undefined),
  remove: ({ at, order }) =>
    at === 'warehouse' && order === 'created' ? { at: 'warehouse', order: 'removed' } : undefined,
  cancel_order: ({ at, order }) =>
    at === 'truck' || (at === 'warehouse' && order === 'created') ? { at: 'warehouse', order: 'removed' } : undefined,
}

t.test('given any history, when each step is taken, then it goes as a second telling of the rules says', async (t) => {
  const seen = new Set<string>()
  const steps = fc.constantFrom(...(Object.keys(moves) as readonly CarrierPackageMove[]))
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 60, size: 'max' }), (taken) => {
      let parcel: Parcel = { at: 'carrier', order: 'none' }
      let state = fold(carrierPackages, [advised])
      for (const move of taken) {
        const wanted = rules[move](parcel)
        const code = refusalOf(() => {
          state = fold(carrierPackages, carrierPackages.decide(moves[move][0], state), state)
        })
        if (code !== (wanted === undefined ? forbidden : undefined)) throw new Error(`${move}: ${code}`)
        parcel = wanted ?? parcel
        const order = state?.distribution_status ?? 'none'
        if (order !== parcel.order) throw new Error(`${move}: ${order}, not ${parcel.order}`)
        const isShelved = state?.location !== undefined
        if (isShelved !== (parcel.at === 'shelf')) throw new Error(`${move}: ${parcel.at}`)
        seen.add(state?.status ?? '')
      }
    }),
    { numRuns: 2_000 },
  )
  t.same([...seen].sort(), [...carrierPackageStatusNames].sort(), 'every status was met')
})

const business = (id: number): Business => ({
  ...{ id, name: `Business ${id}`, timeZone: 'UTC', currency: 'EUR', modules: {} },
})

function account(id: number, role: Role, businessId = 1): Caller {
  const account: Account = { id, role, business: business(businessId), modules: {}, hiddenPrices: [] }
  return { kind: 'account', name: String(id), scopes: scopesOf[role], account }
}

function provider(name: string, businessId?: number): Caller {
  const scopes = ['otep:ingest', 'partner_lockers:read', 'partner_lockers:write']
  return { kind: 'provider', name, scopes, ...(businessId === undefined ? {} : { businessId }) }
}

const callers = {
  admin: account(1, 'client_admin'),
  employee: account(2, 'client_employee'),
  customer: account(3, 'customer'),
  driver: account(5, 'driver'),
  stranger: account(11, 'client_admin', 2),
  acme: provider('acme', 1),
  rival: provider('rival', 1),
  elsewhere: provider('acme', 2),
  unbound: provider('plain'),
  anybody: anonymous,
} as const satisfies Readonly<Record<string, Caller>>

type Who = keyof typeof callers

const isOrderOf = async (_: unknown, businessId: number, order: number) => businessId === (order >= 9 ? 1 : 2)

/** An engine on a sealed store in memory; time passes only when the test lets it. */
function createWorld() {
  const clock = { now: start }
  let ids = 0
  const kept = createMemoryStore(() => clock.now)
  const { erasures = [] } = carrierPackagesDomain
  const store = sealedStore(kept, { vault: createMemoryVault(), upcasts: {}, erasures })
  const context: Context = {
    ...outside,
    store,
    models: createMemoryModels(store),
    clock: () => clock.now,
    randomId: () => deriveId('carrier packages', String(ids++)),
    profiles: [] as unknown as Context['profiles'],
    formats: [] as unknown as Context['formats'],
    baseUrl: 'http://localhost',
    ports: { ...outside.ports, carrierPackages: { isOrderOf } },
    directory: { ...outside.directory, serves: async (_, name) => name !== 'nobody' },
    caller: anonymous,
    messages: en,
    requestId: 'test',
  }

  /** Calls an operation by its name. */
  async function as(who: Who, name: string, input: object): Promise<Answered> {
    const found = carrierPackagesDomain.operations.find((one) => one.name === name) as Operation
    const answer = await call(found, { ...context, caller: callers[who] }, input)
    recordCall({ operation: name, input, status: 200, answer })
    v.parse(found.output, answer)
    return answer as unknown as Answered
  }

  async function codeOf(who: Who, name: string, input: object): Promise<string> {
    try {
      await as(who, name, input)
      return 'done'
    } catch (error) {
      if (isEngineError(error)) return error.code
      throw error
    }
  }

  /** All that is reported, in order. */
  async function webhookEvents(): Promise<readonly WebhookEvent[]> {
    const all: WebhookEvent[] = []
    for await (const event of store.readAll(undefined, { category: 'carrier_package' }))
      all.push(...(await carrierPackageEventSource.webhookEventsOf(context, event)))
    return all
  }

  async function events(): Promise<readonly RecordedEvent[]> {
    const all: RecordedEvent[] = []
    for await (const event of kept.readAll()) all.push(event)
    return all
  }

  return { clock, context, as, codeOf, webhookEvents, events }
}

interface Answered {
  readonly package_id: number
  readonly status: string
  readonly total: number
  readonly carrier_package: Readonly<Record<string, unknown>>
  readonly carrier_packages: readonly { readonly package_id: number }[]
}

const pack = {
  package_number: 'PK-1',
  carrier_reference: 'AC-1',
  member_number: 'M-1001',
  destination: { location_id: 9, location_name: 'Locker Main St' },
}
const first = { package_id: 1 }
const warehouse = { origin: { location_name: 'Warehouse North' } }
const order = { order_id: 9, order_ref: 'D-9' }
const shelf = { location: { grid_id: 31, grid_code: 'A-07', shelf_code: 'A' } }

/** Inputs of every operation on the package 1, in an order in which staff can call them. */
const onFirst: Readonly<Record<string, object>> = {
  get_carrier_package: {},
  receive_carrier_package: warehouse,
  distribute_carrier_package: order,
  remove_carrier_package: { reason: 'removed' },
  load_carrier_package: {},
  deliver_carrier_package: {},
  shelve_carrier_package: shelf,
  erase_carrier_package: {},
}

t.test('given each kind of caller, when it calls each operation, then it may what is its own', async (t) => {
  const world = createWorld()
  t.equal((await world.as('acme', 'advise_carrier_package', pack)).status, 'advised')
  const names = Object.keys(onFirst)
  t.equal(names.length + 2, carrierPackagesDomain.operations.length, 'all operations are named here')
  const codes = async (who: Who) =>
    Promise.all(names.map((name) => world.codeOf(who, name, { ...first, ...onFirst[name] })))
  t.same(new Set(await codes('stranger')), new Set(['carrier_package_not_found']))
  const byCarriers = (found: string) =>
    names.map((name) => (name === 'get_carrier_package' ? found : 'account_required'))
  t.same(await codes('acme'), byCarriers('done'), 'what happens in the warehouse is told by the business')
  t.same(await codes('rival'), byCarriers('carrier_package_not_found'))
  t.same(await codes('elsewhere'), byCarriers('carrier_package_not_found'))
  t.same(await codes('unbound'), byCarriers('account_required'))
  for (const who of ['customer', 'driver'] as const) t.same(new Set(await codes(who)), new Set(['forbidden']), who)
  t.same(new Set(await codes('anybody')), new Set(['unauthenticated']))
  t.equal(await world.codeOf('employee', 'erase_carrier_package', first), 'wrong_account')
  for (const name of names) {
    if (name === 'load_carrier_package')
      await world.as('employee', 'distribute_carrier_package', { ...first, ...order })
    const who = name === 'erase_carrier_package' ? 'admin' : 'employee'
    t.equal(await world.codeOf(who, name, { ...first, ...onFirst[name] }), 'done', name)
  }
})

t.test('given a carrier, when it announces a package, then its own, for a business that works with it', async (t) => {
  const world = createWorld()
  const advise = (who: Who, more: object) => world.codeOf(who, 'advise_carrier_package', { ...pack, ...more })
  t.equal(await advise('acme', { provider: 'acme' }), 'done')
  t.equal(await advise('acme', { provider: 'rival' }), 'provider_not_found')
  t.equal(await advise('admin', {}), 'provider_required')
  t.equal(await advise('admin', { provider: 'nobody' }), 'provider_not_found')
  t.equal(await advise('employee', { provider: 'rival' }), 'done')
  t.equal(await advise('unbound', {}), 'account_required')
  for (const wrong of [
    { package_number: '' },
    { destination: {} },
    { provider: 'No Name' },
    { member_number: '\ud800' },
  ])
    t.equal(await advise('acme', wrong), 'invalid_input')
  t.equal((await world.as('admin', 'list_carrier_packages', {})).total, 2)
})

t.test('given a package, when it is shelved, then in a compartment or on a shelf', async (t) => {
  const world = createWorld()
  await world.as('acme', 'advise_carrier_package', pack)
  await world.as('admin', 'receive_carrier_package', { ...first, ...warehouse })
  t.equal(await world.codeOf('admin', 'distribute_carrier_package', { ...first, order_id: 8 }), 'order_not_found')
  await world.as('admin', 'distribute_carrier_package', { ...first, order_id: 10 })
  await world.as('admin', 'load_carrier_package', first)
  await world.as('admin', 'deliver_carrier_package', first)
  const shelve = (location: object) => world.codeOf('admin', 'shelve_carrier_package', { ...first, location })
  for (const wrong of [{}, { grid_id: 31 }, { grid_code: 'A' }, { grid_id: 31, shelf_code: 'A' }])
    t.equal(await shelve(wrong), 'invalid_input')
  t.equal(await shelve({ shelf_code: 'S-2' }), 'done')
  const { carrier_package } = await world.as('acme', 'get_carrier_package', first)
  t.same(carrier_package.location, { grid_id: null, grid_code: null, shelf_code: 'S-2' })
  t.same(carrier_package.distribution_order, { order_id: 10, order_ref: null, status: 'delivered' })
})

t.test('given packages, when they are listed, then as they stand, and by whom they are', async (t) => {
  const world = createWorld()
  for (const [who, more] of [
    ['acme', {}],
    ['rival', { package_number: 'PK-2' }],
    ['acme', { package_number: 'PK-3' }],
    ['elsewhere', {}],
  ] as const)
    await world.as(who, 'advise_carrier_package', { ...pack, ...more })
  for (const package_id of [1, 2]) await world.as('admin', 'receive_carrier_package', { package_id, ...warehouse })
  const listed = async (who: Who, input: object) =>
    (await world.as(who, 'list_carrier_packages', input)).carrier_packages.map(({ package_id }) => package_id)
  t.same(await listed('admin', {}), [3, 2, 1])
  t.same(await listed('acme', {}), [3, 1])
  t.same(await listed('acme', { provider: 'rival' }), [], 'a carrier finds nothing of another one')
  t.same(await listed('employee', { provider: 'rival' }), [2])
  t.same(await listed('admin', { status: 'listed' }), [2, 1])
  t.same(await listed('admin', { package_number: 'PK-3' }), [3])
  t.same(await listed('admin', { per_page: 1, page: 3 }), [1])
  t.same(await listed('stranger', {}), [4])
  await world.as('admin', 'distribute_carrier_package', { ...first, ...order })
  t.same(await listed('admin', { status: 'listed' }), [2], 'what is on an order is off the list')
  await world.as('admin', 'load_carrier_package', first)
  t.same((await world.as('admin', 'list_carrier_packages', { order_id: 9 })).carrier_packages, [
    {
      ...{
        id: 1,
        package_id: 1,
        provider: 'acme',
        status: 'in_transit',
        package_number: 'PK-1',
        carrier_reference: 'AC-1',
      },
      ...{ order_id: 9, loaded_at: at, delivered_at: null },
    },
  ])
  await world.as('admin', 'remove_carrier_package', { ...first, reason: 'cancelled' })
  t.same(await listed('admin', { status: 'listed' }), [2, 1], 'and on it again')
  t.same(await listed('admin', { order_id: 9 }), [])
})

t.test(
  'given what carriers are told, when it is described, then it is of their channel, and each has an example',
  async (t) => {
    t.same(
      carrierPackageEventTypes.map(({ name }) => name),
      ['created', 'loaded', 'delivered', 'shelved', 'removed'].map((name) => `carrier_package.distribution.${name}`),
    )
    for (const { channel, idMember, data, example } of carrierPackageEventTypes) {
      t.same([channel, idMember], ['provider_locker', 'event_id'])
      t.same(v.parse(data, example), example)
    }
  },
)

t.test(
  'given a package on its way, when each step is told, then as it stood after it, under a name of its own',
  async (t) => {
    const world = createWorld()
    const step = async (name: string, input: object = {}) => {
      world.clock.now += 60_000
      await world.as('admin', name, { ...first, ...input })
    }
    await world.as('acme', 'advise_carrier_package', pack)
    await step('receive_carrier_package', warehouse)
    await step('distribute_carrier_package', order)
    await step('remove_carrier_package', { reason: 'removed' })
    await step('distribute_carrier_package', { order_id: 10 })
    await step('load_carrier_package')
    await step('deliver_carrier_package')
    await step('shelve_carrier_package', shelf)
    const all = await world.webhookEvents()
    const parsed = all.map((one) => {
      const { data } = carrierPackageEventTypes.find(({ name }) => name === one.type) ?? {}
      t.same(one.audience, { kind: 'provider', businessId: 1, provider: 'acme' })
      t.match(one.id, /^PLE-[0-9a-f-]{36}$/)
      t.equal(one.subject, 'carrier-package/1')
      for (const reader of ['business', 'customer'] as const) t.ok(data && v.is(data, one.data(reader)), one.type)
      return one.data('business')
    })
    t.equal(new Set(all.map(({ id }) => id)).size, all.length)
    t.same(
      all.map(({ type: eventType, occurredAt }) => [
        eventType.slice('carrier_package.distribution.'.length),
        occurredAt,
      ]),
      ['created', 'removed', 'created', 'loaded', 'delivered', 'shelved'].map((name, place) => [
        name,
        minutes(place + 2),
      ]),
    )
    const [created, removed, , onTruck, delivered, last] = parsed
    const base = {
      ...{
        package_id: 1,
        provider: 'acme',
        package_number: 'PK-1',
        carrier_reference: 'AC-1',
        member_number: 'M-1001',
      },
      origin: { location_id: null, location_name: 'Warehouse North' },
      destination: pack.destination,
      location: null,
    }
    const none = { reason: null, loaded_at: null, delivered_at: null }
    t.same(created, {
      ...{ ...base, status: 'ordered', distribution_order: { ...order, status: 'created' } },
      distribution: { ...none, status: 'created' },
    })
    t.same(removed, {
      ...{ ...base, status: 'listed', distribution_order: { ...order, status: 'created' } },
      distribution: { ...none, status: 'removed', reason: 'removed' },
    })
    t.match(onTruck, { distribution: { status: 'in_transit', loaded_at: minutes(5), delivered_at: null } })
    t.match(delivered, { distribution: { status: 'delivered', delivered_at: minutes(6) }, location: null })
    t.same(last, {
      ...{ ...base, status: 'shelved', ...shelf },
      distribution_order: { order_id: 10, order_ref: null, status: 'delivered' },
      distribution: { status: 'delivered', reason: null, loaded_at: minutes(5), delivered_at: minutes(6) },
    })
  },
)

t.test(
  'given a package, when it is erased, then its member number is nowhere any more, and its steps are still told',
  async (t) => {
    const world = createWorld()
    await world.as('acme', 'advise_carrier_package', pack)
    await world.as('admin', 'receive_carrier_package', { ...first, ...warehouse })
    await world.as('admin', 'distribute_carrier_package', { ...first, ...order })
    t.notMatch(JSON.stringify(await world.events()), /M-1001/, 'it is sealed in the store')
    t.equal((await world.as('acme', 'get_carrier_package', first)).carrier_package.member_number, 'M-1001')
    for (const _ of [1, 2]) t.equal((await world.as('admin', 'erase_carrier_package', first)).status, 'ordered')
    t.notOk('member_number' in (await world.as('acme', 'get_carrier_package', first)).carrier_package)
    const { forgets } = carrierPackageEventSource
    const erasing = (await world.events()).filter(({ type }) => forgets?.types.includes(type))
    const subjects = erasing.map((event) => forgets?.subjects(world.context, event))
    t.same(await Promise.all(subjects), [['carrier-package/1']], 'what was told of it before is thrown away')
    const [told] = await world.webhookEvents()
    t.ok(told && v.is(carrierPackageEventTypes[0]?.data as v.GenericSchema, told.data('business')))
    t.notMatch(JSON.stringify(told?.data('business')), /M-1001/)
  },
)
