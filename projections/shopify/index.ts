import * as v from 'valibot'
import type { Projection } from '../../engine/index.ts'
import { answersOrInput, facts, inputOptions } from '../shared/shop-input.ts'
import { codes, rowSchema } from './codes.ts'
import { inputSchema, requests } from './input.ts'
import * as answers from './project.ts'
import { documentSchema, type FulfillmentDocument } from './schema.ts'

/** Shopify: the events of a fulfilment, in the names of the GraphQL Admin API; the REST Admin API is legacy. */
export const shopify: Projection<FulfillmentDocument | v.InferOutput<typeof inputSchema>> = {
  name: 'shopify',
  title: 'Shopify fulfilment events',
  standard: 'Shopify GraphQL Admin API 2026-10',
  version: '1',
  representations: [],
  kind: 'history',
  external: true,
  codes,
  rows: rowSchema,
  losses: [
    'There are eleven statuses for all codes. If two codes have the same status, only the message tells them apart.',
    'Return, rejection and cancellation are all FAILURE: no stable status distinguishes them.',
    'Events whose code has no status are left out, and so are withdrawn events.',
    'Source, incident reason and proof of delivery are left out. A location has no UN/LOCODE or GLN, and no name if the street is known.',
    'The fulfilment has no id, order or line items, because a timeline has none.',
    'With as=input: nothing before the carrier has the parcel, unless the fulfilment is named.',
  ],
  schema: v.union([documentSchema, inputSchema]),
  options: inputOptions({ fulfillment_order: facts.fulfillment_order, fulfillment: facts.fulfillment }),
  ...answersOrInput(answers, requests),
  events: (document) => ('data' in document ? document.data.fulfillment.events.nodes : []),
}
