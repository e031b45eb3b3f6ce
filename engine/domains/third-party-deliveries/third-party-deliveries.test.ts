import fc from 'fast-check'
import t from 'tap'
import * as v from 'valibot'
import type { MoveOf } from '../../entity/field.ts'
import { allowsMove, type EntityEvent } from '../../entity/machine.ts'
import {
  anonymous,
  type Caller,
  type Context,
  call,
  createMemoryStore,
  deriveId,
  en,
  fold,
  isEngineError,
  isoOf,
  type Modules,
  type Operation,
  perform,
  type RecordedEvent,
  type Role,
  scopesOf,
} from '../../index.ts'
import type { WebhookEventSource } from '../../kernel/webhook-event.ts'
import { createTestParts } from '../../testing/parts.test.fixture.ts'
import { recordCall } from '../../testing/recording.test.fixture.ts'
import { areMany, runs } from '../../testing/runs.test.fixture.ts'
import { refusalOf, specificationOf } from '../../testing/spec.ts'
import { assignment as table } from './assignment.ts'
import { thirdPartyDeliveriesDomain } from './index.ts'
import type { Status as AssignmentStatus } from './moves.ts'
import type { Report } from './packages.ts'
import {
  type Assignment,
  type AssignmentCommand as ThirdPartyCommand,
  assignmentsOfOrder as thirdPartyAssignments,
} from './rules.ts'

type AssignmentMove = Exclude<MoveOf<typeof table>, 'assign'>
type ThirdPartyEvent = EntityEvent

const assignmentStatusNames = Object.keys(table.statuses) as readonly AssignmentStatus[]
const { webhookEventTypes: thirdPartyEventTypes = [], webhookEventSources = [] } = thirdPartyDeliveriesDomain
const thirdPartyEventSource = webhookEventSources[0] as WebhookEventSource

const { given } = specificationOf(t, thirdPartyAssignments)

const start = Date.parse('2026-06-10T10:00:00.000Z')
const at = isoOf(start)
const by = 7
const told = { assignment_id: 1, at, by }

const assignment: EntityEvent['data'] = {
  ...told,
  ...{ business_id: 1, order_id: 9, order_reference: null, provider: 'acme', source: 'manual', packages: ['A', 'B'] },
}
const assigned: ThirdPartyEvent = { type: 'ThirdPartyAssigned', data: assignment }
const handedOver: ThirdPartyEvent = { type: 'ThirdPartyHandedOver', data: told }
const reported = (to: AssignmentStatus, ...packages: readonly Report[]): ThirdPartyEvent => ({
  type: 'ThirdPartyPackagesReported',
  data: { ...told, packages, to },
})
const delivered = (tracking_number: string): Report => ({ tracking_number, outcome: 'delivered' })
const failed = (tracking_number: string): Report => ({ tracking_number, outcome: 'failed' })
const cancelled: ThirdPartyEvent = { type: 'ThirdPartyCancelled', data: { ...told, reason: 'cancelled' } }

/** A history that ends in each status. */
const histories: Readonly<Record<AssignmentStatus, readonly ThirdPartyEvent[]>> = {
  assigned: [assigned],
  handed_over: [assigned, handedOver],
  partially_delivered: [assigned, handedOver, reported('partially_delivered', delivered('A'))],
  delivered: [assigned, handedOver, reported('delivered', delivered('A'), delivered('B'))],
  undelivered: [assigned, handedOver, reported('undelivered', delivered('A'), failed('B'))],
  cancelled: [assigned, cancelled],
}

/** A command that makes a move of the first assignment. */
const command = (move: ThirdPartyCommand['move'], values: object = {}): ThirdPartyCommand => ({
  ...{ move, at, by },
  values: { assignment_id: 1, ...values },
})

const report = (...packages: readonly Report[]): ThirdPartyCommand => command('report', { packages })
const book = (...legs: readonly (readonly [name: string, ...numbers: string[]])[]): ThirdPartyCommand =>
  command('book_legs', {
    legs: legs.map(([external_order_id, ...tracking_numbers]) => ({ external_order_id, tracking_numbers })),
  })
