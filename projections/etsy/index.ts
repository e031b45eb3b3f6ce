import type { Projection } from '../../engine/index.ts'
import { codes } from './codes.ts'
import { pieces, project, write } from './project.ts'
import { documentSchema, type ReceiptDocument } from './schema.ts'

/** Etsy: a shop receipt with its shipment, as Open API v3 tells of them. */
export const etsy: Projection<ReceiptDocument> = {
  name: 'etsy',
  title: 'Etsy receipt and shipment',
  standard: 'Etsy Open API v3',
  version: '1',
  representations: [],
  kind: 'state',
  external: true,
  codes,
  losses: [
    'One status stands for the history: no places, no attempts, no estimates, no proof of delivery.',
    'Nothing says delivered: a receipt is completed when its parcel is shipped, and stays so.',
    'Problems, rescheduling, return and rejection do not show; refunded is never said, since a return is no refund.',
    'paid only says that the receipt waits for shipment: whether it was paid is not for a parcel to say, so is_paid is left out.',
    'shipment_notification_timestamp is when the carrier first had the parcel: when Etsy told the buyer is not known.',
    'The receipt is one parcel; transactions, prices, buyer and the shipment’s id are not known. Instants before 2000 are left out, and so is the page that shows the timeline: a shipment has no link.',
  ],
  schema: documentSchema,
  project,
  write,
  pieces,
}
