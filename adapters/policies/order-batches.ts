import { type BatchEvent, type Caller, en, type Policy, type RecordedEvent, workOnBatch } from '../../engine/index.ts'
import type { ContextParts } from '../node/gateway.ts'

/** Who records how far a batch has come; its orders are created in the name of the account that gave them. */
const caller: Caller = { kind: 'operator', name: 'order-batches', scopes: [] }

/** The orders of a batch are created after it was accepted, in the name of the account that gave them. */
export function orderBatches(parts: ContextParts): Policy {
  return {
    name: 'order-batches',
    filter: { category: 'batch' },
    from: 'beginning',
    handle: async (recorded) => {
      const event = recorded as RecordedEvent<BatchEvent>
      const requestId = event.metadata.correlationId ?? event.id
      await workOnBatch({ ...parts, caller, messages: en, requestId }, event)
    },
  }
}
