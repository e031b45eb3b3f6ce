import type { ObjectEntries } from 'valibot'
import type { Domain } from '../../entity/domain.ts'
import { uniorderCreateBatch } from './batch.ts'
import { jobModel } from './job.ts'
import { jobEventShapes } from './job-events.ts'
import { uniorderCreateBatchAsync, uniorderJob, uniorderRateBatchAsync } from './job-operations.ts'
import { dueJobs, forgetJob } from './job-work.ts'
import { listUniorders } from './list.ts'
import { uniorderMessages } from './messages.ts'
import {
  uniorderCancel,
  uniorderCreate,
  uniorderGet,
  uniorderLabel,
  uniorderPurchaseLabel,
  uniorderTracking,
} from './operations.ts'
import { uniorderWebhookEventSource, uniorderWebhookEventTypes } from './webhook-events.ts'

export type { JobEvent } from './job-events.ts'
export { dueJobs, forgetJob, workOnJob } from './job-work.ts'
export type { UniorderCode } from './messages.ts'
export type { UniorderPorts } from './ports.ts'

/**
 * Uniorders: shipments that the business delivers itself, or a carrier, as one thing. They are orders and labels, and nothing
 * else; `ratesEntries` is what the rates of a shipment look like.
 */
export const uniordersDomain = (ratesEntries: ObjectEntries): Domain => ({
  name: 'uniorders',
  messages: [uniorderMessages],
  events: { uniorder_job: jobEventShapes },
  readModels: [jobModel],
  erasures: ['UniorderJobForgotten'],
  webhookEventTypes: uniorderWebhookEventTypes,
  webhookEventSources: [uniorderWebhookEventSource],
  deadlines: [{ name: 'rates of a job', due: dueJobs, pass: forgetJob }],
  operations: [
    ...[uniorderCreate, uniorderCreateBatch, listUniorders, uniorderGet, uniorderLabel, uniorderTracking],
    ...[uniorderCancel, uniorderPurchaseLabel],
    ...[uniorderCreateBatchAsync, uniorderRateBatchAsync, uniorderJob(ratesEntries)],
  ],
})
