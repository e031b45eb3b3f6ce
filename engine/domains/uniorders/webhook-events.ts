import * as v from 'valibot'
import type { RecordedEvent } from '../../kernel/event.ts'
import { deriveId } from '../../kernel/id.ts'
import { id } from '../../kernel/schemas.ts'
import type { StreamName } from '../../kernel/stream.ts'
import type { WebhookEventSource, WebhookEventType } from '../../kernel/webhook-event.ts'
import { type JobAccepted, type JobEvent, jobKinds } from './job-events.ts'

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** A job with a callback has finished. */
const openJobFinished = {
  ...{ name: 'open.job_finished', channel: 'callback', idMember: 'event_id' },
  summary: 'All shipments of a job with a callback were booked, refused or quoted. uniorder_job has the results.',
  data: v.strictObject({
    job_id: v.pipe(id, v.description('The job_id of the job.')),
    kind: v.pipe(v.picklist(jobKinds), v.description('Whether shipments were booked (create) or quoted (rate).')),
    total: count,
    created: v.exactOptional(v.pipe(count, v.description('Of a job that books: the shipments that were booked.'))),
    failed: v.exactOptional(v.pipe(count, v.description('Of a job that books: the shipments that were refused.'))),
  }),
  example: { job_id: 3, kind: 'create', total: 2, created: 1, failed: 1 },
} as const satisfies WebhookEventType

/** The types of webhook events of uniorders. */
export const uniorderWebhookEventTypes: readonly WebhookEventType[] = [openJobFinished]

/** Makes the webhook event of the end of a job. */
export const uniorderWebhookEventSource: WebhookEventSource = {
  category: 'uniorder_job',
  types: ['UniorderJobFinished'],
  webhookEventsOf: async ({ store }, recorded) => {
    const event = recorded as RecordedEvent<JobEvent>
    if (event.type !== 'UniorderJobFinished') return []
    const [first] = await store.read(event.stream as StreamName, { limit: 1 })
    const { business_id: businessId, rows: total, callback: owner } = (first as RecordedEvent<JobAccepted>).data
    if (owner === undefined) return []
    const { at, job_id, kind, created, failed } = event.data
    return [
      {
        type: openJobFinished.name,
        id: `OPE-${deriveId(openJobFinished.name, event.id)}`,
        audience: { kind: 'callback', businessId, owner },
        occurredAt: at,
        subject: `job/${job_id}`,
        data: () => ({
          ...{ job_id, kind, total },
          ...(created === undefined ? {} : { created }),
          ...(failed === undefined ? {} : { failed }),
        }),
      },
    ]
  },
}
