import type { Business } from '../../kernel/account.ts'
import type { Context } from '../../kernel/context.ts'
import type { FindDue } from '../../kernel/due.ts'
import type { Append } from '../../kernel/event-store.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { isoOf } from '../../kernel/time.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { type Candidate, candidatesOf } from './candidates.ts'
import { lastingMismatch, type Mismatch, mismatch, momentOf, type Setting } from './match.ts'
import { nobodyYet, poolModel } from './pool-model.ts'
import type { RuledOrder } from './ports.ts'
import type { VersionedRule } from './rule.ts'
import { loadRules, type Rules, ruleModel } from './rules.ts'

/** So many orders are looked up at once. */
const pageSize = 200

/** What a rule says of an order: whom it asks, or why it does not take it. */
export interface Verdict {
  readonly of: VersionedRule
  readonly mismatch: Mismatch | undefined
  readonly candidates: readonly Candidate[]
}

/** What an order is judged in: its business, the time, and its place. */
export async function settingOf(context: Context, order: RuledOrder, { timeZone, id }: Business): Promise<Setting> {
  const place = await context.ports.assignmentRules.placeOf(context, id, order)
  return { ...place, moment: momentOf(order, context.clock(), timeZone) }
}

/** What a rule says of an order now. */
export async function judge(
  context: Context,
  business: Business,
  of: VersionedRule,
  order: RuledOrder,
  setting: Setting,
): Promise<Verdict> {
  const unfit = mismatch(of.rule, order, setting)
  if (unfit !== undefined) return { of, mismatch: unfit, candidates: [] }
  const { found, mismatch: unable } = await candidatesOf(context, business, of.rule, order.declined)
  return { of, mismatch: unable, candidates: found }
}

/**
 * Asks those whom the first rule names that takes an order, if nobody has it, and no provider by hand. Without such a rule it waits in the pools of all
 * rules that may take it later. May be called again at any time: what holds is not changed. Answers whether somebody is asked.
 */
export async function applyRules(context: Context, id: number): Promise<boolean> {
  return retryOnConflict(async () => {
    const order = await context.ports.assignmentRules.orderAt(context, id)
    const business = order && (await context.directory.business(context, order.businessId))
    if (order === undefined || business === undefined || !order.isFree) return false
    const { rules } = await loadRules(context, order.businessId)
    if (order.pool?.provider !== undefined || (rules.length === 0 && order.pool === undefined)) return false
    if (await context.ports.assignmentRules.isWithProvider(context, id)) {
      const taken = order.decide({ type: 'UnpoolOrder', reason: 'taken' })
      if (taken.length > 0) await context.store.appendMany(taken)
      return false
    }
    const setting = await settingOf(context, order, business)
    if (isOffered(order, rules, setting)) return false
    const { appends, isAsked } = await decisionOn(context, business, rules, order, setting)
    if (appends.length > 0) await context.store.appendMany(appends)
    return isAsked
  })
}

/** Whether contractors are asked by a rule that is still the same, and for such an order. */
function isOffered({ pool, ...order }: RuledOrder, rules: Rules, setting: Setting): boolean {
  const [by] = pool?.rules ?? []
  if (pool === undefined || pool.broker_ids.length === 0) return false
  const rule = rules.find(({ rule_id, version }) => rule_id === by?.rule_id && version === by.version)
  return rule !== undefined && lastingMismatch(rule.rule, order, setting) === undefined
}

interface Decision {
  readonly appends: readonly Append[]
  readonly isAsked: boolean
}

async function decisionOn(
  context: Context,
  business: Business,
  rules: Rules,
  order: RuledOrder,
  setting: Setting,
): Promise<Decision> {
  const later: VersionedRule[] = []
  for (const rule of rules) {
    const verdict = await judge(context, business, rule, order, setting)
    if (verdict.mismatch?.isPassing) later.push(rule)
    const appends = verdict.mismatch === undefined ? await asking(context, order, verdict) : undefined
    if (appends !== undefined) return { appends, isAsked: true }
  }
  const waits = { rules: later.map(versionOf), broker_ids: [] }
  const appends =
    later.length > 0
      ? order.decide({ type: 'PoolOrder', pool: waits })
      : order.decide({ type: 'UnpoolOrder', reason: 'unmatched' })
  return { appends, isAsked: false }
}

