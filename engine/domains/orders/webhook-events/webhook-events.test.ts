import fc from 'fast-check'
import t from 'tap'
import * as v from 'valibot'
import { fold } from '../../../kernel/decider.ts'
import { isEngineError } from '../../../kernel/errors.ts'
import type { NewEvent, RecordedEvent } from '../../../kernel/event.ts'
import type { EventStore } from '../../../kernel/event-store.ts'
import { withoutPrices } from '../../../kernel/prices.ts'
import type { Reader, WebhookEvent, WebhookEventFacts, WebhookEventType } from '../../../kernel/webhook-event.ts'
import { createMemoryStore } from '../../../store/memory.ts'
import { createMemoryModels } from '../../../store/memory-models.ts'
import { outside } from '../../../testing/context.ts'
import { areMany, runs } from '../../../testing/runs.test.fixture.ts'
import { ann, haveSecret, operator, people, world } from '../../../testing/world.test.fixture.ts'
import { cancelOrder, deleteOrder } from '../change.ts'
import type { OrderCommand } from '../commands.ts'
import { createOrder, rerouteToAddress } from '../create.ts'
import { orders } from '../decider.ts'
import { assignDriver, handToCarrier } from '../dispatch.ts'
import { stepOperations } from '../drive.ts'
import type { OrderEvent } from '../events.ts'
import { forgetOrder } from '../forget.ts'
import { ordersDomain } from '../index.ts'
import { type Move, statusMoves as moves } from '../moves.ts'
import { type Status, statuses } from '../status.ts'
import { orderStream } from '../streams.ts'
import { orderWebhookEventSource, orderWebhookEventTypes } from './index.ts'

const { reject: rejectOrder } = stepOperations

const at = '2026-06-10T16:00:00.000Z'
const told = { at, by: 1 }
const readers: readonly Reader[] = ['business', 'customer']
const uuid = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}'

const created: OrderEvent & { readonly type: 'OrderCreated' } = {
  type: 'OrderCreated',
  data: {
    ...told,
    ...{ order_id: 1, business_id: 1, customer_id: 3, type: 'D', to: 'NEW_ORDER', tracking_number: 'LD1', items: 2 },
    ...{ reference: 'R1', external_tracking_number: 'X1', source: 'single', schedule_date: '2026-06-12' },
    price: {
      ...{ shipping_price: '10', currency: 'CAD', tax: '1.5' },
      surcharges: [{ name: 'Heavy', surcharge_amount: '2.25' }],
      ...{ third_party_cost_plus: '1.1', third_party_partial_delivery_deduction: '0.40' },
    },
    personal: { delivery: ann, delivery_instruction: 'Ring', note: 'Internal' },
  },
}

/** The command of each move; a driver, and a carrier whose name no customer may read. */
const commands: Readonly<Record<Move, OrderCommand>> = {
  hold: { type: 'HoldOrder', ...told },
  release: { type: 'ReleaseOrder', ...told },
  assign: { type: 'AssignDriver', ...told, driver: 5, source: 'manual' },
  unassign: { type: 'UnassignDriver', ...told, reason: 'time_out' },
  accept: { type: 'TakeStep', step: 'accept', ...told },
  reject: { type: 'TakeStep', step: 'reject', ...told, circumstances: { note: 'Broken van' } },
  start_pickup: { type: 'TakeStep', step: 'start_pickup', ...told },
  pick_up: { type: 'TakeStep', step: 'pick_up', ...told },
  depart: { type: 'TakeStep', step: 'depart', ...told },
  complete: { type: 'TakeStep', step: 'complete', ...told },
  fail: { type: 'TakeStep', step: 'fail', ...told, reason: 'refused' },
  return: { type: 'TakeStep', step: 'return', ...told },
  cancel: { type: 'CancelOrder', ...told },
  hand_to_carrier: { type: 'HandToCarrier', ...told, provider: 'Secretpost' },
  carry_on: {
    ...{ type: 'TakeReport', ...told },
    report: { provider: 'Secretpost', event_id: 'e1', status_code: 'in_transit', occurred_at: told.at, position: '1' },
  },
  take_back: { type: 'TakeBack', ...told },
  carrier_delivered: { type: 'CarrierDelivered', ...told },
}

