import type { GenericSchema } from 'valibot'
import type { Domain } from '../../entity/domain.ts'
import { bulkCreateOrdersAsync, getAsyncBatchResult } from './async.ts'
import { bulkCreateOrders } from './bulk.ts'
import { batchEventShapes } from './events.ts'
import { importOrders, type ReadRows } from './import.ts'
import { batchMessages } from './messages.ts'
import { batchWebhookEventSource, batchWebhookEventTypes } from './webhook-events.ts'

export type { BatchEvent } from './events.ts'
export type { BatchCode } from './messages.ts'
export type { BatchPorts } from './ports.ts'
export { workOnBatch } from './work.ts'

/** Batches: many orders in one call, created at once or later; `newOrder` is the schema of each, and `rowsIn` reads them out of CSV. */
export function batchesDomain(newOrder: GenericSchema, rowsIn: ReadRows): Domain {
  return {
    name: 'batches',
    messages: [batchMessages],
    events: { batch: batchEventShapes },
    operations: [
      bulkCreateOrders(newOrder),
      bulkCreateOrdersAsync(newOrder),
      importOrders(rowsIn),
      getAsyncBatchResult,
    ],
    erasures: ['BatchFinished'],
    webhookEventTypes: batchWebhookEventTypes,
    webhookEventSources: [batchWebhookEventSource],
  }
}
