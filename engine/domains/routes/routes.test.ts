import t from 'tap'
import { streamOf } from '../../entity/access.ts'
import type { EntityEvent } from '../../entity/machine.ts'
import type { Account } from '../../kernel/account.ts'
import { fold } from '../../kernel/decider.ts'
import { specificationOf } from '../../testing/spec.ts'
import { people, world } from '../../testing/world.test.fixture.ts'
import { cancelOrder, deleteOrder, holdOrder } from '../orders/change.ts'
import { stepOperations } from '../orders/drive.ts'
import { decideOn, findLoaded } from '../orders/load.ts'
import { getOrderDetail } from '../orders/read.ts'
import { orderSummary } from '../orders/record.ts'
import { orderStream } from '../orders/streams.ts'
import { moveOperations, planRoute } from './operations.ts'
import { getRoutes, getRouteDetail as routeDetail } from './read.ts'
import { type Route, route } from './route.ts'
import { type RouteCommand, routes } from './rules.ts'

const {
  accept: acceptOrder,
  complete: completeOrder,
  depart: departWithOrder,
  fail: failOrder,
  pick_up: pickUpOrder,
  start_pickup: startPickup,
} = stepOperations

const {
  add_orders: addRouteOrders,
  cancel: cancelRoute,
  change_driver: changeRouteDriver,
  complete: completeRoute,
  remove_order: removeRouteOrder,
  start: startRoute,
} = moveOperations

const getRouteDetail = routeDetail(orderSummary.entries)

const { given } = specificationOf(t, routes)
const told = { at: '2026-06-10T16:00:00.000Z', by: 1 }
const values = { route_id: 1, business_id: 1, schedule_date: '2026-06-11', order_ids: [4, 5] }
const plan: RouteCommand = { move: 'plan', ...told, values }
const planned: EntityEvent = { type: 'RoutePlanned', data: { ...told, ...values, driver_id: 5 } }
const undriven: EntityEvent = { type: 'RoutePlanned', data: { ...told, ...values } }
const started: EntityEvent = { type: 'RouteStarted', data: told }
const completed: EntityEvent = { type: 'RouteCompleted', data: told }
const cancelled: EntityEvent = { type: 'RouteCancelled', data: told }
const added = (...order_ids: readonly number[]): EntityEvent => ({
  type: 'RouteOrdersAdded',
  data: { ...told, order_ids },
})
const removed = (order_id: number): EntityEvent => ({ type: 'RouteOrderRemoved', data: { ...told, order_id } })
const changed = (driver_id: number | null): EntityEvent => ({
  type: 'RouteDriverChanged',
  data: { ...told, driver_id },
})

/** A history that ends in each status. */
const histories: Readonly<Record<Route['status'], readonly EntityEvent[]>> = {
  planned: [planned],
  started: [planned, started],
  completed: [planned, started, completed],
  cancelled: [planned, cancelled],
}

type Change = Exclude<RouteCommand['move'], 'plan'>

/** A command that makes each move, and what then follows. */
const changes: Readonly<Record<Change, readonly [RouteCommand, EntityEvent]>> = {
  add_orders: [{ move: 'add_orders', ...told, values: { order_ids: [6] } }, added(6)],
  remove_order: [{ move: 'remove_order', ...told, values: { order_id: 4 } }, removed(4)],
  change_driver: [{ move: 'change_driver', ...told, values: { driver_id: 6 } }, changed(6)],
  start: [{ move: 'start', ...told }, started],
  complete: [{ move: 'complete', ...told }, completed],
  cancel: [{ move: 'cancel', ...told }, cancelled],
}

/** What becomes of a route by each move, written by hand; what is not named is refused. */
const outcomes: Readonly<Record<Route['status'], Partial<Record<Change, Route['status']>>>> = {
  planned: {
    ...{ add_orders: 'planned', remove_order: 'planned', change_driver: 'planned' },
    ...{ start: 'started', cancel: 'cancelled' },
  },
  started: {
    ...{ add_orders: 'started', remove_order: 'started', change_driver: 'started' },
    ...{ complete: 'completed', cancel: 'cancelled' },
  },
  completed: {},
  cancelled: {},
}

