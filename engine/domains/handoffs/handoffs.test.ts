import fc from 'fast-check'
import t from 'tap'
import * as v from 'valibot'
import type { MoveOf } from '../../entity/field.ts'
import { allowsMove, type EntityEvent, type MoveCommand } from '../../entity/machine.ts'
import { fold, isoOf } from '../../index.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { areMany, runs } from '../../testing/runs.test.fixture.ts'
import { refusalOf, specificationOf } from '../../testing/spec.ts'
import { handoff as table } from './handoff.ts'
import { handoffsDomain } from './index.ts'
import { handoffWebhookEventTypes } from './machine.ts'
import { type Handoff, handoffs, maxAmendments, maxEntries } from './rules.ts'
import {
  asked,
  createWorld,
  details,
  first,
  goThroughAll,
  minute,
  order,
  start,
  type Who,
} from './world.test.fixture.ts'

type HandoffEvent = EntityEvent
type HandoffCommand = MoveCommand<MoveOf<typeof table>>
type HandoffStatus = keyof typeof table.statuses
/** The last update completes a handoff. */
type HandoffMove = Exclude<MoveOf<typeof table>, 'propose' | 'erase'> | 'complete'

const handoffStatusNames = Object.keys(table.statuses) as readonly HandoffStatus[]

const { given } = specificationOf(t, handoffs)

const at = isoOf(start)
const expires_at = isoOf(start + 60 * minute)
const by = 7
const now = { at, by }
const told = { at, by, business_id: 1, provider: 'acme' }

const offer: EntityEvent['data'] = {
  ...told,
  ...{ handoff_id: 1, partner_reference: 'PO-1', expires_at, personal: details },
}
const proposed: HandoffEvent = { type: 'HandoffProposed', data: offer }
const accepted: HandoffEvent = { type: 'HandoffAccepted', data: { ...told, order_id: null } }
const amendment: HandoffEvent = {
  type: 'AmendmentProposed',
  data: { ...told, amendment_id: 1, personal: { instructions: 'Ring twice' } },
}
const update = { status_code: 'in_transit', occurred_at: at, tracking_number: null, is_last: false }
const last = { status_code: 'delivered', occurred_at: at, tracking_number: null, is_last: true }

/** A history that ends in each status, with an amendment that waits wherever it could be proposed. */
const histories: Readonly<Record<HandoffStatus, readonly HandoffEvent[]>> = {
  proposed: [proposed],
  accepted: [proposed, accepted, amendment],
  rejected: [proposed, { type: 'HandoffRejected', data: { ...told, reason: 'area' } }],
  expired: [proposed, { type: 'HandoffExpired', data: told }],
  cancelled: [proposed, accepted, amendment, { type: 'HandoffCancelled', data: { ...told, reason: 'other' } }],
  completed: [proposed, accepted, amendment, { type: 'HandoffTracked', data: { ...told, ...last } }],
}

/** A command that makes each move. */
const commands: Readonly<Record<HandoffMove, HandoffCommand>> = {
  accept: { move: 'accept', ...now },
  reject: { move: 'reject', ...now, values: { reason: 'capacity' } },
  expire: { move: 'expire', at: expires_at, by: null },
  cancel: { move: 'cancel', ...now, values: { reason: 'duplicate' } },
  propose_amendment: { move: 'propose_amendment', ...now, values: { instructions: 'Ring once' } },
  accept_amendment: { move: 'accept_amendment', ...now, values: { amendment_id: 1 } },
  reject_amendment: { move: 'reject_amendment', ...now, values: { amendment_id: 1, reason: 'window' } },
  track: { move: 'track', ...now, values: update },
  complete: { move: 'track', ...now, values: last },
  settle: { move: 'settle', ...now, values: { kind: 'delivery_fee', amount: '12.50', currency: 'EUR' } },
}

const no = 'handoff_status_forbids'
const ended = {
  ...{ accept: no, reject: no, cancel: no, propose_amendment: no, accept_amendment: no },
  ...{ reject_amendment: no, track: no, complete: no },
}

