import fc from 'fast-check'
import t from 'tap'
import * as v from 'valibot'
import { storage } from '../../../profiles/storage.ts'
import { allowsMove } from '../../entity/machine.ts'
import {
  type Account,
  anonymous,
  type Caller,
  type Context,
  call,
  createMemoryModels,
  createMemoryStore,
  type EntityEvent,
  fold,
  isoOf,
  isTerminal,
  type Members,
  type NewEvent,
  type Operation,
  preview,
  type Reader,
  type RecordedEvent,
  sha256,
  stepBetween,
  type WebhookEvent,
  type WebhookEventFacts,
} from '../../index.ts'
import { isSameText, newShortCode } from '../../kernel/short-code.ts'
import type { WebhookEventSource } from '../../kernel/webhook-event.ts'
import { outside } from '../../testing/context.ts'
import { areMany, runs } from '../../testing/runs.test.fixture.ts'
import { refusalOf, specificationOf } from '../../testing/spec.ts'
import { deviceOrder } from './device-order.ts'
import { deviceOrdersDomain } from './index.ts'
import { becomeOverdue, waitingDeviceOrders } from './overdue.ts'
import { type DeviceOrder, type DeviceOrderCommand, deviceOrders } from './rules.ts'
import { trackedStay } from './tracked.ts'
import { accounts, announced, callerOf, createWorld, first, locker, start } from './world.test.fixture.ts'

type DeviceOrderEvent = EntityEvent
type DeviceStatus = keyof typeof deviceOrder.statuses
type DeviceMove = 'store' | 'become_overdue' | 'collect' | 'remove' | 'cancel' | 'issue_code' | 'open_exception'

const { webhookEventTypes: deviceOrderEventTypes = [], webhookEventSources = [] } = deviceOrdersDomain
const deviceOrderEventSource = webhookEventSources[0] as WebhookEventSource
const deviceStatusNames = Object.keys(deviceOrder.statuses) as readonly DeviceStatus[]

const { given } = specificationOf(t, deviceOrders)

const at = isoOf(start)
const due_at = isoOf(start + 3_600_000)
const by = 7
const told = { at, by }

const webhookEvent = {
  device_order_id: 1,
  business_id: 1,
  kind: 'delivery',
  device_type: 'locker',
  device_id: 4,
  device_name: 'Locker Main St',
  grid_code: null,
  customer_id: null,
  reference_number: null,
  order_id: null,
  external_order_id: null,
  due_at: null,
  next_actor: 'courier',
  piece_id: 'urn:uuid:1',
}
const creation = { ...told, ...webhookEvent }
const created: DeviceOrderEvent = { type: 'DeviceOrderCreated', data: creation }
const createdSmartDrop: DeviceOrderEvent = {
  type: 'DeviceOrderCreated',
  data: { ...creation, device_type: 'smart_drop' },
}
const stored: DeviceOrderEvent = {
  type: 'DeviceOrderStored',
  data: { by, stored_at: at, due_at, next_actor: 'recipient' },
}
const issued: DeviceOrderEvent = { type: 'PickupCodeIssued', data: { ...told, code_hash: 'right' } }
const overdue: DeviceOrderEvent = {
  type: 'DeviceOrderBecameOverdue',
  data: { by: null, overdue_at: due_at, due_at, next_actor: 'operator' },
}
const overdueOpened: DeviceOrderEvent = {
  type: 'DeviceExceptionOpened',
  data: { at: due_at, by: null, exception_id: 1, type: 'overdue', severity: 'medium' },
}
const collected: DeviceOrderEvent = { type: 'DeviceOrderCollected', data: told }
const refused: DeviceOrderEvent = { type: 'PickupCodeRefused', data: told }

const collect = (code_hash?: string, more: object = {}, when = told): DeviceOrderCommand => ({
  ...{ move: 'collect', ...when },
  values: { is_staff: false, ...(code_hash === undefined ? {} : { code_hash }), ...more },
})

const report = { type: 'door_left_open', severity: 'high' }
const open: DeviceOrderCommand = { move: 'open_exception', ...told, values: report }

/** A history that ends in each status. */
const histories: Readonly<Record<DeviceStatus, readonly DeviceOrderEvent[]>> = {
  pending: [created],
  stored: [created, stored, issued],
  overdue: [created, stored, issued, overdue, overdueOpened],
  collected: [created, stored, issued, collected],
  removed: [...[created, stored, issued], { type: 'DeviceOrderRemoved', data: { ...told, removal_reason: 'anomaly' } }],
  cancelled: [created, { type: 'DeviceOrderCancelled', data: told }],
}

/** A command that makes each move, where it is allowed. */
const commands: Readonly<Record<DeviceMove, DeviceOrderCommand>> = {
  store: { move: 'store', ...told, values: { due_at, next_actor: 'recipient', code_hash: 'right' } },
  become_overdue: { move: 'become_overdue', at: due_at, by: null },
  collect: collect('right'),
  remove: { move: 'remove', ...told, values: { removal_reason: 'handover' } },
  cancel: { move: 'cancel', ...told },
  issue_code: { move: 'issue_code', ...told, values: { code_hash: 'new' } },
  open_exception: open,
}

for (const status of deviceStatusNames) {
  for (const move of Object.keys(commands) as readonly DeviceMove[]) {
    const allowed = allowsMove(deviceOrder, status, move)
    t.test(
      `given a device order that is ${status}, when ${move} is asked for, then ${allowed ? 'it follows' : 'nothing of it'}`,
      async (t) => {
        const state = fold(deviceOrders, histories[status])
        t.equal(state?.status, status)
        if (move === 'become_overdue' && !allowed) {
          given(...histories[status])
            .when(commands[move])
            .thenNothing()
        } else if (allowed) {
          const facts = deviceOrders.decide(commands[move], state)
          const wanted = deviceOrder.moves[move]
          t.equal(fold(deviceOrders, facts, state)?.status, 'to' in wanted ? wanted.to : status)
        } else {
          given(...histories[status])
            .when(commands[move])
            .thenRefused('device_order_status_forbids')
        }
      },
    )
  }
}

