import * as v from 'valibot'
import { isObject, type Members } from '../../engine/index.ts'
import type { Thing } from './schema.ts'

/** The option that asks for a document which another server takes as a new Thing. */
export const optionsSchema = v.strictObject({ as: v.exactOptional(v.picklist(['insert'])) })

const described = { name: v.string(), description: v.string() }
const properties = v.record(v.string(), v.unknown())
const place = { ...described, encodingType: v.string(), properties }

const observationSchema = v.strictObject({
  phenomenonTime: v.string(),
  resultTime: v.string(),
  result: v.string(),
  parameters: properties,
  FeatureOfInterest: v.strictObject({ ...place, feature: v.unknown() }),
})

/** A Thing with all that belongs to it, without ids and links (18-088, 10.2.1.2). */
export const insertSchema = v.strictObject({
  ...described,
  properties,
  Locations: v.array(v.strictObject({ ...place, location: v.unknown() })),
  Datastreams: v.array(
    v.strictObject({
      ...described,
      observationType: v.string(),
      unitOfMeasurement: v.strictObject({ name: v.null(), symbol: v.null(), definition: v.null() }),
      Sensor: v.strictObject({ ...described, encodingType: v.string(), metadata: v.string(), properties }),
      ObservedProperty: v.strictObject({ ...described, definition: v.string() }),
      Observations: v.array(observationSchema),
    }),
  ),
})

/** A Thing for another server. */
export type InsertedThing = v.InferOutput<typeof insertSchema>

/**
 * What the other server gives itself: the history of Locations, and what is known of all Observations of a Datastream. It
 * would make a HistoricalLocation of each Location once more.
 */
const given = new Set(['HistoricalLocations'])

/** The document as a deep insert. */
export function insertOf(thing: Thing): InsertedThing {
  const { Datastreams, ...rest } = thing
  const streams = Datastreams.map(({ phenomenonTime: _, resultTime: __, ...stream }) => stream)
  return own({ ...rest, Datastreams: streams }) as InsertedThing
}

/** A value without ids, links and what the other server gives itself. */
function own(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(own)
  if (!isObject(value)) return value
  if (isNowhere(value)) return { ...(own(withoutPlace(value)) as object), ...inWords(value) }
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      name.includes('@iot.') || given.has(name) ? [] : [[name, name === 'properties' ? member : own(member)]],
    ),
  )
}

/** Servers read the geometry of a feature, so a place without coordinates is in words (18-088 leaves other encodings open). */
function isNowhere({ feature, location }: Members): boolean {
  const place = feature ?? location
  return isObject(place) && place.type === 'Feature' && place.geometry === null
}

function withoutPlace({ feature: _, location: __, encodingType: ___, ...rest }: Members): Members {
  return rest
}

function inWords({ name, feature }: Members): Members {
  return { encodingType: 'text/plain', [feature === undefined ? 'location' : 'feature']: name }
}