for (const [status, history] of Object.entries(histories) as readonly [Route['status'], readonly EntityEvent[]][])
  for (const [move, [command, event]] of Object.entries(changes) as readonly [Change, (typeof changes)[Change]][]) {
    const becomes = outcomes[status][move]
    const words = becomes === undefined ? 'it is refused' : `it is ${becomes}`
    t.test(`given a route that is ${status}, when ${move} is requested, then ${words}`, async (t) => {
      const step = given(...history).when(command)
      if (becomes === undefined) {
        step.thenRefused('route_status_forbids')
        return
      }
      step.then(event)
      t.equal(fold(routes, [...history, event])?.status, becomes)
    })
  }

t.test('given no route, when one is planned, then it is; another command finds none', async () => {
  given().when(plan).then(undriven)
  given()
    .when({ ...plan, values: { ...values, order_ids: [4, 5, 4] } })
    .then(undriven)
  given(planned).when(plan).thenRefused('route_status_forbids')
  given()
    .when({ move: 'start', ...told })
    .thenRefused('delivery_route_not_found')
})

t.test('given a route, when orders are added, then those that are new to it follow', async () => {
  const add = (...order_ids: readonly number[]): RouteCommand => ({
    move: 'add_orders',
    ...told,
    values: { order_ids },
  })
  given(planned).when(add(5, 6)).then(added(6))
  given(planned, started).when(add(5, 6)).then(added(6))
  given(planned).when(add(4)).thenNothing()
  for (const end of [completed, cancelled])
    for (const order of [4, 6]) given(planned, end).when(add(order)).thenRefused('route_status_forbids')
})

t.test(
  'given a route, when an order is removed, then it has to be on it, and the stops keep their numbers',
  async (t) => {
    const remove: RouteCommand = { move: 'remove_order', ...told, values: { order_id: 4 } }
    given(planned).when(remove).then(removed(4))
    given(planned, removed(4)).when(remove).thenRefused('order_not_on_route')
    given(planned, started, completed).when(remove).thenRefused('route_status_forbids')
    t.same(fold(routes, [planned, removed(4), added(9, 4)])?.stops, [
      { order_id: 5, stop: 2 },
      { order_id: 9, stop: 3 },
      { order_id: 4, stop: 4 },
    ])
  },
)

t.test('given a route, when its driver changes, then a started one keeps some driver', async (t) => {
  const change = (driver_id: number | null): RouteCommand => ({ move: 'change_driver', ...told, values: { driver_id } })
  given(planned).when(change(6)).then(changed(6))
  given(planned).when(change(5)).thenNothing()
  given(undriven).when(change(null)).thenNothing()
  given(planned).when(change(null)).then(changed(null))
  given(planned, started).when(change(null)).thenRefused('route_needs_driver')
  given(planned, started).when(change(6)).then(changed(6))
  for (const driver_id of [5, 6]) given(planned, cancelled).when(change(driver_id)).thenRefused('route_status_forbids')
  t.equal(fold(routes, [planned, changed(null)])?.driver_id, undefined)
})

t.test('given a route, when it starts and ends, then each step has its time', async () => {
  const start: RouteCommand = { move: 'start', ...told }
  const complete = (open_orders: number): RouteCommand => ({ move: 'complete', ...told, values: { open_orders } })
  given(planned).when(start).then(started)
  given(undriven).when(start).thenRefused('route_needs_driver')
  given(planned, removed(4), removed(5)).when(start).thenRefused('route_without_orders')
  given(planned, started).when(complete(0)).then(completed)
  given(planned, started).when(complete(1)).thenRefused('route_has_open_orders')
  given(planned).when(complete(1)).thenRefused('route_status_forbids')
})

