import * as v from 'valibot'
import { localTime, type Target, type Timeline } from '../../engine/index.ts'
import { numberedOf, orderIn, pageShown } from '../shared/fold.ts'
import { given, isSent, requestsSchema } from '../shared/shop-input.ts'
import { rows } from './codes.ts'
import { trackingSchema } from './schema.ts'

const body = v.union([
  v.strictObject({
    custom_tracking_provider: v.string(),
    custom_tracking_link: v.string(),
    ...v.pick(trackingSchema, ['tracking_number', 'date_shipped']).entries,
  }),
  v.strictObject({ status: v.literal('completed') }),
])

/** What is sent to a shop: a tracking item (Shipment Tracking v3) and the status of the order (REST v3). */
export const inputSchema = requestsSchema(body)

type Request = v.InferOutput<typeof inputSchema>[number]

/** The requests that tell a shop of a parcel: none before the carrier has it, and none of a cancellation. */
export function* requests(timeline: Timeline, target: Target): Generator<Request> {
  const order = orderIn(rows, timeline, target)
  if (!isSent(order)) return
  const id = given(target, 'order', 'order_id')
  const numbered = numberedOf(order)
  if (numbered !== undefined) {
    yield {
      method: 'POST',
      path: `/wp-json/wc-shipment-tracking/v3/orders/${id}/shipment-trackings`,
      body: {
        custom_tracking_provider: numbered.carrier ?? 'other',
        custom_tracking_link: pageShown(timeline, target),
        tracking_number: numbered.number,
        date_shipped: localTime(numbered.shippedAt).date,
      },
    }
  }
  yield { method: 'PUT', path: `/wp-json/wc/v3/orders/${id}`, body: { status: 'completed' } }
}
