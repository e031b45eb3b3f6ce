import t, { type Test } from 'tap'
import type { GenericSchema } from 'valibot'
import * as v from 'valibot'
import type { Account, ModuleState } from '../../kernel/account.ts'
import { call } from '../../kernel/call.ts'
import { type EngineError, isEngineError } from '../../kernel/errors.ts'
import { messageOf } from '../../kernel/messages/index.ts'
import type { Operation } from '../../kernel/operation.ts'
import type { Row } from '../../kernel/read-model.ts'
import { preview } from '../../store/perform.ts'
import { recordCall } from '../../testing/recording.test.fixture.ts'
import { business, operator, people, world } from '../../testing/world.test.fixture.ts'
import { en } from '../of-all.ts'
import { cancelOrder, deleteOrder, holdOrder } from '../orders/change.ts'
import { assignDriver, handToCarrier } from '../orders/dispatch.ts'
import { stepOperations } from '../orders/drive.ts'
import { forgetOrder } from '../orders/forget.ts'
import { runOrder } from '../orders/load.ts'
import { orderStream } from '../orders/streams.ts'
import { planRoute } from '../routes/operations.ts'
import { assignOrdersToBroker } from './assign.ts'
import { assignmentModel } from './assignment-model.ts'
import { releaseBrokerOrderAssignment, revokeBrokerOrderAssignments } from './end.ts'
import { assignmentsDomain } from './index.ts'
import { listBrokerOrderAssignments } from './list.ts'

const {
  accept: acceptOrder,
  complete: completeOrder,
  depart: departWithOrder,
  fail: failOrder,
  pick_up: pickUpOrder,
  start_pickup: startPickup,
} = stepOperations

/** The accounts of a business that has the module, its contractors with it. */
function cast(state: ModuleState = 'on') {
  const of = { ...business, modules: { broker_assignment: state } }
  const at = (account: Account): Account => ({ ...account, business: of })
  const withModule = (account: Account): Account => ({ ...at(account), modules: { broker_assignment: 'on' } })
  return {
    admin: at(people.admin),
    employee: at(people.employee),
    driver: at(people.driver),
    customer: at(people.customer),
    contractor: withModule(people.contractor),
    other: withModule(people.otherContractor),
    /** A contractor for whom the module is off. */
    plain: at({ ...people.contractor, id: 20 }),
    gone: withModule({ ...people.contractor, id: 21 }),
    stranger: { ...people.stranger, business: { ...of, id: 2 } },
    strangeContractor: withModule({ ...people.contractor, id: 22 }),
  }
}

function market(state?: ModuleState) {
  const w = world()
  const who = cast(state)
  const all: readonly Account[] = Object.values(who)
  const contextOf = (account: Account) => {
    const context = w.context(account)
    const person = async (_: unknown, id: number) => {
      const found = all.find((one) => one.id === id)
      const of = id === 22 ? { ...business, id: 2 } : business
      return (
        found && { ...found, business: { ...found.business, id: of.id }, isActive: id !== 21, name: `Person ${id}` }
      )
    }
    return { ...context, directory: { ...context.directory, person } }
  }
  async function ask<Output extends GenericSchema>(
    account: Account,
    operation: Operation<GenericSchema, Output>,
    input: object,
  ): Promise<v.InferOutput<Output>> {
    const answer = await call(operation, contextOf(account), input)
    recordCall({ operation: operation.name, input, status: 200, answer })
    return v.parse(operation.output, answer)
  }
  async function refusal(account: Account, operation: Operation, input: object): Promise<EngineError | undefined> {
    try {
      await call(operation, contextOf(account), input)
      return undefined
    } catch (error) {
      if (isEngineError(error)) return error
      throw error
    }
  }
  const assign = (order_ids: readonly number[], broker: Account = who.contractor, more: object = {}) =>
    ask(who.admin, assignOrdersToBroker, { order_ids, broker_id: broker.id, ...more })
  const list = async (account: Account = who.admin, query: object = {}) =>
    ask(account, listBrokerOrderAssignments, query)
  return { ...w, who, contextOf, ask, refusal, assign, list }
}

