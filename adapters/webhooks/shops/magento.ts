import { at, listAt, part, type ShopDriver } from './shop.ts'

/** Magento: the access token of an integration. */
export const magento: ShopDriver = {
  headers: ({ credentials: { access_token = '' } }) => ({ authorization: `Bearer ${access_token}` }),
  check: () => ({ method: 'GET', path: '/rest/V1/store/storeConfigs' }),
  look: async (_, order, __, ask) => {
    const filter = 'searchCriteria[filter_groups][0][filters][0]'
    const query = `${filter}[field]=order_id&${filter}[value]=${part(order)}&${filter}[condition_type]=eq`
    const { json } = await ask({ method: 'GET', path: `/rest/V1/shipments?${query}` })
    const tracks = listAt(json, 'items').flatMap((shipment) => listAt(shipment, 'tracks'))
    const numbers = tracks.map((track) => at(track, 'track_number'))
    return { options: {}, isDone: ({ body }) => numbers.includes(at(body, 'tracks', 0, 'track_number')) }
  },
}
