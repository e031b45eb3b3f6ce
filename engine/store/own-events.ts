import { callAnswered } from './perform.ts'
import { policyBegan } from './policy/policy.ts'
import { numberTaken } from './sequence.ts'

/** The types of events that are the engine's own and of no domain, by category of their streams. */
export const ownEvents: Readonly<Record<string, readonly string[]>> = {
  idempotency: [callAnswered],
  policy: [policyBegan],
  sequence: [numberTaken],
}
