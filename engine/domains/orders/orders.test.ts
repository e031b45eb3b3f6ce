import fc from 'fast-check'
import t from 'tap'
import { call } from '../../kernel/call.ts'
import { endOfDay, startOfDay } from '../../kernel/days.ts'
import { fold } from '../../kernel/decider.ts'
import { EngineError, isEngineError } from '../../kernel/errors.ts'
import { deriveId } from '../../kernel/id.ts'
import { messageOf } from '../../kernel/messages/index.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import type { Operation } from '../../kernel/operation.ts'
import { areMany, runs } from '../../testing/runs.test.fixture.ts'
import { specificationOf } from '../../testing/spec.ts'
import { ann, haveSecret, operator, people, world } from '../../testing/world.test.fixture.ts'
import { searchAddress } from '../addresses/operations.ts'
import { domains, en } from '../of-all.ts'
import { hasCheckDigit } from '../tracking/check-digit.ts'
import { getOperationEvents } from './audit.ts'
import {
  cancelOrder,
  deleteOrder,
  holdOrder,
  releaseOrder,
  updateDeliveryInstruction,
  updateOrderNote,
} from './change.ts'
import type { OrderCommand } from './commands.ts'
import { updateOrder } from './correct.ts'
import { createOrder, rerouteToAddress } from './create.ts'
import { type OfOrder, statusForbids } from './decided.ts'
import { orders } from './decider.ts'
import { assignDriver, handToCarrier, noteCarrierDelivery, takeBackFromCarrier, unassignDriver } from './dispatch.ts'
import { type NewOrder, newOrder } from './draft.ts'
import { stepOperations } from './drive.ts'
import type { OrderEvent } from './events.ts'
import { orderExists } from './exists.ts'
import { findOrder } from './find.ts'
import { forgetOrder } from './forget.ts'
import { decideOn, findLoaded } from './load.ts'
import { type Move, statusMoves as moves } from './moves.ts'
import { orderModel } from './order-model.ts'
import { payOrder } from './pay.ts'
import { getOrderDetail, getOrders } from './read.ts'
import type { LocalOrder } from './record.ts'
import { updateTimeWindowByRefs } from './schedule.ts'
import type { Order } from './state.ts'
import { type Status, statuses, statusOf } from './status.ts'
import { orderStream } from './streams.ts'
import { termModel } from './term-model.ts'
import { digitsOf, isSamePhone, wordsOf } from './terms.ts'

const {
  accept: acceptOrder,
  complete: completeOrder,
  depart: departWithOrder,
  fail: failOrder,
  mark_ready: markOrderReady,
  pick_up: pickUpOrder,
  reject: rejectOrder,
  return: returnOrder,
  start_pickup: startPickup,
} = stepOperations

const { given } = specificationOf(t, orders)
const at = '2026-06-10T16:00:00.000Z'
const by = 1
const told = { at, by }
interface Money {
  readonly amount: string
}

const price = { shipping_price: '10.00', currency: 'CAD', tax: '1.50' }

const created: OrderEvent = {
  type: 'OrderCreated',
  data: {
    ...told,
    ...{ order_id: 1, business_id: 1, customer_id: 3, type: 'D', to: 'NEW_ORDER', tracking_number: 'LD1', items: 1 },
    ...{ source: 'single', price, personal: { delivery: ann } },
  },
}

const moved = (from: Status, to: Status) => ({ ...told, from, to })
const driver = { driver_id: 5 }
const assigned: OrderEvent = {
  type: 'OrderAssigned',
  data: { ...moved('NEW_ORDER', 'ASSIGNED'), ...driver, source: 'manual' },
}
const accepted: OrderEvent = { type: 'OrderAccepted', data: { ...moved('ASSIGNED', 'ACCEPTED'), ...driver } }
const pickupStarted: OrderEvent = {
  type: 'OrderPickupStarted',
  data: { ...moved('ACCEPTED', 'PICKUP_STARTED'), ...driver },
}
const pickedUp: OrderEvent = { type: 'OrderPickedUp', data: { ...moved('PICKUP_STARTED', 'PICKED_UP'), ...driver } }
const onTheWay: OrderEvent = { type: 'OrderOnTheWay', data: { ...moved('PICKED_UP', 'ON_THE_WAY'), ...driver } }
const delivered: OrderEvent = { type: 'OrderCompleted', data: moved('ON_THE_WAY', 'DELIVERED') }
const failed: OrderEvent = {
  type: 'OrderFailed',
  data: { ...moved('ON_THE_WAY', 'FAILED'), stage: 'delivery', reason: 'deliver_later' },
}
const handed: OrderEvent = {
  type: 'OrderHandedToCarrier',
  data: { ...moved('NEW_ORDER', 'WITH_CARRIER'), provider: 'postal' },
}
const carrierFailed: OrderEvent = {
  type: 'OrderFailed',
  data: { ...moved('WITH_CARRIER', 'FAILED'), stage: 'delivery', reason: 'deliver_later' },
}
const planned: OrderEvent = { type: 'OrderPlanned', data: { ...told, route_id: 9, stop: 1 } }
const held: OrderEvent = {
  type: 'ContractorAssigned',
  data: { ...told, assignment_id: 70, business_id: 1, broker_id: 7 },
}
const underWay = [created, assigned, accepted, pickupStarted, pickedUp, onTheWay]

/** How an order comes to each status; one that failed is with its driver, or with a carrier. */
const histories = {
  NEW_ORDER: [created],
  HOLD: [created, { type: 'OrderHeld', data: moved('NEW_ORDER', 'HOLD') }],
  ASSIGNED: underWay.slice(0, 2),
  ACCEPTED: underWay.slice(0, 3),
  PICKUP_STARTED: underWay.slice(0, 4),
  PICKED_UP: underWay.slice(0, 5),
  ON_THE_WAY: underWay,
  DELIVERED: [...underWay, delivered],
  FAILED: [...underWay, failed],
  'FAILED with a carrier': [created, handed, carrierFailed],
  RETURNED: [...underWay, failed, { type: 'OrderReturned', data: moved('FAILED', 'RETURNED') }],
  CANCELLED: [created, { type: 'OrderCancelled', data: moved('NEW_ORDER', 'CANCELLED') }],
  WITH_CARRIER: [created, handed],
  DELIVERED_BY_CARRIER: [
    created,
    handed,
    { type: 'OrderDeliveredByCarrier', data: { ...moved('WITH_CARRIER', 'DELIVERED_BY_CARRIER'), provider: 'postal' } },
  ],
} as const satisfies Record<string, readonly OrderEvent[]>

type Standing = keyof typeof histories

/** The command of each move, by the staff; a driver is named where one is given the order. */
const commands: Readonly<Record<Move, OrderCommand>> = {
  hold: { type: 'HoldOrder', ...told },
  release: { type: 'ReleaseOrder', ...told },
  assign: { type: 'AssignDriver', ...told, driver: 6, source: 'manual' },
  unassign: { type: 'UnassignDriver', ...told, reason: 'removal' },
  accept: { type: 'TakeStep', step: 'accept', ...told },
  reject: { type: 'TakeStep', step: 'reject', ...told },
  start_pickup: { type: 'TakeStep', step: 'start_pickup', ...told },
  pick_up: { type: 'TakeStep', step: 'pick_up', ...told },
  depart: { type: 'TakeStep', step: 'depart', ...told },
  complete: { type: 'TakeStep', step: 'complete', ...told },
  fail: { type: 'TakeStep', step: 'fail', ...told, reason: 'refused' },
  return: { type: 'TakeStep', step: 'return', ...told },
  cancel: { type: 'CancelOrder', ...told },
  hand_to_carrier: { type: 'HandToCarrier', ...told, provider: 'postal' },
  carry_on: {
    ...{ type: 'TakeReport', ...told },
    report: { provider: 'postal', event_id: 'e1', status_code: 'in_transit', occurred_at: told.at, position: '1' },
  },
  take_back: { type: 'TakeBack', ...told },
  carrier_delivered: { type: 'CarrierDelivered', ...told },
}

const forbidden = 'order_status_forbids'

const elsewhere = { street: '2 Side Street', country: 'CA' }

/**
 * What each move leads to, written by hand: a status, or the code of the refusal. What is not named is refused with
 * `order_status_forbids`, but cancelling, which is recorded as refused.
 */
const wanted: Readonly<Record<Standing, Partial<Record<Move, string>>>> = {
  NEW_ORDER: {
    ...{ hold: 'HOLD', assign: 'ASSIGNED', cancel: 'CANCELLED' },
    ...{ hand_to_carrier: 'WITH_CARRIER', carry_on: 'WITH_CARRIER' },
  },
  HOLD: { release: 'NEW_ORDER', cancel: 'CANCELLED' },
  ASSIGNED: {
    ...{ hold: 'HOLD', assign: 'ASSIGNED', unassign: 'NEW_ORDER', accept: 'ACCEPTED', reject: 'NEW_ORDER' },
    ...{ start_pickup: 'PICKUP_STARTED', pick_up: 'PICKED_UP', cancel: 'CANCELLED' },
  },
  ACCEPTED: {
    ...{ hold: 'HOLD', assign: 'ASSIGNED', unassign: 'NEW_ORDER' },
    ...{ start_pickup: 'PICKUP_STARTED', pick_up: 'PICKED_UP', cancel: 'CANCELLED' },
  },
  PICKUP_STARTED: { pick_up: 'PICKED_UP', fail: 'FAILED', cancel: 'CANCELLED' },
  PICKED_UP: { depart: 'ON_THE_WAY', complete: 'DELIVERED', fail: 'FAILED' },
  ON_THE_WAY: { complete: 'DELIVERED', fail: 'FAILED' },
  DELIVERED: {},
  FAILED: {
    ...{ hold: 'HOLD', assign: 'ASSIGNED', return: 'RETURNED', cancel: 'CANCELLED' },
    ...{ take_back: 'order_not_with_carrier', carrier_delivered: 'order_not_with_carrier', carry_on: 'WITH_CARRIER' },
  },
  'FAILED with a carrier': {
    ...{ hold: 'order_with_carrier', assign: 'order_with_carrier', return: 'RETURNED', cancel: 'CANCELLED' },
    ...{ take_back: 'NEW_ORDER', carrier_delivered: 'DELIVERED_BY_CARRIER', carry_on: 'WITH_CARRIER' },
  },
  RETURNED: {},
  CANCELLED: { cancel: 'nothing' },
  WITH_CARRIER: {
    ...{ fail: 'FAILED', return: 'RETURNED' },
    ...{ take_back: 'NEW_ORDER', carrier_delivered: 'DELIVERED_BY_CARRIER' },
  },
  DELIVERED_BY_CARRIER: {},
}

/** What a command leads to: the status after it, `nothing`, or the code of a refusal, thrown or recorded. */
function outcomeOf(history: readonly OrderEvent[], command: OrderCommand): string {
  const before = fold(orders, history)
  try {
    const events = orders.decide(command, before)
    const refused = events.find((event) => event.type === 'OrderCancelRefused')
    if (refused !== undefined) return `recorded ${refused.data.code} ${refused.data.http_status}`
    return events.length === 0 ? 'nothing' : (fold(orders, events, before)?.status ?? 'nothing')
  } catch (error) {
    if (isEngineError(error)) return error.code
    throw error
  }
}

t.test('given an order of each status, when each move is asked for, then it leads where it should', async (t) => {
  const standings = Object.keys(histories) as Standing[]
  t.same(
    new Set(standings.map((name) => fold(orders, histories[name])?.status)),
    new Set(Object.keys(statuses)),
    'every status is there',
  )
  for (const standing of standings)
    for (const move of Object.keys(moves) as Move[]) {
      // A carrier is not told that what it reports changes nothing.
      const reported = move === 'carry_on' ? 'nothing' : forbidden
      const otherwise = move === 'cancel' ? 'recorded cancel_refused 409' : reported
      const outcome = outcomeOf(histories[standing], commands[move])
      t.equal(outcome, wanted[standing][move] ?? otherwise, `${standing}: ${move}`)
    }
})

t.test('given the ids of statuses, then they are those of the interface, and each is of one status', async (t) => {
  t.match(statuses, {
    DELIVERED: { id: 2 },
    ON_THE_WAY: { id: 29 },
    WITH_CARRIER: { id: 33 },
    DELIVERED_BY_CARRIER: { id: 43 },
  })
  for (const name of Object.keys(statuses) as Status[]) t.equal(statusOf(statuses[name].id), name)
  t.equal(statusOf(99), undefined)
})

t.test(
  'given an order, when it is created again, or none, or a deleted one is commanded, then that is refused',
  async () => {
    const deleted: OrderEvent = { type: 'OrderDeleted', data: told }
    given(created).when({ type: 'CreateOrder', data: created.data }).thenRefused('order_exists')
    given()
      .when({ type: 'HoldOrder', ...told })
      .thenRefused('order_not_found')
    given(created, deleted)
      .when({ type: 'HoldOrder', ...told })
      .thenRefused('order_not_found')
    given(created, deleted)
      .when({ type: 'DeleteOrder', ...told })
      .thenRefused('order_not_found')
    given().when({ type: 'CreateOrder', data: created.data }).then(created)
  },
)

