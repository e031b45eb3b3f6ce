import fc from 'fast-check'
import t from 'tap'
import * as v from 'valibot'
import { fold } from '../../kernel/decider.ts'
import { isEngineError } from '../../kernel/errors.ts'
import { runs } from '../../testing/runs.test.fixture.ts'
import { mismatch, momentOf } from './match.ts'
import { type Rule, rule, weekdays } from './rule.ts'
import { businessRules, maxRules, type RuleEvent } from './rules.ts'

const toDrivers: Rule = { name: 'Ours', target: 'drivers' }
const base = { at: '2026-06-10T16:00:00.000Z', by: 1, business_id: 1 }

type Command = Parameters<typeof businessRules.decide>[0]
type Given = Command extends infer One ? (One extends Command ? Omit<One, keyof typeof base> : never) : never

/** The rules after commands, and the code of the refusal of the last one. */
function after(...commands: readonly Given[]) {
  const events: RuleEvent[] = []
  for (const command of commands)
    try {
      events.push(...businessRules.decide({ ...base, ...command } as Command, fold(businessRules, events)))
    } catch (error) {
      if (!isEngineError(error)) throw error
      return { rules: fold(businessRules, events), events, refused: error.code }
    }
  return { rules: fold(businessRules, events), events, refused: undefined }
}

const created = (rule_id: number, of = toDrivers): Given => ({ type: 'CreateRule', rule_id, rule: of })

t.test(
  'given rules, when they are changed, ordered and deleted, then each has its version and its place',
  async (t) => {
    const changed = { ...toDrivers, name: 'Other' }
    const all = [created(1), created(2), created(3)]
    t.same(
      after(
        ...all,
        { type: 'ChangeRule', rule_id: 2, version: 1, rule: changed },
        { type: 'OrderRules', rule_ids: [3, 2, 1] },
        { type: 'DeleteRule', rule_id: 1 },
      ).rules,
      [
        { rule_id: 3, version: 1, rule: toDrivers },
        { rule_id: 2, version: 2, rule: changed },
      ],
    )
    const same = after(...all, { type: 'ChangeRule', rule_id: 2, version: 1, rule: toDrivers })
    t.equal(same.events.length, 3, 'the same rule again is no version')
    const sameOrder = after(...all, { type: 'OrderRules', rule_ids: [1, 2, 3] })
    t.equal(sameOrder.events.length, 3)
  },
)

t.test('given rules, when a change does not fit them, then it is refused and nothing changes', async (t) => {
  const refusal = (...commands: readonly Given[]) => after(created(1), created(2), ...commands).refused
  const change = { type: 'ChangeRule', rule_id: 1, version: 1, rule: { ...toDrivers, name: 'Other' } } as const
  t.equal(refusal(change, { ...change, rule: toDrivers }), 'assignment_rule_changed')
  t.equal(refusal({ ...change, rule_id: 9 }), 'assignment_rule_not_found')
  t.equal(refusal({ type: 'DeleteRule', rule_id: 9 }), 'assignment_rule_not_found')
  t.equal(refusal({ type: 'OrderRules', rule_ids: [1] }), 'assignment_rules_differ')
  t.equal(refusal({ type: 'OrderRules', rule_ids: [1, 9] }), 'assignment_rules_differ')
  const many = Array.from({ length: maxRules + 1 }, (_, index) => created(index + 1))
  t.equal(after(...many).refused, 'assignment_rules_full')
})

t.test('given members that do not go together, when a rule is made of them, then it is refused', async (t) => {
  const refused = (given: object) => {
    const { issues = [] } = v.safeParse(rule, { name: 'One', ...given })
    return issues.map(({ message, path = [] }) => `${path.map((at) => String(at.key)).join('.')} ${message}`)
  }
  t.same(refused({ target: 'contractors' }), ['contractors required'])
  t.same(refused({ target: 'provider' }), ['provider required'])
  t.same(refused({ target: 'drivers', contractors: [1] }), ['contractors not_for_target'])
  t.same(refused({ target: 'provider', provider: 'acme', respond_within_minutes: 5 }), [
    'respond_within_minutes not_for_target',
  ])
  t.same(refused({ target: 'drivers', capacity: { per_day: 1 } }), ['capacity not_for_target'])
  t.same(refused({ target: 'contractors', contractors: [1, 1] }), ['contractors.1 not_unique'])
  t.same(refused({ target: 'drivers', when: { postal_codes: ['m5v'] } }), ['when.postal_codes.0 not_a_postal_prefix'])
  t.same(refused({ target: 'drivers', when: { tags: ['Not a tag'] } }), ['when.tags.0 not_a_tag'])
  t.same(refused({ target: 'drivers' }), [])
})

