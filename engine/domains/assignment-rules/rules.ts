import type { Context, Facts } from '../../kernel/context.ts'
import { type Decider, fold } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { Event, RecordedEvent } from '../../kernel/event.ts'
import type { ShapesOf } from '../../kernel/event-shape.ts'
import type { ReadModel } from '../../kernel/read-model.ts'
import type { StreamName } from '../../kernel/stream.ts'
import type { Rule, VersionedRule } from './rule.ts'

/** The most rules of a business. */
export const maxRules = 50

interface Base {
  /** ISO 8601, UTC. */
  readonly at: string
  /** The acting account. */
  readonly by: number
  readonly business_id: number
}

/** What happened to the rules of a business. A version that an order names stays in the stream. */
export type RuleEvent =
  | Event<'AssignmentRuleCreated' | 'AssignmentRuleChanged', Base & VersionedRule>
  | Event<'AssignmentRuleDeleted', Base & { readonly rule_id: number }>
  | Event<'AssignmentRulesOrdered', Base & { readonly rule_ids: readonly number[] }>

/** The shapes of the events of rules. */
export const ruleEventShapes: ShapesOf<RuleEvent> = {
  AssignmentRuleCreated: {
    at: 'text',
    by: 'number',
    business_id: 'number',
    rule_id: 'number',
    version: 'number',
    rule: 'object',
  },
  AssignmentRuleChanged: {
    at: 'text',
    by: 'number',
    business_id: 'number',
    rule_id: 'number',
    version: 'number',
    rule: 'object',
  },
  AssignmentRuleDeleted: { at: 'text', by: 'number', business_id: 'number', rule_id: 'number' },
  AssignmentRulesOrdered: { at: 'text', by: 'number', business_id: 'number', rule_ids: 'list' },
}

type RuleCommand = Base &
  (
    | { readonly type: 'CreateRule'; readonly rule_id: number; readonly rule: Rule }
    | { readonly type: 'ChangeRule'; readonly rule_id: number; readonly version: number; readonly rule: Rule }
    | { readonly type: 'DeleteRule'; readonly rule_id: number }
    | { readonly type: 'OrderRules'; readonly rule_ids: readonly number[] }
  )

/** The rules of a business, the first one first. */
export type Rules = readonly VersionedRule[]

/**
 * The decider of the rules of a business. Refuses `assignment_rule_not_found`, `assignment_rule_changed` if the version is
 * not the one that is changed, `assignment_rules_full`, and `assignment_rules_differ` for an order of other rules.
 */
export const businessRules: Decider<Rules, RuleCommand, RuleEvent> = {
  initial: () => [],
  evolve: (rules, { type, data }) => {
    switch (type) {
      case 'AssignmentRuleCreated':
        return [...rules, versionIn(data)]
      case 'AssignmentRuleChanged':
        return rules.map((one) => (one.rule_id === data.rule_id ? versionIn(data) : one))
      case 'AssignmentRuleDeleted':
        return rules.filter(({ rule_id }) => rule_id !== data.rule_id)
      case 'AssignmentRulesOrdered':
        return data.rule_ids.flatMap((id) => rules.filter(({ rule_id }) => rule_id === id))
      default:
        return rules
    }
  },
  decide: (command, rules) => {
    const { at, by, business_id } = command
    const base = { at, by, business_id }
    switch (command.type) {
      case 'CreateRule': {
        const { rule_id, rule } = command
        if (rules.length >= maxRules) throw new EngineError('assignment_rules_full', { limit: maxRules })
        return [{ type: 'AssignmentRuleCreated', data: { ...base, rule_id, version: 1, rule } }]
      }
      case 'ChangeRule': {
        const { rule_id, version, rule } = command
        const current = ruleIn(rules, rule_id)
        if (current.version !== version)
          throw new EngineError('assignment_rule_changed', { rule: rule_id, version: current.version })
        if (JSON.stringify(current.rule) === JSON.stringify(rule)) return []
        return [{ type: 'AssignmentRuleChanged', data: { ...base, rule_id, version: version + 1, rule } }]
      }
      case 'DeleteRule':
        ruleIn(rules, command.rule_id)
        return [{ type: 'AssignmentRuleDeleted', data: { ...base, rule_id: command.rule_id } }]
      case 'OrderRules': {
        const { rule_ids } = command
        const before = rules.map(({ rule_id }) => rule_id)
        if (rule_ids.length !== before.length || !before.every((id) => rule_ids.includes(id)))
          throw new EngineError('assignment_rules_differ', { expected: before.join(', ') })
        const isSame = rule_ids.every((id, place) => id === before[place])
        return isSame ? [] : [{ type: 'AssignmentRulesOrdered', data: { ...base, rule_ids } }]
      }
    }
  },
}

function versionIn({ rule_id, version, rule }: VersionedRule): VersionedRule {
  return { rule_id, version, rule }
}

function ruleIn(rules: Rules, id: number): VersionedRule {
  const found = rules.find(({ rule_id }) => rule_id === id)
  if (found === undefined) throw new EngineError('assignment_rule_not_found', { rule: id })
  return found
}

/** The stream of the rules of a business. */
export function rulesStream(businessId: number): StreamName {
  return `assignment_rules-${businessId}`
}

/** The rules of a business, the first one first, and the revision of their stream. */
export async function loadRules({ store }: Pick<Context, 'store'>, businessId: number) {
  const history = await historyOf(store, businessId)
  return { rules: fold(businessRules, history), revision: history.at(-1)?.revision }
}

/** A rule of a business as it is, or as it was in a version, also of a deleted rule. */
export async function findRule(
  { store }: Pick<Context, 'store'>,
  businessId: number,
  id: number,
  version?: number,
): Promise<VersionedRule & { readonly at: string; readonly by: number }> {
  const versions = (await historyOf(store, businessId)).flatMap(({ type, data }) =>
    type === 'AssignmentRuleCreated' || type === 'AssignmentRuleChanged' ? [data] : [],
  )
  const found = versions.findLast((one) => one.rule_id === id && (version === undefined || one.version === version))
  if (found === undefined) throw new EngineError('assignment_rule_not_found', { rule: id })
  const { at, by } = found
  return { ...versionIn(found), at, by }
}

async function historyOf(store: Context['store'], businessId: number) {
  return (await store.read(rulesStream(businessId))) as readonly RecordedEvent<RuleEvent>[]
}

/** The rules that exist, and whose they are: one row each. */
export const ruleModel = {
  name: 'assignment_rules',
  version: 1,
  category: 'assignment_rules',
  columns: { rule_id: 'integer', business_id: 'integer' },
  key: ['rule_id'],
  indexes: [],
  rows: (event) => {
    const { type, data } = event as RecordedEvent<RuleEvent>
    return type === 'AssignmentRuleCreated' ? [{ rule_id: data.rule_id, business_id: data.business_id }] : []
  },
  gone: (event) => {
    const { type, data } = event as RecordedEvent<RuleEvent>
    return type === 'AssignmentRuleDeleted' ? [{ rule_id: data.rule_id }] : []
  },
} as const satisfies ReadModel

/** Whether there is any rule, of any business. */
export async function hasRules({ models }: Facts): Promise<boolean> {
  return (await models.rows(ruleModel, {}, 1)).length > 0
}
