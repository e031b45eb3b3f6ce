import * as v from 'valibot'

const text = v.string()
const control = { '@iot.id': text, '@iot.selfLink': text }
const named = { name: text, description: text }
const optional = v.exactOptional(text)
const words = v.strictObject({ id: text, action: text, biz_step: optional, disposition: optional })

const placeSchema = v.strictObject({
  name: optional,
  unlocode: optional,
  gln: optional,
  latitude: v.exactOptional(v.number()),
  longitude: v.exactOptional(v.number()),
  address: v.exactOptional(
    v.strictObject({
      street: optional,
      locality: optional,
      region: optional,
      postal_code: optional,
      country: optional,
    }),
  ),
})

/** GeoJSON (RFC 7946): a point, or a feature without geometry if the coordinates are not known. */
const geoJsonSchema = v.union([
  v.strictObject({ type: v.literal('Point'), coordinates: v.strictTuple([v.number(), v.number()]) }),
  v.strictObject({ type: v.literal('Feature'), geometry: v.null(), properties: v.strictObject({}) }),
])

const geoJson = v.literal('application/geo+json')

const locationSchema = v.strictObject({
  ...control,
  ...named,
  encodingType: geoJson,
  location: geoJsonSchema,
  properties: placeSchema,
  'Things@iot.navigationLink': text,
  'HistoricalLocations@iot.navigationLink': text,
})

const historicalLocationSchema = v.strictObject({
  ...control,
  time: text,
  'Thing@iot.navigationLink': text,
  Locations: v.array(locationSchema),
})

const sensorSchema = v.strictObject({
  ...control,
  ...named,
  encodingType: v.literal('text/plain'),
  metadata: text,
  properties: v.strictObject({ type: optional, provider: optional }),
  'Datastreams@iot.navigationLink': text,
})

const observedPropertySchema = v.strictObject({
  ...control,
  ...named,
  definition: text,
  'Datastreams@iot.navigationLink': text,
})

const featureOfInterestSchema = v.strictObject({
  ...control,
  ...named,
  encodingType: geoJson,
  feature: geoJsonSchema,
  properties: placeSchema,
  'Observations@iot.navigationLink': text,
})

/** The members of an event beside its time, code and place. */
const parametersSchema = v.strictObject({
  event_id: text,
  otep_version: text,
  status_code: text,
  phase: text,
  source: v.exactOptional(
    v.strictObject({ type: text, provider: optional, code: optional, event: v.exactOptional(words) }),
  ),
  incident_reason: optional,
  description: optional,
  pod: v.exactOptional(
    v.strictObject({
      recipient: optional,
      signed_at: optional,
      signature_url: optional,
      photo_urls: v.exactOptional(v.pipe(v.array(text), v.readonly())),
      note: optional,
    }),
  ),
  estimated_delivery_at: optional,
  estimated_delivery_from: optional,
  synthesized: v.exactOptional(v.boolean()),
  inherited_from: optional,
})

const observationSchema = v.strictObject({
  ...control,
  phenomenonTime: text,
  resultTime: text,
  result: text,
  parameters: parametersSchema,
  'Datastream@iot.navigationLink': text,
  FeatureOfInterest: featureOfInterestSchema,
})

const datastreamSchema = v.strictObject({
  ...control,
  ...named,
  observationType: v.literal('http://www.opengis.net/def/observationType/OGC-OM/2.0/OM_CategoryObservation'),
  unitOfMeasurement: v.strictObject({ name: v.null(), symbol: v.null(), definition: v.null() }),
  phenomenonTime: text,
  resultTime: text,
  'Thing@iot.navigationLink': text,
  Sensor: sensorSchema,
  ObservedProperty: observedPropertySchema,
  Observations: v.array(observationSchema),
})

/** The document: a Thing with all its related entities expanded (18-088, clause 8). */
export const thingSchema = v.strictObject({
  ...control,
  ...named,
  properties: v.strictObject({
    otep_version: text,
    profile: text,
    subject: v.strictObject({
      tracking_number: optional,
      external_tracking_number: optional,
      gs1_sscc: optional,
      piece_id: optional,
      package_id: v.exactOptional(v.number()),
      order_id: v.exactOptional(v.number()),
    }),
    current_status: optional,
    delivered: v.boolean(),
  }),
  Locations: v.array(locationSchema),
  HistoricalLocations: v.array(historicalLocationSchema),
  Datastreams: v.array(datastreamSchema),
})

/** The tracked parcel. */
export type Thing = v.InferOutput<typeof thingSchema>

/** Its current place. */
export type Location = v.InferOutput<typeof locationSchema>

/** When it arrived at a place. */
export type HistoricalLocation = v.InferOutput<typeof historicalLocationSchema>

/** The Observations of one source. */
export type Datastream = v.InferOutput<typeof datastreamSchema>

/** One event. */
export type Observation = v.InferOutput<typeof observationSchema>

/** The place of an event. */
export type FeatureOfInterest = v.InferOutput<typeof featureOfInterestSchema>

/** The remaining members of an event. */
export type Parameters = v.InferOutput<typeof parametersSchema>

/** A place in GeoJSON. */
export type GeoJson = v.InferOutput<typeof geoJsonSchema>
