import * as v from 'valibot'

const dateTime = v.pipe(v.string(), v.metadata({ format: 'date-time' }))
const text = v.strictObject({ content: v.string() })
const one = <const S extends v.GenericSchema>(schema: S) => v.pipe(v.array(schema), v.length(1))

const statusCode = v.strictObject({
  content: v.pipe(v.string(), v.regex(/^\d{1,3}$/)),
  listAgencyId: v.literal('6'),
})

const degrees = v.strictObject({
  content: v.pipe(v.string(), v.regex(/^-?\d+(\.\d+)?$/)),
  unitCode: v.literal('DD'),
})

const location = v.strictObject({
  id: v.exactOptional(one(v.strictObject({ content: v.string(), schemeAgencyId: v.picklist(['6', '9']) }))),
  name: v.exactOptional(one(text)),
  physicalGeographicalCoordinate: v.exactOptional(v.strictObject({ latitude: degrees, longitude: degrees })),
  'x-gln': v.exactOptional(v.string()),
  'x-address': v.exactOptional(
    v.strictObject({
      street: v.exactOptional(v.string()),
      locality: v.exactOptional(v.string()),
      region: v.exactOptional(v.string()),
      postal_code: v.exactOptional(v.string()),
      country: v.exactOptional(v.string()),
    }),
  ),
})

const source = v.strictObject({
  type: v.string(),
  provider: v.exactOptional(v.string()),
  code: v.exactOptional(v.string()),
  event: v.exactOptional(
    v.strictObject({
      id: v.string(),
      action: v.string(),
      biz_step: v.exactOptional(v.string()),
      disposition: v.exactOptional(v.string()),
    }),
  ),
})

const proof = v.strictObject({
  recipient: v.exactOptional(v.string()),
  signed_at: v.exactOptional(dateTime),
  signature_url: v.exactOptional(v.string()),
  photo_urls: v.exactOptional(v.array(v.string())),
  note: v.exactOptional(v.string()),
})

const status = v.strictObject({
  conditionCode: v.exactOptional(statusCode),
  referenceDateTime: dateTime,
  description: v.exactOptional(text),
  reasonCode: v.exactOptional(one(statusCode)),
  reason: v.exactOptional(one(text)),
  specifiedLogisticsLocation: v.exactOptional(one(location)),
  'x-eventId': v.string(),
  'x-statusCode': v.pipe(v.string(), v.description('The status code of OTEP: `otep:parcel:delivered`.')),
  'x-recordedDateTime': dateTime,
  'x-source': v.exactOptional(source),
  'x-proofOfDelivery': v.exactOptional(proof),
  'x-estimatedDeliveryDateTime': v.exactOptional(dateTime),
  'x-estimatedDeliveryStartDateTime': v.exactOptional(dateTime),
  'x-synthesized': v.exactOptional(v.boolean()),
  'x-inheritedFrom': v.exactOptional(v.string()),
})

const subject = v.strictObject({
  tracking_number: v.exactOptional(v.string()),
  external_tracking_number: v.exactOptional(v.string()),
  gs1_sscc: v.exactOptional(v.string()),
  piece_id: v.exactOptional(v.string()),
  package_id: v.exactOptional(v.string()),
  order_id: v.exactOptional(v.string()),
})

const consignment = v.strictObject({
  id: one(text),
  carrierAssignedId: v.exactOptional(text),
  pickUpEvent: v.exactOptional(v.strictObject({ actualOccurrenceDateTime: dateTime })),
  deliveryEvent: v.exactOptional(
    v.strictObject({
      estimatedOccurrenceDateTime: v.exactOptional(dateTime),
      actualOccurrenceDateTime: v.exactOptional(dateTime),
    }),
  ),
  reportedLogisticsStatus: v.array(status),
  'x-subject': subject,
})

/** A status report of one consignment (MultimodalTransportConsignmentStatusReport, D23B); its extensions start with `x-`. */
export const messageSchema = v.strictObject({
  exchangedDocument: v.strictObject({
    id: text,
    typeCode: v.strictObject({ content: v.literal('44'), listAgencyId: v.literal('6') }),
    issueDateTime: dateTime,
    purposeCode: one(v.strictObject({ content: v.picklist(['5', '9']), listAgencyId: v.literal('6') })),
  }),
  specifiedConsignment: one(consignment),
})

/** A status report. */
export type Message = v.InferOutput<typeof messageSchema>

/** The consignment of a status report. */
export type MessageConsignment = v.InferOutput<typeof consignment>

/** One status of a consignment in a status report (Logistics_ Status). */
export type MessageStatus = v.InferOutput<typeof status>

/** A place in a status report (Logistics_ Location). */
export type MessageLocation = v.InferOutput<typeof location>
