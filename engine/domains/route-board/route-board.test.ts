import fc from 'fast-check'
import t from 'tap'
import * as v from 'valibot'
import { type Account, type Business, type Role, scopesOf } from '../../kernel/account.ts'
import { call } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import { isEngineError } from '../../kernel/errors.ts'
import { deriveId } from '../../kernel/id.ts'
import { isObject, type Members } from '../../kernel/members.ts'
import { createMemoryStore } from '../../store/memory.ts'
import { createMemoryModels } from '../../store/memory-models.ts'
import { outside } from '../../testing/context.ts'
import { recordCall } from '../../testing/recording.test.fixture.ts'
import { refusalOf, specificationOf } from '../../testing/spec.ts'
import { en } from '../of-all.ts'
import { createPorts } from '../ports.ts'
import { type BoardCommand, boards, maxDrivers, maxWithdrawals } from './decider.ts'
import { actionOf, type BoardEvent, type BoardOpened, boardEventTypes } from './events.ts'
import { routeBoardDomain } from './index.ts'
import { placeOf } from './state.ts'
import { boardActions, boardStatusNames } from './status.ts'
import { webhookEventSources, webhookEventTypes } from './webhook-events.ts'

const { given } = specificationOf(t, boards)

const start = Date.parse('2026-06-10T10:00:00.000Z')
const told = { at: '2026-06-10T10:00:00.000Z', by: 1 }
const posted: BoardOpened['data'] = { ...told, board_id: 1, business_id: 1, route_id: 12, seats: 2 }
const opened: BoardEvent = { type: 'BoardOpened', data: posted }

type OfDriver = Exclude<BoardCommand, { readonly type: 'PostBoard' | 'CloseBoard' | 'SettleBoard' | 'CancelBoard' }>
type Simple = Exclude<OfDriver['type'], 'Replace'>

const ask = (type: Simple, driver_id: number): BoardCommand => ({ type, ...told, driver_id })
const replace = (driver_id: number, replacement_id: number): BoardCommand => ({
  ...{ type: 'Replace', ...told, driver_id, replacement_id },
})
const onBoard = (type: 'CloseBoard' | 'SettleBoard' | 'CancelBoard'): BoardCommand => ({ type, ...told })

type OfSeat = 'SeatClaimed' | 'DriverPromoted' | 'DriverAssigned' | 'DriverDisplaced' | 'SeatAwarded'
const seat = (type: OfSeat, driver_id: number, number: number): BoardEvent => ({
  ...{ type, data: { ...told, driver_id, seat: number } },
})
type Unseated = 'DriverStoodBy' | 'DriverPooled' | 'DriverWithdrawn' | 'DriverVetoed' | 'DriverLost'
const driver = (type: Unseated, driver_id: number): BoardEvent => ({ type, data: { ...told, driver_id } })
const left = (type: 'DriverWithdrawn' | 'DriverVetoed', driver_id: number, number: number): BoardEvent => ({
  ...{ type, data: { ...told, driver_id, seat: number } },
})
const board = (type: 'BoardClosed' | 'BoardSettled' | 'BoardCancelled'): BoardEvent => ({ type, data: told })

/** Both seats are taken, and two stand in line. */
const full = [
  ...[opened, seat('SeatClaimed', 51, 1), seat('SeatClaimed', 52, 2)],
  ...[driver('DriverStoodBy', 53), driver('DriverStoodBy', 54)],
]

t.test('given no board, when one is posted, then it is open, and only once', async () => {
  given().when({ type: 'PostBoard', data: posted }).then(opened)
  given(opened).when({ type: 'PostBoard', data: posted }).thenRefused('board_status_forbids')
  given().when(ask('Claim', 51)).thenRefused('route_board_not_found')
})

t.test('given an open board, when drivers claim, then they get seats in order, and then places in line', async () => {
  given(opened)
    .when(ask('Claim', 51))
    .then(seat('SeatClaimed', 51, 1))
  given(...full.slice(0, 2))
    .when(ask('Claim', 52))
    .then(seat('SeatClaimed', 52, 2))
  given(...full.slice(0, 3))
    .when(ask('Claim', 53))
    .then(driver('DriverStoodBy', 53))
  for (const known of [51, 53])
    given(...full)
      .when(ask('Claim', known))
      .thenNothing()
})

