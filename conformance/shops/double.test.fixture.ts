import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Test } from 'tap'
import type { ShopKind } from '../../engine/index.ts'
import { at, parcelOf } from '../../projections/shared/parcels.test.fixture.ts'
import { judges } from '../judges/index.ts'

/** A request that came to a double. */
export interface Came {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly text: string
  readonly body: unknown
}

interface Reply {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** What is special about the double of a kind of shop. */
interface Manner {
  /** The credentials that it accepts. */
  readonly credentials: (address: string) => Readonly<Record<string, string>>
  /** Whether a request has them. */
  readonly knows: (came: Came) => boolean
  /** Gives a token where a request asks for one. */
  readonly token?: (came: Came) => Reply | undefined
  /** Answers what is only read; undefined for what is written. */
  readonly read: (came: Came, written: readonly Came[]) => Reply | undefined
  /** Answers what was written, after it was judged. */
  readonly write: (came: Came) => Reply
}

const fine = (body: unknown): Reply => ({ status: 200, body })
const bodyAt = (came: Came, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((found, name) => (found as Record<string | number, unknown> | undefined)?.[name], came.body)

/** Requests as each kind of shop answers them, after its published interface. The order in each has the id 727. */
const manners: Readonly<Record<ShopKind, Manner>> = {
  woocommerce: {
    credentials: () => ({ consumer_key: 'ck_1', consumer_secret: 'cs_0123456789abcdef' }),
    knows: ({ headers }) =>
      headers.authorization === `Basic ${Buffer.from('ck_1:cs_0123456789abcdef').toString('base64')}`,
    read: ({ method, path }, written) => {
      if (method !== 'GET') return undefined
      if (path === '/wp-json/wc/v3/orders?per_page=1') return fine([])
      if (path === '/wp-json/wc/v3/orders/727')
        return fine({ id: 727, status: written.some((one) => one.method === 'PUT') ? 'completed' : 'processing' })
      return fine(written.filter((one) => one.method === 'POST').map(({ body }) => body))
    },
    write: ({ method, body }) => ({ status: method === 'POST' ? 201 : 200, body }),
  },
  magento: {
    credentials: () => ({ access_token: 'mg_1' }),
    knows: ({ headers }) => headers.authorization === 'Bearer mg_1',
    read: ({ method, path }, written) => {
      if (method !== 'GET') return undefined
      if (path.startsWith('/rest/V1/store')) return fine([])
      return fine({ items: written.map((one) => ({ order_id: 727, tracks: bodyAt(one, 'tracks') })) })
    },
    write: () => fine('3'),
  },
  bigcommerce: {
    credentials: () => ({ access_token: 'bc_1' }),
    knows: ({ headers }) => headers['x-auth-token'] === 'bc_1',
    read: ({ method, path }, written) => {
      if (method !== 'GET') return undefined
      const isShipped = written.some((one) => one.method === 'POST')
      if (path === '/v2/orders/727')
        return fine({ id: 727, status_id: written.some((one) => one.method === 'PUT') ? 10 : isShipped ? 2 : 11 })
      if (path.endsWith('/shipments')) return isShipped ? fine(written.map(({ body }) => body)) : { status: 204 }
      if (path.endsWith('/products'))
        return fine([{ id: 12, order_address_id: 9, quantity: 2, quantity_shipped: isShipped ? 2 : 0 }])
      return fine({ id: 'store' })
    },
    write: ({ body }) => ({ status: 201, body }),
  },
  etsy: {
    credentials: (address) => ({
      client_id: 'es_1',
      refresh_token: 'rt_1',
      shop_id: '5',
      token_url: `${address}/token`,
    }),
    token: ({ path, text }) => {
      if (path !== '/token') return undefined
      const form = new URLSearchParams(text)
      const [, generation] = form.get('refresh_token')?.match(/^rt_(\d)$/) ?? []
      if (generation === undefined) return { status: 400, body: { error: 'invalid_grant' } }
      const body = { access_token: 'es_at', expires_in: 3600, refresh_token: `rt_${Number(generation) + 1}` }
      return fine(body)
    },
    knows: ({ headers }) => headers['x-api-key'] === 'es_1' && headers.authorization === 'Bearer es_at',
    read: ({ method, path }, written) => {
      if (method !== 'GET') return undefined
      if (path === '/v3/application/shops/5') return fine({ shop_id: 5 })
      return fine({ receipt_id: 727, shipments: written.map(({ body }) => body) })
    },
    write: ({ body }) => fine(body),
  },
  amazon: {
    credentials: (address) => ({
      ...{ client_id: 'am_1', client_secret: 'am_s', refresh_token: 'am_r', marketplace_id: 'ATVPDKIKX0DER' },
      token_url: `${address}/auth/o2/token`,
    }),
    token: ({ path, text }) => {
      if (path !== '/auth/o2/token') return undefined
      const form = new URLSearchParams(text)
      if (form.get('client_secret') !== 'am_s' || form.get('refresh_token') !== 'am_r')
        return { status: 400, body: { error: 'invalid_grant' } }
      return fine({ access_token: 'am_at', token_type: 'bearer', expires_in: 3600, refresh_token: 'am_r' })
    },
    knows: ({ headers }) => headers['x-amz-access-token'] === 'am_at',
    read: ({ method, path }, written) => {
      if (method !== 'GET') return undefined
      if (path.startsWith('/sellers/')) return fine({ payload: [] })
      const item = { OrderItemId: 'I1', QuantityOrdered: 2, QuantityShipped: written.length > 0 ? 2 : 0 }
      return fine({ payload: { AmazonOrderId: '727', OrderItems: [item] } })
    },
    write: () => ({ status: 204 }),
  },
  walmart: {
    credentials: () => ({ client_id: 'wm_1', client_secret: 'wm_s' }),
    token: ({ path, headers }) => {
      if (path !== '/v3/token') return undefined
      const isKnown = headers.authorization === `Basic ${Buffer.from('wm_1:wm_s').toString('base64')}`
      return isKnown ? fine({ access_token: 'wm_at', token_type: 'Bearer', expires_in: 900 }) : { status: 401 }
    },
    knows: ({ headers }) =>
      headers['wm_sec.access_token'] === 'wm_at' &&
      headers['wm_svc.name'] !== undefined &&
      /^[\da-f-]{36}$/.test(String(headers['wm_qos.correlation_id'])),
    read: ({ method, path }, written) => {
      if (path.endsWith('/acknowledge')) return fine({ order: {} })
      if (method !== 'GET') return undefined
      if (path === '/v3/token/detail') return fine({ is_valid: true })
      const status = written.length > 0 ? 'Shipped' : 'Created'
      const line = {
        lineNumber: '1',
        orderLineQuantity: { unitOfMeasurement: 'EACH', amount: '2' },
        orderLineStatuses: { orderLineStatus: [{ status }] },
      }
      return fine({ order: { purchaseOrderId: '727', orderLines: { orderLine: [line] } } })
    },
    write: () => fine({ order: {} }),
  },
  shopify: {
    credentials: () => ({ access_token: 'sh_1' }),
    knows: ({ headers }) => headers['x-shopify-access-token'] === 'sh_1',
    read: (came, written) => {
      const query = String(bodyAt(came, 'query'))
      if (query.includes('shop {')) return fine({ data: { shop: { name: 'Shop' } } })
      if (!query.startsWith('query order(')) return undefined
      const created = written.find((one) => bodyAt(one, 'variables', 'fulfillment') !== undefined)
      const events = written.flatMap((one) => bodyAt(one, 'variables', 'fulfillmentEvent') ?? [])
      const trackingInfo = [bodyAt(created ?? came, 'variables', 'fulfillment', 'trackingInfo')]
      const fulfillments = created
        ? [{ id: 'gid://shopify/Fulfillment/31', trackingInfo, events: { nodes: events } }]
        : []
      const status = created ? 'CLOSED' : 'OPEN'
      const fulfillmentOrders = { nodes: [{ id: 'gid://shopify/FulfillmentOrder/9', status }] }
      return fine({ data: { order: { fulfillmentOrders, fulfillments } } })
    },
    write: (came) => {
      const isCreation = bodyAt(came, 'variables', 'fulfillment') !== undefined
      const made = { id: 'gid://shopify/Fulfillment/31' }
      return fine({
        data: isCreation
          ? { fulfillmentCreate: { fulfillment: made, userErrors: [] } }
          : { fulfillmentEventCreate: { fulfillmentEvent: made, userErrors: [] } },
      })
    },
  },
}

/** The faults of a write by the published interface of its kind. */
async function faultsOf(kind: ShopKind, { method, path, body }: Came): Promise<readonly string[]> {
  const target = { baseUrl: 'https://track.example', options: { as: 'input' } }
  const text = JSON.stringify([{ method, path, body }])
  const judged = { text, mediaType: 'application/json', timeline: parcelOf([at(8, 'picked_up')]), target }
  const [model] = judges.filter((judge) => judge.format === kind && judge.takes(judged))
  return (await model?.open().here?.(judged)) ?? ['There is no judge.']
}

/** A shop on this machine that answers as its kind does. */
export async function double(t: Test, kind: ShopKind) {
  const manner = manners[kind]
  const [came, written, faults]: [Came[], Came[], string[]] = [[], [], []]
  /** Answers that come before all others, each once. */
  const next: Reply[] = []
  /** As many writes are done, and their answers are lost. */
  const lost: true[] = []

  async function replyTo(one: Came): Promise<Reply> {
    const token = manner.token?.(one)
    if (token !== undefined) return token
    if (!manner.knows(one)) return { status: 401, body: { message: 'Invalid credentials' } }
    const ready = next.shift()
    if (ready !== undefined) return ready
    const read = manner.read(one, written)
    if (read !== undefined) return read
    const found = await faultsOf(kind, one)
    faults.push(...found)
    if (found.length > 0) return { status: 422, body: { errors: found } }
    written.push(one)
    const made = manner.write(one)
    return lost.shift() === undefined ? made : { status: 502 }
  }

  const server = createServer(async (request, response) => {
    const text = (await buffer(request)).toString()
    const { method = '', url: path = '', headers } = request
    const isJson = headers['content-type'] === 'application/json'
    const one = { method, path, headers, text, body: isJson ? JSON.parse(text) : undefined }
    came.push(one)
    const { status, body, headers: more = {} } = await replyTo(one)
    response.writeHead(status, { 'content-type': 'application/json', ...more })
    response.end(body === undefined ? '' : JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { came, written, faults, next, lost, address, credentials: manner.credentials(address) }
}
