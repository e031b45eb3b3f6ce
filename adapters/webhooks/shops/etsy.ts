import { at, listAt, part, type ShopDriver } from './shop.ts'

/** Etsy: OAuth 2.0 with a refresh token, which is replaced at each use. */
export const etsy: ShopDriver = {
  token: ({ address, credentials }, ask) => {
    const { client_id = '', refresh_token = '', token_url = `${address}/v3/public/oauth/token` } = credentials
    return ask({ url: token_url, form: { grant_type: 'refresh_token', client_id, refresh_token } })
  },
  headers: ({ credentials: { client_id = '' } }, token) => ({
    'x-api-key': client_id,
    authorization: `Bearer ${token}`,
  }),
  check: ({ credentials: { shop_id = '' } }) => ({ method: 'GET', path: `/v3/application/shops/${part(shop_id)}` }),
  look: async ({ credentials: { shop_id = '' } }, order, _, ask) => {
    const path = `/v3/application/shops/${part(shop_id)}/receipts/${part(order)}`
    const { json } = await ask({ method: 'GET', path })
    const codes = listAt(json, 'shipments').map((shipment) => at(shipment, 'tracking_code'))
    return { options: { shop: shop_id }, isDone: ({ body }) => codes.includes(at(body, 'tracking_code')) }
  },
}
