import { randomUUID } from 'node:crypto'
import { at, listAt, part, type ShopDriver } from './shop.ts'

/** Headers that each request has. */
const named = () => ({ 'wm_svc.name': 'Walmart Marketplace', 'wm_qos.correlation_id': randomUUID() })

/** Walmart: client credentials for a token of a quarter of an hour. */
export const walmart: ShopDriver = {
  token: ({ address, credentials: { client_id = '', client_secret = '' } }, ask) =>
    ask({
      url: `${address}/v3/token`,
      form: { grant_type: 'client_credentials' },
      headers: {
        ...named(),
        authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`,
      },
    }),
  headers: (_, token) => ({ ...named(), 'wm_sec.access_token': token }),
  check: () => ({ method: 'GET', path: '/v3/token/detail' }),
  look: async (_, order, __, ask) => {
    const path = `/v3/orders/${part(order)}`
    const { json } = await ask({ method: 'GET', path })
    const lines = listAt(json, 'order', 'orderLines', 'orderLine').map((line) => ({
      number: String(at(line, 'lineNumber')),
      amount: String(at(line, 'orderLineQuantity', 'amount')),
      statuses: listAt(line, 'orderLineStatuses', 'orderLineStatus').map((one) => at(one, 'status')),
    }))
    const open = lines.filter(({ statuses }) => statuses.every((one) => one === 'Created' || one === 'Acknowledged'))
    const isNew = open.some(({ statuses }) => statuses.includes('Created'))
    const items = open.map(({ number, amount }) => `${number}:${amount}`).join(',')
    return {
      options: items === '' ? {} : { items },
      ...(isNew && { before: [{ method: 'POST', path: `${path}/acknowledge`, body: {} }] }),
      isDone: () => open.length === 0,
    }
  },
}
