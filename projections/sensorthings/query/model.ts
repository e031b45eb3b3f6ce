import { relations } from '../graph.ts'
import type { SetName } from '../links.ts'
import type { ValueType } from './values.ts'

type Properties = Readonly<Record<string, ValueType>>

const named: Properties = { name: 'text', description: 'text', properties: 'any' }
const placed: Properties = { ...named, encodingType: 'text' }

/** The properties of each kind of entity and their types (18-088, tables 3 to 20), in the order in which they are written. */
const properties: Readonly<Record<SetName, Properties>> = {
  Things: named,
  Locations: { ...placed, location: 'shape' },
  HistoricalLocations: { time: 'instant' },
  Datastreams: {
    ...named,
    observationType: 'text',
    unitOfMeasurement: 'any',
    observedArea: 'shape',
    phenomenonTime: 'instant',
    resultTime: 'instant',
  },
  Sensors: { ...placed, metadata: 'any' },
  ObservedProperties: { ...named, definition: 'text' },
  Observations: {
    phenomenonTime: 'instant',
    resultTime: 'instant',
    result: 'any',
    resultQuality: 'any',
    validTime: 'instant',
    parameters: 'any',
  },
  FeaturesOfInterest: { ...placed, feature: 'shape' },
}

/** Names of the control information in expressions; `id` and `selfLink` are the short ones. */
const control: Readonly<Record<string, string>> = {
  '@iot.id': '@iot.id',
  id: '@iot.id',
  '@iot.selfLink': '@iot.selfLink',
  selfLink: '@iot.selfLink',
}

/** What a name means in a kind of entity: a property with its type, or a relation with its target. */
export type Meaning =
  | { readonly property: string; readonly type: ValueType }
  | { readonly relation: string; readonly set: SetName; readonly isMany: boolean }

/** The meaning of a name in a kind of entity; undefined if it has none. */
export function meaningOf(set: SetName, name: string): Meaning | undefined {
  if (Object.hasOwn(control, name)) return { property: control[name] ?? name, type: 'text' }
  const type = Object.hasOwn(properties[set], name) ? properties[set][name] : undefined
  if (type !== undefined) return { property: name, type }
  const relation = Object.hasOwn(relations[set], name) ? relations[set][name] : undefined
  return relation && { relation: name, set: relation.set, isMany: isSetName(name) }
}

/** The names that a kind of entity has. */
export function namesOf(set: SetName): readonly string[] {
  return [...Object.keys(properties[set]), ...Object.keys(relations[set]), ...Object.keys(control)]
}

/** Whether a name is that of a set. */
export function isSetName(name: string): name is SetName {
  return Object.hasOwn(relations, name)
}