t.test('given a deadline that is noticed late, then the stay is overdue since its deadline', async (t) => {
  const noticed = '2026-06-11T00:00:00.000Z'
  const told = [created, stored, { ...overdue, data: { ...overdue.data, overdue_at: noticed } } as DeviceOrderEvent]
  t.equal(fold(deviceOrders, told)?.overdue_at, due_at)
  const { due_at: _, ...before } = overdue.data
  const earlier = { ...overdue, data: { ...before, overdue_at: noticed } } as DeviceOrderEvent
  t.equal(fold(deviceOrders, [created, stored, earlier])?.overdue_at, noticed, 'an earlier version did not say')
})

t.test('given nothing, when a device order is created, then it is, and only once', async () => {
  const create: DeviceOrderCommand = { move: 'create', ...told, values: webhookEvent }
  given().when(create).then(created)
  given(created).when(create).thenRefused('device_order_status_forbids')
  given()
    .when({ move: 'cancel', ...told })
    .thenRefused('device_order_not_found')
})

t.test(
  'given an event that leaves out missing values, as earlier ones do, then it reads as one with nulls',
  async (t) => {
    const present = Object.entries(creation).filter(([, value]) => value !== null)
    const earlier: DeviceOrderEvent = { type: 'DeviceOrderCreated', data: { by, ...Object.fromEntries(present) } }
    t.same(fold(deviceOrders, [earlier]), fold(deviceOrders, [created]))
    const rowsOf = (event: DeviceOrderEvent) =>
      deviceOrdersDomain.readModels?.[0]?.rows({ ...event, stream: 'device_order-1' } as RecordedEvent)
    t.same(rowsOf(earlier), rowsOf(created))
  },
)

t.test('given an announced deposit, when it is stored, then its deadline has not passed', async () => {
  const values = { next_actor: 'recipient', code_hash: 'right' }
  const store = { move: 'store', ...told, values } as const
  const usual = { by, stored_at: at, due_at: isoOf(start + 72 * 3_600_000), next_actor: 'recipient' }
  given(created).when(store).then({ type: 'DeviceOrderStored', data: usual }, issued)
  given(created)
    .when({ ...store, values: { ...values, due_at: at } })
    .thenRefused('due_too_early')
  given(created)
    .when({ ...store, values: { ...values, due_at } })
    .then(stored, issued)
  const announced: DeviceOrderEvent = { type: 'DeviceOrderCreated', data: { ...creation, due_at } }
  given(announced).when(store).then(stored, issued)
})

t.test(
  'given something stored, when its deadline passes, then it is overdue once, and its code still works',
  async () => {
    const late = { move: 'become_overdue', by: null } as const
    given(...histories.stored)
      .when({ ...late, at: isoOf(Date.parse(due_at) - 1) })
      .thenNothing()
    given(...histories.stored)
      .when({ ...late, at: due_at })
      .then(overdue, overdueOpened)
    given(...histories.overdue)
      .when({ ...late, at: due_at })
      .thenNothing()
    const resolved = (resolution_action: string): DeviceOrderEvent => ({
      type: 'DeviceExceptionResolved',
      data: { ...told, exception_id: 1, status: 'resolved', resolution_action },
    })
    given(...histories.overdue)
      .when(collect('right'))
      .then(resolved('collected'), collected)
    given(...histories.overdue)
      .when(commands.remove)
      .then(resolved('removed'), { type: 'DeviceOrderRemoved', data: { ...told, removal_reason: 'handover' } })
    const dismissed: DeviceOrderEvent = {
      type: 'DeviceExceptionResolved',
      data: { ...told, exception_id: 1, status: 'dismissed', resolution_action: 'extended' },
    }
    given(...histories.overdue, dismissed)
      .when(collect('right'))
      .then(collected)
  },
)

t.test('given wrong codes, when five came in a row, then none is looked at for 15 minutes', async () => {
  const five = [refused, refused, refused, refused, refused]
  given(...histories.stored)
    .when(collect('wrong'))
    .then(refused)
  given(...histories.stored, ...five.slice(1))
    .when(collect('right'))
    .then(collected)
  const locked = [...histories.stored, ...five]
  given(...locked)
    .when(collect('right'))
    .thenRefused('too_many_attempts')
  const later = (milliseconds: number) => ({ at: isoOf(start + milliseconds), by })
  given(...locked)
    .when(collect('right', {}, later(15 * 60_000 - 1)))
    .thenRefused('too_many_attempts')
  given(...locked)
    .when(collect('right', {}, later(15 * 60_000)))
    .then({ type: 'DeviceOrderCollected', data: later(15 * 60_000) })
  given(...locked, issued)
    .when(collect('right'))
    .then(collected)
  given(...locked)
    .when(commands.remove)
    .then({ type: 'DeviceOrderRemoved', data: { ...told, removal_reason: 'handover' } })
})

t.test('given no code, when something is collected, then staff alone may, and only from a smart drop', async () => {
  const smartDrop = [createdSmartDrop, stored, issued]
  given(...smartDrop)
    .when(collect(undefined, { is_staff: true }))
    .then(collected)
  given(...smartDrop)
    .when(collect())
    .thenRefused('pickup_code_required')
  given(...histories.stored)
    .when(collect(undefined, { is_staff: true }))
    .thenRefused('pickup_code_required')
  given(...histories.stored)
    .when(collect('', { is_staff: true }))
    .then(refused)
})

