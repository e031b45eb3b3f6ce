import t from 'tap'
import type { Account } from '../../kernel/account.ts'
import { call } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { isoOf } from '../../kernel/time.ts'
import { execute } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { ann, operator, people, world } from '../../testing/world.test.fixture.ts'
import { orders } from '../orders/decider.ts'
import { orderSchemas } from '../orders/for-insights.ts'
import type { CommandOnOrder } from '../orders/load.ts'
import { getOrders } from '../orders/read.ts'
import { orderStream } from '../orders/streams.ts'
import { otepClientTracking as clientTracking } from './client-tracking.ts'
import { dailyDigest } from './daily-digest.ts'
import { daysOf, lengthOf, shifted } from './days.ts'
import { listExceptions } from './exceptions.ts'
import { getOnTimeRate, punctual } from './on-time.ts'
import { getOrdersSummary } from './orders-summary.ts'
import { orderSnapshot as snapshot } from './snapshot.ts'
import { getToday } from './today.ts'

const orderSnapshot = snapshot(orderSchemas)
const otepClientTracking = clientTracking(orderSchemas.shipment)

type Given = CommandOnOrder extends infer Command
  ? Command extends unknown
    ? Omit<Command, 'at' | 'by'>
    : never
  : never

const assign = { type: 'AssignDriver', driver: people.driver.id, source: 'manual' } as const
const onTheWay: readonly Given[] = [assign, { type: 'TakeStep', step: 'pick_up' }, { type: 'TakeStep', step: 'depart' }]
const delivered: readonly Given[] = [...onTheWay, { type: 'TakeStep', step: 'complete' }]
const failed: readonly Given[] = [...onTheWay, { type: 'TakeStep', step: 'fail', reason: 'deliver_later' }]

/** A world in which orders can be driven. */
function driven() {
  const around = world()
  const { store, context, create } = around

  /** Creates an order and moves it so; answers its id. */
  async function order(more: object, commands: readonly Given[], who: Account = people.admin): Promise<number> {
    const id = await create(more, who)
    const inside = context(operator)
    for (const given of commands) {
      const command = { ...given, at: isoOf(inside.clock()), by: null } as CommandOnOrder
      await execute(store, orders, orderStream(id), command, toNewEvent(inside))
    }
    return id
  }

  return { ...around, order }
}

const tokyo = { ...people.admin, business: { ...people.admin.business, timeZone: 'Asia/Tokyo' } } satisfies Account

t.test('a range of days by its name', (t) => {
  t.same(daysOf('today', '2026-06-10'), { from: '2026-06-10', to: '2026-06-10' })
  t.same(daysOf('week', '2026-06-10'), { from: '2026-06-08', to: '2026-06-14' })
  t.same(daysOf('week', '2026-06-14'), { from: '2026-06-08', to: '2026-06-14' })
  t.same(daysOf('week', '2026-06-15'), { from: '2026-06-15', to: '2026-06-21' })
  t.same(daysOf('month', '2024-02-29'), { from: '2024-02-01', to: '2024-02-29' })
  t.same(daysOf('month', '2026-12-31'), { from: '2026-12-01', to: '2026-12-31' })
  t.equal(shifted('2026-12-31', 1), '2027-01-01')
  t.equal(lengthOf({ from: '2026-02-28', to: '2026-03-01' }), 2)
  t.end()
})

t.test('on time means by the end of its day or window, in the time zone of the business', (t) => {
  const row = { schedule_date: '2026-06-10', window_start: null, window_end: null }
  const window = { ...row, window_start: '09:00', window_end: '11:00' }
  const isOnTime = punctual('America/Toronto')
  t.ok(isOnTime({ ...row, delivered_at: '2026-06-11T03:59:59.000Z' }))
  t.notOk(isOnTime({ ...row, delivered_at: '2026-06-11T04:00:00.000Z' }))
  t.notOk(punctual('Asia/Tokyo')({ ...row, delivered_at: '2026-06-11T03:59:59.000Z' }))
  t.notOk(isOnTime({ ...row, delivered_at: null }))
  t.ok(isOnTime({ ...window, delivered_at: '2026-06-10T12:59:59.000Z' }), 'early is on time')
  t.ok(isOnTime({ ...window, delivered_at: '2026-06-09T20:00:00.000Z' }), 'also by a day')
  t.ok(isOnTime({ ...window, delivered_at: '2026-06-10T13:00:00.000Z' }))
  t.ok(isOnTime({ ...window, delivered_at: '2026-06-10T15:00:59.000Z' }))
  t.notOk(isOnTime({ ...window, delivered_at: '2026-06-10T15:01:00.000Z' }))
  t.end()
})

