import { orderDocuments, pageShown, type Shipped, shippedOf } from '../shared/fold.ts'
import { rfc2822Of } from '../shared/shop-time.ts'
import { rows, type Status, shippingProviders } from './codes.ts'
import type { OrderDocument, Shipment } from './schema.ts'

/** A timeline as an order and the one shipment that its parcel is (Orders v2). */
export const { project, write, pieces } = orderDocuments<Status, OrderDocument>(rows, (order) => {
  const { row, id, changedAt, shippedAt } = order
  const shipped = shippedOf(order)
  return {
    order: {
      ...(id !== undefined && { id }),
      status_id: row.id,
      status: row.name,
      ...(changedAt !== undefined && { date_modified: rfc2822Of(changedAt) }),
      ...(shippedAt !== undefined && { date_shipped: rfc2822Of(shippedAt) }),
    },
    shipments: shipped === undefined ? [] : [shipmentOf(shipped)],
  }
})

/** The shipment that a parcel is. */
export function shipmentOf({ id, shippedAt, number, carrier = '', timeline, target }: Shipped<Status>): Shipment {
  const link = pageShown(timeline, target)
  return {
    ...(id !== undefined && { order_id: id }),
    date_created: rfc2822Of(shippedAt),
    // A number or a link that is cut off would lead to another parcel or to none.
    ...(number !== undefined && number.length <= 50 && { tracking_number: number }),
    tracking_carrier: '',
    ...(link.length <= 500 && { tracking_link: link }),
    shipping_provider: providerOf(carrier),
    shipping_provider_display_name: carrier,
  }
}

function providerOf(carrier: string): Shipment['shipping_provider'] {
  const name = carrier.toLowerCase().replace(/[^a-z\d]/g, '')
  return shippingProviders.find((known) => known === name) ?? ''
}
