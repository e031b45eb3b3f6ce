import * as v from 'valibot'
import { sha256, type Target, type Timeline } from '../../engine/index.ts'
import { numberedOf, orderIn } from '../shared/fold.ts'
import { given, isSent, itemsGiven, requestsSchema } from '../shared/shop-input.ts'
import { schema } from './schema.ts'

const text = v.pipe(v.string(), v.minLength(1))

const body = v.strictObject({
  marketplaceId: text,
  packageDetail: v.strictObject({
    packageReferenceId: v.pipe(v.string(), v.regex(/^[1-9]\d*$/)),
    carrierCode: text,
    carrierName: v.exactOptional(text),
    trackingNumber: text,
    shipDate: schema.entries.payload.entries.promisedDeliveryDate,
    orderItems: v.pipe(
      v.array(v.strictObject({ orderItemId: text, quantity: v.pipe(v.number(), v.safeInteger(), v.minValue(1)) })),
      v.minLength(1),
    ),
  }),
})

/** What is sent to a shop: the confirmation of a shipment (Selling Partner API, Orders v0, confirmShipment). */
export const inputSchema = requestsSchema(body)

type Request = v.InferOutput<typeof inputSchema>[number]

const stages = { announced: 0, awaiting_carrier: 0, shipped: 0, delivered: 0, cancelled: 0 }

/** `carrierCode`: carriers that Amazon names. Any other is `Other`, with its name. */
const carrierCodes = ['UPS', 'USPS', 'FedEx', 'DHL', 'DPD', 'GLS', 'OnTrac', 'Purolator', 'Canada Post'] as const

/**
 * The request that tells a shop of a parcel: none before the carrier has it, without a number, or without the items of the
 * order, which only the shop and the caller know. A package keeps its reference, so that a repeated request changes nothing.
 */
export function* requests(timeline: Timeline, target: Target): Generator<Request> {
  const order = orderIn(stages, timeline, target)
  const numbered = numberedOf(order)
  const items = itemsGiven(target)
  if (!isSent(order) || numbered === undefined || items.length === 0) return
  const { carrier = 'Other', number, shippedAt } = numbered
  const code = carrierCodes.find((known) => known.toLowerCase() === carrier.toLowerCase())
  yield {
    method: 'POST',
    path: `/orders/v0/orders/${given(target, 'order', 'order_id')}/shipmentConfirmation`,
    body: {
      marketplaceId: given(target, 'marketplace', 'marketplace_id'),
      packageDetail: {
        packageReferenceId: referenceOf(target.timeline ?? number),
        carrierCode: code ?? 'Other',
        ...(code === undefined && { carrierName: carrier }),
        trackingNumber: number,
        shipDate: shippedAt,
        orderItems: items.map(({ id, quantity }) => ({ orderItemId: id, quantity })),
      },
    },
  }
}

/** A positive number of at most nine digits that is the same for the same parcel. */
function referenceOf(name: string): string {
  return String((Number.parseInt(sha256(name).slice(0, 12), 16) % 999_999_999) + 1)
}