/** What each move leads to in each status, as document 3 and common sense have it: a status, or the refusal. */
const wanted: Readonly<Record<HandoffStatus, Readonly<Record<HandoffMove, string>>>> = {
  proposed: {
    ...{ accept: 'accepted', reject: 'rejected', expire: 'expired', cancel: 'cancelled' },
    ...{ propose_amendment: no, accept_amendment: no, reject_amendment: no, track: no, complete: no, settle: no },
  },
  accepted: {
    ...{ accept: no, reject: no, expire: 'accepted', cancel: 'cancelled', propose_amendment: 'amendment_open' },
    ...{ accept_amendment: 'accepted', reject_amendment: 'accepted', track: 'accepted', complete: 'completed' },
    settle: 'accepted',
  },
  rejected: { ...ended, expire: 'rejected', settle: no },
  expired: { ...ended, expire: 'expired', settle: no },
  cancelled: { ...ended, expire: 'cancelled', settle: 'cancelled' },
  completed: { ...ended, expire: 'completed', settle: 'completed' },
}

for (const status of handoffStatusNames) {
  for (const move of Object.keys(commands) as readonly HandoffMove[]) {
    const outcome = wanted[status][move]
    t.test(`given a handoff that is ${status}, when ${move} is asked for, then: ${outcome}`, async (t) => {
      const state = fold(handoffs, histories[status])
      t.equal(state?.status, status)
      let after = state
      const refusal = refusalOf(() => {
        after = fold(handoffs, handoffs.decide(commands[move], state), state)
      })
      t.equal(refusal ?? after?.status, outcome)
      if (move !== 'expire')
        t.equal(allowsMove(table, status, commands[move].move), refusal !== no, 'the table says the same')
    })
  }
}

t.test('given nothing, when a handoff is proposed, then it is, with an end that lies ahead', async () => {
  const propose = (more: object): HandoffCommand => ({
    ...{ move: 'propose', ...now },
    values: {
      handoff_id: 1,
      business_id: 1,
      provider: 'acme',
      partner_reference: 'PO-1',
      expires_at,
      ...details,
      ...more,
    },
  })
  given().when(propose({})).then(proposed)
  given()
    .when(propose({ expires_at: at }))
    .thenRefused('expiry_too_early')
  given()
    .when(propose({ window: { from: expires_at, to: at } }))
    .thenRefused('ends_before_start')
  given(proposed).when(propose({})).thenRefused(no)
  given().when(commands.accept).thenRefused('handoff_not_found')
})

t.test('given an offer, when its time is over, then it has expired, recorded or not', async () => {
  const early = { at: isoOf(start + 60 * minute - 1), by: null }
  const late = { at: expires_at, by }
  given(proposed)
    .when({ move: 'expire', ...early })
    .thenNothing()
  given(proposed)
    .when({ move: 'accept', ...early, values: { order_id: 9 } })
    .then({ type: 'HandoffAccepted', data: { ...told, ...early, order_id: 9 } })
  given(proposed)
    .when({ move: 'expire', ...late, by: null })
    .then({ type: 'HandoffExpired', data: { ...told, ...late, by: null } })
  for (const move of ['accept', 'reject', 'cancel'] as const)
    given(proposed)
      .when({ ...commands[move], ...late })
      .thenRefused('handoff_has_expired')
  given(proposed, accepted)
    .when({ move: 'cancel', ...late, values: { reason: 'other' } })
    .then({ type: 'HandoffCancelled', data: { ...told, ...late, reason: 'other' } })
})

t.test('given amendments, when they are decided, then each is once, and only taken ones count', async (t) => {
  const decided = (type: 'AmendmentAccepted' | 'AmendmentRejected'): HandoffEvent =>
    type === 'AmendmentAccepted'
      ? { type, data: { ...told, amendment_id: 1 } }
      : { type, data: { ...told, amendment_id: 1, reason: 'window' } }
  const open = histories.accepted
  given(proposed, accepted).when(commands.accept_amendment).thenRefused('amendment_not_found')
  given(...open)
    .when(commands.accept_amendment)
    .then(decided('AmendmentAccepted'))
  given(...open, decided('AmendmentRejected'))
    .when(commands.accept_amendment)
    .thenRefused('amendment_settled')
  given(proposed, accepted)
    .when({ move: 'propose_amendment', ...now })
    .thenRefused('amendment_empty')
  given(proposed, accepted)
    .when({ move: 'propose_amendment', ...now, values: { window: { from: at, to: at } } })
    .thenRefused('ends_before_start')
  given(...open, decided('AmendmentRejected'))
    .when(commands.propose_amendment)
    .then({
      type: 'AmendmentProposed',
      data: { ...told, amendment_id: 2, personal: { instructions: 'Ring once' } },
    })
  const contentAfter = (...more: readonly HandoffEvent[]) => {
    const { pickup, delivery, items, instructions, window } = fold(handoffs, [...open, ...more]) ?? {}
    return omitUndefined({ pickup, delivery, items, instructions, window })
  }
  t.same(contentAfter(), details)
  t.same(contentAfter(decided('AmendmentRejected')), details)
  t.same(contentAfter(decided('AmendmentAccepted')), { ...details, instructions: 'Ring twice' })
})

