import * as v from 'valibot'
import { accountOf, authorize } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import { pageAnswerEntries, pageEntries, pageOf } from '../../kernel/paging.ts'
import { instant, id as number } from '../../kernel/schemas.ts'
import { isoOf } from '../../kernel/time.ts'
import { type DeliveryDetail, type DeliveryPage, type DeliveryRecord, deliveryStates } from '../../kernel/webhooks.ts'
import { levelEntry, levelIds, readers, tag, writers } from './access.ts'
import { deliveryDetail, deliveryOf, deliveryRecord, detailOf } from './delivery-record.ts'
import { filterEntries, queryOf } from './log-filter.ts'
import { refuse } from './refuse.ts'

const path = '/api/v1/webhook-deliveries'

const name = {
  delivery_id: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/), v.description('Id of the delivery.')),
}

const subject = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9/_-]{1,100}$/),
  v.description('What the event is about, for example order/42 or driver/7.'),
)

/** Lists deliveries, newest first. */
export const listWebhookDeliveries = operation({
  name: 'list_webhook_deliveries',
  summary: 'Webhook deliveries and their states, newest first. They are kept for 90 days.',
  ...readers,
  risk: 'low',
  tag,
  rest: { method: 'GET', path },
  mcp: { title: 'Webhook deliveries', server: 'developer' },
  ids: { ...levelIds, endpoint_id: 'filter', order_id: 'filter', event_id: 'filter' },
  input: v.strictObject({
    ...filterEntries,
    state: v.exactOptional(v.pipe(v.array(v.picklist(deliveryStates)), v.minLength(1), v.maxLength(6))),
    subject: v.exactOptional(subject),
    order_id: v.exactOptional(v.pipe(number, v.description('Short for the subject order/<id>; replaces subject.'))),
    since: v.exactOptional(v.pipe(instant, v.description('Created at this instant or later.'))),
    until: v.exactOptional(v.pipe(instant, v.description('Created before this instant.'))),
    text: v.exactOptional(
      v.pipe(
        v.string(),
        v.minLength(1),
        v.maxLength(200),
        v.description(
          'Text in the body as it was sent, whatever its case. An answer has looked at a part of the log, as searched says; follow next_cursor, even if it has no delivery, and not page.',
        ),
      ),
    ),
    ...pageEntries,
    cursor: v.exactOptional(
      v.pipe(
        v.string(),
        v.regex(/^\d{1,16}-\d{1,16}$/),
        v.description(
          'The next_cursor of the page before. Faster than page where there is much, and nothing comes twice.',
        ),
      ),
    ),
  }),
  output: v.strictObject({
    result: v.literal(true),
    ...pageAnswerEntries,
    total: v.exactOptional(v.pipe(v.number(), v.description('Absent with a cursor or a text.'))),
    next_cursor: v.pipe(v.nullable(v.string()), v.description('Cursor of the page after this one, if there is one.')),
    searched: v.exactOptional(
      v.pipe(
        v.strictObject({
          deliveries: v.pipe(v.number(), v.description('Deliveries that this answer has looked at.')),
          back_to: v.pipe(v.nullable(v.string()), v.description('When the last of them was created.')),
        }),
        v.description('Present with a text.'),
      ),
    ),
    deliveries: v.array(deliveryRecord),
  }),
  errors: ['customer_not_found'],
  // A search tells what is in bodies, so it is for those who may read them.
  requireFields: (context, { text }) => {
    if (text !== undefined) authorize(context, getWebhookDelivery)
  },
  handle: async (context, { page, per_page, cursor, order_id, text, ...filter }) => {
    if (text !== undefined && page !== undefined && page > 1) refuse([{ path: 'page', code: 'webhook_search_page' }])
    const { range, paging } = pageOf({ ...(page && { page }), ...(per_page && { per_page }) })
    const query = order_id === undefined ? filter : { ...filter, subject: `order/${order_id}` }
    const asked = cursor === undefined ? range : { limit: range.limit, offset: 0, cursor }
    const narrowed = { ...(await queryOf(context, query)), ...(text === undefined ? {} : { text }) }
    const { deliveries, total, next = null, searched } = await context.webhooks.page(narrowed, asked)
    return {
      result: true,
      ...(total === undefined ? {} : { total }),
      ...paging,
      next_cursor: next,
      ...(searched === undefined ? {} : { searched: searchedOf(searched) }),
      deliveries: deliveries.map(deliveryOf),
    }
  },
})

function searchedOf({ deliveries, backTo }: NonNullable<DeliveryPage['searched']>) {
  return { deliveries, back_to: backTo === undefined ? null : isoOf(backTo) }
}

/** A delivery that the caller may see: for staff those of their business, for customers those to their own webhooks. */
async function visibleDelivery(context: Context, delivery: string): Promise<DeliveryDetail> {
  const { id, role, business } = accountOf(context)
  const found = await context.webhooks.find(business.id, delivery)
  if (found === undefined || (role === 'customer' && found.customerId !== id)) throw notFound(delivery)
  return found
}

const deliveryIds = {
  delivery_id: { noun: 'delivery', require: (context: Context, id: unknown) => visibleDelivery(context, String(id)) },
}

