import * as v from 'valibot'
import type { RecordedEvent } from '../../kernel/event.ts'
import { deriveId } from '../../kernel/id.ts'
import { id } from '../../kernel/schemas.ts'
import type {
  WebhookEvent,
  WebhookEventFacts,
  WebhookEventSource,
  WebhookEventType,
} from '../../kernel/webhook-event.ts'
import { batchStream } from './decider.ts'
import type { BatchAccepted, BatchEvent, BatchFinished } from './events.ts'
import { answerOfRow, rowAnswer } from './rows.ts'

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** An asynchronous batch has finished. */
export const orderCreateAsync = {
  name: 'order.create_async',
  channel: 'tenant',
  field: 'order_create_async_postback_url',
  summary: 'All orders of an asynchronous batch were created or refused. Sent once, with the result of each order.',
  data: v.strictObject({
    batch_id: v.pipe(id, v.description('The asyncId of the batch.')),
    total: count,
    created: count,
    failed: count,
    results: v.pipe(
      v.array(rowAnswer),
      v.maxLength(500),
      v.description('One entry for each order, in order of place. Messages are in English.'),
    ),
  }),
  example: {
    batch_id: 3,
    total: 2,
    created: 1,
    failed: 1,
    results: [
      { index: 0, result: true, reference: 'PO-1001', order_id: 42, tracking_number: 'LD00004200000000017' },
      {
        index: 1,
        result: false,
        reference: 'PO-1002',
        code: 'tracking_number_taken',
        message: 'The tracking number SR1 belongs to another order.',
      },
    ],
  },
} as const satisfies WebhookEventType

/** Makes the webhook event of the end of a batch. */
export const batchWebhookEventSource: WebhookEventSource = {
  category: 'batch',
  types: ['BatchFinished'],
  webhookEventsOf: async (facts, recorded) => {
    const event = recorded as RecordedEvent<BatchEvent>
    return event.type === 'BatchFinished' ? [await webhookEventOf(facts, event)] : []
  },
}

async function webhookEventOf(facts: WebhookEventFacts, event: RecordedEvent<BatchFinished>): Promise<WebhookEvent> {
  const { at, batch_id, business_id: businessId, created, failed, results } = event.data
  const customerId = await customerOf(facts, event.data)
  return {
    type: orderCreateAsync.name,
    id: `EVT-${deriveId(orderCreateAsync.name, event.id)}`,
    audience: { kind: 'tenant', businessId, ...(customerId === undefined ? {} : { customerId }) },
    occurredAt: at,
    subject: `batch/${batch_id}`,
    data: () => ({
      batch_id,
      total: results.length,
      created,
      failed,
      results: results.map((row) => answerOfRow(row, facts.ports.batches.english)),
    }),
  }
}

/** The customer who sent the batch, if it was one; the first event says so. */
async function customerOf(
  { store }: WebhookEventFacts,
  { batch_id }: BatchFinished['data'],
): Promise<number | undefined> {
  const [first] = (await store.read(batchStream(batch_id), { limit: 1 })) as readonly RecordedEvent<BatchAccepted>[]
  return first?.data.customer_id
}