t.test('given an order with a driver, when it is held or cancelled, then the driver loses it first', async () => {
  const lost = { ...moved('ACCEPTED', 'ACCEPTED'), previous_driver_id: 5 }
  given(...histories.ACCEPTED)
    .when({ type: 'HoldOrder', ...told })
    .then(
      { type: 'OrderUnassigned', data: { ...lost, reason: 'hold' } },
      { type: 'OrderHeld', data: moved('ACCEPTED', 'HOLD') },
    )
  given(...histories.ACCEPTED, planned)
    .when({ type: 'CancelOrder', ...told, replaced_by: 2 })
    .then(
      { type: 'OrderTakenOffRoute', data: { ...told, route_id: 9 } },
      { type: 'OrderUnassigned', data: { ...lost, reason: 'cancel' } },
      { type: 'OrderCancelled', data: { ...moved('ACCEPTED', 'CANCELLED'), replaced_by: 2 } },
    )
})

t.test(
  'given a driver who has an order, when another is given it, then it is handed over; to the same, nothing',
  async () => {
    const give = (driver: number) => ({ type: 'AssignDriver', ...told, driver, source: 'auto_assign' }) as const
    given(...histories.ASSIGNED)
      .when(give(5))
      .thenNothing()
    given(...histories.ACCEPTED)
      .when(give(6))
      .then(
        {
          type: 'OrderUnassigned',
          data: { ...moved('ACCEPTED', 'ACCEPTED'), previous_driver_id: 5, reason: 'handover' },
        },
        { type: 'OrderAssigned', data: { ...moved('ACCEPTED', 'ASSIGNED'), driver_id: 6, source: 'auto_assign' } },
      )
    given(...histories.FAILED)
      .when(give(5))
      .then({ type: 'OrderAssigned', data: { ...moved('FAILED', 'ASSIGNED'), driver_id: 5, source: 'auto_assign' } })
  },
)

t.test('given a driver who has an order, when another moves it, then that is refused', async () => {
  for (const step of ['accept', 'reject', 'start_pickup', 'pick_up'] as const)
    given(...histories.ASSIGNED)
      .when({ type: 'TakeStep', step, ...told, driver_id: 6 })
      .thenRefused('not_the_driver')
  for (const step of ['depart', 'complete'] as const)
    given(...histories.PICKED_UP)
      .when({ type: 'TakeStep', step, ...told, driver_id: 6 })
      .thenRefused('not_the_driver')
  given(...histories.ON_THE_WAY)
    .when({ type: 'TakeStep', step: 'fail', ...told, driver_id: 6, reason: 'refused' })
    .thenRefused('not_the_driver')
  given(...histories.ASSIGNED)
    .when({ type: 'TakeStep', step: 'accept', ...told, driver_id: 5 })
    .then(accepted)
})

t.test('given an attempt, when it fails, then the fact says at which stage, where, and why', async () => {
  const circumstances = { latitude: 43.7, note: 'nobody there' }
  given(...histories.PICKUP_STARTED)
    .when({ type: 'TakeStep', step: 'fail', ...told, reason: 'reschedule', circumstances })
    .then({
      type: 'OrderFailed',
      data: { ...moved('PICKUP_STARTED', 'FAILED'), personal: circumstances, stage: 'pickup', reason: 'reschedule' },
    })
  given(...histories.ON_THE_WAY)
    .when({ type: 'TakeStep', step: 'fail', ...told, reason: 'refused', circumstances: {} })
    .then({ type: 'OrderFailed', data: { ...moved('ON_THE_WAY', 'FAILED'), stage: 'delivery', reason: 'refused' } })
})

t.test('given an order, when it is ready, then that is said once, and only before it is picked up', async () => {
  const ready: OrderEvent = { type: 'OrderReady', data: told }
  for (const name of ['NEW_ORDER', 'ASSIGNED', 'ACCEPTED', 'PICKUP_STARTED'] as const)
    given(...histories[name])
      .when({ type: 'TakeStep', step: 'mark_ready', ...told })
      .then(ready)
  given(created, ready)
    .when({ type: 'TakeStep', step: 'mark_ready', ...told })
    .thenNothing()
  for (const name of ['HOLD', 'PICKED_UP', 'WITH_CARRIER', 'CANCELLED', 'FAILED'] as const)
    given(...histories[name])
      .when({ type: 'TakeStep', step: 'mark_ready', ...told })
      .thenRefused(forbidden)
})

t.test(
  'given an order, when it is planned, then it is on one route, until it is taken off and its driver loses it',
  async () => {
    const plan = (route_id: number, stop: number, more = {}) =>
      ({ type: 'PlanOrder', ...told, route_id, stop, ...more }) as const
    const takeOff = (route_id: number) => ({ type: 'TakeOffRoute', ...told, route_id }) as const
    given(created).when(plan(9, 1)).then(planned)
    given(created, planned).when(plan(9, 1)).thenNothing()
    given(created, planned)
      .when(plan(9, 2))
      .then({ type: 'OrderPlanned', data: { ...told, route_id: 9, stop: 2 } })
    given(created, planned).when(plan(8, 1)).thenRefused('order_on_route')
    given(...histories.HOLD)
      .when(plan(9, 1))
      .thenRefused(forbidden)
    given(...histories.ON_THE_WAY)
      .when(plan(9, 1))
      .thenRefused(forbidden)
    given(created, held).when(plan(9, 1)).thenRefused('order_held_by_contractor')
    given(created, held)
      .when(plan(9, 1, { broker_id: 7 }))
      .then(planned)
    given(created).when(takeOff(9)).thenRefused('order_not_on_route')
    given(created, planned).when(takeOff(8)).thenRefused('order_not_on_route')
    const off: OrderEvent = { type: 'OrderTakenOffRoute', data: { ...told, route_id: 9 } }
    given(created, planned).when(takeOff(9)).then(off)
    given(...histories.ASSIGNED, planned)
      .when(takeOff(9))
      .then(off, {
        type: 'OrderUnassigned',
        data: { ...moved('ASSIGNED', 'NEW_ORDER'), previous_driver_id: 5, reason: 'removal' },
      })
    given(...histories.PICKED_UP, planned)
      .when(takeOff(9))
      .thenRefused(forbidden)
  },
)

t.test(
  'given an order on a route, when it is held, handed to a carrier or deleted, then it is taken off first',
  async () => {
    given(created, planned)
      .when({ type: 'HoldOrder', ...told })
      .thenRefused('order_on_route')
    given(created, planned)
      .when({ type: 'HandToCarrier', ...told, provider: 'p' })
      .thenRefused('order_on_route')
    given(created, planned)
      .when({ type: 'DeleteOrder', ...told })
      .thenRefused('order_on_route')
  },
)

t.test(
  'given contractors, when an order is assigned, moved, revoked or released, then one of them has it or none',
  async () => {
    const assign = (broker_id: number, more = {}) =>
      ({ type: 'AssignContractor', ...told, assignment_id: 71, broker_id, ...more }) as const
    const revoke = { type: 'RevokeContractor', ...told, reason: 'late' } as const
    const release = (broker_id: number) => ({ type: 'ReleaseContractor', ...told, broker_id }) as const
    const data = { ...told, assignment_id: 70, broker_id: 7 }
    given(created)
      .when(assign(8, { note: 'soon' }))
      .then({
        type: 'ContractorAssigned',
        data: { ...told, assignment_id: 71, business_id: 1, broker_id: 8, personal: { note: 'soon' } },
      })
    given(created, held)
      .when(assign(8))
      .then({
        type: 'ContractorAssigned',
        data: {
          ...told,
          assignment_id: 71,
          business_id: 1,
          broker_id: 8,
          moved_from: { assignment_id: 70, broker_id: 7 },
        },
      })
    given(created, held).when(assign(7)).thenRefused('already_assigned')
    given(created, planned).when(assign(8)).thenRefused('order_on_route')
    given(...histories.WITH_CARRIER)
      .when(assign(8))
      .thenRefused('order_with_carrier')
    given(...histories['FAILED with a carrier'])
      .when(assign(8))
      .thenRefused('order_with_carrier')
    for (const name of ['HOLD', 'ASSIGNED', 'ON_THE_WAY', 'DELIVERED', 'CANCELLED'] as const)
      given(...histories[name])
        .when(assign(8))
        .thenRefused('order_not_assignable')
    given(created).when(revoke).thenRefused('not_assigned')
    given(created, held)
      .when(revoke)
      .then({ type: 'ContractorRevoked', data: { ...data, personal: { reason: 'late' } } })
    given(created, held, planned).when(revoke).thenRefused('order_on_route')
    given(created, held).when(release(7)).then({ type: 'ContractorReleased', data })
    given(created, held).when(release(8)).thenRefused('not_assigned')
    given(created, held, planned).when(release(7)).thenRefused('order_on_route')
    given(created, held, ...underWay.slice(1))
      .when(revoke)
      .thenRefused(forbidden)
  },
)

t.test('given the driver of a contractor, when the contractor loses the order, then the driver does', async () => {
  given(created, held, assigned)
    .when({ type: 'RevokeContractor', ...told })
    .then(
      {
        type: 'OrderUnassigned',
        data: { ...moved('ASSIGNED', 'NEW_ORDER'), previous_driver_id: 5, reason: 'removal' },
      },
      { type: 'ContractorRevoked', data: { ...told, assignment_id: 70, broker_id: 7 } },
    )
  given(created, held)
    .when({ type: 'AssignDriver', ...told, driver: 5, source: 'manual' })
    .thenRefused('order_held_by_contractor')
  given(created, held)
    .when({ type: 'AssignDriver', ...told, driver: 5, source: 'manual', broker_id: 7 })
    .then(assigned)
  given(created, held)
    .when({ type: 'HandToCarrier', ...told, provider: 'p' })
    .thenRefused('order_held_by_contractor')
})

t.test(
  'given a contractor who has an order, when it is cancelled or deleted, then the contractor loses it',
  async () => {
    const lost = { ...told, assignment_id: 70, broker_id: 7 }
    given(created, held)
      .when({ type: 'CancelOrder', ...told })
      .then(
        { type: 'ContractorRevoked', data: { ...lost, reason: 'cancel' } },
        { type: 'OrderCancelled', data: moved('NEW_ORDER', 'CANCELLED') },
      )
    for (const history of [
      [created, held],
      [created, held, ...underWay.slice(1), delivered],
    ])
      given(...history)
        .when({ type: 'DeleteOrder', ...told })
        .then({ type: 'ContractorRevoked', data: { ...lost, reason: 'delete' } }, { type: 'OrderDeleted', data: told })
  },
)

t.test(
  'given an order, when it is rescheduled, then what is not named stays, and what is the same is nothing',
  async () => {
    const window = { start: '09:00', end: '10:00' }
    const changed: OrderEvent = {
      type: 'OrderScheduleChanged',
      data: { ...told, from: {}, to: { schedule_date: '2026-06-12', time_window: window } },
    }
    given(created)
      .when({ type: 'Reschedule', ...told, schedule_date: '2026-06-12', time_window: window })
      .then(changed)
    given(created, changed)
      .when({ type: 'Reschedule', ...told, time_window: { ...window } })
      .thenNothing()
    given(created, changed)
      .when({ type: 'Reschedule', ...told, schedule_date: '2026-06-13' })
      .then({
        type: 'OrderScheduleChanged',
        data: {
          ...told,
          from: { schedule_date: '2026-06-12', time_window: window },
          to: { schedule_date: '2026-06-13', time_window: window },
        },
      })
    given(...histories.DELIVERED)
      .when({ type: 'Reschedule', ...told, schedule_date: '2026-06-13' })
      .thenRefused(forbidden)
  },
)

t.test(
  'given an order, when it is written on, then the fact has the words before, and a forgotten one takes none',
  async () => {
    const erased: OrderEvent = { type: 'OrderPersonalDataErased', data: told }
    const first: OrderEvent = { type: 'OrderNoteChanged', data: { ...told, personal: { to: 'fragile' } } }
    const note = (text: string) => ({ type: 'ChangeNote', ...told, text }) as const
    given(created).when(note('fragile')).then(first)
    given(created, first).when(note('fragile')).thenNothing()
    given(created, first)
      .when(note('heavy'))
      .then({ type: 'OrderNoteChanged', data: { ...told, personal: { from: 'fragile', to: 'heavy' } } })
    given(created, erased).when(note('heavy')).thenRefused('order_forgotten')
    given(created, erased)
      .when({ type: 'ChangeInstruction', ...told, text: 'ring' })
      .thenRefused('order_forgotten')
    const cheaper = { type: 'ChangePrice', ...told, price: { ...price, tax: '1.00' } } as const
    given(created, erased)
      .when({ ...cheaper, note: 'agreed with Ann' })
      .thenRefused('order_forgotten')
    given(created, erased)
      .when(cheaper)
      .then({ type: 'OrderPriceChanged', data: { ...told, price: cheaper.price } })
    given(...histories.DELIVERED)
      .when({ type: 'ChangeInstruction', ...told, text: 'ring' })
      .thenRefused(forbidden)
    given(created)
      .when({ type: 'EraseOrder', ...told })
      .then(erased)
    given(created, erased)
      .when({ type: 'EraseOrder', ...told })
      .thenNothing()
  },
)

