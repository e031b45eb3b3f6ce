import fc from 'fast-check'
import t from 'tap'
import { roles } from '../../engine/index.ts'
import { runs } from '../../engine/testing/runs.test.fixture.ts'
import { books, type Deed } from './model.test.fixture.ts'
import { office } from './world.test.fixture.ts'

type Books = ReturnType<typeof books>

const rules = 'assignment-rules'
const offersPath = 'broker-order-assignments/offers'

t.test(
  'given a rule for contractors, when orders come, then its contractors are offered them and one takes each',
  async (t) => {
    const { admin, contractors, as, rule, create, order, offers, settle } = await office()
    const [one, other] = contractors
    const id = await rule({ target: 'contractors', contractors: [one.id, other.id], when: { postal_codes: ['M5'] } })
    const mine = await create({ schedule_date: '2026-06-12', reference: 'R-1' })
    const far = await create({
      delivery: { name: 'Bo', address: { street: '2 Road', postal_code: 'K1A', country: 'CA' } },
    })
    await settle()
    t.same(await offers(one.token), [mine])
    t.same(await offers(other.token), [mine])
    const { offers: shown } = await as(one.token, 'GET', offersPath)
    t.same(shown[0].delivery, { locality: 'Toronto', postal_code: 'M5V 1A1', country: 'CA' })
    t.equal(shown[0].schedule_date, '2026-06-12')
    t.notMatch(JSON.stringify(shown), /Secret|Main Street|33 6|"R-1"|rule_id/, 'nothing of people or of rules is told')
    t.match(await as(one.token, 'GET', `orders/${mine}`), { http: 404 }, 'an offer shows no more than its list')
    t.match(await as(other.token, 'POST', `${offersPath}/${far}/accept`), { http: 404, code: 'offer_not_found' })
    t.match(await as(one.token, 'POST', `${offersPath}/${mine}/accept`), { http: 200, assignment_id: 1 })
    t.match(await order(mine), { broker_id: one.id, assignment_rule: { rule_id: id, version: 1 } })
    t.same(await offers(other.token), [], 'it has left the pools')
    t.match(await as(other.token, 'POST', `${offersPath}/${mine}/accept`), { http: 404, code: 'offer_not_found' })
    const { assignments } = await as(one.token, 'GET', 'broker-order-assignments')
    t.match(assignments, [{ order_id: mine, status: 'active', assigned_by: one.id }])
    t.match(await as(admin, 'GET', `${rules}/${id}?version=1`), { http: 200, rule: { target: 'contractors' } })
  },
)

t.test('given an assigned order, when it is released, revoked or refused, then it returns to the pools', async (t) => {
  const { admin, contractors, as, rule, create, offers, settle } = await office()
  const [one, other] = contractors
  await rule({ target: 'contractors', contractors: [one.id] })
  await rule({ target: 'contractors', contractors: [other.id] })
  const id = await create()
  await settle()
  const accept = () => as(one.token, 'POST', `${offersPath}/${id}/accept`)
  await accept()
  await as(one.token, 'POST', 'broker-order-assignments/release', { order_id: id })
  await settle()
  t.same(await offers(one.token), [id], 'the one who released it is offered it again')
  await accept()
  await as(admin, 'POST', 'broker-order-assignments/revoke', { order_ids: [id] })
  await settle()
  t.same(await offers(one.token), [id])
  t.match(await as(one.token, 'POST', `${offersPath}/${id}/refuse`), { http: 200 })
  await settle()
  t.same([await offers(one.token), await offers(other.token)], [[], [id]], 'the next rule is asked')
  await as(other.token, 'POST', `${offersPath}/${id}/refuse`)
  await settle()
  t.same([await offers(one.token), await offers(other.token)], [[], []], 'nobody is asked twice')
  await as(admin, 'POST', `orders/${id}/hold`, {})
  await as(admin, 'POST', `orders/${id}/release`, {})
  await settle()
  t.same(await offers(one.token), [id], 'an order that comes back is offered anew')
})

