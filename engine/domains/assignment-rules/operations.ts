import * as v from 'valibot'
import { hasModule, staff } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { Finding } from '../../kernel/finding.ts'
import { messageOf } from '../../kernel/messages/index.ts'
import { named } from '../../kernel/named.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { operation } from '../../kernel/operation.ts'
import { distinct, id, number } from '../../kernel/schemas.ts'
import { isoOf } from '../../kernel/time.ts'
import { zonedIso } from '../../kernel/zone.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { nextNumbers } from '../../store/sequence.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { contractorModule, ownRuleId } from './access.ts'
import { judge, settingOf, type Verdict } from './apply.ts'
import { type Rule, rule, type VersionedRule } from './rule.ts'
import { businessRules, findRule, loadRules, maxRules, rulesStream } from './rules.ts'

const path = '/api/v1/assignment-rules'
const tag = 'Dispatch'
const ruleId = v.pipe(id, v.description('Id of the rule.'))
const ruleIdEntry = { rule_id: ruleId }
const ids = { rule_id: ownRuleId }
const people = { 'rule.contractors.*': 'rule', 'rule.drivers.*': 'rule' } as const

const ruleRecord = named(
  'AssignmentRuleRecord',
  v.strictObject({
    rule_id: v.number(),
    version: v.pipe(v.number(), v.description('From 1; each change makes a new one.')),
    rule,
  }),
)

const ruleAnswer = named('AssignmentRuleAnswer', v.strictObject({ result: v.literal(true), ...ruleRecord.entries }))

/** The rules of the business. */
export const listAssignmentRules = operation({
  name: 'list_assignment_rules',
  summary: `The assignment rules of the business, at most ${maxRules}, in the order in which they are asked.`,
  scopes: ['orders:read'],
  roles: staff,
  risk: 'low',
  tag,
  rest: { method: 'GET', path },
  page: 'assignment rule',
  input: v.strictObject({}),
  output: v.strictObject({ result: v.literal(true), rules: v.array(ruleRecord) }),
  errors: [],
  handle: async (context) => ({
    result: true,
    rules: [...(await loadRules(context, accountOf(context).business.id)).rules],
  }),
})

/** One rule, or an earlier version of it. */
export const getAssignmentRule = operation({
  name: 'get_assignment_rule',
  summary: 'An assignment rule, also a deleted one, or an earlier version of it, as orders name it.',
  scopes: ['orders:read'],
  roles: staff,
  risk: 'low',
  tag,
  rest: { method: 'GET', path: `${path}/{rule_id}` },
  ids: { rule_id: 'rule' },
  input: v.strictObject({
    ...ruleIdEntry,
    version: v.exactOptional(v.pipe(number, v.description('The last one where absent.'))),
  }),
  output: v.strictObject({
    ...ruleAnswer.entries,
    changed_at: v.pipe(v.string(), v.description('ISO 8601, in the time zone of the business.')),
    changed_by: v.pipe(v.number(), v.description('User id.')),
  }),
  errors: ['assignment_rule_not_found'],
  handle: async (context, { rule_id, version }) => {
    const { business } = accountOf(context)
    const { at, by, ...found } = await findRule(context, business.id, rule_id, version)
    return { result: true, ...found, changed_at: zonedIso(Date.parse(at), business.timeZone), changed_by: by }
  },
})

/** Creates a rule. */
export const createAssignmentRule = operation({
  name: 'create_assignment_rule',
  summary: 'Create an assignment rule: which orders it is for, and who is to get them. It is asked after the others.',
  scopes: ['orders:write'],
  roles: ['client_admin'],
  risk: 'medium',
  tag,
  rest: { method: 'POST', path },
  ids: people,
  input: v.strictObject({ rule }),
  output: ruleAnswer,
  errors: ['assignment_rules_full', 'provider_not_found', 'module_disabled', 'contention'],
  handle: async (context, { rule: given }) => {
    await requireTarget(context, given)
    return retryOnConflict(async () => {
      const { first: rule_id, append } = await nextNumbers(context, 'assignment_rule')
      await change(context, { type: 'CreateRule', rule_id, rule: given }, [append])
      return { result: true, rule_id, version: 1, rule: given }
    })
  },
})