t.test('given orders of a day, when the digest is requested, then they are counted by status', async (t) => {
  const { ask, order } = driven()
  const today = { schedule_date: '2026-06-10' }
  await order(today, [])
  await order({}, [])
  await order({ schedule_date: '2026-06-11' }, [])
  await order(today, delivered)
  await order(today, failed)
  await order(today, [...failed, { type: 'TakeStep', step: 'return' }])
  await order(today, [{ type: 'HoldOrder' }])
  await order({ ...today, customer_id: people.customer.id }, [{ type: 'HandToCarrier', provider: 'acme' }])
  t.same(await ask(people.employee, dailyDigest, {}), {
    ...{ result: true, date: '2026-06-10', time_zone: 'America/Toronto', total: 7 },
    by_status: [
      { status: 'NEW_ORDER', order_status_id: 1, orders: 2 },
      { status: 'DELIVERED', order_status_id: 2, orders: 1 },
      { status: 'HOLD', order_status_id: 3, orders: 1 },
      { status: 'FAILED', order_status_id: 20, orders: 1 },
      { status: 'RETURNED', order_status_id: 21, orders: 1 },
      { status: 'WITH_CARRIER', order_status_id: 33, orders: 1 },
    ],
    ...{ exceptions: 2, pending_pickups: 2 },
  })
  t.match(await ask(people.customer, dailyDigest, {}), {
    total: 1,
    by_status: [{ status: 'ON_THE_WAY', order_status_id: 29, orders: 1 }],
  })
  t.match(await ask(people.otherCustomer, dailyDigest, {}), { total: 0, by_status: [] })
  t.match(await ask(people.stranger, dailyDigest, {}), { total: 0 })
})

t.test('given a time around midnight, when today is determined, then it is the day of the zone', async (t) => {
  const { ask, order, pass } = driven()
  // 16:00 UTC is noon in Toronto and one in the morning of the next day in Tokyo.
  t.match(await ask(people.admin, dailyDigest, {}), { date: '2026-06-10' })
  t.match(await ask(tokyo, dailyDigest, {}), { date: '2026-06-11' })
  await order({}, [])
  t.match(await ask(people.admin, dailyDigest, {}), { total: 1 })
  t.match(await ask(tokyo, dailyDigest, {}), { total: 1 })
  const day = { date_from: '2026-06-10', date_to: '2026-06-10' }
  t.match(await ask(people.admin, getOrdersSummary, day), { total: 1 })
  t.match(await ask(tokyo, getOrdersSummary, day), { total: 0 }, 'taken on the 11th there')
  pass(12 * 3_600_000 - 1)
  t.match(await ask(people.admin, dailyDigest, {}), { date: '2026-06-10', total: 1 })
  pass(1)
  t.match(await ask(people.admin, dailyDigest, {}), { date: '2026-06-11', total: 0 })
  t.match(await ask(people.admin, getOrdersSummary, { period: 'week' }), { date_from: '2026-06-08', total: 1 })
})

