import type { Projection } from '../../engine/index.ts'
import { codes, rowSchema } from './codes.ts'
import { pieces, project, steps, write } from './project.ts'
import { documentSchema, type FulfillmentDocument } from './schema.ts'

/** Shopify: the events of a fulfilment, in the names of the GraphQL Admin API; the REST Admin API is legacy. */
export const shopify: Projection<FulfillmentDocument> = {
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
  ],
  schema: documentSchema,
  events: ({ data }) => data.fulfillment?.events.nodes ?? [],
  project,
  steps,
  write,
  pieces,
}
