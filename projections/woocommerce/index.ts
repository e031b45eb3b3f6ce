import type { Projection } from '../../engine/index.ts'
import { codes } from './codes.ts'
import { pieces, project, write } from './project.ts'
import { documentSchema, type OrderDocument } from './schema.ts'

/** WooCommerce: an order's status and its tracking item, as REST v3 and the Shipment Tracking extension tell of them. */
export const woocommerce: Projection<OrderDocument> = {
  name: 'woocommerce',
  title: 'WooCommerce order and shipment tracking',
  standard: 'WooCommerce REST API v3, Shipment Tracking v3',
  version: '1',
  representations: [],
  kind: 'state',
  external: true,
  codes,
  losses: [
    'One status stands for the history: no places, no attempts, no estimates, no proof of delivery.',
    'There is no status for delivered: completed is reached when the parcel is shipped, and stays.',
    'Problems, rescheduling, return and rejection do not show; refunded is never said, since a return is no refund.',
    'date_shipped is the day at the place where the carrier first had the parcel, without its time.',
    'The order is one parcel; items, addresses and payments are not known.',
  ],
  schema: documentSchema,
  project,
  write,
  pieces,
}
