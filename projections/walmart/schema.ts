import * as v from 'valibot'
import { carriers, lineStatuses } from './codes.ts'

const epochMillis = v.pipe(v.number(), v.safeInteger())

/** A line is one unit, because a timeline knows one parcel and not its content. */
const oneUnit = v.strictObject({ unitOfMeasurement: v.literal('EACH'), amount: v.literal('1') })

/** The schema of `trackingInfo`. */
export const lineTrackingSchema = v.strictObject({
  shipDateTime: epochMillis,
  carrierName: v.union([
    v.strictObject({ carrier: v.picklist(carriers) }),
    v.strictObject({ otherCarrier: v.pipe(v.string(), v.minLength(1)) }),
  ]),
  methodCode: v.literal('Standard'),
  trackingNumber: v.pipe(v.string(), v.minLength(1)),
  trackingURL: v.string(),
})

/** `trackingInfo` of a line that was shipped. */
export type LineTracking = v.InferOutput<typeof lineTrackingSchema>

const orderLine = v.strictObject({
  lineNumber: v.literal('1'),
  item: v.strictObject({ productName: v.literal(''), sku: v.literal('') }),
  charges: v.strictObject({ charge: v.tuple([]) }),
  orderLineQuantity: oneUnit,
  statusDate: epochMillis,
  orderLineStatuses: v.strictObject({
    orderLineStatus: v.tuple([
      v.strictObject({
        status: v.picklist(lineStatuses),
        statusQuantity: oneUnit,
        trackingInfo: v.exactOptional(lineTrackingSchema),
      }),
    ]),
  }),
  sellerOrderId: v.exactOptional(v.string()),
})

/** The line of an order that a parcel carries. */
export type OrderLine = v.InferOutput<typeof orderLine>

/** The lines of an order (Marketplace Orders v3, US). There is none before the first event. */
export const documentSchema = v.strictObject({
  orderLines: v.strictObject({ orderLine: v.pipe(v.array(orderLine), v.maxLength(1)) }),
})

/** A document of this format. */
export type OrderLinesDocument = v.InferOutput<typeof documentSchema>