t.test('given new orders, when they are assigned, then a contractor has them, and only sees its own', async (t) => {
  const { create, who, assign, list } = market()
  const one = await create({ reference: 'R-1', schedule_date: '2026-06-11' })
  const two = await create()
  t.same(await assign([one, two, one], who.contractor, { note: 'Ring twice' }), {
    ...{ result: true, assigned: 2, skipped: 0, errors: [] },
  })
  const { total, page, per_page, assignments } = await list()
  t.same({ total, page, per_page }, { total: 2, page: 1, per_page: 50 })
  t.same(assignments[1], {
    ...{ id: 1, order_id: one, order_ref: 'R-1', order_status_id: 1, scheduled_date: '2026-06-11', route_id: null },
    ...{ broker_id: who.contractor.id, broker_name: 'Person 7', status: 'active', note: 'Ring twice' },
    ...{ assigned_by: 1, assigned_at: '2026-06-10T12:00:00-04:00', ended_by: null, ended_at: null, end_reason: null },
  })
  t.equal(assignments[0]?.order_id, two, 'newest first')
  t.equal((await list(who.employee)).total, 2)
  t.equal((await list(who.contractor, { broker_id: who.other.id })).total, 2, 'broker_id is ignored for a contractor')
  t.equal((await list(who.other, { broker_id: who.contractor.id })).total, 0)
  t.equal((await list(who.stranger)).total, 0)
})

t.test('given orders that cannot be assigned, when they are, then each is listed with its reason', async (t) => {
  const { create, ask, who, assign, contextOf, list } = market()
  const planned = await create()
  await ask(who.admin, planRoute, { schedule_date: '2026-06-11', order_ids: [planned] })
  const carried = await create()
  await ask(who.admin, handToCarrier, { order_id: carried, provider: 'postal' })
  const held = await create()
  await ask(who.admin, holdOrder, { order_id: held })
  const [driven, cancelled, taken, free] = [await create(), await create(), await create(), await create()]
  await ask(who.admin, assignDriver, { order_id: driven, driver_id: who.driver.id })
  await ask(who.admin, cancelOrder, { order_id: cancelled })
  await assign([taken])
  const foreign = await create({}, people.stranger)
  const ids = [planned, carried, held, driven, cancelled, taken, foreign, 999, free]
  const { result, assigned, skipped, errors } = await assign(ids)
  t.same([result, assigned, skipped], [true, 1, 8])
  t.same(
    errors.map(({ order_id, code }: Row) => [order_id, code]),
    [
      [foreign, 'order_not_found'],
      [999, 'order_not_found'],
      [planned, 'order_on_route'],
      [carried, 'order_with_carrier'],
      [held, 'order_not_assignable'],
      [driven, 'order_not_assignable'],
      [cancelled, 'order_not_assignable'],
      [taken, 'already_assigned'],
    ].sort((a, b) => ids.indexOf(Number(a[0])) - ids.indexOf(Number(b[0]))),
  )
  const german = { ...en, order_not_assignable: 'Auftrag {order} ist {status}.' }
  const spoken = { ...contextOf(who.admin), messages: german }
  const again = await call(assignOrdersToBroker, spoken, { order_ids: [held], broker_id: who.contractor.id })
  const params = { order: held, status: 'HOLD' }
  t.match(again, {
    ...{ result: false, assigned: 0, skipped: 1 },
    errors: [{ message: messageOf('order_not_assignable', params, german) }],
  })
  const ids2 = (await list()).assignments.map(({ id }: Row) => id)
  t.same(ids2, [2, 1], 'orders that stay as they are take no number')
})

t.test('given a failed order, when it is assigned, then its driver loses it', async (t) => {
  const { create, ask, who, assign, store } = market()
  const order_id = await create()
  await ask(who.admin, assignDriver, { order_id, driver_id: who.driver.id })
  for (const step of [acceptOrder, startPickup, pickUpOrder, departWithOrder])
    await ask(who.driver, step as Operation, { order_id })
  await ask(who.driver, failOrder, { order_id, reason: 'deliver_later' })
  t.equal((await assign([order_id])).assigned, 1)
  const types = (await store.read(orderStream(order_id))).map(({ type }) => type)
  t.same(types.slice(-2), ['OrderUnassigned', 'ContractorAssigned'])
})

t.test('given an order of a contractor, when it is assigned to another, then it moves in one step', async (t) => {
  const { create, who, assign, list, pass, store, plain } = market()
  const order = await create({ reference: 'R-2' })
  await assign([order], who.contractor, { note: 'call first' })
  pass(60_000)
  t.equal((await assign([order], who.other)).assigned, 1)
  const { assignments } = await list()
  t.match(assignments, [
    { id: 2, broker_id: who.other.id, status: 'active', note: null, ended_at: null },
    {
      ...{ id: 1, broker_id: who.contractor.id, status: 'revoked', note: 'call first', ended_by: 1 },
      ...{ ended_at: '2026-06-10T12:01:00-04:00', end_reason: 'Moved to another contractor.' },
    },
  ])
  const facts = (await store.read(orderStream(order))).slice(1)
  t.same(
    facts.map(({ type }) => type),
    ['ContractorAssigned', 'ContractorAssigned'],
  )
  const [seen] = (await list(who.contractor)).assignments
  t.match(seen, { id: 1, order_ref: 'R-2', order_status_id: null, scheduled_date: null, route_id: null })
  const kept = JSON.stringify(await plain.read(orderStream(order)))
  t.notMatch(kept, 'call first', 'a note is sealed')
})

