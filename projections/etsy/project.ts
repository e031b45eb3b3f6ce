import { instantOf } from '../../engine/index.ts'
import { carrierShown, numberShown, type Order, ordersOf } from '../shared/fold.ts'
import {
  constant,
  documents,
  flag,
  label,
  number,
  object,
  plain,
  some,
  text,
  within,
} from '../shared/template/index.ts'
import { type Row, rows } from './codes.ts'
import { earliest, type ReceiptDocument, type ReceiptShipment } from './schema.ts'

const shipment = object<Order<Row>, ReceiptShipment>({
  receipt_shipping_id: constant(null),
  shipment_notification_timestamp: number(({ shippedAt }) => epochSecondsOf(shippedAt)),
  carrier_name: label(({ timeline }) => carrierShown(timeline) ?? 'other'),
  tracking_code: text(({ timeline }) => numberShown(timeline.subject)),
})

/** A timeline as the receipt that its parcel fulfils (`ShopReceipt`, Open API v3). */
export const { project, write, pieces } = documents(
  ordersOf(rows),
  object<Order<Row>, ReceiptDocument>({
    receipt_id: number(({ timeline }) => timeline.subject.order_id || undefined),
    status: plain(({ row }) => row.status),
    is_shipped: flag(({ row }) => row.isShipped),
    updated_timestamp: number(({ changedAt }) => epochSecondsOf(changedAt)),
    shipments: some(within((order) => (order.row.isShipped ? order : undefined), shipment)),
  }),
)

function epochSecondsOf(dateTime: string | undefined): number | undefined {
  if (dateTime === undefined) return undefined
  const seconds = Math.floor(instantOf(dateTime) / 1000)
  return seconds < earliest ? undefined : seconds
}