t.test('given several exceptions, when they are settled, then each is once, after the end too', async () => {
  const opened = (exception_id: number): DeviceOrderEvent => ({
    type: 'DeviceExceptionOpened',
    data: { ...told, exception_id, type: 'door_left_open', severity: 'high' },
  })
  const resolve = (exception_id: number): DeviceOrderCommand => ({
    ...{ move: 'dismiss_exception', ...told, values: { exception_id, resolution_action: 'door_closed' } },
  })
  const settled = (exception_id: number): DeviceOrderEvent => ({
    type: 'DeviceExceptionResolved',
    data: { ...told, exception_id, status: 'dismissed', resolution_action: 'door_closed' },
  })
  given(created).when(open).then(opened(1))
  given(created, opened(1)).when(open).then(opened(2))
  given(created, opened(1), opened(2)).when(resolve(2)).then(settled(2))
  given(created, opened(1), opened(2), settled(2)).when(resolve(2)).thenRefused('device_exception_settled')
  given(created, opened(1)).when(resolve(2)).thenRefused('device_exception_not_found')
  given(...histories.stored, opened(1), collected)
    .when(resolve(1))
    .then(settled(1))
})

t.test('given a device order, when it is erased, then it is once, and no note is taken up after it', async () => {
  const erase = { move: 'erase', ...told } as const
  const erased: DeviceOrderEvent = { type: 'DeviceOrderPersonalDataErased', data: told }
  given(created).when(erase).then(erased)
  given(created, erased).when(erase).thenNothing()
  const noted = { ...open, values: { ...report, note: 'Ann was there' } }
  const opened = { ...told, exception_id: 1, type: 'door_left_open', severity: 'high' } as const
  given(created)
    .when(noted)
    .then({ type: 'DeviceExceptionOpened', data: { ...opened, personal: { note: 'Ann was there' } } })
  given(created, erased).when(noted).then({ type: 'DeviceExceptionOpened', data: opened })
})

t.test('given two texts, when they are compared in constant time, then the answer is that of ===', async (t) => {
  const text = fc.string({ maxLength: 3, unit: fc.constantFrom('a', 'b') })
  fc.assert(fc.property(text, text, (one, other) => isSameText(one, other) === (one === other)))
  t.ok(isSameText(sha256('a'), sha256('a')))
})

t.test('given tokens, when codes are made of them, then each has six digits', async (t) => {
  const codeOf = (token: string) =>
    newShortCode({ credentials: { token: () => token } as unknown as Context['credentials'] })
  t.equal(codeOf('0'.repeat(64)), '000000')
  t.equal(codeOf('f'.repeat(64)), '639935')
})

/** What is done in a random history, in its own words; `code` counts the codes that were issued. */
type Step =
  | { readonly do: 'store'; readonly due: number | undefined }
  | { readonly do: 'collect'; readonly code: 'right' | 'old' | 'none'; readonly isStaff: boolean }
  | { readonly do: 'remove' }
  | { readonly do: 'cancel' }
  | { readonly do: 'issue' }
  | { readonly do: 'open' }
  | { readonly do: 'look' }
  | { readonly do: 'settle'; readonly id: number }
  | { readonly do: 'pass'; readonly minutes: number }

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('store'),
      due: fc.option(fc.integer({ min: -5, max: 60 }), { nil: undefined }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('collect'),
      code: fc.constantFrom('right', 'old', 'old', 'old', 'none'),
      isStaff: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('issue', 'open', 'look', 'look') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('remove', 'cancel') }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('settle'), id: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pass'), minutes: fc.integer({ min: 1, max: 20 }) }) },
) as fc.Arbitrary<Step>

/** A second telling of the rules, in which time is counted in minutes. */
interface Stay {
  readonly isSmartDrop: boolean
  status: DeviceStatus
  minute: number
  due: number
  wrong: number
  lockedUntil: number
  readonly problems: { readonly type: string; isOpen: boolean }[]
}

const forbidden = 'device_order_status_forbids'

function isInside({ status }: Stay): boolean {
  return status === 'stored' || status === 'overdue'
}

function end(stay: Stay, status: DeviceStatus): undefined {
  stay.status = status
  for (const problem of stay.problems) if (problem.type === 'overdue') problem.isOpen = false
}

/** What each step does to a stay, or the code that it is refused with. */
const rules: {
  readonly [Name in Step['do']]: (stay: Stay, step: Extract<Step, { readonly do: Name }>) => string | undefined
} = {
  pass: (stay, { minutes }) => {
    stay.minute += minutes
    return undefined
  },
  store: (stay, { due }) => {
    if (stay.status !== 'pending') return forbidden
    if (due !== undefined && due <= 0) return 'due_too_early'
    return void Object.assign(stay, { status: 'stored', due: stay.minute + (due ?? 3 * 24 * 60) })
  },
  collect: (stay, { code, isStaff }) => {
    if (!isInside(stay)) return forbidden
    if (code === 'none') return stay.isSmartDrop && isStaff ? end(stay, 'collected') : 'pickup_code_required'
    if (stay.minute < stay.lockedUntil) return 'too_many_attempts'
    if (code === 'right') return end(stay, 'collected')
    stay.wrong++
    return stay.wrong < 5 ? undefined : void Object.assign(stay, { wrong: 0, lockedUntil: stay.minute + 15 })
  },
  look: (stay) => {
    if (stay.status !== 'stored' || stay.minute < stay.due) return undefined
    stay.status = 'overdue'
    return void stay.problems.push({ type: 'overdue', isOpen: true })
  },
  remove: (stay) => (isInside(stay) ? end(stay, 'removed') : forbidden),
  cancel: (stay) => (stay.status === 'pending' ? end(stay, 'cancelled') : forbidden),
  issue: (stay) => (isInside(stay) ? void Object.assign(stay, { wrong: 0, lockedUntil: 0 }) : forbidden),
  open: (stay) => {
    if (stay.status !== 'pending' && !isInside(stay)) return forbidden
    return void stay.problems.push({ type: 'door_left_open', isOpen: true })
  },
  settle: ({ problems }, { id }) => {
    const problem = problems[id - 1]
    if (problem === undefined) return 'device_exception_not_found'
    if (!problem.isOpen) return 'device_exception_settled'
    problem.isOpen = false
    return undefined
  },
}