const booked = (...legs: readonly (readonly [name: string, ...numbers: string[]])[]): ThirdPartyEvent => ({
  type: 'ThirdPartyLegsBooked',
  data: {
    ...told,
    legs: legs.map(([external_order_id, ...tracking_numbers]) => ({ external_order_id, tracking_numbers })),
  },
})
const reassign = (more: object = {}): ThirdPartyCommand =>
  command('reassign', { new_assignment_id: 2, provider: 'other', source: 'rule', ...more })

/** A command that makes each move. */
const commands: Readonly<Record<AssignmentMove, ThirdPartyCommand>> = {
  hand_over: command('hand_over'),
  book_legs: book(['X1', 'B']),
  report: report(delivered('B')),
  cancel: command('cancel', { reason: 'fallback_to_self_delivery' }),
  reassign: reassign(),
}

const no = 'third_party_status_forbids'

/** What each move leads to in each status, as document 3 and common sense have it: a status, or the refusal. */
const wanted: Readonly<Record<AssignmentStatus, Readonly<Record<AssignmentMove, string>>>> = {
  assigned: { hand_over: 'handed_over', book_legs: 'assigned', report: no, cancel: 'cancelled', reassign: 'cancelled' },
  handed_over: {
    ...{ hand_over: no, book_legs: 'handed_over', report: 'partially_delivered' },
    ...{ cancel: 'cancelled', reassign: 'cancelled' },
  },
  partially_delivered: {
    ...{ hand_over: no, book_legs: 'partially_delivered', report: 'delivered', cancel: no, reassign: no },
  },
  delivered: { hand_over: no, book_legs: no, report: 'delivered', cancel: no, reassign: no },
  undelivered: { hand_over: no, book_legs: no, report: 'third_party_package_settled', cancel: no, reassign: no },
  cancelled: { hand_over: no, book_legs: no, report: no, cancel: no, reassign: no },
}

for (const status of assignmentStatusNames) {
  for (const move of Object.keys(commands) as readonly AssignmentMove[]) {
    const outcome = wanted[status][move]
    t.test(`given an assignment that is ${status}, when ${move} is asked for, then: ${outcome}`, async (t) => {
      const state = fold(thirdPartyAssignments, histories[status])
      t.equal(state[0]?.status, status)
      let after = state
      const refusal = refusalOf(() => {
        after = fold(thirdPartyAssignments, thirdPartyAssignments.decide(commands[move], state), state)
      })
      t.equal(refusal ?? after[0]?.status, outcome)
      if (move !== 'report') t.equal(allowsMove(table, status, move), refusal === undefined, 'the table says the same')
    })
  }
}

t.test('given an order, when it is assigned, then it is to one provider at a time', async () => {
  const { at: _, by: __, ...values } = assignment
  const again = command('assign', { ...values, assignment_id: 2 })
  given().when(command('assign', values)).then(assigned)
  const second: ThirdPartyEvent = { type: 'ThirdPartyAssigned', data: { ...assignment, assignment_id: 2 } }
  for (const status of ['assigned', 'handed_over', 'partially_delivered', 'delivered'] as const)
    given(...histories[status])
      .when(again)
      .thenRefused('third_party_order_taken')
  for (const status of ['undelivered', 'cancelled'] as const)
    given(...histories[status])
      .when(again)
      .then(second)
  given().when(commands.hand_over).thenRefused('third_party_assignment_not_found')
})

t.test('given an assignment, when it is given to another provider, then both are told in one', async () => {
  const withdrawn: ThirdPartyEvent = { type: 'ThirdPartyCancelled', data: { ...told, reason: 'reassigned' } }
  const moved = (packages: readonly string[]): ThirdPartyEvent => ({
    type: 'ThirdPartyAssigned',
    data: { ...assignment, assignment_id: 2, provider: 'other', source: 'rule', packages },
  })
  given(assigned)
    .when(reassign())
    .then(withdrawn, moved(['A', 'B']))
  given(assigned, handedOver)
    .when(reassign({ packages: ['C'] }))
    .then(withdrawn, moved(['C']))
  given(assigned)
    .when(reassign({ provider: 'acme' }))
    .thenRefused('third_party_same_provider')
  given(assigned, withdrawn, moved(['A']))
    .when(reassign())
    .thenRefused(no)
})

