import { callAnswered } from './perform.ts'
import { policyBegan } from './policy/policy.ts'
import { numberTaken } from './sequence.ts'

/** Event types that belong to the engine itself and to no domain, by stream category. */
export const ownEvents: Readonly<Record<string, readonly string[]>> = {
  idempotency: [callAnswered],
  policy: [policyBegan],
  sequence: [numberTaken],
}
