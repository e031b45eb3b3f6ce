import * as v from 'valibot'
import type { Projection } from '../../engine/index.ts'
import { answersOrInput, facts, inputOptions } from '../shared/shop-input.ts'
import { mappings, rowSchema } from './codes.ts'
import { inputSchema, requests } from './input.ts'
import { parseAmazon } from './parse.ts'
import * as answers from './project.ts'
import { type AmazonDocument, schema } from './schema.ts'

/** Amazon: the tracking of a package as its sellers read it (Selling Partner API, Shipping API v2, getTracking). */
export const amazon: Projection<AmazonDocument | v.InferOutput<typeof inputSchema>> = {
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
    'Events whose code has no event code here; only the status in the summary reflects them.',
    'A cancellation after the carrier had the parcel: it reads as Undeliverable, because Amazon can only cancel a pick-up.',
    'A new delivery time that the recipient did not request.',
    'Whether an announced parcel is ready for the carrier: ReadyForReceive claims so for every announcement, unless only a status was reported.',
    'That a returned parcel has arrived: ReturnInitiated and Undeliverable say only that it is on its way back.',
    'What a thing was put into or taken out of, and whether an event is inherited from its container.',
    'Withdrawn events.',
    'The recording time, id, source and description of an event, and whether it was synthesized.',
    'Of a place: its name, street, GLN, UN/LOCODE and coordinates.',
    'All content of a proof; only its existence is kept, and the place of delivery if the note is one of the detail codes.',
    'Reasons without a detail code, and all reasons but that of the current status.',
    'The kind of identifier in trackingId, and all other identifiers; it is empty if the parcel has only the ids of an order or a package.',
    'All estimates of delivery but the first, which becomes the promise; 1970-01-01T00:00:00Z means that there is none.',
    'The number of the other leg: alternateLegTrackingId is always empty.',
    'The profile: a stay in a machine reads like a parcel at a pickup point.',
    'With as=input: nothing before the carrier has the parcel, without a number or without the items of the order, and nothing of a cancellation or a delivery.',
  ],
  schema: v.union([schema, inputSchema]),
  options: inputOptions({ order: facts.order, marketplace: facts.marketplace, items: facts.items }),
  ...answersOrInput(answers, requests),
  events: (document) => ('payload' in document ? document.payload.eventHistory : []),
  parse: parseAmazon,
}