t.test('given an offered order, when anything else becomes of it, then it leaves the pools', async (t) => {
  const { admin, contractors, drivers, as, rule, create, offers, settle } = await office()
  await rule({ target: 'contractors', contractors: [contractors[0].id] })
  const ends: readonly (readonly [string, object])[] = [
    ['assign-driver', { driver_id: drivers[0].id }],
    ['hold', {}],
    ['cancel', {}],
    ['hand-to-carrier', { provider: 'postal' }],
    ['delete', {}],
  ]
  for (const [verb, body] of ends) {
    const id = await create()
    await settle()
    t.same(await offers(contractors[0].token), [id])
    t.match(await as(admin, 'POST', `orders/${id}/${verb}`, body), { http: 200 }, verb)
    await settle()
    t.same(await offers(contractors[0].token), [], verb)
  }
  const planned = await create()
  await settle()
  await as(admin, 'POST', 'routes', { schedule_date: '2026-06-10', order_ids: [planned] })
  t.same(await offers(contractors[0].token), [], 'on a route')
  await as(admin, 'POST', 'routes/1/remove', { order_id: planned })
  await settle()
  t.same(await offers(contractors[0].token), [planned], 'and off it again')
})

t.test(
  'given drivers on duty, when orders come, then the one with the fewest is asked, and the next after a refusal or a time-out',
  async (t) => {
    const { clock, drivers, as, rule, create, order, onDuty, settle, told } = await office()
    const [ann, dora, dan] = drivers
    const id = await rule({ target: 'drivers', respond_within_minutes: 5, capacity: { open: 2 } })
    await onDuty(ann)
    clock.now += 1000
    await onDuty(dora)
    const [first, second] = [await create(), await create()]
    await settle()
    t.match(await order(first), { status: 'ASSIGNED', driver_id: ann.id, assignment_rule: { rule_id: id, version: 1 } })
    t.match(await order(second), { driver_id: dora.id, respond_by: '2026-06-10T06:05:01-04:00' })
    t.match(await as(ann.token, 'POST', `orders/${first}/accept`), { http: 200 })
    t.equal((await order(first)).respond_by, undefined)
    await as(dora.token, 'POST', `orders/${second}/reject`, { note: 'too far' })
    await settle()
    t.match(await order(second), { driver_id: ann.id })
    clock.now += 5 * 60_000
    await settle()
    t.match(await order(second), { status: 'NEW_ORDER', driver_id: undefined }, 'nobody is left')
    t.match(await order(first), { status: 'ACCEPTED', driver_id: ann.id }, 'whoever has answered keeps it')
    await onDuty(dan)
    await settle()
    t.match(await order(second), { driver_id: dan.id }, 'an order waits for a driver who comes on duty')
    const events = await told('order.assigned', 'order.unassigned')
    const about = events.filter(({ data }) => (data as { readonly order_id?: number }).order_id === second)
    t.match(
      about.map(({ type, data }) => ({ told: type, ...data })),
      [
        { told: 'order.assigned', source: 'auto_assign', driver_id: dora.id },
        { told: 'order.unassigned', reason: 'rejection', previous_driver_id: dora.id },
        { told: 'order.assigned', source: 'auto_assign', driver_id: ann.id },
        { told: 'order.unassigned', reason: 'time_out', previous_driver_id: ann.id },
        { told: 'order.assigned', source: 'auto_assign', driver_id: dan.id },
      ],
    )
  },
)

t.test(
  'given a driver who is asked, when staff plan a route with the order meanwhile, then the time to answer is over for nobody',
  async (t) => {
    const { admin, clock, drivers, as, rule, create, order, onDuty, settle } = await office()
    const [ann] = drivers
    await rule({ target: 'drivers', respond_within_minutes: 5 })
    await onDuty(ann)
    const id = await create()
    await settle()
    const route = { schedule_date: '2026-06-10', order_ids: [id], driver_id: ann.id }
    t.match(await as(admin, 'POST', 'routes', route), { http: 200 })
    t.match(await order(id), { status: 'ASSIGNED', driver_id: ann.id })
    clock.now += 6 * 60_000
    await settle()
    t.match(await order(id), { status: 'ASSIGNED', driver_id: ann.id })
  },
)

