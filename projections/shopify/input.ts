import * as v from 'valibot'
import type { Target, Timeline } from '../../engine/index.ts'
import { type Numbered, numberedOf, orderIn, pageShown } from '../shared/fold.ts'
import { given, isSent, requestsSchema } from '../shared/shop-input.ts'
import { eventNodes } from './project.ts'
import { eventSchema } from './schema.ts'

const text = v.pipe(v.string(), v.minLength(1))

const fulfillment = v.strictObject({
  lineItemsByFulfillmentOrder: v.tuple([v.strictObject({ fulfillmentOrderId: text })]),
  notifyCustomer: v.literal(false),
  trackingInfo: v.strictObject({ company: v.exactOptional(text), number: text, url: v.string() }),
})

const { id: _, createdAt: __, status, happenedAt, ...places } = eventSchema.entries

const event = v.strictObject({
  fulfillmentId: text,
  status,
  happenedAt,
  ...v.partial(v.strictObject(places)).entries,
})

const createFulfillment =
  'mutation fulfillmentCreate($fulfillment: FulfillmentInput!) { fulfillmentCreate(fulfillment: $fulfillment) { fulfillment { id } userErrors { field message } } }'
const createEvent =
  'mutation fulfillmentEventCreate($fulfillmentEvent: FulfillmentEventInput!) { fulfillmentEventCreate(fulfillmentEvent: $fulfillmentEvent) { fulfillmentEvent { id } userErrors { field message } } }'

const body = v.union([
  v.strictObject({ query: v.literal(createFulfillment), variables: v.strictObject({ fulfillment }) }),
  v.strictObject({ query: v.literal(createEvent), variables: v.strictObject({ fulfillmentEvent: event }) }),
])

/** What is sent to a shop: the fulfilment and its events (GraphQL Admin API, fulfillmentCreate and fulfillmentEventCreate). */
export const inputSchema = requestsSchema(body)

type Request = v.InferOutput<typeof inputSchema>[number]

const path = '/admin/api/2026-10/graphql.json'
const stages = { announced: 0, awaiting_carrier: 0, shipped: 0, delivered: 0, cancelled: 0 }

/**
 * The requests that tell a shop of a parcel: its fulfilment once the carrier has it, and its events, as soon as there is a
 * fulfilment that they are of.
 */
export function* requests(timeline: Timeline, target: Target): Generator<Request> {
  const order = orderIn(stages, timeline, target)
  const numbered = numberedOf(order)
  const isKnown = target.options.fulfillment !== undefined
  if (!isKnown) {
    if (!isSent(order) || numbered === undefined) return
    yield { method: 'POST', path, body: { query: createFulfillment, variables: { fulfillment: inputOf(numbered) } } }
  }
  const fulfillmentId = `gid://shopify/Fulfillment/${given(target, 'fulfillment', 'fulfillment_id')}`
  const sent = new Set<string>()
  for (const { id, createdAt, ...node } of eventNodes(timeline, target)) {
    // A shop tells events apart by these, since it makes the ids itself.
    const key = `${node.status} ${node.happenedAt}`
    if (sent.has(key)) continue
    sent.add(key)
    const filled = Object.entries(node).filter(([, value]) => value !== null)
    const fulfillmentEvent = { fulfillmentId, ...Object.fromEntries(filled) } as v.InferOutput<typeof event>
    yield { method: 'POST', path, body: { query: createEvent, variables: { fulfillmentEvent } } }
  }
}

function inputOf({ carrier, number, timeline, target }: Numbered<number>): v.InferOutput<typeof fulfillment> {
  const fulfillmentOrderId = `gid://shopify/FulfillmentOrder/${given(target, 'fulfillment_order', 'fulfillment_order_id')}`
  return {
    lineItemsByFulfillmentOrder: [{ fulfillmentOrderId }],
    notifyCustomer: false,
    trackingInfo: { ...(carrier !== undefined && { company: carrier }), number, url: pageShown(timeline, target) },
  }
}
