import { anonymous, type BatchEvent, en, type Policy, type RecordedEvent, workOnBatch } from '../../engine/index.ts'
import type { Parts } from '../door.ts'

/** The orders of a batch are created after it was accepted, in the name of the account that gave them. */
export function orderBatches(parts: Parts): Policy {
  return {
    name: 'order-batches',
    filter: { category: 'batch' },
    from: 'beginning',
    handle: async (recorded) => {
      const event = recorded as RecordedEvent<BatchEvent>
      const requestId = event.metadata.correlationId ?? event.id
      await workOnBatch({ ...parts, caller: anonymous, messages: en, requestId }, event)
    },
  }
}
