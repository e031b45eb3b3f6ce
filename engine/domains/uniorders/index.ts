import type { ObjectEntries } from 'valibot'
import type { Domain } from '../../kernel/domain.ts'
import { uniorderCreateBatch } from './batch.ts'
import { jobModel } from './job.ts'
import { jobEventShapes } from './job-events.ts'
import { uniorderCreateBatchAsync, uniorderJob, uniorderRateBatchAsync } from './job-operations.ts'
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
  operations: [
    ...[uniorderCreate, uniorderCreateBatch, uniorderGet, uniorderLabel, uniorderTracking],
    ...[uniorderCancel, uniorderPurchaseLabel],
    ...[uniorderCreateBatchAsync, uniorderRateBatchAsync, uniorderJob(ratesEntries)],
  ],
})