t.test('given packages, when they are reported, then each is once, and all of them make the status', async () => {
  const history = histories.handed_over
  given(...history)
    .when(report(failed('A')))
    .then(reported('handed_over', failed('A')))
  given(...history)
    .when(report(failed('A'), failed('B')))
    .then(reported('undelivered', failed('A'), failed('B')))
  given(...history)
    .when(report(delivered('A'), delivered('A')))
    .then(reported('partially_delivered', delivered('A')))
  given(...history)
    .when(report(delivered('A'), failed('A')))
    .thenRefused('third_party_package_settled')
  given(...history)
    .when(report(delivered('C')))
    .thenRefused('third_party_package_unknown')
  given(...histories.partially_delivered)
    .when(report(delivered('A')))
    .thenNothing()
  given(...histories.partially_delivered)
    .when(report(delivered('A'), failed('B')))
    .then(reported('undelivered', failed('B')))
  given(...histories.partially_delivered)
    .when(report(failed('A')))
    .thenRefused('third_party_package_settled')
  given(assigned)
    .when(report(delivered('A')))
    .thenRefused(no)
})

t.test('given packages, when orders are booked for them, then each is on one', async () => {
  given(assigned)
    .when(book(['X1', 'A'], ['X2', 'B']))
    .then(booked(['X1', 'A'], ['X2', 'B']))
  given(assigned)
    .when(book(['X1', 'A', 'B']))
    .then(booked(['X1', 'A', 'B']))
  given(assigned, booked(['X1', 'A']))
    .when(book(['X2', 'B']))
    .then(booked(['X2', 'B']))
  given(assigned, booked(['X1', 'A']))
    .when(book(['X1', 'B']))
    .thenRefused('third_party_leg_taken')
  given(assigned, booked(['X1', 'A']))
    .when(book(['X2', 'A']))
    .thenRefused('third_party_leg_taken')
  given(assigned)
    .when(book(['X1', 'A'], ['X2', 'A']))
    .thenRefused('third_party_leg_taken')
  given(assigned)
    .when(book(['X1', 'C']))
    .thenRefused('third_party_package_unknown')
})

t.test('given an event that leaves out what is missing, when it is read, then it means the same', async (t) => {
  const { order_reference: _, ...rest } = assignment
  const before: ThirdPartyEvent = { type: 'ThirdPartyAssigned', data: { ...rest, at, by } }
  const today = fold(thirdPartyAssignments, [assigned, handedOver])
  t.equal(today.length, 1)
  t.same(fold(thirdPartyAssignments, [before, handedOver]), today)
})

/** What is done in a random history. */
type Step =
  | { readonly do: 'assign' | 'hand_over' | 'cancel' | 'reassign' }
  | { readonly do: 'report'; readonly package: 0 | 1 | 2; readonly outcome: Report['outcome'] }

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('assign', 'hand_over', 'cancel', 'reassign') }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('report'),
      package: fc.constantFrom(0, 1, 2),
      outcome: fc.constantFrom('delivered', 'failed'),
    }),
  },
) as fc.Arbitrary<Step>

/** A second telling of the rules: the last assignment as the letters of what became of its three packages. */
interface Telling {
  letters: string
  hasParcels: boolean
  isWithdrawn: boolean
}

const begun = { letters: '...', hasParcels: false, isWithdrawn: false }

/** What a step does, or the code that it is refused with. */
function retell(telling: Telling, step: Step): string | undefined {
  const { letters, isWithdrawn, hasParcels } = telling
  const isUnderWay = !isWithdrawn && letters.includes('.')
  const isUntouched = isUnderWay && !letters.includes('d')
  switch (step.do) {
    case 'assign':
      if (isUnderWay || letters === 'ddd') return 'third_party_order_taken'
      return void Object.assign(telling, begun)
    case 'hand_over':
      return isUnderWay && !hasParcels ? void Object.assign(telling, { hasParcels: true }) : no
    case 'cancel':
      return isUntouched ? void Object.assign(telling, { isWithdrawn: true }) : no
    case 'reassign':
      return isUntouched ? void Object.assign(telling, begun) : no
    case 'report': {
      const letter = step.outcome === 'delivered' ? 'd' : 'f'
      const known = letters[step.package]
      if (known === letter) return undefined
      if (known !== '.') return 'third_party_package_settled'
      if (!isUnderWay || !hasParcels) return no
      telling.letters = letters.slice(0, step.package) + letter + letters.slice(step.package + 1)
      return undefined
    }
  }
}