t.test('given a driver in the pool, when it claims, then it gets a seat or a place in line', async () => {
  given(opened).when(ask('JoinPool', 55)).then(driver('DriverPooled', 55))
  given(opened, driver('DriverPooled', 55)).when(ask('JoinPool', 55)).thenNothing()
  given(opened, driver('DriverPooled', 55))
    .when(ask('Claim', 55))
    .then(seat('SeatClaimed', 55, 1))
  given(...full, driver('DriverPooled', 55))
    .when(ask('Claim', 55))
    .then(driver('DriverStoodBy', 55))
  for (const known of [51, 53])
    given(...full)
      .when(ask('JoinPool', known))
      .thenRefused('already_on_board')
})

t.test('given a line, when a seat becomes free, then the first in line is promoted to it', async () => {
  given(...full)
    .when(ask('Withdraw', 51))
    .then(left('DriverWithdrawn', 51, 1), seat('DriverPromoted', 53, 1))
  given(...full)
    .when(ask('Veto', 52))
    .then(left('DriverVetoed', 52, 2), seat('DriverPromoted', 53, 2))
  given(...full)
    .when(ask('Withdraw', 53))
    .then(driver('DriverWithdrawn', 53))
  given(...full.slice(0, 3))
    .when(ask('Withdraw', 51))
    .then(left('DriverWithdrawn', 51, 1))
  given(...full.slice(0, 3), left('DriverWithdrawn', 51, 1))
    .when(ask('Claim', 56))
    .then(seat('SeatClaimed', 56, 1))
  given(opened).when(ask('Withdraw', 51)).thenRefused('not_on_board')
})

t.test('given a vetoed driver, when it or staff request a place, then there is none', async () => {
  const vetoed = [opened, driver('DriverVetoed', 51)]
  given(opened).when(ask('Veto', 51)).then(driver('DriverVetoed', 51))
  given(...vetoed)
    .when(ask('Veto', 51))
    .thenNothing()
  for (const wanted of ['Claim', 'JoinPool', 'Assign'] as const)
    given(...vetoed)
      .when(ask(wanted, 51))
      .thenRefused('driver_vetoed')
  given(...vetoed, seat('SeatClaimed', 52, 1))
    .when(replace(52, 51))
    .thenRefused('driver_vetoed')
})

t.test(
  'given a full board, when staff assign a driver, then who took a seat last is displaced to the head of the line',
  async (t) => {
    const assigned = [seat('DriverDisplaced', 52, 2), seat('DriverAssigned', 55, 2)]
    given(...full)
      .when(ask('Assign', 55))
      .then(...assigned)
    t.same(fold(boards, [...full, ...assigned])?.standby, [52, 53, 54])
    given(...full)
      .when(ask('Assign', 53))
      .then(seat('DriverDisplaced', 52, 2), seat('DriverAssigned', 53, 2))
    given(opened)
      .when(ask('Assign', 55))
      .then(seat('DriverAssigned', 55, 1))
    given(...full)
      .when(ask('Assign', 51))
      .thenNothing()
    const held = [...full, ...assigned, seat('SeatAwarded', 51, 1)]
    given(...held)
      .when(ask('Assign', 56))
      .thenRefused('no_seat_to_give')
  },
)

t.test('given a seat, when staff replace its driver, then another has it and the first has no place', async (t) => {
  const replaced: BoardEvent = {
    type: 'DriverReplaced',
    data: { ...told, driver_id: 53, previous_driver_id: 51, seat: 1 },
  }
  given(...full)
    .when(replace(51, 53))
    .then(replaced)
  const after = fold(boards, [...full, replaced])
  t.equal(after && placeOf(after, 51), undefined)
  t.equal(after && placeOf(after, 53), 'assigned')
  t.same(after?.standby, [54])
  given(...full)
    .when(replace(53, 56))
    .thenRefused('not_on_board')
  given(...full)
    .when(replace(51, 52))
    .thenRefused('already_on_board')
  const closed = [...full, seat('SeatAwarded', 51, 1), board('BoardClosed')]
  given(...closed)
    .when(replace(51, 53))
    .then(replaced)
  const late = fold(boards, [...closed, replaced])
  t.equal(late && placeOf(late, 53), 'awarded', 'the seat was awarded already')
})