t.test(
  'given a capacity, when it is reached, then the next rule is asked, and the first again when there is room',
  async (t) => {
    const { clock, contractors, drivers, as, rule, create, order, offers, onDuty, settle } = await office()
    const [one, other] = contractors
    await rule({ target: 'contractors', contractors: [one.id], capacity: { per_day: 2 } })
    await rule({ target: 'contractors', contractors: [other.id], capacity: { per_hour: 1 } })
    const ids = [await create(), await create(), await create(), await create()]
    await settle()
    t.same(await offers(one.token), ids.slice(0, 2))
    t.same(await offers(other.token), ids.slice(2, 3), 'an offer counts as an assignment')
    await as(other.token, 'POST', `${offersPath}/${ids[2]}/accept`)
    clock.now += 59 * 60_000
    await settle()
    t.same(await offers(other.token), [])
    clock.now += 60_000 + 1
    await settle()
    t.same(await offers(other.token), ids.slice(3), 'an hour later')
    await rule({ target: 'drivers', capacity: { open: 1 } })
    await onDuty(drivers[0])
    const more = [await create(), await create()]
    await settle()
    t.match(await order(more[0] ?? 0), { driver_id: drivers[0].id })
    t.match(await order(more[1] ?? 0), { status: 'NEW_ORDER' })
    const { rules: verdicts } = await as(drivers[0].token, 'GET', `orders/${more[1]}/assignment-rules`)
    t.equal(verdicts, undefined, 'drivers do not see rules')
    await as(drivers[0].token, 'POST', `orders/${more[0]}/pick-up`)
    await as(drivers[0].token, 'POST', `orders/${more[0]}/complete`)
    await settle()
    t.match(await order(more[1] ?? 0), { driver_id: drivers[0].id }, 'a delivered order makes room')
  },
)

t.test(
  'given a rule for a provider, when it withdraws, then the next rule is asked; a self-delivered order goes to no provider',
  async (t) => {
    const { admin, contractors, as, rule, provider, create, order, offers, settle, told } = await office()
    for (const name of ['acme', 'fleet']) await provider(name)
    const first = await rule({ target: 'provider', provider: 'acme', when: { tags: ['far'] } })
    const second = await rule({ target: 'provider', provider: 'fleet', when: { tags: ['far'] } })
    await rule({ target: 'contractors', contractors: [contractors[0].id] })
    const [id, near] = [await create({ tags: ['far', 'cold'], reference: 'R-7' }), await create({ tags: ['cold'] })]
    await settle()
    t.same(await offers(contractors[0].token), [near])
    t.match(await order(id), { status: 'NEW_ORDER', assignment_rule: { rule_id: first, version: 1 } })
    const assignment = async () => (await as(admin, 'GET', `third-party-deliveries?order_id=${id}`)).assignments[0]
    t.match(await assignment(), { provider: 'acme', source: 'rule', order_reference: 'R-7' })
    await as(admin, 'POST', `third-party-deliveries/${(await assignment()).id}/cancel`, { reason: 'cancelled' })
    await settle()
    t.match(await assignment(), { provider: 'fleet', source: 'rule', status: 'assigned' })
    await settle()
    t.same(await offers(contractors[0].token), [near], 'an old withdrawal that comes again changes nothing')
    t.match(await order(id), { assignment_rule: { rule_id: second, version: 1 } })
    await as(admin, 'POST', `third-party-deliveries/${(await assignment()).id}/cancel`, {
      reason: 'fallback_to_self_delivery',
    })
    await settle()
    t.same(await offers(contractors[0].token), [id, near])
    t.match(await told('delivery.assignment.created'), [
      { data: { order_id: id, provider: 'acme', source: 'rule' } },
      { data: { order_id: id, provider: 'fleet', source: 'rule' } },
    ])
  },
)

