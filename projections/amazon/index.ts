import type { Projection } from '../../engine/index.ts'
import { mappings, rowSchema } from './codes.ts'
import { parseAmazon } from './parse.ts'
import { pieces, project, write } from './project.ts'
import { type AmazonDocument, schema } from './schema.ts'

/** Amazon: the tracking of a package as its sellers read it (Selling Partner API, Shipping API v2, getTracking). */
export const amazon: Projection<AmazonDocument> = {
  name: 'amazon',
  title: 'Amazon Shipping',
  standard: 'Amazon Shipping API v2',
  version: '1',
  representations: [],
  kind: 'history',
  external: true,
  codes: mappings,
  rows: rowSchema,
  losses: [
    'Events whose code has no event code here; the summary still tells that the parcel moves, or does not yet.',
    'A cancellation after the carrier had the parcel: it reads as Undeliverable, since only a pick-up is cancelled here.',
    'A new time of delivery that the recipient did not ask for.',
    'That an announced parcel is ready for the carrier is not known: ReadyForReceive says so of every announcement, but of one that only a status tells.',
    'That a returned parcel is back: ReturnInitiated and Undeliverable say that it goes back.',
    'Events that were withdrawn.',
    'When an event was recorded, its id, its source and its description, and whether it was synthesized.',
    'Of a place: its name, street, GLN, UN/LOCODE and coordinates.',
    'Of proof: all but that there is one, or the place of delivery where its note is one of the detail codes.',
    'Reasons that are no detail code, and all reasons but that of the current status.',
    'Which kind of identifier trackingId is, and all others; the ids of an order and of a package are none, and it is then empty.',
    'Estimates of delivery but the first, which stands as the promise; 1970-01-01T00:00:00Z stands for none.',
    'The number of the other leg: alternateLegTrackingId is always empty.',
    'The profile: what lies in a machine and is collected reads as a parcel that is fetched from its pickup point.',
  ],
  schema,
  project,
  write,
  pieces,
  parse: parseAmazon,
}
