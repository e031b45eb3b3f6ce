import { inputJudges } from '../shop-input.ts'

const id = '(\\d+|[\\w-]+|\\{order_id\\})'
const providers = 'auspost|canadapost|endicia|usps|fedex|ups|upsready|upsonline|shipperhq|royalmail|'.split('|')

const item = {
  type: 'object',
  additionalProperties: false,
  required: ['order_product_id', 'quantity'],
  properties: { order_product_id: { type: 'integer' }, quantity: { type: 'integer', minimum: 1 } },
}

/** The judges of what BigCommerce is sent (hand-written from its OpenAPI document). */
export const inputs = inputJudges('bigcommerce', 'Orders v2 (hand-written)', () => [
  {
    method: 'POST',
    path: `/v2/orders/${id}/shipments`,
    body: {
      type: 'object',
      additionalProperties: false,
      required: ['order_address_id', 'items'],
      properties: {
        order_address_id: { type: 'integer' },
        items: { type: 'array', minItems: 1, items: item },
        tracking_number: { type: 'string', maxLength: 50 },
        tracking_carrier: { type: 'string' },
        tracking_link: { type: 'string', maxLength: 500 },
        shipping_provider: { enum: providers },
      },
    },
  },
  {
    method: 'PUT',
    path: `/v2/orders/${id}`,
    body: {
      type: 'object',
      additionalProperties: false,
      required: ['status_id'],
      properties: { status_id: { enum: [2, 10] } },
    },
  },
])