t.test('given events before a route was planned, when they are folded, then there is no route', async (t) => {
  t.equal(routes.evolve(undefined, started), undefined)
})

const { admin, employee, customer, driver, otherDriver, contractor, otherContractor, stranger } = people

/** A world in which routes can be planned, and an order can be given to a contractor. */
function depot() {
  const w = world()
  const plan = async (order_ids: readonly number[], more: object = {}, who: Account = admin): Promise<number> =>
    (await w.ask(who, planRoute, { schedule_date: '2026-06-11', order_ids, ...more })).route_id
  const typesOf = async (order: number) => (await w.store.read(orderStream(order))).map(({ type }) => type)
  const give = async (order: number, broker: Account) => {
    const loaded = await findLoaded(w.context(admin), order)
    if (loaded === undefined) throw new Error('There is no such order.')
    const command = { ...told, type: 'AssignContractor', assignment_id: order, broker_id: broker.id } as const
    await w.store.appendMany(decideOn(w.context(admin), loaded, command).appends)
  }
  const drive = async (order_id: number, ...steps: readonly (typeof acceptOrder)[]) => {
    for (const step of steps) await w.ask(driver, step, { order_id })
  }
  const carry = (order: number) =>
    drive(order, ...([acceptOrder, startPickup, pickUpOrder, departWithOrder] as readonly (typeof acceptOrder)[]))
  return { ...w, plan, typesOf, give, drive, carry }
}

t.test(
  'given orders, when a route is planned for a driver, then they are its stops, and the driver has them',
  async (t) => {
    const { ask, create, plan, typesOf } = depot()
    const [one, two] = [await create(), await create()]
    const route_id = await plan([two, one, two], { name: 'North', driver_id: driver.id })
    t.same(await typesOf(one), ['OrderCreated', 'OrderPlanned', 'OrderAssigned'])
    const { route } = await ask(admin, getRouteDetail, { route_id })
    t.match(route, {
      ...{ route_id, name: 'North', schedule_date: '2026-06-11', status: 'planned', driver_id: 5, order_count: 2 },
      stops: [
        { stop: 1, order_id: two, status: 'ASSIGNED', driver_id: 5 },
        { stop: 2, order_id: one, status: 'ASSIGNED', driver_id: 5 },
      ],
    })
    const listed = await ask(employee, getRoutes, {})
    t.match(listed, { total: 1, routes: [{ route_id, status: 'planned', driver_id: 5, order_count: 2 }] })
  },
)

t.test(
  'given an order that cannot go on a route, when one is planned, then none is, and each reason is told',
  async (t) => {
    const { ask, refused, create, plan, typesOf, store } = depot()
    const [free, planned, held, foreign] = [await create(), await create(), await create(), await create({}, stranger)]
    await plan([planned])
    await ask(admin, holdOrder, { order_id: held })
    const input = { schedule_date: '2026-06-11', order_ids: [free, planned, held, foreign, 999] }
    t.equal(
      await refused(admin, planRoute, input),
      'order_ids[1] order_on_route, order_ids[2] order_status_forbids, order_ids[3] order_not_found, order_ids[4] order_not_found',
    )
    t.same(await typesOf(free), ['OrderCreated'])
    t.same(await store.read(streamOf(route, 2)), [])
    const wrong = (more: object) =>
      refused(admin, planRoute, { schedule_date: '2026-06-11', order_ids: [free], ...more })
    for (const driver_id of [999, people.customer.id, people.strangeDriver.id, people.goneDriver.id])
      t.equal(await wrong({ driver_id }), 'driver_id driver_not_found')
    t.equal(await wrong({ schedule_date: '2026-02-30' }), 'schedule_date no_such_day')
    t.equal(await wrong({ order_ids: [] }), 'order_ids too_short')
    for (const account of [customer, driver])
      t.match(await refused(account, planRoute, input), /^(wrong_account|forbidden)$/)
    t.equal(await plan([free]), 2, 'what was refused took no number')
  },
)

