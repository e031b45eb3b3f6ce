import { queryFaults } from '../../../adapters/graphql/query-faults.ts'
import type { Judged } from '../judge.ts'
import { isMeant } from '../meant.ts'
import { inputJudges, type Sent } from '../shop-input.ts'
import { statuses } from './schema.ts'

/** The part of the schema of the GraphQL Admin API 2026-10 that the two mutations are of (hand-written). */
const admin = `
  scalar DateTime
  scalar URL
  enum FulfillmentEventStatus { ${statuses.join(' ')} }
  input FulfillmentTrackingInput { company: String number: String numbers: [String!] url: URL urls: [URL!] }
  input FulfillmentOrderLineItemInput { id: ID! quantity: Int! }
  input FulfillmentOrderLineItemsInput {
    fulfillmentOrderId: ID!
    fulfillmentOrderLineItems: [FulfillmentOrderLineItemInput!]
  }
  input FulfillmentInput {
    lineItemsByFulfillmentOrder: [FulfillmentOrderLineItemsInput!]!
    notifyCustomer: Boolean
    trackingInfo: FulfillmentTrackingInput
  }
  input FulfillmentEventInput {
    fulfillmentId: ID!
    status: FulfillmentEventStatus!
    happenedAt: DateTime
    estimatedDeliveryAt: DateTime
    message: String
    address1: String
    city: String
    province: String
    country: String
    zip: String
    latitude: Float
    longitude: Float
  }
  type UserError { field: [String!] message: String! }
  type Fulfillment { id: ID! }
  type FulfillmentEvent { id: ID! }
  type FulfillmentCreatePayload { fulfillment: Fulfillment userErrors: [UserError!]! }
  type FulfillmentEventCreatePayload { fulfillmentEvent: FulfillmentEvent userErrors: [UserError!]! }
  type Query { shop: ID }
  type Mutation {
    fulfillmentCreate(fulfillment: FulfillmentInput!, message: String): FulfillmentCreatePayload
    fulfillmentEventCreate(fulfillmentEvent: FulfillmentEventInput!): FulfillmentEventCreatePayload
  }
`

const eventProperties = {
  fulfillmentId: { type: 'string', pattern: '^gid://shopify/Fulfillment/(\\d+|\\{fulfillment_id\\})$' },
  status: { enum: statuses },
  happenedAt: { type: 'string', format: 'date-time' },
  estimatedDeliveryAt: { type: 'string', format: 'date-time' },
  ...Object.fromEntries(
    ['message', 'address1', 'city', 'province', 'country', 'zip'].map((name) => [name, { type: 'string' }]),
  ),
  latitude: { type: 'number', minimum: -90, maximum: 90 },
  longitude: { type: 'number', minimum: -180, maximum: 180 },
}

const objectOf = (properties: Readonly<Record<string, object>>, required = Object.keys(properties)) => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
})

const fulfillment = objectOf({
  lineItemsByFulfillmentOrder: {
    type: 'array',
    minItems: 1,
    items: objectOf({
      fulfillmentOrderId: {
        type: 'string',
        pattern: '^gid://shopify/FulfillmentOrder/(\\d+|\\{fulfillment_order_id\\})$',
      },
    }),
  },
  notifyCustomer: { type: 'boolean' },
  trackingInfo: objectOf(
    { company: { type: 'string' }, number: { type: 'string' }, url: { type: 'string', format: 'uri' } },
    ['number', 'url'],
  ),
})

const variables = [
  objectOf({ fulfillment }),
  objectOf({ fulfillmentEvent: objectOf(eventProperties, ['fulfillmentId', 'status', 'happenedAt']) }),
]

/** The judges of what Shopify is sent: the variables, the mutations by the schema of their interface, and their order. */
export const inputs = inputJudges(
  'shopify',
  'GraphQL Admin 2026-10 (hand-written)',
  () =>
    variables.map((one) => ({
      method: 'POST',
      path: '/admin/api/2026-10/graphql\\.json',
      body: objectOf({ query: { type: 'string' }, variables: one }),
    })),
  (requests, judged) => [
    ...new Set(requests.flatMap(({ body }) => queryFaults(admin, String(body.query)))),
    ...requests.map((request, index) => index > 0 && isCreation(request) && 'A fulfilment is made after its events.'),
    ...requests.flatMap((request) => eventFaults(request, judged)),
  ],
)

function isCreation({ body }: Sent): boolean {
  return Object.hasOwn(body.variables as object, 'fulfillment')
}

function eventFaults({ body }: Sent, { timeline }: Judged): readonly (string | false)[] {
  const { fulfillmentEvent: event } = body.variables as {
    readonly fulfillmentEvent?: { readonly status: string; readonly happenedAt: string }
  }
  if (event === undefined) return []
  const same = timeline.events.filter(({ occurred_at }) => occurred_at === event.happenedAt)
  const isDelivery = same.some(({ status_code }) => isMeant(timeline, status_code, ['delivered', 'collected']))
  return [
    same.length === 0 && 'Nothing happened then.',
    event.status === 'DELIVERED' && !isDelivery && 'Says DELIVERED of what is not.',
  ]
}