t.test('given a price, when it changes, then with its note, once, and until the order has ended', async () => {
  const cheaper = { ...price, tax: '1.00' }
  const change = { type: 'ChangePrice', ...told, price: cheaper } as const
  const changed: OrderEvent = { type: 'OrderPriceChanged', data: { ...told, price: cheaper } }
  given(created).when(change).then(changed)
  given(created)
    .when({ ...change, note: 'agreed with Ann' })
    .then({ type: 'OrderPriceChanged', data: { ...told, price: cheaper, personal: { note: 'agreed with Ann' } } })
  given(created, changed).when(change).thenNothing()
  given(created)
    .when({ ...change, price })
    .thenNothing()
  given(...histories.DELIVERED)
    .when({ ...change, note: 'agreed with Ann' })
    .then({ type: 'OrderPriceChanged', data: { ...told, price: cheaper, personal: { note: 'agreed with Ann' } } })
  given(...histories.DELIVERED)
    .when(change)
    .thenRefused('invalid_input')
  given(...histories.CANCELLED)
    .when({ ...change, note: 'agreed with Ann' })
    .thenRefused(forbidden)
})

t.test('given a price, when it is paid, then never more than what is left, with tax', async () => {
  const pay = (amount: string) => ({ type: 'PayOrder', ...told, amount }) as const
  const paid = (amount: string): OrderEvent => ({ type: 'OrderPaid', data: { ...told, amount, currency: 'CAD' } })
  given(created).when(pay('11.50')).then(paid('11.50'))
  given(created).when(pay('11.51')).thenRefused('amount_exceeds')
  given(created, paid('10.10')).when(pay('1.4')).then(paid('1.40'))
  given(created, paid('10.10')).when(pay('1.41')).thenRefused('amount_exceeds')
  given(created, paid('10.10'), paid('1.40')).when(pay('0.01')).thenRefused('nothing_to_pay')
  given(created).when(pay('0')).thenRefused('nothing_to_pay')
  given(...histories.CANCELLED)
    .when(pay('1'))
    .thenRefused(forbidden)
  const { price: _, ...priceless } = created.data
  given({ type: 'OrderCreated', data: priceless }).when(pay('1')).thenRefused('nothing_to_pay')
})

t.test(
  'given what was paid, when the order is cancelled or deleted before its end, then it is given back',
  async (t) => {
    const amount = { amount: '4.00', currency: 'CAD' }
    const paid: OrderEvent = { type: 'OrderPaid', data: { ...told, ...amount } }
    const refunded: OrderEvent = { type: 'OrderRefunded', data: { ...told, ...amount, amount: '8.00' } }
    const cancelled: OrderEvent = { type: 'OrderCancelled', data: moved('NEW_ORDER', 'CANCELLED') }
    const deleted: OrderEvent = { type: 'OrderDeleted', data: told }
    given(created, paid, paid)
      .when({ type: 'CancelOrder', ...told })
      .then(refunded, cancelled)
    given(created, paid, paid)
      .when({ type: 'DeleteOrder', ...told })
      .then(refunded, deleted)
    given(created, paid, paid, refunded, cancelled)
      .when({ type: 'DeleteOrder', ...told })
      .then(deleted)
    given(...histories.DELIVERED, paid)
      .when({ type: 'DeleteOrder', ...told })
      .then(deleted)
    t.match(fold(orders, [created, paid, paid, refunded]), { paid: '0.00', refunded: '8.00' })
  },
)

t.test(
  'given what was paid, when the staff give it back, then never more than that, and it is not to be paid again',
  async (t) => {
    const refund = (amount?: string) =>
      ({ type: 'RefundOrder', ...told, ...omitUndefined({ amount }), reason: 'Late' }) as const
    const money = (amount: string) => ({ ...told, amount, currency: 'CAD' })
    const paid: OrderEvent = { type: 'OrderPaid', data: money('10.00') }
    const refunded = (amount: string): OrderEvent => ({
      type: 'OrderRefunded',
      data: { ...money(amount), waived: true, reason: 'Late' },
    })
    for (const history of Object.values(histories))
      given(...history, paid)
        .when(refund('4'))
        .then(refunded('4.00'))
    given(created, paid).when(refund()).then(refunded('10.00'))
    given(created, paid).when(refund('10.01')).thenRefused('refund_exceeds')
    given(created, paid, refunded('4.00')).when(refund('6.01')).thenRefused('refund_exceeds')
    given(created, paid, refunded('10.00')).when(refund()).thenRefused('nothing_to_refund')
    given(created).when(refund()).thenRefused('nothing_to_refund')
    given(created, paid).when(refund('0.00')).thenRefused('nothing_to_refund')
    given(created, paid).when(refund('0.001')).thenRefused('invalid_input')
    const pay = { type: 'PayOrder', ...told, amount: '1.51' } as const
    given(created, paid, refunded('4.00')).when(pay).thenRefused('amount_exceeds')
    const repriced: OrderEvent = { type: 'OrderPriceChanged', data: { ...told, price } }
    given(created, paid, refunded('4.00'), repriced)
      .when(pay)
      .then({ type: 'OrderPaid', data: money('1.51') })
    t.match(fold(orders, [created, paid, refunded('4.00')]), { paid: '6.00', refunded: '4.00', waived: '4.00' })
  },
)

t.test(
  'given a customer, when it pays, is refunded or pays in vain, then its wallet and its order say the same',
  async (t) => {
    const { ask, create, refused, context, store } = world()
    const wallet = async () => (await store.read('wallet-3')).map(({ type, data }) => [type, (data as Money).amount])
    const order_id = await create({ customer_id: 3, price: { ...price, shipping_price: '10', tax: '1.5' } })
    const order = (await ask(people.admin, getOrderDetail, { order_id })).order as LocalOrder
    t.match(order, { shipping_price: '10.00', tax: '1.50', remaining_amount: '11.50' })
    const first = await ask(people.customer, payOrder, { order_id, amount: '1.5' })
    t.match(first, { order_id, paid_amount: '1.50', remaining_amount: '10.00', currency: 'CAD' })
    t.match(await ask(people.customer, payOrder, { order_id }), { paid_amount: '11.50', remaining_amount: '0.00' })
    t.equal(await refused(people.customer, payOrder, { order_id }), 'nothing_to_pay')
    t.equal(await refused(people.customer, payOrder, { order_id, amount: '1.555' }), 'amount too_precise')
    t.equal(await refused(people.otherCustomer, payOrder, { order_id }), 'order_not_found')
    t.equal(await refused(people.admin, payOrder, { order_id }), 'forbidden')
    const address = { street: '9 Other Road' }
    const rerouted = await ask(people.customer, rerouteToAddress, { order_id, address })
    t.match((await ask(people.customer, getOrderDetail, { order_id })).order, {
      ...{ status: 'CANCELLED', paid_amount: '0.00', refunded_amount: '11.50' },
    })
    const { order: next } = await ask(people.customer, getOrderDetail, { order_id: rerouted.order_id })
    t.match(next, { paid_amount: '0.00', remaining_amount: '11.50' })
    await ask(people.customer, payOrder, { order_id: rerouted.order_id })
    await ask(people.admin, cancelOrder, { order_id: rerouted.order_id })
    const moves = [
      ['WalletCharged', '1.50'],
      ['WalletCharged', '10.00'],
      ['WalletRefunded', '11.50'],
    ]
    const all = [...moves, ['WalletCharged', '11.50'], ['WalletRefunded', '11.50']]
    t.same(await wallet(), all)

    const poor = await create({ customer_id: 3, price })
    const charge = async () => {
      throw new EngineError('insufficient_credits', { expected: '11.50', received: '0.00' })
    }
    const { ports, ...around } = context(people.customer)
    const broke = { ...around, ports: { ...ports, orders: { ...ports.orders, charge } } }
    await t.rejects(call(payOrder, broke, { order_id: poor }), { code: 'insufficient_credits' })
    t.match((await ask(people.customer, getOrderDetail, { order_id: poor })).order, { paid_amount: '0.00' })
    t.same(await wallet(), all, 'what is refused moves nothing')
    const free = await create({ customer_id: 3 })
    t.equal(await refused(people.customer, payOrder, { order_id: free }), 'nothing_to_pay')
    const own = await create({ customer_id: 12, price })
    t.equal(await refused(people.pricelessCustomer, payOrder, { order_id: own }), 'PRICE_HIDDEN_SETTLE_OFFLINE')
  },
)

t.test('given an order, when it is deleted, then it has to be new, held or ended', async () => {
  const deleted: OrderEvent = { type: 'OrderDeleted', data: told }
  for (const name of ['NEW_ORDER', 'HOLD', 'DELIVERED', 'DELIVERED_BY_CARRIER', 'RETURNED', 'CANCELLED'] as const)
    given(...histories[name])
      .when({ type: 'DeleteOrder', ...told })
      .then(deleted)
  for (const name of [
    'ASSIGNED',
    'ACCEPTED',
    'PICKUP_STARTED',
    'PICKED_UP',
    'ON_THE_WAY',
    'FAILED',
    'WITH_CARRIER',
  ] as const)
    given(...histories[name])
      .when({ type: 'DeleteOrder', ...told })
      .thenRefused(forbidden)
})

/** What carries an order to its end; said more often than what ends it early. */
const onward: readonly OrderCommand[] = [
  commands.assign,
  commands.pick_up,
  commands.depart,
  commands.complete,
  commands.fail,
  commands.return,
]

/** A command of any kind, by the staff or by one of two drivers, on one of two routes, for one of two contractors. */
const corrections = [
  { reference: 'R 2' },
  { reference: null, items: 3 },
  { delivery: { ...ann, name: 'Bo' } },
  { delivery: { ...ann, address: elsewhere } },
].flatMap((values) =>
  [false, true].map((isByCustomer) => ({ type: 'CorrectOrder', ...told, values, isByCustomer }) as const),
)

const anyCommand: fc.Arbitrary<OrderCommand> = fc
  .record({
    type: fc.constantFrom(
      ...Object.values(commands),
      ...[...onward, ...onward, ...onward, ...onward],
      ...(['DeleteOrder', 'EraseOrder'] as const).map((type) => ({ type, ...told })),
      { type: 'TakeStep', step: 'mark_ready', ...told } as const,
      { type: 'PlanOrder', ...told, route_id: 9, stop: 1, broker_id: 7 } as const,
      { type: 'PlanOrder', ...told, route_id: 8, stop: 1 } as const,
      { type: 'TakeOffRoute', ...told, route_id: 9 } as const,
      { type: 'AssignDriver', ...told, driver: 5, source: 'manual', broker_id: 7 } as const,
      { type: 'AssignContractor', ...told, assignment_id: 71, broker_id: 7 } as const,
      { type: 'AssignContractor', ...told, assignment_id: 72, broker_id: 8 } as const,
      { type: 'RevokeContractor', ...told } as const,
      { type: 'ReleaseContractor', ...told, broker_id: 7 } as const,
      {
        type: 'Reschedule',
        ...told,
        schedule_date: '2026-06-12',
        time_window: { start: '09:00', end: '10:00' },
      } as const,
      ...corrections,
      { type: 'ChangeNote', ...told, text: 'a' } as const,
      { type: 'ChangeInstruction', ...told, text: 'b' } as const,
      { type: 'PayOrder', ...told, amount: '4.00' } as const,
    ),
    driver_id: fc.constantFrom(undefined, undefined, 5, 6),
  })
  .map(({ type, driver_id }) => ('data' in type || driver_id === undefined ? type : { ...type, driver_id }))

/** What follows from commands, one after the other; what is refused changes nothing. */
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