function createStay(isSmartDrop: boolean) {
  const stay: Stay = { isSmartDrop, status: 'pending', minute: 0, due: 0, wrong: 0, lockedUntil: 0, problems: [] }
  return {
    apply: (step: Step) => (rules[step.do] as (stay: Stay, step: Step) => string | undefined)(stay, step),
    now: () => start + stay.minute * 60_000,
    told: () => ({ status: stay.status, open: stay.problems.map(({ isOpen }) => isOpen) }),
  }
}

/** The command of a step; `codes` were issued so far. */
function commandOf(step: Step, now: number, codes: number): DeviceOrderCommand | undefined {
  const told = { at: isoOf(now), by }
  switch (step.do) {
    case 'store': {
      const due = step.due === undefined ? {} : { due_at: isoOf(now + step.due * 60_000) }
      return { move: 'store', ...told, values: { ...due, next_actor: 'recipient', code_hash: `code ${codes + 1}` } }
    }
    case 'collect': {
      const hash = step.code === 'none' ? {} : { code_hash: step.code === 'right' ? `code ${codes}` : 'code -1' }
      return { move: 'collect', ...told, values: { ...hash, is_staff: step.isStaff } }
    }
    case 'remove':
      return { move: 'remove', ...told, values: { removal_reason: 'recovery' } }
    case 'cancel':
      return { move: 'cancel', ...told }
    case 'issue':
      return { move: 'issue_code', ...told, values: { code_hash: `code ${codes + 1}` } }
    case 'open':
      return { ...open, ...told }
    case 'look':
      return { move: 'become_overdue', ...told, by: null }
    case 'settle':
      return { move: 'resolve_exception', ...told, values: { exception_id: step.id, resolution_action: 'done' } }
    case 'pass':
      return undefined
  }
}

t.test('given any history, when each step is taken, then it goes as a second telling of the rules says', async (t) => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(fc.boolean(), fc.array(steps, { maxLength: 40, size: 'max' }), (isSmartDrop, taken) => {
      const model = createStay(isSmartDrop)
      let state = fold(deviceOrders, [isSmartDrop ? createdSmartDrop : created])
      let codes = 0
      let stay = 'deposit_expected'
      for (const step of taken) {
        const command = commandOf(step, model.now(), codes)
        const wanted = model.apply(step)
        let facts: readonly DeviceOrderEvent[] = []
        const code = refusalOf(() => {
          if (command !== undefined) facts = deviceOrders.decide(command, state)
        })
        if (code !== wanted) throw new Error(`${JSON.stringify(step)}: ${code}, not ${wanted}`)
        for (const fact of facts) {
          if (fact.type === 'PickupCodeIssued') codes++
          state = deviceOrders.evolve(state, fact)
          stay = nextStay(fact, state, stay)
        }
        const told = { status: state?.status, open: state?.exceptions.map(({ status }) => status === 'open') }
        if (JSON.stringify(told) !== JSON.stringify(model.told())) throw new Error(JSON.stringify([step, told]))
        seen.add(wanted ?? 'done').add(String(told.status))
      }
    }),
    { numRuns: runs(t, 300) },
  )
  const refusals = ['device_exception_not_found', 'device_exception_settled', 'device_order_status_forbids']
  const more = ['due_too_early', 'pickup_code_required', 'too_many_attempts']
  if (areMany)
    t.same([...seen].sort(), ['done', ...refusals, ...more, ...deviceStatusNames].sort(), 'all of it was met')
})

/** The code of the stay after a fact. Every step to it is planned; after the end, problems may be settled. */
function nextStay(fact: DeviceOrderEvent, state: DeviceOrder | undefined, before: string): string {
  const tracked = state && trackedStay(fact, state)
  if (tracked === undefined) return before
  const { status_code: code } = tracked
  const step = stepBetween(storage, before, code)
  if (step !== 'planned') throw new Error(`${before} -> ${code} is ${step}`)
  return isTerminal(storage, before) ? before : code
}

/** Inputs of every operation on the device order 1, in an order in which staff can call them. */
const onFirst = {
  get_device_order: {},
  open_device_exception: { type: 'deposit_unverified' },
  resolve_device_exception: { exception_id: 1, resolution_action: 'found' },
  store_device_order: {},
  issue_pickup_code: {},
  collect_device_order: { pickup_code: 'x' },
  remove_device_order: { removal_reason: 'relay' },
  erase_device_order: {},
  cancel_device_order: {},
  otep_client_locker_storage: { rental_id: 1 },
} as const

t.test('given each kind of account, when it calls each operation, then it may what is its own', async (t) => {
  const world = createWorld()
  await world.as(1, 'create_device_order', announced)
  const names = Object.keys(onFirst) as readonly (keyof typeof onFirst)[]
  // conformance/payments.test.ts has the two that pay.
  t.equal(names.length + 4, deviceOrdersDomain.operations.length, 'all operations are named here')
  const codes = async (id: number) =>
    Promise.all(
      names.map((name) =>
        world.codeOf(id, name, name === 'otep_client_locker_storage' ? onFirst[name] : { ...first, ...onFirst[name] }),
      ),
    )
  const reading = ['get_device_order', 'collect_device_order']
  const hidden = names.map(() => 'device_order_not_found')
  t.same(await codes(11), hidden, 'staff of another business see nothing')
  const forCustomers = (found: string) =>
    names.map((name) => (name === 'otep_client_locker_storage' || reading.includes(name) ? found : 'forbidden'))
  t.same(await codes(4), forCustomers('device_order_not_found'), 'nor does another customer')
  t.same(await codes(13), forCustomers('device_order_not_found'), 'nor a customer of another business')
  for (const id of [5, 6])
    t.same(
      await codes(id),
      names.map((name) => (name === 'otep_client_locker_storage' ? 'device_order_not_found' : 'forbidden')),
    )
  t.same(
    await codes(21),
    names.map(() => 'module_disabled'),
  )
  t.same(
    await codes(22),
    names.map(() => 'module_not_migrated'),
  )
  t.equal(await world.codeOf(3, 'get_device_order', first), 'done')
  t.equal(await world.codeOf(3, 'create_device_order', announced), 'forbidden')
  t.equal(await world.codeOf(2, 'erase_device_order', first), 'wrong_account')
  for (const name of names.filter((one) => one !== 'otep_client_locker_storage' && one !== 'erase_device_order')) {
    const wanted = { collect_device_order: 'wrong_pickup_code', cancel_device_order: 'device_order_status_forbids' }
    const code = await world.codeOf(2, name, { ...first, ...onFirst[name] })
    t.equal(code, wanted[name as keyof typeof wanted] ?? 'done', name)
  }
  t.equal(await world.codeOf(1, 'erase_device_order', first), 'done')
})

