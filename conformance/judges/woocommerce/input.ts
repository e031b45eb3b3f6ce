import { inputJudges } from '../shop-input.ts'

const id = '([\\w-]+|\\{order_id\\})'
const text = { type: 'string', minLength: 1 }

/** The judges of what WooCommerce is sent (hand-written from the published pages of both interfaces). */
export const inputs = inputJudges('woocommerce', 'REST v3 and Shipment Tracking v3 (hand-written)', () => [
  {
    method: 'POST',
    path: `/wp-json/wc-shipment-tracking/v3/orders/${id}/shipment-trackings`,
    body: {
      type: 'object',
      additionalProperties: false,
      required: ['tracking_number', 'custom_tracking_provider', 'custom_tracking_link'],
      properties: {
        tracking_number: text,
        custom_tracking_provider: text,
        custom_tracking_link: { type: 'string', format: 'uri' },
        date_shipped: { type: 'string', format: 'date' },
      },
    },
  },
  {
    method: 'PUT',
    path: `/wp-json/wc/v3/orders/${id}`,
    body: {
      type: 'object',
      additionalProperties: false,
      required: ['status'],
      properties: { status: { enum: ['completed'] } },
    },
  },
])