function statusTold({ letters, hasParcels, isWithdrawn }: Telling): AssignmentStatus {
  if (isWithdrawn) return 'cancelled'
  if (letters === 'ddd') return 'delivered'
  if (!letters.includes('.')) return 'undelivered'
  if (letters.includes('d')) return 'partially_delivered'
  return hasParcels ? 'handed_over' : 'assigned'
}

const parcels = ['P0', 'P1', 'P2'] as const

function commandOf(step: Step, last: number, provider: string): ThirdPartyCommand {
  const on = { assignment_id: last }
  const other = provider === 'acme' ? 'other' : 'acme'
  switch (step.do) {
    case 'assign':
      return command('assign', { ...assignment, assignment_id: last + 1, packages: parcels })
    case 'hand_over':
      return command('hand_over', on)
    case 'cancel':
      return command('cancel', { ...on, reason: 'cancelled' })
    case 'reassign':
      return reassign({ ...on, new_assignment_id: last + 1, provider: other })
    case 'report':
      return command('report', {
        ...on,
        packages: [{ tracking_number: parcels[step.package], outcome: step.outcome }],
      })
  }
}

t.test('given any history, when each step is taken, then it goes as a second telling of the rules says', async (t) => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 30, size: 'max' }), (taken) => {
      const telling: Telling = { ...begun }
      let state: readonly Assignment[] = thirdPartyAssignments
        .decide(commandOf({ do: 'assign' }, 0, ''), [])
        .reduce(thirdPartyAssignments.evolve, thirdPartyAssignments.initial())
      for (const step of taken) {
        const command = commandOf(step, state.at(-1)?.assignment_id ?? 0, state.at(-1)?.provider ?? '')
        const code = refusalOf(() => {
          state = fold(thirdPartyAssignments, thirdPartyAssignments.decide(command, state), state)
        })
        const expected = retell(telling, step)
        if (code !== expected) throw new Error(`${JSON.stringify(step)}: ${code}, not ${expected}`)
        const status = state.at(-1)?.status
        if (status !== statusTold(telling)) throw new Error(`${JSON.stringify(step)} -> ${status}`)
        const standing = state.filter((one) => !['cancelled', 'undelivered', 'delivered'].includes(one.status))
        if (standing.length > 1) throw new Error('two are under way')
        seen.add(String(status)).add(code ?? 'done')
      }
    }),
    { numRuns: runs(t, 200) },
  )
  const refusals = [no, 'third_party_order_taken', 'third_party_package_settled']
  if (areMany) t.same([...seen].sort(), ['done', ...refusals, ...assignmentStatusNames].sort(), 'all of it was met')
})

const accountOf = (id: number, role: Role, businessId: number): Caller => {
  const business = { id: businessId, name: 'B', timeZone: 'UTC', currency: 'EUR', modules: {} as Modules }
  const account = { id, role, business, modules: {}, hiddenPrices: [] }
  return { kind: 'account', name: String(id), scopes: scopesOf[role], account }
}
const partner = (name: string, businessId: number): Caller => ({
  ...{ kind: 'provider', name, businessId },
  scopes: ['otep:ingest', 'third_party:write'],
})
const callers = {
  admin: accountOf(1, 'client_admin', 1),
  employee: accountOf(2, 'client_employee', 1),
  customer: accountOf(3, 'customer', 1),
  driver: accountOf(4, 'driver', 1),
  contractor: accountOf(5, 'contractor', 1),
  stranger: accountOf(11, 'client_admin', 2),
  acme: partner('acme', 1),
  other: partner('other', 1),
  acmeElsewhere: partner('acme', 2),
  unbound: { kind: 'provider', name: 'acme', scopes: ['otep:ingest', 'third_party:write'] },
  public: anonymous,
} as const satisfies Readonly<Record<string, Caller>>

interface Answered {
  readonly assignment_id: number
  readonly status: string
  readonly total: number
  readonly assignment: Readonly<Record<string, unknown>>
  readonly assignments: readonly { readonly assignment_id: number; readonly status: string }[]
}