t.test('given a board, when it is closed, then seats are awarded and all others have lost', async (t) => {
  const closing = [
    ...[board('BoardClosed'), seat('SeatAwarded', 51, 1), seat('SeatAwarded', 52, 2)],
    ...[driver('DriverLost', 53), driver('DriverLost', 54), driver('DriverLost', 55)],
  ]
  given(...full, driver('DriverPooled', 55))
    .when(onBoard('CloseBoard'))
    .then(...closing)
  const after = fold(boards, [...full, driver('DriverPooled', 55), ...closing])
  t.same([after?.status, after?.standby, after?.pool], ['closed', [], []])
  given(...full.slice(0, 3))
    .when(ask('Award', 51))
    .then(seat('SeatAwarded', 51, 1))
  given(...full, seat('SeatAwarded', 51, 1))
    .when(ask('Award', 51))
    .thenNothing()
  given(...full.slice(0, 3), seat('SeatAwarded', 51, 1))
    .when(onBoard('CloseBoard'))
    .then(board('BoardClosed'), seat('SeatAwarded', 52, 2))
  given(...full)
    .when(ask('Award', 53))
    .thenRefused('not_on_board')
})

t.test('given each status, when each command comes, then only the allowed ones have an effect', async () => {
  const closed = [opened, seat('SeatClaimed', 51, 1), board('BoardClosed'), seat('SeatAwarded', 51, 1)]
  given(...closed)
    .when(onBoard('SettleBoard'))
    .then(board('BoardSettled'))
  given(opened).when(onBoard('SettleBoard')).thenRefused('board_status_forbids')
  for (const history of [[opened], closed])
    given(...history)
      .when(onBoard('CancelBoard'))
      .then(board('BoardCancelled'))
  for (const end of [board('BoardSettled'), board('BoardCancelled')]) {
    const over = [...closed, end]
    for (const one of ['Claim', 'JoinPool', 'Withdraw', 'Veto', 'Assign', 'Award'] as const)
      given(...over)
        .when(ask(one, 51))
        .thenRefused('board_status_forbids')
    for (const one of ['CloseBoard', 'SettleBoard', 'CancelBoard'] as const)
      given(...over)
        .when(onBoard(one))
        .thenRefused('board_status_forbids')
    given(...over)
      .when(replace(51, 52))
      .thenRefused('board_status_forbids')
  }
})

t.test('given a full board, when one more driver comes, then it is refused', async () => {
  const crowd = Array.from({ length: maxDrivers }, (_, index) => driver('DriverPooled', index + 100))
  given(opened, ...crowd)
    .when(ask('Claim', 51))
    .thenRefused('board_full')
  given(opened, ...crowd)
    .when(ask('Claim', 100))
    .then(seat('SeatClaimed', 100, 1))
})

t.test(
  'given a driver that gave up its place again and again, when it comes back, then staff alone can seat it',
  async () => {
    const turn = [driver('DriverPooled', 51), driver('DriverWithdrawn', 51)]
    const turns = Array.from({ length: maxWithdrawals - 1 }, () => turn).flat()
    given(opened, ...turns)
      .when(ask('Claim', 51))
      .then(seat('SeatClaimed', 51, 1))
    for (const type of ['Claim', 'JoinPool'] as const)
      given(opened, ...turns, ...turn)
        .when(ask(type, 51))
        .thenRefused('driver_withdrew_too_often')
    given(opened, ...turns, ...turn)
      .when(ask('Claim', 52))
      .then(seat('SeatClaimed', 52, 1))
    given(opened, ...turns, ...turn)
      .when(ask('Assign', 51))
      .then(seat('DriverAssigned', 51, 1))
  },
)

