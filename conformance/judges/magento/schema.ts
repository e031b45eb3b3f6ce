const id = { type: 'integer', minimum: 0 }
const date = { type: 'string', pattern: '^([0-9]{4}|[+-][0-9]{6})-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$' }
const states = ['new', 'pending_payment', 'processing', 'complete', 'closed', 'canceled', 'holded', 'payment_review']

const order = {
  type: 'object',
  additionalProperties: false,
  required: ['state', 'status'],
  properties: {
    entity_id: id,
    state: { enum: states },
    status: { type: 'string', pattern: '^[a-z][a-z0-9_]*$' },
    created_at: date,
    updated_at: date,
  },
}

/** The keys of `ShipmentTrackInterface`; the three that creating one needs are required. */
const track = {
  type: 'object',
  additionalProperties: false,
  required: ['track_number', 'title', 'carrier_code'],
  properties: {
    entity_id: id,
    parent_id: id,
    order_id: id,
    track_number: { type: 'string', minLength: 1 },
    carrier_code: { type: 'string', pattern: '^[a-z][a-z0-9_]*$' },
    title: { type: 'string', minLength: 1 },
    description: { type: ['string', 'null'] },
    qty: { type: ['number', 'null'] },
    weight: { type: ['number', 'null'] },
    created_at: date,
    updated_at: date,
  },
}

const shipment = {
  type: 'object',
  additionalProperties: false,
  required: ['tracks'],
  properties: {
    entity_id: id,
    order_id: id,
    created_at: date,
    updated_at: date,
    tracks: { type: 'array', items: track },
  },
}

/** An order and its shipments. */
export const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['order', 'shipments'],
  properties: { order, shipments: { type: 'array', items: shipment } },
}
