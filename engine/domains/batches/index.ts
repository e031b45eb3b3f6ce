import type { GenericSchema } from 'valibot'
import type { Domain } from '../../kernel/domain.ts'
import { bulkCreateOrdersAsync, getAsyncBatchResult } from './async.ts'
import { bulkCreateOrders } from './bulk.ts'
import { batchEventTypes } from './events.ts'
import { batchMessages } from './messages.ts'
import { batchWebhookEventSource, batchWebhookEventTypes } from './webhook-events.ts'

/** Batches: many orders in one call, created at once or later; `newOrder` is the schema of each. */
export function batchesDomain(newOrder: GenericSchema): Domain {
  return {
    name: 'batches',
    messages: [batchMessages],
    events: { batch: batchEventTypes },
    operations: [bulkCreateOrders(newOrder), bulkCreateOrdersAsync(newOrder), getAsyncBatchResult],
    erasures: ['BatchFinished'],
    webhookEventTypes: batchWebhookEventTypes,
    webhookEventSources: [batchWebhookEventSource],
  }
}