const drivers = fc.integer({ min: 51, max: 57 })
const commands: fc.Arbitrary<BoardCommand> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc
      .tuple(fc.constantFrom<Simple>('Claim', 'Claim', 'JoinPool', 'Withdraw', 'Assign', 'Award', 'Veto'), drivers)
      .map(([type, one]) => ask(type, one)),
  },
  { weight: 2, arbitrary: fc.tuple(drivers, drivers).map(([one, other]) => replace(one, other)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('CloseBoard', 'SettleBoard', 'CancelBoard').map((type) => onBoard(type as 'CloseBoard')),
  },
)

t.test(
  'given any commands, when they are carried out, then each driver has one place, each seat one driver, and no seat is free while one stands in line',
  async (t) => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(fc.array(commands, { maxLength: 40 }), (list) => {
        let state = fold(boards, [opened])
        for (const command of list) {
          const refusal = refusalOf(() => {
            const facts = boards.decide(command, state)
            for (const fact of facts) seen.add(actionOf[fact.type])
            state = fold(boards, facts, state)
          })
          if (refusal !== undefined) seen.add(refusal)
          if (state === undefined) throw new Error('the board is gone')
          const all = [...state.taken.map(({ driverId }) => driverId), ...state.standby, ...state.pool]
          const numbers = state.taken.map(({ seat: number }) => number)
          if (new Set(all).size < all.length) throw new Error('a driver has two places')
          if (new Set(numbers).size < numbers.length || numbers.some((one) => one < 1 || one > 2))
            throw new Error('a seat has two drivers')
          if (state.standby.length > 0 && numbers.length < 2) throw new Error('a seat is free')
          if (all.some((one) => state?.vetoed.includes(one))) throw new Error('a vetoed driver has a place')
        }
      }),
      { numRuns: 3_000 },
    )
    const refusals = ['board_status_forbids', 'not_on_board', 'already_on_board', 'driver_vetoed', 'no_seat_to_give']
    t.same(
      [...seen].sort(),
      [...boardActions.filter((one) => one !== 'board_opened'), ...refusals].sort(),
      'every action and every refusal was met',
    )
  },
)

t.test('given any events in any order, when they are folded, then nothing is thrown', async () => {
  const facts = fc.record({
    type: fc.constantFrom(...boardEventTypes, 'SomethingLater'),
    data: fc.record({
      ...{ at: fc.constant(told.at), by: fc.constant(1), board_id: fc.constant(1), business_id: fc.constant(1) },
      ...{
        driver_id: drivers,
        previous_driver_id: drivers,
        seat: fc.integer({ min: 1, max: 3 }),
        seats: fc.constant(2),
      },
    }),
  }) as fc.Arbitrary<BoardEvent>
  fc.assert(
    fc.property(fc.array(facts, { maxLength: 30 }), (list) => {
      fold(boards, list)
    }),
  )
})

const business = (id: number): Business => ({
  ...{ id, name: `Business ${id}`, timeZone: 'UTC', currency: 'EUR', modules: {} },
})
const accounts = new Map(
  (
    [
      [1, 'client_admin', 1],
      [2, 'client_employee', 1],
      [3, 'customer', 1],
      [4, 'contractor', 1],
      [11, 'client_admin', 2],
      [61, 'driver', 2],
      ...[51, 52, 53, 54, 55].map((id) => [id, 'driver', 1] as const),
    ] as readonly (readonly [number, Role, number])[]
  ).map(([id, role, of]): [number, Account] => [
    id,
    { id, role, business: business(of), modules: {}, hiddenPrices: [] },
  ]),
)

