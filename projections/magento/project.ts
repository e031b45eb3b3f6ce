import { type Numbered, numberedOf, orderDocuments, type Shipped, shippedOf } from '../shared/fold.ts'
import { bareUtcOf } from '../shared/shop-time.ts'
import { carrierCodes, type Row, rows } from './codes.ts'
import type { OrderDocument, Shipment, Track } from './schema.ts'

/** A timeline as an order and the one shipment that its parcel is (REST V1). */
export const { project, write, pieces } = orderDocuments<Row, OrderDocument>(rows, (order) => {
  const { row, id, changedAt } = order
  const shipped = shippedOf(order)
  return {
    order: {
      ...(id !== undefined && { entity_id: id }),
      state: row.state,
      status: row.state,
      ...(changedAt !== undefined && { updated_at: dateTimeOf(changedAt) }),
    },
    shipments: shipped === undefined ? [] : [shipmentOf(shipped)],
  }
})

function shipmentOf(shipped: Shipped<Row>): Shipment {
  const numbered = numberedOf(shipped)
  return {
    ...(shipped.id !== undefined && { order_id: shipped.id }),
    created_at: dateTimeOf(shipped.shippedAt),
    tracks: numbered === undefined ? [] : [trackOf(numbered)],
  }
}

function trackOf({ id, shippedAt, number, carrier }: Numbered<Row>): Track {
  return {
    ...(id !== undefined && { order_id: id }),
    created_at: dateTimeOf(shippedAt),
    track_number: number,
    title: carrier ?? 'other',
    carrier_code: carrierCodeOf(carrier),
  }
}

/** The carrier code of a provider’s name. */
export function carrierCodeOf(name: string | undefined): Track['carrier_code'] {
  const code = name?.toLowerCase()
  return carrierCodes.find((known) => known === code) ?? 'custom'
}

/** `2026-06-19 08:00:00`, in UTC as orders are stored. */
function dateTimeOf(dateTime: string): string {
  return bareUtcOf(dateTime).replace('T', ' ')
}
