import type { Projection } from '../../engine/index.ts'
import { codes } from './codes.ts'
import { pieces, project, write } from './project.ts'
import { documentSchema, type OrderDocument } from './schema.ts'

/** WooCommerce: an order's status and its tracking item, as in REST v3 and the Shipment Tracking extension. */
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
    'The history is reduced to one status: no places, no attempts, no estimates, no proof of delivery.',
    'There is no status for delivered: the order is completed when the parcel is shipped, and stays so.',
    'Problems, rescheduling, return and rejection are not visible. refunded is never used, because a return is no refund.',
    'date_shipped is the day at the place where the carrier first had the parcel, without its time.',
    'The order is one parcel. Items, addresses and payments are not known.',
  ],
  schema: documentSchema,
  project,
  write,
  pieces,
}