/** An order as a few plain rules have it, which know nothing of the fold. */
function plainly(events: readonly OrderEvent[]) {
  const plain = {
    ...{
      status: 'NEW_ORDER' as Status,
      driver: undefined as number | undefined,
      route: undefined as number | undefined,
    },
    ...{
      broker: undefined as number | undefined,
      paid: 0,
      isDeleted: false,
      ...{ items: 1, reference: undefined as string | undefined, delivery: ann as Order['delivery'] },
      late: [] as string[],
      torn: [] as string[],
    },
  }
  const ended = ['DELIVERED', 'DELIVERED_BY_CARRIER', 'RETURNED', 'CANCELLED']
  for (const { type, data } of events.slice(1)) {
    if (ended.includes(plain.status) || plain.isDeleted) plain.late.push(plain.isDeleted ? `deleted, ${type}` : type)
    if ('from' in data && typeof data.from === 'string') {
      if (data.from !== plain.status) plain.torn.push(`${type} from ${data.from}, not ${plain.status}`)
      plain.status = data.to
    }
    if (type === 'OrderAssigned') plain.driver = data.driver_id
    if (type === 'OrderUnassigned' || type === 'OrderRejected') plain.driver = undefined
    if (type === 'OrderPlanned') plain.route = data.route_id
    if (type === 'OrderTakenOffRoute') plain.route = undefined
    if (type === 'ContractorAssigned') plain.broker = data.broker_id
    if (type === 'ContractorRevoked' || type === 'ContractorReleased') plain.broker = undefined
    if (type === 'OrderCorrected') {
      const { reference = plain.reference, items = plain.items, personal } = data
      const moves = personal?.delivery && personal.delivery.address !== plain.delivery?.address
      if (moves && (plain.route !== undefined || !['NEW_ORDER', 'HOLD'].includes(plain.status)))
        plain.torn.push(`another address while ${plain.status} on route ${plain.route}`)
      const delivery = personal?.delivery ?? plain.delivery
      Object.assign(plain, { items, reference: reference ?? undefined, delivery })
      if (personal !== undefined || data.items !== undefined) plain.late = plain.late.map(ofPeople)
    }
    if (type === 'OrderPersonalDataErased') plain.delivery = undefined
    if (type === 'OrderPaid') plain.paid += Number(data.amount)
    if (type === 'OrderRefunded') plain.paid -= Number(data.amount)
    if (type === 'OrderDeleted') plain.isDeleted = true
  }
  return plain
}

/** A correction of more than the reference is not allowed after the end. */
function ofPeople(type: string): string {
  return type === 'OrderCorrected' ? 'OrderCorrected of more than the reference' : type
}

const allowedAfterTheEnd = [
  ...[
    'OrderCancelRefused',
    'OrderNoteChanged',
    'OrderPaid',
    'OrderDeleted',
    'OrderPersonalDataErased',
    'OrderCorrected',
  ],
  ...['ContractorRevoked', 'ContractorReleased', 'deleted, OrderPersonalDataErased'],
]
const withDriver: readonly Status[] = ['ASSIGNED', 'ACCEPTED', 'PICKUP_STARTED', 'PICKED_UP', 'ON_THE_WAY']
const withoutDriver: readonly Status[] = ['NEW_ORDER', 'HOLD', 'CANCELLED', 'WITH_CARRIER', 'DELIVERED_BY_CARRIER']

t.test(
  'given any commands, when they are carried out, then the order is what plain rules make of its facts',
  async (t) => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(fc.array(anyCommand, { maxLength: 60, size: 'max' }), (asked) => {
        const events = historyOf(asked)
        const order = fold(orders, events)
        const plain = plainly(events)
        for (const { type } of events) seen.add(type)
        const found = {
          ...{ status: order?.status, driver: order?.driver_id, route: order?.route_id },
          ...{ broker: order?.broker_id, paid: Number(order?.paid), isDeleted: order?.is_deleted },
          ...{ items: order?.items, reference: order?.reference, delivery: order?.delivery },
        }
        const { late, torn, ...expected } = plain
        const problems = [
          ...torn,
          ...late.filter((type) => !allowedAfterTheEnd.includes(type)),
          ...(JSON.stringify(found) === JSON.stringify(expected) ? [] : [`${JSON.stringify({ found, expected })}`]),
          ...(withDriver.includes(plain.status) && plain.driver === undefined ? ['no driver'] : []),
          ...(withoutDriver.includes(plain.status) && plain.driver !== undefined ? ['a driver'] : []),
          ...(['HOLD', 'CANCELLED', 'WITH_CARRIER'].includes(plain.status) && plain.route !== undefined
            ? ['a route']
            : []),
          ...((plain.status === 'WITH_CARRIER') === (order?.provider !== undefined) ||
          ['FAILED', 'RETURNED', 'CANCELLED', 'DELIVERED_BY_CARRIER'].includes(plain.status)
            ? []
            : ['a carrier']),
          ...((plain.status === 'CANCELLED' || plain.isDeleted) && plain.broker !== undefined ? ['a contractor'] : []),
          ...(plain.paid > 11.5 ? ['paid too much'] : []),
        ]
        if (problems.length > 0) throw new Error(problems.join('; '))
        t.strictSame(fold(orders, JSON.parse(JSON.stringify(events)) as OrderEvent[]), order)
      }),
      { numRuns: runs(t, 50) },
    )
    for (const type of [
      'OrderCompleted',
      'OrderReturned',
      'OrderCancelled',
      'OrderPaid',
      'OrderRefunded',
      'ContractorReleased',
      'OrderCorrected',
    ])
      t.ok(!areMany || seen.has(type), `${type} came about`)
  },
)

t.test('given any command, when it is refused, then the refusal names an operation that there is', async (t) => {
  const order = fold(orders, [created])
  const names = domains.flatMap(({ operations }) => operations.map(({ name }) => name))
  fc.assert(
    fc.property(anyCommand, (command) => {
      const { params } = statusForbids(command as OfOrder, order as Order)
      t.ok(names.includes(String(params.command)), `${command.type} is ${params.command}`)
    }),
    { numRuns: 300 },
  )
})

t.test('given any histories, when orders are listed, then each row is what the fold of its facts is', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyCommand, { maxLength: 40, size: 'max' }), async (asked) => {
      const { context, models, store, create } = world()
      const id = await create({ customer_id: 3, price, reference: 'R 1' })
      const staff = context(people.admin)
      for (const command of asked) {
        const loaded = await findLoaded(staff, id)
        if (loaded === undefined || command.type === 'CreateOrder') continue
        try {
          await store.appendMany(decideOn(staff, loaded, command).appends)
        } catch (error) {
          if (!isEngineError(error)) throw error
        }
      }
      const order = (await findLoaded(staff, id))?.state
      const [row] = (await models.page(orderModel, { where: { order_id: id }, limit: 2 })).rows
      t.match(row, order && cellsOf(order))
    }),
    { numRuns: runs(t, 4) },
  )
})

/** The cells that an order has to have. */
function cellsOf(order: Order) {
  return {
    ...{ order_id: order.order_id, business_id: 1, customer_id: 3, driver_id: order.driver_id ?? null },
    ...{ broker_id: order.broker_id ?? null, assignment_id: order.assignment_id ?? null },
    ...{ route_id: order.route_id ?? null, stop: order.stop ?? null, provider: order.provider ?? null },
    ...{
      type: order.type,
      status: statuses[order.status].id,
      tracking_number: order.tracking_number,
      items: order.items,
    },
    ...{ schedule_date: order.schedule_date ?? null, reference: order.reference ?? null },
    reference_key: order.reference?.replace(' ', '') ?? null,
    ...{ created_at: order.created_at, updated_at: order.updated_at, is_deleted: order.is_deleted ? 1 : 0 },
  }
}

t.test(
  'given no order, when one of each type is created, then it has the parties of its type and numbers',
  async (t) => {
    const { ask, refused } = world()
    const make = (input: object) => ask(people.admin, createOrder, input)
    const first = await make({ type: 'D', delivery: ann, items: 2, reference: 'R-1' })
    t.match(first, { result: true, order_id: 1, type: 'D', status: 'NEW_ORDER', order_status_id: 1, reference: 'R-1' })
    t.match(first.tracking_number, /^LD000001\d{11}$/)
    t.match(await make({ type: 'P', pickup: ann }), { order_id: 2 })
    t.match(await make({ type: 'P2P', pickup: ann, delivery: ann }), { order_id: 3 })
    t.notMatch(JSON.stringify(first), /Ann |Main Street/, 'the answer of a write tells nothing of people')
    const no = (input: object) => refused(people.admin, createOrder, input)
    t.equal(await no({ type: 'D', pickup: ann }), 'delivery required')
    t.equal(await no({ type: 'P', delivery: ann }), 'pickup required')
    t.equal(await no({ type: 'P2P', pickup: ann }), 'delivery required')
    t.equal(await no({ type: 'X', pickup: ann }), 'type unknown_value')
  },
)

t.test(
  'given orders without a number, when they are created, then the last digit of each checks the others',
  async (t) => {
    const { context } = world()
    const made = async (chance: number) => {
      const asking = { ...context(people.admin), randomId: () => deriveId(`order ${chance}`) }
      return String((await call(createOrder, asking, { type: 'D', delivery: ann })).tracking_number)
    }
    for (let chance = 0; chance < 20; chance++) {
      const number = await made(chance)
      t.match(number, /^LD\d{17}$/)
      t.ok(hasCheckDigit(number.slice(2)), number)
    }
  },
)

t.test('given what is wrong in an order, when it is created, then each is told by its path', async (t) => {
  const { refused, ask } = world()
  const no = (more: object) => refused(people.admin, createOrder, { type: 'D', delivery: ann, ...more })
  const wrong: readonly (readonly [more: object, found: string])[] = [
    [{ schedule_date: '2026-02-30' }, 'schedule_date no_such_day'],
    [{ schedule_date: '2026-6-1' }, 'schedule_date not_a_day'],
    [{ time_window: { start: '10:00', end: '10:00' } }, 'time_window.end ends_before_start'],
    [
      { time_window: { start: '24:00', end: '25:00' } },
      'time_window.start not_a_time_of_day, time_window.end not_a_time_of_day',
    ],
    [{ time_window: { start: '9:00', end: '10:00' } }, 'time_window.start not_a_time_of_day'],
    [{ note: 'x'.repeat(501) }, 'note too_long'],
    [{ reference: 'x'.repeat(101) }, 'reference too_long'],
    [{ external_tracking_number: '' }, 'external_tracking_number too_short'],
    [{ items: 0 }, 'items too_small'],
    [{ items: 1.5 }, 'items wrong_type'],
    [{ customer_id: '3' }, 'customer_id wrong_type'],
    [
      { price: { shipping_price: '-1', currency: 'cad' } },
      'price.shipping_price not_an_amount, price.currency not_currency',
    ],
    [{ delivery: { ...ann, address: { street: ' ' } } }, 'delivery.address.street blank'],
    [{ delivery: { ...ann, address: { street: '1 Elm\u0007' } } }, 'delivery.address.street control_character'],
    [{ delivery: { ...ann, name: 'A\u0000' } }, 'delivery.name control_character'],
    [{ more: 1 }, 'more unknown_field'],
  ]
  for (const [more, found] of wrong) t.equal(await no(more), found, found)
  t.match(await ask(people.admin, createOrder, { type: 'D', delivery: ann, note: 'x'.repeat(500) }), { result: true })
})

