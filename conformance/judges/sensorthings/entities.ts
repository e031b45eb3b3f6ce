/** An entity of a document, with what is expanded in it. */
export interface Entity {
  readonly '@iot.id': string
  readonly '@iot.selfLink': string
  readonly [member: string]: unknown
}

/** An entity and the set that it belongs to. */
export interface Member {
  readonly set: string
  readonly entity: Entity
}

/** The target set of each relation (18-088, table 2); there are no other relations. */
export const setOf: Readonly<Record<string, string>> = {
  Things: 'Things',
  Thing: 'Things',
  Locations: 'Locations',
  HistoricalLocations: 'HistoricalLocations',
  Datastreams: 'Datastreams',
  Datastream: 'Datastreams',
  Sensor: 'Sensors',
  ObservedProperty: 'ObservedProperties',
  Observations: 'Observations',
  FeatureOfInterest: 'FeaturesOfInterest',
}

/** Every entity of a document, as often as it occurs. */
export function entitiesIn(set: string, entity: Entity): readonly Member[] {
  const below = Object.entries(setOf).flatMap(([relation, target]) =>
    relatedIn(entity, relation).flatMap((other) => entitiesIn(target, other)),
  )
  return [{ set, entity }, ...below]
}

/** What is expanded in an entity under a relation. */
export function relatedIn(entity: Entity, relation: string): readonly Entity[] {
  const value = entity[relation]
  if (value === undefined) return []
  return (Array.isArray(value) ? value : [value]) as readonly Entity[]
}
