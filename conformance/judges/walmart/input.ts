import { inputJudges } from '../shop-input.ts'
import { lineTracking, quantity } from './schema.ts'

const objectOf = (properties: Readonly<Record<string, object>>) => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(properties),
  properties,
})

const listOf = (items: object) => ({ type: 'array', minItems: 1, items })

const line = objectOf({
  lineNumber: { type: 'string' },
  orderLineStatuses: objectOf({
    orderLineStatus: listOf(
      objectOf({ status: { const: 'Shipped' }, statusQuantity: quantity, trackingInfo: lineTracking }),
    ),
  }),
})

/** The judges of what Walmart is sent (hand-written from its OpenAPI document). */
export const inputs = inputJudges('walmart', 'Orders v3 (hand-written)', () => [
  {
    method: 'POST',
    path: '/v3/orders/([\\w-]+|\\{purchase_order_id\\})/shipping',
    body: objectOf({ orderShipment: objectOf({ orderLines: objectOf({ orderLine: listOf(line) }) }) }),
  },
])