t.test(
  'given a tracking number, when it is given to two orders, then the second is refused however it is written',
  async (t) => {
    const { ask, create, refused } = world()
    const give = (tracking_number: string) => ({ type: 'D', delivery: ann, tracking_number })
    t.match(await ask(people.admin, createOrder, give('AB 12')), { tracking_number: 'AB 12' })
    t.equal(await refused(people.admin, createOrder, give('ab12')), 'tracking_number_taken')
    t.equal(await refused(people.stranger, createOrder, give('AB12')), 'tracking_number_taken')
    t.equal(await create(), 2, 'a refusal takes no number')
    const many = await Promise.all(Array.from({ length: 10 }, () => create()))
    t.same(
      many.toSorted((a, b) => a - b),
      [3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    )
    const race = await Promise.all(Array.from({ length: 5 }, () => refused(people.admin, createOrder, give('RACE'))))
    t.same(race.toSorted(), [...Array(4).fill('tracking_number_taken'), undefined].toSorted())
  },
)

t.test(
  'given a customer, when it orders, then it orders for itself, and staff for customers of their business',
  async (t) => {
    const { ask, refused, create } = world()
    const id = await create({}, people.customer)
    t.match(await ask(people.admin, getOrderDetail, { order_id: id }), { order: { customer_id: 3 } })
    const no = (more: object, who = people.customer as never) =>
      refused(who, createOrder, { type: 'D', delivery: ann, ...more })
    t.equal(await no({ customer_id: 3 }), 'customer_id only_staff')
    t.equal(
      await no({ price, note: 'n', tracking_number: 'T' }),
      'tracking_number only_staff, note only_staff, price only_staff',
    )
    t.equal(await no({ customer_id: 5 }, people.admin as never), 'customer_not_found', 'a driver is no customer')
    t.equal(await no({ customer_id: 99 }, people.admin as never), 'customer_not_found')
    t.equal(await no({ customer_id: 3 }, people.stranger as never), 'customer_not_found')
    t.equal(await no({}, people.driver as never), 'wrong_account')
  },
)

t.test('given an order, when it is asked for, then those see it who have to do with it, and nobody else', async (t) => {
  const { ask, refused, create, store, context } = world()
  const id = await create({ customer_id: 3, note: 'inside', price })
  const sees = async (who: (typeof people)[keyof typeof people]) => {
    const code = await refused(who, getOrderDetail, { order_id: id })
    const { total } = await ask(who, getOrders, {})
    t.equal(total, code === undefined ? 1 : 0, 'the list and the detail agree')
    t.equal((await ask(who, findOrder, { query: ann.name })).orders.length, total)
    for (const read of [getOperationEvents]) t.equal(await refused(who, read, { order_id: id }), code)
    return code ?? 'seen'
  }
  const all = Object.entries(people)
  const whoSees = async () => {
    const seen = []
    for (const [name, who] of all) if ((await sees(who)) === 'seen') seen.push(name)
    return seen
  }
  t.same(await whoSees(), ['admin', 'employee', 'customer'])
  await ask(people.admin, assignDriver, { order_id: id, driver_id: 5 })
  t.same(await whoSees(), ['admin', 'employee', 'customer', 'driver'])
  await ask(people.admin, unassignDriver, { order_id: id })
  const loaded = await findLoaded(context(people.admin), id)
  const assign = { type: 'AssignContractor', ...told, assignment_id: 1, broker_id: 7 } as const
  if (loaded) await store.appendMany(decideOn(context(people.admin), loaded, assign).appends)
  t.same(await whoSees(), ['admin', 'employee', 'customer', 'contractor'])
  t.equal(await refused(people.otherCustomer, cancelOrder, { order_id: id }), 'order_not_found')
  t.equal(await refused(people.stranger, cancelOrder, { order_id: id }), 'order_not_found')
  t.equal(await refused(people.stranger, deleteOrder, { order_id: id }), 'order_not_found')
  t.equal(await refused(people.admin, getOrderDetail, { order_id: 99 }), 'order_not_found')
  const read = async (who: (typeof people)[keyof typeof people]) => ({
    order: (await ask(who, getOrderDetail, { order_id: id })).order as LocalOrder,
  })
  t.equal((await read(people.employee)).order.note, 'inside')
  for (const who of [people.customer, people.contractor]) t.equal((await read(who)).order.note, undefined)
  t.match((await read(people.customer)).order, {
    ...{ shipping_price: '10.00', currency: 'CAD', tax: '1.50', paid_amount: '0.00', remaining_amount: '11.50' },
    price_details: { tax_amount: '1.50', surcharge_amount: '0.00', total_price: '11.50' },
    created_at: '2026-06-10T12:00:00-04:00',
  })
  t.equal((await read(people.contractor)).order.shipping_price, undefined, 'a contractor is told no prices')
})

t.test(
  'given a customer from whom prices are hidden, when it reads, then there is none, and it is said so',
  async (t) => {
    const { context, create } = world()
    const order_id = await create({ customer_id: 12, price })
    const asked = [
      [getOrderDetail, { order_id }],
      [getOrders, {}],
      [findOrder, { query: ann.name }],
    ] as const
    for (const [operation, input] of asked) {
      const answer = await call(operation as never, context(people.pricelessCustomer), input)
      t.equal(answer.price_hidden, true)
      t.match(JSON.stringify(answer), /LD00000/)
      t.notMatch(JSON.stringify(answer), /price"|"currency|"tax|amount|price_details/)
    }
  },
)

t.test(
  'given orders, when they are listed, then filters narrow, pages follow, and the newest comes first',
  async (t) => {
    const { ask, refused, create, pass } = world()
    const ids: number[] = []
    for (const more of [
      { customer_id: 3, reference: 'Web 1', schedule_date: '2026-06-12' },
      { customer_id: 4, type: 'P', pickup: ann },
      { customer_id: 3 },
    ]) {
      ids.push(await create(more))
      pass(12 * 3_600_000)
    }
    await ask(people.admin, assignDriver, { order_id: 3, driver_id: 5 })
    const list = async (filter: object, who: (typeof people)[keyof typeof people] = people.admin) => {
      const { orders } = await ask(who, getOrders, filter)
      return orders.map(({ order_id }) => order_id)
    }
    t.same(await list({}), [3, 2, 1])
    t.same(await list({ per_page: 2 }), [3, 2])
    t.match(await ask(people.admin, getOrders, { per_page: 2, page: 2 }), {
      total: 3,
      page: 2,
      per_page: 2,
      orders: [{ order_id: 1 }],
    })
    t.same(await list({ page: 9 }), [])
    t.same(await list({ status: ['NEW_ORDER'] }), [2, 1])
    t.same(await list({ status: ['5', 'NEW_ORDER'] }), [3, 2, 1])
    t.same(await list({ type: 'P' }), [2])
    t.same(await list({ customer_id: 3 }), [3, 1])
    t.same(await list({ customer_id: 4 }, people.customer), [], 'a filter widens nothing')
    t.same(await list({ driver_id: 5 }), [3])
    t.same(await list({ route_id: 5 }), [])
    t.same(await list({ schedule_date: '2026-06-12' }), [1])
    t.same(await list({ reference: 'web1' }), [1])
    // Created at 12:00 on June 10, at 00:00 and at 12:00 on June 11, in Toronto.
    t.same(await list({ date_from: '2026-06-11' }), [3, 2])
    t.same(await list({ date_to: '2026-06-10' }), [1])
    t.same(await list({ date_from: '2026-06-10', date_to: '2026-06-11', status: ['ASSIGNED'] }), [3])
    t.same(await list({}, people.stranger), [])
    const no = (input: object) => refused(people.admin, getOrders, input)
    t.equal(await no({ page: -1 }), 'page too_small')
    t.equal(await no({ page: 0 }), 'page too_small')
    t.equal(await no({ per_page: 201 }), 'per_page too_large')
    t.equal(await no({ per_page: '5' }), 'per_page wrong_type')
    t.equal(await no({ status: ['LOST'] }), 'status[0] not_an_order_status')
    t.equal(await no({ status: ['99'] }), 'status[0] not_an_order_status')
    t.equal(await no({ date_from: '2026-13-01' }), 'date_from no_such_day')
    t.equal(await refused(people.admin, getOrderDetail, { order_id: '1' }), 'order_id wrong_type')
    t.equal(await refused(people.admin, getOperationEvents, { order_id: 1, per_page: 201 }), 'per_page too_large')
  },
)

t.test('given days in zones, when their ends are asked for, then clocks that change are minded', async (t) => {
  t.equal(startOfDay('2026-03-08', 'America/Toronto'), '2026-03-08T05:00:00.000Z')
  t.equal(endOfDay('2026-03-08', 'America/Toronto'), '2026-03-09T03:59:59.999Z', 'a day of 23 hours')
  t.equal(startOfDay('2026-06-10', 'Pacific/Kiritimati'), '2026-06-09T10:00:00.000Z')
  t.equal(startOfDay('2026-06-10', 'Pacific/Niue'), '2026-06-10T11:00:00.000Z')
  t.equal(startOfDay('2026-06-10', 'UTC'), '2026-06-10T00:00:00.000Z')
})

t.test('given orders, when they are looked for, then each hit says by what it was found', async (t) => {
  const { ask, create } = world()
  const bob = { name: 'Bob Lys', phone: '06 12 34 56 78', address: ann.address }
  const id = await create({
    customer_id: 3,
    tracking_number: 'TN-9',
    external_tracking_number: 'EXT 7',
    reference: 'ref/1',
  })
  await ask(people.admin, createOrder, { type: 'P', pickup: bob, customer_id: 4 })
  const find = async (query: string, who: (typeof people)[keyof typeof people] = people.admin) =>
    (await ask(who, findOrder, { query })).orders.map(({ order_id, matched }) => `${order_id} ${matched}`)
  t.same(await find('tn-9'), [`${id} tracking_number`])
  t.same(await find('ext7'), [`${id} external_tracking_number`])
  t.same(await find('REF/1'), [`${id} reference`])
  t.same(await find('1'), ['1 order_id'])
  for (const unseen of ['\u200b', '\u202d', '\ufeff', '\u00ad', '\u2060', '\u00a0']) {
    t.same(await find(`T${unseen}N-9${unseen}`), [`${id} tracking_number`])
    t.same(await find(`${unseen}ref/1`), [`${id} reference`])
    t.same(await find(`1${unseen}`), ['1 order_id'])
    t.same(await find(`${unseen}+33612345678${unseen}`), ['2 phone', '1 phone'])
  }
  for (const query of ['ref/ 1', 'REF-/1', 'r e f/1', 'ref–/‑1', 'Ref/1-'])
    t.same(await find(query), [`${id} reference`], 'without spaces and dashes')
  t.same(await find('muller ANN'), ['1 name'], 'in any order, without accents')
  t.same(await find('Ann Lys'), ['1 name'])
  t.same(await find('lys'), ['2 name', '1 name'], 'newest first')
  t.same(await find('Ann Bob'), [])
  t.same(await find('Ann Mull'), [], 'whole words')
  t.same(await find('+33612345678'), ['2 phone', '1 phone'])
  t.same(await find('0612345678'), ['2 phone', '1 phone'])
  for (const query of ['612 345 678', '06–12–34‑56‑78', '(06) 12.34/56-78', '\u202d+33612345678\u202c'])
    t.same(await find(query), ['2 phone', '1 phone'], query)
  t.same(await find('+44 6 12 34 56 78'), ['2 phone'], 'another country is another phone')
  t.same(await find('2345678'), ['2 phone', '1 phone'])
  t.same(await find('!!!'), [])
  t.same(await find('lys', people.customer), ['1 name'])
  t.same(await find('lys', people.stranger), [])
  t.same(await find('tn-9', people.otherCustomer), [])
})

t.test(
  'given more than fifty orders of one name, when it is looked for, then the fifty newest are answered',
  async (t) => {
    const { ask, create } = world()
    for (let count = 0; count < 52; count++) await create()
    const { orders } = await ask(people.admin, findOrder, { query: 'ann' })
    t.equal(orders.length, 50)
    t.equal(orders[0]?.order_id, 52)
  },
)

t.test('given names and phones, when they are compared, then as people write them', async (t) => {
  t.same(wordsOf('Dr. José  O’Neill-Öz, josé'), ['dr', 'jose', 'o', 'neill', 'oz'])
  t.equal(digitsOf('0033 (0)6-12'), '330612')
  t.ok(isSamePhone('+33612345678', '0612345678'))
  t.notOk(isSamePhone('+33612345678', '345678'), 'too short to tell')
  t.notOk(isSamePhone('', ''))
})

t.test(
  'given an order, when it is carried through, then each step is told with who, when, where and what shows it',
  async (t) => {
    const { ask, create, pass } = world()
    const id = await create({ customer_id: 3 })
    const said = { order_id: id, latitude: 43.65, longitude: -79.38 }
    const on = { order_id: id }
    await ask(people.admin, markOrderReady, on)
    await ask(people.admin, assignDriver, { ...on, driver_id: 5 })
    pass(60_000)
    t.match(await ask(people.driver, acceptOrder, on), { status: 'ACCEPTED', order_status_id: 6 })
    await ask(people.driver, startPickup, said)
    await ask(people.driver, pickUpOrder, { ...said, photo_urls: ['https://example.org/1.jpg'] })
    await ask(people.driver, departWithOrder, said)
    const done = { ...said, recipient: 'Ann', signature_url: 'https://example.org/s.png' }
    t.match(await ask(people.driver, completeOrder, done), { status: 'DELIVERED', order_status_id: 2 })
    await ask(people.admin, updateOrderNote, { ...on, note: 'went well' })
    const { events, total } = await ask(people.admin, getOperationEvents, on)
    t.equal(total, 9)
    t.match(events[3], {
      ...{ type: 'OrderAccepted', at: '2026-06-10T12:01:00-04:00', actor: { account_id: 5, role: 'driver' } },
      ...{ from: 'ASSIGNED', to: 'ACCEPTED', driver_id: 5 },
    })
    t.match(events[5], {
      ...{ from: 'PICKUP_STARTED', to: 'PICKED_UP', photo_urls: ['https://example.org/1.jpg'] },
      location: { latitude: 43.65, longitude: -79.38 },
    })
    t.match(events[7], { to: 'DELIVERED', recipient: 'Ann', signature_url: 'https://example.org/s.png' })
    t.match(await ask(people.admin, getOperationEvents, { ...on, page: 3, per_page: 4 }), {
      total: 9,
      events: [{ type: 'OrderNoteChanged' }],
    })
    const forCustomer = await ask(people.customer, getOperationEvents, on)
    t.equal(
      forCustomer.events.some(({ type }) => type === 'OrderNoteChanged'),
      false,
    )
  },
)

t.test('given attempts in vain, when they fail, then the order is tried again, rejected, or goes back', async (t) => {
  const { ask, create, refused } = world()
  const on = { order_id: await create() }
  await ask(people.admin, assignDriver, { ...on, driver_id: 5 })
  t.match(await ask(people.driver, rejectOrder, { ...on, note: 'too far' }), { status: 'NEW_ORDER' })
  t.equal(await refused(people.driver, acceptOrder, on), 'order_not_found', 'it is not the driver’s any more')
  await ask(people.admin, assignDriver, { ...on, driver_id: 6 })
  t.equal(await refused(people.admin, acceptOrder, on), 'wrong_account')
  await ask(people.admin, pickUpOrder, on)
  t.equal(await refused(people.otherDriver, failOrder, { ...on, reason: 'lost' }), 'reason unknown_value')
  t.match(await ask(people.otherDriver, failOrder, { ...on, reason: 'refused' }), { status: 'FAILED' })
  t.match(await ask(people.employee, returnOrder, on), { status: 'RETURNED' })
  t.equal(await refused(people.employee, returnOrder, on), forbidden)
})

t.test('given drivers, when an order is to be theirs, then they are active drivers of the business', async (t) => {
  const { ask, create, refused } = world()
  const order_id = await create()
  for (const driver_id of [10, 11, 3, 99])
    t.equal(await refused(people.admin, assignDriver, { order_id, driver_id }), 'driver_not_found')
  t.equal(await refused(people.customer, assignDriver, { order_id, driver_id: 5 }), 'wrong_account')
  t.match(await ask(people.employee, assignDriver, { order_id, driver_id: 5 }), { status: 'ASSIGNED' })
  t.match(await ask(people.employee, unassignDriver, { order_id }), { status: 'NEW_ORDER' })
})

t.test('given an order that cannot be cancelled, when it is, then the refusal is answered and recorded', async (t) => {
  const { ask, create, store } = world()
  const on = { order_id: await create({ customer_id: 3 }) }
  await ask(people.admin, assignDriver, { ...on, driver_id: 5 })
  await ask(people.driver, pickUpOrder, on)
  t.match(await ask(people.customer, cancelOrder, on), {
    ...{ result: false, code: 'cancel_refused', http_status: 409, status: 'PICKED_UP' },
    message: 'Order 1 cannot be cancelled while it is PICKED_UP.',
  })
  const { events } = await ask(people.admin, getOperationEvents, on)
  t.match(events.at(-1), { type: 'OrderCancelRefused', actor: { account_id: 3, role: 'customer' } })
  await ask(people.driver, failOrder, { ...on, reason: 'deliver_later' })
  t.match(await ask(people.customer, cancelOrder, on), { result: true, status: 'CANCELLED' })
  const before = (await store.read(orderStream(1))).length
  t.match(await ask(people.customer, cancelOrder, on), { result: true, status: 'CANCELLED' })
  t.equal((await store.read(orderStream(1))).length, before, 'cancelled again, nothing is recorded')
})

t.test('given a carrier, when it has an order, then the customer reads the same as of a driver', async (t) => {
  const { ask, create } = world()
  const on = { order_id: await create({ customer_id: 3 }) }
  const reads = async (who: typeof people.customer | typeof people.admin) => {
    const order = (await ask(who, getOrderDetail, on)).order as LocalOrder
    return [order.status, order.order_status_id, order.provider]
  }
  t.match(await ask(people.admin, handToCarrier, { ...on, provider: 'postal' }), {
    status: 'WITH_CARRIER',
    order_status_id: 33,
  })
  t.same(await reads(people.admin), ['WITH_CARRIER', 33, 'postal'])
  t.same(await reads(people.customer), ['ON_THE_WAY', 29, undefined])
  t.match(await ask(people.admin, takeBackFromCarrier, on), { status: 'NEW_ORDER' })
  await ask(people.admin, handToCarrier, { ...on, provider: 'postal' })
  t.match(await ask(people.admin, noteCarrierDelivery, on), { order_status_id: 43 })
  t.same(await reads(people.customer), ['DELIVERED', 2, undefined])
  t.equal((await ask(people.customer, getOrders, { status: ['2'] })).total, 1)
  t.equal((await ask(people.customer, getOrders, { status: ['43'] })).total, 0)
  t.equal((await ask(people.admin, getOrders, { status: ['43'] })).total, 1)
  const told = await ask(people.customer, getOperationEvents, on)
  t.notMatch(JSON.stringify(told), /Carrier|CARRIER|postal/)
})

t.test('given a carrier, when a customer is refused, then the refusal does not tell who carries', async (t) => {
  const { ask, context, create } = world()
  const on = { order_id: await create({ customer_id: 3, reference: 'R' }) }
  const said = async (who: typeof people.customer | typeof people.admin, operation: Operation, input: object) => {
    try {
      return await call(operation, context(who), input)
    } catch (error) {
      if (isEngineError(error)) return [messageOf(error.code, error.params, en), error.params.status]
      throw error
    }
  }
  const reroute = { ...on, address: ann.address }
  const instruct = { ...on, delivery_instruction: 'ring' }
  const change = { updates: [{ ref: 'R', time_window: { start: '09:00', end: '10:00' } }] }
  const forbids = (command: string, status: string) => [
    `${command} is not possible while the order is ${status}.`,
    status,
  ]
  await ask(people.admin, handToCarrier, { ...on, provider: 'postal' })
  t.same(await said(people.customer, rerouteToAddress, reroute), forbids('reroute_to_address', 'ON_THE_WAY'))
  t.same(await said(people.admin, rerouteToAddress, reroute), forbids('reroute_to_address', 'WITH_CARRIER'))
  t.match(await said(people.customer, cancelOrder, on), {
    message: 'Order 1 cannot be cancelled while it is ON_THE_WAY.',
  })
  await ask(people.admin, noteCarrierDelivery, on)
  const name = 'update_delivery_instruction'
  t.same(await said(people.customer, updateDeliveryInstruction, instruct), forbids(name, 'DELIVERED'))
  t.same(await said(people.employee, updateDeliveryInstruction, instruct), forbids(name, 'DELIVERED_BY_CARRIER'))
  const windows = JSON.stringify(await said(people.customer, updateTimeWindowByRefs, change))
  t.match(windows, 'update_time_window_by_refs is not possible while the order is DELIVERED.')
})

t.test('given notes of a driver, when a customer reads what happened, then only that of the delivery', async (t) => {
  const { ask, create } = world()
  const on = { order_id: await create({ customer_id: 3 }) }
  await ask(people.admin, assignDriver, { ...on, driver_id: 5 })
  await ask(people.driver, rejectOrder, { ...on, note: 'dog' })
  await ask(people.admin, assignDriver, { ...on, driver_id: 5 })
  await ask(people.driver, pickUpOrder, { ...on, note: 'scratched', latitude: 1, longitude: 2 })
  await ask(people.driver, failOrder, { ...on, reason: 'deliver_later', note: 'rude' })
  await ask(people.admin, assignDriver, { ...on, driver_id: 5 })
  await ask(people.driver, pickUpOrder, on)
  await ask(people.driver, completeOrder, { ...on, note: 'at the door', recipient: 'Ann' })
  const notes = async (who: typeof people.customer | typeof people.admin) =>
    (await ask(who, getOperationEvents, on)).events.flatMap(({ note }) => note ?? [])
  t.same(await notes(people.admin), ['dog', 'scratched', 'rude', 'at the door'])
  t.same(await notes(people.customer), ['at the door'])
  const { events } = await ask(people.customer, getOperationEvents, on)
  t.match(events.at(-1), { type: 'OrderCompleted', recipient: 'Ann' })
  t.ok(
    events.some(({ location }) => location?.latitude === 1),
    'what else was said of it stays',
  )
})

t.test('given an order, when others ask whether there is one, then only those whose it is are told', async (t) => {
  const { context, create } = world()
  const id = await create({ customer_id: 3 })
  t.equal(await orderExists(context(people.employee), id), true)
  t.equal(await orderExists(context(people.customer), id), true)
  for (const who of [people.stranger, people.otherCustomer, people.contractor])
    t.equal(await orderExists(context(who), id), false)
  t.equal(await orderExists(context(people.admin), 99), false)
  await t.rejects(orderExists(context(operator), id), { code: 'account_required' })
})

t.test(
  'given an order, when it is held, released, written on and deleted, then it answers how it stands',
  async (t) => {
    const { ask, create, refused } = world()
    const on = { order_id: await create({ customer_id: 3 }) }
    t.equal(await refused(people.customer, holdOrder, on), 'wrong_account')
    t.match(await ask(people.employee, holdOrder, on), { status: 'HOLD' })
    t.match(await ask(people.employee, releaseOrder, on), { status: 'NEW_ORDER' })
    t.equal(await refused(people.employee, releaseOrder, on), forbidden)
    await ask(people.customer, updateDeliveryInstruction, { ...on, delivery_instruction: 'ring twice' })
    t.equal(await refused(people.customer, updateOrderNote, { ...on, note: 'x' }), 'wrong_account')
    t.equal(await refused(people.admin, updateOrderNote, { ...on, note: 'x'.repeat(501) }), 'note too_long')
    t.match(await ask(people.admin, updateOrderNote, { ...on, note: 'x'.repeat(500) }), { result: true })
    const order = (await ask(people.admin, getOrderDetail, on)).order as LocalOrder
    t.match(order, { delivery_instruction: 'ring twice', note: 'x'.repeat(500) })
    t.equal(await refused(people.employee, deleteOrder, on), 'wrong_account')
    t.match(await ask(people.admin, deleteOrder, on), { result: true })
    for (const operation of [getOrderDetail, cancelOrder, deleteOrder])
      t.equal(await refused(people.admin, operation as never, on), 'order_not_found')
    t.equal((await ask(people.admin, getOrders, {})).total, 0)
    t.equal((await ask(people.admin, findOrder, { query: 'ann' })).total, 0)
  },
)

t.test(
  'given an order before pickup, when it is rerouted, then another takes its place, and both name each other',
  async (t) => {
    const { ask, create, refused } = world()
    const address = { street: '9 Other Road', country: 'CA' }
    const order_id = await create({ customer_id: 3, price, reference: 'R', note: 'inside', items: 4 })
    const rerouted = await ask(people.customer, rerouteToAddress, { order_id, address })
    t.match(rerouted, { result: true, cancelled_order_id: 1, order_id: 2, status: 'NEW_ORDER', reference: 'R' })
    t.match((await ask(people.admin, getOrderDetail, { order_id: 1 })).order, { status: 'CANCELLED', replaced_by: 2 })
    const order = (await ask(people.admin, getOrderDetail, { order_id: 2 })).order as LocalOrder
    t.match(order, {
      ...{ replaces: 1, customer_id: 3, items: 4, note: 'inside', shipping_price: '10.00' },
      delivery: { name: ann.name, phone: ann.phone, address },
    })
    t.equal(order.delivery?.address.locality, undefined, 'nothing of the old address is left')
    t.equal(await refused(people.admin, rerouteToAddress, { order_id: 1, address }), forbidden)
    t.equal(
      await refused(people.admin, rerouteToAddress, { order_id: 2, address, party: 'pickup' }),
      'party unknown_value',
    )
    t.equal(await refused(people.stranger, rerouteToAddress, { order_id: 2, address }), 'order_not_found')
    await ask(people.admin, assignDriver, { order_id: 2, driver_id: 5 })
    await ask(people.driver, pickUpOrder, { order_id: 2 })
    t.equal(await refused(people.admin, rerouteToAddress, { order_id: 2, address }), forbidden)
    t.equal((await ask(people.admin, getOrders, {})).total, 2, 'a refusal creates nothing')
  },
)

/** The business 1 works with the shop 5. */
const connecting = {
  type: 'ShopConnected',
  data: {
    ...{ at: '2026-06-10T10:00:00.000Z', by: 1, shop_id: 5, business_id: 1, kind: 'magento', name: 'Shop' },
    ...{ address: 'https://shop.example', sends: true, personal: { credentials: { access_token: 'x' } } },
  },
}

t.test(
  'given an order with every member that there is, when it is rerouted, then all are carried but its number and the address',
  async (t) => {
    const { ask, create, store, context } = world()
    await haveSecret(store, context(people.admin))
    const connected = {
      ...connecting,
      id: 'shop',
      metadata: { actor: 'test', correlationId: 'test', schemaVersion: 1 },
    }
    await store.append('shop-5', [connected], 'no-stream')
    const other = ['rate_id', 'callback_format', 'callback_signature'] as const
    const asked: Required<Omit<NewOrder, (typeof other)[number]>> = {
      ...{ type: 'P2P', pickup: { ...ann, name: 'Bo', email: 'bo@acme.example' }, delivery: { ...ann } },
      ...{ tracking_number: 'T1', external_tracking_number: 'X1', reference: 'R1', customer_id: 3, items: 4 },
      ...{ shop_id: 5, shop_order: '450789469' },
      ...{ schedule_date: '2026-06-15', time_window: { start: '09:00', end: '12:00' } },
      ...{ delivery_instruction: 'Ring twice', note: 'inside', callback: { url: 'https://shop.example/told' } },
      tags: ['cold', 'fragile'],
      price: { ...price, surcharges: [{ name: 'Heavy', surcharge_amount: '2.25' }] },
    }
    t.same([...Object.keys(asked), ...other].sort(), Object.keys(newOrder.entries).sort(), 'every member is said')
    const address = { street: '9 Other Road', country: 'CA' }
    await ask(people.customer, rerouteToAddress, { order_id: await create(asked), address })
    const createdAs = async (id: number) => {
      const [created] = await store.read(orderStream(id))
      return created?.data as Extract<OrderEvent, { type: 'OrderCreated' }>['data']
    }
    const [old, replacing] = [await createdAs(1), await createdAs(2)]
    t.not(replacing.tracking_number, old.tracking_number)
    t.same(
      { ...replacing, personal: { ...replacing.personal, address_terms: [] } },
      {
        ...{ ...old, by: 3, order_id: 2, tracking_number: replacing.tracking_number, source: 'reroute', replaces: 1 },
        personal: { ...old.personal, delivery: { ...ann, address }, address_terms: [] },
      },
    )
  },
)

t.test('given external references, when windows are changed, then each is told by itself', async (t) => {
  const { ask, create, refused } = world()
  await create({ reference: 'A', customer_id: 3 })
  await create({ external_tracking_number: 'B' })
  await create({ reference: 'C' })
  await create({ reference: 'C' })
  await create({ reference: 'D' })
  await ask(people.admin, cancelOrder, { order_id: 5 })
  const time_window = { start: '09:00', end: '12:00' }
  const change = (refs: readonly string[], who: (typeof people)[keyof typeof people] = people.admin) =>
    ask(who, updateTimeWindowByRefs, {
      updates: refs.map((ref) => ({ ref, time_window, schedule_date: '2026-06-15' })),
    })
  t.match(await change(['a', 'B', 'C', 'D', 'E']), {
    ...{ result: true, updated: 2, failed: 3 },
    results: [
      { ref: 'a', result: true, order_id: 1 },
      { ref: 'B', result: true, order_id: 2 },
      { ref: 'C', result: false, code: 'ambiguous_reference', message: /^2 orders/ },
      { ref: 'D', result: false, code: forbidden },
      { ref: 'E', result: false, code: 'unknown_reference' },
    ],
  })
  t.match((await ask(people.admin, getOrderDetail, { order_id: 1 })).order, {
    time_window,
    schedule_date: '2026-06-15',
  })
  t.match(await change(['B'], people.customer), { result: false, results: [{ code: 'unknown_reference' }] })
  t.match(await change(['A-']), { results: [{ code: 'unknown_reference' }] }, 'a dash makes another reference')
  const no = (input: object) => refused(people.admin, updateTimeWindowByRefs, input)
  const update = { ref: 'A', time_window }
  t.equal(await no({ updates: Array(101).fill(update) }), 'updates too_long')
  t.equal(await no({ updates: [] }), 'updates too_short')
  t.equal(
    await no({ updates: [update, { ref: 'A', time_window: { start: '12:00', end: '09:00' } }] }),
    'updates[1].time_window.end ends_before_start',
  )
  await ask(people.admin, rerouteToAddress, { order_id: 1, address: ann.address })
  t.match(await change(['A']), { results: [{ order_id: 6 }] }, 'the one in whose place it came is not meant')
})

t.test('given an order that was rerouted, when either is forgotten, then both are', async (t) => {
  const { ask, create } = world()
  for (const named of [0, 1]) {
    const order_id = await create()
    const { order_id: next } = await ask(people.admin, rerouteToAddress, { order_id, address: ann.address })
    const both = [order_id, next]
    t.match(await ask(operator, forgetOrder, { order_id: both[named] ?? 0 }), { state: 'forgotten' })
    for (const id of both) {
      const order = (await ask(people.admin, getOrderDetail, { order_id: id })).order as LocalOrder
      t.equal(order.personal_data_erased, true)
      t.equal(order.delivery, undefined)
    }
  }
})

t.test('given an order, when it is forgotten, then nobody reads of people in it, nor finds it by them', async (t) => {
  const { ask, create, refused, plain, models, store } = world()
  const order_id = await create({ customer_id: 3, note: 'inside', delivery_instruction: 'ring', reference: 'R' })
  t.notMatch(JSON.stringify(await plain.read(orderStream(1))), /Ann |Main Street|inside|ring twice/)
  t.equal((await ask(people.admin, findOrder, { query: 'Ann' })).total, 1)
  t.equal(await refused(people.admin, forgetOrder, { order_id }), 'forbidden')
  t.match(await ask(operator, forgetOrder, { order_id, dry_run: true }), { state: 'not_forgotten' })
  t.match(await ask(operator, forgetOrder, { order_id }), { state: 'forgotten' })
  t.match(await ask(operator, forgetOrder, { order_id }), { state: 'already_forgotten' })
  t.equal(await refused(operator, forgetOrder, { order_id: 9 }), 'order_not_found')
  const order = (await ask(people.admin, getOrderDetail, { order_id })).order as LocalOrder
  t.equal(order.personal_data_erased, true)
  for (const name of ['pickup', 'delivery', 'delivery_instruction', 'note'] as const) t.equal(order[name], undefined)
  t.same((await ask(people.admin, findOrder, { query: 'Ann' })).orders, [])
  t.equal((await ask(people.admin, findOrder, { query: 'R' })).total, 1)
  const { rows } = await models.page(termModel, { where: { order_id }, limit: 20 })
  t.ok(rows.length > 0 && rows.every(({ term }) => term === null))
  t.equal(await refused(people.admin, updateOrderNote, { order_id, note: 'x' }), 'order_forgotten')
  t.equal(await refused(people.admin, rerouteToAddress, { order_id, address: ann.address }), 'order_forgotten')
  t.notMatch(JSON.stringify(await store.read(orderStream(1))), /Main Street/)
  t.match(await ask(people.admin, cancelOrder, { order_id }), { status: 'CANCELLED' })
})

t.test(
  'given changes of an order, when its events are read, then each says what it changed, as its reader may see it',
  async (t) => {
    const { ask, create } = world()
    const price = { shipping_price: '10', currency: 'CAD' }
    const on = { order_id: await create({ customer_id: 3, note: 'inside', price, reference: 'R-9' }) }
    await ask(people.admin, updateOrderNote, { ...on, note: 'changed' })
    await ask(people.admin, assignDriver, { ...on, driver_id: 5 })
    await ask(people.admin, updateTimeWindowByRefs, {
      updates: [{ ref: 'R-9', time_window: { start: '09:00', end: '12:00' } }],
    })
    const changesFor = async (who: (typeof people)[keyof typeof people]) =>
      (await ask(who, getOperationEvents, on)).events.map((event) => ('changes' in event ? event.changes : {}))
    const [created, noted, assigned, scheduled] = await changesFor(people.admin)
    t.match(created, {
      ...{ note: { to: 'inside' }, shipping_price: { to: '10.00' }, reference: { to: 'R-9' } },
      delivery: { to: ann },
    })
    t.same(noted, { note: { from: 'inside', to: 'changed' } })
    t.same(assigned, { driver_id: { to: 5 } })
    t.same(scheduled, { time_window: { to: { start: '09:00', end: '12:00' } } })
    const seen = await changesFor(people.customer)
    t.match(seen[0], { shipping_price: { to: '10.00' } })
    t.notMatch(JSON.stringify(seen), /inside|changed|driver_id/)
  },
)

/** Which corrections an order of each standing takes from the staff, and from its customer; written by hand. */
const correctable: Readonly<Record<Standing, { readonly staff: string; readonly customer: string }>> = {
  NEW_ORDER: { staff: 'reference items name address', customer: 'reference items name address' },
  HOLD: { staff: 'reference items name address', customer: 'reference items name address' },
  ASSIGNED: { staff: 'reference items name', customer: '' },
  ACCEPTED: { staff: 'reference items name', customer: '' },
  PICKUP_STARTED: { staff: 'reference items name', customer: '' },
  PICKED_UP: { staff: 'reference items name', customer: '' },
  ON_THE_WAY: { staff: 'reference items name', customer: '' },
  FAILED: { staff: 'reference items name', customer: '' },
  'FAILED with a carrier': { staff: 'reference', customer: '' },
  WITH_CARRIER: { staff: 'reference', customer: '' },
  DELIVERED: { staff: 'reference', customer: '' },
  DELIVERED_BY_CARRIER: { staff: 'reference', customer: '' },
  RETURNED: { staff: 'reference', customer: '' },
  CANCELLED: { staff: 'reference', customer: '' },
}

t.test('given an order of each status, when it is corrected, then as far as nobody acts on it yet', async (t) => {
  const values = {
    reference: { reference: 'R-2' },
    items: { items: 2 },
    name: { delivery: { ...ann, name: 'Bo' } },
    address: { delivery: { ...ann, address: elsewhere } },
  }
  for (const [standing, { staff, customer }] of Object.entries(correctable))
    for (const [isByCustomer, taken] of [
      [false, staff],
      [true, customer],
    ] as const) {
      const found = Object.entries(values).filter(([, one]) => {
        const command = { type: 'CorrectOrder', ...told, values: one, isByCustomer } as const
        return !['order_status_forbids', 'order_with_carrier'].includes(
          outcomeOf(histories[standing as Standing], command),
        )
      })
      t.equal(found.map(([name]) => name).join(' '), taken, `${standing} ${isByCustomer ? 'customer' : 'staff'}`)
    }
  const readdress = { type: 'CorrectOrder', ...told, values: values.address, isByCustomer: false } as const
  t.equal(outcomeOf([created, planned], readdress), 'order_on_route')
  t.equal(outcomeOf([created, planned], { ...readdress, isByCustomer: true }), 'staff_corrects')
  t.equal(outcomeOf([created], { ...readdress, values: { delivery: ann, items: 1 } }), 'nothing')
  const erased: OrderEvent = { type: 'OrderPersonalDataErased', data: told }
  t.equal(outcomeOf([created, erased], readdress), 'order_forgotten')
})

t.test(
  'given an order, when it is corrected, then it is found by what is right, and its history says who changed what',
  async (t) => {
    const { ask, create, refused, plain, webhookEvents } = world()
    const on = {
      order_id: await create({ customer_id: 3, reference: 'R-1', price: { shipping_price: '10', currency: 'CAD' } }),
    }
    const before = (await webhookEvents()).length
    const answer = await ask(people.employee, updateOrder, {
      ...on,
      ...{ reference: 'R-2', items: 3, delivery_instruction: 'ring', note: 'inside', schedule_date: '2026-06-12' },
      delivery: { name: 'Zoë Brandt', phone: null, address: { street: '9 Quay', postal_code: 'M5V 1A1' } },
    })
    t.match(answer, { order_id: 1, reference: 'R-2', status: 'NEW_ORDER' })
    const order = (await ask(people.admin, getOrderDetail, on)).order as LocalOrder
    t.match(order, {
      reference: 'R-2',
      items: 3,
      delivery_instruction: 'ring',
      note: 'inside',
      shipping_price: '10.00',
    })
    t.same(order.delivery, { name: 'Zoë Brandt', address: { street: '9 Quay', postal_code: 'M5V 1A1' } })
    t.same((await webhookEvents()).length, before, 'document 3 has no event of it')
    for (const [query, total] of [
      ['zoe', 1],
      ['R-2', 1],
      ['Ann', 0],
      ['R-1', 0],
      [ann.phone, 0],
    ] as const)
      t.equal((await ask(people.admin, findOrder, { query })).total, total, query)
    t.same((await ask(people.admin, searchAddress, { postal_code: 'M5V1A1' })).total, 1)
    t.same((await ask(people.admin, searchAddress, { query: 'Main' })).total, 0)
    t.equal((await ask(people.admin, getOrders, { reference: 'r-2' })).total, 1)
    t.notMatch(JSON.stringify(await plain.read(orderStream(1))), /Brandt|9 Quay/, 'people are sealed')
    const { events } = await ask(people.admin, getOperationEvents, on)
    t.same(
      events.map(({ type }) => type),
      ['OrderCreated', 'OrderCorrected', 'DeliveryInstructionChanged', 'OrderNoteChanged', 'OrderScheduleChanged'],
    )
    t.match(events[1], {
      actor: { account_id: 2, role: 'client_employee' },
      changes: { reference: { from: 'R-1', to: 'R-2' }, items: { from: 1, to: 3 }, delivery: { from: ann } },
    })
    const seen = (await ask(people.customer, getOperationEvents, on)).events
    t.match(seen[1], { type: 'OrderCorrected', actor: { account_id: null } })
    t.notMatch(JSON.stringify(seen), /inside/)
    t.equal(await refused(people.customer, updateOrder, { ...on, tags: ['cold'] }), 'tags only_staff')
    for (const [tags, said] of [
      [
        ['cold', 'fragile'],
        ['cold', 'fragile'],
      ],
      [undefined, ['cold', 'fragile']],
      [[], []],
    ] as const) {
      await ask(people.admin, updateOrder, { ...on, ...(tags && { tags }) })
      t.same(
        ((await ask(people.admin, getOrderDetail, on)).order as LocalOrder).tags,
        said,
        'all tags are replaced, or stay',
      )
    }
    const phone = { ...on, delivery: { phone: '+1 416 555 0199' } }
    await ask(people.admin, updateOrder, phone)
    await ask(people.admin, updateOrder, { ...phone, reference: null })
    const after = (await ask(people.admin, getOrderDetail, on)).order as LocalOrder
    t.match(after.delivery, { name: 'Zoë Brandt', phone: '+1 416 555 0199', address: { street: '9 Quay' } })
    t.equal(after.reference, undefined)
    t.equal((await ask(people.admin, getOrders, { reference: 'R-2' })).total, 0)
    const { revision } = await ask(people.admin, updateOrder, phone).then(
      async () => (await plain.last(orderStream(1))) ?? { revision: 0 },
    )
    await ask(people.admin, updateOrder, phone)
    t.equal((await plain.last(orderStream(1)))?.revision, revision, 'the same again is nothing')
    await ask(operator, forgetOrder, on)
    t.equal((await ask(people.admin, findOrder, { query: 'zoe' })).total, 0)
    t.notMatch(JSON.stringify(await ask(people.admin, getOperationEvents, on)), /Brandt|9 Quay/)
    t.equal(await refused(people.admin, updateOrder, phone), 'order_forgotten')
  },
)

t.test('given those who have to do with an order, when they correct it, then as far as it is theirs', async (t) => {
  const { ask, create, refused } = world()
  const on = { order_id: await create({ customer_id: 3 }) }
  t.match(await ask(people.customer, updateOrder, { ...on, delivery: { name: 'Bo' } }), { result: true })
  t.equal(await refused(people.customer, updateOrder, { ...on, note: 'x' }), 'note only_staff')
  for (const who of [people.otherCustomer, people.stranger])
    t.equal(await refused(who, updateOrder, { ...on, items: 2 }), 'order_not_found')
  for (const who of [people.driver, people.contractor])
    t.equal(await refused(who, updateOrder, { ...on, items: 2 }), 'wrong_account')
  t.equal(
    await refused(people.admin, updateOrder, { ...on, pickup: { phone: '1' } }),
    'pickup.name required, pickup.address required',
  )
  t.match(
    await refused(people.admin, updateOrder, { ...on, price: { shipping_price: '1', currency: 'CAD' } }),
    /^price /,
  )
  await ask(people.admin, handToCarrier, { ...on, provider: 'postal' })
  t.equal(await refused(people.admin, updateOrder, { ...on, items: 2 }), 'order_with_carrier')
  t.equal(
    await refused(people.customer, updateOrder, { ...on, items: 2 }),
    forbidden,
    'a customer learns of no carrier',
  )
  t.match(await ask(people.customer, updateOrder, { ...on, delivery_instruction: 'ring' }), { result: true })
})

t.test(
  'given orders that change while somebody follows them, then each comes as it is in the end, and no page misses one',
  async (t) => {
    let again = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.array(fc.record({ order: fc.nat(7), what: fc.constantFrom('note', 'items', 'new') }), { maxLength: 6 }),
        ),
        fc.constantFrom(1, 2, 3),
        async (turns, per_page) => {
          const { ask, create, pass } = world()
          const known = new Map<number, unknown>()
          const current = new Map<number, unknown>()
          const write = async ({ order, what }: { readonly order: number; readonly what: string }) => {
            // Clocks of nodes go back, too.
            pass(order % 3 === 0 ? -1 : order)
            const order_id = what === 'new' ? await create() : [...current.keys()][order]
            if (order_id === undefined) return
            if (what === 'note') await ask(people.admin, updateOrderNote, { order_id, note: `n${order}` })
            if (what === 'items') await ask(people.admin, updateOrder, { order_id, items: order + 1 })
            current.set(order_id, (await ask(people.admin, getOrderDetail, { order_id })).order)
          }
          for (const order of [0, 1, 2, 3]) await write({ order, what: 'new' })
          let from: object = { updated_since: '2026-01-01T00:00:00Z' }
          const take = async () => {
            const page = await ask(people.admin, getOrders, { ...from, per_page })
            t.ok(page.orders.length <= per_page)
            for (const order of page.orders) {
              if (known.has(order.order_id)) again++
              known.set(order.order_id, order)
            }
            from = { cursor: page.next_cursor }
            return page.has_more
          }
          for (const turn of turns) {
            await take()
            for (const one of turn) await write(one)
          }
          while (await take());
          const sorted = (all: typeof known) => [...all].toSorted(([one], [other]) => one - other)
          t.strictSame(sorted(known), sorted(current))
          t.match(await ask(people.admin, getOrders, { ...from }), {
            orders: [],
            has_more: false,
            ...{ next_cursor: Object.values(from)[0] },
          })
        },
      ),
      { numRuns: runs(t, 3) },
    )
    t.ok(!areMany || again > 0, 'orders came again')
  },
)

