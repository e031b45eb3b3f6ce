import { type Caller, en, type JobEvent, type Policy, type RecordedEvent, workOnJob } from '../../engine/index.ts'
import type { ContextParts } from '../node/gateway.ts'

/** Records the progress of a job; its shipments are booked in the name of the account that submitted it. */
const caller: Caller = { kind: 'operator', name: 'uniorder-jobs', scopes: [] }

/** Books or quotes the shipments of an accepted job, in the name of the account that submitted it. */
export function uniorderJobs(parts: ContextParts): Policy {
  return {
    name: 'uniorder-jobs',
    filter: { category: 'uniorder_job' },
    from: 'beginning',
    handle: async (recorded) => {
      const event = recorded as RecordedEvent<JobEvent>
      const requestId = event.metadata.correlationId ?? event.id
      await workOnJob({ ...parts, caller, messages: en, requestId }, event)
    },
  }
}
