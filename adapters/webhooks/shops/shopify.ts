import { type Answered, at, listAt, type ShopDriver } from './shop.ts'

const path = '/admin/api/2026-10/graphql.json'

const orderQuery = `query order($id: ID!) { order(id: $id) {
  fulfillmentOrders(first: 20) { nodes { id status } }
  fulfillments(first: 50) { id trackingInfo { number } events(first: 250) { nodes { status happenedAt } } }
} }`

/** The number at the end of a global id. */
function numberIn(gid: unknown): string {
  return String(gid).split('/').at(-1) ?? ''
}

function keyOf(event: unknown): string {
  return `${at(event, 'status')} ${Date.parse(String(at(event, 'happenedAt')))}`
}

/** Shopify: the access token of an app. */
export const shopify: ShopDriver = {
  headers: ({ credentials: { access_token = '' } }) => ({ 'x-shopify-access-token': access_token }),
  check: () => ({ method: 'POST', path, body: { query: 'query { shop { name } }' } }),
  look: async (_, order, number, ask) => {
    const variables = { id: `gid://shopify/Order/${numberIn(order)}` }
    const { json } = await ask({ method: 'POST', path, body: { query: orderQuery, variables } })
    const found = at(json, 'data', 'order')
    const known = listAt(found, 'fulfillments').find((one) =>
      listAt(one, 'trackingInfo').some((tracking) => at(tracking, 'number') === number),
    )
    const open = listAt(found, 'fulfillmentOrders', 'nodes').find((one) =>
      ['OPEN', 'IN_PROGRESS'].includes(String(at(one, 'status'))),
    )
    const sent = new Set(listAt(known, 'events', 'nodes').map(keyOf))
    return {
      options: {
        ...(known !== undefined && { fulfillment: numberIn(at(known, 'id')) }),
        ...(known === undefined && open !== undefined && { fulfillment_order: numberIn(at(open, 'id')) }),
      },
      isDone: ({ body }) => {
        const event = at(body, 'variables', 'fulfillmentEvent')
        return event === undefined ? known !== undefined : sent.has(keyOf(event))
      },
    }
  },
  refusal: ({ json }: Answered) => {
    const errors = listAt(json, 'errors')
    if (errors.some((error) => at(error, 'extensions', 'code') === 'THROTTLED')) return { retryAfter: waitOf(json) }
    const data = Object.values((at(json, 'data') ?? {}) as object)
    const refused = data.some((one) => listAt(one, 'userErrors').length > 0)
    return refused || errors.length > 0 ? {} : undefined
  },
}

/** Milliseconds until the bucket of points has enough for the query again. */
function waitOf(json: unknown): number {
  const cost = at(json, 'extensions', 'cost')
  const missing = Number(at(cost, 'requestedQueryCost')) - Number(at(cost, 'throttleStatus', 'currentlyAvailable'))
  const seconds = missing / Number(at(cost, 'throttleStatus', 'restoreRate'))
  return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds * 1_000) : 1_000
}
