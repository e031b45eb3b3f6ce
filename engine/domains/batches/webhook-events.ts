import * as v from 'valibot'
import type { RecordedEvent } from '../../kernel/event.ts'
import { deriveId } from '../../kernel/id.ts'
import type { Messages } from '../../kernel/messages/index.ts'
import { id } from '../../kernel/schemas.ts'
import type { StreamName } from '../../kernel/stream.ts'
import type {
  WebhookEvent,
  WebhookEventFacts,
  WebhookEventSource,
  WebhookEventType,
} from '../../kernel/webhook-event.ts'
import type { BatchAccepted, BatchEvent, BatchFinished, BatchRowsDone, RowResult } from './events.ts'
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

/** The same for the callback of the batch. */
const openBatchFinished = {
  ...{ name: 'open.batch_finished', channel: 'callback', idMember: 'event_id' },
  summary: 'All orders of a batch with a callback were created or refused. Sent once, with the result of each order.',
  data: orderCreateAsync.data,
  example: orderCreateAsync.example,
} as const satisfies WebhookEventType

/** An order with a callback was refused. */
const openOrderRejected = {
  ...{ name: 'open.order_rejected', channel: 'callback', idMember: 'event_id' },
  summary: 'An order with a callback, in an asynchronous batch, was refused. Other calls are answered at once.',
  data: v.strictObject({
    batch_id: orderCreateAsync.data.entries.batch_id,
    index: rowAnswer.entries.index,
    order_ref: v.pipe(v.nullable(v.string()), v.description('The sender’s own name for the order.')),
    code: v.string(),
    message: v.pipe(v.string(), v.description('In English.')),
    errors: rowAnswer.entries.errors,
  }),
  example: {
    ...{ batch_id: 3, index: 1, order_ref: 'PO-1002', code: 'tracking_number_taken' },
    message: 'The tracking number SR1 belongs to another order.',
  },
} as const satisfies WebhookEventType

/** The types of webhook events of batches. */
export const batchWebhookEventTypes: readonly WebhookEventType[] = [
  orderCreateAsync,
  openBatchFinished,
  openOrderRejected,
]

/** Makes the webhook events of the end of a batch, and of orders that were refused. */
export const batchWebhookEventSource: WebhookEventSource = {
  category: 'batch',
  types: ['BatchRowsDone', 'BatchFinished'],
  webhookEventsOf: async ({ store, ports }, recorded) => {
    const event = recorded as RecordedEvent<BatchEvent>
    const { english } = ports.batches
    switch (event.type) {
      case 'BatchFinished': {
        const accepted = await acceptedIn(store, event)
        return accepted === undefined ? [] : finishEvents(event, accepted, english)
      }
      case 'BatchRowsDone': {
        if (!event.data.results.some(isToldOfRefusal)) return []
        const accepted = await acceptedIn(store, event)
        return accepted === undefined ? [] : rejectionEvents(event, accepted, english)
      }
      default:
        return []
    }
  },
}

type Accepted = BatchAccepted['data']

/** The first event of a batch: whose it is, and its callback. */
async function acceptedIn(
  store: WebhookEventFacts['store'],
  { stream }: Pick<RecordedEvent, 'stream'>,
): Promise<Accepted | undefined> {
  const [first] = await store.read(stream as StreamName, { limit: 1 })
  return (first as RecordedEvent<BatchAccepted> | undefined)?.data
}

function finishEvents(
  event: RecordedEvent<BatchFinished>,
  { customer_id: customerId, callback: owner }: Accepted,
  english: Messages,
): readonly WebhookEvent[] {
  const { at, batch_id, business_id: businessId, created, failed, results } = event.data
  const rows = () => results.map((row) => answerOfRow(row, english))
  const told = {
    occurredAt: at,
    subject: `batch/${batch_id}`,
    data: () => ({ batch_id, total: results.length, created, failed, results: rows() }),
  }
  const tenant: WebhookEvent = {
    ...told,
    type: orderCreateAsync.name,
    id: `EVT-${deriveId(orderCreateAsync.name, event.id)}`,
    audience: { kind: 'tenant', businessId, ...(customerId === undefined ? {} : { customerId }) },
  }
  if (owner === undefined) return [tenant]
  const id = `OPE-${deriveId(openBatchFinished.name, event.id)}`
  return [tenant, { ...told, type: openBatchFinished.name, id, audience: { kind: 'callback', businessId, owner } }]
}

type ToldRefusal = RowResult & { readonly result: false; readonly callback: string }

function isToldOfRefusal(row: RowResult): row is ToldRefusal {
  return !row.result && row.callback !== undefined
}

function rejectionEvents(
  event: RecordedEvent<BatchRowsDone>,
  { batch_id, business_id: businessId }: Accepted,
  english: Messages,
): readonly WebhookEvent[] {
  return event.data.results.filter(isToldOfRefusal).map((row) => {
    const { result: _, reference = null, ...answer } = answerOfRow(row, english)
    return {
      type: openOrderRejected.name,
      id: `OPE-${deriveId(openOrderRejected.name, event.id, String(row.index))}`,
      audience: { kind: 'callback', businessId, owner: row.callback },
      occurredAt: event.recordedAt,
      subject: `batch/${batch_id}`,
      data: () => ({ batch_id, order_ref: reference, ...answer }),
    }
  })
}