/** An engine on a store in memory in which the orders below 100 are there, and four providers. */
function createWorld() {
  let ids = 0
  const store = createMemoryStore(() => start)
  const parts = createTestParts({ store, clock: () => start, randomId: () => deriveId('third party', String(ids++)) })
  const owners: Readonly<Record<string, number | undefined>> = { acme: 1, other: 1, free: undefined, foreign: 2 }
  const directory = {
    ...parts.directory,
    serves: async (_: unknown, name: string, businessId: number) =>
      Object.hasOwn(owners, name) && [undefined, businessId].includes(owners[name]),
  }
  const ports = { ...parts.ports, thirdPartyDeliveries: { orderExists: async (_: unknown, id: number) => id < 100 } }
  const context: Context = { ...parts, directory, ports, caller: anonymous, messages: en, requestId: 'test' }

  async function as(who: keyof typeof callers, name: string, input: object, key?: string): Promise<Answered> {
    const found = thirdPartyDeliveriesDomain.operations.find((one) => one.name === name) as Operation
    const asking = { ...context, caller: callers[who] }
    const answer = key === undefined ? await call(found, asking, input) : await perform(found, asking, input, key)
    recordCall({ operation: name, input, status: 200, answer })
    v.parse(found.output, answer)
    return answer as unknown as Answered
  }

  const codeOf = async (who: keyof typeof callers, name: string, input: object) => {
    try {
      await as(who, name, input)
      return 'done'
    } catch (error) {
      if (isEngineError(error)) return error.code
      throw error
    }
  }

  /** The webhook events of all events so far; nothing else is reported. */
  async function webhookEvents() {
    const all = []
    for await (const event of parts.store.readAll(undefined, { category: 'third_party' }))
      all.push(...(await thirdPartyEventSource.webhookEventsOf(parts, event)))
    return all
  }

  return { parts, as, codeOf, webhookEvents }
}

const asked = { order_id: 9, order_reference: 'R-9', provider: 'acme', packages: ['A', 'B'] }
const first = { assignment_id: 1 }

t.test('given an order, when it is carried by a provider, then each step is answered and told', async (t) => {
  const world = createWorld()
  const { as } = world
  t.same(await as('employee', 'assign_third_party', asked), {
    result: true,
    id: 1,
    assignment_id: 1,
    status: 'assigned',
  })
  await as('admin', 'hand_over_third_party', first)
  const legs = [
    { external_order_id: 'X1', tracking_numbers: ['A'] },
    { external_order_id: 'X2', tracking_numbers: ['B'] },
  ]
  await as('acme', 'book_provider_legs', { ...first, legs })
  const part = { ...first, packages: [delivered('A')] }
  t.equal((await as('acme', 'report_provider_packages', part)).status, 'partially_delivered')
  t.equal((await as('acme', 'report_provider_packages', part)).status, 'partially_delivered', 'and again')
  const partly = {
    ...{ assignment_id: 1, order_id: 9, order_reference: 'R-9', provider: 'acme', source: 'manual' },
    ...{ status: 'partially_delivered', assigned_at: at },
    packages: [
      { tracking_number: 'A', outcome: 'delivered' },
      { tracking_number: 'B', outcome: 'in_progress' },
    ],
    legs: [
      { ...legs[0], outcome: 'delivered' },
      { ...legs[1], outcome: 'in_progress' },
    ],
  }
  const { assignment } = await as('employee', 'get_third_party_delivery', first)
  t.same(assignment, { id: 1, ...partly, handed_over_at: at, ended_at: null, reason: null })
  const rest = { ...first, packages: [delivered('B')] }
  t.equal((await as('admin', 'report_third_party_packages', rest)).status, 'delivered')
  const all = await world.webhookEvents()
  t.same(
    all.map(({ type: eventType, subject, audience, occurredAt }) => ({ eventType, subject, audience, occurredAt })),
    ['created', 'handed_over', 'partial_delivered'].map((what) => ({
      eventType: `delivery.assignment.${what}`,
      subject: 'assignment/1',
      audience: { kind: 'provider', businessId: 1, provider: 'acme' },
      occurredAt: at,
    })),
  )
  t.same(all[2]?.data('business'), partly)
})

