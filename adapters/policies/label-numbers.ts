import { type Caller, type EntityEvent, type Policy, type RecordedEvent, registerLabel } from '../../engine/index.ts'
import type { ContextParts } from '../node/gateway.ts'
import { contextAfter } from './report.ts'

const name = 'label-numbers'

const caller: Caller = { kind: 'operator', name, scopes: [] }

/** Registers labels of earlier versions as orders, under another number where an order has theirs. */
export function labelNumbers(parts: ContextParts): Policy {
  return {
    name,
    filter: { category: 'label' },
    from: 'beginning',
    handle: async (recorded) => {
      const event = recorded as RecordedEvent<EntityEvent>
      await registerLabel(contextAfter(parts, caller, event), event)
    },
  }
}
