import type { Target, Timeline } from '../../engine/index.ts'
import { orderStateOf, parcelShownOf } from '../shared/fold.ts'
import { bareUtcOf } from '../shared/shop-time.ts'
import { carrierCodes, rows } from './codes.ts'
import type { OrderDocument, Shipment, Track } from './schema.ts'

/** A timeline as an order and the one shipment that its parcel is (REST V1). */
export function project(timeline: Timeline, target: Target): OrderDocument {
  const { stage, shippedAt, changedAt } = orderStateOf(timeline)
  const { state } = rows[stage]
  const { order_id } = timeline.subject
  return {
    order: {
      ...(order_id === undefined ? {} : { entity_id: order_id }),
      state,
      status: state,
      ...(changedAt === undefined ? {} : { updated_at: dateTimeOf(changedAt) }),
    },
    shipments: shippedAt === undefined ? [] : [shipmentOf(timeline, target, dateTimeOf(shippedAt))],
  }
}

function shipmentOf(timeline: Timeline, target: Target, created_at: string): Shipment {
  const { carrier, number } = parcelShownOf(timeline, target)
  const { order_id } = timeline.subject
  const known = { ...(order_id === undefined ? {} : { order_id }), created_at }
  return { ...known, tracks: number === undefined ? [] : [{ ...known, track_number: number, ...carrierOf(carrier) }] }
}

function carrierOf(name: string | undefined): Pick<Track, 'title' | 'carrier_code'> {
  const carrier_code = carrierCodes.find((code) => code === name?.toLowerCase()) ?? 'custom'
  return { title: name ?? 'other', carrier_code }
}

/** `2026-06-19 08:00:00`, in UTC as orders are stored. */
function dateTimeOf(dateTime: string): string {
  return bareUtcOf(dateTime).replace('T', ' ')
}
