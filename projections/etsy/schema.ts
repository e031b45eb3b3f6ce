import * as v from 'valibot'

/** The earliest instant that Open API v3 accepts, in epoch seconds: 1 January 2000. */
export const earliest = 946_684_800

const epochSeconds = v.pipe(v.number(), v.safeInteger(), v.minValue(earliest))

const shipment = v.strictObject({
  receipt_shipping_id: v.null(),
  shipment_notification_timestamp: v.exactOptional(epochSeconds),
  carrier_name: v.string(),
  tracking_code: v.exactOptional(v.string()),
})

/** A `ShopReceiptShipment`. */
export type ReceiptShipment = v.InferOutput<typeof shipment>

/** A `ShopReceipt` of Open API v3, as far as a parcel knows it. */
export const documentSchema = v.strictObject({
  receipt_id: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
  status: v.picklist(['paid', 'completed', 'canceled']),
  is_shipped: v.boolean(),
  updated_timestamp: v.exactOptional(epochSeconds),
  shipments: v.pipe(v.array(shipment), v.maxLength(1)),
})

/** A document of this format. */
export type ReceiptDocument = v.InferOutput<typeof documentSchema>
