import * as v from 'valibot'
import { accountOf } from '../../kernel/call.ts'
import { channels } from '../../kernel/channel.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import { pageAnswerEntries, pageEntries, pageOf } from '../../kernel/paging.ts'
import { instant, id as number } from '../../kernel/schemas.ts'
import { instantOf } from '../../kernel/time.ts'
import { type DeliveryDetail, type DeliveryQuery, type DeliveryRecord, deliveryStates } from '../../kernel/webhooks.ts'
import { levelOf, readers, tag, writers } from './access.ts'
import { deliveryDetail, deliveryOf, deliveryRecord, detailOf } from './delivery-record.ts'

const path = '/api/v1/webhook-deliveries'

const filterEntries = {
  event: v.exactOptional(v.pipe(v.string(), v.maxLength(100), v.description('Its name, as order.assigned.'))),
  channel: v.exactOptional(v.picklist(channels)),
  endpoint_id: v.exactOptional(v.pipe(v.string(), v.maxLength(64))),
  customer_id: v.exactOptional(
    v.pipe(number, v.description('Only to webhooks of this customer; a customer sees those to its own alone.')),
  ),
}

const name = {
  delivery_id: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/), v.description('Id of the delivery.')),
}

const subject = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9/_-]{1,100}$/),
  v.description('What it is about, as order/42 or driver/7.'),
)

/** Lists deliveries, newest first. */
export const listWebhookDeliveries = operation({
  name: 'list_webhook_deliveries',
  summary: 'What was sent to webhooks and what has become of it, newest first; kept for 90 days.',
  ...readers,
  risk: 'low',
  tag,
  rest: { method: 'GET', path },
  mcp: { title: 'Webhook deliveries', server: 'developer' },
  input: v.strictObject({
    ...filterEntries,
    state: v.exactOptional(v.pipe(v.array(v.picklist(deliveryStates)), v.minLength(1), v.maxLength(6))),
    subject: v.exactOptional(subject),
    order_id: v.exactOptional(v.pipe(number, v.description('The same as the subject order/<id>, and instead of it.'))),
    since: v.exactOptional(v.pipe(instant, v.description('Made at this instant or later.'))),
    until: v.exactOptional(v.pipe(instant, v.description('Made before this instant.'))),
    ...pageEntries,
  }),
  output: v.strictObject({ result: v.literal(true), ...pageAnswerEntries, deliveries: v.array(deliveryRecord) }),
  errors: ['customer_not_found'],
  handle: async (context, { page, per_page, order_id, ...filter }) => {
    const { range, paging } = pageOf({ ...(page && { page }), ...(per_page && { per_page }) })
    const wanted = order_id === undefined ? filter : { ...filter, subject: `order/${order_id}` }
    const { deliveries, total } = await context.webhooks.page(await queryOf(context, wanted), range)
    return { result: true, total, ...paging, deliveries: deliveries.map(deliveryOf) }
  },
})

/** What narrows a query, as the input has it. */
interface DeliveryFilterInput {
  readonly event?: string
  readonly channel?: string
  readonly endpoint_id?: string
  readonly customer_id?: number
  readonly state?: DeliveryQuery['state']
  readonly subject?: string
  readonly since?: string
  readonly until?: string
}

/** The query within what the caller may see. */
async function queryOf(context: Context, input: DeliveryFilterInput): Promise<DeliveryQuery> {
  const { event, channel, endpoint_id, state, subject: about, since, until } = input
  const { businessId, customerId } = await levelOf(context, input.customer_id)
  return {
    businessId,
    ...(customerId === undefined ? {} : { customerId }),
    ...(event === undefined ? {} : { event }),
    ...(channel === undefined ? {} : { channel }),
    ...(endpoint_id === undefined ? {} : { endpointId: endpoint_id }),
    ...(state === undefined ? {} : { state }),
    ...(about === undefined ? {} : { subject: about }),
    ...(since === undefined ? {} : { since: instantOf(since) }),
    ...(until === undefined ? {} : { until: instantOf(until) }),
  }
}

