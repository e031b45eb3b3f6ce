import t from 'tap'
import type { GenericSchema } from 'valibot'
import * as v from 'valibot'
import type { Account, Person } from '../../kernel/account.ts'
import { call } from '../../kernel/call.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { Operation } from '../../kernel/operation.ts'
import type { WebhookEvent, WebhookEventType } from '../../kernel/webhook-event.ts'
import { specificationOf } from '../../testing/spec.ts'
import { people, world } from '../../testing/world.test.fixture.ts'
import { stepOperations } from '../orders/drive.ts'
import { orderSummary } from '../orders/record.ts'
import { planRoute } from '../routes/operations.ts'
import { getDriverRoutesToday as routesToday } from './day.ts'
import { type DriverDutyChanged, driverDuty, driverStream, dutyModel } from './duty.ts'
import { setDriverDuty, tellDriverLocation } from './duty-and-location.ts'
import { driversDomain } from './index.ts'
import { getDrivers } from './list.ts'
import { type DriverLocated, driverLocationStream } from './location.ts'
import { driverWebhookEventSources, driverWebhookEventTypes } from './webhook-events.ts'

const {
  accept: acceptOrder,
  complete: completeOrder,
  depart: departWithOrder,
  fail: failOrder,
  pick_up: pickUpOrder,
  start_pickup: startPickup,
} = stepOperations

const getDriverRoutesToday = routesToday(orderSummary.entries)

const { given } = specificationOf(t, driverDuty)
const { admin, customer, driver, otherDriver, contractor, stranger } = people
const word = (on_duty: boolean) => ({ driver_id: 5, business_id: 1, on_duty, at: '2026-06-10T16:00:00.000Z' })
const changed = (on_duty: boolean): DriverDutyChanged => ({ type: 'DriverDutyChanged', data: word(on_duty) })

t.test('given a driver, when it comes on duty or goes off it, then that is recorded once', async () => {
  given().when(word(true)).then(changed(true))
  given().when(word(false)).thenNothing()
  given(changed(true)).when(word(true)).thenNothing()
  given(changed(true)).when(word(false)).then(changed(false))
})

/** A world whose directory lists its drivers. */
function yard() {
  const w = world()
  const drivers: readonly Person[] = [
    { ...driver, name: 'Dee', isActive: true },
    { ...otherDriver, isActive: true },
    { ...people.goneDriver, name: 'Gone', isActive: false },
  ]
  async function ask<Output extends GenericSchema>(
    who: Account,
    operation: Operation<GenericSchema, Output>,
    input: object,
  ): Promise<v.InferOutput<Output>> {
    const context = w.context(who)
    const listing = async (_: unknown, id: number) => (id === 1 ? drivers : [])
    const answer = await call(operation, { ...context, directory: { ...context.directory, people: listing } }, input)
    return v.parse(operation.output, answer)
  }
  return { ...w, ask }
}

t.test('given drivers, when they are listed, then each has its duty and its orders of today', async (t) => {
  const { ask, create } = yard()
  await ask(driver, setDriverDuty, { on_duty: true })
  const today = { schedule_date: '2026-06-10' }
  const order_ids = [await create(today), await create(today), await create(today), await create()]
  await ask(admin, planRoute, { ...today, driver_id: driver.id, order_ids })
  const [done, failed] = order_ids
  for (const order_id of [done, failed])
    for (const step of [acceptOrder, startPickup, pickUpOrder, departWithOrder])
      await ask(driver, step as Operation, { order_id })
  await ask(driver, completeOrder, { order_id: done })
  await ask(driver, failOrder, { order_id: failed, reason: 'deliver_later' })
  const none = { orders: 0, open: 0, delivered: 0, failed: 0 }
  const dee = {
    ...{ id: 5, name: 'Dee', on_duty: true, duty_changed_at: '2026-06-10T12:00:00-04:00' },
    today: { orders: 3, open: 1, delivered: 1, failed: 1 },
  }
  t.same(await ask(admin, getDrivers, {}), {
    ...{ result: true, total: 2, page: 1, per_page: 50 },
    drivers: [dee, { id: 6, on_duty: false, today: none }],
  })
  t.match(await ask(admin, getDrivers, { on_duty: false }), { total: 1, drivers: [{ id: 6 }] })
  t.match(await ask(admin, getDrivers, { page: 2, per_page: 1 }), { total: 2, drivers: [{ id: 6 }] })
  t.match(await ask(otherDriver, getDrivers, {}), { total: 1, drivers: [{ id: 6 }] })
  t.match(await ask(contractor, getDrivers, {}), { total: 2, drivers: [{ id: 5, today: none }, {}] })
  t.equal((await ask(stranger, getDrivers, {})).total, 0)
})

