import fc from 'fast-check'
import t from 'tap'
import * as v from 'valibot'
import type { MoveOf } from '../../entity/field.ts'
import { allowsMove, type EntityEvent } from '../../entity/machine.ts'
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
  messageOf,
  type Operation,
  perform,
  type RecordedEvent,
  type Role,
  scopesOf,
  sealedStore,
  sha256,
  type WebhookEvent,
} from '../../index.ts'
import { isSameText, newShortCode } from '../../kernel/short-code.ts'
import type { WebhookEventSource } from '../../kernel/webhook-event.ts'
import { outside } from '../../testing/context.ts'
import { recordCall } from '../../testing/recording.test.fixture.ts'
import { areMany, runs } from '../../testing/runs.test.fixture.ts'
import { refusalOf, specificationOf } from '../../testing/spec.ts'
import { createMemoryVault } from '../../testing/vault.test.fixture.ts'
import { dueLockerDeliveries, expireLockerDelivery } from './expiry.ts'
import { partnerLockersDomain } from './index.ts'
import { lockerDelivery } from './locker-delivery.ts'
import {
  type LockerDelivery,
  type LockerDeliveryCommand,
  lockerDeliveries,
  maxCompartments,
  maxOpenings,
} from './rules.ts'

type LockerDeliveryEvent = EntityEvent
type LockerDeliveryStatus = keyof typeof lockerDelivery.statuses
type LockerMove = Exclude<MoveOf<typeof lockerDelivery>, 'create' | 'allocate_code' | 'refuse_access' | 'refuse_pickup'>

const { webhookEventTypes: lockerEventTypes = [], webhookEventSources = [] } = partnerLockersDomain
const lockerEventSource = webhookEventSources[0] as WebhookEventSource
const lockerDeliveryStatusNames = Object.keys(lockerDelivery.statuses) as readonly LockerDeliveryStatus[]
const toldConfirmations = ['courier_terminal', 'partner_api', 'timeout_door_closed', 'console'] as const

const { given } = specificationOf(t, lockerDeliveries)

const start = Date.parse('2026-06-10T10:00:00.000Z')
const minutes = (count: number) => isoOf(start + count * 60_000)
const at = minutes(0)
const by = 7
const told = { at, by }
const [deliveryExpiry, pickupExpiry] = [60, 24 * 60]

const announced = {
  delivery_id: 1,
  business_id: 1,
  provider: 'acme',
  mock: false,
  device_id: 4,
  device_name: 'Locker Main St',
  order_id: null,
  parcels: [{ reference_number: 'P1' }],
  delivery_expires_at: minutes(deliveryExpiry),
  pickup_expires_at: minutes(pickupExpiry),
  correction_minutes: 15,
  access_code_hash: 'access',
}
const creation = { ...told, ...announced }
const compartment = (grid_id: number) => ({
  ...{ grid_id, compartment_number: grid_id, pickup_locker_number: null, pickup_locker_code: null },
})
const one = [compartment(1)]

const created: LockerDeliveryEvent = { type: 'LockerDeliveryCreated', data: creation }
const allocated: LockerDeliveryEvent = {
  type: 'LockerPickupCodeAllocated',
  data: { ...told, code_hash: 'pickup', personal: { pickup_code: '123456' } },
}
const opened = (
  opened_by: 'locker_screen' | 'remote_open' = 'remote_open',
  compartments = one,
): LockerDeliveryEvent => ({ type: 'LockerDoorsOpened', data: { ...told, opened_by, compartments } })
const closed = (grid_id = 1): LockerDeliveryEvent => ({ type: 'LockerDoorClosed', data: { ...told, grid_id } })
const confirmed = (
  confirmed_by: (typeof toldConfirmations)[number] | 'door_close',
  when = at,
): LockerDeliveryEvent => ({
  type: 'LockerDeliveryConfirmed',
  data: { at: when, by, confirmed_by, pickup_expires_at: minutes(pickupExpiry) },
})
const reopened: LockerDeliveryEvent = { type: 'LockerCorrectionReopened', data: { ...told, grid_ids: [1] } }
const collected = (with_code = true): LockerDeliveryEvent => ({
  type: 'LockerPickupCompleted',
  data: { ...told, with_code },
})
const packages = [{ reference_number: 'P1', failure_code: 'too_large' }] as const
const failed: LockerDeliveryEvent = { type: 'LockerDeliveryFailed', data: { ...told, packages } }
const expired = (expired: 'delivery_code' | 'deposit', when: string): LockerDeliveryEvent => ({
  type: 'LockerDeliveryExpired',
  data: { at: when, by, expired },
})
const cancelled: LockerDeliveryEvent = { type: 'LockerDeliveryCancelled', data: told }
const rotated = (code: 'access' | 'pickup'): LockerDeliveryEvent => ({
  type: 'LockerCodeRotated',
  data: { ...told, code, code_hash: 'new', recipient_notified: true },
})
const refused = (code: 'access' | 'pickup'): LockerDeliveryEvent => ({
  type: 'LockerCodeRefused',
  data: { ...told, code },
})

/** A history that ends in each status; its one door is open where it can be. */
const histories: Readonly<Record<LockerDeliveryStatus, readonly LockerDeliveryEvent[]>> = {
  pending: [created],
  opened: [created, allocated, opened('locker_screen')],
  delivered: [created, allocated, opened('locker_screen'), confirmed('courier_terminal')],
  correcting: [created, allocated, opened(), closed(), confirmed('door_close'), reopened],
  collected: [created, allocated, opened(), confirmed('console'), collected()],
  failed: [created, failed],
  expired: [created, expired('delivery_code', minutes(deliveryExpiry))],
  cancelled: [created, cancelled],
}

const late = minutes(pickupExpiry)
const opening = { compartments: one, pickup_code: '123456', pickup_code_hash: 'pickup' }
const openCommand: LockerDeliveryCommand = { move: 'open', ...told, values: opening }
const rotation = { code_hash: 'new', recipient_notified: true }

/** A command that makes each move, where it is allowed. */
const commands: Readonly<Record<LockerMove, LockerDeliveryCommand>> = {
  open: openCommand,
  close_door: { move: 'close_door', ...told, values: { grid_id: 1 } },
  confirm: { move: 'confirm', ...told, values: { confirmed_by: 'partner_api' } },
  reopen: { move: 'reopen', ...told, values: { grid_ids: [1] } },
  collect: { move: 'collect', ...told, values: { pickup_code_hash: 'pickup', is_staff: false } },
  fail: { move: 'fail', ...told, values: { packages } },
  cancel: { move: 'cancel', ...told },
  expire: { move: 'expire', at: late, by },
  rotate_access: { move: 'rotate_access', ...told, values: rotation },
  rotate_pickup: { move: 'rotate_pickup', ...told, values: rotation },
}

