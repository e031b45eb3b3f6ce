/** The statuses of events on the stable Admin surface. */
export const statuses = [
  'ATTEMPTED_DELIVERY',
  'CARRIER_PICKED_UP',
  'CONFIRMED',
  'DELAYED',
  'DELIVERED',
  'FAILURE',
  'IN_TRANSIT',
  'LABEL_PRINTED',
  'LABEL_PURCHASED',
  'OUT_FOR_DELIVERY',
  'READY_FOR_PICKUP',
]

const text = { type: ['string', 'null'] }
const dateTime = { type: 'string', format: 'date-time' }
const mayBeDateTime = { type: ['string', 'null'], format: 'date-time' }

const event = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'status', 'happenedAt', 'createdAt'],
  properties: {
    id: { type: 'string', pattern: '^gid://shopify/FulfillmentEvent/[0-9]+$' },
    status: { enum: statuses },
    happenedAt: dateTime,
    createdAt: dateTime,
    estimatedDeliveryAt: mayBeDateTime,
    message: text,
    address1: text,
    city: text,
    province: text,
    country: text,
    zip: text,
    latitude: { type: ['number', 'null'], minimum: -90, maximum: 90 },
    longitude: { type: ['number', 'null'], minimum: -180, maximum: 180 },
  },
}

const fulfillment = {
  type: 'object',
  additionalProperties: false,
  required: ['events', 'trackingInfo'],
  properties: {
    trackingInfo: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        properties: { company: text, number: text, url: { type: ['string', 'null'], format: 'uri' } },
      },
    },
    estimatedDeliveryAt: mayBeDateTime,
    deliveredAt: mayBeDateTime,
    events: {
      type: 'object',
      additionalProperties: false,
      required: ['nodes'],
      properties: { nodes: { type: 'array', items: event } },
    },
  },
}

/** The answer to a query for `fulfillment` with its tracking and its events, as GraphQL writes answers. */
export const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['data'],
  properties: {
    data: { type: 'object', additionalProperties: false, required: ['fulfillment'], properties: { fulfillment } },
  },
}
