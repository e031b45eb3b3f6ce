import type { Timeline } from '../../../engine/index.ts'
import { rulesJudge, schemaJudge } from '../json-schema.ts'
import type { ReadyJudge } from '../judge.ts'
import { falseClaims, shopFactsOf } from '../shop.ts'
import { schema } from './schema.ts'

interface OrderLines {
  readonly orderLines: { readonly orderLine: readonly Line[] }
}

interface Line {
  readonly statusDate: number
  readonly orderLineStatuses: { readonly orderLineStatus: readonly LineStatus[] }
}

interface LineStatus {
  readonly status: string
  readonly trackingInfo?: {
    readonly shipDateTime: number
    readonly carrierName: { readonly otherCarrier?: string }
    readonly trackingURL?: string
  }
}

/** The judges of Walmart documents. */
export const judges: readonly ReadyJudge[] = [
  schemaJudge({ name: 'shape of Orders v3 (hand-written)', format: 'walmart', schema: () => schema }),
  rulesJudge<OrderLines>('rules of Orders v3 and of the parcel', 'walmart', ({ orderLines }, { timeline }) => [
    orderLines.orderLine.length === 0 && timeline.events.length > 0 && 'No line tells of what has happened.',
    ...orderLines.orderLine.flatMap((line) => lineFaults(line, timeline)),
  ]),
]

function lineFaults({ statusDate, orderLineStatuses }: Line, timeline: Timeline): readonly (string | false)[] {
  const { instants } = shopFactsOf(timeline)
  return [
    !instants.has(statusDate) && 'statusDate is not when anything happened, in milliseconds since 1970.',
    ...orderLineStatuses.orderLineStatus.flatMap(({ status, trackingInfo }) => {
      const isShipped = status === 'Shipped' || status === 'Delivered'
      const isOther = trackingInfo?.carrierName.otherCarrier !== undefined
      return [
        ...falseClaims(
          { isShipped, isDelivered: status === 'Delivered', isCancelled: status === 'Cancelled' },
          timeline,
        ),
        status === 'Refund' && 'A refund is not for a parcel to say.',
        trackingInfo !== undefined && !isShipped && 'Only what was shipped has a tracking.',
        trackingInfo !== undefined && !instants.has(trackingInfo.shipDateTime) && 'It was not shipped when it says.',
        isOther && trackingInfo?.trackingURL === undefined && 'Another carrier needs a tracking URL.',
      ]
    }),
  ]
}
