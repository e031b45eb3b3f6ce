import type { Projection } from '../../engine/index.ts'
import { codes } from './codes.ts'
import { pieces, project, write } from './project.ts'
import { documentSchema, type OrderLinesDocument } from './schema.ts'

/** Walmart Marketplace: the order line that the parcel carries, as Orders v3 (US) tells of it. */
export const walmart: Projection<OrderLinesDocument> = {
  name: 'walmart',
  title: 'Walmart order line',
  standard: 'Walmart Marketplace Orders API v3 (US)',
  version: '1',
  representations: [],
  kind: 'state',
  external: true,
  codes,
  losses: [
    'One status and its date stand for the history: no places, no attempts, no estimates, no proof of delivery.',
    'Problems, rescheduling, return and rejection do not show: the line stays Shipped until it is delivered.',
    'Created and Refund are never said: no event of a parcel tells of an order placed or of money given back.',
    'What was ordered is not known: line 1, one EACH, an empty product name and SKU, no charges and the method Standard only fill what Orders v3 requires.',
    'A cancelled line has no reason: who cancelled an order, and why, is not for a parcel to say.',
    'A timeline without events has no line, since a line has the date of its status.',
  ],
  schema: documentSchema,
  project,
  write,
  pieces,
}