t.test(
  'given a driver, when its day is requested, then its stops come first, then orders without a route',
  async (t) => {
    const { ask, refused, create, pass } = yard()
    const today = { schedule_date: '2026-06-10' }
    const [one, two, other] = [await create(), await create(today), await create(today)]
    const route_id = (await ask(admin, planRoute, { ...today, driver_id: driver.id, order_ids: [two, one] })).route_id
    await ask(admin, planRoute, { schedule_date: '2026-06-11', driver_id: driver.id, order_ids: [other] })
    const day = await ask(admin, getDriverRoutesToday, { driver_id: driver.id })
    t.match(day, {
      ...{ driver_id: 5, date: '2026-06-10', total: 2 },
      orders: [
        { order_id: two, route_id, stop: 1, status: 'ASSIGNED' },
        { order_id: one, route_id, stop: 2 },
      ],
    })
    t.same(await ask(driver, getDriverRoutesToday, { driver_id: driver.id }), day)
    const tomorrow = { driver_id: driver.id, date: '2026-06-11' }
    t.match(await ask(admin, getDriverRoutesToday, tomorrow), { total: 1, orders: [{ order_id: other }] })
    t.match(await ask(admin, getDriverRoutesToday, { driver_id: driver.id, page: 2, per_page: 1 }), {
      ...{ total: 2, page: 2, orders: [{ order_id: one }] },
    })
    t.equal((await ask(contractor, getDriverRoutesToday, { driver_id: driver.id })).total, 0)
    pass(13 * 3_600_000)
    t.equal(
      (await ask(admin, getDriverRoutesToday, { driver_id: driver.id })).date,
      '2026-06-11',
      'the day in the zone',
    )
    for (const driver_id of [999, people.customer.id, people.strangeDriver.id])
      t.equal(await refused(admin, getDriverRoutesToday, { driver_id }), 'driver_not_found')
    t.equal(await refused(otherDriver, getDriverRoutesToday, { driver_id: driver.id }), 'driver_not_found')
    t.equal(await refused(stranger, getDriverRoutesToday, { driver_id: driver.id }), 'driver_not_found')
    t.equal(await refused(customer, getDriverRoutesToday, { driver_id: driver.id }), 'forbidden')
  },
)

t.test('given a driver, when it changes its duty, then only the driver itself can', async (t) => {
  const { ask, refused, store, models } = yard()
  t.same(await ask(driver, setDriverDuty, { on_duty: true }), { result: true, on_duty: true, changed: true })
  t.same(await ask(driver, setDriverDuty, { on_duty: true }), { result: true, on_duty: true, changed: false })
  t.equal((await store.read(driverStream(driver.id))).length, 1)
  t.match(await models.rows(dutyModel, {}), [{ driver_id: 5, business_id: 1, on_duty: 1 }])
  t.equal(await refused(admin, setDriverDuty, { on_duty: true }), 'wrong_account')
})