function createWorld() {
  let ids = 0
  const clock = () => start
  const store = createMemoryStore(clock)
  const models = createMemoryModels(store)
  const context = (id: number): Context => {
    const account = accounts.get(id)
    if (account === undefined) throw new Error(`no account ${id}`)
    return {
      ...outside,
      directory: {
        ...outside.directory,
        person: async (_, one) => {
          const found = accounts.get(one)
          return found && { ...found, isActive: one !== 55 }
        },
      },
      ...{ store, models, clock, randomId: () => deriveId('boards', String(ids++)) },
      ...{ profiles: [] as never, formats: [] as never, baseUrl: 'https://x.example', messages: en, requestId: 'r' },
      caller: { kind: 'account', name: String(id), scopes: scopesOf[account.role], account },
    }
  }
  /** Calls an operation by its name, and holds its answer against its schema. */
  async function as(id: number, name: string, input: object, more: Partial<Context> = {}): Promise<Members> {
    const operation = routeBoardDomain.operations.find((one) => one.name === name)
    if (operation === undefined) throw new Error(`no operation ${name}`)
    const answer = await call(operation, { ...context(id), ...more }, input)
    recordCall({ operation: name, input, status: 200, answer })
    return v.parse(operation.output, answer) as Members
  }
  async function codeOf(id: number, name: string, input: object, more: Partial<Context> = {}): Promise<string> {
    try {
      await as(id, name, input, more)
      return 'done'
    } catch (error) {
      if (isEngineError(error)) return error.code
      throw error
    }
  }
  return { store, models, as, codeOf }
}

const one = { board_id: 1 }

async function told15(world: ReturnType<typeof createWorld>) {
  await world.as(1, 'post_route_board', { route_id: 12, name: 'North', schedule_date: '2026-06-11', seats: 2 })
  for (const id of [51, 52, 53]) await world.as(id, 'claim_board_seat', one)
  await world.as(54, 'join_board_pool', one)
  await world.as(51, 'withdraw_from_board', one)
  await world.as(51, 'claim_board_seat', one)
  await world.as(2, 'assign_board_driver', { ...one, driver_id: 54 })
  await world.as(1, 'replace_board_driver', { ...one, driver_id: 54, replacement_id: 51 })
  await world.as(1, 'award_board_seat', { ...one, driver_id: 51 })
  await world.as(1, 'veto_board_driver', { ...one, driver_id: 54 })
  await world.as(1, 'close_route_board', one)
  await world.as(1, 'settle_route_board', one)
  await world.as(1, 'post_route_board', { seats: 1 })
  await world.as(1, 'cancel_route_board', { board_id: 2 })
}

t.test('given a full history of a board, when it is announced, then each action occurs, and is valid', async (t) => {
  const world = createWorld()
  await told15(world)
  const [source] = webhookEventSources
  const [eventType] = webhookEventTypes
  if (source === undefined || eventType === undefined) throw new Error('nothing is told')
  t.same(v.parse(eventType.data, eventType.example), eventType.example)
  t.equal(eventType.isInternal, true)
  const facts = {
    ...{ ...outside, store: world.store, models: world.models },
    ...{ baseUrl: 'https://x.example', profiles: [] },
  }
  const actions: unknown[] = []
  const ids = new Set<string>()
  for await (const event of world.store.readAll(undefined, { category: 'route_board' })) {
    const webhookEvents = await source.webhookEventsOf(facts, event)
    t.same(await source.webhookEventsOf(facts, event).then(whole), whole(webhookEvents), 'told again, it is the same')
    for (const webhookEvent of webhookEvents) {
      t.match(webhookEvent, {
        type: eventType.name,
        id: /^EVT-[0-9a-f-]{36}$/,
        audience: { kind: 'tenant', businessId: 1 },
      })
      t.match(webhookEvent, { subject: /^route-board\/[12]$/, occurredAt: '2026-06-10T10:00:00.000Z' })
      t.notOk('customerId' in webhookEvent.audience)
      ids.add(webhookEvent.id)
      for (const reader of ['business', 'customer'] as const) {
        const data = v.parse(eventType.data, webhookEvent.data(reader))
        if (reader === 'business' && isObject(data)) actions.push(data.action)
      }
    }
  }
  t.same([...new Set(actions)].sort(), [...boardActions].sort(), 'every action of document 3 was caused by a command')
  t.equal(ids.size, actions.length)
})