t.test('given assignments, when they are revoked, then the orders are free; others are listed', async (t) => {
  const { create, ask, who, assign, list } = market()
  const [one, two, three] = [await create(), await create(), await create()]
  await assign([one, two])
  await ask(who.contractor, planRoute, { schedule_date: '2026-06-11', order_ids: [two] })
  const { errors, ...rest } = await ask(who.admin, revokeBrokerOrderAssignments, {
    order_ids: [one, two, three, 999],
    reason: 'Too slow',
  })
  t.same(rest, { result: true, revoked: 1, skipped: 3 })
  t.same(
    errors.map(({ order_id, code }: Row) => [order_id, code]),
    [
      [two, 'order_on_route'],
      [three, 'not_assigned'],
      [999, 'order_not_found'],
    ],
  )
  t.match(errors[1], { message: `Order ${three} is not assigned to a contractor.` })
  const { assignments } = await list(who.admin, { status: 'revoked' })
  t.match(assignments, [{ order_id: one, end_reason: 'Too slow', ended_by: 1 }])
  t.match(await ask(who.admin, revokeBrokerOrderAssignments, { order_ids: [one] }), { result: false, revoked: 0 })
  t.match((await list(who.admin, { order_id: two })).assignments, [{ status: 'active', route_id: 1 }])
  t.equal((await assign([one])).assigned, 1, 'it can be assigned again')
})

t.test('given an assignment, when its contractor releases it, then it ends; nobody else can', async (t) => {
  const { create, ask, refusal, who, assign, list } = market()
  const [order, planned, foreign] = [await create(), await create(), await create({}, people.stranger)]
  await assign([order, planned])
  await ask(who.contractor, planRoute, { schedule_date: '2026-06-11', order_ids: [planned] })
  const release = (account: Account, order_id: number) => refusal(account, releaseBrokerOrderAssignment, { order_id })
  t.equal((await release(who.other, order))?.code, 'release_not_assigned')
  t.equal((await release(who.contractor, foreign))?.code, 'release_not_assigned')
  t.equal((await release(who.contractor, 999))?.code, 'release_not_assigned')
  t.equal((await release(who.contractor, planned))?.code, 'release_on_route')
  t.equal((await release(who.admin, order))?.code, 'wrong_account')
  const input = { order_id: order, reason: 'Full' }
  t.same(await ask(who.contractor, releaseBrokerOrderAssignment, input), {
    ...{ result: true, message: `Order ${order} is no longer assigned to you.` },
  })
  t.equal((await release(who.contractor, order))?.code, 'release_not_assigned')
  t.match((await list(who.admin, { status: 'released' })).assignments, [
    { order_id: order, end_reason: 'Full', ended_by: who.contractor.id },
  ])
})

t.test('given an order under way, when it is revoked or released, then it is refused', async (t) => {
  const { create, ask, refusal, who, assign } = market()
  const order_id = await create()
  await assign([order_id])
  await ask(who.contractor, assignDriver, { order_id, driver_id: who.driver.id })
  for (const step of [acceptOrder, startPickup, pickUpOrder]) await ask(who.driver, step as Operation, { order_id })
  const { errors } = await ask(who.admin, revokeBrokerOrderAssignments, { order_ids: [order_id] })
  const message = 'revoke_broker_order_assignments is not possible while the order is PICKED_UP.'
  t.match(errors, [{ code: 'order_status_forbids', message }])
  t.equal((await refusal(who.contractor, releaseBrokerOrderAssignment, { order_id }))?.code, 'release_under_way')
  await ask(who.driver, completeOrder, { order_id })
  t.equal((await ask(who.admin, revokeBrokerOrderAssignments, { order_ids: [order_id] })).revoked, 1)
})

t.test('given assigned orders, when they are cancelled or deleted, then no assignment stays active', async (t) => {
  const { create, ask, who, assign, list } = market()
  const [cancelled, deleted] = [await create(), await create()]
  await assign([cancelled, deleted])
  await ask(who.employee, cancelOrder, { order_id: cancelled })
  await ask(who.admin, deleteOrder, { order_id: deleted })
  t.equal((await list(who.admin, { status: 'active' })).total, 0)
  t.match((await list(who.admin)).assignments, [
    { order_id: deleted, status: 'revoked', ended_by: 1, end_reason: 'The order was deleted.' },
    { order_id: cancelled, status: 'revoked', ended_by: 2, end_reason: 'The order was cancelled.' },
  ])
  t.match((await list(who.contractor)).assignments, [{ order_status_id: null }, { order_status_id: null }])
})

