import { instantOf } from '../../engine/index.ts'
import { type Numbered, numberedOf, type Order, ordersOf, pageShown } from '../shared/fold.ts'
import {
  constant,
  documents,
  either,
  label,
  number,
  object,
  only,
  plain,
  some,
  text,
  within,
} from '../shared/template/index.ts'
import { carriers, type Row, rows } from './codes.ts'
import type { LineTracking, OrderLine, OrderLinesDocument } from './schema.ts'

type Status = OrderLine['orderLineStatuses']['orderLineStatus'][0]

type KnownCarrier = Extract<LineTracking['carrierName'], { readonly carrier: string }>
type OtherCarrier = Exclude<LineTracking['carrierName'], KnownCarrier>

/** A line needs the date of its status, which a timeline without events does not have. */
interface Dated extends Order<Row> {
  readonly since: string
}

const oneUnit = constant<OrderLine['orderLineQuantity']>({ unitOfMeasurement: 'EACH', amount: '1' })

const trackingInfo = object<Numbered<Row>, LineTracking>({
  shipDateTime: number(({ shippedAt }) => instantOf(shippedAt)),
  carrierName: either(
    ({ carrier }) => knownCarrier(carrier) !== undefined,
    object<Numbered<Row>, KnownCarrier>({
      carrier: plain(({ carrier }) => knownCarrier(carrier) as KnownCarrier['carrier']),
    }),
    object<Numbered<Row>, OtherCarrier>({ otherCarrier: label(({ carrier = 'other' }) => carrier) }),
  ),
  methodCode: constant('Standard'),
  trackingNumber: text(({ number }) => number),
  trackingURL: text(({ timeline, target }) => pageShown(timeline, target)),
})

const line = object<Dated, OrderLine>({
  lineNumber: constant('1'),
  item: constant({ productName: '', sku: '' }),
  charges: constant<OrderLine['charges']>({ charge: [] }),
  orderLineQuantity: oneUnit,
  statusDate: number(({ since }) => instantOf(since)),
  orderLineStatuses: object<Dated, OrderLine['orderLineStatuses']>({
    orderLineStatus: only(
      object<Dated, Status>({
        status: plain(({ row }) => row.status),
        statusQuantity: oneUnit,
        trackingInfo: within(numberedOf, trackingInfo),
      }),
    ),
  }),
  sellerOrderId: plain(({ timeline }) => timeline.subject.order_id?.toString()),
})

/** A timeline as the one line of an order that its parcel carries (Marketplace Orders v3, US). */
export const { project, write, pieces } = documents(
  ordersOf(rows),
  object<Order<Row>, OrderLinesDocument>({
    orderLines: object<Order<Row>, OrderLinesDocument['orderLines']>({ orderLine: some(within(datedOf, line)) }),
  }),
)

function datedOf(order: Order<Row>): Dated | undefined {
  return order.since === undefined ? undefined : (order as Dated)
}

const byLowerCase = new Map(carriers.map((carrier) => [carrier.toLowerCase(), carrier]))

function knownCarrier(name = ''): KnownCarrier['carrier'] | undefined {
  return byLowerCase.get(name.toLowerCase())
}
