import * as v from 'valibot'
import type { Projection } from '../../engine/index.ts'
import { answersOrInput, facts, inputOptions } from '../shared/shop-input.ts'
import { codes } from './codes.ts'
import { inputSchema, requests } from './input.ts'
import * as answers from './project.ts'
import { documentSchema, type OrderDocument } from './schema.ts'

/** WooCommerce: an order's status and its tracking item, as in REST v3 and the Shipment Tracking extension. */
export const woocommerce: Projection<OrderDocument | v.InferOutput<typeof inputSchema>> = {
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
    'With as=input: nothing before the carrier has the parcel, and nothing of a cancellation.',
  ],
  schema: v.union([documentSchema, inputSchema]),
  options: inputOptions({ order: facts.order }),
  ...answersOrInput(answers, requests),
}
