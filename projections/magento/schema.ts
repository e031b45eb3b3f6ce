import * as v from 'valibot'
import { carrierCodes } from './codes.ts'

const id = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const dateTime = v.pipe(v.string(), v.regex(/^\S+ \d{2}:\d{2}:\d{2}$/))
const state = v.picklist(['processing', 'complete', 'canceled'])

const order = v.strictObject({
  entity_id: v.exactOptional(id),
  state,
  status: state,
  updated_at: v.exactOptional(dateTime),
})

/** The schema of a track. */
export const trackSchema = v.strictObject({
  order_id: v.exactOptional(id),
  created_at: dateTime,
  track_number: v.string(),
  title: v.string(),
  carrier_code: v.picklist([...carrierCodes, 'custom']),
})

/** A track of a shipment (`ShipmentTrackInterface`). */
export type Track = v.InferOutput<typeof trackSchema>

const shipment = v.strictObject({
  order_id: v.exactOptional(id),
  created_at: dateTime,
  tracks: v.pipe(v.array(trackSchema), v.maxLength(1)),
})

/** A shipment with its track, as far as a parcel knows them. */
export type Shipment = v.InferOutput<typeof shipment>

/** An order (`GET /V1/orders/{id}`) and its shipments with their tracks (`GET /V1/shipments`). */
export const documentSchema = v.strictObject({
  order,
  shipments: v.pipe(v.array(shipment), v.maxLength(1)),
})

/** A document of this format. */
export type OrderDocument = v.InferOutput<typeof documentSchema>