/** Changes a rule. */
export const updateAssignmentRule = operation({
  name: 'update_assignment_rule',
  summary: 'Change an assignment rule as it is in this version. Orders that somebody has by it stay as they are.',
  scopes: ['orders:write'],
  roles: ['client_admin'],
  risk: 'medium',
  tag,
  rest: { method: 'PUT', path: `${path}/{rule_id}` },
  ids: { ...ids, ...people },
  input: v.strictObject({
    ...ruleIdEntry,
    version: v.pipe(number, v.description('The version that is changed.')),
    rule,
  }),
  output: ruleAnswer,
  errors: [
    ...(['assignment_rule_not_found', 'assignment_rule_changed', 'provider_not_found'] as const),
    ...(['module_disabled', 'contention'] as const),
  ],
  handle: async (context, { rule_id, version, rule: given }) => {
    await requireTarget(context, given)
    await retryOnConflict(() => change(context, { type: 'ChangeRule', rule_id, version, rule: given }))
    return { result: true, ...current(await loadRules(context, accountOf(context).business.id), rule_id) }
  },
})

function current({ rules }: Awaited<ReturnType<typeof loadRules>>, id: number): VersionedRule {
  const found = rules.find(({ rule_id }) => rule_id === id)
  if (found === undefined) throw new EngineError('assignment_rule_not_found', { rule: id })
  return found
}

/** Deletes a rule. */
export const deleteAssignmentRule = operation({
  name: 'delete_assignment_rule',
  summary: 'Delete an assignment rule. Orders leave its pool; those that somebody has by it stay as they are.',
  scopes: ['orders:write'],
  roles: ['client_admin'],
  risk: 'medium',
  tag,
  rest: { method: 'POST', path: `${path}/{rule_id}/delete` },
  ids,
  input: v.strictObject(ruleIdEntry),
  output: v.strictObject({ result: v.literal(true) }),
  errors: ['assignment_rule_not_found', 'contention'],
  handle: async (context, { rule_id }) => {
    await retryOnConflict(() => change(context, { type: 'DeleteRule', rule_id }))
    return { result: true }
  },
})

/** Orders the rules. */
export const orderAssignmentRules = operation({
  name: 'order_assignment_rules',
  summary: 'Set the order in which the assignment rules are asked; all of them are named, once each.',
  scopes: ['orders:write'],
  roles: ['client_admin'],
  risk: 'medium',
  tag,
  rest: { method: 'POST', path: `${path}/order` },
  ids: { 'rule_ids.*': ownRuleId },
  input: v.strictObject({
    rule_ids: v.pipe(v.array(ruleId), v.minLength(1), v.maxLength(maxRules), distinct<number>()),
  }),
  output: v.strictObject({ result: v.literal(true), rule_ids: v.array(v.number()) }),
  errors: ['assignment_rule_not_found', 'assignment_rules_differ', 'contention'],
  handle: async (context, { rule_ids }) => {
    await retryOnConflict(() => change(context, { type: 'OrderRules', rule_ids }))
    return { result: true, rule_ids }
  },
})

type Change =
  | { readonly type: 'CreateRule'; readonly rule_id: number; readonly rule: Rule }
  | { readonly type: 'ChangeRule'; readonly rule_id: number; readonly version: number; readonly rule: Rule }
  | { readonly type: 'DeleteRule'; readonly rule_id: number }
  | { readonly type: 'OrderRules'; readonly rule_ids: readonly number[] }

type Append = Parameters<Context['store']['appendMany']>[0][number]

async function change(context: Context, command: Change, more: readonly Append[] = []): Promise<void> {
  const { id: by, business } = accountOf(context)
  const { rules, revision } = await loadRules(context, business.id)
  const base = { at: isoOf(context.clock()), by, business_id: business.id }
  const events = businessRules.decide({ ...command, ...base }, rules).map(toNewEvent(context))
  if (events.length === 0) return
  const own = { stream: rulesStream(business.id), events, expected: revision ?? 'no-stream' } as const
  await context.store.appendMany([...more, own])
}

