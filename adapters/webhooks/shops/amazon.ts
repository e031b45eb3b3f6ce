import { at, listAt, part, type ShopDriver } from './shop.ts'

/** Amazon: Login with Amazon, with the refresh token of a seller. */
export const amazon: ShopDriver = {
  token: ({ credentials }, ask) => {
    const { client_id = '', client_secret = '', refresh_token = '' } = credentials
    const { token_url = 'https://api.amazon.com/auth/o2/token' } = credentials
    return ask({ url: token_url, form: { grant_type: 'refresh_token', client_id, client_secret, refresh_token } })
  },
  headers: (_, token) => ({ 'x-amz-access-token': token }),
  check: () => ({ method: 'GET', path: '/sellers/v1/marketplaceParticipations' }),
  look: async ({ credentials: { marketplace_id = '' } }, order, _, ask) => {
    const { json } = await ask({ method: 'GET', path: `/orders/v0/orders/${part(order)}/orderItems` })
    const open = listAt(json, 'payload', 'OrderItems')
      .map((item) => ({
        id: at(item, 'OrderItemId'),
        quantity: Number(at(item, 'QuantityOrdered')) - Number(at(item, 'QuantityShipped') ?? 0),
      }))
      .filter(({ quantity }) => quantity > 0)
    const items = open.map(({ id, quantity }) => `${id}:${quantity}`).join(',')
    return { options: { marketplace: marketplace_id, ...(items !== '' && { items }) }, isDone: () => open.length === 0 }
  },
}
