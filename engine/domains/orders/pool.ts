import * as v from 'valibot'
import { named } from '../../kernel/named.ts'
import { id, providerName } from '../../kernel/schemas.ts'

/** A version of an assignment rule. */
export const ruleVersion = named('AssignmentRuleVersion', v.strictObject({ rule_id: id, version: id }))

/** A version of an assignment rule. */
export type RuleVersion = v.InferOutput<typeof ruleVersion>

/** The pools that an order is in. */
export const pool = v.strictObject({
  /** One rule if somebody is asked; all rules that may take it later if nobody can be asked now. */
  rules: v.array(ruleVersion),
  /** The contractors that may take it. */
  broker_ids: v.array(id),
  /** The provider that the rule gave it to. */
  provider: v.exactOptional(providerName),
  /** Until when the contractors may take it: ISO 8601, UTC. */
  respond_by: v.exactOptional(v.string()),
})

/** The pools that an order is in: it waits in all of them, or its contractors are asked in one. */
export type Pool = v.InferOutput<typeof pool>

/**
 * Why an order left its pools. `taken`: somebody has it, or it is on a route; `ended`: it is held, cancelled or deleted;
 * `refused`, `time_out`: no contractor is left; `unmatched`: no rule holds for it any more; `withdrawn`: the provider
 * that had it by a rule does not deliver it; `self_delivery`: no provider is to deliver it.
 */
export type UnpoolReason = 'taken' | 'ended' | 'refused' | 'time_out' | 'unmatched' | 'withdrawn' | 'self_delivery'

/** Means all providers where somebody declines. */
export const everyProvider = '*'

/** Who refused an order, or did not answer: accounts by their ids, providers by their names. */
export type Declined = readonly (number | string)[]
