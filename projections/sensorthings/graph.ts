import type { Control, SetName } from './links.ts'
import type { Thing } from './schema.ts'

/** The target of a relation, and its name. */
interface Relation {
  readonly set: SetName
  readonly inverse: string
}

/**
 * The relations of each set (18-088, figure 2 and tables 3 to 20); a relation to several entities has the name of a
 * set.
 */
export const relations: Readonly<Record<SetName, Readonly<Record<string, Relation>>>> = {
  Things: {
    Locations: { set: 'Locations', inverse: 'Things' },
    HistoricalLocations: { set: 'HistoricalLocations', inverse: 'Thing' },
    Datastreams: { set: 'Datastreams', inverse: 'Thing' },
  },
  Locations: {
    Things: { set: 'Things', inverse: 'Locations' },
    HistoricalLocations: { set: 'HistoricalLocations', inverse: 'Locations' },
  },
  HistoricalLocations: {
    Thing: { set: 'Things', inverse: 'HistoricalLocations' },
    Locations: { set: 'Locations', inverse: 'HistoricalLocations' },
  },
  Datastreams: {
    Thing: { set: 'Things', inverse: 'Datastreams' },
    Sensor: { set: 'Sensors', inverse: 'Datastreams' },
    ObservedProperty: { set: 'ObservedProperties', inverse: 'Datastreams' },
    Observations: { set: 'Observations', inverse: 'Datastream' },
  },
  Sensors: { Datastreams: { set: 'Datastreams', inverse: 'Sensor' } },
  ObservedProperties: { Datastreams: { set: 'Datastreams', inverse: 'ObservedProperty' } },
  Observations: {
    Datastream: { set: 'Datastreams', inverse: 'Observations' },
    FeatureOfInterest: { set: 'FeaturesOfInterest', inverse: 'Observations' },
  },
  FeaturesOfInterest: { Observations: { set: 'Observations', inverse: 'FeatureOfInterest' } },
}

/** An entity in the document; expanded entities are members with the names of the relations. */
export type Entity = Control & Readonly<Record<string, unknown>>

/** An entity and its related entities. */
export interface Node {
  readonly set: SetName
  readonly entity: Entity
  readonly related: Map<string, Set<Node>>
}

/** Every entity by its set and id. */
export type Graph = Readonly<Record<SetName, Map<string, Node>>>

/** All entities of a document with their relations in both directions. */
export function graphOf(thing: Thing): Graph {
  const graph: Graph = {
    Things: new Map(),
    Locations: new Map(),
    HistoricalLocations: new Map(),
    Datastreams: new Map(),
    Sensors: new Map(),
    ObservedProperties: new Map(),
    Observations: new Map(),
    FeaturesOfInterest: new Map(),
  }
  place(graph, 'Things', thing)
  return graph
}

/** The related entities of a node, by the name of the relation. */
export function relatedTo(node: Node, relation: string): readonly Node[] {
  return [...(node.related.get(relation) ?? [])]
}

/** An entity by itself, with nothing expanded and no links to related entities. */
export function ownMembers({ set, entity }: Node): Entity {
  const own = Object.entries(entity).filter(
    ([key]) => !Object.hasOwn(relations[set], key.replace('@iot.navigationLink', '')),
  )
  return Object.fromEntries(own) as Entity
}

function place(graph: Graph, set: SetName, entity: Entity): Node {
  const known = graph[set].get(entity['@iot.id'])
  const node = known ?? { set, entity, related: new Map() }
  graph[set].set(entity['@iot.id'], node)
  for (const [name, relation] of Object.entries(relations[set])) {
    for (const other of expanded(entity[name])) {
      const target = place(graph, relation.set, other)
      relate(node, name, target)
      relate(target, relation.inverse, node)
    }
  }
  return node
}

function expanded(value: unknown): readonly Entity[] {
  if (value === undefined) return []
  return (Array.isArray(value) ? value : [value]) as readonly Entity[]
}

function relate(from: Node, name: string, to: Node): void {
  const known = from.related.get(name)
  if (known === undefined) from.related.set(name, new Set([to]))
  else known.add(to)
}