t.test('given a range of days, when it is summarized, then carriers and the on-time rate are included', async (t) => {
  const { ask, order, refused } = driven()
  t.match(await ask(people.admin, getOrdersSummary, {}), { total: 0, on_time_rate: null, top_carriers: [] })
  const today = { schedule_date: '2026-06-10', customer_id: people.customer.id }
  const hand = (provider: string): Given => ({ type: 'HandToCarrier', provider })
  await order(today, delivered)
  await order({ ...today, time_window: { start: '09:00', end: '10:00' } }, delivered)
  await order({ schedule_date: '2026-06-09' }, delivered)
  await order(today, [hand('acme'), { type: 'CarrierDelivered' }])
  await order(today, [hand('acme')])
  await order(today, [hand('bolt')])
  await order(today, failed)
  t.match(await ask(people.admin, getOrdersSummary, { period: 'today' }), {
    ...{ total: 6, exceptions: 1, on_time_rate: 0.6667 },
    top_carriers: [
      { carrier: 'acme', orders: 2 },
      { carrier: 'bolt', orders: 1 },
    ],
  })
  t.match(await ask(people.admin, getOrdersSummary, { period: 'month' }), {
    ...{ date_from: '2026-06-01', date_to: '2026-06-30', total: 7, on_time_rate: 0.5 },
  })
  t.match(await ask(people.admin, getOrdersSummary, { date_from: '2026-06-09' }), { date_to: '2026-06-10', total: 7 })
  const theirs = await ask(people.customer, getOrdersSummary, {})
  t.equal(theirs.top_carriers, undefined)
  t.notMatch(JSON.stringify(theirs), /"acme"|CARRIER/)
  t.match(theirs, { total: 6 })
  t.equal(await refused(people.admin, getOrdersSummary, { date_to: '2026-06-09' }), 'date_from required')
  t.equal(
    await refused(people.admin, getOrdersSummary, { date_from: '2026-06-11', date_to: '2026-06-09' }),
    'date_to ends_before_start',
  )
  for (const days of [{ date_from: '2026-06-09' }, { date_to: '2026-06-09' }])
    t.equal(await refused(people.admin, getOrdersSummary, { period: 'today', ...days }), 'period period_and_days')
  t.equal(await refused(people.admin, getOrdersSummary, { date_from: '2020-01-01' }), 'too_many_days')
  t.equal(await refused(people.driver, getOrdersSummary, {}), 'forbidden')
})

t.test(
  'given open orders, when today is asked for, then it says what needs somebody, as far as one may see it',
  async (t) => {
    const { ask, order, refused, pass } = driven()
    const today = { schedule_date: '2026-06-10' }
    const theirs = { ...today, customer_id: people.customer.id }
    await order({ ...today, time_window: { start: '09:00', end: '12:00' } }, [])
    await order({ ...theirs, time_window: { start: '09:00', end: '11:59' } }, [assign])
    await order({ schedule_date: '2026-06-09' }, onTheWay)
    await order({ schedule_date: '2026-06-11' }, [])
    await order({ schedule_date: '2026-06-01' }, delivered)
    await order({ schedule_date: '2026-06-01' }, failed)
    await order(theirs, [...onTheWay, { type: 'TakeStep', step: 'fail', reason: 'refused' }])
    await order({ schedule_date: '2026-06-08' }, [{ type: 'HandToCarrier', provider: 'acme' }])
    const seen = await ask(people.employee, getToday, {})
    t.match(seen, { at: '2026-06-10T12:00:00-04:00', date: '2026-06-10', time_zone: 'America/Toronto' })
    t.same(seen.exceptions, { failed: 2, undeliverable: 1, late: 4, unassigned: 1, reported: 0, contradicting: 0 })
    t.same(seen.open, [
      { status: 'NEW_ORDER', order_status_id: 1, orders: 2 },
      { status: 'ASSIGNED', order_status_id: 5, orders: 1 },
      { status: 'FAILED', order_status_id: 20, orders: 2 },
      { status: 'ON_THE_WAY', order_status_id: 29, orders: 1 },
      { status: 'WITH_CARRIER', order_status_id: 33, orders: 1 },
    ])
    t.same(
      seen.today.map(({ status, orders }) => [status, orders]),
      [
        ['NEW_ORDER', 1],
        ['ASSIGNED', 1],
        ['FAILED', 1],
      ],
    )
    t.same((await ask(people.customer, getToday, {})).exceptions, { failed: 1, undeliverable: 1, late: 1 })
    t.match(await ask(people.stranger, getToday, {}), { open: [], today: [], exceptions: { late: 0, unassigned: 0 } })
    const listed = async (who: Account, filter: object) => {
      const { orders, total } = await ask(who, getOrders, filter)
      t.equal(orders.length, total)
      return total
    }
    for (const who of [people.employee, people.customer]) {
      const { exceptions } = await ask(who, getToday, {})
      for (const [name, counted] of Object.entries(exceptions)) {
        const filter = name === 'failed' ? { status: ['FAILED'] } : { [name]: true }
        t.equal(await listed(who, filter), counted, `${name} for a ${who.role}`)
      }
    }
    t.equal(await listed(people.customer, { unassigned: true }), 0, 'customers are not told who has an order')
    t.equal(await listed(people.employee, { unassigned: true, status: ['HOLD'] }), 0)
    t.equal(await listed(people.employee, { undeliverable: true, unassigned: true }), 0)
    t.equal(await listed(people.employee, { unassigned: true, driver_id: people.driver.id }), 0)
    t.equal(await listed(people.employee, { unassigned: true, late: true }), 0, 'both, while the window lasts')
    for (const who of [people.driver, people.contractor]) t.equal(await refused(who, getToday, {}), 'forbidden')
    pass(60_000)
    t.match(await ask(people.admin, getToday, {}), { exceptions: { late: 5 } }, 'the window until 12:00 is over')
    t.equal(await listed(people.employee, { unassigned: true, late: true }), 1, 'both')
    pass(12 * 3_600_000 - 60_000)
    const next = await ask(people.admin, getToday, {})
    t.match(next, { date: '2026-06-11', exceptions: { late: 6, unassigned: 2 } }, 'at midnight')
  },
)

