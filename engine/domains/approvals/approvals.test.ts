import t from 'tap'
import * as v from 'valibot'
import { type Account, type Business, type Person, type Role, scopesOf } from '../../kernel/account.ts'
import { call } from '../../kernel/call.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { EngineError, isEngineError } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import { createMemoryStore } from '../../store/memory.ts'
import { createMemoryModels } from '../../store/memory-models.ts'
import { createTools } from '../../store/tools.ts'
import { outside } from '../../testing/context.ts'
import { recordCall } from '../../testing/recording.test.fixture.ts'
import { specificationOf } from '../../testing/spec.ts'
import { en } from '../of-all.ts'
import { approvals } from './decider.ts'
import type { WriteProposed } from './events.ts'
import {
  approvePendingWrite,
  getProposal,
  listPendingApprovals,
  proposeWrite,
  rejectPendingWrite,
} from './operations.ts'

const { given } = specificationOf(t, approvals)
const start = Date.parse('2026-06-10T10:00:00Z')
const hour = 3_600_000

const proposed: WriteProposed = {
  type: 'WriteProposed',
  data: {
    ...{ proposal_id: 1, business_id: 1, tool: 'move', by: 7, session: 'a' },
    ...{ at: '2026-06-10T10:00:00.000Z', expires_at: '2026-06-11T10:00:00.000Z', personal: { arguments: {} } },
  },
}
const inTime = { by: 8, at: '2026-06-11T09:59:59.999Z' }
const tooLate = { by: 8, at: '2026-06-11T10:00:00.000Z' }
const approved = { type: 'WriteApproved', data: { proposal_id: 1, ...inTime, answer: {} } } as const
const rejected = { type: 'WriteRejected', data: { proposal_id: 1, ...inTime } } as const

t.test('given a pending proposal, when it is decided in time, then it is approved or rejected', async () => {
  given(proposed)
    .when({ type: 'ApproveWrite', data: { ...inTime, answer: {} } })
    .then(approved)
  given(proposed).when({ type: 'RejectWrite', data: inTime }).then(rejected)
})

t.test('given a decided, expired or unknown proposal, when it is decided, then it is refused', async () => {
  for (const command of [
    { type: 'ApproveWrite', data: { ...inTime, answer: {} } },
    { type: 'RejectWrite', data: inTime },
  ] as const) {
    given(proposed, approved).when(command).thenRefused('proposal_decided')
    given(proposed, rejected).when(command).thenRefused('proposal_decided')
    given().when(command).thenRefused('proposal_not_found')
  }
  given(proposed)
    .when({ type: 'ApproveWrite', data: { ...tooLate, answer: {} } })
    .thenRefused('proposal_decided')
  given(proposed).when({ type: 'RejectWrite', data: tooLate }).thenRefused('proposal_decided')
})

t.test(
  'given a proposal, however it stands, when it is erased, then that is said once; of none nothing is',
  async () => {
    const erase = { type: 'EraseProposal', at: tooLate.at } as const
    const erased = { type: 'ProposalErased', data: { proposal_id: 1, at: tooLate.at } } as const
    for (const history of [[proposed], [proposed, approved], [proposed, rejected]])
      given(...history)
        .when(erase)
        .then(erased)
    given(proposed, approved, erased).when(erase).thenNothing()
    given().when(erase).thenNothing()
  },
)

/** A tool that writes a fact, and is refused where its stream has one already. */
const move = operation({
  name: 'move',
  summary: 'Move a thing once.',
  scopes: ['orders:write'],
  risk: 'high',
  input: v.strictObject({ thing: v.string() }),
  output: v.strictObject({ result: v.literal(true), thing: v.string() }),
  errors: [],
  mcp: { title: 'Move' },
  handle: async ({ store, randomId, caller }, { thing }) => {
    if ((await store.last(`thing-${thing}`)) !== undefined) throw new EngineError('order_exists', { order: thing })
    const data = { by: caller.name, from: 'HERE', to: 'THERE', personal: { note: 'for Ann' } }
    const event = { id: randomId(), type: 'ThingMoved', data, metadata: { schemaVersion: 1 } }
    await store.append(`thing-${thing}`, [event], 'no-stream')
    return { result: true, thing }
  },
})
const look = operation({ ...move, name: 'look', risk: 'low' })

