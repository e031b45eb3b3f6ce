import { type Order, ordersOf, pageShown, type Shipped, shippedOf } from '../shared/fold.ts'
import { rfc2822Of } from '../shared/shop-time.ts'
import { constant, documents, label, number, object, plain, some, text, within } from '../shared/template/index.ts'
import { rows, type Status, shippingProviders } from './codes.ts'
import type { OrderDocument, Shipment } from './schema.ts'

const orderId = number(({ timeline }: Order<Status>) => timeline.subject.order_id)

const shipment = object<Shipped<Status>, Shipment>({
  order_id: orderId,
  date_created: plain(({ shippedAt }) => rfc2822Of(shippedAt)),
  tracking_number: text(({ number }) => upTo(50, number)),
  tracking_carrier: constant(''),
  tracking_link: text(({ timeline, target }) => upTo(500, pageShown(timeline, target))),
  shipping_provider: plain(({ carrier = '' }) => providerOf(carrier)),
  shipping_provider_display_name: label(({ carrier = '' }) => carrier),
})

/** A timeline as an order and the one shipment that its parcel is (Orders v2). */
export const { project, write, pieces } = documents(
  ordersOf<Status>(rows),
  object<Order<Status>, OrderDocument>({
    order: object<Order<Status>, OrderDocument['order']>({
      id: orderId,
      status_id: number(({ row }) => row.id),
      status: plain(({ row }) => row.name),
      date_modified: plain(({ changedAt }) => changedAt && rfc2822Of(changedAt)),
      date_shipped: plain(({ shippedAt }) => shippedAt && rfc2822Of(shippedAt)),
    }),
    shipments: some(within(shippedOf, shipment)),
  }),
)

/** A number or a link that was cut off would lead to another parcel or to none. */
function upTo(longest: number, text: string | undefined): string | undefined {
  return text === undefined || text.length > longest ? undefined : text
}

function providerOf(carrier: string): Shipment['shipping_provider'] {
  const plain = carrier.toLowerCase().replace(/[^a-z\d]/g, '')
  return shippingProviders.find((known) => known === plain) ?? ''
}
