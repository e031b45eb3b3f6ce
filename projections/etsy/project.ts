import { instantOf, type Target, type Timeline } from '../../engine/index.ts'
import { orderStateOf, parcelShownOf } from '../shared/fold.ts'
import { rows } from './codes.ts'
import { earliest, type ReceiptDocument, type ReceiptShipment } from './schema.ts'

/** A timeline as the receipt that its parcel fulfils (`ShopReceipt`, Open API v3). */
export function project(timeline: Timeline, target: Target): ReceiptDocument {
  const { stage, shippedAt, changedAt } = orderStateOf(timeline)
  const { status, isShipped } = rows[stage]
  const { order_id } = timeline.subject
  const updated_timestamp = epochSecondsOf(changedAt)
  return {
    ...(order_id === undefined || order_id < 1 ? {} : { receipt_id: order_id }),
    status,
    is_shipped: isShipped,
    ...(updated_timestamp === undefined ? {} : { updated_timestamp }),
    shipments: isShipped ? [shipmentOf(timeline, target, shippedAt)] : [],
  }
}

function shipmentOf(timeline: Timeline, target: Target, shippedAt: string | undefined): ReceiptShipment {
  const { carrier, number } = parcelShownOf(timeline, target)
  const shipment_notification_timestamp = epochSecondsOf(shippedAt)
  return {
    receipt_shipping_id: null,
    ...(shipment_notification_timestamp === undefined ? {} : { shipment_notification_timestamp }),
    carrier_name: carrier ?? 'other',
    ...(number === undefined ? {} : { tracking_code: number }),
  }
}

function epochSecondsOf(dateTime: string | undefined): number | undefined {
  if (dateTime === undefined) return undefined
  const seconds = Math.floor(instantOf(dateTime) / 1000)
  return seconds < earliest ? undefined : seconds
}
