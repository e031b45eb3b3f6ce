import * as v from 'valibot'
import type { Target, Timeline } from '../../engine/index.ts'
import { numberedOf, orderIn } from '../shared/fold.ts'
import { given, isSent, itemsGiven, requestsSchema } from '../shared/shop-input.ts'
import { rows } from './codes.ts'
import { carrierCodeOf } from './project.ts'
import { trackSchema } from './schema.ts'

const track = v.strictObject(v.pick(trackSchema, ['track_number', 'title', 'carrier_code']).entries)
const item = v.strictObject({ order_item_id: v.pipe(v.number(), v.safeInteger()), qty: v.number() })

const body = v.strictObject({
  items: v.exactOptional(v.pipe(v.array(item), v.minLength(1))),
  notify: v.boolean(),
  tracks: v.pipe(v.array(track), v.maxLength(1)),
})

/** What is sent to a shop: the shipment of an order with its track (REST V1, ship order). */
export const inputSchema = requestsSchema(body)

type Request = v.InferOutput<typeof inputSchema>[number]

/** The request that tells a shop of a parcel: none before the carrier has it, and none of a cancellation. */
export function* requests(timeline: Timeline, target: Target): Generator<Request> {
  const order = orderIn(rows, timeline, target)
  if (!isSent(order)) return
  const numbered = numberedOf(order)
  const items = itemsGiven(target).map(({ id, quantity }) => ({ order_item_id: Number(id), qty: quantity }))
  yield {
    method: 'POST',
    path: `/rest/V1/order/${given(target, 'order', 'order_id')}/ship`,
    body: {
      // Without items, all that is not shipped yet is shipped.
      ...(items.length > 0 && { items }),
      notify: false,
      tracks:
        numbered === undefined
          ? []
          : [
              {
                track_number: numbered.number,
                title: numbered.carrier ?? 'other',
                carrier_code: carrierCodeOf(numbered.carrier),
              },
            ],
    },
  }
}