t.test('given orders, when they are sorted or followed, then as asked, and each caller sees its own', async (t) => {
  const { ask, create, refused, pass } = world()
  for (const schedule_date of ['2026-06-14', undefined, '2026-06-12']) {
    pass(60_000)
    await create({ ...(schedule_date && { schedule_date }), customer_id: 3 })
  }
  pass(60_000)
  await ask(people.admin, updateOrderNote, { order_id: 1, note: 'x' })
  const ids = async (input: object, who = people.admin as (typeof people)[keyof typeof people]) =>
    (await ask(who, getOrders, input)).orders.map(({ order_id }) => order_id).join(' ')
  t.equal(await ids({}), '3 2 1')
  t.equal(await ids({ sort: 'created_at' }), '1 2 3')
  t.equal(await ids({ sort: '-updated_at' }), '1 3 2')
  t.equal(await ids({ sort: 'updated_at', per_page: 2, page: 2 }), '1')
  t.equal(await ids({ sort: 'schedule_date' }), '2 3 1')
  t.equal(await ids({ sort: '-schedule_date' }), '1 3 2')
  t.equal(await ids({ updated_since: '2026-06-10T12:03:00-04:00' }), '3 1', 'with its offset')
  t.equal(await ids({ updated_since: '2026-06-10T16:03:00Z' }, people.otherCustomer), '')
  t.equal(await ids({ updated_since: '2026-06-10T16:03:00Z' }, people.stranger), '')
  const { next_cursor: cursor } = await ask(people.customer, getOrders, {
    updated_since: '2026-06-10T16:03:00Z',
    per_page: 1,
  })
  t.equal(await ids({ cursor }, people.customer), '1')
  t.equal(await ids({ cursor, status: ['HOLD'] }, people.customer), '', 'filters apply')
  t.equal(await refused(people.admin, getOrders, { cursor: 'x' }), 'cursor not_a_cursor')
  t.equal(await refused(people.admin, getOrders, { cursor, page: 2 }), 'page not_with_cursor')
  t.equal(await refused(people.admin, getOrders, { cursor, sort: 'updated_at' }), 'sort not_with_cursor')
  t.equal(
    await refused(people.admin, getOrders, { cursor, updated_since: '2026-06-10T16:03:00Z' }),
    'updated_since not_with_cursor',
  )
  t.equal(await refused(people.admin, getOrders, { sort: 'note' }), 'sort unknown_value')
})

