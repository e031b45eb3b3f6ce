import * as v from 'valibot'
import type { Projection } from '../../engine/index.ts'
import { answersOrInput, facts, inputOptions } from '../shared/shop-input.ts'
import { codes } from './codes.ts'
import { inputSchema, requests } from './input.ts'
import * as answers from './project.ts'
import { documentSchema, type ReceiptDocument } from './schema.ts'

/** Etsy: a shop receipt with its shipment, as in Open API v3. */
export const etsy: Projection<ReceiptDocument | v.InferOutput<typeof inputSchema>> = {
  name: 'etsy',
  title: 'Etsy receipt and shipment',
  standard: 'Etsy Open API v3',
  version: '1',
  representations: [],
  kind: 'state',
  external: true,
  codes,
  losses: [
    'The history is reduced to one status: no places, no attempts, no estimates, no proof of delivery.',
    'There is no status for delivered: a receipt is completed when its parcel is shipped, and stays so.',
    'Problems, rescheduling, return and rejection are not visible. refunded is never used, because a return is no refund.',
    'paid only means that the receipt waits for shipment. A parcel does not know whether it was paid, so is_paid is left out.',
    'shipment_notification_timestamp is when the carrier first had the parcel, because it is not known when Etsy notified the buyer.',
    'The receipt is one parcel. Transactions, prices, buyer and the id of the shipment are not known. Instants before 2000 are left out. The page of the timeline is not linked, because a shipment has no link.',
    'With as=input: nothing before the carrier has the parcel, and nothing of a cancellation or a delivery.',
  ],
  schema: v.union([documentSchema, inputSchema]),
  options: inputOptions({ order: facts.order, shop: facts.shop }),
  ...answersOrInput(answers, requests),
}