/** Refuses a rule that names somebody whom it could not ask. */
async function requireTarget(context: Context, given: Rule): Promise<void> {
  const { business } = accountOf(context)
  const { target, provider = '', contractors = [], drivers = [] } = given
  if (target === 'provider' && !(await context.directory.serves(context, provider, business.id)))
    throw new EngineError('provider_not_found', { name: provider })
  if (target === 'contractors' && !hasModule(business, contractorModule))
    throw new EngineError('module_disabled', { module: contractorModule })
  const findings = [
    ...(await unknown(context, 'contractors', contractors, 'contractor')),
    ...(await unknown(context, 'drivers', drivers, 'driver')),
  ]
  if (findings.length > 0) throw new EngineError('invalid_input', { count: findings.length }, findings)
}

async function unknown(
  context: Context,
  member: 'contractors' | 'drivers',
  named: readonly number[],
  role: 'contractor' | 'driver',
): Promise<readonly Finding[]> {
  const { business } = accountOf(context)
  const people = await Promise.all(named.map((one) => context.directory.person(context, one)))
  return people.flatMap((person, index): readonly Finding[] => {
    const at = { path: `rule.${member}[${index}]`, params: { [role]: named[index] ?? 0 } }
    if (person?.role !== role || person.business.id !== business.id || !person.isActive)
      return [{ ...at, code: `${role}_not_found` }]
    return role === 'contractor' && !hasModule(person, contractorModule)
      ? [{ ...at, code: 'contractor_module_off' }]
      : []
  })
}

const verdict = named(
  'AssignmentRuleVerdict',
  v.strictObject({
    rule_id: v.number(),
    version: v.number(),
    name: v.string(),
    takes: v.pipe(v.boolean(), v.description('Whether it would take the order now, if no rule before it did.')),
    candidates: v.exactOptional(
      v.pipe(v.array(v.union([v.number(), v.string()])), v.description('Whom it would ask, in this order.')),
    ),
    later: v.exactOptional(
      v.pipe(v.boolean(), v.description('Whether it may take the order later: the order waits in its pool.')),
    ),
    code: v.exactOptional(v.string()),
    message: v.exactOptional(v.pipe(v.string(), v.description('Why it does not take it.'))),
  }),
)

/** What the rules say of an order. */
export const tryAssignmentRules = operation({
  name: 'try_assignment_rules',
  summary: 'Which assignment rule takes an order now, and why the others do not. Nothing changes.',
  scopes: ['orders:read'],
  roles: staff,
  risk: 'low',
  tag,
  rest: { method: 'GET', path: '/api/v1/orders/{order_id}/assignment-rules' },
  ids: { order_id: 'rule' },
  input: v.strictObject({ order_id: v.pipe(id, v.description('Id of the order.')) }),
  output: v.strictObject({
    result: v.literal(true),
    order_id: v.number(),
    is_free: v.pipe(
      v.boolean(),
      v.description('Whether nobody has the order; the rules leave an order that is not free.'),
    ),
    rule_id: v.exactOptional(v.pipe(v.number(), v.description('The rule that takes it; missing if none does.'))),
    rules: v.array(verdict),
  }),
  errors: ['order_not_found'],
  handle: async (context, { order_id }) => {
    const { business } = accountOf(context)
    const order = await context.ports.assignmentRules.visibleOrder(context, order_id)
    const { rules } = await loadRules(context, business.id)
    const setting = await settingOf(context, order, business)
    const verdicts = await Promise.all(rules.map((one) => judge(context, business, one, order, setting)))
    const taking = verdicts.find(({ mismatch }) => mismatch === undefined)
    return {
      ...{ result: true, order_id, is_free: order.isFree },
      ...omitUndefined({ rule_id: order.isFree ? taking?.of.rule_id : undefined }),
      rules: verdicts.map((one) => verdictRecord(context, one)),
    }
  },
})

function verdictRecord({ messages }: Context, { of, mismatch, candidates }: Verdict): v.InferOutput<typeof verdict> {
  const about = { rule_id: of.rule_id, version: of.version, name: of.rule.name, takes: mismatch === undefined }
  if (mismatch === undefined) return { ...about, candidates: candidates.map(({ name }) => name) }
  const { code, isPassing } = mismatch
  return { ...about, later: isPassing, code, message: messageOf(code, {}, messages) }
}
