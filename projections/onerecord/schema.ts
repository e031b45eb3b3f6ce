import * as v from 'valibot'

const iri = v.pipe(v.string(), v.regex(/^[a-z][a-z\d+.-]*:[^\s<>"{}|\\^`]+$/i))

const xsd = 'http://www.w3.org/2001/XMLSchema#'

/** A literal with its type. ONE Record writes all literals but texts like this. */
const typed = <Type extends string>(type: Type, value: RegExp) =>
  v.strictObject({
    '@type': v.literal(`${xsd}${type}` as const),
    '@value': v.pipe(v.string(), v.regex(value)),
  })

const dateTime = typed('dateTime', /^[+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
const double = typed('double', /^-?\d+(\.\d+)?(e[+-]?\d+)?$/)

/** One value or an array of at least two, as in the compacted form of JSON-LD. */
const some = <Schema extends v.GenericSchema>(item: Schema) => v.union([item, v.pipe(v.array(item), v.minLength(2))])

const link = <Type extends string>(...types: readonly Type[]) =>
  v.strictObject({ '@id': iri, '@type': v.picklist(types.map((type) => `cargo:${type}` as const)) })

const code = link('CodeListElement')

const otherIdentifier = v.strictObject({
  '@id': iri,
  '@type': v.literal('cargo:OtherIdentifier'),
  'cargo:otherIdentifierType': v.string(),
  'cargo:textualValue': v.string(),
})

const party = v.strictObject({
  '@id': iri,
  '@type': v.literal('cargo:Party'),
  'cargo:otherIdentifiers': otherIdentifier,
})

const event = v.strictObject({
  '@id': iri,
  '@type': v.literal('cargo:LogisticsEvent'),
  'cargo:eventDate': dateTime,
  'cargo:creationDate': dateTime,
  'cargo:eventCode': code,
  'cargo:eventName': v.string(),
  'cargo:eventTimeType': v.strictObject({
    '@id': v.literal('cargo:ACTUAL'),
    '@type': v.literal('cargo:EventTimeType'),
  }),
  'cargo:eventFor': link('Piece'),
  'cargo:eventLocation': v.exactOptional(link('Location')),
  'cargo:recordingOrganization': v.exactOptional(link('Organization')),
  'cargo:externalReferences': v.exactOptional(some(link('ExternalReference'))),
  'cargo:involvedParties': v.exactOptional(party),
})

const piece = v.strictObject({
  '@id': iri,
  '@type': v.literal('cargo:Piece'),
  'cargo:upid': v.exactOptional(v.string()),
  'cargo:otherIdentifiers': v.exactOptional(some(otherIdentifier)),
  'cargo:ofShipment': v.exactOptional(link('Shipment')),
})

const shipment = v.strictObject({
  '@id': iri,
  '@type': v.literal('cargo:Shipment'),
  'cargo:pieces': some(link('Piece')),
  'cargo:waybill': link('Waybill'),
})

const waybill = v.strictObject({
  '@id': iri,
  '@type': v.literal('cargo:Waybill'),
  'cargo:waybillPrefix': v.exactOptional(v.string()),
  'cargo:waybillNumber': v.exactOptional(v.string()),
  'cargo:shippingRefNo': v.exactOptional(v.string()),
  'cargo:shipment': link('Shipment'),
})

const address = v.strictObject({
  '@id': iri,
  '@type': v.literal('cargo:Address'),
  'cargo:streetAddressLines': v.exactOptional(v.string()),
  'cargo:cityName': v.exactOptional(v.string()),
  'cargo:textualPostCode': v.exactOptional(v.string()),
  'cargo:country': v.exactOptional(code),
})

const geolocation = v.strictObject({
  '@id': iri,
  '@type': v.literal('cargo:Geolocation'),
  'cargo:latitude': v.exactOptional(double),
  'cargo:longitude': v.exactOptional(double),
})

const location = v.strictObject({
  '@id': iri,
  '@type': v.literal('cargo:Location'),
  'cargo:locationName': v.exactOptional(v.string()),
  'cargo:locationCodes': v.exactOptional(some(code)),
  'cargo:address': v.exactOptional(address),
  'cargo:geolocation': v.exactOptional(geolocation),
})

const organization = v.strictObject({
  '@id': iri,
  '@type': v.literal('cargo:Organization'),
  'cargo:name': v.string(),
})

const reference = v.strictObject({
  '@id': iri,
  '@type': v.literal('cargo:ExternalReference'),
  'cargo:documentType': v.picklist(['signature', 'photo']),
  'cargo:documentLink': v.string(),
})

const logisticsObject = v.variant('@type', [piece, shipment, waybill, location, organization, reference])

/**
 * The logistics events of a piece, with the piece and all other linked objects (ONE Record API, Get Logistics
 * Events).
 */
export const collectionSchema = v.strictObject({
  '@context': v.strictObject({
    api: v.literal('https://onerecord.iata.org/ns/api#'),
    cargo: v.literal('https://onerecord.iata.org/ns/cargo#'),
  }),
  '@id': iri,
  '@type': v.literal('api:Collection'),
  'api:hasTotalItems': typed('nonNegativeInteger', /^\d+$/),
  'api:hasItem': v.exactOptional(some(event)),
  '@included': some(logisticsObject),
})

/** The document of the format. */
export type Collection = v.InferOutput<typeof collectionSchema>

/** An event of a piece (data model, `cargo:LogisticsEvent`). */
export type LogisticsEvent = v.InferOutput<typeof event>

/** An object with its own URI, which events link to. */
export type LogisticsObject = v.InferOutput<typeof logisticsObject>

/** The parcel. */
export type Piece = v.InferOutput<typeof piece>

/** What the pieces of an order, or of an air waybill, are together. */
export type Shipment = v.InferOutput<typeof shipment>

/** The document under which a shipment is carried. */
export type Waybill = v.InferOutput<typeof waybill>

/** A place. */
export type Place = v.InferOutput<typeof location>

/** A node within another node, without its own URI. */
export type Embedded = v.InferOutput<typeof otherIdentifier>

/** A link to a code. */
export type CodeLink = v.InferOutput<typeof code>

/** A literal of type `xsd:dateTime`. */
export type DateTime = v.InferOutput<typeof dateTime>

/** A literal of type `xsd:double`. */
export type Double = v.InferOutput<typeof double>