t.test('given a handoff that is full, when more comes, then it is refused, but for what ends it', async () => {
  const many = (count: number, fact: (place: number) => HandoffEvent) =>
    Array.from({ length: count }, (_, place) => fact(place + 1))
  const updates = many(maxEntries, () => ({ type: 'HandoffTracked', data: { ...told, ...update } }))
  given(proposed, accepted, ...updates)
    .when(commands.track)
    .thenRefused('handoff_full')
  given(proposed, accepted, ...updates.slice(1))
    .when(commands.track)
    .then({ type: 'HandoffTracked', data: { ...told, ...update } })
  given(proposed, accepted, ...updates)
    .when(commands.complete)
    .then({ type: 'HandoffTracked', data: { ...told, ...last } })
  const line = { kind: 'delivery_fee', amount: '12.50', currency: 'EUR' } as const
  const lines = many(maxEntries, (line_id) => ({ type: 'SettlementLineCreated', data: { ...told, line_id, ...line } }))
  given(proposed, accepted, ...lines)
    .when(commands.settle)
    .thenRefused('handoff_full')
  const amendments = many(maxAmendments, (amendment_id) => ({
    type: 'AmendmentProposed',
    data: { ...told, amendment_id, window: { from: at, to: expires_at } },
  }))
  const settled = many(maxAmendments, (amendment_id) => ({
    type: 'AmendmentAccepted',
    data: { ...told, amendment_id },
  }))
  given(proposed, accepted, ...amendments, ...settled)
    .when(commands.propose_amendment)
    .thenRefused('handoff_full')
})

t.test(
  'given somebody who is faster to read on, when a line is put down, then it is answered by its own number',
  async (t) => {
    const { as, parts } = createWorld()
    await as('acme', 'propose_handoff', asked)
    await as('admin', 'accept_handoff', first)
    const line = (amount: string) =>
      as('admin', 'create_settlement_line', { ...first, kind: 'other', amount, currency: 'EUR' })
    const amend = () => as('acme', 'propose_handoff_amendment', { ...first, changes: { instructions: 'Ring' } })
    const { append } = parts.store
    /** Runs something between the next fact and whatever is read after it. */
    const meanwhile = (run: () => Promise<unknown>) =>
      Object.assign(parts.store, {
        append: async (...given: Parameters<typeof append>) => {
          Object.assign(parts.store, { append })
          const recorded = await append(...given)
          await run()
          return recorded
        },
      })
    meanwhile(() => line('2'))
    t.equal((await line('1')).line_id, 1)
    meanwhile(async () => {
      await as('admin', 'reject_handoff_amendment', { ...first, amendment_id: 1, reason: 'other' })
      t.equal((await amend()).amendment_id, 2)
    })
    t.equal((await amend()).amendment_id, 1)
    const { handoff } = await as('admin', 'get_handoff', first)
    t.match(handoff.settlement_lines, [
      { line_id: 1, amount: '1.00' },
      { line_id: 2, amount: '2.00' },
    ])
  },
)