/** How an order comes to every status that something follows; one that failed is with its driver, or with a carrier. */
const standings: readonly (readonly Move[])[] = [
  [],
  ['hold'],
  ['assign'],
  ['assign', 'accept'],
  ['assign', 'accept', 'start_pickup'],
  ['assign', 'pick_up'],
  ['assign', 'pick_up', 'depart'],
  ['assign', 'pick_up', 'fail'],
  ['hand_to_carrier'],
  ['hand_to_carrier', 'fail'],
]

/** What follows from commands on a new order, one after the other; what is refused changes nothing. */
function historyOf(asked: readonly OrderCommand[]): readonly OrderEvent[] {
  const events: OrderEvent[] = [created]
  for (const command of asked) {
    try {
      events.push(...orders.decide(command, fold(orders, events)))
    } catch (error) {
      if (!isEngineError(error)) throw error
    }
  }
  return events
}

function factsOf(store: EventStore): WebhookEventFacts {
  return {
    store,
    models: createMemoryModels(store),
    baseUrl: 'http://localhost:3000',
    ...outside,
    profiles: [],
  }
}

async function recorded(events: readonly OrderEvent[]): Promise<EventStore> {
  const store = createMemoryStore(() => Date.parse(at))
  const fresh = events.map((event): NewEvent => ({ ...event, id: crypto.randomUUID(), metadata: { schemaVersion: 1 } }))
  await store.append(orderStream(1), fresh, 'no-stream')
  return store
}

/** All that the events of a store tell, in their order. */
async function webhookEventsIn(store: EventStore): Promise<readonly WebhookEvent[]> {
  const found: WebhookEvent[] = []
  for await (const event of store.readAll(undefined, { category: orderWebhookEventSource.category }))
    found.push(...(await orderWebhookEventSource.webhookEventsOf(factsOf(store), event)))
  return found
}

async function webhookEventsAfter(...asked: readonly Move[]): Promise<readonly WebhookEvent[]> {
  return webhookEventsIn(await recorded(historyOf(asked.map((move) => commands[move]))))
}

function eventTypeOf({ type: name }: WebhookEvent): WebhookEventType {
  const found: WebhookEventType | undefined = orderWebhookEventTypes.find((eventType) => eventType.name === name)
  if (found === undefined) throw new Error(`${name} is no webhook event`)
  return found
}

/** The data for a reader, held against the schema of its webhook event. */
function dataFor(reader: Reader, webhookEvent: WebhookEvent): Record<string, unknown> {
  const data = webhookEvent.data(reader)
  v.parse(eventTypeOf(webhookEvent).data, data)
  return { ...data }
}

const named = (name: string, all: readonly WebhookEvent[]) => all.filter(({ type }) => type === name)
const only = (name: string, all: readonly WebhookEvent[]): WebhookEvent => {
  const [found, ...more] = named(name, all)
  if (found === undefined || more.length > 0) throw new Error(`${more.length + 1} or no ${name}`)
  return found
}
const namesOf = (all: readonly WebhookEvent[]) => all.map(({ type }) => type)

t.test('given the webhook events of orders, then each is wired, and those of its life bear their id', async (t) => {
  t.match(ordersDomain, { webhookEventTypes: orderWebhookEventTypes, webhookEventSources: [orderWebhookEventSource] })
  const bearers = orderWebhookEventTypes
    .filter(({ idMember }: WebhookEventType) => idMember === 'event_id')
    .map(({ name }) => name)
  t.same(
    orderWebhookEventTypes.map(({ name }) => name).filter((name) => !bearers.includes(name)),
    ['order.created', 'order.status_change', 'order.cancel_failed'],
  )
})