t.test('given a driver, when it reports locations, then one in ten seconds is stored, and encrypted', async (t) => {
  const { ask, refused, store, plain, pass } = yard()
  const here = { latitude: 43.65, longitude: -79.38 }
  const stream = driverLocationStream(driver.id)
  t.same(await ask(driver, tellDriverLocation, here), { result: true, recorded: true })
  pass(9_999)
  t.same(await ask(driver, tellDriverLocation, here), { result: true, recorded: false })
  pass(1)
  const at = '2026-06-10T12:00:10-04:00'
  t.same(await ask(driver, tellDriverLocation, { ...here, at }), { result: true, recorded: true })
  t.match(await store.read(stream), [
    { type: 'DriverLocated', data: { driver_id: 5, personal: here } },
    { data: { at: '2026-06-10T16:00:10.000Z', personal: { ...here, at } } },
  ])
  t.notMatch(JSON.stringify(await plain.read(stream)), '43.65')
  pass(10_000)
  const both = await Promise.all([ask(driver, tellDriverLocation, here), ask(driver, tellDriverLocation, here)])
  t.same(both.map(({ recorded }) => recorded).sort(), [false, true])
  const wrong = (more: object) => refused(driver, tellDriverLocation, { ...here, ...more })
  t.equal(await wrong({ latitude: 91 }), 'latitude too_large')
  t.equal(await wrong({ longitude: -181 }), 'longitude too_small')
  t.equal(await wrong({ at: '2026-06-10T12:00:10' }), 'at offset_missing')
  t.equal(await wrong({ at: 'now' }), 'at not_a_date_time')
  t.equal(await refused(driver, tellDriverLocation, {}), 'latitude required, longitude required')
  t.match(await refused(admin, tellDriverLocation, here), /^(wrong_account|forbidden)$/)
})

t.test('given the webhook events of drivers, then each is registered', async (t) => {
  t.match(driversDomain(orderSummary.entries), {
    webhookEventTypes: driverWebhookEventTypes,
    webhookEventSources: driverWebhookEventSources,
  })
})

t.test('given a driver, when it changes duty and location, then only the business is notified', async (t) => {
  const { ask, webhookEvents } = world()
  await ask(driver, setDriverDuty, { on_duty: true })
  const place = { latitude: 43.6, longitude: -79.4 }
  await ask(driver, tellDriverLocation, { ...place, at: '2026-06-10T11:59:58-04:00' })
  const [duty, location] = (await webhookEvents()) as [WebhookEvent, WebhookEvent]
  const about = { audience: { kind: 'tenant', businessId: 1 }, subject: 'driver/5', occurredAt: word(true).at }
  t.match(duty, { ...about, type: 'driver.on_duty_changed' })
  t.match(location, { ...about, type: 'driver.location_update', throttle: 'driver/5' })
  for (const one of [duty, location]) {
    t.match(one.id, /^OLE-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    t.match(eventTypeOf(one), { isInternal: true, idMember: 'event_id' })
    t.equal(one.audience.kind === 'tenant' && one.audience.customerId, undefined)
  }
  t.equal(duty.throttle, undefined)
  t.same(v.parse(eventTypeOf(duty).data, duty.data('business')), { driver_id: 5, on_duty: true })
  t.same(v.parse(eventTypeOf(location).data, location.data('business')), {
    ...{ driver_id: 5, ...place, measured_at: '2026-06-10T15:59:58.000Z' },
  })
})

function eventTypeOf({ type: name }: WebhookEvent): WebhookEventType {
  const found = driverWebhookEventTypes.find((eventType) => eventType.name === name)
  if (found === undefined) throw new Error(`${name} is no webhook event`)
  return found
}

t.test('given the location of a driver, when it was erased, then nothing is announced', async (t) => {
  const { ask, context, store } = world()
  await ask(driver, tellDriverLocation, { latitude: 1, longitude: 2 })
  const [event] = await store.read(driverLocationStream(driver.id))
  const { personal, ...data } = (event as RecordedEvent<DriverLocated>).data
  t.same(personal, { latitude: 1, longitude: 2 })
  const source = driverWebhookEventSources[1]
  t.same(await source?.webhookEventsOf(context(driver), { ...(event as RecordedEvent), data }), [])
})