t.test('given a contractor who cannot have orders, when it is named, then broker_id is refused', async (t) => {
  const { create, refusal, who } = market()
  const order_ids = [await create()]
  const found = async (broker_id: number) => {
    const error = await refusal(who.admin, assignOrdersToBroker, { order_ids, broker_id })
    return [error?.code, ...(error?.findings ?? []).map(({ path, code }) => `${path} ${code}`)]
  }
  for (const broker of [999, who.driver.id, who.gone.id, who.strangeContractor.id])
    t.same(await found(broker), ['invalid_input', 'broker_id contractor_not_found'])
  t.same(await found(who.plain.id), ['invalid_input', 'broker_id contractor_module_off'])
})

t.test('given an input out of bounds, when it is sent, then it is refused', async (t) => {
  const { refusal, who } = market()
  const broken = async (account: Account, operation: Operation, input: object) =>
    (await refusal(account, operation, input))?.findings.map(({ path, code }) => `${path} ${code}`)
  const broker_id = who.contractor.id
  const many = Array.from({ length: 201 }, (_, index) => index + 1)
  t.same(await broken(who.admin, assignOrdersToBroker, {}), ['order_ids required', 'broker_id required'])
  t.same(await broken(who.admin, assignOrdersToBroker, { order_ids: [], broker_id }), ['order_ids too_short'])
  t.same(await broken(who.admin, assignOrdersToBroker, { order_ids: many, broker_id }), ['order_ids too_long'])
  const long = { order_ids: [1], broker_id, note: 'x'.repeat(501) }
  t.same(await broken(who.admin, assignOrdersToBroker, long), ['note too_long'])
  t.same(await broken(who.admin, revokeBrokerOrderAssignments, {}), ['order_ids required'])
  const reason = 'x'.repeat(256)
  t.same(await broken(who.admin, revokeBrokerOrderAssignments, { order_ids: [1], reason }), ['reason too_long'])
  t.same(await broken(who.contractor, releaseBrokerOrderAssignment, { reason }), [
    'order_id required',
    'reason too_long',
  ])
  for (const query of [{ page: 0 }, { per_page: 0 }, { per_page: 201 }, { status: 'gone' }])
    t.equal((await broken(who.admin, listBrokerOrderAssignments, query))?.length, 1)
})

t.test('given other roles, when they call an operation, then they are refused', async (t) => {
  const { refusal, who } = market()
  const input = { order_ids: [1], broker_id: who.contractor.id }
  const code = async (account: Account, operation: Operation, asked: object) =>
    (await refusal(account, operation, asked))?.code
  for (const account of [who.employee, who.contractor, who.customer, who.driver]) {
    t.equal(await code(account, assignOrdersToBroker, input), 'wrong_account')
    t.equal(await code(account, revokeBrokerOrderAssignments, { order_ids: [1] }), 'wrong_account')
  }
  for (const account of [who.customer, who.driver])
    t.equal(await code(account, listBrokerOrderAssignments, {}), 'wrong_account')
})

const inputs: Readonly<Record<string, object>> = {
  list_broker_order_assignments: {},
  assign_orders_to_broker: { order_ids: [1], broker_id: people.contractor.id },
  revoke_broker_order_assignments: { order_ids: [1] },
  release_broker_order_assignment: { order_id: 1 },
}

t.test('given the module is not on, when an operation is called, then it is refused', async (t) => {
  const codes = { off: 'module_disabled', revoked: 'module_disabled', not_migrated: 'module_not_migrated' } as const
  for (const [state, code] of Object.entries(codes)) {
    const { refusal, who } = market(state as ModuleState)
    for (const operation of assignmentsDomain.operations) {
      const account = operation === releaseBrokerOrderAssignment ? who.contractor : who.admin
      t.equal(
        (await refusal(account, operation, inputs[operation.name] ?? {}))?.code,
        code,
        `${operation.name} ${state}`,
      )
      t.equal((await refusal(account, operation, { wrong: true }))?.code, code, 'before the input is looked at')
    }
  }
  const { refusal, who } = market()
  for (const operation of [listBrokerOrderAssignments, releaseBrokerOrderAssignment])
    t.equal((await refusal(who.plain, operation, inputs[operation.name] ?? {}))?.code, 'module_disabled')
})

