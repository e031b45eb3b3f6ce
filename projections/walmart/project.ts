import { instantOf } from '../../engine/index.ts'
import { type Numbered, numberedOf, type Order, orderDocuments, pageShown } from '../shared/fold.ts'
import { carriers, type Row, rows } from './codes.ts'
import type { LineTracking, OrderLine, OrderLinesDocument } from './schema.ts'

const oneUnit: OrderLine['orderLineQuantity'] = { unitOfMeasurement: 'EACH', amount: '1' }

/** A timeline as the one line of an order that its parcel carries (Marketplace Orders v3, US). */
export const { project, write, pieces } = orderDocuments<Row, OrderLinesDocument>(rows, (order) => ({
  // A line needs the date of its status, which a timeline without events does not have.
  orderLines: { orderLine: order.since === undefined ? [] : [lineOf(order, order.since)] },
}))

function lineOf(order: Order<Row>, since: string): OrderLine {
  const numbered = numberedOf(order)
  return {
    lineNumber: '1',
    item: { productName: '', sku: '' },
    charges: { charge: [] },
    orderLineQuantity: oneUnit,
    statusDate: instantOf(since),
    orderLineStatuses: {
      orderLineStatus: [
        {
          status: order.row.status,
          statusQuantity: oneUnit,
          ...(numbered !== undefined && { trackingInfo: trackingOf(numbered) }),
        },
      ],
    },
    ...(order.id !== undefined && { sellerOrderId: String(order.id) }),
  }
}

/** The tracking of a line that was shipped. */
export function trackingOf({ shippedAt, carrier, number, timeline, target }: Numbered<Row>): LineTracking {
  return {
    shipDateTime: instantOf(shippedAt),
    carrierName: carrierNameOf(carrier ?? 'other'),
    methodCode: 'Standard',
    trackingNumber: number,
    trackingURL: pageShown(timeline, target),
  }
}

const byLowerCase = new Map(carriers.map((carrier) => [carrier.toLowerCase(), carrier]))

function carrierNameOf(name: string): LineTracking['carrierName'] {
  const carrier = byLowerCase.get(name.toLowerCase())
  return carrier === undefined ? { otherCarrier: name } : { carrier }
}
