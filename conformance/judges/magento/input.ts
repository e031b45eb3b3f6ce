import { inputJudges } from '../shop-input.ts'

const track = {
  type: 'object',
  additionalProperties: false,
  required: ['track_number', 'title', 'carrier_code'],
  properties: {
    track_number: { type: 'string', minLength: 1 },
    title: { type: 'string', minLength: 1 },
    carrier_code: { enum: ['ups', 'usps', 'fedex', 'dhl', 'custom'] },
  },
}

const item = {
  type: 'object',
  additionalProperties: false,
  required: ['order_item_id', 'qty'],
  properties: { order_item_id: { type: 'integer' }, qty: { type: 'number', exclusiveMinimum: 0 } },
}

/** The judges of what Magento is sent (hand-written from its REST schema). */
export const inputs = inputJudges('magento', 'REST V1 (hand-written)', () => [
  {
    method: 'POST',
    path: '/rest/V1/order/(\\d+|[\\w-]+|\\{order_id\\})/ship',
    body: {
      type: 'object',
      additionalProperties: false,
      properties: {
        items: { type: 'array', minItems: 1, items: item },
        notify: { type: 'boolean' },
        appendComment: { type: 'boolean' },
        tracks: { type: 'array', items: track },
      },
    },
  },
])
