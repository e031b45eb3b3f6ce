import * as v from 'valibot'
import type { Target, Timeline } from '../../engine/index.ts'
import { orderIn, type Shipped, shippedOf } from '../shared/fold.ts'
import { given, isSent, itemsGiven, requestsSchema } from '../shared/shop-input.ts'
import { rows, type Status } from './codes.ts'
import { shipmentOf } from './project.ts'
import { shipmentSchema } from './schema.ts'

const id = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const known = ['tracking_number', 'tracking_carrier', 'tracking_link', 'shipping_provider'] as const

const shipment = v.strictObject({
  order_address_id: id,
  items: v.pipe(v.array(v.strictObject({ order_product_id: id, quantity: id })), v.minLength(1)),
  ...v.pick(shipmentSchema, known).entries,
})

const status = v.strictObject({ status_id: v.picklist([rows.shipped.id, rows.delivered.id]) })

/** What is sent to a shop: the shipment and the status of an order (Orders v2). */
export const inputSchema = requestsSchema(v.union([shipment, status]))

type Request = v.InferOutput<typeof inputSchema>[number]

/**
 * The requests that tell a shop of a parcel: none before the carrier has it, and none of a cancellation. A shipment needs the
 * address and the items of the order; only the shop and the caller know them.
 */
export function* requests(timeline: Timeline, target: Target): Generator<Request> {
  const order = orderIn<Status>(rows, timeline, target)
  const shipped = shippedOf(order)
  if (!isSent(order) || shipped === undefined) return
  const path = `/v2/orders/${given(target, 'order', 'order_id')}`
  const body = shipmentBody(shipped)
  if (body !== undefined) yield { method: 'POST', path: `${path}/shipments`, body }
  // A shop sets Shipped itself once all items are in shipments.
  if (body === undefined || order.stage === 'delivered')
    yield {
      method: 'PUT',
      path,
      body: { status_id: order.stage === 'delivered' ? rows.delivered.id : rows.shipped.id },
    }
}

function shipmentBody(shipped: Shipped<Status>): v.InferOutput<typeof shipment> | undefined {
  const { target } = shipped
  const items = itemsGiven(target)
  if (target.options.address === undefined || items.length === 0) return undefined
  const { tracking_number, tracking_carrier, tracking_link, shipping_provider } = shipmentOf(shipped)
  return {
    order_address_id: Number(target.options.address),
    items: items.map((item) => ({ order_product_id: Number(item.id), quantity: item.quantity })),
    ...(tracking_number !== undefined && { tracking_number }),
    tracking_carrier,
    ...(tracking_link !== undefined && { tracking_link }),
    shipping_provider,
  }
}