function notFound(delivery: string): EngineError {
  return new EngineError('delivery_not_found', { delivery })
}

/** Returns one delivery. */
export const getWebhookDelivery = operation({
  name: 'get_webhook_delivery',
  summary: 'One delivery with its body and its attempts, including requests and responses. Signatures are shortened.',
  ...readers,
  risk: 'low',
  tag,
  rest: { method: 'GET', path: `${path}/{delivery_id}` },
  mcp: { title: 'One webhook delivery', server: 'developer' },
  ids: deliveryIds,
  input: v.strictObject(name),
  output: v.strictObject({ result: v.literal(true), delivery: deliveryDetail }),
  errors: ['delivery_not_found'],
  handle: async (context, { delivery_id }) => ({
    result: true,
    delivery: detailOf(await visibleDelivery(context, delivery_id)),
  }),
})

/** Errors of sending again. */
const resendRefusals = ['delivery_erased', 'endpoint_gone', 'too_many_sends'] as const

const resentOutput = v.strictObject({ result: v.literal(true), delivery: deliveryRecord })

/** Sends a visible delivery again and returns the answer. */
async function resend(context: Context, id: string, send: 'redeliver' | 'retry') {
  const { businessId } = await visibleDelivery(context, id)
  const delivery: DeliveryRecord | undefined = await context.webhooks[send](businessId, id)
  if (delivery === undefined) throw notFound(id)
  return { result: true, delivery: deliveryOf(delivery) }
}

/** Sends a delivery again as a new one. */
export const redeliverWebhook = operation({
  name: 'redeliver_webhook',
  summary: 'Send a finished delivery again, as a new delivery that is linked to it.',
  ...writers,
  risk: 'medium',
  tag,
  rest: { method: 'POST', path: `${path}/{delivery_id}/redeliver` },
  ids: deliveryIds,
  input: v.strictObject(name),
  output: resentOutput,
  errors: ['delivery_not_found', 'delivery_under_way', ...resendRefusals],
  handle: (context, { delivery_id }) => resend(context, delivery_id, 'redeliver'),
})

/** Attempts a waiting delivery at once, or restarts all attempts of a dead one. */
export const retryWebhookDelivery = operation({
  name: 'retry_webhook_delivery',
  summary: 'Attempt a waiting delivery at once, or restart all attempts of a dead one, with the same ids.',
  ...writers,
  risk: 'medium',
  tag,
  rest: { method: 'POST', path: `${path}/{delivery_id}/retry` },
  ids: deliveryIds,
  input: v.strictObject(name),
  output: resentOutput,
  errors: ['delivery_not_found', 'delivery_not_retryable', ...resendRefusals],
  handle: (context, { delivery_id }) => resend(context, delivery_id, 'retry'),
})

const replayOutput = v.strictObject({
  result: v.literal(true),
  replayed: v.pipe(v.number(), v.description('Number of deliveries that are sent again.')),
  left: v.pipe(v.number(), v.description('Number of matching deliveries that are left.')),
})

const replayable = ['failed', 'dead', 'skipped'] as const

/** Sends undelivered deliveries again. */
export const replayWebhookDeliveries = operation({
  name: 'replay_webhook_deliveries',
  summary:
    'Send the undelivered deliveries of a time range again, oldest first and a few each second. Repeat the call if some are left.',
  ...writers,
  risk: 'medium',
  tag,
  rest: { method: 'POST', path: `${path}/replay` },
  ids: { ...levelIds, endpoint_id: 'filter', event_id: 'filter' },
  input: v.strictObject({
    ...filterEntries,
    states: v.pipe(v.array(v.picklist(replayable)), v.minLength(1), v.maxLength(replayable.length)),
    since: v.pipe(instant, v.description('Created at this instant or later.')),
    until: v.pipe(instant, v.description('Created before this instant.')),
    limit: v.exactOptional(
      v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(1_000), v.description('Default: 1000.')),
    ),
  }),
  output: replayOutput,
  errors: ['customer_not_found'],
  handle: async (context, { limit = 1_000, states, ...filter }) => {
    const query = await queryOf(context, { ...filter, state: states })
    return { result: true, ...(await context.webhooks.replay(query, limit)) }
  },
})

const finished = ['delivered', 'failed', 'dead', 'skipped'] as const

/** Sends chosen deliveries again. */
export const redeliverWebhooks = operation({
  name: 'redeliver_webhooks',
  summary:
    'Send chosen finished deliveries again, oldest first and a few each second, whatever their results. Tests, and what was sent again already, are left.',
  ...writers,
  risk: 'medium',
  tag,
  rest: { method: 'POST', path: `${path}/redeliver` },
  ids: { ...levelIds, 'delivery_ids.*': 'each' },
  input: v.strictObject({
    ...levelEntry,
    delivery_ids: v.pipe(v.array(name.delivery_id), v.minLength(1), v.maxLength(200)),
  }),
  output: replayOutput,
  errors: ['customer_not_found'],
  handle: async (context, { customer_id, delivery_ids }) => {
    const query = await queryOf(context, { ...(customer_id && { customer_id }), state: finished })
    return { result: true, ...(await context.webhooks.replay({ ...query, ids: delivery_ids }, delivery_ids.length)) }
  },
})
