import { localTime, sha256 } from '../../engine/index.ts'
import { type Numbered, numberedOf, type Order, ordersOf, pageShown } from '../shared/fold.ts'
import { bareUtcOf } from '../shared/shop-time.ts'
import { documents, label, number, object, plain, some, text, within } from '../shared/template/index.ts'
import { type Row, rows } from './codes.ts'
import type { OrderDocument, ShipmentTracking } from './schema.ts'

const tracking = object<Numbered<Row>, ShipmentTracking>({
  tracking_id: plain(({ carrier = 'other', number, target }) =>
    sha256(`${carrier}\0${target.timeline ?? number}`).slice(0, 32),
  ),
  tracking_provider: label(({ carrier = 'other' }) => carrier),
  tracking_link: text(({ timeline, target }) => pageShown(timeline, target)),
  tracking_number: text(({ number }) => number),
  date_shipped: plain(({ shippedAt }) => localTime(shippedAt).date),
})

/** A timeline as an order (REST v3) and the one tracking item of its parcel (Shipment Tracking v3). */
export const { project, write, pieces } = documents(
  ordersOf(rows),
  object<Order<Row>, OrderDocument>({
    order: object<Order<Row>, OrderDocument['order']>({
      id: number(({ timeline }) => timeline.subject.order_id),
      status: plain(({ row }) => row.status),
      date_modified_gmt: plain(({ changedAt }) => (changedAt === undefined ? null : bareUtcOf(changedAt))),
      date_completed_gmt: plain(({ shippedAt }) => (shippedAt === undefined ? null : bareUtcOf(shippedAt))),
    }),
    shipment_trackings: some(within(numberedOf, tracking)),
  }),
)