t.test('given a route, when orders come and go, then its driver gets and loses them', async (t) => {
  const { ask, refused, create, plan, typesOf } = depot()
  const [one, two, three] = [await create(), await create(), await create()]
  const route_id = await plan([one], { driver_id: driver.id })
  await ask(admin, addRouteOrders, { route_id, order_ids: [one, two] })
  await ask(admin, removeRouteOrder, { route_id, order_id: one })
  t.same((await typesOf(one)).slice(-2), ['OrderTakenOffRoute', 'OrderUnassigned'])
  t.equal(await refused(admin, removeRouteOrder, { route_id, order_id: one }), 'order_not_on_route')
  await ask(admin, addRouteOrders, { route_id, order_ids: [three] })
  const { route } = await ask(admin, getRouteDetail, { route_id })
  t.match(route.stops, [
    { stop: 2, order_id: two },
    { stop: 3, order_id: three },
  ])
  t.equal(await refused(admin, deleteOrder, { order_id: two }), 'order_on_route')
  await ask(admin, cancelOrder, { order_id: two })
  t.match((await ask(admin, getRoutes, {})).routes, [{ order_count: 1 }], 'a cancelled order has left it')
  t.equal((await ask(admin, getRouteDetail, { route_id })).route.order_count, 1)
  t.equal(await refused(admin, addRouteOrders, { route_id, order_ids: [two] }), 'order_ids[0] order_status_forbids')
  await ask(admin, removeRouteOrder, { route_id, order_id: two })
})

t.test(
  'given a route, when it gets another driver, then the orders go with it that nobody is under way with',
  async (t) => {
    const { ask, refused, create, plan, carry, typesOf } = depot()
    const [one, two] = [await create(), await create()]
    const route_id = await plan([one, two], { driver_id: driver.id })
    await carry(one)
    const change = { route_id, driver_id: otherDriver.id }
    await ask(admin, changeRouteDriver, change)
    t.match((await ask(admin, getRouteDetail, { route_id })).route.stops, [{ driver_id: 5 }, { driver_id: 6 }])
    t.same((await typesOf(two)).slice(-2), ['OrderUnassigned', 'OrderAssigned'])
    await ask(admin, changeRouteDriver, { route_id, driver_id: null })
    t.equal((await ask(admin, getOrderDetail, { order_id: two })).order.status, 'NEW_ORDER')
    t.equal(await refused(admin, startRoute, { route_id }), 'route_needs_driver')
    t.equal(await refused(admin, changeRouteDriver, { route_id, driver_id: 999 }), 'driver_id driver_not_found')
  },
)

t.test(
  'given a route on its way, when its driver completes it, then no order may be open, and failed ones leave it',
  async (t) => {
    const { ask, refused, create, plan, carry, drive } = depot()
    const [one, two] = [await create(), await create()]
    const route_id = await plan([one, two], { driver_id: driver.id })
    t.equal(await refused(otherDriver, startRoute, { route_id }), 'delivery_route_not_found')
    await ask(driver, startRoute, { route_id })
    t.equal(await refused(driver, completeRoute, { route_id }), 'route_has_open_orders')
    await carry(one)
    await drive(one, completeOrder)
    await carry(two)
    t.equal(await refused(admin, cancelRoute, { route_id }), 'order_status_forbids')
    await ask(driver, failOrder, { order_id: two, reason: 'deliver_later' })
    t.same(await ask(driver, completeRoute, { route_id }), {
      result: true,
      id: route_id,
      route_id,
      status: 'completed',
      driver_id: 5,
    })
    t.match((await ask(admin, getRouteDetail, { route_id })).route, {
      ...{ status: 'completed', stops: [{ order_id: one, status: 'DELIVERED' }] },
    })
    t.equal((await ask(admin, getRouteDetail, { route_id })).route.stops.length, 1)
    t.equal(await plan([two]), 2, 'what failed can be planned again')
  },
)

