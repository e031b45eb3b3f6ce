import * as v from 'valibot'
import { rows, shippingProviders } from './codes.ts'

const id = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const rfc2822 = v.pipe(v.string(), v.regex(/ \+0000$/))
const statuses = Object.values(rows)

const order = v.strictObject({
  id: v.exactOptional(id),
  status_id: v.picklist(statuses.map((row) => row.id)),
  status: v.picklist(statuses.map((row) => row.name)),
  date_modified: v.exactOptional(rfc2822),
  date_shipped: v.exactOptional(rfc2822),
})

/** The schema of a shipment, as far as a parcel knows it. */
export const shipmentSchema = v.strictObject({
  order_id: v.exactOptional(id),
  date_created: rfc2822,
  tracking_number: v.exactOptional(v.pipe(v.string(), v.maxLength(50))),
  tracking_carrier: v.literal(''),
  tracking_link: v.exactOptional(v.pipe(v.string(), v.maxLength(500))),
  shipping_provider: v.picklist([...shippingProviders, '']),
  shipping_provider_display_name: v.string(),
})

/** A shipment, as far as a parcel knows it. */
export type Shipment = v.InferOutput<typeof shipmentSchema>

/** An order (`GET /v2/orders/{id}`) and its shipments (`GET /v2/orders/{id}/shipments`): Orders v2. */
export const documentSchema = v.strictObject({
  order,
  shipments: v.pipe(v.array(shipmentSchema), v.maxLength(1)),
})

/** A document of this format. */
export type OrderDocument = v.InferOutput<typeof documentSchema>
