import * as v from 'valibot'

/** The context of the UN/CEFACT vocabulary (BSP RDM, D23B), as documents name it. */
export const contextUrl = 'https://vocabulary.uncefact.org/unece-context.jsonld'

const text = v.string()
const dateTime = v.pipe(v.string(), v.metadata({ format: 'date-time' }))
const code = v.pipe(v.string(), v.regex(/^unece:LogisticsStatusCodeList#\d{1,3}$/))

const note = v.strictObject({ type: v.literal('Note'), subject: text, content: text })

const measure = v.strictObject({
  type: v.literal('unece:MeasureType'),
  'unece:MeasureTypeValue': v.strictObject({
    '@type': v.literal('xsd:decimal'),
    '@value': v.pipe(v.string(), v.regex(/^-?\d+(\.\d+)?$/)),
  }),
  'unece:MeasureTypeCode': v.strictObject({ '@id': v.literal('unece:UnitMeasureCode#DD') }),
})

const address = v.strictObject({
  type: v.literal('TradeAddress'),
  streetName: v.exactOptional(text),
  cityName: v.exactOptional(text),
  countrySubDivisionName: v.exactOptional(text),
  postcodeCode: v.exactOptional(text),
  tradeAddressCountryId: v.exactOptional(v.pipe(v.string(), v.regex(/^unece:CountryId#[A-Z]{2}$/))),
  countryName: v.exactOptional(text),
})

const location = v.strictObject({
  type: v.literal('LogisticsLocation'),
  identifier: v.exactOptional(v.pipe(v.array(text), v.minLength(1), v.maxLength(2))),
  name: v.exactOptional(text),
  postalAddress: v.exactOptional(address),
  physicalGeographicalCoordinate: v.exactOptional(
    v.strictObject({
      type: v.literal('GeographicalCoordinate'),
      latitudeMeasure: measure,
      longitudeMeasure: measure,
    }),
  ),
})

const transportEvent = v.strictObject({
  id: v.pipe(v.string(), v.url()),
  type: v.literal('TransportEvent'),
  identifier: text,
  typeCode: v.pipe(text, v.description('The status code of OTEP: `otep:parcel:delivered`.')),
  reportedConditionTypeCode: v.exactOptional(code),
  actualOccurrenceDateTime: dateTime,
  receivedDateTime: dateTime,
  description: v.exactOptional(text),
  reasonTypeCode: v.exactOptional(v.pipe(v.string(), v.regex(/^\d{1,3}$/))),
  occurrenceLogisticsLocation: v.exactOptional(location),
  applicableNote: v.exactOptional(v.pipe(v.array(note), v.minLength(1))),
})

/** A consignment with its transport events in JSON-LD (UN/CEFACT vocabulary D23B, class Consignment). */
export const vocabularySchema = v.strictObject({
  '@context': v.literal(contextUrl),
  id: v.pipe(v.string(), v.url()),
  type: v.literal('Consignment'),
  identifier: text,
  globalId: v.exactOptional(text),
  carrierAssignedId: v.exactOptional(text),
  specifiedLogisticsStatus: v.exactOptional(
    v.strictObject({
      type: v.literal('LogisticsStatus'),
      logisticsStatusConditionCode: code,
      referenceDateTime: dateTime,
    }),
  ),
  pickUpEvent: v.exactOptional(v.strictObject({ id: text, type: v.literal('TransportEvent') })),
  deliveryTransportEvent: v.exactOptional(
    v.strictObject({
      id: v.exactOptional(text),
      type: v.literal('TransportEvent'),
      estimatedOccurrenceDateTime: v.exactOptional(dateTime),
    }),
  ),
  statementNote: v.exactOptional(v.pipe(v.array(note), v.minLength(1))),
  transportEvent: v.array(transportEvent),
})

/** A document of the vocabulary. */
export type Vocabulary = v.InferOutput<typeof vocabularySchema>

/** One event of a document of the vocabulary (class TransportEvent). */
export type TransportEvent = v.InferOutput<typeof transportEvent>

/** A place in a document of the vocabulary (class LogisticsLocation). */
export type LogisticsLocation = v.InferOutput<typeof location>

/** A value that the vocabulary has no member for: `subject` is the member of OTEP, `content` its value (class Note). */
export type Note = v.InferOutput<typeof note>