t.test('given an order that a driver carries, when it is delivered, then each step is told', async (t) => {
  const all = await webhookEventsAfter('assign', 'accept', 'start_pickup', 'pick_up', 'depart', 'complete')
  const steps = ['assigned', 'accepted', 'pickup_started', 'picked_up', 'on_the_way', 'completed']
  t.same(namesOf(all), ['order.created', ...steps.flatMap((step) => ['order.status_change', `order.${step}`])])
  for (const one of all)
    t.match(one, {
      audience: { kind: 'tenant', businessId: 1, customerId: 3 },
      occurredAt: at,
      subject: 'order/1',
    })
  t.same(dataFor('business', only('order.assigned', all)), {
    ...{ order_id: 1, order_ref: 'R1', tracking_number: 'LD1', external_tracking_number: 'X1', type: 'D' },
    ...{ status: 5, status_name: 'ASSIGNED', customer_id: 3, driver_id: 5, source: 'manual' },
  })
  t.same(dataFor('business', named('order.status_change', all)[0] as WebhookEvent), {
    ...{ order_id: 1, order_ref: 'R1', tracking_number: 'LD1', external_tracking_number: 'X1', type: 'D' },
    ...{ status: 5, status_name: 'ASSIGNED', previous_status: 1, previous_status_name: 'NEW_ORDER' },
    ...{ operation_type: 1002, operation_description: 'A driver was assigned.', ip_address: '', operated_at: at },
    ...{ customer_id: 3, driver_id: 5, items: 2, schedule_date: '2026-06-12' },
    ...{ shipping_price: '10.00', currency: 'CAD' },
    price_details: {
      ...{ tax: '1.50', surcharges: [{ name: 'Heavy', surcharge_amount: '2.25' }], total_price: '13.75' },
      ...{ third_party_cost_plus: '1.10', third_party_partial_delivery_deduction: '0.40' },
    },
  })
  t.match(
    all.map((one) => dataFor('customer', one).driver_id),
    all.map(() => undefined),
  )
})

t.test(
  'given a move from an address, when it is told, then the business learns the address, and nobody else',
  async (t) => {
    const events = historyOf([{ ...commands.assign, ip: '203.0.113.7' } as OrderCommand, commands.unassign])
    t.match(events[1]?.data, { personal: { ip_address: '203.0.113.7' } }, 'it is sealed and erased with the order')
    const told = named('order.status_change', await webhookEventsIn(await recorded(events)))
    t.same(
      told.map((one) => readers.map((reader) => [reader, dataFor(reader, one).ip_address])),
      [
        [
          ['business', '203.0.113.7'],
          ['customer', ''],
        ],
        [
          ['business', ''],
          ['customer', ''],
        ],
      ],
    )
  },
)

t.test('given a new order, when it is told, then with its parties, and never with the internal note', async (t) => {
  const [one] = await webhookEventsAfter()
  for (const reader of readers) {
    const data = dataFor(reader, one as WebhookEvent)
    t.match(data, { delivery: ann, delivery_instruction: 'Ring', source: 'single', status: 1, items: 2 })
    t.notMatch(JSON.stringify(data), /Internal/)
  }
  t.equal(one?.skippedBy, undefined)
})

const toAnother: OrderCommand = { type: 'AssignDriver', ...told, driver: 6, source: 'route' }

/** The moves that lead somewhere else, from each status: a change of status has to be reported for each of them. */
const changes = Object.entries(moves).flatMap(([move, { from, to }]) =>
  from.filter((status) => status !== to).map((status) => `${move} from ${status} to ${to}`),
)

t.test('given every move from every status, when it is made, then its change of status is told once', async (t) => {
  const made: string[] = []
  for (const standing of standings)
    for (const move of Object.keys(moves) as Move[]) {
      const before = historyOf(standing.map((step) => commands[step]))
      const command = move === 'assign' ? toAnother : commands[move]
      const after = historyOf([...standing.map((step) => commands[step]), command])
      const status = fold(orders, before)?.status as Status
      const { to } = moves[move]
      const isMade = after.length > before.length && after.at(-1)?.type !== 'OrderCancelRefused'
      const all = await webhookEventsIn(await recorded(after))
      const found = named('order.status_change', all).slice(standing.length)
      if (!isMade || status === to) {
        t.equal(found.length, 0, `${move} from ${status}`)
        continue
      }
      made.push(`${move} from ${status} to ${to}`)
      t.equal(found.length, 1, `${move} from ${status}`)
      t.match(dataFor('business', found[0] as WebhookEvent), {
        ...{ previous_status: statuses[status].id, previous_status_name: status },
        ...{ status: statuses[to].id, status_name: to, ip_address: '' },
      })
    }
  t.same(
    changes.filter((change) => !made.includes(change)),
    [],
    'none was left out',
  )
})

