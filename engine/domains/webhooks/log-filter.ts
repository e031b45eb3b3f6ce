import * as v from 'valibot'
import { listedChannels } from '../../kernel/channel.ts'
import type { Context } from '../../kernel/context.ts'
import { id as number } from '../../kernel/schemas.ts'
import { instantOf } from '../../kernel/time.ts'
import { type AttemptFailure, attemptFailures, type DeliveryQuery } from '../../kernel/webhooks.ts'
import { levelOf } from './access.ts'

/** What narrows the log to some deliveries. */
export const filterEntries = {
  event: v.exactOptional(
    v.pipe(v.string(), v.maxLength(100), v.description('Name of the event, for example order.assigned.')),
  ),
  event_id: v.exactOptional(v.pipe(v.string(), v.maxLength(100), v.description('Id of the event.'))),
  url: v.exactOptional(
    v.pipe(v.string(), v.minLength(1), v.maxLength(2_048), v.description('Part of the URL, without its query string.')),
  ),
  status: v.exactOptional(
    v.pipe(
      v.number(),
      v.safeInteger(),
      v.minValue(100),
      v.maxValue(999),
      v.description('HTTP status of the last response.'),
    ),
  ),
  failure: v.exactOptional(v.pipe(v.picklist(attemptFailures), v.description('Why the last attempt failed.'))),
  channel: v.exactOptional(v.picklist(listedChannels)),
  endpoint_id: v.exactOptional(v.pipe(v.string(), v.maxLength(64))),
  customer_id: v.exactOptional(
    v.pipe(
      number,
      v.description(
        'Only deliveries to webhooks of this customer. Customers only see deliveries to their own webhooks.',
      ),
    ),
  ),
}

/** The filter in the input. */
interface DeliveryFilterInput {
  readonly event?: string
  readonly event_id?: string
  readonly url?: string
  readonly status?: number
  readonly failure?: AttemptFailure
  readonly channel?: string
  readonly endpoint_id?: string
  readonly customer_id?: number
  readonly state?: DeliveryQuery['state']
  readonly subject?: string
  readonly since?: string
  readonly until?: string
}

/** The query, restricted to what the caller may see. */
export async function queryOf(context: Context, input: DeliveryFilterInput): Promise<DeliveryQuery> {
  const { event, event_id, url, status, failure, channel, endpoint_id, state, subject: about, since, until } = input
  const { businessId, customerId } = await levelOf(context, input.customer_id)
  return {
    businessId,
    ...(customerId === undefined ? {} : { customerId }),
    ...(event === undefined ? {} : { event }),
    ...(event_id === undefined ? {} : { eventId: event_id }),
    ...(url === undefined ? {} : { url }),
    ...(status === undefined ? {} : { status }),
    ...(failure === undefined ? {} : { failure }),
    ...(channel === undefined ? {} : { channel }),
    ...(endpoint_id === undefined ? {} : { endpointId: endpoint_id }),
    ...(state === undefined ? {} : { state }),
    ...(about === undefined ? {} : { subject: about }),
    ...(since === undefined ? {} : { since: instantOf(since) }),
    ...(until === undefined ? {} : { until: instantOf(until) }),
  }
}
