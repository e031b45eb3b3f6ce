const id = { type: 'integer', minimum: 0 }
const date = {
  type: 'string',
  pattern:
    '^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-9]{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [0-9]{4,6} [0-9]{2}:[0-9]{2}:[0-9]{2} [+]0000$',
}

/** The fifteen order statuses, by `status_id`. */
export const statusNames = [
  'Incomplete',
  'Pending',
  'Shipped',
  'Partially Shipped',
  'Refunded',
  'Cancelled',
  'Declined',
  'Awaiting Payment',
  'Awaiting Pickup',
  'Awaiting Shipment',
  'Completed',
  'Awaiting Fulfillment',
  'Manual Verification Required',
  'Disputed',
  'Partially Refunded',
]

const order = {
  type: 'object',
  additionalProperties: false,
  required: ['status_id', 'status'],
  properties: {
    id,
    status_id: { type: 'integer', minimum: 0, maximum: 14 },
    status: { enum: statusNames },
    date_created: date,
    date_modified: date,
    date_shipped: date,
    items_shipped: { type: 'integer', minimum: 0 },
  },
}

const shipment = {
  type: 'object',
  additionalProperties: false,
  properties: {
    id,
    order_id: id,
    customer_id: id,
    order_address_id: id,
    date_created: date,
    tracking_number: { type: 'string', maxLength: 50 },
    tracking_carrier: { type: 'string', pattern: '^[a-z0-9-]*$' },
    tracking_link: { type: 'string', maxLength: 500, format: 'uri' },
    generated_tracking_link: { type: 'string' },
    shipping_provider: {
      type: 'string',
      pattern: '^(auspost|canadapost|endicia|usps|fedex|ups|upsready|upsonline|shipperhq|royalmail|carrier_[0-9]+)?$',
    },
    shipping_provider_display_name: { type: 'string' },
    shipping_method: { type: 'string' },
    merchant_shipping_cost: { type: 'string' },
    comments: { type: 'string' },
    items: { type: 'array' },
  },
}

/** An order and its shipments. */
export const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['order', 'shipments'],
  properties: { order, shipments: { type: 'array', items: shipment } },
}