type Outcome = readonly [becomes: LockerDeliveryStatus, ...facts: LockerDeliveryEvent[]]

/** What each move does in each status, written by hand; what is not named is refused. */
const outcomes: Readonly<Record<LockerDeliveryStatus, Partial<Record<LockerMove, Outcome>>>> = {
  pending: {
    open: ['opened', allocated, opened()],
    fail: ['failed', failed],
    cancel: ['cancelled', cancelled],
    expire: ['expired', expired('delivery_code', late)],
    rotate_access: ['pending', rotated('access')],
  },
  opened: {
    open: ['opened', opened()],
    close_door: ['opened', closed()],
    confirm: ['delivered', confirmed('partner_api')],
    fail: ['failed', failed],
    cancel: ['cancelled', cancelled],
    rotate_access: ['opened', rotated('access')],
    rotate_pickup: ['opened', rotated('pickup')],
  },
  delivered: {
    close_door: ['delivered', closed()],
    reopen: ['correcting', reopened],
    collect: ['collected', collected()],
    expire: ['expired', expired('deposit', late)],
    rotate_pickup: ['delivered', rotated('pickup')],
  },
  correcting: {
    close_door: ['delivered', closed(), confirmed('door_close')],
    confirm: ['delivered', confirmed('partner_api')],
    fail: ['failed', failed],
    rotate_pickup: ['correcting', rotated('pickup')],
  },
  collected: {},
  failed: {},
  expired: {},
  cancelled: {},
}

for (const status of lockerDeliveryStatusNames) {
  for (const move of Object.keys(commands) as readonly LockerMove[]) {
    const outcome = outcomes[status][move]
    const words = outcome === undefined ? 'it is refused' : `it is ${outcome[0]}`
    t.test(`given a locker delivery that is ${status}, when ${move} is asked for, then ${words}`, async (t) => {
      const history = histories[status]
      t.equal(fold(lockerDeliveries, history)?.status, status)
      t.equal(allowsMove(lockerDelivery, status, move), outcome !== undefined, 'the table says the same')
      const asked = given(...history).when(commands[move])
      if (outcome === undefined) {
        asked.thenRefused('locker_delivery_status_forbids')
        return
      }
      const [becomes, ...facts] = outcome
      asked.then(...facts)
      t.equal(fold(lockerDeliveries, [...history, ...facts])?.status, becomes)
      const wanted = lockerDelivery.moves[move]
      if ('to' in wanted) t.equal(wanted.to, becomes, 'the table says the same')
    })
  }
}

t.test('given nothing, when a delivery is created, then it is, once, and with expiries to come', async () => {
  const create = (more: object) => given().when({ move: 'create', ...told, values: { ...announced, ...more } })
  create({}).then(created)
  create({ delivery_expires_at: at }).thenRefused('expiry_too_early')
  create({ pickup_expires_at: minutes(deliveryExpiry) }).thenRefused('expiry_too_early')
  given(created)
    .when({ move: 'create', ...told, values: announced })
    .thenRefused('locker_delivery_status_forbids')
  given().when(commands.cancel).thenRefused('locker_delivery_not_found')
})

t.test('given an event that leaves out its order, as earlier ones do, then it reads as one with null', async (t) => {
  const { order_id, ...data } = creation
  const earlier: LockerDeliveryEvent = { type: 'LockerDeliveryCreated', data }
  t.equal(order_id, null)
  t.same(fold(lockerDeliveries, [earlier]), fold(lockerDeliveries, [created]))
  const rowsOf = (event: LockerDeliveryEvent) =>
    partnerLockersDomain.readModels?.[0]?.rows({ ...event, stream: 'locker_delivery-1' } as RecordedEvent)
  t.same(rowsOf(earlier), rowsOf(created))
})

t.test('given an access code, when doors are opened at the locker, then it is right and has not run out', async () => {
  const typed = (hash: string, when = at): LockerDeliveryCommand => ({
    ...{ move: 'open', at: when, by, values: { ...opening, access_code_hash: hash } },
  })
  given(created).when(typed('access')).then(allocated, opened('locker_screen'))
  given(created).when(typed('wrong')).then(refused('access'))
  given(created)
    .when(typed('access', minutes(deliveryExpiry)))
    .thenRefused('locker_delivery_expired')
  given(created)
    .when({ ...openCommand, at: minutes(deliveryExpiry) })
    .thenRefused('locker_delivery_expired')
  given(...histories.opened)
    .when(typed('access', minutes(deliveryExpiry)))
    .thenRefused('locker_delivery_expired')
  given(created, rotated('access')).when(typed('access')).then(refused('access'))
  given(created, rotated('access')).when(typed('new')).then(allocated, opened('locker_screen'))
})

t.test('given wrong codes, when five came in a row, then none is looked at for 15 minutes', async () => {
  const locked = [...histories.delivered, ...Array.from({ length: 5 }, () => refused('pickup'))]
  const collect = (code_hash: string, when = at): LockerDeliveryCommand => ({
    ...{ move: 'collect', at: when, by, values: { pickup_code_hash: code_hash, is_staff: false } },
  })
  given(...histories.delivered)
    .when(collect('wrong'))
    .then(refused('pickup'))
  given(...locked.slice(0, -1))
    .when(collect('pickup'))
    .then(collected())
  given(...locked)
    .when(collect('pickup', isoOf(start + 15 * 60_000 - 1)))
    .thenRefused('too_many_attempts')
  given(...locked)
    .when(collect('pickup', minutes(15)))
    .then({ type: 'LockerPickupCompleted', data: { at: minutes(15), by, with_code: true } })
  given(...locked, rotated('pickup'))
    .when(collect('new'))
    .then(collected())
  const shut = [created, ...Array.from({ length: 5 }, () => refused('access'))]
  given(...shut)
    .when({ ...openCommand, values: { ...opening, access_code_hash: 'access' } })
    .thenRefused('too_many_attempts')
  given(...shut)
    .when(openCommand)
    .then(allocated, opened())
})

t.test('given no code, when parcels are handed out, then by staff alone, after the expiry too', async () => {
  const collect = { move: 'collect', ...told } as const
  given(...histories.delivered)
    .when({ ...collect, values: { is_staff: true } })
    .then(collected(false))
  given(...histories.delivered)
    .when({ ...collect, values: { is_staff: false } })
    .thenRefused('pickup_code_required')
  given(...histories.delivered)
    .when({ ...collect, at: late, values: { pickup_code_hash: 'pickup', is_staff: true } })
    .thenRefused('locker_delivery_expired')
  given(...histories.delivered)
    .when({ ...collect, at: late, values: { is_staff: true } })
    .then({ type: 'LockerPickupCompleted', data: { at: late, by, with_code: false } })
})

