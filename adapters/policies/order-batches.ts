import { type BatchEvent, type Caller, en, type Policy, type RecordedEvent, workOnBatch } from '../../engine/index.ts'
import type { ContextParts } from '../node/gateway.ts'

/** Records the progress of a batch; its orders are created in the name of the account that submitted it. */
const caller: Caller = { kind: 'operator', name: 'order-batches', scopes: [] }

/** Creates the orders of an accepted batch, in the name of the account that submitted it. */
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
