import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createGenerator } from 'ts-json-schema-generator'
import { rulesJudge, schemaJudge } from '../json-schema.ts'
import type { ReadyJudge } from '../judge.ts'
import { falseClaims, shopFactsOf } from '../shop.ts'

interface Receipt {
  readonly status?: string
  readonly is_shipped?: boolean
  readonly is_paid?: boolean
  readonly updated_timestamp?: number
  readonly shipments?: readonly { readonly shipment_notification_timestamp?: number; readonly tracking_code?: string }[]
}

/** The first instant of 2000: Open API v3 takes none before. */
const earliest = 946_684_800

/** The judges of Etsy documents. */
export const judges: readonly ReadyJudge[] = [
  schemaJudge({ name: 'Etsy types (etsy-ts 8)', format: 'etsy', schema: receiptSchema }),
  rulesJudge<Receipt>('rules of receipts and of the parcel', 'etsy', (receipt, { timeline }) => {
    const { status, is_shipped = false, shipments = [] } = receipt
    const { seconds } = shopFactsOf(timeline)
    const sent = shipments.flatMap(({ shipment_notification_timestamp: at }) => (at === undefined ? [] : [at]))
    const times = [...sent, ...(receipt.updated_timestamp === undefined ? [] : [receipt.updated_timestamp])]
    return [
      status?.includes('refunded') === true && 'A refund is not for a parcel to say.',
      receipt.is_paid !== undefined && 'Whether it was paid is not for a parcel to say.',
      (status === 'completed') !== is_shipped && 'Completed and shipped are the same.',
      ...falseClaims({ isShipped: is_shipped, isCancelled: status === 'canceled' }, timeline),
      is_shipped !== shipments.length > 0 && 'There are shipments exactly where something was shipped.',
      times.some((time) => time < earliest) && 'A time before 2000.',
      times.some((time) => !seconds.has(time)) && 'A time is not when anything happened, in seconds since 1970.',
    ]
  }),
]

/** `ShopReceipt` as the types have it, which were generated from Etsy’s OpenAPI document. */
function receiptSchema() {
  const types = createRequire(import.meta.url).resolve('etsy-ts/package.json')
  return createGenerator({
    path: join(types, '..', 'dist', 'api', 'data-contracts.d.ts'),
    type: 'IShopReceipt',
    skipTypeCheck: true,
    additionalProperties: false,
  }).createSchema('IShopReceipt')
}
