import type { Projection } from '../../engine/index.ts'
import { codes } from './codes.ts'
import { pieces, project, write } from './project.ts'
import { documentSchema, type OrderDocument } from './schema.ts'

/** Magento (Adobe Commerce): an order's state and its shipment with a track, as REST V1 tells of them. */
export const magento: Projection<OrderDocument> = {
  name: 'magento',
  title: 'Magento order and shipment tracks',
  standard: 'Adobe Commerce (Magento Open Source) REST V1',
  version: '1',
  representations: [],
  kind: 'state',
  external: true,
  codes,
  losses: [
    'One state stands for the history: no places, no attempts, no estimates, no proof of delivery.',
    'There is no state for delivered: complete is reached when the parcel is shipped, and stays.',
    'complete also says that the order is invoiced, of which a parcel knows nothing.',
    'Problems, rescheduling, return and rejection do not show; closed is never said, since a return is no refund.',
    'The order is one parcel; items, weights, quantities and the ids of shipment and track are not known.',
    'The status is the one that comes with the state by default; a shop may have its own.',
    'The page that shows the timeline: a track has no link.',
  ],
  schema: documentSchema,
  project,
  write,
  pieces,
}