t.test(
  'given what providers are told, when it is parsed, then each webhook event is as its schema, for good',
  async (t) => {
    const world = createWorld()
    await world.as('admin', 'assign_third_party', { ...asked, source: 'rule' })
    await world.as('admin', 'hand_over_third_party', first)
    await world.as('admin', 'report_third_party_packages', { ...first, packages: [failed('A')] })
    await world.as('admin', 'reassign_third_party', { ...first, provider: 'other', packages: ['C', 'D'] })
    await world.as('admin', 'hand_over_third_party', { assignment_id: 2 })
    await world.as('admin', 'report_third_party_packages', { assignment_id: 2, packages: [delivered('D')] })
    await world.as('admin', 'assign_third_party', { ...asked, order_id: 10 })
    await world.as('admin', 'cancel_third_party', { assignment_id: 3, reason: 'fallback_to_self_delivery' })
    const all = await world.webhookEvents()
    t.same(
      all.map(({ type: eventType, audience, data }) => [
        eventType.slice('delivery.assignment.'.length),
        audience.kind === 'provider' && audience.provider,
        data('business').reason,
      ]),
      [
        ['created', 'acme', undefined],
        ['handed_over', 'acme', undefined],
        ['cancelled', 'acme', 'reassigned'],
        ['created', 'other', undefined],
        ['handed_over', 'other', undefined],
        ['partial_delivered', 'other', undefined],
        ['created', 'acme', undefined],
        ['cancelled', 'acme', 'fallback_to_self_delivery'],
      ],
    )
    t.equal(new Set(all.map(({ type }) => type)).size, thirdPartyEventTypes.length, 'every webhook event was made')
    for (const { type: name, data, id } of all) {
      const eventType = thirdPartyEventTypes.find((one) => one.name === name)
      if (eventType === undefined) throw new Error(`${name} is no webhook event`)
      for (const reader of ['business', 'customer'] as const)
        t.same(v.parse(eventType.data, data(reader)), data(reader))
      t.match(id, /^TPD-[A-Za-z0-9-]{36}$/)
    }
    for (const { data, example, channel, idMember } of thirdPartyEventTypes) {
      t.same(v.parse(data, example), example)
      t.same([channel, idMember], ['third_party_delivery', 'event_id'])
    }
    const again = await world.webhookEvents()
    t.same(
      again.map(({ id }) => id),
      all.map(({ id }) => id),
      'ids are stable',
    )
    t.equal(new Set(all.map(({ id }) => id)).size, all.length)
    t.same(
      again.map(({ data }) => data('business')),
      all.map(({ data }) => data('business')),
      'what was told once is told so again, whatever has happened since',
    )
  },
)

const inputs = {
  get_third_party_delivery: first,
  hand_over_third_party: first,
  book_third_party_legs: { ...first, legs: [{ external_order_id: 'X1', tracking_numbers: ['A'] }] },
  report_third_party_packages: { ...first, packages: [delivered('A')] },
  cancel_third_party: { ...first, reason: 'cancelled' },
  reassign_third_party: { ...first, provider: 'other' },
  book_provider_legs: { ...first, legs: [{ external_order_id: 'X2', tracking_numbers: ['B'] }] },
  report_provider_packages: { ...first, packages: [failed('A')] },
} as const

t.test('given each kind of caller, when it calls each operation, then it may what is its own', async (t) => {
  const world = createWorld()
  await world.as('admin', 'assign_third_party', asked)
  const names = Object.keys(inputs) as readonly (keyof typeof inputs)[]
  t.equal(names.length + 3, thirdPartyDeliveriesDomain.operations.length, 'all operations are named here')
  const forProviders = (name: string) => name.includes('provider')
  const codes = async (who: keyof typeof callers) =>
    Promise.all(names.map((name) => world.codeOf(who, name, inputs[name])))
  const every = (forStaff: string, forOthers: string) => names.map((n) => (forProviders(n) ? forOthers : forStaff))
  const missing = 'third_party_assignment_not_found'
  t.same(await codes('stranger'), every(missing, 'forbidden'))
  t.same(await codes('customer'), every('wrong_account', 'forbidden'))
  t.same(await codes('public'), every('unauthenticated', 'unauthenticated'))
  t.same(await codes('other'), every('forbidden', missing), 'another provider of the same business')
  t.same(await codes('acmeElsewhere'), every('forbidden', missing), 'the same name with another business')
  t.same(await codes('unbound'), every('forbidden', 'account_required'))
  for (const who of ['driver', 'contractor'] as const)
    t.same(await codes(who), every('wrong_account', 'forbidden'), who)
  t.equal(await world.codeOf('customer', 'assign_third_party', asked), 'wrong_account')
  t.equal(await world.codeOf('acme', 'assign_third_party', asked), 'forbidden')
  t.equal((await world.as('employee', 'list_third_party_deliveries', {})).assignments[0]?.status, 'assigned')
})

