import { localTime, sha256 } from '../../engine/index.ts'
import { type Numbered, numberedOf, orderDocuments, pageShown } from '../shared/fold.ts'
import { bareUtcOf } from '../shared/shop-time.ts'
import { type Row, rows } from './codes.ts'
import type { OrderDocument, ShipmentTracking } from './schema.ts'

/** A timeline as an order (REST v3) and the one tracking item of its parcel (Shipment Tracking v3). */
export const { project, write, pieces } = orderDocuments<Row, OrderDocument>(rows, (order) => {
  const { row, id, changedAt, shippedAt } = order
  const numbered = numberedOf(order)
  return {
    order: {
      ...(id !== undefined && { id }),
      status: row.status,
      date_modified_gmt: changedAt === undefined ? null : bareUtcOf(changedAt),
      date_completed_gmt: shippedAt === undefined ? null : bareUtcOf(shippedAt),
    },
    shipment_trackings: numbered === undefined ? [] : [trackingOf(numbered)],
  }
})

function trackingOf({ carrier = 'other', number, shippedAt, timeline, target }: Numbered<Row>): ShipmentTracking {
  return {
    tracking_id: sha256(`${carrier}\0${target.timeline ?? number}`).slice(0, 32),
    tracking_provider: carrier,
    tracking_link: pageShown(timeline, target),
    tracking_number: number,
    date_shipped: localTime(shippedAt).date,
  }
}