t.test('given doors that were opened from afar, when the last one closes, then the deposit is confirmed', async () => {
  const close = (grid_id: number): LockerDeliveryCommand => ({ move: 'close_door', ...told, values: { grid_id } })
  const two = [created, allocated, opened('remote_open', [compartment(1), compartment(2)])]
  given(...two)
    .when(close(2))
    .then(closed(2))
  given(...two, closed(2))
    .when(close(2))
    .thenNothing()
  given(...two, closed(2))
    .when(close(1))
    .then(closed(1), confirmed('door_close'))
  given(...two)
    .when(close(3))
    .thenRefused('compartment_not_found')
  given(...two, closed(1), closed(2), opened('remote_open', [compartment(3)]))
    .when(close(3))
    .then(closed(3), confirmed('door_close'))
  given(...two, closed(1), opened('locker_screen', [compartment(2)]))
    .when(close(2))
    .then(closed(2))
  given(...two, opened('remote_open', [compartment(2)]))
    .when(close(2))
    .then(closed(2))
})

t.test('given open doors, when a timeout is to settle it, then not before they are closed', async () => {
  const confirm = { move: 'confirm', ...told, values: { confirmed_by: 'timeout_door_closed' } } as const
  given(...histories.opened)
    .when(confirm)
    .thenRefused('doors_still_open')
  given(...histories.opened, closed())
    .when(confirm)
    .then(confirmed('timeout_door_closed'))
})

t.test(
  'given a deposit, when it is corrected, then within the window that begins with the first confirmation',
  async () => {
    const reopen = (count: number, grid_ids = [1]): LockerDeliveryCommand => ({
      ...{ move: 'reopen', at: minutes(count), by, values: { grid_ids } },
    })
    given(...histories.delivered)
      .when(reopen(14))
      .then({ type: 'LockerCorrectionReopened', data: { at: minutes(14), by, grid_ids: [1] } })
    given(...histories.delivered)
      .when(reopen(15))
      .thenRefused('correction_over')
    given(...histories.delivered)
      .when(reopen(1, [1, 9]))
      .thenRefused('compartment_not_found')
    given(...histories.delivered, reopened, confirmed('console', minutes(10)))
      .when(reopen(15))
      .thenRefused('correction_over')
    given(
      { type: 'LockerDeliveryCreated', data: { ...creation, correction_minutes: 0 } },
      ...histories.delivered.slice(1),
    )
      .when(reopen(0))
      .thenRefused('correction_over')
  },
)

t.test('given parcels, when a delivery fails, then each is named once', async () => {
  const two: LockerDeliveryEvent = {
    type: 'LockerDeliveryCreated',
    data: { ...creation, parcels: [{ reference_number: 'P1' }, { reference_number: 'P2' }] },
  }
  const other = { reference_number: 'P2', failure_code: 'parcel_missing' } as const
  const fail = (...packages: LockerDelivery['packages']) =>
    given(two).when({ move: 'fail', ...told, values: { packages } })
  fail(...packages, other).then({ type: 'LockerDeliveryFailed', data: { ...told, packages: [...packages, other] } })
  fail(...packages).thenRefused('parcels_differ')
  fail(...packages, ...packages).thenRefused('parcels_differ')
  fail(...packages, other, { reference_number: 'P3', failure_code: 'other' }).thenRefused('parcels_differ')
})

t.test('given an expiry, when it is looked at, then nothing expires before its time', async () => {
  const expire = (instant: number): LockerDeliveryCommand => ({ move: 'expire', at: isoOf(instant), by })
  const [first, second] = [deliveryExpiry, pickupExpiry].map((count) => start + count * 60_000) as [number, number]
  given(created)
    .when(expire(first - 1))
    .thenRefused('locker_delivery_not_due')
  given(created)
    .when(expire(first))
    .then(expired('delivery_code', isoOf(first)))
  given(...histories.delivered)
    .when(expire(second - 1))
    .thenRefused('locker_delivery_not_due')
  given(...histories.delivered)
    .when(expire(second))
    .then(expired('deposit', isoOf(second)))
})

t.test('given a partner that goes on and on, when a delivery is full, then it can only be ended', async () => {
  const times = <Item>(count: number, item: Item) => Array.from({ length: count }, () => item)
  const busy = [created, allocated, opened(), ...times(maxOpenings - 1, rotated('access'))]
  for (const move of ['open', 'rotate_access', 'rotate_pickup'] as const) {
    given(...busy)
      .when(commands[move])
      .thenRefused('locker_delivery_full')
    const [fact] = outcomes.opened[move]?.slice(1) ?? []
    if (fact !== undefined)
      given(...busy.slice(0, -1))
        .when(commands[move])
        .then(fact as LockerDeliveryEvent)
  }
  given(...busy, confirmed('console'))
    .when(commands.reopen)
    .thenRefused('locker_delivery_full')
  given(...busy)
    .when(commands.cancel)
    .then(cancelled)
  given(...busy)
    .when(commands.close_door)
    .then(closed(), confirmed('door_close'))
  const all = Array.from({ length: maxCompartments }, (_, place) => compartment(place + 1))
  const wide = [created, allocated, opened('remote_open', all)]
  given(...wide)
    .when(openCommand)
    .then(opened())
  given(...wide)
    .when({ ...openCommand, values: { ...opening, compartments: [compartment(maxCompartments + 1)] } })
    .thenRefused('locker_delivery_full')
})

t.test('given a code, when it was replaced before doors open again, then no other is allocated', async (t) => {
  const history = [...histories.opened, rotated('pickup')]
  given(...history)
    .when(openCommand)
    .then(opened())
  t.equal(fold(lockerDeliveries, history)?.pickup_code, undefined)
  t.equal(fold(lockerDeliveries, [...histories.opened, rotated('access')])?.pickup_code, '123456')
})

t.test('given two texts, when they are compared in constant time, then the answer is that of ===', async () => {
  const text = fc.string({ maxLength: 3, unit: fc.constantFrom('a', 'b') })
  fc.assert(fc.property(text, text, (one, other) => isSameText(one, other) === (one === other)))
})

t.test('given tokens, when codes are made of them, then each has six digits', async (t) => {
  const codeOf = (token: string) => newShortCode({ credentials: { ...outside.credentials, token: () => token } })
  t.equal(codeOf('0'.repeat(64)), '000000')
  t.equal(codeOf('f'.repeat(64)), '639935')
})