/** The last change of status after some moves, with what a reader learns of what was done. */
async function operation(reader: Reader, ...asked: readonly Move[]) {
  const all = named('order.status_change', await webhookEventsAfter(...asked))
  const { operation_type, operation_description, ip_address, status, previous_status } = dataFor(
    reader,
    all.at(-1) as WebhookEvent,
  )
  t.equal(ip_address, '')
  return [operation_type, operation_description === '' ? 'no words' : 'words', previous_status, status]
}

t.test('given what a carrier does, when a customer is told, then as if a driver had done it', async (t) => {
  const table: readonly (readonly [asked: readonly Move[], business: number, customer: number])[] = [
    [['hand_to_carrier'], 6007, 1001],
    [['hand_to_carrier', 'carrier_delivered'], 2009, 2002],
    [['hand_to_carrier', 'fail'], 6008, 6002],
    [['hand_to_carrier', 'take_back'], 6009, 6002],
    [['hand_to_carrier', 'fail', 'return'], 6010, 6002],
  ]
  for (const [asked, business, customer] of table) {
    t.match(await operation('business', ...asked), [business, 'words'])
    t.match(await operation('customer', ...asked), [customer, 'no words'])
  }
  const driven = ['assign', 'pick_up', 'depart'] as const
  t.match(await operation('business', ...driven), [1001, 'words'])
  t.match(await operation('customer', ...driven), [1001, 'no words'])
  for (const [byDriver, byCarrier] of [
    [['complete'], ['carrier_delivered']],
    [['fail'], ['fail']],
    [
      ['fail', 'return'],
      ['fail', 'return'],
    ],
  ] as const)
    t.same(
      await operation('customer', ...driven, ...byDriver),
      await operation('customer', 'hand_to_carrier', ...byCarrier),
    )
  t.same(await operation('customer', 'hold'), await operation('business', 'hold'), 'the others are told as they are')
})

t.test('given an order with a carrier, when it is told, then a customer reads nothing of that', async (t) => {
  const all = await webhookEventsAfter(
    'hand_to_carrier',
    'cancel',
    'fail',
    'take_back',
    'hand_to_carrier',
    'carrier_delivered',
  )
  const forBusiness = JSON.stringify(all.map((one) => dataFor('business', one)))
  t.match(forBusiness, /"provider":"Secretpost"/)
  t.match(forBusiness, /"status":33.*"status":43/)
  t.match(forBusiness, /third_party_cost_plus.*third_party_partial_delivery_deduction/)
  const forCustomer = all.map((one) => dataFor('customer', one))
  t.notMatch(JSON.stringify(forCustomer), /Secretpost|CARRIER|arrier|third_party|provider|:33|:43/)
  const lives = all.filter((one) => eventTypeOf(one).channel === 'order_lifecycle')
  t.same(namesOf(lives), ['order.on_the_way', 'order.failed', 'order.on_the_way', 'order.completed'])
  t.same(
    lives.map((one) => dataFor('customer', one).status),
    [29, 20, 29, 2],
  )
})

t.test('given an order, when it cannot be cancelled, then one code tells a customer so, whoever has it', async (t) => {
  for (const asked of [
    ['assign', 'pick_up', 'depart', 'cancel'],
    ['hand_to_carrier', 'cancel'],
  ] as const) {
    const one = only('order.cancel_failed', await webhookEventsAfter(...asked))
    t.match(one.id, new RegExp(`^EVT-${uuid}$`))
    t.same(dataFor('customer', one), {
      ...{ result: false, code: 'ORDER_CANCEL_REFUSED', http_status: 409 },
      message: 'Order 1 cannot be cancelled while it is ON_THE_WAY.',
      submitted: { order_id: 1, tracking_number: 'LD1', external_tracking_number: 'X1' },
    })
    t.match(dataFor('business', one), { code: 'cancel_refused', message: /ON_THE_WAY|WITH_CARRIER/ })
  }
})