t.test(
  'given a list of orders, when it is read on by its cursors, then each order comes once, in its order',
  async (t) => {
    const days = [undefined, '2026-06-10', '2026-06-11'] as const
    const windows = [undefined, { start: '08:00', end: '10:00' }, { start: '09:00', end: '17:00' }] as const
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ day: fc.constantFrom(...days), window: fc.constantFrom(...windows) }), { maxLength: 8 }),
        fc.constantFrom('created_at', 'updated_at', 'schedule_date'),
        fc.constantFrom('', '-'),
        fc.constantFrom(1, 2, 3),
        fc.constantFrom({}, { schedule_date: '2026-06-10' }, { late: true }),
        async (made, column, minus, per_page, filter) => {
          const { ask, create } = world()
          for (const { day, window } of made)
            await create({ ...(day && { schedule_date: day }), ...(window && { time_window: window }) })
          if (made.length > 1) await ask(people.admin, updateOrderNote, { order_id: 1, note: 'x' })
          const sort = `${minus}${column}`
          const whole = (await ask(people.admin, getOrders, { ...filter, sort })).orders
          const found: unknown[] = []
          let from: object = { ...filter, sort }
          for (;;) {
            const page = await ask(people.admin, getOrders, { ...from, per_page })
            t.equal(page.total, whole.length)
            found.push(...page.orders)
            if (page.next_cursor === undefined) break
            t.equal(page.orders.length, per_page)
            from = { ...filter, cursor: page.next_cursor }
          }
          t.strictSame(found, whole)
        },
      ),
      { numRuns: runs(t, 6) },
    )
  },
)