t.test('given a customer of another business, when a device order is for it, then it is refused', async (t) => {
  const world = createWorld()
  for (const customer_id of [13, 2, 99])
    t.equal(await world.codeOf(1, 'create_device_order', { ...announced, customer_id }), 'not_a_customer')
  t.same((await world.as(1, 'list_device_orders', {})).total, 0)
})

t.test('given an order that the caller does not see, when a device order is of it, then it is refused', async (t) => {
  const world = createWorld()
  t.equal(await world.codeOf(1, 'create_device_order', { ...announced, order_id: 8 }), 'order_not_found')
  t.equal((await world.as(1, 'list_device_orders', {})).total, 0)
  t.equal(await world.codeOf(1, 'create_device_order', { ...announced, order_id: 9 }), 'done')
  const { orderExists } = world.parts.ports.deviceOrders
  t.equal(await orderExists({ ...world.context, caller: callerOf(1) }, 9), false, 'the orders themselves are asked')
})

t.test('given a module that is off, when an input is wrong, then the module is told', async (t) => {
  const world = createWorld()
  for (const { name } of deviceOrdersDomain.operations.filter(({ pays }) => pays === undefined)) {
    t.equal(await world.codeOf(21, name, { wrong: true }), 'module_disabled', name)
    t.equal(await world.codeOf(22, name, { wrong: true }), 'module_not_migrated', name)
  }
})

t.test('given a device order, when it is read, then it has exactly the fields of its webhooks', async (t) => {
  const world = createWorld()
  const more = { grid_code: 'A-07', reference_number: 'R1', order_id: 9, external_order_id: 'X9' }
  const recipient = { name: 'Ann Lee', phone: '+49 30 1' }
  const answer = await world.as(1, 'create_device_order', { ...announced, ...more, recipient })
  t.same(answer, { result: true, id: 1, device_order_id: 1, status: 'pending' })
  const record = {
    ...{ id: 1, kind: 'delivery', status: 'pending', next_actor: 'courier', device_type: 'locker', device_id: 4 },
    ...{ device_name: 'Locker Main St', ...more, due_at: '2026-06-10T11:00:00.000Z', overdue_at: null },
    ...{ stored_at: null, ended_at: null, removal_reason: null },
  }
  t.same(await world.as(3, 'get_device_order', first), {
    result: true,
    device_order: record,
    exceptions: [],
    recipient,
  })
  t.same(await world.as(3, 'list_device_orders', {}), {
    ...{ result: true, total: 1, page: 1, per_page: 50 },
    device_orders: [record],
  })
  await world.as(1, 'store_device_order', { ...first, grid_code: 'B-01' })
  await world.as(2, 'open_device_exception', { ...first, type: 'item_missing', severity: 'low', note: 'Ann called' })
  await world.as(1, 'remove_device_order', { ...first, removal_reason: 'recovery' })
  const ended = {
    ...{ ...record, status: 'removed', next_actor: null, grid_code: 'B-01', stored_at: at, ended_at: at },
    removal_reason: 'recovery',
  }
  const { device_order, exceptions } = await world.as(2, 'get_device_order', first)
  t.same(device_order, ended)
  t.same(exceptions, [{ id: 1, type: 'item_missing', severity: 'low', status: 'open', resolution_action: null }])
  t.same((await world.as(2, 'list_device_orders', {})).device_orders, [ended])
  await world.as(1, 'erase_device_order', first)
  t.equal((await world.as(1, 'get_device_order', first)).recipient, null)
  t.equal((await world.as(1, 'erase_device_order', first)).status, 'removed', 'and again')
  t.notMatch(JSON.stringify(await world.events()), /Ann |\+49/, 'the store itself holds no name')
})

t.test(
  'given device orders, when they are followed with a cursor, then no change is missed, and none is foreign',
  async (t) => {
    const world = createWorld()
    for (let number = 1; number <= 3; number++)
      await world.as(1, 'create_device_order', { ...announced, customer_id: 3 })
    await world.as(11, 'create_device_order', locker)
    const follow = async (id: number, input: object) => {
      const { device_orders, next_cursor, has_more } = await world.as(id, 'list_device_orders', input)
      return { ids: device_orders.map((one) => one.id), cursor: String(next_cursor), has_more }
    }
    const since = { updated_since: '2026-01-01T00:00:00Z' }
    const first = await follow(1, { ...since, per_page: 2 })
    t.match(first, { ids: [1, 2], has_more: true })
    await world.as(1, 'store_device_order', { device_order_id: 1 })
    const rest = await follow(1, { cursor: first.cursor })
    t.match(rest, { ids: [3, 1], has_more: false }, 'one that changes meanwhile comes again, further behind')
    t.match(await follow(1, { cursor: rest.cursor }), { ids: [], has_more: false })
    await world.as(1, 'open_device_exception', { device_order_id: 1, type: 'door_left_open', severity: 'high' })
    t.match(await follow(1, { cursor: rest.cursor }), { ids: [1] }, 'also what the list itself does not show')
    await world.as(1, 'remove_device_order', { device_order_id: 1, removal_reason: 'recovery' })
    t.match(await follow(1, { cursor: rest.cursor }), { ids: [1] })
    t.match(await follow(3, since), { ids: [2, 3, 1] }, 'customers follow their own')
    t.match(await follow(4, since), { ids: [] })
    t.match(await follow(1, { ...since, status: 'removed' }), { ids: [1] })
    t.match(await follow(1, { updated_since: '2030-01-01T00:00:00Z' }), { ids: [] })
    for (const [input, path, code] of [
      [{ cursor: 'c2.1' }, 'cursor', 'not_a_cursor'],
      [{ cursor: rest.cursor, ...since }, 'updated_since', 'not_with_cursor'],
      [{ cursor: rest.cursor, page: 2 }, 'page', 'not_with_cursor'],
      [{ ...since, sort: 'created_at' }, 'sort', 'not_with_cursor'],
      [{ sort: 'due_at' }, 'sort', 'unknown_value'],
    ] as const)
      t.match(
        await world.as(1, 'list_device_orders', input).catch((error: unknown) => error),
        { findings: [{ path, code }] },
        path,
      )
  },
)

