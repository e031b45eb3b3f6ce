import * as v from 'valibot'
import type { Projection } from '../../engine/index.ts'
import { answersOrInput, facts, inputOptions, numberedItems } from '../shared/shop-input.ts'
import { codes } from './codes.ts'
import { inputSchema, requests } from './input.ts'
import * as answers from './project.ts'
import { documentSchema, type OrderDocument } from './schema.ts'

/** BigCommerce: an order's status and its shipment, as in Orders v2. */
export const bigcommerce: Projection<OrderDocument | v.InferOutput<typeof inputSchema>> = {
  name: 'bigcommerce',
  title: 'BigCommerce order and shipment',
  standard: 'BigCommerce Orders API v2',
  version: '1',
  representations: [],
  kind: 'state',
  external: true,
  codes,
  losses: [
    'The history is reduced to one status: no places, no attempts, no estimates, no proof of delivery.',
    'There is no status for delivered. Completed is the nearest one, and is also used for digital goods.',
    'Problems, rescheduling, return and rejection are not visible: the order stays Shipped.',
    'Refunds, payments and disputes are never reported: no event of a parcel is about money.',
    'The order is one parcel, so Partially Shipped does not occur. Items and addresses are not known.',
    'tracking_carrier is empty, because it needs an AfterShip slug, and only the name of the carrier is known.',
    'A tracking number of more than 50 characters and a link of more than 500 are left out, because the API does not accept them.',
    'With as=input: nothing before the carrier has the parcel, nothing of a cancellation, and no shipment without the address and the items of the order.',
  ],
  schema: v.union([documentSchema, inputSchema]),
  options: inputOptions({ order: facts.order, address: facts.address, items: numberedItems }),
  ...answersOrInput(answers, requests),
}
