import { rulesJudge, schemaJudge } from '../json-schema.ts'
import type { ReadyJudge } from '../judge.ts'
import { falseClaims, shopFactsOf } from '../shop.ts'
import { schema } from './schema.ts'

interface OrderAndShipments {
  readonly order: { readonly state: string; readonly status: string }
  readonly shipments: readonly { readonly created_at?: string; readonly tracks: readonly unknown[] }[]
}

/** The status that each state of a parcel’s order has by default. */
const defaultStatus: Readonly<Record<string, string>> = {
  processing: 'processing',
  complete: 'complete',
  canceled: 'canceled',
}

/** The judges of Magento documents. */
export const judges: readonly ReadyJudge[] = [
  schemaJudge({ name: 'shape of REST V1 (hand-written)', format: 'magento', schema: () => schema }),
  rulesJudge<OrderAndShipments>('rules of the order states and of the parcel', 'magento', (document, { timeline }) => {
    const { order, shipments } = document
    const { seconds } = shopFactsOf(timeline)
    const isShipped = order.state === 'complete'
    const hasNumber = Object.keys(timeline.subject).some((kind) => kind !== 'order_id')
    return [
      defaultStatus[order.state] === undefined && 'No parcel tells of this state.',
      defaultStatus[order.state] !== order.status && 'The status is not the one that comes with the state.',
      ...falseClaims({ isShipped, isCancelled: order.state === 'canceled' }, timeline),
      isShipped !== shipments.length > 0 && 'There are shipments exactly where something was shipped.',
      ...shipments.map(({ tracks }) => tracks.length > 0 !== hasNumber && 'A number makes a track.'),
      ...shipments.map(
        ({ created_at = '' }) =>
          !seconds.has(Date.parse(`${created_at.replace(' ', 'T')}Z`) / 1000) && 'Nothing was shipped then.',
      ),
    ]
  }),
]