/** What is done in a random history, in its own words. */
type Step =
  | { readonly do: 'open'; readonly code: 'none' | 'right' | 'wrong'; readonly grids: readonly number[] }
  | { readonly do: 'close'; readonly grid: number }
  | { readonly do: 'confirm'; readonly way: (typeof toldConfirmations)[number] }
  | { readonly do: 'reopen'; readonly grids: readonly number[] }
  | { readonly do: 'collect'; readonly code: 'none' | 'right' | 'wrong'; readonly isStaff: boolean }
  | { readonly do: 'fail'; readonly isEach: boolean }
  | { readonly do: 'cancel' }
  | { readonly do: 'expire' }
  | { readonly do: 'rotate'; readonly code: 'access' | 'pickup' }
  | { readonly do: 'pass'; readonly minutes: number }

const grids = fc.uniqueArray(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 3 })
const anyCode = fc.constantFrom('none', 'right', 'wrong', 'wrong')
const steps = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('open'), code: anyCode, grids }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('close'), grid: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('confirm'), way: fc.constantFrom(...toldConfirmations) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('reopen'), grids }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('collect'),
      code: fc.constantFrom('none', 'right', 'wrong', 'wrong', 'wrong', 'wrong'),
      isStaff: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fail'), isEach: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('cancel', 'expire', 'expire') }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('rotate'), code: fc.constantFrom('access', 'pickup') }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pass'), minutes: fc.constantFrom(1, 5, 20, 70, 1500) }) },
) as fc.Arbitrary<Step>

/** A second telling of the rules, in which time is counted in minutes and codes by their numbers. */
interface Box {
  status: LockerDeliveryStatus
  minute: number
  /** The doors that were opened, and whether they are. */
  readonly doors: Map<number, boolean>
  isRemote: boolean
  correctableUntil: number | undefined
  wrong: number
  lockedUntil: number
  codes: number
}

const forbidden = 'locker_delivery_status_forbids'

function become(box: Box, status: LockerDeliveryStatus): undefined {
  box.status = status
}

function unlock(box: Box, more: Partial<Box> = {}): undefined {
  return void Object.assign(box, { wrong: 0, lockedUntil: 0, ...more })
}

function deposit(box: Box): undefined {
  return unlock(box, { status: 'delivered', correctableUntil: box.correctableUntil ?? box.minute + 15 })
}

/** What a code that is not right does. */
function refuse(box: Box): undefined {
  box.wrong++
  if (box.wrong === 5) Object.assign(box, { wrong: 0, lockedUntil: box.minute + 15 })
}

/** What each step does to a box, or the code that it is refused with. */
const rules: {
  readonly [Name in Step['do']]: (box: Box, step: Extract<Step, { readonly do: Name }>) => string | undefined
} = {
  pass: (box, { minutes }) => {
    box.minute += minutes
    return undefined
  },
  open: (box, { code, grids }) => {
    if (box.status !== 'pending' && box.status !== 'opened') return forbidden
    if (box.minute >= deliveryExpiry && (code !== 'none' || box.status === 'pending')) return 'locker_delivery_expired'
    if (code !== 'none' && box.minute < box.lockedUntil) return 'too_many_attempts'
    if (code === 'wrong') return refuse(box)
    for (const grid of grids) box.doors.set(grid, true)
    return unlock(box, { status: 'opened', isRemote: code === 'none' })
  },
  close: (box, { grid }) => {
    if (!['opened', 'delivered', 'correcting'].includes(box.status)) return forbidden
    if (!box.doors.has(grid)) return 'compartment_not_found'
    if (box.doors.get(grid) === false) return undefined
    box.doors.set(grid, false)
    const isLast = ![...box.doors.values()].includes(true)
    return isLast && box.isRemote && box.status !== 'delivered' ? deposit(box) : undefined
  },
  confirm: (box, { way }) => {
    if (box.status !== 'opened' && box.status !== 'correcting') return forbidden
    if (way === 'timeout_door_closed' && [...box.doors.values()].includes(true)) return 'doors_still_open'
    return deposit(box)
  },
  reopen: (box, { grids }) => {
    if (box.status !== 'delivered') return forbidden
    if (box.minute >= (box.correctableUntil ?? 0)) return 'correction_over'
    if (grids.some((grid) => !box.doors.has(grid))) return 'compartment_not_found'
    for (const grid of grids) box.doors.set(grid, true)
    return void Object.assign(box, { status: 'correcting', isRemote: true })
  },
  collect: (box, { code, isStaff }) => {
    if (box.status !== 'delivered') return forbidden
    if (code === 'none' && !isStaff) return 'pickup_code_required'
    if (code !== 'none' && box.minute >= pickupExpiry) return 'locker_delivery_expired'
    if (code !== 'none' && box.minute < box.lockedUntil) return 'too_many_attempts'
    return code === 'wrong' ? refuse(box) : become(box, 'collected')
  },
  fail: (box, { isEach }) => {
    if (!['pending', 'opened', 'correcting'].includes(box.status)) return forbidden
    return isEach ? become(box, 'failed') : 'parcels_differ'
  },
  cancel: (box) => {
    return box.status === 'pending' || box.status === 'opened' ? become(box, 'cancelled') : forbidden
  },
  expire: (box) => {
    if (box.status !== 'pending' && box.status !== 'delivered') return forbidden
    const due = box.status === 'pending' ? deliveryExpiry : pickupExpiry
    return box.minute < due ? 'locker_delivery_not_due' : become(box, 'expired')
  },
  rotate: (box, { code }) => {
    const from = code === 'access' ? ['pending', 'opened'] : ['opened', 'delivered', 'correcting']
    return from.includes(box.status) ? unlock(box) : forbidden
  },
}

/** The command of a step; `codes` are the right ones of the moment, by their hashes. */
function commandOf(
  step: Step,
  now: string,
  codes: { readonly access: string; readonly pickup: string },
): LockerDeliveryCommand | undefined {
  const told = { at: now, by }
  switch (step.do) {
    case 'open': {
      const hash = step.code === 'none' ? {} : { access_code_hash: step.code === 'right' ? codes.access : 'wrong' }
      return { move: 'open', ...told, values: { ...opening, ...hash, compartments: step.grids.map(compartment) } }
    }
    case 'close':
      return { move: 'close_door', ...told, values: { grid_id: step.grid } }
    case 'confirm':
      return { move: 'confirm', ...told, values: { confirmed_by: step.way } }
    case 'reopen':
      return { move: 'reopen', ...told, values: { grid_ids: step.grids } }
    case 'collect': {
      const hash = step.code === 'none' ? {} : { pickup_code_hash: step.code === 'right' ? codes.pickup : 'wrong' }
      return { move: 'collect', ...told, values: { ...hash, is_staff: step.isStaff } }
    }
    case 'fail':
      return { move: 'fail', ...told, values: { packages: step.isEach ? packages : [] } }
    case 'cancel':
      return { move: 'cancel', ...told }
    case 'expire':
      return { move: 'expire', ...told }
    case 'rotate':
      return { move: `rotate_${step.code}`, ...told, values: { code_hash: `${now} new` } }
    case 'pass':
      return undefined
  }
}

