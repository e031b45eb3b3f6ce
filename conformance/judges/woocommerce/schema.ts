const date = {
  type: ['string', 'null'],
  pattern: '^([0-9]{4}|[+-][0-9]{6})-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}$',
}

const order = {
  type: 'object',
  additionalProperties: false,
  required: ['status'],
  properties: {
    id: { type: 'integer', minimum: 0 },
    status: {
      enum: [
        ...['pending', 'processing', 'on-hold', 'completed', 'cancelled', 'refunded', 'failed'],
        ...['checkout-draft', 'trash', 'ready-for-pickup'],
      ],
    },
    date_created_gmt: date,
    date_modified_gmt: date,
    date_completed_gmt: date,
  },
}

/** A tracking item in the response of the extension, with every member. */
const tracking = {
  type: 'object',
  additionalProperties: false,
  required: ['tracking_id', 'tracking_provider', 'tracking_link', 'tracking_number', 'date_shipped'],
  properties: {
    tracking_id: { type: 'string', pattern: '^[0-9a-f]{32}$' },
    tracking_provider: { type: 'string', minLength: 1 },
    tracking_link: { type: 'string', format: 'uri' },
    tracking_number: { type: 'string', minLength: 1 },
    date_shipped: { type: 'string', format: 'date' },
  },
}

/** An order and its tracking items. */
export const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['order', 'shipment_trackings'],
  properties: { order, shipment_trackings: { type: 'array', items: tracking } },
}