t.test(
  'given a list of orders, when its cursor is no cursor or the total is not wanted, then it says so',
  async (t) => {
    const { ask, create, refused } = world()
    await create()
    t.notOk('total' in (await ask(people.admin, getOrders, { with_total: false })))
    const since = { updated_since: '2026-01-01T00:00:00Z' }
    t.notOk('total' in (await ask(people.admin, getOrders, { ...since, with_total: false })))
    for (const cursor of ['l1.-created_at.x', 'l1.created_at.-1', 'l1.note.1', 'l1.updated_at.', 'l1'])
      t.equal(await refused(people.admin, getOrders, { cursor }), 'cursor not_a_cursor')
    t.equal(await refused(people.admin, getOrders, { cursor: 'l1.created_at.1', page: 2 }), 'page not_with_cursor')
  },
)

t.test(
  'given orders with days and windows, when the time goes on, then those that are not done are late',
  async (t) => {
    const { ask, create, pass } = world()
    // It is noon on the tenth in Toronto.
    await create({ schedule_date: '2026-06-09' })
    await create({ schedule_date: '2026-06-10' })
    await create({ schedule_date: '2026-06-10', time_window: { start: '10:00', end: '12:00' } })
    await create()
    const late = async () =>
      (await ask(people.admin, getOrders, { late: true, sort: 'schedule_date' })).orders.map(({ order_id }) => order_id)
    t.same(await late(), [1], 'the last minute of a window is still on time')
    pass(60_000)
    t.same(await late(), [1, 3])
    pass(12 * 3_600_000)
    t.same(await late(), [1, 3, 2])
    await ask(people.admin, updateOrder, { order_id: 1, schedule_date: '2026-06-12' })
    await ask(people.admin, cancelOrder, { order_id: 3 })
    t.same(await late(), [2])
  },
)

t.test(
  'given orders with tags and contractors, when they are filtered so, then nobody learns what is hidden',
  async (t) => {
    const { ask, create } = world()
    await create({ tags: ['cold'], customer_id: 3 })
    await create({ tags: ['cold', 'fragile'] })
    await create()
    const ids = async (input: object, who = people.admin as (typeof people)[keyof typeof people]) =>
      (await ask(who, getOrders, input)).orders.map(({ order_id }) => order_id).join(' ')
    t.equal(await ids({ tag: 'cold' }), '2 1')
    t.equal(await ids({ tag: 'cold', sort: 'created_at', per_page: 1 }), '1')
    t.equal(await ids({ tag: 'fragile', status: ['HOLD'] }), '')
    t.equal(await ids({ tag: 'warm' }), '')
    t.equal(await ids({ tag: 'cold' }, people.stranger), '')
    t.equal(await ids({}, people.customer), '1')
    t.equal(await ids({ tag: 'cold' }, people.customer), '', 'customers do not see tags')
    await ask(people.admin, updateOrder, { order_id: 2, tags: ['fragile', 'late'] })
    t.equal(await ids({ tag: 'cold' }), '1', 'a tag that was taken away')
    t.equal(await ids({ tag: 'fragile' }), '2')
    t.equal(await ids({ tag: 'late' }), '2', 'a tag that was given later')
    await ask(people.admin, updateOrder, { order_id: 2, tags: [] })
    t.equal(await ids({ tag: 'late' }), '')
    await ask(people.admin, assignDriver, { order_id: 1, driver_id: people.driver.id })
    t.equal(await ids({ driver_id: people.driver.id }), '1')
    t.equal(await ids({ driver_id: people.driver.id }, people.customer), '', 'nor who carries an order')
    t.equal(await ids({ broker_id: 4 }, people.customer), '')
  },
)

t.test(
  'given no shop, one of another business, or half of its names, when an order is taken, then it is refused',
  async (t) => {
    const { ask, store } = world()
    const metadata = { actor: 'test', correlationId: 'test', schemaVersion: 1 }
    const foreign = { ...connecting, data: { ...connecting.data, shop_id: 6, business_id: 2 }, id: 'foreign', metadata }
    await store.append('shop-6', [foreign], 'no-stream')
    const order = { type: 'D', delivery: { ...ann } }
    for (const shop_id of [4, 6])
      await t.rejects(ask(people.admin, createOrder, { ...order, shop_id, shop_order: '1' }), {
        code: 'shop_not_found',
      })
    await t.rejects(ask(people.admin, createOrder, { ...order, shop_order: '1' }), { code: 'invalid_input' })
  },
)