t.test(
  'given an order that staff give to a provider, when rules could ask others, then they do not, until it is withdrawn',
  async (t) => {
    const { admin, contractors, drivers, as, rule, provider, create, order, offers, onDuty, settle } = await office()
    const [contractor] = contractors
    await provider('acme')
    await rule({ target: 'drivers', when: { tags: ['near'] } })
    await rule({ target: 'contractors', contractors: [contractor.id], when: { tags: ['far'] } })
    const [waiting, offered] = [await create({ tags: ['near'] }), await create({ tags: ['far'] })]
    await settle()
    t.same(await offers(contractor.token), [offered])
    const withdrawals = await Promise.all(
      [waiting, offered].map(async (order_id) => {
        const given = await as(admin, 'POST', 'third-party-deliveries', {
          order_id,
          provider: 'acme',
          packages: ['P1'],
        })
        t.match(given, { http: 200, assignment_id: Number })
        return () => as(admin, 'POST', `third-party-deliveries/${given.assignment_id}/cancel`, { reason: 'cancelled' })
      }),
    )
    await onDuty(drivers[0])
    await settle()
    t.match(await order(waiting), { status: 'NEW_ORDER', driver_id: undefined })
    t.same(await offers(contractor.token), [])
    for (const withdraw of withdrawals) t.match(await withdraw(), { http: 200 })
    await settle()
    t.match(await order(waiting), { status: 'ASSIGNED', driver_id: drivers[0].id })
    t.same(await offers(contractor.token), [offered])
  },
)

t.test(
  'given rules, when they are changed or deleted, then the orders that nobody has follow, and others stay',
  async (t) => {
    const { admin, contractors, as, rule, create, order, offers, settle } = await office()
    const [one, other] = contractors
    const before = await create()
    const id = await rule({ target: 'contractors', contractors: [one.id] })
    await settle()
    t.same(await offers(one.token), [before], 'orders that were there before the rule')
    const taken = await create()
    await settle()
    await as(one.token, 'POST', `${offersPath}/${taken}/accept`)
    const changed = { name: 'One', target: 'contractors', contractors: [other.id] }
    t.match(await as(admin, 'PUT', `${rules}/${id}`, { version: 1, rule: changed }), { http: 200, version: 2 })
    t.match(await as(admin, 'PUT', `${rules}/${id}`, { version: 1, rule: { ...changed, name: 'Two' } }), {
      ...{ http: 409, code: 'assignment_rule_changed' },
    })
    await settle()
    t.same([await offers(one.token), await offers(other.token)], [[], [before]])
    t.match(await order(taken), { broker_id: one.id, assignment_rule: { rule_id: id, version: 1 } })
    await as(admin, 'POST', `${rules}/${id}/delete`)
    await settle()
    t.same(await offers(other.token), [])
    t.match(
      await as(admin, 'GET', `${rules}/${id}?version=1`),
      {
        ...{ http: 200, rule: { contractors: [one.id] }, changed_at: /-04:00$/ },
      },
      'an old assignment stays explainable',
    )
  },
)

t.test('given rules, when an order is tried, then each says whether it takes it, and why not', async (t) => {
  const { admin, contractors, as, rule, create, settle } = await office()
  await rule({ target: 'drivers', when: { types: ['P'] } })
  const waiting = await rule({ target: 'drivers' })
  const taking = await rule({ target: 'contractors', contractors: [contractors[0].id] })
  await rule({ target: 'contractors', contractors: [contractors[1].id], is_on: false })
  const id = await create()
  const tried = async () => as(admin, 'GET', `orders/${id}/assignment-rules`)
  t.match(await tried(), {
    ...{ is_free: true, rule_id: taking },
    rules: [
      { takes: false, later: false, code: 'rule_of_other_types' },
      { takes: false, later: true, code: 'rule_without_driver', message: 'No driver of the rule is on duty.' },
      { takes: true, candidates: [contractors[0].id] },
      { takes: false, later: false, code: 'rule_is_off' },
    ],
  })
  const { rules: listed } = await as(admin, 'GET', rules)
  const ids = listed.map(({ rule_id }: { rule_id: number }) => rule_id)
  const order = [taking, ...ids.filter((one: number) => one !== taking)]
  t.match(await as(admin, 'POST', `${rules}/order`, { rule_ids: order }), { http: 200, rule_ids: order })
  t.match(
    (await tried()).rules.map(({ rule_id }: { rule_id: number }) => rule_id),
    order,
  )
  t.match(await as(admin, 'POST', `${rules}/order`, { rule_ids: [taking, waiting] }), {
    ...{ http: 409, code: 'assignment_rules_differ' },
  })
  await settle()
  await as(contractors[0].token, 'POST', `${offersPath}/${id}/accept`)
  t.match(await tried(), { is_free: false, rule_id: undefined })
})