/** A delivery that the caller may see: staff those of their business, a customer those to its own webhooks. */
async function visibleDelivery(context: Context, delivery: string): Promise<DeliveryDetail> {
  const { id, role, business } = accountOf(context)
  const found = await context.webhooks.find(business.id, delivery)
  if (found === undefined || (role === 'customer' && found.customerId !== id)) throw notFound(delivery)
  return found
}

function notFound(delivery: string): EngineError {
  return new EngineError('delivery_not_found', { delivery })
}

/** One delivery. */
export const getWebhookDelivery = operation({
  name: 'get_webhook_delivery',
  summary: 'One delivery with its body, and its attempts with what was sent and answered. Signatures are cut short.',
  ...readers,
  risk: 'low',
  tag,
  rest: { method: 'GET', path: `${path}/{delivery_id}` },
  mcp: { title: 'One webhook delivery', server: 'developer' },
  input: v.strictObject(name),
  output: v.strictObject({ result: v.literal(true), delivery: deliveryDetail }),
  errors: ['delivery_not_found'],
  handle: async (context, { delivery_id }) => ({
    result: true,
    delivery: detailOf(await visibleDelivery(context, delivery_id)),
  }),
})

/** Why nothing is sent again. */
const resendRefusals = ['delivery_erased', 'endpoint_gone', 'too_many_sends'] as const

const resentOutput = v.strictObject({ result: v.literal(true), delivery: deliveryRecord })

/** What became of sending a visible delivery again. */
async function resend(context: Context, id: string, send: 'redeliver' | 'retry') {
  const { businessId } = await visibleDelivery(context, id)
  const delivery: DeliveryRecord | undefined = await context.webhooks[send](businessId, id)
  if (delivery === undefined) throw notFound(id)
  return { result: true, delivery: deliveryOf(delivery) }
}

/** Sends a delivery again as a new one. */
export const redeliverWebhook = operation({
  name: 'redeliver_webhook',
  summary: 'Send a delivery that has come to its end again, as a new one that is linked to it.',
  ...writers,
  risk: 'medium',
  tag,
  rest: { method: 'POST', path: `${path}/{delivery_id}/redeliver` },
  input: v.strictObject(name),
  output: resentOutput,
  errors: ['delivery_not_found', 'delivery_under_way', ...resendRefusals],
  handle: (context, { delivery_id }) => resend(context, delivery_id, 'redeliver'),
})

/** Attempts a delivery that waits at once, or gives a dead one all its attempts again. */
export const retryWebhookDelivery = operation({
  name: 'retry_webhook_delivery',
  summary: 'Attempt a delivery that waits at once, or give a dead one all its attempts again, under its own ids.',
  ...writers,
  risk: 'medium',
  tag,
  rest: { method: 'POST', path: `${path}/{delivery_id}/retry` },
  input: v.strictObject(name),
  output: resentOutput,
  errors: ['delivery_not_found', 'delivery_not_retryable', ...resendRefusals],
  handle: (context, { delivery_id }) => resend(context, delivery_id, 'retry'),
})

const replayable = ['failed', 'dead', 'skipped'] as const

/** Sends again what was not delivered. */
export const replayWebhookDeliveries = operation({
  name: 'replay_webhook_deliveries',
  summary: 'Send again what was not delivered in a time, oldest first and a few a second. Ask again for what is left.',
  ...writers,
  risk: 'medium',
  tag,
  rest: { method: 'POST', path: `${path}/replay` },
  input: v.strictObject({
    ...filterEntries,
    states: v.pipe(v.array(v.picklist(replayable)), v.minLength(1), v.maxLength(replayable.length)),
    since: v.pipe(instant, v.description('Made at this instant or later.')),
    until: v.pipe(instant, v.description('Made before this instant.')),
    limit: v.exactOptional(
      v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(1_000), v.description('1000 where absent.')),
    ),
  }),
  output: v.strictObject({
    result: v.literal(true),
    replayed: v.pipe(v.number(), v.description('How many are sent again.')),
    left: v.pipe(v.number(), v.description('How many more there are.')),
  }),
  errors: ['customer_not_found'],
  handle: async (context, { limit = 1_000, states, ...filter }) => {
    const query = await queryOf(context, { ...filter, state: states })
    return { result: true, ...(await context.webhooks.replay(query, limit)) }
  },
})