t.test('given device orders, when they are listed, then the filters and pages are those asked for', async (t) => {
  const world = createWorld()
  for (let number = 1; number <= 5; number++)
    await world.as(1, 'create_device_order', {
      ...announced,
      device_id: 1 + (number % 2),
      customer_id: number < 3 ? 3 : 4,
    })
  await world.as(11, 'create_device_order', locker)
  const listed = async (id: number, input: object) => {
    const { total, device_orders } = await world.as(id, 'list_device_orders', input)
    return [total, device_orders.map((one) => one.id)]
  }
  const all = [5, 4, 3, 2, 1]
  t.same(await listed(1, {}), [5, all])
  const [newest, second] = [5, 4]
  for (const device_order_id of [newest, second]) await world.as(1, 'store_device_order', { device_order_id })
  world.clock.now = Date.parse(announced.due_at)
  await becomeOverdue({ ...world.context, caller: anonymous }, second)
  t.same(await listed(1, { status: 'stored' }), [1, [newest]])
  t.same(await listed(1, { overdue: true }), [1, [second]])
  t.same(await listed(1, { overdue: false }), [all.length - 1, all.filter((id) => id !== second)])
  t.same(await listed(1, { overdue: true, status: 'stored' }), [0, []])
  t.same(await listed(1, { next_actor: 'operator' }), [1, [second]])
  t.same(await listed(1, { per_page: 2, page: 2 }), [all.length, all.slice(2, 4)])
  const own = await listed(3, {})
  t.same(await listed(1, { customer_id: 3 }), own)
  t.same(await listed(3, { customer_id: 4 }), [0, []], 'a customer finds nothing of another one')
  t.same((await listed(11, {}))[0], 1)
  t.same((await listed(13, {}))[0], 0)
  t.same(await listed(1, { sort: 'created_at' }), [5, [...all].reverse()])
  t.same(await listed(1, { sort: '-updated_at', per_page: 2 }), [5, [second, newest]], 'it became overdue last')
  const [ofDevice] = await listed(1, { device_id: 2 })
  t.equal(ofDevice, 3)
})

t.test('given a compartment that something lies in, when a second is stored there, then it is refused', async (t) => {
  const world = createWorld()
  const inGrid = { ...announced, grid_code: 'Z-1' }
  for (const more of [{}, {}, { grid_code: 'Z-2' }, { device_id: 5 }])
    await world.as(1, 'create_device_order', { ...inGrid, ...more })
  await world.as(11, 'create_device_order', { ...locker, grid_code: 'Z-1' })
  const store = (device_order_id: number, more = {}) =>
    world.codeOf(1, 'store_device_order', { device_order_id, ...more })
  const both = await Promise.all([store(1), store(2)])
  t.same(both.toSorted(), ['compartment_occupied', 'done'], 'of two at once, one lies in it')
  const [inside, waiting] = both[0] === 'done' ? [1, 2] : [2, 1]
  t.equal(await store(3, { grid_code: 'Z-1' }), 'compartment_occupied', 'whoever names it')
  t.equal(await store(3), 'done', 'another compartment')
  t.equal(await store(4), 'done', 'another device')
  t.equal(await world.codeOf(11, 'store_device_order', { device_order_id: 5 }), 'done', 'another business')
  world.clock.now = Date.parse(announced.due_at)
  await becomeOverdue({ ...world.context, caller: anonymous }, inside)
  const later = { due_at: isoOf(world.clock.now + 3_600_000) }
  t.equal(await store(waiting, later), 'compartment_occupied', 'what is overdue still lies in it')
  await world.as(1, 'remove_device_order', { device_order_id: inside, removal_reason: 'overdue_return' })
  t.equal(await store(waiting, later), 'done')
})

t.test('given a deadline that has passed, when a deposit is announced with it, then it is refused', async (t) => {
  const world = createWorld()
  t.equal(await world.codeOf(1, 'create_device_order', { ...announced, due_at: at }), 'due_too_early')
  const { device_order_id } = await world.as(1, 'create_device_order', locker)
  await world.as(1, 'store_device_order', { device_order_id })
  const { device_order } = await world.as(1, 'get_device_order', { device_order_id })
  t.match(device_order, { due_at: '2026-06-13T10:00:00.000Z' }, 'without one it is 72 hours')
})

t.test(
  'given something stored, when its customer gives codes, then the right one collects it and wrong ones are counted',
  async (t) => {
    const world = createWorld()
    await world.as(1, 'create_device_order', announced)
    const { pickup_code: lost } = await world.as(1, 'store_device_order', first)
    const { pickup_code } = await world.as(2, 'issue_pickup_code', first)
    const collected = (code?: string) =>
      world.codeOf(3, 'collect_device_order', { ...first, ...(code && { pickup_code: code }) })
    t.equal(await collected(), 'pickup_code_required')
    t.equal(await world.codeOf(1, 'collect_device_order', first), 'pickup_code_required')
    for (let count = 0; count < 5; count++) t.equal(await collected(lost), 'wrong_pickup_code')
    t.equal(await collected(pickup_code), 'too_many_attempts')
    world.clock.now += 15 * 60_000
    t.equal(await collected(pickup_code), 'done')
    t.equal(await collected(pickup_code), 'device_order_status_forbids')
  },
)