const business: Business = { id: 1, name: 'Acme', timeZone: 'America/Toronto', currency: 'USD', modules: {} }
const account = (id: number, role: Role, of = business): Account => ({
  ...{ id, role, business: of, modules: {}, hiddenPrices: [] },
})
const agent = account(7, 'client_employee')
const customer = account(5, 'customer')
const stranger = account(9, 'client_admin', { ...business, id: 2 })

function world() {
  const store = createMemoryStore(() => now)
  const gone = new Set<number>()
  let now = start
  const person = async (_: unknown, id: number): Promise<Person | undefined> => {
    const known = [agent, customer, stranger].find((one) => one.id === id)
    return known && { ...known, isActive: !gone.has(id) }
  }
  const context = (of: Account, signIn = 'a', scopes?: Caller['scopes']): Context => ({
    ...outside,
    directory: { ...outside.directory, person },
    ports: {
      ...outside.ports,
      approvals: createTools([move, look, proposeWrite, approvePendingWrite, rejectPendingWrite]),
    },
    ...{ store, models: createMemoryModels(store), clock: () => now, randomId: () => crypto.randomUUID() },
    ...{ profiles: [] as never, formats: [] as never, baseUrl: 'http://localhost:3000', messages: en, requestId: 'r' },
    caller: { kind: 'account', name: String(of.id), scopes: scopes ?? scopesOf[of.role], account: of, signIn },
  })
  const propose = (of = context(agent), thing = 'a', more = {}) =>
    call(proposeWrite, of, { tool: 'move', arguments: { thing }, ...more })
  const pass = (milliseconds: number) => {
    now += milliseconds
  }
  return { store, context, propose, pass, gone }
}

const reviewer = account(8, 'client_admin')

t.test(
  'given a proposal, when it is approved, then its tool is carried out as the account that proposed it',
  async (t) => {
    const { store, context, propose } = world()
    t.match(await propose(), { proposal_id: 1, status: 'pending', expires_at: '2026-06-11T06:00:00-04:00' })
    t.same(await store.read('thing-a'), [])
    const answer = await call(approvePendingWrite, context(reviewer), { proposal_id: 1 })
    t.match(answer, { status: 'approved', tool: 'move', answer: { result: true, thing: 'a' } })
    t.match(await store.read('thing-a'), [{ type: 'ThingMoved', data: { by: '7' } }])
    await t.rejects(call(approvePendingWrite, context(reviewer), { proposal_id: 1 }), { code: 'proposal_decided' })
  },
)

t.test(
  'given two who approve at once, then the tool is carried out once, and one is told that it is decided',
  async (t) => {
    const { store, context, propose } = world()
    await propose()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, () => call(approvePendingWrite, context(reviewer), { proposal_id: 1 })),
    )
    t.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') t.ok(isEngineError(outcome.reason, 'proposal_decided'))
    t.equal((await store.read('thing-a')).length, 1)
    t.equal((await store.read('approval-1')).length, 2)
  },
)

t.test(
  'given a proposal whose tool is refused by now, when it is approved, then it still waits, and says why',
  async (t) => {
    const { context, propose } = world()
    await propose()
    await call(move, context(agent), { thing: 'a' })
    const seen = await call(getProposal, context(reviewer), { proposal_id: 1 })
    t.match(seen, { proposal: { status: 'pending' }, refusal: { code: 'order_exists' } })
    const decision = { proposal_id: 1, reason: 'moved already' }
    const answer = await call(rejectPendingWrite, context(reviewer), decision)
    t.match(answer, { result: true, status: 'rejected' })
    recordCall({ operation: rejectPendingWrite.name, input: decision, status: 200, answer })
    t.match(await call(getProposal, context(agent), { proposal_id: 1 }), { proposal: { status: 'rejected' } })
  },
)

