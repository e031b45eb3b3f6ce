import { localTime, sha256, type Target, type Timeline } from '../../engine/index.ts'
import { orderStateOf, parcelShownOf } from '../shared/fold.ts'
import { bareUtcOf } from '../shared/shop-time.ts'
import { rows } from './codes.ts'
import type { OrderDocument, ShipmentTracking } from './schema.ts'

/** A timeline as an order (REST v3) and the one tracking item of its parcel (Shipment Tracking v3). */
export function project(timeline: Timeline, target: Target): OrderDocument {
  const { stage, shippedAt, changedAt } = orderStateOf(timeline)
  const { order_id } = timeline.subject
  return {
    order: {
      ...(order_id === undefined ? {} : { id: order_id }),
      status: rows[stage].status,
      date_modified_gmt: changedAt === undefined ? null : bareUtcOf(changedAt),
      date_completed_gmt: shippedAt === undefined ? null : bareUtcOf(shippedAt),
    },
    shipment_trackings: shippedAt === undefined ? [] : trackingsOf(timeline, target, shippedAt),
  }
}

function trackingsOf(timeline: Timeline, target: Target, shippedAt: string): ShipmentTracking[] {
  const { carrier = 'other', number, page } = parcelShownOf(timeline, target)
  if (number === undefined) return []
  const tracking = {
    tracking_id: sha256(`${carrier}\0${target.timeline ?? number}`).slice(0, 32),
    tracking_provider: carrier,
    tracking_link: page,
    tracking_number: number,
    date_shipped: localTime(shippedAt).date,
  }
  return [tracking]
}