/** Exactly one assignment is active, the order says the same, and the history has no gap. */
async function holdsTogether(
  t: Test,
  { list, contextOf, who }: ReturnType<typeof market>,
  order: number,
  made: number,
) {
  const { assignments } = await list(who.admin, { order_id: order, per_page: 200 })
  t.equal(assignments.length, made)
  t.equal(new Set(assignments.map(({ id }: Row) => id)).size, made, 'no number is given twice')
  const active = assignments.filter(({ status }: Row) => status === 'active')
  t.equal(active.length, 1)
  t.equal(active[0]?.id, Math.max(...assignments.map(({ id }: Row) => Number(id))), 'the last one holds')
  const ended = assignments.filter(({ status }: Row) => status === 'revoked')
  t.ok(ended.every(({ end_reason }: Row) => end_reason === 'Moved to another contractor.'))
  const { order: now } = await runOrder(contextOf(who.admin), order, {
    type: 'TakeStep',
    step: 'mark_ready',
    at: '',
    by: null,
  })
  t.same([now.assignment_id, now.broker_id], [active[0]?.id, active[0]?.broker_id])
}

t.test('given two contractors, when they get the same order at once, then one of them has it', async (t) => {
  const place = market()
  const { create, who, assign } = place
  const order = await create()
  const answers = await Promise.all([assign([order], who.contractor), assign([order], who.other)])
  t.ok(
    answers.every(({ assigned }) => assigned === 1),
    'each has had it',
  )
  await holdsTogether(t, place, order, 2)
})

t.test('given overlapping calls, when they run at once, then every order ends with one contractor', async (t) => {
  const place = market()
  const { create, who, assign } = place
  const orders = [await create(), await create(), await create()]
  const turns = Array.from({ length: 10 }, (_, turn) =>
    assign(turn % 2 === 0 ? orders : orders.toReversed(), turn % 2 === 0 ? who.contractor : who.other),
  )
  const answers = await Promise.all(turns)
  const made = answers.reduce((sum, { assigned }) => sum + assigned, 0)
  const { assignments } = await place.list(who.admin, { per_page: 200 })
  t.equal(assignments.length, made)
  for (const order of orders) {
    const own = assignments.filter(({ order_id }: Row) => order_id === order).length
    await holdsTogether(t, place, order, own)
  }
})

t.test('given an order that is planned on a route meanwhile, when it is assigned, then one is refused', async (t) => {
  const { create, ask, who, assign, list } = market()
  const order = await create()
  const plan = ask(who.admin, planRoute, { schedule_date: '2026-06-11', order_ids: [order] })
  const [planned, assigned] = await Promise.allSettled([plan, assign([order])])
  const isAssigned = assigned.status === 'fulfilled' && assigned.value.assigned === 1
  t.not(planned.status === 'fulfilled', isAssigned)
  t.equal((await list()).total, isAssigned ? 1 : 0)
})

t.test(
  'given a dry run, when orders are assigned, then the changes are returned, and nothing is recorded',
  async (t) => {
    const { create, contextOf, who, list } = market()
    const order = await create()
    const input = { order_ids: [order], broker_id: who.contractor.id }
    const { answer, appends } = await preview(assignOrdersToBroker, contextOf(who.admin), input)
    t.match(answer, { assigned: 1 })
    t.same(
      appends.map(({ stream }) => stream),
      [orderStream(order), 'sequence-assignment'],
    )
    t.equal((await list()).total, 0)
  },
)

t.test('given an erased order, when assignments are listed, then notes and reasons are gone', async (t) => {
  const { create, ask, who, assign, list, contextOf } = market()
  const order = await create()
  await assign([order], who.contractor, { note: 'For Ann' })
  await ask(who.admin, revokeBrokerOrderAssignments, { order_ids: [order], reason: 'Ann is away' })
  await call(forgetOrder, { ...contextOf(who.admin), caller: operator }, { order_id: order })
  t.match((await list()).assignments, [{ status: 'revoked', note: null, end_reason: null }])
})

t.test('given the events, when the model is rebuilt, then it is the same', async (t) => {
  const { create, who, assign, store, models } = market()
  const order = await create()
  await assign([order])
  await assign([order], who.other)
  const rows = new Map<unknown, object>()
  for (let turn = 0; turn < 2; turn++) {
    for await (const event of store.readAll(undefined, { category: 'order' }))
      for (const row of assignmentModel.rows(event))
        rows.set(row.assignment_id, { ...rows.get(row.assignment_id), ...row })
  }
  t.match(await models.rows(assignmentModel, {}), [...rows.values()])
})