t.test(
  'given something stored, when codes are tried by previews, then wrong ones are counted as if they were given',
  async (t) => {
    const world = createWorld()
    await world.as(1, 'create_device_order', announced)
    const { pickup_code } = await world.as(1, 'store_device_order', first)
    const found = deviceOrdersDomain.operations.find(({ name }) => name === 'collect_device_order') as Operation
    const tried = (code: string) =>
      preview(found, { ...world.context, caller: callerOf(3) }, { ...first, pickup_code: code })
    await tried(pickup_code)
    for (let count = 0; count < 5; count++) await t.rejects(tried('none'), { code: 'wrong_pickup_code' })
    await t.rejects(tried(pickup_code), { code: 'too_many_attempts' })
    t.equal(await world.codeOf(3, 'collect_device_order', { ...first, pickup_code }), 'too_many_attempts')
    world.clock.now += 15 * 60_000
    t.equal((await tried(pickup_code)).answer.status, 'collected')
    t.match(await world.as(1, 'get_device_order', first), { device_order: { status: 'stored' } }, 'nothing was done')
  },
)

t.test('given staff that may only read, when they empty a smart drop without a code, then they may not', async (t) => {
  const world = createWorld()
  await world.as(1, 'create_device_order', { ...announced, device_type: 'smart_drop' })
  await world.as(1, 'store_device_order', first)
  const account = accounts.get(2) as Account
  const caller: Caller = { kind: 'account', name: '2', scopes: ['devices:read'], account }
  const found = deviceOrdersDomain.operations.find(({ name }) => name === 'collect_device_order') as Operation
  await t.rejects(call(found, { ...world.context, caller }, first), { code: 'forbidden' })
  t.equal((await world.as(2, 'collect_device_order', first)).status, 'collected')
})

t.test(
  'given a call that gives a code, when it is repeated under its key, then the code is not told again',
  async (t) => {
    const world = createWorld()
    await world.as(1, 'create_device_order', announced, 'one')
    t.equal((await world.as(1, 'create_device_order', announced, 'one')).device_order_id, 1, 'nothing is made twice')
    await world.as(1, 'store_device_order', first, 'two')
    await t.rejects(world.as(1, 'store_device_order', first, 'two'), { code: 'device_order_status_forbids' })
  },
)

t.test(
  'given those that wait, when the clock asks for them, then it is told those of its time, by pages',
  async (t) => {
    const world = createWorld()
    const due = (minutes: number) => isoOf(start + minutes * 60_000)
    for (const minutes of [5, 1, 3, 2]) await world.as(1, 'create_device_order', { ...locker, due_at: due(minutes) })
    for (const device_order_id of [1, 2, 3]) await world.as(1, 'store_device_order', { device_order_id })
    const waiting = async (before: number, after = 0, limit = 9) =>
      (await waitingDeviceOrders(world.context, start + before * 60_000, after, limit)).map(({ id }) => id)
    t.same(await waiting(0), [])
    t.same(await waiting(3), [2, 3], 'the fourth is not stored')
    t.same(await waiting(9), [1, 2, 3])
    t.same(await waiting(9, 1, 1), [2])
  },
)

t.test('given input that is no text or no time, when a device order is made of it, then it is refused', async (t) => {
  const world = createWorld()
  for (const wrong of [
    { device_name: ' ' },
    { device_name: 'a\u0000b' },
    { device_name: '\ud800' },
    { due_at: '2026-06-10' },
    { kind: 'gift' },
    { device_id: 0 },
    { pickup_code: '123456' },
  ])
    t.equal(await world.codeOf(1, 'create_device_order', { ...announced, ...wrong }), 'invalid_input')
})

/** All that a history tells, in its order, with the event of each. */
async function webhookEventsIn(history: readonly DeviceOrderEvent[]) {
  const store = createMemoryStore(() => start)
  const fresh = history.map(
    (event): NewEvent => ({ ...event, id: crypto.randomUUID(), metadata: { schemaVersion: 1 } }),
  )
  await store.append('device_order-1', fresh, 'no-stream')
  const facts: WebhookEventFacts = {
    store,
    models: createMemoryModels(store),
    baseUrl: 'http://localhost',
    ...outside,
    profiles: [],
  }
  const again = () => allWebhookEvents(facts)
  return { all: await again(), again, store, facts }
}

async function allWebhookEvents(facts: WebhookEventFacts) {
  const events = await facts.store.read('device_order-1')
  const told = await Promise.all(events.map((event) => deviceOrderEventSource.webhookEventsOf(facts, event)))
  return told.flatMap((ones, index) => ones.map((one) => ({ one, event: events[index] as RecordedEvent })))
}

/** The data for a reader, held against the schema of its webhook event. */
function dataFor(reader: Reader, { type: eventType, data }: WebhookEvent) {
  const schema = deviceOrderEventTypes.find(({ name }) => name === eventType)?.data ?? v.never()
  return v.parse(schema, data(reader)) as Members
}

/** A stay with a problem, which is too long. */
const long: readonly DeviceOrderEvent[] = [
  {
    type: 'DeviceOrderCreated',
    data: { ...creation, customer_id: 3, order_id: 9, personal: { recipient: { name: 'Ann Lee' } } },
  },
  ...[stored, issued],
  {
    type: 'DeviceExceptionOpened',
    data: {
      ...{ ...told, exception_id: 1, type: 'item_missing', severity: 'high' },
      personal: { note: 'Ann says so' },
    },
  },
  {
    type: 'DeviceExceptionResolved',
    data: { ...told, exception_id: 1, status: 'dismissed', resolution_action: 'item_found' },
  },
  ...[refused, overdue],
  {
    type: 'DeviceExceptionOpened',
    data: { at: due_at, by: null, exception_id: 2, type: 'overdue', severity: 'medium' },
  },
  {
    type: 'DeviceExceptionResolved',
    data: { ...told, exception_id: 2, status: 'resolved', resolution_action: 'collected' },
  },
  collected,
]