t.test(
  'given callers of each role, then only staff see rules, admins change them, and nobody sees those of others',
  async (t) => {
    const { ids, tokens, other, as, rule, enable } = await office()
    const id = await rule({ target: 'contractors', contractors: [ids.contractor] })
    const given = { name: 'Two', target: 'drivers' }
    const statuses = async (token: string) => [
      (await as(token, 'GET', rules)).http,
      (await as(token, 'GET', `${rules}/${id}`)).http,
      (await as(token, 'POST', rules, { rule: given })).http,
      (await as(token, 'GET', offersPath)).http,
      (await as(token, 'POST', `${offersPath}/1/accept`)).http,
    ]
    const expected: Readonly<Record<string, readonly number[]>> = {
      client_admin: [200, 200, 200, 200, 403],
      client_employee: [200, 200, 403, 200, 403],
      contractor: [403, 403, 403, 200, 404],
      customer: [403, 403, 403, 403, 403],
      driver: [403, 403, 403, 403, 403],
    }
    for (const role of roles) t.same(await statuses(tokens[role]), expected[role], role)
    t.same((await as(other.tokens.client_admin, 'GET', rules)).rules, [])
    t.match(await as(other.tokens.client_admin, 'GET', `${rules}/${id}`), { http: 404 })
    t.match(await as(other.tokens.client_admin, 'POST', `${rules}/${id}/delete`), { http: 404 })
    const foreign = { name: 'Three', target: 'contractors', contractors: [other.ids.contractor, ids.driver] }
    t.match(await as(tokens.client_admin, 'POST', rules, { rule: foreign }), {
      http: 422,
      errors: [{ path: 'rule.contractors[0]', code: 'contractor_not_found' }, { path: 'rule.contractors[1]' }],
    })
    t.match(await as(tokens.client_admin, 'POST', rules, { rule: { name: 'P', target: 'provider', provider: 'no' } }), {
      ...{ http: 404, code: 'provider_not_found' },
    })
    await enable('off')
    t.match(await as(tokens.contractor, 'GET', offersPath), { http: 403, code: 'module_disabled' })
    t.match(await as(tokens.client_admin, 'POST', rules, { rule: { ...foreign, contractors: [ids.contractor] } }), {
      ...{ http: 403, code: 'module_disabled' },
    })
  },
)

t.test('given an offered order, when all want it at once, then one has it, and no other holds anything', async (t) => {
  const { admin, contractors, drivers, as, rule, create, order, offers, settle } = await office()
  const [one, other] = contractors
  await rule({ target: 'contractors', contractors: [one.id, other.id] })
  for (let round = 0; round < 5; round++) {
    const id = await create()
    await settle()
    const answers = await Promise.all([
      as(one.token, 'POST', `${offersPath}/${id}/accept`),
      as(other.token, 'POST', `${offersPath}/${id}/accept`),
      as(admin, 'POST', `orders/${id}/assign-driver`, { driver_id: drivers[0].id }),
      as(admin, 'POST', 'broker-order-assignments/revoke', { order_ids: [id] }),
      settle(),
    ])
    const [first, second, third] = answers
    const winners = [first, second, third].filter((answer) => answer?.http === 200)
    t.ok(winners.length >= 1, 'somebody has got it')
    await settle()
    const { broker_id, driver_id } = await order(id)
    t.notOk(broker_id !== undefined && driver_id !== undefined && driver_id === drivers[0].id, 'not both have it')
    const active = (await as(admin, 'GET', `broker-order-assignments?order_id=${id}&status=active`)).assignments
    t.equal(active.length, broker_id === undefined ? 0 : 1)
    t.equal(broker_id !== undefined || driver_id !== undefined, !(await offers(one.token)).includes(id))
    await as(admin, 'POST', `orders/${id}/cancel`, {})
  }
})

