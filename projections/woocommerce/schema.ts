import * as v from 'valibot'

const bareDateTime = v.pipe(v.string(), v.regex(/T\d{2}:\d{2}:\d{2}$/))

const order = v.strictObject({
  id: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
  status: v.picklist(['processing', 'completed', 'cancelled']),
  date_modified_gmt: v.nullable(bareDateTime),
  date_completed_gmt: v.nullable(bareDateTime),
})

/** The schema of a tracking item. */
export const trackingSchema = v.strictObject({
  tracking_id: v.pipe(v.string(), v.regex(/^[\da-f]{32}$/)),
  tracking_provider: v.string(),
  tracking_link: v.string(),
  tracking_number: v.string(),
  date_shipped: v.pipe(v.string(), v.regex(/^\d{4}-\d{2}-\d{2}$/)),
})

/** A tracking item of the Shipment Tracking extension (REST v3). */
export type ShipmentTracking = v.InferOutput<typeof trackingSchema>

/** An order (`GET /wc/v3/orders/{id}`) and its tracking items (`GET /wc-shipment-tracking/v3/.../shipment-trackings`). */
export const documentSchema = v.strictObject({
  order,
  shipment_trackings: v.pipe(v.array(trackingSchema), v.maxLength(1)),
})

/** A document of this format. */
export type OrderDocument = v.InferOutput<typeof documentSchema>
