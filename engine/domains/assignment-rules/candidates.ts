import { type Business, hasModule, type Person } from '../../kernel/account.ts'
import type { Context } from '../../kernel/context.ts'
import { startOfDay } from '../../kernel/days.ts'
import type { Cell } from '../../kernel/read-model.ts'
import { isoOf } from '../../kernel/time.ts'
import { dayIn } from '../../kernel/zone.ts'
import { contractorModule } from './access.ts'
import type { Mismatch } from './match.ts'
import { poolModel } from './pool-model.ts'
import type { Rule } from './rule.ts'

/** Somebody who can be asked: an account by its id, a provider by its name. */
export interface Candidate<Name = number | string> {
  readonly name: Name
  /** How many more orders it can take; infinite without a capacity. */
  readonly spare: number
}

/** Those who can be asked, the first one first; without any, why. */
interface Candidates {
  readonly found: readonly Candidate[]
  readonly mismatch?: Mismatch
}

/** Means all providers among those who have declined (`RuledOrder`). */
const everyProvider = '*'

/** Whom a rule can ask now, except those who have declined. */
export async function candidatesOf(
  context: Context,
  business: Business,
  rule: Rule,
  declined: readonly (number | string)[] = [],
): Promise<Candidates> {
  const { target, provider = '', contractors = [] } = rule
  if (target === 'drivers') return drivers(context, business, rule, declined)
  if (target === 'contractors') {
    const left = contractors.filter((id) => !declined.includes(id))
    return left.length === 0 ? none('rule_was_declined', false) : contractorsOf(context, business, rule, left)
  }
  if (declined.includes(provider) || declined.includes(everyProvider)) return none('rule_was_declined', false)
  if (!(await context.directory.serves(context, provider, business.id))) return none('rule_target_gone', true)
  const used = await context.ports.assignmentRules.openDeliveries(context, business.id, provider)
  return ofThose([{ name: provider, spare: spareOf(rule.capacity?.open, used) }])
}

async function contractorsOf(context: Context, business: Business, { capacity = {} }: Rule, ids: readonly number[]) {
  const isKnown = hasModule(business, contractorModule)
    ? await whoAre(
        context,
        business,
        ids,
        (person) => person.role === 'contractor' && hasModule(person, contractorModule),
      )
    : () => false
  const able = ids.filter(isKnown)
  if (able.length === 0) return none('rule_target_gone', true)
  const spare = await spareOfContractors(context, business, capacity, able)
  return ofThose(able.map((name) => ({ name, spare: spare(name) })))
}

/** What of its capacity each contractor has left. Orders that it is offered count as if it had taken them. */
async function spareOfContractors(
  context: Context,
  business: Business,
  { open, per_day, per_hour }: NonNullable<Rule['capacity']>,
  ids: readonly number[],
): Promise<(id: number) => number> {
  const { openOrders, assignedSince } = context.ports.assignmentRules
  const now = context.clock()
  const midnight = startOfDay(dayIn(now, business.timeZone), business.timeZone)
  const since = (start: string) => assignedSince(context, business.id, ids, start)
  const used: readonly (readonly [limit: number | undefined, () => Promise<ReadonlyMap<Cell, number>>])[] = [
    [open, () => openOrders(context, business.id, 'broker_id', ids)],
    [per_day, () => since(midnight)],
    [per_hour, () => since(isoOf(now - 3_600_000))],
  ]
  const limits = used.filter(([limit]) => limit !== undefined)
  if (limits.length === 0) return () => Number.POSITIVE_INFINITY
  const of = { where: { business_id: business.id }, among: { broker_id: ids } }
  const offered = await context.models.counts(poolModel, 'broker_id', of)
  const left = await Promise.all(limits.map(async ([limit, count]) => ({ limit, counts: await count() })))
  return (id) =>
    Math.min(...left.map(({ limit, counts }) => spareOf(limit, (counts.get(id) ?? 0) + (offered.get(id) ?? 0))))
}

/** Drivers on duty: those with the fewest open orders first, then those on duty the longest, then by their ids. */
async function drivers(
  context: Context,
  business: Business,
  { drivers: named, capacity }: Rule,
  declined: readonly (number | string)[],
): Promise<Candidates> {
  if (named?.every((id) => declined.includes(id))) return none('rule_was_declined', false)
  const { driversOnDuty, openOrders } = context.ports.assignmentRules
  const onDuty = await driversOnDuty(context, business.id)
  const asked = onDuty.filter(({ id }) => named?.includes(id) !== false && !declined.includes(id))
  const ids = asked.map(({ id }) => id)
  const isKnown = await whoAre(context, business, ids, ({ role }) => role === 'driver')
  const able = asked.filter(({ id }) => isKnown(id))
  if (able.length === 0) return none('rule_without_driver', true)
  const loads = await openOrders(context, business.id, 'driver_id', ids)
  const load = (id: number) => loads.get(id) ?? 0
  const inOrder = [...able].sort(
    (one, other) =>
      load(one.id) - load(other.id) || (one.since < other.since ? -1 : one.since > other.since ? 1 : one.id - other.id),
  )
  return ofThose(inOrder.map(({ id }) => ({ name: id, spare: spareOf(capacity?.open, load(id)) })))
}

/** Which of these accounts are active accounts of the business that fulfil a condition. */
async function whoAre(
  context: Context,
  { id: business }: Business,
  ids: readonly number[],
  isAble: (person: Person) => boolean,
): Promise<(id: number) => boolean> {
  const people = await Promise.all(ids.map((id) => context.directory.person(context, id)))
  const able = people.filter((one) => one?.isActive === true && one.business.id === business && isAble(one))
  const found = new Set(able.map((one) => one?.id))
  return (id) => found.has(id)
}

function ofThose(candidates: readonly Candidate[]): Candidates {
  const found = candidates.filter(({ spare }) => spare > 0)
  return found.length === 0 ? none('rule_is_full', true) : { found }
}

function none(code: Mismatch['code'], isPassing: boolean): Candidates {
  return { found: [], mismatch: { code, isPassing } }
}

function spareOf(limit = Number.POSITIVE_INFINITY, used: number): number {
  return limit - used
}