t.test('given orders of several days, then each has the moment at which it is to be carried out', async (t) => {
  // 2026-06-10 is a Wednesday; in Toronto it is 23:30 of that day, in Paris 05:30 of the next.
  const now = Date.parse('2026-06-11T03:30:00Z')
  const at = (order: object, zone = 'America/Toronto') => momentOf(order, now, zone)
  t.match(at({}), { weekday: 'wednesday', time: '23:30', isDue: true, isDayFixed: false, isTimeFixed: false })
  t.match(at({}, 'Europe/Paris'), { weekday: 'thursday', time: '05:30' })
  t.match(at({ scheduleDate: '2026-06-08' }), { weekday: 'wednesday', isDue: true }, 'a day that is over is today')
  t.match(at({ scheduleDate: '2026-06-13' }), { weekday: 'saturday', time: undefined, isDue: false, isDayFixed: true })
  const timeWindow = { start: '09:00', end: '12:00' }
  t.match(at({ scheduleDate: '2026-06-13', timeWindow }), { weekday: 'saturday', time: '09:00', isTimeFixed: true })
})

/** A second reading of the conditions of a rule: a list of questions, all of which are answered with yes. */
function fits(
  { is_on, when = {}, target }: Rule,
  order: Parameters<typeof mismatch>[1],
  setting: Parameters<typeof mismatch>[2],
) {
  const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
  const { moment, zone, postalCode } = setting
  const isIn = (list: readonly string[] | undefined, value: string | undefined) =>
    list === undefined || (value !== undefined && list.indexOf(value) >= 0)
  const inHours = ({ start, end }: { start: string; end: string }) =>
    moment.time !== undefined && minutes(start) <= minutes(moment.time) && minutes(moment.time) < minutes(end)
  return [
    is_on !== false,
    isIn(when.types, order.type),
    isIn(when.services, order.service),
    isIn(when.zones, zone),
    isIn(when.weekdays, moment.weekday),
    when.tags === undefined || when.tags.filter((tag) => !new Set(order.tags).has(tag)).length === 0,
    when.postal_codes === undefined || when.postal_codes.some((start) => postalCode.slice(0, start.length) === start),
    when.hours === undefined || inHours(when.hours),
    target !== 'drivers' || moment.isDue,
  ].every((answer) => answer)
}

t.test(
  'given random rules and orders, then a rule takes an order if and only if a second reading says so',
  async (t) => {
    const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })
    const some = <Value>(...values: Value[]) => fc.subarray(values, { minLength: 1 })
    const codes = ['M5V', 'M5', 'K1', 'H']
    const tags = ['cold', 'fragile', 'big']
    const withoutUndefined = <Given extends object>(given: Given) =>
      Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
    const when = fc
      .record({
        types: maybe(some('D', 'P', 'P2P')),
        services: maybe(some('same-day', 'next-day')),
        zones: maybe(some('city', 'far')),
        postal_codes: maybe(some(...codes)),
        tags: maybe(some(...tags)),
        weekdays: maybe(some(...weekdays)),
        hours: maybe(fc.constantFrom({ start: '08:00', end: '12:00' }, { start: '12:00', end: '23:59' })),
      })
      .map(withoutUndefined)
    const rules = fc
      .record({ is_on: maybe(fc.boolean()), when: maybe(when), target: fc.constantFrom('drivers', 'provider') })
      .map((given) => withoutUndefined({ name: 'R', ...given }) as Rule)
    const orders = fc.record({
      type: fc.constantFrom('D' as const, 'P' as const, 'P2P' as const),
      service: fc.constantFrom('same-day', 'next-day', 'other'),
      tags: fc.subarray(tags),
      zone: maybe(fc.constantFrom('city', 'far', 'none')),
      postalCode: fc.constantFrom('M5V1A1', 'M6', 'K1A', 'H', ''),
      scheduleDate: fc.constantFrom('2026-06-09', '2026-06-10', '2026-06-13'),
      timeWindow: maybe(fc.constantFrom({ start: '08:00', end: '09:00' }, { start: '12:00', end: '13:00' })),
      now: fc.integer({ min: Date.parse('2026-06-10T04:00:00Z'), max: Date.parse('2026-06-11T03:59:00Z') }),
    })
    fc.assert(
      fc.property(rules, orders, (of, { zone, postalCode, scheduleDate, timeWindow, now, ...order }) => {
        const when = { scheduleDate, ...(timeWindow && { timeWindow }) }
        const setting = { zone, postalCode, moment: momentOf(when, now, 'America/Toronto') }
        return (mismatch(of, order, setting) === undefined) === fits(of, order, setting)
      }),
      { numRuns: runs(t, 200) },
    )
  },
)
