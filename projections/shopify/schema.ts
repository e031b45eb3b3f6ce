import * as v from 'valibot'
import { eventStatuses } from './codes.ts'

const text = v.nullable(v.string())
const dateTime = v.pipe(v.string(), v.metadata({ format: 'date-time' }))

/** The schema of a `FulfillmentEvent` with all fields. */
export const eventSchema = v.strictObject({
  id: v.pipe(v.string(), v.regex(/^gid:\/\/shopify\/FulfillmentEvent\/\d+$/)),
  status: v.picklist(eventStatuses),
  happenedAt: dateTime,
  createdAt: dateTime,
  estimatedDeliveryAt: v.nullable(dateTime),
  message: text,
  address1: text,
  city: text,
  province: text,
  country: text,
  zip: text,
  latitude: v.nullable(v.number()),
  longitude: v.nullable(v.number()),
})

/** A `FulfillmentEvent` with all fields. */
export type FulfillmentEvent = v.InferOutput<typeof eventSchema>

/** The answer to a query for a fulfilment with all its events (GraphQL Admin API 2026-10). */
export const documentSchema = v.strictObject({
  data: v.strictObject({
    fulfillment: v.strictObject({
      trackingInfo: v.array(v.strictObject({ company: text, number: text, url: text })),
      estimatedDeliveryAt: v.nullable(dateTime),
      deliveredAt: v.nullable(dateTime),
      events: v.strictObject({ nodes: v.array(eventSchema) }),
    }),
  }),
})

/** The fulfilment of a parcel. */
export type Fulfillment = FulfillmentDocument['data']['fulfillment']

/** A document of this format. */
export type FulfillmentDocument = v.InferOutput<typeof documentSchema>
