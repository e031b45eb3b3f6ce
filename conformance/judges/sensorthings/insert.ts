const text = { type: 'string', minLength: 1 }
const instant = { type: 'string', format: 'date-time' }
const nothing = { type: 'null' }
const list = (items: object) => ({ type: 'array', items })

/** An entity of a deep insert: without control information, which the other server gives (18-088, 10.2.1.2). */
function entity(members: Readonly<Record<string, object>>): object {
  return {
    type: 'object',
    required: Object.keys(members),
    properties: { ...members, properties: { type: 'object' }, parameters: { type: 'object' } },
    additionalProperties: false,
  }
}

const named = { name: text, description: text }
const encoded = { ...named, encodingType: text }
const unit = {
  type: 'object',
  required: ['name', 'symbol', 'definition'],
  properties: { name: nothing, symbol: nothing, definition: nothing },
  additionalProperties: false,
}
const feature = entity({ ...encoded, feature: {} })
const observation = entity({ phenomenonTime: instant, resultTime: instant, result: text, FeatureOfInterest: feature })
const sensor = entity({ ...encoded, metadata: text })
const property = entity({ ...named, definition: text })

/** A Thing with all that another server makes with it. */
export const insertedThingSchema = entity({
  ...named,
  Locations: list(entity({ ...encoded, location: {} })),
  Datastreams: list(
    entity({
      ...named,
      observationType: text,
      unitOfMeasurement: unit,
      Sensor: sensor,
      ObservedProperty: property,
      Observations: list(observation),
    }),
  ),
})