function whole(
  webhookEvents: readonly { readonly id: string; data(reader: 'business'): Members }[],
): readonly object[] {
  return webhookEvents.map(({ id, data }) => ({ id, data: data('business') }))
}

t.test('given boards, when they are read, then staff see all places and a driver its own', async (t) => {
  const world = createWorld()
  await world.as(1, 'post_route_board', { seats: 1, schedule_date: '2026-06-11' })
  await world.as(1, 'post_route_board', { seats: 3, route_id: 12 })
  await world.as(51, 'claim_board_seat', one)
  const { board: seen } = await world.as(52, 'claim_board_seat', one)
  t.match(seen, { seats_taken: 1, standby: 1, places: [{ driver_id: 52, place: 'standby', seat: null, position: 1 }] })
  const { board: whole } = await world.as(2, 'get_route_board', one)
  t.match(whole, { places: [{ driver_id: 51, place: 'seat', seat: 1 }, { driver_id: 52 }] })
  const { boards: all } = await world.as(53, 'list_route_boards', {})
  t.match(all, [
    { board_id: 2, route_id: 12 },
    { board_id: 1, schedule_date: '2026-06-11' },
  ])
  await world.as(1, 'cancel_route_board', one)
  t.match(await world.as(1, 'list_route_boards', { status: 'open' }), { total: 1, boards: [{ board_id: 2 }] })
  t.match(await world.as(11, 'list_route_boards', {}), { total: 0 })
  for (const status of boardStatusNames) await world.as(1, 'list_route_boards', { status })
})

t.test('given a route of another business, when a board is posted for it, then there is no such route', async (t) => {
  const world = createWorld()
  const { routeExists } = createPorts([]).routeBoard
  const posting = { ports: { ...outside.ports, routeBoard: { routeExists } } }
  t.equal(await world.codeOf(1, 'post_route_board', { seats: 1, route_id: 12 }, posting), 'delivery_route_not_found')
  const data = { at: told.at, by: 11, route_id: 12, business_id: 2, schedule_date: '2026-06-11', order_ids: [42] }
  const event = { id: 'e', type: 'RoutePlanned', data, metadata: { actor: 'a', correlationId: 'c', schemaVersion: 1 } }
  await world.store.append('route-12', [event], 'no-stream')
  t.equal(await world.codeOf(1, 'post_route_board', { seats: 1, route_id: 12 }, posting), 'delivery_route_not_found')
  t.equal(await world.codeOf(11, 'post_route_board', { seats: 1, route_id: 12 }, posting), 'done', 'its own business')
  t.match(await world.as(1, 'list_route_boards', {}), { total: 0 })
})

t.test('given another business, when it reads a board, then it does not exist', async (t) => {
  const world = createWorld()
  await world.as(1, 'post_route_board', { seats: 1 })
  t.equal(await world.codeOf(11, 'get_route_board', one), 'route_board_not_found')
  t.equal(await world.codeOf(61, 'claim_board_seat', one), 'route_board_not_found')
  t.equal(await world.codeOf(3, 'get_route_board', one), 'forbidden')
  t.equal(await world.codeOf(4, 'get_route_board', one), 'wrong_account')
  t.equal(await world.codeOf(51, 'close_route_board', one), 'forbidden')
  t.equal(await world.codeOf(1, 'claim_board_seat', one), 'wrong_account')
  t.equal(await world.codeOf(1, 'assign_board_driver', { ...one, driver_id: 61 }), 'driver_not_found')
  t.equal(await world.codeOf(1, 'assign_board_driver', { ...one, driver_id: 55 }), 'driver_not_found', 'not active')
  t.equal(await world.codeOf(1, 'veto_board_driver', { ...one, driver_id: 3 }), 'driver_not_found')
  t.equal(await world.codeOf(1, 'post_route_board', { seats: 0 }), 'invalid_input')
  t.equal(await world.codeOf(1, 'post_route_board', { seats: 1, schedule_date: '2026-02-30' }), 'invalid_input')
  t.equal(await world.codeOf(1, 'get_route_board', { board_id: 9 }), 'route_board_not_found')
})