interface Step {
  readonly kind: Deed | 'create' | 'duty'
  readonly order: number
  readonly who: number
}

/** Does a step, in the office and in the books; answers whether both agree that it is possible. */
async function take(at: Awaited<ReturnType<typeof office>>, kept: Books, ids: number[], step: Step): Promise<boolean> {
  const { admin, contractors, drivers, as, create, onDuty } = at
  const { kind, order, who } = step
  const [contractor, driver] = [contractors[who % 2] ?? contractors[0], drivers[who] ?? drivers[0]]
  const id = ids[order]
  if (kind === 'create') {
    ids.push(await create())
    kept.create()
  } else if (kind === 'duty') {
    await onDuty(driver)
    kept.onDuty(driver.id)
  } else if (id !== undefined) {
    const asked = {
      accept: () => as(contractor.token, 'POST', `${offersPath}/${id}/accept`),
      refuse: () => as(contractor.token, 'POST', `${offersPath}/${id}/refuse`),
      release: () => as(contractor.token, 'POST', 'broker-order-assignments/release', { order_id: id }),
      'driver rejects': () => as(driver.token, 'POST', `orders/${id}/reject`),
      cancel: () => as(admin, 'POST', `orders/${id}/cancel`, {}),
    }
    const { http } = await asked[kind]()
    return (http === 200) === kept.does(kind, order, kind === 'driver rejects' ? driver.id : contractor.id)
  }
  return true
}

/** Whether the office says of every order what the books say. */
async function agree(at: Awaited<ReturnType<typeof office>>, { orders }: Books, ids: readonly number[]) {
  const told = await Promise.all(ids.map(at.order))
  const isHeld = told.every(({ driver_id, broker_id }, index) => {
    const expected = orders[index]
    return driver_id === expected?.driver && broker_id === expected?.broker
  })
  const offered = await Promise.all(
    at.contractors.map(async ({ id, token }) => {
      const expected = ids.filter((_, index) => orders[index]?.offered.includes(id))
      return JSON.stringify(await at.offers(token)) === JSON.stringify(expected)
    }),
  )
  return isHeld && offered.every((isSo) => isSo)
}

t.test(
  'given random orders, answers and drivers, then independent books know who has and who is offered what',
  async (t) => {
    const kind = fc.constantFrom(
      ...(['create', 'create', 'accept', 'refuse', 'release', 'driver rejects', 'duty', 'cancel'] as const),
    )
    const steps = fc.array(fc.record({ kind, order: fc.nat(4), who: fc.nat(2) }), { minLength: 4, maxLength: 16 })
    await fc.assert(
      fc.asyncProperty(steps, async (all: readonly Step[]) => {
        const at = await office()
        await at.rule({ target: 'drivers', capacity: { open: 1 } })
        await at.rule({ target: 'contractors', contractors: at.contractors.map(({ id }) => id) })
        const kept = books(at.contractors.map(({ id }) => id))
        const ids: number[] = []
        for (const step of all) {
          if (!(await take(at, kept, ids, step))) return false
          await at.settle()
          kept.settle()
          if (!(await agree(at, kept, ids))) return false
        }
        return true
      }),
      { numRuns: runs(t, 2) },
    )
  },
)

t.test('given an order without the tag of a rule, when staff add it, then the rule offers the order', async (t) => {
  const { admin, contractors, as, rule, create, offers, settle } = await office()
  const [contractor] = contractors
  await rule({ target: 'contractors', contractors: [contractor.id], when: { tags: ['far'] } })
  const id = await create({ tags: ['cold'] })
  await settle()
  t.same(await offers(contractor.token), [])
  t.match(await as(admin, 'PATCH', `orders/${id}`, { tags: ['cold', 'far'] }), { http: 200 })
  await settle()
  t.same(await offers(contractor.token), [id])
  t.match(await as(admin, 'PATCH', `orders/${id}`, { tags: [] }), { http: 200 })
  await settle()
  t.same(await offers(contractor.token), [], 'and without it, the order leaves the pool')
})
