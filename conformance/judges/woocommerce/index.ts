import { rulesJudge, schemaJudge } from '../json-schema.ts'
import type { ReadyJudge } from '../judge.ts'
import { falseClaims } from '../shop.ts'
import { schema } from './schema.ts'

interface OrderAndTrackings {
  readonly order: { readonly status: string; readonly date_completed_gmt?: string | null }
  readonly shipment_trackings: readonly { readonly date_shipped: string; readonly tracking_link: string }[]
}

/** The judges of WooCommerce documents. */
export const judges: readonly ReadyJudge[] = [
  schemaJudge({
    name: 'shape of REST v3 and Shipment Tracking v3 (hand-written)',
    format: 'woocommerce',
    schema: () => schema,
  }),
  rulesJudge<OrderAndTrackings>('rules of the order statuses and of the parcel', 'woocommerce', (document, judged) => {
    const { order, shipment_trackings: trackings } = document
    const { timeline, target } = judged
    const isShipped = order.status === 'completed'
    const hasNumber = Object.keys(timeline.subject).some((kind) => kind !== 'order_id')
    const days = new Set(timeline.events.map(({ occurred_at }) => occurred_at.slice(0, 10)))
    return [
      !['processing', 'completed', 'cancelled'].includes(order.status) && 'No parcel tells of this status.',
      ...falseClaims({ isShipped, isCancelled: order.status === 'cancelled' }, timeline),
      isShipped !== (typeof order.date_completed_gmt === 'string') && 'What is completed was completed at some time.',
      trackings.length > 0 !== (isShipped && hasNumber) && 'What was shipped under a number can be tracked.',
      ...trackings.map(({ date_shipped }) => !days.has(date_shipped) && 'Nothing was shipped on that day.'),
      ...trackings.map(
        ({ tracking_link }) => !tracking_link.startsWith(`${target.baseUrl}/track/`) && 'The link leads elsewhere.',
      ),
    ]
  }),
]
