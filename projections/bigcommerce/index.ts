import type { Projection } from '../../engine/index.ts'
import { codes } from './codes.ts'
import { pieces, project, write } from './project.ts'
import { documentSchema, type OrderDocument } from './schema.ts'

/** BigCommerce: an order's status and its shipment, as Orders v2 tells of them. */
export const bigcommerce: Projection<OrderDocument> = {
  name: 'bigcommerce',
  title: 'BigCommerce order and shipment',
  standard: 'BigCommerce Orders API v2',
  version: '1',
  representations: [],
  kind: 'state',
  external: true,
  codes,
  losses: [
    'One status stands for the history: no places, no attempts, no estimates, no proof of delivery.',
    'There is no status for delivered: Completed is the nearest, and it also stands for digital goods.',
    'Problems, rescheduling, return and rejection do not show: the order stays Shipped.',
    'Refunds, payments and disputes are never said: no event of a parcel tells of money.',
    'The order is one parcel, so that Partially Shipped does not occur; items and addresses are not known.',
    'tracking_carrier is empty, since a carrier’s name is not the AfterShip slug that it asks for.',
    'A tracking number of more than 50 characters and a link of more than 500 are left out, since the API holds no more.',
  ],
  schema: documentSchema,
  project,
  write,
  pieces,
}
