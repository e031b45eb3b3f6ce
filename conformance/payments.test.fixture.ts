import { passwordOf, type Received, type World, type WorldOptions, world } from '../adapters/auth/world.test.fixture.ts'
import { secretOf } from '../adapters/node/secret.ts'

/** An order of a family that costs this much. */
export const price = '12.00'

const ann = { name: 'Ann', street: '1 Main Street', postal_code: 'M5V 1A1', region: 'ON', country: 'CA' }
const shipment = { from: { ...ann, name: 'Acme' }, to: ann, parcels: [{ weight_grams: 2500 }] }
const labels = '/api/v1/labelservice'

type Post = (path: string, body?: object, token?: string) => Promise<Received['body']>

/** A family: how staff make an order of a customer that costs `price`, how they cancel it, and where it is. */
interface Family {
  readonly name: string
  /** The member of answers that has the id. */
  readonly id: string
  readonly path: string
  create(post: Post, customer_id?: number): Promise<number>
  cancel(post: Post, id: number): Promise<Received['body']>
  /** What the staff read of it. */
  read(world: World, id: number): Promise<Received['body']>
}

const read = (path: string, one?: string) => async (made: World, id: number) => {
  const { body } = await made.send('GET', `${path}/${id}`, { token: made.tokens.client_admin })
  return one === undefined ? body : body[one]
}

/** Every family that is paid. */
export const families: readonly Family[] = [
  {
    ...{ name: 'local_delivery', id: 'order_id', path: '/api/v1/orders', read: read('/api/v1/orders', 'order') },
    create: async (post, customer_id) => {
      const delivery = { name: 'Ann', address: { street: '1 Main Street', country: 'CA' } }
      const cost = { shipping_price: '10.00', tax: '2.00', currency: 'CAD' }
      const order = { type: 'D', delivery, price: cost, ...(customer_id !== undefined && { customer_id }) }
      return (await post('/api/v1/orders', order)).order_id
    },
    cancel: (post, id) => post(`/api/v1/orders/${id}/cancel`),
  },
  {
    ...{ name: 'device_orders', id: 'device_order_id', path: '/api/v1/device-orders' },
    read: read('/api/v1/device-orders', 'device_order'),
    create: async (post, customer_id) => {
      const machine = { device_type: 'locker', device_id: 4, device_name: 'Locker Main St' }
      const order = {
        kind: 'delivery',
        ...machine,
        total_price: '12',
        ...(customer_id !== undefined && { customer_id }),
      }
      return (await post('/api/v1/device-orders', order)).device_order_id
    },
    cancel: (post, id) => post(`/api/v1/device-orders/${id}/cancel`),
  },
  {
    ...{ name: 'label_service', id: 'order_id', path: `${labels}/labels`, read: read(`${labels}/labels`) },
    create: async (post, customer_id) => {
      const buyer = customer_id !== undefined && { customer_id }
      const { rates } = await post(`${labels}/compareAllCarriers`, { ...shipment, ...buyer })
      const asked = { ...shipment, rate_id: rates[0].rate_id }
      return (await post(`${labels}/createShippingLabel`, asked)).order_id
    },
    cancel: (post, order_id) => post(`${labels}/cancelShippingLabel`, { order_id }),
  },
]

/** A business with orders of all families that are paid, and a customer with money. */
export async function shop(options: WorldOptions = {}) {
  const made = await world({ secret: secretOf('ab'.repeat(32)), carriers: [], ...options })
  const { send, tokens, ids } = made
  const post: Post = async (path, body = {}, token = tokens.client_admin) =>
    (await send('POST', path, { token, body })).body
  const modules = { device_orders: 'on' }
  await send('PUT', '/api/v1/business/modules', { token: tokens.client_admin, body: { modules } })
  await post('/api/v1/carrier-accounts', { carrier: 'sandbox', credentials: { account: 'A' } })
  await send('PUT', '/api/v1/mark-ups', { token: tokens.client_admin, body: { rules: [{ percent: '0' }] } })
  const topUp = (amount: string) => post(`/api/v1/accounts/${ids.customer}/top-ups`, { amount })
  const balance = async () => (await send('GET', '/api/v1/customer/credits', { token: tokens.customer })).body.balance
  const hide = (families: readonly string[]) =>
    send('PUT', `/api/v1/accounts/${ids.customer}/hidden-prices`, { token: tokens.client_admin, body: { families } })
  /** Time passes, after which the staff sign in again. */
  const wait = async (hours: number) => {
    made.clock.now += hours * 3_600_000
    const body = { email: 'client_admin@one.example', password: passwordOf('client_admin') }
    Object.assign(tokens, { client_admin: (await send('POST', '/api/v1/user/login', { body })).body.access_token })
  }
  return { ...made, post, topUp, balance, hide, wait }
}
