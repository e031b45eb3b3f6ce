import type { EventShapes } from '../kernel/event-shape.ts'
import { callAnswered } from './perform.ts'
import { policyBegan } from './policy/policy.ts'
import { numberTaken } from './sequence.ts'

/** The shapes of the events that belong to the engine itself and to no domain, by stream category. */
export const ownEvents: Readonly<Record<string, EventShapes>> = {
  idempotency: { [callAnswered]: { request: 'text', answer: 'object' } },
  policy: { [policyBegan]: { after: 'object?' } },
  sequence: { [numberTaken]: {} },
}
