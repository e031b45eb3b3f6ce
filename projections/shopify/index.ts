import type { Projection } from '../../engine/index.ts'
import { codes } from './codes.ts'
import { pieces, project, write } from './project.ts'
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
  losses: [
    'Eleven statuses stand for all codes: what an event was is told by its message alone where statuses coincide.',
    'Return, rejection and cancellation all read FAILURE: no stable status tells them apart.',
    'Events whose code has no status are left out, and so are events that were withdrawn.',
    'Source, incident reason and proof of delivery; of a location its UN/LOCODE and GLN, and its name where the street is known.',
    'The fulfilment has no id, order or line items: a timeline knows of none.',
  ],
  schema: documentSchema,
  project,
  write,
  pieces,
}