/** Histories with refusals that are rare by chance: five wrong codes lock a box, and a late correction is refused. */
const rare: [Step[]][] = [
  [[...Array.from({ length: 6 }, (): Step => ({ do: 'open', code: 'wrong', grids: [1] }))]],
  [
    [
      { do: 'open', code: 'none', grids: [1] },
      { do: 'confirm', way: 'timeout_door_closed' },
      { do: 'close', grid: 1 },
      { do: 'collect', code: 'none', isStaff: false },
      { do: 'pass', minutes: 20 },
      { do: 'reopen', grids: [1] },
    ],
  ],
]

t.test('given any history, when each step is taken, then it follows a second account of the rules', async (t) => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 40, size: 'max' }), (taken) => {
      const box: Box = {
        ...{ status: 'pending', minute: 0, doors: new Map(), isRemote: false, correctableUntil: undefined },
        ...{ wrong: 0, lockedUntil: 0, codes: 0 },
      }
      const codes = { access: 'access', pickup: 'pickup' }
      let state = fold(lockerDeliveries, [created])
      for (const step of taken) {
        const now = minutes(box.minute)
        const command = commandOf(step, now, codes)
        const wanted = (rules[step.do] as (box: Box, step: Step) => string | undefined)(box, step)
        let facts: readonly LockerDeliveryEvent[] = []
        const code = refusalOf(() => {
          if (command !== undefined) facts = lockerDeliveries.decide(command, state)
        })
        if (code !== wanted) throw new Error(`${JSON.stringify(step)}: ${code}, not ${wanted}`)
        for (const fact of facts) state = lockerDeliveries.evolve(state, fact)
        if (step.do === 'rotate' && code === undefined) codes[step.code] = `${now} new`
        const doors = state?.compartments.filter(({ is_open }) => is_open).map(({ grid_id }) => grid_id)
        const open = [...box.doors].flatMap(([grid, isOpen]) => (isOpen ? [grid] : []))
        if (state?.status !== box.status)
          throw new Error(`${JSON.stringify(step)}: ${state?.status}, not ${box.status}`)
        if (String(doors?.toSorted()) !== String(open.toSorted())) throw new Error(`${doors} are open, not ${open}`)
        seen.add(wanted ?? 'done').add(box.status)
      }
    }),
    { numRuns: runs(t, 60), examples: rare },
  )
  const refusals = ['compartment_not_found', 'correction_over', 'doors_still_open', 'locker_delivery_expired']
  const more = ['locker_delivery_not_due', forbidden, 'parcels_differ', 'pickup_code_required', 'too_many_attempts']
  if (areMany)
    t.same([...seen].sort(), ['done', ...refusals, ...more, ...lockerDeliveryStatusNames].sort(), 'all of it was met')
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
  contractor: account(6, 'contractor'),
  stranger: account(11, 'client_admin', 2),
  acme: provider('acme', 1),
  rival: provider('rival', 1),
  elsewhere: provider('acme', 2),
  unbound: provider('plain'),
  anybody: anonymous,
} as const satisfies Readonly<Record<string, Caller>>

type Who = keyof typeof callers

const isOrderOf = async (_: unknown, businessId: number, order: number) => businessId === (order === 9 ? 1 : 2)

