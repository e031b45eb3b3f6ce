import { instantOf, type Target, type Timeline } from '../../engine/index.ts'
import { orderStateOf, parcelShownOf } from '../shared/fold.ts'
import { carriers, rows } from './codes.ts'
import type { LineTracking, OrderLine, OrderLinesDocument } from './schema.ts'

/** A timeline as the one line of an order that its parcel carries (Marketplace Orders v3, US). */
export function project(timeline: Timeline, target: Target): OrderLinesDocument {
  const { stage, since, shippedAt } = orderStateOf(timeline)
  // A line needs the date of its status, which a timeline without events does not have.
  if (since === undefined) return { orderLines: { orderLine: [] } }
  const { order_id } = timeline.subject
  const trackingInfo = shippedAt === undefined ? undefined : trackingInfoOf(timeline, target, shippedAt)
  const line: OrderLine = {
    lineNumber: '1',
    item: { productName: '', sku: '' },
    charges: { charge: [] },
    orderLineQuantity: oneUnit(),
    statusDate: instantOf(since),
    orderLineStatuses: {
      orderLineStatus: [
        {
          status: rows[stage].status,
          statusQuantity: oneUnit(),
          ...(trackingInfo === undefined ? {} : { trackingInfo }),
        },
      ],
    },
    ...(order_id === undefined ? {} : { sellerOrderId: String(order_id) }),
  }
  return { orderLines: { orderLine: [line] } }
}

function oneUnit(): OrderLine['orderLineQuantity'] {
  return { unitOfMeasurement: 'EACH', amount: '1' }
}

function trackingInfoOf(timeline: Timeline, target: Target, shippedAt: string): LineTracking | undefined {
  const { carrier, number, page } = parcelShownOf(timeline, target)
  if (number === undefined) return undefined
  return {
    shipDateTime: instantOf(shippedAt),
    carrierName: carrierNameOf(carrier),
    methodCode: 'Standard',
    trackingNumber: number,
    trackingURL: page,
  }
}

function carrierNameOf(name: string | undefined): LineTracking['carrierName'] {
  const carrier = carriers.find((known) => known.toLowerCase() === name?.toLowerCase())
  return carrier === undefined ? { otherCarrier: name ?? 'other' } : { carrier }
}