t.test(
  'given a proposal, when it is looked at, then what would change is told, without what it tells of people',
  async (t) => {
    const { store, context, propose } = world()
    await propose()
    const before = await store.latest()
    const { changes } = await call(getProposal, context(reviewer), { proposal_id: 1 })
    t.same(changes, [{ about: 'thing a', fact: 'ThingMoved', from: 'HERE', to: 'THERE' }])
    t.equal(await store.latest(), before)
  },
)

t.test('given a reviewer without the scopes of the tool, when it approves, then it is refused', async (t) => {
  const { context, propose } = world()
  await propose()
  const narrowed = context(reviewer, 'b', ['approvals:write'])
  await t.rejects(call(approvePendingWrite, narrowed, { proposal_id: 1 }), { code: 'forbidden' })
})

t.test(
  'given an agent that proposed, when it approves by the same sign-in, then that is refused; by another it may',
  async (t) => {
    const { context, propose } = world()
    await propose()
    await t.rejects(call(approvePendingWrite, context(agent), { proposal_id: 1 }), { code: 'own_proposal' })
    t.match(await call(approvePendingWrite, context(agent, 'b'), { proposal_id: 1 }), { status: 'approved' })
  },
)

t.test('given a disabled account, when its proposal is approved, then it is refused', async (t) => {
  const { context, propose, gone } = world()
  await propose()
  gone.add(agent.id)
  await t.rejects(call(approvePendingWrite, context(reviewer), { proposal_id: 1 }), { code: 'proposer_gone' })
})

t.test('given proposals of several accounts, when they are listed, then each sees what it may see', async (t) => {
  const { context, propose, pass } = world()
  await propose()
  await propose(context(customer), 'b')
  await propose(context(agent), 'c', { expires_in_hours: 1 })
  await propose(context(stranger), 'd')
  const seen = async (of: Account, more = {}) => {
    const { proposals, total } = await call(listPendingApprovals, context(of), more)
    const ids = (proposals as { proposal_id: number }[]).map(({ proposal_id }) => proposal_id)
    return [total, ...ids]
  }
  t.same(await seen(reviewer), [3, 3, 2, 1])
  t.same(await seen(reviewer, { per_page: 2, page: 2 }), [3, 1])
  t.same(await seen(agent, { mine_only: true }), [2, 3, 1])
  t.same(await seen(customer), [1, 2])
  t.same(await seen(stranger), [1, 4])
  pass(hour)
  t.same(await seen(reviewer), [2, 2, 1], 'what has expired waits no more')
  for (const proposal_id of [1, 99])
    await t.rejects(call(getProposal, context(stranger), { proposal_id }), { code: 'proposal_not_found' })
  await t.rejects(call(approvePendingWrite, context(stranger), { proposal_id: 1 }), { code: 'proposal_not_found' })
  await t.rejects(call(approvePendingWrite, context(customer), { proposal_id: 2 }), { code: 'forbidden' })
})

t.test(
  'given what no tool would take, when it is proposed, then that is refused at once, and no number is taken',
  async (t) => {
    const { store, context, propose } = world()
    const tries = [
      [{ tool: 'nothing', arguments: {} }, 'unknown_tool'],
      [{ tool: 'look', arguments: { thing: 'a' } }, 'not_proposable'],
      [{ tool: 'approve_pending_write', arguments: { proposal_id: 1 } }, 'not_proposable'],
      [{ tool: 'move', arguments: {} }, 'invalid_input'],
      [{ tool: 'move', arguments: { thing: 'a' }, expires_in_hours: 169 }, 'invalid_input'],
    ] as const
    for (const [input, code] of tries) await t.rejects(call(proposeWrite, context(agent), input), { code })
    await t.rejects(call(proposeWrite, context(account(3, 'driver')), { tool: 'move', arguments: {} }), {
      code: 'forbidden',
    })
    t.equal(await store.latest(), undefined)
    t.match(await propose(context(agent, 'a', ['approvals:read'])), { status: 'pending' }, 'a narrow agent may')
  },
)