/** An engine on a sealed store in memory; time passes only when the test lets it. */
function createWorld() {
  const clock = { now: start }
  let ids = 0
  const kept = createMemoryStore(() => clock.now)
  const store = sealedStore(kept, { vault: createMemoryVault(), upcasts: {}, erasures: [] })
  const models = createMemoryModels(store)
  let tokens = 0
  const context: Context = {
    ...outside,
    store,
    models,
    clock: () => clock.now,
    randomId: () => deriveId('partner lockers', String(ids++)),
    profiles: [] as unknown as Context['profiles'],
    formats: [] as unknown as Context['formats'],
    baseUrl: 'http://localhost',
    credentials: { ...outside.credentials, token: () => sha256(`token ${tokens++}`) },
    ports: { ...outside.ports, partnerLockers: { isOrderOf } },
    directory: { ...outside.directory, serves: async (_, name) => name !== 'nobody' },
    caller: anonymous,
    messages: en,
    requestId: 'test',
  }

  /** Calls an operation by its name. */
  async function as(who: Who, name: string, input: object, key?: string): Promise<Answered> {
    const found = partnerLockersDomain.operations.find((one) => one.name === name) as Operation
    const asking = { ...context, caller: callers[who] }
    const answer = key === undefined ? await call(found, asking, input) : await perform(found, asking, input, key)
    recordCall({ operation: name, input, status: 200, answer })
    return v.parse(found.output, answer) as unknown as Answered
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
    for await (const event of store.readAll(undefined, { category: 'locker_delivery' }))
      if (lockerEventSource.types.includes(event.type))
        all.push(...(await lockerEventSource.webhookEventsOf(context, event)))
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
  readonly delivery_id: number
  readonly status: string
  readonly pickup_code: string
  readonly new_code: string
  readonly total: number
  readonly locker_deliveries: readonly { readonly id: number }[]
  readonly [member: string]: unknown
}

const delivery = {
  parcels: [{ reference_number: 'P1' }],
  device_id: 4,
  device_name: 'Locker Main St',
  access_code: 'ABC123',
  delivery_expires_at: '2026-06-10T13:00:00+02:00',
  pickup_expires_at: minutes(pickupExpiry),
}
const ofAcme = { ...delivery, provider: 'acme' }
const first = { delivery_id: 1 }
const labelled = { grid_id: 31, compartment_number: 7, pickup_locker_number: 3, shelf_code: 'A' }
const label = { grid_id: 31, compartment_number: 7, pickup_locker_number: 3, pickup_locker_code: 'A-3' }

/** Inputs of every operation on the delivery 1, in an order in which they can be called. */
const onFirst: Readonly<Record<string, object>> = {
  get_locker_delivery: {},
  open_locker_doors: { compartments: [labelled] },
  report_locker_door_closed: { grid_id: 31 },
  reopen_locker_doors: { grid_ids: [31] },
  confirm_locker_delivery: {},
  rotate_locker_code: { code: 'pickup' },
  complete_locker_pickup: { pickup_code: 'x' },
  fail_locker_delivery: { packages },
  cancel_locker_delivery: {},
}

t.test('given each kind of caller, when it calls each operation, then it may what is its own', async (t) => {
  const world = createWorld()
  await world.as('admin', 'create_locker_delivery', ofAcme)
  const names = Object.keys(onFirst)
  t.equal(names.length + 3, partnerLockersDomain.operations.length, 'all operations are named here')
  const codes = async (who: Who) =>
    new Set(await Promise.all(names.map((name) => world.codeOf(who, name, { ...first, ...onFirst[name] }))))
  for (const who of ['stranger', 'rival', 'elsewhere'] as const)
    t.same([...(await codes(who))], ['locker_delivery_not_found'], who)
  for (const who of ['customer', 'driver', 'contractor'] as const) t.same([...(await codes(who))], ['forbidden'], who)
  t.same([...(await codes('unbound'))], ['account_required'])
  t.same([...(await codes('anybody'))], ['unauthenticated'])
  const ended = ['fail_locker_delivery', 'cancel_locker_delivery']
  for (const name of names) {
    const refusal = ended.includes(name) ? forbidden : 'done'
    const wanted = name === 'complete_locker_pickup' ? 'wrong_locker_code' : refusal
    t.equal(await world.codeOf('acme', name, { ...first, ...onFirst[name] }), wanted, name)
  }
  t.equal(await world.codeOf('employee', 'complete_locker_pickup', first), 'done')
})

t.test(
  'given a partner, when a delivery is created, then by it or for it, and on an order of the business',
  async (t) => {
    const world = createWorld()
    const create = (who: Who, input: object) => world.codeOf(who, 'create_locker_delivery', input)
    t.equal(await create('acme', delivery), 'done')
    t.equal(await create('acme', ofAcme), 'done')
    t.equal(await create('acme', { ...delivery, provider: 'rival' }), 'provider_not_found')
    t.equal(await create('admin', delivery), 'provider_required')
    t.equal(await create('admin', { ...delivery, provider: 'nobody' }), 'provider_not_found')
    t.equal(await create('admin', { ...ofAcme, order_id: 8 }), 'order_not_found')
    t.equal(await create('admin', { ...ofAcme, order_id: 9 }), 'done')
    t.equal(await create('admin', { ...ofAcme, delivery_expires_at: at }), 'expiry_too_early')
    t.equal(await create('admin', { ...ofAcme, pickup_expires_at: minutes(1) }), 'expiry_too_early')
    t.equal(await create('unbound', delivery), 'account_required')
    for (const wrong of [
      { parcels: [] },
      { parcels: [...delivery.parcels, ...delivery.parcels] },
      { parcels: [null] },
      { access_code: '12' },
      { access_code: 'a b c d' },
      { delivery_expires_at: '2026-06-10' },
      { correction_minutes: -1 },
      { device_name: ' ' },
      { provider: 'No Name' },
      { pickup_code: '123456' },
    ])
      t.equal(await create('admin', { ...ofAcme, ...wrong }), 'invalid_input')
    t.equal((await world.as('admin', 'list_locker_deliveries', {})).total, 3, 'nothing of what was refused')
  },
)

t.test('given a call under a key, when it is repeated, then no second delivery is created', async (t) => {
  const world = createWorld()
  for (const _ of [1, 2]) t.equal((await world.as('acme', 'create_locker_delivery', delivery, 'key')).delivery_id, 1)
  t.notMatch(JSON.stringify(await world.events()), /ABC123/, 'the code of the courier is kept nowhere')
  await world.as('acme', 'open_locker_doors', { ...first, compartments: [labelled] }, 'open')
  const again = await world.as('acme', 'open_locker_doors', { ...first, compartments: [labelled] }, 'open')
  t.match(again.pickup_code, /^\d{6}$/, 'what tells a code is not kept under a key')
})

t.test(
  'given locker deliveries, when they are read and listed, then as they stand, and by whom they are',
  async (t) => {
    const world = createWorld()
    for (const input of [
      { ...ofAcme, order_id: 9 },
      { ...delivery, provider: 'rival' },
      { ...ofAcme, mock: true },
    ])
      await world.as('admin', 'create_locker_delivery', input)
    await world.as('elsewhere', 'create_locker_delivery', delivery)
    await world.as('acme', 'open_locker_doors', { ...first, access_code: 'ABC123', compartments: [labelled] })
    const listed = async (who: Who, input: object) =>
      (await world.as(who, 'list_locker_deliveries', input)).locker_deliveries.map(({ id }) => id)
    t.same(await listed('admin', {}), [3, 2, 1])
    t.same(await listed('acme', {}), [3, 1])
    t.same(await listed('acme', { provider: 'rival' }), [], 'a partner finds nothing of another one')
    t.same(await listed('employee', { provider: 'rival' }), [2])
    t.same(await listed('admin', { status: 'opened' }), [1])
    t.same(await listed('admin', { order_id: 9 }), [1])
    t.same(await listed('admin', { per_page: 1, page: 2 }), [2])
    t.same(await listed('elsewhere', {}), [4])
    const listedRecord = {
      ...{ id: 1, provider: 'acme', status: 'opened', mock: false, device_id: 4, device_name: 'Locker Main St' },
      ...{ order_id: 9, delivery_expires_at: minutes(60), pickup_expires_at: minutes(pickupExpiry) },
      ...{ opened_at: at, delivered_at: null, ended_at: null },
    }
    t.same((await world.as('admin', 'list_locker_deliveries', { status: 'opened' })).locker_deliveries, [listedRecord])
    t.same(await world.as('acme', 'get_locker_delivery', first), {
      result: true,
      locker_delivery: { ...listedRecord, parcels: [{ reference_number: 'P1' }] },
      compartments: [{ ...label, is_open: true }],
      packages: [],
    })
    await world.as('acme', 'confirm_locker_delivery', first)
    world.clock.now += 60_000
    await world.as('admin', 'complete_locker_pickup', first)
    const { locker_deliveries } = await world.as('admin', 'list_locker_deliveries', { status: 'collected' })
    t.match(locker_deliveries, [{ id: 1, opened_at: at, delivered_at: at, ended_at: minutes(1) }])
  },
)

t.test('given the parties to a delivery, when they confirm it, then each speaks for itself', async (t) => {
  const world = createWorld()
  const ways: [Who, object, string][] = [
    ['acme', {}, 'partner_api'],
    ['acme', { confirmed_by: 'partner_api' }, 'partner_api'],
    ['admin', {}, 'console'],
    ['admin', { confirmed_by: 'courier_terminal' }, 'courier_terminal'],
    ['admin', { confirmed_by: 'partner_api' }, 'partner_api'],
  ]
  for (const [place, [who, input]] of ways.entries()) {
    const delivery_id = place + 1
    await world.as('admin', 'create_locker_delivery', ofAcme)
    await world.as('acme', 'open_locker_doors', { delivery_id, compartments: [labelled] })
    const other = { delivery_id, confirmed_by: 'courier_terminal' }
    t.equal(await world.codeOf('acme', 'confirm_locker_delivery', other), 'account_required')
    t.equal((await world.as(who, 'confirm_locker_delivery', { delivery_id, ...input })).status, 'delivered')
  }
  const told = (await world.webhookEvents()).map((one) => one.data('business').confirmed_by)
  t.same(
    told.filter((way) => way !== undefined),
    ways.map(([, , way]) => way),
  )
  t.equal(
    await world.codeOf('admin', 'confirm_locker_delivery', { ...first, confirmed_by: 'door_close' }),
    'invalid_input',
  )
})

t.test(
  'given a pickup code, when it is given, then it works once the deposit is confirmed, and wrong ones count',
  async (t) => {
    const world = createWorld()
    await world.as('acme', 'create_locker_delivery', delivery)
    const open = { ...first, compartments: [labelled] }
    t.equal(await world.codeOf('acme', 'open_locker_doors', { ...open, access_code: 'wrong' }), 'wrong_locker_code')
    const { pickup_code } = await world.as('acme', 'open_locker_doors', { ...open, access_code: 'ABC123' })
    t.match(pickup_code, /^\d{6}$/)
    t.equal((await world.as('acme', 'open_locker_doors', open)).pickup_code, pickup_code, 'it stays the same')
    const collect = (code: string) => world.codeOf('acme', 'complete_locker_pickup', { ...first, pickup_code: code })
    t.equal(await collect(pickup_code), forbidden)
    await world.as('acme', 'report_locker_door_closed', { ...first, grid_id: 31 })
    t.equal((await world.as('acme', 'reopen_locker_doors', { ...first, grid_ids: [31] })).status, 'correcting')
    t.equal(await collect(pickup_code), forbidden, 'it waits for the correction')
    t.equal((await world.as('acme', 'report_locker_door_closed', { ...first, grid_id: 31 })).status, 'delivered')
    t.equal(await world.codeOf('acme', 'complete_locker_pickup', first), 'pickup_code_required')
    const { new_code } = await world.as('acme', 'rotate_locker_code', { ...first, code: 'pickup' })
    for (let count = 0; count < 5; count++) t.equal(await collect(pickup_code), 'wrong_locker_code')
    t.equal(await collect(new_code), 'too_many_attempts')
    world.clock.now += 15 * 60_000
    t.equal(await collect(new_code), 'done')
  },
)

t.test(
  'given deliveries past their expiry, when they are swept, then they expire once, each for its own',
  async (t) => {
    const world = createWorld()
    for (const _ of [1, 2, 3]) await world.as('acme', 'create_locker_delivery', delivery)
    await world.as('rival', 'create_locker_delivery', delivery)
    await world.as('stranger', 'create_locker_delivery', ofAcme)
    for (const delivery_id of [1, 2])
      await world.as('acme', 'open_locker_doors', { delivery_id, compartments: [labelled] })
    await world.as('acme', 'confirm_locker_delivery', first)
    const sweep = async (who: Who) => {
      const { expired, left } = await world.as(who, 'expire_locker_deliveries', {})
      return [expired, left]
    }
    const due = async (after = 0) =>
      (await dueLockerDeliveries(world.context, world.clock.now, after, 9)).map(({ id }) => id)
    t.same(await sweep('acme'), [0, 0])
    world.clock.now = start + 60 * 60_000
    t.same(await due(), [3, 4, 5], 'doors of one were opened, and one waits for its recipient')
    t.same(await due(3), [4, 5])
    t.same(await sweep('acme'), [1, 0])
    t.same(await sweep('admin'), [1, 0])
    t.same(await due(), [5])
    t.equal(await expireLockerDelivery(world.context, 5), true)
    t.equal(await expireLockerDelivery(world.context, 5), false)
    t.equal(await expireLockerDelivery(world.context, 1), false)
    world.clock.now = start + pickupExpiry * 60_000
    t.same(await sweep('employee'), [1, 0])
    t.equal((await world.as('acme', 'get_locker_delivery', first)).status, undefined)
    const told = (await world.webhookEvents()).flatMap((one) => {
      const { expiry } = one.data('business') as { expiry?: { expired: string } }
      return expiry === undefined ? [] : [[one.subject, expiry.expired]]
    })
    t.same(told, [
      ['locker-delivery/3', 'delivery_code'],
      ['locker-delivery/4', 'delivery_code'],
      ['locker-delivery/5', 'delivery_code'],
      ['locker-delivery/1', 'deposit'],
    ])
  },
)

/** Every webhook event of the document, caused by calls. */
async function tellAll(world: ReturnType<typeof createWorld>, more: object): Promise<void> {
  const create = async () => (await world.as('admin', 'create_locker_delivery', { ...ofAcme, ...more })).delivery_id
  const [whole, failing, unused, off] = [await create(), await create(), await create(), await create()]
  await world.as('acme', 'open_locker_doors', { delivery_id: whole, compartments: [labelled] })
  await world.as('acme', 'report_locker_door_closed', { delivery_id: whole, grid_id: 31 })
  await world.as('acme', 'reopen_locker_doors', { delivery_id: whole, grid_ids: [31] })
  await world.as('admin', 'confirm_locker_delivery', { delivery_id: whole, confirmed_by: 'courier_terminal' })
  const rotation = { delivery_id: whole, code: 'pickup', recipient_notified: true }
  const { new_code } = await world.as('acme', 'rotate_locker_code', rotation)
  await world.as('acme', 'complete_locker_pickup', { delivery_id: whole, pickup_code: new_code })
  await world.as('acme', 'fail_locker_delivery', { delivery_id: failing, packages })
  await world.as('acme', 'cancel_locker_delivery', { delivery_id: off })
  world.clock.now = start + 60 * 60_000
  await world.as('admin', 'expire_locker_deliveries', {})
  t.equal((await world.as('acme', 'list_locker_deliveries', { status: 'expired' })).locker_deliveries[0]?.id, unused)
}

t.test(
  'given what partners are told, when it is described, then it is of their channel, and each has an example',
  async (t) => {
    t.same(lockerEventTypes.map(({ name }) => name).sort(), [
      ...['partner_locker.delivery.cancelled', 'partner_locker.delivery.code_rotated'],
      ...['partner_locker.delivery.correction_reopened', 'partner_locker.delivery.delivered'],
      ...['partner_locker.delivery.doors_opened', 'partner_locker.delivery.expired'],
      ...['partner_locker.delivery.failed', 'partner_locker.pickup.completed'],
    ])
    for (const { channel, idMember, data, example } of lockerEventTypes) {
      t.same([channel, idMember], ['provider_locker', 'event_id'])
      t.same(v.parse(data, example), example)
    }
  },
)

t.test(
  'given every kind of event, when it is told, then by its schema, to its partner, under a name of its own',
  async (t) => {
    const world = createWorld()
    await tellAll(world, {})
    const all = await world.webhookEvents()
    const parsed = all.map((one) => {
      const { data } = lockerEventTypes.find(({ name }) => name === one.type) ?? {}
      t.same(one.audience, { kind: 'provider', businessId: 1, provider: 'acme' })
      t.match(one.id, /^PLE-[0-9a-f-]{36}$/)
      t.match(one.subject, /^locker-delivery\/\d$/)
      t.notOk(one.isSandbox)
      for (const reader of ['business', 'customer'] as const) t.ok(data && v.is(data, one.data(reader)), one.type)
      return one.data('business')
    })
    t.equal(new Set(all.map(({ id }) => id)).size, all.length)
    t.same(new Set(all.map(({ type }) => type)), new Set(lockerEventTypes.map(({ name }) => name)), 'each was caused')
    t.same(
      (await world.webhookEvents()).map(({ id }) => id),
      all.map(({ id }) => id),
      'the same each time',
    )
    const [doors, delivered, correction, again, rotation, pickup, failure] = parsed
    t.match(doors, {
      locker_delivery: { id: 1, status: 'opened' },
      opening: { opened_by: 'remote_open', opened_at: at },
    })
    t.same((doors as { opening: { compartments: unknown } }).opening.compartments, [label])
    t.match(delivered, { locker_delivery: { status: 'delivered', delivered_at: at }, confirmed_by: 'door_close' })
    t.same(correction?.correction, { reopened_at: at, compartments: [label] })
    t.match(again, { confirmed_by: 'courier_terminal' })
    t.same(rotation?.rotation, { code: 'pickup', replaced_at: at, recipient_notified: true })
    t.match(pickup, { locker_delivery: { status: 'collected' }, pickup: { completed_at: at, with_code: true } })
    t.same(failure?.packages, packages)
  },
)

t.test('given a mock cabinet, when its events are told, then they are those of the sandbox', async (t) => {
  const world = createWorld()
  await tellAll(world, { mock: true })
  const all = await world.webhookEvents()
  t.ok(all.every(({ id, isSandbox }) => isSandbox === true && /^PLE-MOCK-[0-9a-f-]{36}$/.test(id)))
  t.equal(new Set(all.map(({ type }) => type)).size, lockerEventTypes.length)
})

t.test('given an event that is not told, when it is asked, then nothing is', async (t) => {
  const world = createWorld()
  await world.as('acme', 'create_locker_delivery', delivery)
  const [event] = (await world.events()).filter(({ type }) => type === 'LockerDeliveryCreated')
  t.same(event && (await lockerEventSource.webhookEventsOf(world.context, event)), [])
  t.notOk(lockerEventSource.types.includes('LockerPickupCodeAllocated'))
})

t.test(
  'given doors that open again, when that is told, then with the code of before, and with none once it was replaced',
  async (t) => {
    const world = createWorld()
    await world.as('acme', 'create_locker_delivery', delivery)
    const open = async () =>
      (await world.as('acme', 'open_locker_doors', { ...first, compartments: [labelled] })).pickup_code
    const [code, same] = [await open(), await open()]
    await world.as('acme', 'rotate_locker_code', { ...first, code: 'pickup' })
    t.equal(await open(), null)
    const told = (await world.webhookEvents()).filter(({ type }) => type === 'partner_locker.delivery.doors_opened')
    t.same(
      told.map((one) => one.data('business').pickup_code),
      [code, same, undefined],
    )
    t.equal(same, code)
  },
)

t.test(
  'given any history of calls, when all that is kept and told is searched, then no code stands where it must not',
  async (t) => {
    const names = [...Object.keys(onFirst), 'open_locker_doors', 'rotate_locker_code', 'list_locker_deliveries']
    const calls = fc.array(fc.constantFrom(...names), { maxLength: 14, size: 'max' })
    const searched = { allocated: 0, rotated: 0 }
    await fc.assert(
      fc.asyncProperty(calls, async (taken) => {
        const world = createWorld()
        const [codes, fresh] = [new Set<string>(), new Set<string>()]
        const answers: object[] = [await world.as('acme', 'create_locker_delivery', delivery, 'key')]
        for (const [index, name] of ['open_locker_doors', ...taken].entries()) {
          const known = [...codes, ...fresh].at(-(index % 3)) ?? '0'
          const asked = name === 'list_locker_deliveries' ? {} : { ...first, ...onFirst[name] }
          const input = name === 'complete_locker_pickup' ? { ...asked, pickup_code: known } : asked
          try {
            const { pickup_code, new_code, ...answer } = await world.as('acme', name, input, `key ${index}`)
            if (typeof pickup_code === 'string') codes.add(pickup_code)
            if (new_code !== undefined) fresh.add(new_code)
            answers.push(answer)
          } catch (error) {
            if (!isEngineError(error)) throw error
            answers.push({ message: messageOf(error.code, error.params, en), params: error.params })
          }
          world.clock.now += 60_000
        }
        const told = (await world.webhookEvents()).map((one) => ({ ...one, data: one.data('business') }))
        const others = told.map(({ type: eventType, data: { pickup_code, ...data }, ...one }) => {
          if (pickup_code !== undefined && eventType !== 'partner_locker.delivery.doors_opened')
            throw new Error(eventType)
          if (fresh.has(String(pickup_code))) throw new Error('a new code is told')
          return { ...one, data }
        })
        const everything = JSON.stringify([answers, others, await world.events()])
        for (const code of [...codes, ...fresh])
          if (new RegExp(`\\b${code}\\b`).test(everything)) throw new Error(`${code} in ${everything}`)
        searched.allocated += codes.size
        searched.rotated += fresh.size
      }),
      { numRuns: runs(t, 6) },
    )
    t.ok(!areMany || (searched.allocated >= 60 && searched.rotated > 0), 'there were codes to search for')
  },
)

t.test(
  'given what is kept, when the seal is open, then a code lies in one personal member and nowhere else',
  async (t) => {
    const world = createWorld()
    await tellAll(world, {})
    const holding: string[] = []
    for await (const { type, data } of world.context.store.readAll(undefined, { category: 'locker_delivery' })) {
      const { personal, ...rest } = data as { personal?: { pickup_code?: string } }
      if (personal !== undefined) holding.push(type)
      t.notMatch(JSON.stringify(rest), /"(pickup_code|access_code|new_code)"/)
    }
    t.same(holding, ['LockerPickupCodeAllocated'])
  },
)
