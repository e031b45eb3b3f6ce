import * as v from 'valibot'
import { EngineError, type Finding, isEngineError, type Position, parse } from '../../../engine/index.ts'

const optional = v.exactOptional
const properties = v.record(v.string(), v.unknown())
const link = v.strictObject({ '@iot.id': v.string() })
const position = v.strictTuple([
  v.pipe(v.number(), v.minValue(-180), v.maxValue(180)),
  v.pipe(v.number(), v.minValue(-90), v.maxValue(90)),
])
const point = v.strictObject({ type: v.literal('Point'), coordinates: position })
const feature = v.strictObject({
  name: v.string(),
  description: optional(v.string()),
  encodingType: v.picklist(['application/geo+json', 'application/vnd.geo+json']),
  feature: v.union([point, v.object({ type: v.literal('Feature'), geometry: point })]),
  properties: optional(properties),
})

/** An Observation as a client creates it. The server knows when it came, so a `resultTime` of the client is not kept. */
export const observationInput = v.strictObject({
  phenomenonTime: optional(v.string()),
  resultTime: optional(v.nullable(v.string())),
  result: v.union([v.string(), v.number(), v.boolean(), point]),
  parameters: optional(properties),
  Datastream: optional(link),
  FeatureOfInterest: optional(v.union([link, feature])),
})

/** An Observation as a client creates it. */
export type ObservationInput = v.InferOutput<typeof observationInput>

/** What a Datastream is of: its Thing, and what it has within that. */
export interface Stream {
  readonly thing: string
  readonly own: string
}

/** The checked body of an Observation. */
export function checked(body: unknown): ObservationInput {
  const { value, findings } = parse(observationInput, body)
  if (value === undefined) throw refused(findings)
  return value
}

/** The refusal of an Observation. */
export function refused(findings: readonly Finding[]): EngineError {
  return new EngineError('invalid_input', { count: findings.length }, findings)
}

/** The position of a place in GeoJSON, with longitude first. */
export function positionIn({ feature: geoJson }: v.InferOutput<typeof feature>): Position {
  const [longitude, latitude] = ('geometry' in geoJson ? geoJson.geometry : geoJson).coordinates
  return { latitude, longitude }
}

/** What is done, or why it is refused; what nobody expects is thrown. */
export async function orRefusal<Done>(run: () => Promise<Done> | Done): Promise<Done | EngineError> {
  try {
    return await run()
  } catch (error) {
    if (isEngineError(error) && error.code !== 'internal' && error.code !== 'forbidden') return error
    throw error
  }
}
