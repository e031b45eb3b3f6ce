import * as v from 'valibot'
import type { Target, Timeline } from '../../engine/index.ts'
import { numberedOf, orderIn } from '../shared/fold.ts'
import { given, isSent, itemsGiven, requestsSchema } from '../shared/shop-input.ts'
import { rows } from './codes.ts'
import { trackingOf } from './project.ts'
import { lineTrackingSchema } from './schema.ts'

const line = v.strictObject({
  lineNumber: v.string(),
  orderLineStatuses: v.strictObject({
    orderLineStatus: v.tuple([
      v.strictObject({
        status: v.literal('Shipped'),
        statusQuantity: v.strictObject({ unitOfMeasurement: v.literal('EACH'), amount: v.string() }),
        trackingInfo: lineTrackingSchema,
      }),
    ]),
  }),
})

const body = v.strictObject({
  orderShipment: v.strictObject({
    orderLines: v.strictObject({ orderLine: v.pipe(v.array(line), v.minLength(1)) }),
  }),
})

/** What is sent to a shop: the shipping of the lines of an order (Marketplace Orders v3, ship order lines). */
export const inputSchema = requestsSchema(body)

type Request = v.InferOutput<typeof inputSchema>[number]

const onlyLine = { id: '1', quantity: 1 }

/** The request that tells a shop of a parcel: none before the carrier has it, or without a number. It has the first line where none is named. */
export function* requests(timeline: Timeline, target: Target): Generator<Request> {
  const order = orderIn(rows, timeline, target)
  const numbered = numberedOf(order)
  if (!isSent(order) || numbered === undefined) return
  const [first = onlyLine, ...others] = itemsGiven(target)
  const trackingInfo = trackingOf(numbered)
  yield {
    method: 'POST',
    path: `/v3/orders/${given(target, 'order', 'purchase_order_id')}/shipping`,
    body: {
      orderShipment: {
        orderLines: {
          orderLine: [first, ...others].map(({ id, quantity }) => ({
            lineNumber: id,
            orderLineStatuses: {
              orderLineStatus: [
                {
                  status: 'Shipped',
                  statusQuantity: { unitOfMeasurement: 'EACH', amount: String(quantity) },
                  trackingInfo,
                },
              ],
            },
          })),
        },
      },
    },
  }
}