/** The appends that ask the candidates of a rule; undefined if a provider has the order already. */
async function asking(
  context: Context,
  order: RuledOrder,
  { of, candidates }: Verdict,
): Promise<readonly Append[] | undefined> {
  const { target, provider = '', respond_within_minutes: minutes } = of.rule
  const respond_by = minutes === undefined ? undefined : isoOf(context.clock() + minutes * 60_000)
  const rule = versionOf(of)
  const names = candidates.map(({ name }) => name)
  if (target === 'drivers') {
    const driver = Number(names[0])
    return order.decide({ type: 'AssignDriver', driver, source: 'auto_assign', rule, ...omitUndefined({ respond_by }) })
  }
  if (target === 'contractors') {
    const pool = { rules: [rule], broker_ids: names.map(Number), ...omitUndefined({ respond_by }) }
    return order.decide({ type: 'PoolOrder', pool })
  }
  const { id: order_id, businessId: business_id, reference: order_reference, trackingNumber } = order
  const delivery = { order_id, business_id, order_reference, provider, packages: [trackingNumber] }
  const given = await context.ports.assignmentRules.giveByRule(context, delivery)
  return given && [...given, ...order.decide({ type: 'PoolOrder', pool: { rules: [rule], broker_ids: [], provider } })]
}

function versionOf({ rule_id, version }: VersionedRule) {
  return { rule_id, version }
}

/** Applies the rules of a business to all orders that nobody has, until `signal` is aborted. */
export async function applyToFree(context: Context, businessId: number, signal: AbortSignal): Promise<void> {
  const { freeOrders } = context.ports.assignmentRules
  for (let after = 0; !signal.aborted; ) {
    const ids = await freeOrders(context, businessId, after, pageSize)
    for (const id of ids) if (!signal.aborted) await applyRules(context, id)
    after = ids.at(-1) ?? 0
    if (ids.length < pageSize) return
  }
}

/**
 * The provider that had an order by a rule does not deliver it any more. The rules are applied again without it, and without
 * any provider if the business delivers the order itself.
 */
export async function providerWithdrew(context: Context, id: number, isSelfDelivered: boolean): Promise<void> {
  await retryOnConflict(async () => {
    const order = await context.ports.assignmentRules.orderAt(context, id)
    if (order?.pool?.provider === undefined) return
    const reason = isSelfDelivered ? 'self_delivery' : 'withdrawn'
    await context.store.appendMany(order.decide({ type: 'UnpoolOrder', reason }))
  })
}

/** The rules in whose pools orders wait, with ids after `after`, in order of id. They are looked at whenever it is asked. */
export const waitedRules: FindDue = async ({ models }, _before, after, limit) => {
  const waiting = await models.counts(poolModel, 'rule_id', { where: { broker_id: nobodyYet } })
  const ids = [...waiting.keys()].map(Number).sort((one, other) => one - other)
  const page = ids.filter((id) => id > after).slice(0, limit)
  return page.map((id) => ({ id, dueAt: 0 }))
}

/**
 * Applies the rules to the orders that wait in the pool of a rule, the oldest first, as many as it can take now, until `signal`
 * is aborted.
 */
export async function serveWaiting(context: Context, ruleId: number, signal: AbortSignal): Promise<void> {
  let spare = await spareOf(context, ruleId)
  for (let after = 0; spare > 0 && !signal.aborted; ) {
    const { rows } = await context.models.page(poolModel, {
      ...{ where: { rule_id: ruleId, broker_id: nobodyYet }, between: { order_id: [after + 1, undefined] } },
      ...{ limit: pageSize, uncounted: true },
    })
    for (const { order_id } of rows)
      if (spare > 0 && !signal.aborted && (await applyRules(context, Number(order_id)))) spare -= 1
    after = Number(rows.at(-1)?.order_id ?? 0)
    if (rows.length < pageSize) return
  }
}

/** How many orders those can take whom a rule asks; infinite if one has no capacity. */
async function spareOf(context: Context, ruleId: number): Promise<number> {
  const [row] = await context.models.rows(ruleModel, { rule_id: ruleId }, 1)
  const business = row && (await context.directory.business(context, Number(row.business_id)))
  if (business === undefined) return 0
  const { rules } = await loadRules(context, business.id)
  const found = rules.find(({ rule_id }) => rule_id === ruleId)
  if (found === undefined) return 0
  const { found: able } = await candidatesOf(context, business, found.rule)
  return able.reduce((sum, { spare }) => sum + spare, 0)
}