t.test('given a route, when it is cancelled, then its orders are free', async (t) => {
  const { ask, refused, create, plan } = depot()
  const order = await create()
  const route_id = await plan([order], { driver_id: driver.id })
  await ask(admin, cancelRoute, { route_id })
  t.match((await ask(admin, getOrderDetail, { order_id: order })).order, { status: 'NEW_ORDER', route_id: undefined })
  t.equal(await refused(admin, addRouteOrders, { route_id, order_ids: [order] }), 'route_status_forbids')
})

t.test(
  'given orders that a contractor has, when routes are planned, then only the contractor plans them',
  async (t) => {
    const { ask, refused, create, plan, give } = depot()
    const [own, free] = [await create(), await create()]
    await give(own, contractor)
    const on = (order: number) => ({ schedule_date: '2026-06-11', order_ids: [order] })
    t.equal(await refused(admin, planRoute, on(own)), 'order_ids[0] order_held_by_contractor')
    t.equal(await refused(otherContractor, planRoute, on(own)), 'order_ids[0] order_not_found')
    t.equal(await refused(contractor, planRoute, on(free)), 'order_ids[0] order_not_found')
    const route_id = await plan([own], { driver_id: driver.id }, contractor)
    t.match((await ask(contractor, getRoutes, {})).routes, [{ route_id, broker_id: contractor.id }])
    t.equal(await refused(admin, addRouteOrders, { route_id, order_ids: [free] }), undefined)
    t.equal(await refused(otherContractor, getRouteDetail, { route_id }), 'delivery_route_not_found')
    t.equal((await ask(otherContractor, getRoutes, {})).total, 0)
  },
)

t.test('given a route, when those who see it read it, then each is shown the same fields', async (t) => {
  const { ask, create, plan, give } = depot()
  const order = await create()
  await give(order, contractor)
  const route_id = await plan([order], { name: 'North', driver_id: driver.id }, contractor)
  const own = { id: route_id, route_id, name: 'North', schedule_date: '2026-06-11', status: 'planned', driver_id: 5 }
  const record = { ...own, broker_id: contractor.id, order_count: 1 }
  for (const account of [admin, employee, contractor, driver]) {
    const { stops, ...read } = (await ask(account, getRouteDetail, { route_id })).route
    t.same(read, record, `${account.role} reads it`)
    t.same(stops.length, 1)
    t.same((await ask(account, getRoutes, {})).routes, [record], `${account.role} lists it`)
  }
})

t.test('given routes, when others ask, then they see their own alone', async (t) => {
  const { ask, refused, create, plan } = depot()
  const route_id = await plan([await create()], { driver_id: driver.id })
  await plan([await create()], { schedule_date: '2026-06-12' })
  t.equal((await ask(admin, getRoutes, {})).total, 2)
  t.equal((await ask(admin, getRoutes, { schedule_date: '2026-06-12' })).total, 1)
  t.equal((await ask(admin, getRoutes, { status: 'started' })).total, 0)
  t.equal((await ask(admin, getRoutes, { driver_id: driver.id })).total, 1)
  t.equal((await ask(driver, getRoutes, {})).total, 1)
  t.equal((await ask(driver, getRoutes, { driver_id: otherDriver.id })).total, 0)
  t.equal((await ask(otherDriver, getRoutes, {})).total, 0)
  t.equal((await ask(stranger, getRoutes, {})).total, 0)
  for (const account of [otherDriver, stranger])
    t.equal(await refused(account, getRouteDetail, { route_id }), 'delivery_route_not_found')
  t.equal(await refused(customer, getRoutes, {}), 'forbidden')
  t.equal(await refused(admin, getRouteDetail, { route_id: 99 }), 'delivery_route_not_found')
})

t.test('given one order, when two routes are planned with it at once, then one of them has it', async (t) => {
  const { create, plan, ask } = depot()
  const order = await create()
  const both = await Promise.allSettled([plan([order]), plan([order])])
  t.same(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  t.match((await ask(admin, getRoutes, {})).routes, [{ order_count: 1 }])
})
