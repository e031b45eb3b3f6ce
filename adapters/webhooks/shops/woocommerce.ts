import { at, listAt, part, type ShopDriver } from './shop.ts'

/** Statuses that the shop has decided on, and that no parcel changes. */
const decided = ['completed', 'cancelled', 'refunded', 'failed', 'trash']

/** WooCommerce: keys of the REST API, by HTTP Basic. */
export const woocommerce: ShopDriver = {
  headers: ({ credentials: { consumer_key = '', consumer_secret = '' } }) => ({
    authorization: `Basic ${Buffer.from(`${consumer_key}:${consumer_secret}`).toString('base64')}`,
  }),
  check: () => ({ method: 'GET', path: '/wp-json/wc/v3/orders?per_page=1' }),
  look: async (_, order, __, ask) => {
    const { json } = await ask({ method: 'GET', path: `/wp-json/wc/v3/orders/${part(order)}` })
    const path = `/wp-json/wc-shipment-tracking/v3/orders/${part(order)}/shipment-trackings`
    const trackings = await ask({ method: 'GET', path })
    const numbers = listAt(trackings.json).map((tracking) => at(tracking, 'tracking_number'))
    return {
      options: {},
      isDone: ({ method, body }) =>
        method === 'POST'
          ? numbers.includes(at(body, 'tracking_number'))
          : decided.includes(String(at(json, 'status'))),
    }
  },
}
