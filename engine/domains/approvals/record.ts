import * as v from 'valibot'
import { named } from '../../kernel/named.ts'
import { unpriced } from '../../kernel/prices.ts'
import { instantOf } from '../../kernel/time.ts'
import { zonedIso } from '../../kernel/zone.ts'
import { type Proposal, statusAt } from './decider.ts'

/** A proposal in answers. */
export const proposalRecord = named(
  'Proposal',
  v.strictObject({
    proposal_id: v.number(),
    tool: v.string(),
    status: v.picklist(['pending', 'approved', 'rejected', 'expired']),
    arguments: v.pipe(
      v.nullable(unpriced(v.record(v.string(), v.unknown()))),
      v.description('Arguments of the tool; null after an erasure.'),
    ),
    reason: v.nullable(v.string()),
    proposed_by: v.number(),
    proposed_at: v.pipe(
      v.string(),
      v.description('ISO 8601, in the time zone of the business, like all instants here.'),
    ),
    expires_at: v.string(),
    decided_by: v.nullable(v.number()),
    decided_at: v.nullable(v.string()),
  }),
)

/** The record of a proposal at an instant (ISO 8601, UTC). */
export function recordOf(proposal: Proposal, at: string, zone: string): v.InferOutput<typeof proposalRecord> {
  const { proposed, decided } = proposal
  const inZone = (instant: string) => zonedIso(instantOf(instant), zone)
  return {
    proposal_id: proposed.proposal_id,
    tool: proposed.tool,
    status: statusAt(proposal, at),
    arguments: proposed.personal?.arguments ?? null,
    reason: proposed.personal?.reason ?? null,
    proposed_by: proposed.by,
    proposed_at: inZone(proposed.at),
    expires_at: inZone(proposed.expires_at),
    decided_by: decided?.by ?? null,
    decided_at: decided === undefined ? null : inZone(decided.at),
  }
}