t.test('given deliveries of some days, when the on-time rate is asked for, then each day has its own', async (t) => {
  const { ask, order, refused } = driven()
  const theirs = { customer_id: people.customer.id }
  await order({ ...theirs, schedule_date: '2026-06-10' }, delivered)
  await order({ schedule_date: '2026-06-10', time_window: { start: '09:00', end: '10:00' } }, delivered)
  await order({ schedule_date: '2026-06-10' }, onTheWay)
  await order({ schedule_date: '2026-06-08' }, delivered)
  await order({ schedule_date: '2026-05-27' }, delivered)
  const fortnight = await ask(people.admin, getOnTimeRate, {})
  t.match(fortnight, { delivered: 3, on_time: 1, on_time_rate: 0.3333, time_zone: 'America/Toronto' })
  t.equal(fortnight.days.length, 14)
  t.same(fortnight.days[0], { date: '2026-05-28', delivered: 0, on_time: 0, on_time_rate: null })
  t.same(fortnight.days.slice(-3), [
    { date: '2026-06-08', delivered: 1, on_time: 0, on_time_rate: 0 },
    { date: '2026-06-09', delivered: 0, on_time: 0, on_time_rate: null },
    { date: '2026-06-10', delivered: 2, on_time: 1, on_time_rate: 0.5 },
  ])
  t.match(await ask(people.customer, getOnTimeRate, { days: 1 }), {
    delivered: 1,
    on_time_rate: 1,
    days: { length: 1 },
  })
  t.equal(await refused(people.admin, getOnTimeRate, { days: 32 }), 'days too_large')
  t.equal(await refused(people.contractor, getOnTimeRate, {}), 'forbidden')
})