t.test(
  'given the webhook events of device orders, then each is wired, and its example is as its schema says',
  async (t) => {
    t.same(deviceOrderEventTypes.map(({ name }) => name).sort(), [
      ...['device_order.collected', 'device_order.exception_opened', 'device_order.exception_resolved'],
      ...['device_order.overdue', 'device_order.removed', 'device_order.stored'],
    ])
    for (const { name, data, example, field, idMember } of deviceOrderEventTypes) {
      t.ok(v.is(data, example), name)
      t.same([field, idMember], ['device_order_webhook_url', 'event_id'])
    }
    t.match(deviceOrdersDomain, {
      webhookEventTypes: deviceOrderEventTypes,
      webhookEventSources: [deviceOrderEventSource],
    })
  },
)

t.test('given a stay, when its events are told, then each as it stood then, and never the code', async (t) => {
  const { all, again } = await webhookEventsIn(long)
  t.same(
    all.map(({ one }) => one.type.replace('device_order.', '')),
    [
      'stored',
      'exception_opened',
      'exception_resolved',
      'overdue',
      'exception_opened',
      'exception_resolved',
      'collected',
    ],
  )
  for (const { one, event } of all)
    t.match(one, {
      id: `DOE-${event.id}`,
      audience: { kind: 'tenant', businessId: 1, customerId: 3 },
      subject: 'device-order/1',
    })
  for (const reader of ['business', 'customer'] as const) {
    const told = all.map(({ one }) => dataFor(reader, one))
    t.same(told[0], {
      device_order: {
        ...{ id: 1, kind: 'delivery', status: 'stored', next_actor: 'recipient', device_type: 'locker', device_id: 4 },
        ...{ device_name: 'Locker Main St', grid_code: null, reference_number: null, order_id: 9 },
        ...{ external_order_id: null, due_at, overdue_at: null, stored_at: at, ended_at: null, removal_reason: null },
      },
    })
    t.match(told.slice(1), [
      { exception: { id: 1, type: 'item_missing', severity: 'high', status: 'open', resolution_action: null } },
      { exception: { id: 1, status: 'dismissed', resolution_action: 'item_found' } },
      { device_order: { status: 'overdue', overdue_at: due_at, next_actor: 'operator', ended_at: null } },
      { exception: { id: 2, type: 'overdue', status: 'open' } },
      { device_order: { status: 'overdue' }, exception: { id: 2, status: 'resolved' } },
      { device_order: { status: 'collected', ended_at: at, next_actor: null } },
    ])
    t.notMatch(JSON.stringify(told), /Ann |"right"|code_hash|piece_id/)
  }
  t.same(
    all.map(({ one }) => one.occurredAt),
    [at, at, at, due_at, due_at, at, at],
  )
  const plain = (told: typeof all) => told.map(({ one }) => [one.id, one.data('customer')])
  t.same(plain(await again()), plain(all))
  const { all: removed } = await webhookEventsIn(histories.removed)
  t.match(dataFor('customer', (removed.at(-1) as (typeof removed)[0]).one), {
    device_order: { status: 'removed', removal_reason: 'anomaly' },
  })
})

t.test('given events of a device order that tell nothing, when they are looked at, then nothing is read', async (t) => {
  const { store, facts } = await webhookEventsIn([created])
  const [event] = (await store.read('device_order-1')) as readonly [RecordedEvent]
  const unreadable = { ...facts, store: { ...store, read: () => Promise.reject(new Error('read')) } }
  const known = Object.keys(deviceOrdersDomain.events.device_order ?? {})
  t.same(
    known.filter((type) => !deviceOrderEventSource.types.includes(type)),
    [
      ...['DeviceOrderCreated', 'PickupCodeIssued'],
      ...['DeviceOrderPaid', 'DeviceOrderSettledOffline', 'DeviceOrderRefunded', 'DeviceOrderCancelled'],
      ...['DeviceOrderPersonalDataErased', 'PickupCodeRefused'],
    ],
  )
  for (const type of ['DeviceOrderCreated', 'PickupCodeIssued', 'OfALaterVersion', 'toString'])
    t.same(await deviceOrderEventSource.webhookEventsOf(unreadable, { ...event, type }), [])
  const orphan = { ...event, type: 'DeviceOrderCollected', data: told, stream: 'device_order-7' }
  t.same(await deviceOrderEventSource.webhookEventsOf(facts, orphan), [])
})

t.test(
  'given any history of a device order, when it is told, then each of its facts that tells does, once',
  async (t) => {
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { maxLength: 30, size: 'max' }), async (taken) => {
        const history: DeviceOrderEvent[] = [created]
        let now = start
        for (const step of taken) {
          const codes = history.filter(({ type }) => type === 'PickupCodeIssued').length
          const command = commandOf(step, now, codes)
          if (step.do === 'pass') now += step.minutes * 60_000
          refusalOf(() => {
            if (command !== undefined) history.push(...deviceOrders.decide(command, fold(deviceOrders, history)))
          })
        }
        const { all } = await webhookEventsIn(history)
        const telling = history.filter(({ type }) => deviceOrderEventSource.types.includes(type))
        t.equal(all.length, telling.length)
        for (const { one } of all) {
          const text = JSON.stringify([dataFor('business', one), dataFor('customer', one)])
          if (/code \d/.test(text) || !/^[A-Za-z0-9_-]{1,64}$/.test(one.id)) throw new Error(`${one.id} ${text}`)
          seen.add(one.type)
        }
      }),
      { numRuns: runs(t, 40) },
    )
    if (areMany) t.equal(seen.size, deviceOrderEventTypes.length)
  },
)