t.test('given a handoff, when it is erased, then it is once, and nothing of people is taken up after it', async (t) => {
  const erase = { move: 'erase', ...now } as const
  const erased: HandoffEvent = { type: 'HandoffPersonalDataErased', data: told }
  for (const status of handoffStatusNames) {
    given(...histories[status])
      .when(erase)
      .then(erased)
    given(...histories[status], erased)
      .when(erase)
      .thenNothing()
    const state = fold(handoffs, [...histories[status], erased])
    t.notMatch(JSON.stringify(state), /Ann |For Ann|"Sofa|Ring (once|twice)/)
  }
  given(proposed, erased)
    .when({ move: 'reject', ...now, values: { reason: 'area', note: 'Ann is out' } })
    .then({ type: 'HandoffRejected', data: { ...told, reason: 'area' } })
  given(proposed, accepted, erased)
    .when(commands.propose_amendment)
    .then({ type: 'AmendmentProposed', data: { ...told, amendment_id: 1 } })
})

t.test('given events that leave out what is missing, when they are read, then they mean the same', async (t) => {
  const without = ({ type, data }: HandoffEvent, name: string): HandoffEvent => {
    const { [name]: _, ...rest } = data
    return { type, data: { ...rest, at, by } }
  }
  const tracked: HandoffEvent = { type: 'HandoffTracked', data: { ...told, ...update } }
  const today = fold(handoffs, [proposed, accepted, tracked])
  t.equal(today?.tracking.length, 1)
  t.same(fold(handoffs, [proposed, without(accepted, 'order_id'), without(tracked, 'tracking_number')]), today)
})

const steps = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...(Object.keys(commands) as readonly HandoffMove[])) },
  { weight: 1, arbitrary: fc.constantFrom('accept' as const, 'wait' as const) },
)

/** A second telling of the rules: time in minutes, and how many amendments and lines there are. */
interface Telling {
  status: HandoffStatus
  minutes: number
  readonly amendments: ('open' | 'decided')[]
  lines: number
}

function decideOn(telling: Telling, id: number): string | undefined {
  if (telling.status !== 'accepted') return no
  const standing = telling.amendments[id - 1]
  if (standing === undefined) return 'amendment_not_found'
  if (standing === 'decided') return 'amendment_settled'
  telling.amendments[id - 1] = 'decided'
  return undefined
}

/** What a step does, or the code that it is refused with. */
function retell(telling: Telling, step: HandoffMove | 'wait', id: number): string | undefined {
  const isLate = telling.minutes >= 60
  const isOpen = telling.status === 'proposed'
  const isCarried = telling.status === 'accepted'
  const become = (status: HandoffStatus) => void Object.assign(telling, { status })
  switch (step) {
    case 'wait':
      telling.minutes += 25
      return undefined
    case 'expire':
      return isOpen && isLate ? become('expired') : undefined
    case 'accept':
    case 'reject':
      if (!isOpen) return no
      return isLate ? 'handoff_has_expired' : become(step === 'accept' ? 'accepted' : 'rejected')
    case 'cancel':
      if (isOpen && isLate) return 'handoff_has_expired'
      return isOpen || isCarried ? become('cancelled') : no
    case 'propose_amendment':
      if (!isCarried) return no
      if (telling.amendments.includes('open')) return 'amendment_open'
      return void telling.amendments.push('open')
    case 'accept_amendment':
    case 'reject_amendment':
      return decideOn(telling, id)
    case 'track':
      return isCarried ? undefined : no
    case 'complete':
      return isCarried ? become('completed') : no
    case 'settle':
      if (!['accepted', 'cancelled', 'completed'].includes(telling.status)) return no
      return void telling.lines++
  }
}

t.test('given any history, when each step is taken, then it goes as a second telling of the rules says', async (t) => {
  const seen = new Set<string>()
  const taken = fc.array(fc.tuple(steps, fc.integer({ min: 1, max: 3 })), { maxLength: 25, size: 'max' })
  fc.assert(
    fc.property(taken, (taken) => {
      const telling: Telling = { status: 'proposed', minutes: 0, amendments: [], lines: 0 }
      let state: Handoff | undefined = fold(handoffs, [proposed])
      for (const [step, id] of taken) {
        const code = refusalOf(() => {
          if (step === 'wait') return
          const values = { ...commands[step].values, amendment_id: id }
          const command = { ...commands[step], at: isoOf(start + telling.minutes * minute), values }
          state = fold(handoffs, handoffs.decide(command, state), state)
        })
        const expected = retell(telling, step, id)
        if (code !== expected) throw new Error(`${step}: ${code}, not ${expected}`)
        const found = [
          state?.status,
          state?.amendments.map(({ status }) => status === 'proposed'),
          state?.settlement_lines.length,
        ]
        const retold = [telling.status, telling.amendments.map((one) => one === 'open'), telling.lines]
        if (JSON.stringify(found) !== JSON.stringify(retold)) throw new Error(JSON.stringify([step, found, retold]))
        seen.add(String(state?.status)).add(code ?? 'done')
      }
    }),
    { numRuns: runs(t, 300) },
  )
  const refusals = [no, 'handoff_has_expired', 'amendment_open', 'amendment_not_found', 'amendment_settled']
  if (areMany) t.same([...seen].sort(), ['done', ...refusals, ...handoffStatusNames].sort(), 'all of it was met')
})