t.test('given what does not exist for the business, when an order is assigned, then it is refused', async (t) => {
  const world = createWorld()
  const code = (more: object) => world.codeOf('admin', 'assign_third_party', { ...asked, ...more })
  t.equal(await code({ order_id: 100 }), 'order_not_found')
  for (const provider of ['nobody', 'foreign']) t.equal(await code({ provider }), 'provider_not_found')
  t.equal(await code({ packages: [] }), 'invalid_input')
  t.equal(await code({ packages: ['A', 'A'] }), 'invalid_input')
  t.equal(await code({ provider: 'free' }), 'done')
  t.equal(await code({}), 'third_party_order_taken')
  const moved = (provider: string) => world.codeOf('admin', 'reassign_third_party', { ...first, provider })
  t.equal(await moved('foreign'), 'provider_not_found')
  t.equal(await moved('free'), 'third_party_same_provider')
  t.equal((await world.webhookEvents()).length, 1)
})

t.test('given assignments, when they are listed, then the filters and pages are those asked for', async (t) => {
  const world = createWorld()
  for (const order_id of [1, 2, 3, 4])
    await world.as('admin', 'assign_third_party', { ...asked, order_id, provider: order_id < 3 ? 'acme' : 'other' })
  await world.as('admin', 'cancel_third_party', { assignment_id: 2, reason: 'cancelled' })
  await world.as('admin', 'assign_third_party', { ...asked, order_id: 2, provider: 'other' })
  const listed = async (who: keyof typeof callers, name: string, input: object) => {
    const { total, assignments } = await world.as(who, name, input)
    return [total, assignments.map(({ assignment_id }) => assignment_id)]
  }
  const all = (input: object) => listed('employee', 'list_third_party_deliveries', input)
  t.same(await all({}), [5, [5, 4, 3, 2, 1]])
  t.same(await all({ provider: 'acme' }), [2, [2, 1]])
  t.same(await all({ status: 'cancelled' }), [1, [2]])
  t.same(await all({ order_id: 2 }), [2, [5, 2]])
  t.same(await all({ per_page: 2, page: 2 }), [5, [3, 2]])
  t.same(await listed('stranger', 'list_third_party_deliveries', {}), [0, []])
  t.same(await listed('acme', 'list_provider_assignments', {}), [2, [2, 1]])
  t.same(await listed('other', 'list_provider_assignments', { status: 'assigned' }), [3, [5, 4, 3]])
  t.same(await listed('acmeElsewhere', 'list_provider_assignments', {}), [0, []])
})

t.test('given an idempotency key, when an assignment is asked for twice, then there is one', async (t) => {
  const world = createWorld()
  const once = await world.as('admin', 'assign_third_party', asked, 'key-1')
  t.same(await world.as('admin', 'assign_third_party', asked, 'key-1'), once)
  t.equal((await world.as('admin', 'list_third_party_deliveries', {})).total, 1)
})

t.test('given many who assign one order at once, when all have been answered, then one provider has it', async (t) => {
  const world = createWorld()
  const codes = await Promise.all(
    Array.from({ length: 12 }, (_, place) =>
      world.codeOf('admin', 'assign_third_party', { ...asked, provider: place % 2 === 0 ? 'acme' : 'other' }),
    ),
  )
  t.equal(codes.filter((code) => code === 'done').length, 1)
  t.equal(codes.filter((code) => code === 'third_party_order_taken').length, 11)
})

t.test('given the events of the domain, when they are recorded, then all of their types are listed', async (t) => {
  const world = createWorld()
  await world.as('admin', 'assign_third_party', asked)
  const types: string[] = []
  for await (const event of world.parts.store.readAll(undefined, { category: 'third_party' }))
    types.push((event as RecordedEvent).type)
  t.same(types, ['ThirdPartyAssigned'])
  t.ok(types.every((type) => Object.hasOwn(thirdPartyDeliveriesDomain.events.third_party ?? {}, type)))
})
