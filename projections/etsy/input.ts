import * as v from 'valibot'
import type { Target, Timeline } from '../../engine/index.ts'
import { numberedOf, orderIn } from '../shared/fold.ts'
import { given, isSent, requestsSchema } from '../shared/shop-input.ts'
import { rows } from './codes.ts'

const body = v.strictObject({ tracking_code: v.string(), carrier_name: v.string(), send_bcc: v.literal(false) })

/** What is sent to a shop: the tracking of a receipt (Open API v3, createReceiptShipment). */
export const inputSchema = requestsSchema(body)

type Request = v.InferOutput<typeof inputSchema>[number]

/** The request that tells a shop of a parcel: none before the carrier has it, or without a number. Etsy mails the buyer at each. */
export function* requests(timeline: Timeline, target: Target): Generator<Request> {
  const order = orderIn(rows, timeline, target)
  const numbered = numberedOf(order)
  if (!isSent(order) || numbered === undefined) return
  const [shop, receipt] = [given(target, 'shop', 'shop_id'), given(target, 'order', 'receipt_id')]
  yield {
    method: 'POST',
    path: `/v3/application/shops/${shop}/receipts/${receipt}/tracking`,
    body: { tracking_code: numbered.number, carrier_name: numbered.carrier ?? 'other', send_bcc: false },
  }
}