const course = [
  ...['handoff.accepted', 'amendment.accepted', 'amendment.rejected', 'handoff.tracking', 'handoff.tracking'],
  ...['settlement_line.created', 'handoff.rejected', 'handoff.cancelled', 'handoff.expired'],
]

t.test(
  'given what partners are told, when it is parsed, then each webhook event is as its schema, for good',
  async (t) => {
    const world = createWorld()
    await goThroughAll(world)
    const all = await world.webhookEvents()
    t.same(
      all.map(({ type }) => type),
      course,
    )
    t.same(new Set(course), new Set(handoffWebhookEventTypes.map(({ name }) => name)), 'every webhook event was made')
    const parseAll = (announced: typeof all) => {
      for (const { type: name, data, id, subject, audience } of announced) {
        const eventType = handoffWebhookEventTypes.find((one) => one.name === name)
        if (eventType === undefined) throw new Error(`${name} is no webhook event`)
        for (const reader of ['business', 'customer'] as const)
          t.same(v.parse(eventType.data, data(reader)), data(reader))
        t.match(id, /^OHM-[a-z0-9-]{36}$/)
        t.match(subject, /^handoff\/[1-4]$/)
        t.same(audience, { kind: 'provider', businessId: 1, provider: 'acme' })
      }
    }
    parseAll(all)
    t.same(all[0]?.data('business'), {
      ...{ handoff_id: 1, partner_reference: 'PO-1', status: 'accepted', order_id: 9 },
      expires_at: '2026-06-10T11:00:00.000Z',
    })
    t.same(all[5]?.data('business').settlement_line, {
      ...{ line_id: 1, kind: 'delivery_fee', amount: '12.50', currency: 'EUR', note: 'For Ann' },
    })
    for (const { data, example, channel, idMember } of handoffWebhookEventTypes) {
      t.same(v.parse(data, example), example)
      t.same([channel, idMember], ['order_handoff', 'message_id'])
    }
    await world.as('admin', 'erase_handoff', first)
    const again = await world.webhookEvents()
    parseAll(again)
    t.same(
      again.map(({ id }) => id),
      all.map(({ id }) => id),
      'ids are stable',
    )
    t.equal(new Set(all.map(({ id }) => id)).size, all.length)
    t.notMatch(JSON.stringify(again.slice(0, 6).map(({ data }) => data('business'))), /Ann |For Ann/)
  },
)