t.test('given a driver who has an order, when the driver loses it, then that is told, and why', async (t) => {
  const losses: readonly (readonly [asked: readonly OrderCommand[], reason: string, next: string])[] = [
    [[commands.unassign], 'time_out', 'order.status_change'],
    [[commands.hold], 'hold', 'order.status_change'],
    [[commands.cancel], 'cancel', 'order.status_change'],
    [[toAnother], 'handover', 'order.assigned'],
  ]
  for (const [asked, reason, next] of losses) {
    const all = await webhookEventsIn(await recorded(historyOf([commands.assign, ...asked])))
    const one = only('order.unassigned', all)
    for (const reader of readers) t.match(dataFor(reader, one), { previous_driver_id: 5, reason })
    t.ok(namesOf(all).lastIndexOf(next) >= 0, next)
  }
  const replaced = await webhookEventsIn(await recorded(historyOf([commands.assign, toAnother])))
  t.match(dataFor('business', named('order.assigned', replaced)[1] as WebhookEvent), { driver_id: 6, source: 'route' })
  t.equal(named('order.status_change', replaced).length, 1, 'it was assigned before, and is')
})

t.test('given a driver who rejects an order, then that and the loss are told under ids of their own', async (t) => {
  const { ask, create, store } = world()
  const on = { order_id: await create({ customer_id: 3 }) }
  await ask(people.admin, assignDriver, { ...on, driver_id: 5 })
  await ask(people.driver, rejectOrder, { ...on, note: 'Broken van' })
  const all = (await webhookEventsIn(store)).slice(-3)
  t.same(namesOf(all), ['order.status_change', 'order.rejected', 'order.unassigned'])
  t.equal(new Set(all.map(({ id }) => id)).size, 3)
  for (const one of all.slice(1)) t.match(one.id, new RegExp(`^OLE-${uuid}$`))
  const [, rejected, unassigned] = all as [WebhookEvent, WebhookEvent, WebhookEvent]
  t.match(dataFor('business', rejected), { reason: 'Broken van', driver_id: 5, status_name: 'NEW_ORDER' })
  t.same([dataFor('customer', rejected).reason, dataFor('customer', rejected).driver_id], [undefined, undefined])
  t.match(dataFor('business', unassigned), { previous_driver_id: 5, reason: 'rejection' })
})

t.test('given an order that is ready, cancelled or returned, then its life tells what it has a word for', async (t) => {
  const all = await webhookEventsIn(
    await recorded(historyOf([{ type: 'TakeStep', step: 'mark_ready', ...told }, commands.cancel])),
  )
  t.same(namesOf(all), ['order.created', 'order.ready', 'order.status_change', 'order.cancelled'])
  for (const reader of readers) for (const one of all) dataFor(reader, one)
  t.same(namesOf(await webhookEventsAfter('assign', 'pick_up', 'fail', 'return')).slice(-3), [
    'order.status_change',
    'order.failed',
    'order.status_change',
  ])
})

t.test('given an order that is rerouted, deleted and forgotten, then each tells what is left to tell', async (t) => {
  const { ask, create, store } = world()
  const on = { order_id: await create({ customer_id: 3 }) }
  const { order_id } = await ask(people.admin, rerouteToAddress, { ...on, address: ann.address })
  const rerouted = await webhookEventsIn(store)
  t.match(dataFor('customer', only('order.cancelled', rerouted)), { order_id: on.order_id, replaced_by: order_id })
  t.match(dataFor('customer', named('order.created', rerouted)[1] as WebhookEvent), {
    ...{ order_id, source: 'reroute', replaces: on.order_id },
    delivery: { name: ann.name },
  })
  await ask(people.admin, deleteOrder, on)
  const deleted = only('order.deleted', await webhookEventsIn(store))
  t.match(deleted.id, new RegExp(`^ODE-${uuid}$`))
  t.match(dataFor('customer', deleted), { order_id: on.order_id, status_name: 'CANCELLED' })
  const before = await webhookEventsIn(store)
  await ask(operator, forgetOrder, on)
  const after = await webhookEventsIn(store)
  t.same(
    after.map(({ id }) => id),
    before.map(({ id }) => id),
  )
  const texts = JSON.stringify(after.flatMap((one) => readers.map((reader) => dataFor(reader, one))))
  t.notMatch(texts, /Ann |Main Street|delivery_instruction/)
})

