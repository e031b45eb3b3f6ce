import * as v from 'valibot'
import type { Projection } from '../../engine/index.ts'
import { answersOrInput, facts, inputOptions, numberedItems } from '../shared/shop-input.ts'
import { codes } from './codes.ts'
import { inputSchema, requests } from './input.ts'
import * as answers from './project.ts'
import { documentSchema, type OrderDocument } from './schema.ts'

/** Magento (Adobe Commerce): an order's state and its shipment with a track, as in REST V1. */
export const magento: Projection<OrderDocument | v.InferOutput<typeof inputSchema>> = {
  name: 'magento',
  title: 'Magento order and shipment tracks',
  standard: 'Adobe Commerce (Magento Open Source) REST V1',
  version: '1',
  representations: [],
  kind: 'state',
  external: true,
  codes,
  losses: [
    'The history is reduced to one state: no places, no attempts, no estimates, no proof of delivery.',
    'There is no state for delivered: the order is complete when the parcel is shipped, and stays so.',
    'complete also means that the order is invoiced, which a parcel does not know.',
    'Problems, rescheduling, return and rejection are not visible. closed is never used, because a return is no refund.',
    'The order is one parcel. Items, weights, quantities and the ids of shipment and track are not known.',
    'The status is the default one of the state. A shop may have its own statuses.',
    'The page of the timeline is not linked, because a track has no link.',
    'With as=input: nothing before the carrier has the parcel, and nothing of a cancellation or a delivery.',
  ],
  schema: v.union([documentSchema, inputSchema]),
  options: inputOptions({ order: facts.order, items: numberedItems }),
  ...answersOrInput(answers, requests),
}