t.test(
  'given failed and returned orders, when exceptions are asked for, then those of the day come, newest first',
  async (t) => {
    const { ask, order } = driven()
    const today = { schedule_date: '2026-06-10' }
    await order(today, delivered)
    const first = await order({ ...today, reference: 'R1' }, failed)
    const second = await order({ ...today, customer_id: people.customer.id }, [
      ...failed,
      { type: 'TakeStep', step: 'return' },
    ])
    const other = await order({ schedule_date: '2026-06-09' }, [
      assign,
      { type: 'TakeStep', step: 'start_pickup' },
      { type: 'TakeStep', step: 'fail', reason: 'refused' },
    ])
    t.match(await ask(people.admin, listExceptions, {}), {
      ...{ total: 2, date: '2026-06-10' },
      orders: [
        { order_id: second, status: 'RETURNED' },
        {
          ...{ order_id: first, reference: 'R1', status: 'FAILED', failed_stage: 'delivery' },
          ...{ failed_reason: 'deliver_later', failed_at: '2026-06-10T12:00:00-04:00' },
        },
      ],
    })
    t.match(await ask(people.admin, listExceptions, { date: '2026-06-09' }), {
      orders: [{ order_id: other, failed_stage: 'pickup', failed_reason: 'refused' }],
    })
    t.match(await ask(people.admin, listExceptions, { page: 2, per_page: 1 }), {
      total: 2,
      orders: [{ order_id: first }],
    })
    t.match(await ask(people.customer, listExceptions, {}), { total: 1, orders: [{ order_id: second }] })
    t.match(await ask(people.stranger, listExceptions, {}), { total: 0, orders: [] })
    t.match(await ask(tokyo, listExceptions, {}), { date: '2026-06-11', total: 0 })
    const unscheduled = await order({}, failed)
    t.match(await ask(people.admin, listExceptions, {}), { total: 3, orders: [{ order_id: unscheduled }, {}, {}] })
    t.match(await ask(people.admin, listExceptions, { page: 2, per_page: 2 }), {
      total: 3,
      orders: [{ order_id: first }],
    })
    t.match(await ask(people.admin, dailyDigest, {}), { exceptions: 3 }, 'as many as the digest counts')
    t.match(await ask(tokyo, listExceptions, {}), { date: '2026-06-11', total: 1 }, 'it was created there today')
  },
)

const pod = { recipient: 'Ann' }
const timeline = {
  ...{ current_status: 'delivered', delivered: true },
  events: [
    { status_code: 'picked_up', pod: { note: 'x' } },
    { status_code: 'delivered', pod },
  ],
}

function withTimeline(context: Context): Context {
  const insights = { ...context.ports.insights, timelineOf: async () => timeline }
  return { ...context, ports: { ...context.ports, insights } }
}

t.test('given an order, when its snapshot is requested, then one answer has all its details', async (t) => {
  const { ask, order, refused, context } = driven()
  const owner = { customer_id: people.customer.id }
  const id = await order({ ...owner, tracking_number: 'TN-1', note: 'inside' }, delivered)
  const named = withTimeline(context(people.admin))
  const answer = await call(orderSnapshot, named, { order: 'tn-1' })
  t.match(answer, { order: { order_id: id, note: 'inside' }, events_total: 5, tracking: { delivered: true } })
  t.match((answer.events as readonly unknown[])[0], { type: 'OrderCreated' })
  t.match(await ask(people.admin, orderSnapshot, { order: String(id) }), { order: { order_id: id }, tracking: null })
  const theirs = await ask(people.customer, orderSnapshot, { order: String(id) })
  t.equal((theirs.order as Readonly<Record<string, unknown>>).note, undefined)
  t.match(await ask(people.driver, orderSnapshot, { order: 'TN-1' }), { order: { order_id: id } })
  for (const who of [people.otherCustomer, people.otherDriver, people.contractor, people.stranger])
    t.equal(await refused(who, orderSnapshot, { order: 'TN-1' }), 'order_not_found')
  t.equal(await refused(people.admin, orderSnapshot, { order: '99' }), 'order_not_found')
})

t.test('given a shipment, when its owner tracks it, then the timeline comes with its details', async (t) => {
  const { ask, order, refused, context } = driven()
  const more = {
    customer_id: people.customer.id,
    external_tracking_number: 'EX-1',
    items: 3,
    schedule_date: '2026-06-10',
  }
  await order({ ...more, tracking_number: 'TN-1' }, delivered)
  const named = withTimeline(context(people.customer))
  t.match(await call(otepClientTracking, named, { tracking_number: 'ex-1' }), {
    timeline: { delivered: true },
    details: {
      ...{ tracking_number: 'TN-1', status: 'DELIVERED', items: 3, delivery: { address: ann.address } },
      ...{ schedule_date: '2026-06-10', delivered_at: '2026-06-10T12:00:00-04:00', proof_of_delivery: pod },
    },
  })
  const without = await ask(people.admin, otepClientTracking, { tracking_number: 'TN-1' })
  t.match(without, { timeline: null, details: { items: 3 } })
  t.equal(without.details.proof_of_delivery, undefined)
  for (const who of [people.otherCustomer, people.stranger, people.contractor])
    t.equal(await refused(who, otepClientTracking, { tracking_number: 'TN-1' }), 'order_not_found')
})
