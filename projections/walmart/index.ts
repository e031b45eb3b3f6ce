import * as v from 'valibot'
import type { Projection } from '../../engine/index.ts'
import { answersOrInput, facts, inputOptions } from '../shared/shop-input.ts'
import { codes } from './codes.ts'
import { inputSchema, requests } from './input.ts'
import * as answers from './project.ts'
import { documentSchema, type OrderLinesDocument } from './schema.ts'

/** Walmart Marketplace: the order line of the parcel, as in Orders v3 (US). */
export const walmart: Projection<OrderLinesDocument | v.InferOutput<typeof inputSchema>> = {
  name: 'walmart',
  title: 'Walmart order line',
  standard: 'Walmart Marketplace Orders API v3 (US)',
  version: '1',
  representations: [],
  kind: 'state',
  external: true,
  codes,
  losses: [
    'The history is reduced to one status and its date: no places, no attempts, no estimates, no proof of delivery.',
    'Problems, rescheduling, return and rejection are not visible: the line stays Shipped until it is delivered.',
    'Created and Refund are never used: no event of a parcel reports that an order was placed or refunded.',
    'The ordered goods are not known: line 1, one EACH, an empty product name and SKU, no charges and the method Standard are placeholders for required members.',
    'A cancelled line has no reason: a parcel does not know who cancelled the order, and why.',
    'A timeline without events has no line, because a line needs the date of its status.',
    'With as=input: nothing before the carrier has the parcel, and nothing of a cancellation or a delivery.',
  ],
  schema: v.union([documentSchema, inputSchema]),
  options: inputOptions({ order: facts.order, items: facts.items }),
  ...answersOrInput(answers, requests),
}