t.test('given events that tell nothing, when they are looked at, then nothing is read for them', async (t) => {
  const store = await recorded([created])
  const [event] = await store.read(orderStream(1))
  const unreadable: EventStore = { ...store, read: () => Promise.reject(new Error('read')) }
  const known = Object.keys(ordersDomain.events.order ?? {})
  const silent = known.filter((type) => !orderWebhookEventSource.types.includes(type))
  t.ok(silent.includes('OrderPaid') && silent.includes('OrderPersonalDataErased'))
  for (const type of [...silent, 'OfALaterVersion'])
    t.same(
      await orderWebhookEventSource.webhookEventsOf(factsOf(unreadable), {
        ...(event as RecordedEvent),
        type,
        revision: 3,
      }),
      [],
    )
  t.equal(
    (await orderWebhookEventSource.webhookEventsOf(factsOf(unreadable), event as RecordedEvent)).length,
    1,
    'nor for the first',
  )
  const orphan = { ...(event as RecordedEvent), type: 'OrderDeleted', data: told, stream: 'order-77' }
  t.same(await orderWebhookEventSource.webhookEventsOf(factsOf(store), orphan), [])
})

const anyCommand: fc.Arbitrary<OrderCommand> = fc.constantFrom(
  ...Object.values(commands),
  ...[commands.assign, commands.pick_up, commands.depart, commands.hand_to_carrier, commands.fail],
  { type: 'AssignDriver', ...told, driver: 6, source: 'auto_assign' } as const,
  { type: 'PlanOrder', ...told, route_id: 9, stop: 1 } as const,
  { type: 'TakeOffRoute', ...told, route_id: 9 } as const,
  { type: 'AssignContractor', ...told, assignment_id: 71, broker_id: 7 } as const,
  { type: 'RevokeContractor', ...told } as const,
  { type: 'PayOrder', ...told, amount: '4.00' } as const,
  { type: 'Reschedule', ...told, time_window: { start: '09:00', end: '10:00' } } as const,
  ...(['DeleteOrder', 'EraseOrder'] as const).map((type) => ({ type, ...told })),
  { type: 'TakeStep', step: 'mark_ready', ...told } as const,
)

function withCallback(event: OrderEvent): OrderEvent {
  return event.type === 'OrderCreated' ? { ...event, data: { ...event.data, callback: 'callback.1.a.3' } } : event
}

/** What a customer receives if the prices of orders are hidden from it. */
function withoutPricesOf(one: WebhookEvent): unknown {
  return withoutPrices(eventTypeOf(one).data, dataFor('customer', one), ['local_delivery'])
}

t.test('given any history, when it is told, then alike each time, and to a customer nothing of carriers', async (t) => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.array(anyCommand, { maxLength: 30, size: 'max' }), async (asked) => {
      const store = await recorded(historyOf(asked).map(withCallback))
      const all = await webhookEventsIn(store)
      const again = await webhookEventsIn(store)
      const ids = all.map(({ id }) => id)
      const texts = all.map((one) => JSON.stringify(dataFor('customer', one)))
      const problems = [
        ...ids.filter((id) => !/^[A-Za-z0-9_-]{1,64}$/.test(id)),
        ...(new Set(ids).size === ids.length ? [] : ['an id twice']),
        ...texts.filter((text) => /Secretpost|CARRIER|arrier|third_party|provider|:(33|43)\b/.test(text)),
        ...all
          .filter((one) => /10\.00|1\.50|2\.25|13\.75|CAD/.test(JSON.stringify(withoutPricesOf(one))))
          .map(({ type }) => type),
        ...all.filter((one) => !v.is(eventTypeOf(one).data, withoutPricesOf(one))).map(({ type }) => type),
      ]
      if (problems.length > 0) throw new Error(problems.join('; '))
      const whole = (list: readonly WebhookEvent[]) =>
        JSON.stringify(list.map((one) => [one, ...readers.map((reader) => dataFor(reader, one))]))
      t.equal(whole(again), whole(all))
      for (const { type: eventType } of all) seen.add(eventType)
    }),
    { numRuns: runs(t, 20) },
  )
  for (const { name } of areMany ? orderWebhookEventTypes : []) t.ok(seen.has(name), `${name} came about`)
})