t.test(
  'given a handoff, when it is read, then both sides read the same, and people are missing once erased',
  async (t) => {
    const world = createWorld()
    await goThroughAll(world)
    const { handoff } = await world.as('acme', 'get_own_handoff', first)
    t.same((await world.as('employee', 'get_handoff', first)).handoff, handoff)
    const window = { from: '2026-06-11T07:00:00.000Z', to: '2026-06-11T09:00:00.000Z' }
    const noted = { occurred_at: at, tracking_number: null, is_last: false, note: 'Ann waits' }
    t.same(handoff, {
      ...{
        id: 1,
        handoff_id: 1,
        partner_reference: 'PO-1',
        status: 'completed',
        order_id: 9,
        provider: 'acme',
        proposed_at: at,
      },
      ...{ expires_at: '2026-06-10T11:00:00.000Z', reason: null },
      order: { ...details, window, instructions: 'Ring twice' },
      amendments: [
        { id: 1, amendment_id: 1, status: 'accepted', proposed_at: at, changes: { instructions: 'Ring twice' } },
        {
          ...{ id: 2, amendment_id: 2, status: 'rejected', reason: 'window', note: 'Ann is out', proposed_at: at },
          changes: { window },
        },
      ],
      tracking: [
        { status_code: 'in_transit', ...noted },
        { status_code: 'delivered', occurred_at: at, tracking_number: 'LD1', is_last: true },
      ],
      settlement_lines: [
        { id: 1, line_id: 1, kind: 'delivery_fee', amount: '12.50', currency: 'EUR', note: 'For Ann' },
      ],
    })
    for (const handoff_id of [1, 2, 3, 4]) await world.as('admin', 'erase_handoff', { handoff_id })
    t.equal((await world.as('admin', 'erase_handoff', first)).status, 'completed', 'and again')
    t.same((await world.as('acme', 'get_own_handoff', first)).handoff.order, { window })
    const read = []
    for await (const event of world.parts.store.readAll()) read.push(event)
    t.notMatch(JSON.stringify(read), /Ann |For Ann|"Sofa|Ring (once|twice)/)
    const kept = []
    for await (const event of world.store.readAll()) kept.push(event)
    t.notMatch(JSON.stringify(kept), /Ann |For Ann|"Sofa|Ring (once|twice)/, 'the store itself holds nothing of people')
  },
)

const inputs = {
  propose_handoff: asked,
  list_own_handoffs: {},
  get_own_handoff: first,
  cancel_handoff: { ...first, reason: 'other' },
  propose_handoff_amendment: { ...first, changes: { instructions: 'Ring' } },
  list_handoff_messages: {},
  create_handoff_subscription: {
    ...{ url: 'https://partner.example/hook', secret: 'sixteen letters!', events: ['handoff.accepted'] },
  },
  list_handoff_subscriptions: {},
  revoke_handoff_subscription: { subscription_id: 1 },
  list_partner_subscriptions: {},
  create_partner_subscription: {
    ...{
      provider: 'acme',
      url: 'https://partner.example/hook',
      secret: 'sixteen letters!',
      events: ['handoff.accepted'],
    },
  },
  revoke_partner_subscription: { provider: 'acme', subscription_id: 1 },
  test_partner_subscription: { provider: 'acme', subscription_id: 1 },
  list_handoffs: {},
  expire_handoffs: {},
  get_handoff: first,
  accept_handoff: first,
  reject_handoff: { ...first, reason: 'other' },
  accept_handoff_amendment: { ...first, amendment_id: 1 },
  reject_handoff_amendment: { ...first, amendment_id: 1, reason: 'other' },
  track_handoff: { ...first, status_code: 'in_transit' },
  create_settlement_line: { ...first, kind: 'other', amount: '1', currency: 'EUR' },
  erase_handoff: first,
} as const

t.test('given each kind of caller, when it calls each operation, then it may what is its own', async (t) => {
  const world = createWorld()
  await world.as('acme', 'propose_handoff', asked)
  t.same(
    handoffsDomain.operations.map(({ name }) => name),
    Object.keys(inputs),
    'all operations are named here',
  )
  const code = (who: Who, name: string) => world.codeOf(who, name, inputs[name as keyof typeof inputs])
  for (const { name, scopes } of handoffsDomain.operations) {
    const isPartners = scopes.includes('ohp:write')
    t.equal(await code('public', name), 'unauthenticated', name)
    if (isPartners) {
      for (const who of ['admin', 'customer', 'driver', 'stranger'] as const)
        t.equal(await code(who, name), 'forbidden', name)
      for (const who of ['unbound', 'operator'] as const) t.equal(await code(who, name), 'account_required', name)
    } else {
      t.equal(await code('customer', name), 'wrong_account', name)
      // Drivers have none of the scopes of webhooks.
      const isOfWebhooks = scopes.some((scope) => scope.startsWith('webhooks:'))
      t.equal(await code('driver', name), isOfWebhooks ? 'forbidden' : 'wrong_account', name)
      for (const who of ['acme', 'other', 'unbound'] as const) t.equal(await code(who, name), 'forbidden', name)
    }
    if ('handoff_id' in inputs[name as keyof typeof inputs])
      for (const who of isPartners ? (['other', 'acmeElsewhere'] as const) : (['stranger'] as const))
        t.equal(await code(who, name), 'handoff_not_found', `${who}: ${name}`)
  }
  t.equal(await world.codeOf('employee', 'erase_handoff', first), 'wrong_account')
  const lists = ['list_handoffs', 'list_own_handoffs'] as const
  t.equal((await world.as('stranger', lists[0], {})).total, 0)
  t.equal((await world.as('other', lists[1], {})).total, 0)
  t.equal((await world.as('employee', lists[0], {})).total, 1)
  t.equal((await world.as('acme', lists[1], { status: 'proposed' })).total, 1)
})

t.test(
  'given a reference that was used, when it comes again, then it is refused, but for a repeated call',
  async (t) => {
    const world = createWorld()
    const once = await world.as('acme', 'propose_handoff', asked, 'key-1')
    t.same(await world.as('acme', 'propose_handoff', asked, 'key-1'), once)
    t.equal(await world.codeOf('acme', 'propose_handoff', asked), 'handoff_reference_taken')
    t.equal(await world.codeOf('other', 'propose_handoff', asked), 'done', 'another partner may use it')
    t.equal(await world.codeOf('acmeElsewhere', 'propose_handoff', asked), 'done')
    const rivals = Array.from({ length: 8 }, () =>
      world.codeOf('acme', 'propose_handoff', { ...asked, partner_reference: 'PO-2' }),
    )
    const codes = await Promise.all(rivals)
    t.same(codes.filter((code) => code === 'done').length, 1, 'one of many at once')
    t.equal((await world.as('acme', 'list_own_handoffs', {})).total, 2)
  },
)

t.test('given wrong inputs, when they come, then each is refused by its code', async (t) => {
  const world = createWorld()
  const past = { ...asked, expires_at: at }
  t.equal(await world.codeOf('acme', 'propose_handoff', past), 'expiry_too_early')
  const { delivery: _, ...undelivered } = order
  t.equal(await world.codeOf('acme', 'propose_handoff', { ...asked, order: undelivered }), 'invalid_input')
  await world.as('acme', 'propose_handoff', asked)
  t.equal(await world.codeOf('admin', 'accept_handoff', { ...first, order_id: 100 }), 'order_not_found')
  t.equal(await world.codeOf('admin', 'accept_handoff', first), 'done')
  const code = (status_code: string) => world.codeOf('admin', 'track_handoff', { ...first, status_code })
  t.equal(await code('teleported'), 'unknown_status_code')
  t.equal(await code('x-teleported'), 'done')
  t.equal(await world.codeOf('acme', 'propose_handoff_amendment', { ...first, changes: {} }), 'amendment_empty')
  const line = (amount: string) =>
    world.codeOf('admin', 'create_settlement_line', { ...inputs.create_settlement_line, amount })
  for (const amount of ['-1', '1.234', '1e3', '']) t.equal(await line(amount), 'invalid_input', amount)
})

t.test('given offers whose time is over, when staff let them expire, then those of their business do', async (t) => {
  const world = createWorld()
  for (const partner_reference of ['a', 'b', 'c'])
    await world.as('acme', 'propose_handoff', { ...asked, partner_reference })
  await world.as('acmeElsewhere', 'propose_handoff', asked)
  await world.as('acme', 'propose_handoff', {
    ...asked,
    partner_reference: 'd',
    expires_at: isoOf(start + 90 * minute),
  })
  await world.as('admin', 'reject_handoff', { handoff_id: 2, reason: 'other' })
  t.same(await world.as('admin', 'expire_handoffs', {}), { result: true, expired: 0, left: 0 })
  world.clock.now = start + 60 * minute
  t.equal(await world.codeOf('admin', 'accept_handoff', first), 'handoff_has_expired')
  t.same(await world.as('admin', 'expire_handoffs', {}), { result: true, expired: 2, left: 0 })
  t.same(await world.as('admin', 'expire_handoffs', {}), { result: true, expired: 0, left: 0 })
  const ids = async (status: string) =>
    (await world.as('admin', 'list_handoffs', { status })).handoffs.map(({ handoff_id }) => handoff_id)
  t.same(await ids('expired'), [3, 1])
  t.same(await ids('proposed'), [5])
  t.equal((await world.as('acmeElsewhere', 'list_own_handoffs', { status: 'proposed' })).total, 1)
})
