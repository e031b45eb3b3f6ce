import type { Projection } from '../../engine/index.ts'
import { codes, rowSchema } from './codes.ts'
import { pieces, project, steps, write } from './project.ts'
import { schema, type UcpDocument, ucpVersion } from './schema.ts'

/** Universal Commerce Protocol: the order of the parcel, with its fulfilment events and adjustments. */
export const ucp: Projection<UcpDocument> = {
  name: 'ucp',
  title: 'Universal Commerce Protocol order',
  standard: `Universal Commerce Protocol ${ucpVersion}, dev.ucp.shopping.order`,
  version: '1',
  representations: [],
  kind: 'history',
  external: true,
  codes,
  rows: rowSchema,
  losses: [
    'There are eight types of fulfilment events for all codes. If two codes have the same type, only the description tells them apart.',
    'Events whose code has no type are left out, and so are withdrawn events.',
    'A timeline knows its parcel and not what was ordered: the order has one line, the parcel, whose price is 0.',
    'The currency is always XXX and the totals are 0, because no prices are known; checkout_id is empty.',
    'Expectations are left out, because they need an address of delivery; so is every expected time.',
    'Places, sources but the carrier, incident reasons and proofs of delivery are left out.',
    'A parcel without a number of a carrier has no tracking_number in its events.',
  ],
  schema,
  events: ({ fulfillment }) => fulfillment.events,
  project,
  steps,
  write,
  pieces,
}
