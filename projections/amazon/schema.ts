import * as v from 'valibot'
import { detailCodes, eventCodes, shipmentTypes, statuses } from './vocabulary.ts'

const dateTime = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/),
  v.metadata({ format: 'date-time' }),
)

const location = v.strictObject({
  stateOrRegion: v.exactOptional(v.string()),
  city: v.exactOptional(v.string()),
  countryCode: v.exactOptional(v.pipe(v.string(), v.regex(/^[A-Z]{2}$/))),
  postalCode: v.exactOptional(v.string()),
})

const event = v.strictObject({
  eventCode: v.picklist(eventCodes),
  location: v.exactOptional(location),
  eventTime: dateTime,
  shipmentType: v.picklist(shipmentTypes),
})

const details = v.array(v.picklist(detailCodes))

const result = v.strictObject({
  trackingId: v.string(),
  alternateLegTrackingId: v.string(),
  eventHistory: v.array(event),
  promisedDeliveryDate: dateTime,
  summary: v.strictObject({
    status: v.exactOptional(v.picklist(statuses)),
    trackingDetailCodes: v.strictObject({ forward: details, returns: details }),
  }),
})

/** The response to `GET /shipping/v2/tracking` (Shipping API v2, GetTrackingResponse). */
export const schema = v.strictObject({ payload: result })

/** The document. */
export type AmazonDocument = v.InferOutput<typeof schema>

/** One event of a package. */
export type AmazonEvent = v.InferOutput<typeof event>

/** The status of a package. */
export type AmazonSummary = v.InferOutput<typeof result>['summary']

/** The promised date of a package without a promise: the model requires a value. */
export const noPromise = '1970-01-01T00:00:00Z'