t.test('given an order, when its history goes on, then what was told of it before stays the same', async (t) => {
  const { ask, create, store } = world()
  const on = { order_id: await create() }
  await ask(people.admin, assignDriver, { ...on, driver_id: 5 })
  const before = await webhookEventsIn(store)
  await ask(people.admin, cancelOrder, on)
  const after = (await webhookEventsIn(store)).slice(0, before.length)
  for (const [index, one] of before.entries())
    t.same([after[index]?.id, after[index]?.data('business')], [one.id, one.data('business')])
  const other = { order_id: await create() }
  await ask(people.admin, handToCarrier, { ...other, provider: 'postal' })
  t.match(dataFor('business', only('order.on_the_way', await webhookEventsIn(store))), {
    provider: 'postal',
    status: 33,
  })
})

t.test(
  'given an order with a callback, when it is taken, assigned and sent elsewhere, then the callback is told, as its giver reads',
  async (t) => {
    const { ask, create, context, store, refused, webhookEvents } = world()
    const callback = { url: 'https://shop.example/told' }
    const asked = { type: 'D', delivery: ann, callback }
    t.equal(await refused(people.admin, createOrder, asked), 'callback webhook_secret_missing')
    await haveSecret(store, context(people.admin))
    for (const [more, problem] of [
      [{ callback_format: 'ce_binary', callback: { ...callback, format: 'native' } }, 'callback_format not_unique'],
      [
        { callback_signature: 'native', callback: { ...callback, signature: 'native' } },
        'callback_signature not_unique',
      ],
      [{ callback: { url: 'not a url' } }, 'callback.url not_a_url'],
    ] as const)
      t.equal(await refused(people.admin, createOrder, { ...asked, ...more }), problem)
    const { callback: _, ...without } = asked
    t.equal(await refused(people.admin, createOrder, { ...without, callback_format: 'native' }), 'callback required')
    await create({ callback, reference: 'R1' })
    await ask(people.admin, assignDriver, { order_id: 1, driver_id: 5 })
    await ask(people.admin, rerouteToAddress, { order_id: 1, address: { street: '9 Other Road', country: 'CA' } })
    await create({ callback, callback_signature: 'standard' })
    await create()
    const told = (await webhookEvents()).filter(({ type }) => type.startsWith('open.'))
    t.match(
      told.map(({ type, subject, data }) => [type, subject, data('business')]),
      [
        ['open.order_accepted', 'order/1', { order_id: 1, order_ref: 'R1', status_name: 'NEW_ORDER' }],
        ['open.order_status_changed', 'order/1', { previous_status_name: 'NEW_ORDER', status_name: 'ASSIGNED' }],
        ['open.order_status_changed', 'order/1', { status_name: 'CANCELLED' }],
        ['open.order_accepted', 'order/2', { order_id: 2, order_ref: 'R1' }],
        ['open.order_accepted', 'order/3', { order_id: 3 }],
      ],
    )
    for (const { type, id, data } of told) {
      t.match(id, new RegExp(`^OPE-${uuid}$`))
      const eventType = orderWebhookEventTypes.find(({ name }) => name === type)
      for (const reader of readers) t.ok(eventType && v.parse(eventType.data, data(reader)), `${type} for a ${reader}`)
    }
    t.equal(new Set(told.map(({ id }) => id)).size, told.length)
    const owners = told.map(({ audience }) => (audience.kind === 'callback' ? audience.owner : ''))
    t.equal(new Set(owners.slice(0, 4)).size, 1, 'the same URL, format and signature are one endpoint')
    t.not(owners[4], owners[0])
    const streams = new Set<string>()
    for await (const { stream } of store.readAll(undefined, { category: 'webhook' })) streams.add(stream)
    t.equal(streams.size, 3, 'it is registered once')
  },
)
