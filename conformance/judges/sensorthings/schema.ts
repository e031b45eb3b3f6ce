const text = { type: 'string', minLength: 1 }
const uri = { type: 'string', pattern: "^[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9._~:/?#\\[\\]@!$&'()*+,;=%-]+$" }
const link = { type: 'string', pattern: '^https?://[^\\s]+$' }
const instant = { type: 'string', format: 'date-time' }
const interval = { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[^/]+/[0-9]{4}-[0-9]{2}-[0-9]{2}T[^/]+$' }
const properties = { type: 'object' }
const geoJson = { enum: ['application/geo+json'] }
const own = (name: string) => ({ $ref: `#/definitions/${name}` })
const many = (name: string) => ({ type: 'array', items: own(name) })

type Members = Readonly<Record<string, object>>

/**
 * An entity: its control information, its members, and for every relation either what is expanded or the link to it
 * (18-088, tables 1 and 2).
 */
function entity(members: Members, relations: Members, optional: Members = {}): object {
  const links = Object.keys(relations).map((name) => [name, `${name}@iot.navigationLink`] as const)
  return {
    type: 'object',
    required: ['@iot.id', '@iot.selfLink', ...Object.keys(members)],
    properties: {
      '@iot.id': { anyOf: [{ type: 'string' }, { type: 'integer' }] },
      '@iot.selfLink': link,
      ...members,
      ...optional,
      ...relations,
      ...Object.fromEntries(links.map(([, name]) => [name, link])),
      ...Object.fromEntries(Object.keys(relations).flatMap(pageMembers)),
    },
    additionalProperties: false,
    allOf: links.map((names) => ({
      oneOf: names.map((name) => ({ required: [name], properties: { [name]: {} } })),
    })),
  }
}

/** What an expanded list may say beside its entities (18-088, 9.3.2.1 and 9.3.3). */
function pageMembers(relation: string): readonly (readonly [string, object])[] {
  return [
    [`${relation}@iot.count`, { type: 'integer', minimum: 0 }],
    [`${relation}@iot.nextLink`, link],
  ]
}

const named = { name: text, description: text }
const point = {
  type: 'object',
  required: ['type', 'coordinates'],
  properties: {
    type: { const: 'Point' },
    coordinates: { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 3 },
  },
  additionalProperties: false,
}
const feature = {
  type: 'object',
  required: ['type', 'geometry', 'properties'],
  properties: {
    type: { const: 'Feature' },
    geometry: { oneOf: [point, { type: 'null' }] },
    properties: { anyOf: [{ type: 'object' }, { type: 'null' }] },
  },
  additionalProperties: false,
}
/** The two kinds of GeoJSON that a place may be (RFC 7946, 3.1.2 and 3.2). */
const place = { oneOf: [point, feature] }
const unit = { anyOf: [{ type: 'string' }, { type: 'null' }] }
const unitOfMeasurement = {
  type: 'object',
  required: ['name', 'symbol', 'definition'],
  properties: { name: unit, symbol: unit, definition: unit },
  additionalProperties: false,
}
const observationType = {
  enum: ['CategoryObservation', 'CountObservation', 'Measurement', 'Observation', 'TruthObservation'].map(
    (name) => `http://www.opengis.net/def/observationType/OGC-OM/2.0/OM_${name}`,
  ),
}

/** The entities of the sensing part, of the facts of tables 3 to 20 of 18-088. */
const definitions: Members = {
  Thing: entity(
    named,
    { Locations: many('Location'), HistoricalLocations: many('HistoricalLocation'), Datastreams: many('Datastream') },
    { properties },
  ),
  Location: entity(
    { ...named, encodingType: geoJson, location: place },
    { Things: many('Thing'), HistoricalLocations: many('HistoricalLocation') },
    { properties },
  ),
  HistoricalLocation: entity({ time: instant }, { Thing: own('Thing'), Locations: many('Location') }),
  Datastream: entity(
    { ...named, unitOfMeasurement, observationType },
    {
      Thing: own('Thing'),
      Sensor: own('Sensor'),
      ObservedProperty: own('ObservedProperty'),
      Observations: many('Observation'),
    },
    { observedArea: place, phenomenonTime: interval, resultTime: interval, properties },
  ),
  Sensor: entity({ ...named, encodingType: text, metadata: {} }, { Datastreams: many('Datastream') }, { properties }),
  ObservedProperty: entity({ ...named, definition: uri }, { Datastreams: many('Datastream') }, { properties }),
  Observation: entity(
    {
      phenomenonTime: { oneOf: [instant, interval] },
      result: {},
      resultTime: { oneOf: [instant, { type: 'null' }] },
    },
    { Datastream: own('Datastream'), FeatureOfInterest: own('FeatureOfInterest') },
    { resultQuality: {}, validTime: interval, parameters: { type: 'object' } },
  ),
  FeatureOfInterest: entity(
    { ...named, encodingType: geoJson, feature: place },
    { Observations: many('Observation') },
    { properties },
  ),
}

/** A Thing, with more or less of what belongs to it expanded. */
export const thingSchema: object = { ...own('Thing'), definitions }

/** An entity of a set. */
export function entitySchemas(set: string): object {
  const kind = { ObservedProperties: 'ObservedProperty', FeaturesOfInterest: 'FeatureOfInterest' }[set]
  return { ...own(kind ?? set.replace(/s$/, '')), definitions }
}
