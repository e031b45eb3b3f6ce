import type { Target, Timeline } from '../../engine/index.ts'
import { orderStateOf, parcelShownOf } from '../shared/fold.ts'
import { rfc2822Of } from '../shared/shop-time.ts'
import { rows, shippingProviders } from './codes.ts'
import type { OrderDocument, Shipment } from './schema.ts'

const longestNumber = 50
const longestLink = 500

/** A timeline as an order and the one shipment that its parcel is (Orders v2). */
export function project(timeline: Timeline, target: Target): OrderDocument {
  const { stage, shippedAt, changedAt } = orderStateOf(timeline)
  const { id, name } = rows[stage]
  const { order_id } = timeline.subject
  return {
    order: {
      ...(order_id === undefined ? {} : { id: order_id }),
      status_id: id,
      status: name,
      ...(changedAt === undefined ? {} : { date_modified: rfc2822Of(changedAt) }),
      ...(shippedAt === undefined ? {} : { date_shipped: rfc2822Of(shippedAt) }),
    },
    shipments: shippedAt === undefined ? [] : [shipmentOf(timeline, target, shippedAt)],
  }
}

function shipmentOf(timeline: Timeline, target: Target, shippedAt: string): Shipment {
  const { carrier = '', number, page } = parcelShownOf(timeline, target)
  const { order_id } = timeline.subject
  return {
    ...(order_id === undefined ? {} : { order_id }),
    date_created: rfc2822Of(shippedAt),
    // A number or a link that was cut off would lead to another parcel or to none.
    ...(number === undefined || number.length > longestNumber ? {} : { tracking_number: number }),
    tracking_carrier: '',
    ...(page.length > longestLink ? {} : { tracking_link: page }),
    shipping_provider: providerOf(carrier),
    shipping_provider_display_name: carrier,
  }
}

function providerOf(carrier: string): Shipment['shipping_provider'] {
  const plain = carrier.toLowerCase().replace(/[^a-z\d]/g, '')
  return shippingProviders.find((known) => known === plain) ?? ''
}
