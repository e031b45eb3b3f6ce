import { type Numbered, numberedOf, type Order, ordersOf, type Shipped, shippedOf } from '../shared/fold.ts'
import { bareUtcOf } from '../shared/shop-time.ts'
import { documents, label, number, object, plain, some, text, within } from '../shared/template/index.ts'
import { carrierCodes, type Row, rows } from './codes.ts'
import type { OrderDocument, Shipment, Track } from './schema.ts'

const orderId = number(({ timeline }: Order<Row>) => timeline.subject.order_id)
const createdAt = plain(({ shippedAt }: Shipped<Row>) => dateTimeOf(shippedAt))

const track = object<Numbered<Row>, Track>({
  order_id: orderId,
  created_at: createdAt,
  track_number: text(({ number }) => number),
  title: label(({ carrier = 'other' }) => carrier),
  carrier_code: plain(({ carrier }) => carrierCodeOf(carrier)),
})

const shipment = object<Shipped<Row>, Shipment>({
  order_id: orderId,
  created_at: createdAt,
  tracks: some(within(numberedOf, track)),
})

/** A timeline as an order and the one shipment that its parcel is (REST V1). */
export const { project, write, pieces } = documents(
  ordersOf(rows),
  object<Order<Row>, OrderDocument>({
    order: object<Order<Row>, OrderDocument['order']>({
      entity_id: orderId,
      state: plain(({ row }) => row.state),
      status: plain(({ row }) => row.state),
      updated_at: plain(({ changedAt }) => changedAt && dateTimeOf(changedAt)),
    }),
    shipments: some(within(shippedOf, shipment)),
  }),
)

function carrierCodeOf(name: string | undefined): Track['carrier_code'] {
  const code = name?.toLowerCase()
  return carrierCodes.find((known) => known === code) ?? 'custom'
}

/** `2026-06-19 08:00:00`, in UTC as orders are stored. */
function dateTimeOf(dateTime: string): string {
  return bareUtcOf(dateTime).replace('T', ' ')
}
