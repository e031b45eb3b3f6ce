import { inputJudges } from '../shop-input.ts'

const text = { type: 'string', minLength: 1 }

const item = {
  type: 'object',
  additionalProperties: false,
  required: ['orderItemId', 'quantity'],
  properties: { orderItemId: text, quantity: { type: 'integer', minimum: 1 } },
}

const packageDetail = {
  type: 'object',
  additionalProperties: false,
  required: ['packageReferenceId', 'carrierCode', 'trackingNumber', 'shipDate', 'orderItems'],
  properties: {
    packageReferenceId: { type: 'string', pattern: '^[1-9][0-9]*$' },
    carrierCode: text,
    carrierName: text,
    shippingMethod: text,
    trackingNumber: text,
    shipDate: { type: 'string', format: 'date-time' },
    orderItems: { type: 'array', minItems: 1, items: item },
  },
}

/** The judges of what Amazon is sent (hand-written from the model of confirmShipment). */
export const inputs = inputJudges(
  'amazon',
  'Orders v0 (hand-written)',
  () => [
    {
      method: 'POST',
      path: '/orders/v0/orders/([\\w-]+|\\{order_id\\})/shipmentConfirmation',
      body: {
        type: 'object',
        additionalProperties: false,
        required: ['packageDetail', 'marketplaceId'],
        properties: { packageDetail, marketplaceId: text },
      },
    },
  ],
  (requests) =>
    requests.map(({ body }) => {
      const { packageDetail = {} } = body as { packageDetail?: { carrierCode?: string; carrierName?: string } }
      const { carrierCode, carrierName } = packageDetail
      return carrierCode === 'Other' && carrierName === undefined && 'Another carrier needs a name.'
    }),
)
