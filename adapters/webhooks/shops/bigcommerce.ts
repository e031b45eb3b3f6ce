import { at, listAt, part, type ShopDriver } from './shop.ts'

/** Refunded, cancelled, declined, completed, disputed, partially refunded: the shop has decided, and no parcel changes it. */
const decided = [4, 5, 6, 10, 13, 14]
const shipped = 2

/** BigCommerce: the access token of an account for the interface of a store. */
export const bigcommerce: ShopDriver = {
  headers: ({ credentials: { access_token = '' } }) => ({ 'x-auth-token': access_token }),
  check: () => ({ method: 'GET', path: '/v2/store' }),
  look: async (_, order, __, ask) => {
    const path = `/v2/orders/${part(order)}`
    const { json } = await ask({ method: 'GET', path })
    const shipments = await ask({ method: 'GET', path: `${path}/shipments` })
    const products = await ask({ method: 'GET', path: `${path}/products` })
    const numbers = listAt(shipments.json).map((shipment) => at(shipment, 'tracking_number'))
    const open = listAt(products.json)
      .map((product) => ({
        id: at(product, 'id'),
        address: at(product, 'order_address_id'),
        quantity: Number(at(product, 'quantity')) - Number(at(product, 'quantity_shipped') ?? 0),
      }))
      .filter(({ quantity }) => quantity > 0)
    const [first] = open
    // A shipment goes to one address.
    const items = open.filter(({ address }) => address === first?.address)
    const status = Number(at(json, 'status_id'))
    return {
      options:
        first === undefined
          ? {}
          : { address: String(first.address), items: items.map(({ id, quantity }) => `${id}:${quantity}`).join(',') },
      isDone: ({ method, body }) => {
        if (method === 'POST') return numbers.includes(at(body, 'tracking_number'))
        return decided.includes(status) || (status === shipped && at(body, 'status_id') === shipped)
      },
    }
  },
}
