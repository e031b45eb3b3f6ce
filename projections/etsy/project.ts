import { instantOf } from '../../engine/index.ts'
import { carrierShown, numberShown, type Order, orderDocuments } from '../shared/fold.ts'
import { type Row, rows } from './codes.ts'
import { earliest, type ReceiptDocument, type ReceiptShipment } from './schema.ts'

/** A timeline as the receipt that its parcel fulfils (`ShopReceipt`, Open API v3). */
export const { project, write, pieces } = orderDocuments<Row, ReceiptDocument>(rows, (order) => {
  const { status, isShipped } = order.row
  const updated = epochSecondsOf(order.changedAt)
  return {
    ...(order.id && { receipt_id: order.id }),
    status,
    is_shipped: isShipped,
    ...(updated !== undefined && { updated_timestamp: updated }),
    shipments: isShipped ? [shipmentOf(order)] : [],
  }
})

function shipmentOf({ shippedAt, timeline }: Order<Row>): ReceiptShipment {
  const notified = epochSecondsOf(shippedAt)
  const number = numberShown(timeline.subject)
  return {
    receipt_shipping_id: null,
    ...(notified !== undefined && { shipment_notification_timestamp: notified }),
    carrier_name: carrierShown(timeline) ?? 'other',
    ...(number !== undefined && { tracking_code: number }),
  }
}

function epochSecondsOf(dateTime: string | undefined): number | undefined {
  if (dateTime === undefined) return undefined
  const seconds = Math.floor(instantOf(dateTime) / 1000)
  return seconds < earliest ? undefined : seconds
}
