import * as v from 'valibot'
import {
  type Context,
  call,
  EngineError,
  type Finding,
  isObject,
  otepIngest,
  parse,
  readVisible,
  requireScopes,
  type Subject,
} from '../../../engine/index.ts'
import type { Node } from '../../../projections/sensorthings/graph.ts'
import { partsOfId } from '../../../projections/sensorthings/links.ts'
import { sourceFor } from './source.ts'

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
  result: v.union([v.string(), v.number(), v.boolean()]),
  parameters: optional(properties),
  Datastream: optional(link),
  FeatureOfInterest: optional(v.union([link, feature])),
})

/** An Observation as a client creates it. */
export type ObservationInput = v.InferOutput<typeof observationInput>

/** What a Datastream is of: its Thing, and what it has within that. */
interface Stream {
  readonly thing: string
  readonly own: string
}

/**
 * Creates an Observation in a Datastream, and returns it. Those of a status are events of the caller, a provider; they come in
 * through the same door as all events. Throws `invalid_input` and the refusals of events.
 */
export async function createObservation(context: Context, datastream: string, body: unknown): Promise<Node> {
  requireScopes(context, ['otep:ingest'])
  const input = checked(body)
  const [thing, own] = partsOfId(datastream) ?? []
  if (thing === undefined || own === undefined || own === '') throw new EngineError('resource_not_found')
  return createStatus(context, { thing, own }, input)
}

/** The checked body of an Observation. */
function checked(body: unknown): ObservationInput {
  const { value, findings } = parse(observationInput, body)
  if (value === undefined) throw refused(findings)
  return value
}

function refused(findings: readonly Finding[]): EngineError {
  return new EngineError('invalid_input', { count: findings.length }, findings)
}

async function createStatus(context: Context, { thing, own }: Stream, input: ObservationInput): Promise<Node> {
  const { name, timeline } = await readVisible(context, thing)
  const { subject, profile } = timeline
  const [type = '', provider = context.caller.name] = own.split(':')
  const event = {
    ...eventMembers(input.parameters),
    status_code: codeIn(input.result, profile),
    occurred_at: input.phenomenonTime ?? new Date(context.clock()).toISOString(),
    source: { type, provider },
    ...(await placeIn(context, input)),
  }
  const event_id = await ingested(context, subject, profile, event)
  const found = await sourceFor(context).find('Things', name)
  const made = observationsOf(found).find(({ entity }) => eventIdOf(entity) === event_id)
  if (made === undefined) throw new EngineError('resource_not_found')
  return made
}

/** The members of an event that parameters of an Observation may give; they are checked with it. */
function eventMembers(parameters: ObservationInput['parameters'] = {}): object {
  const { status_code: _, phase: __, source: ___, ...members } = parameters
  return members
}

/** The code in a result such as `otep:parcel:delivered`, of the profile of the timeline. */
function codeIn(result: ObservationInput['result'], profile: string): string {
  const [, of, code] = /^otep:([^:]+):([^:]+)$/.exec(String(result)) ?? []
  if (of !== encodeURIComponent(profile) || code === undefined)
    throw refused([{ path: 'result', code: 'bad_pattern', params: { expected: `otep:${profile}:CODE` } }])
  return decodeURIComponent(code)
}

async function placeIn(context: Context, { FeatureOfInterest: place }: ObservationInput): Promise<object> {
  if (place === undefined) return {}
  if ('@iot.id' in place) {
    const { entity } = await sourceFor(context).find('FeaturesOfInterest', place['@iot.id'])
    return isObject(entity.properties) ? { location: entity.properties } : {}
  }
  const { name, feature: geoJson } = place
  const [longitude, latitude] = ('geometry' in geoJson ? geoJson.geometry : geoJson).coordinates
  return { location: { name, latitude, longitude } }
}

async function ingested(context: Context, subject: Subject, profile: string, event: object): Promise<string> {
  const { data } = (await call(otepIngest, context, {
    document: { profile, subject, events: [event] },
  })) as unknown as {
    readonly data: { readonly events: readonly { readonly event_id?: string; readonly errors?: readonly Finding[] }[] }
  }
  const [outcome] = data.events
  if (outcome?.event_id === undefined || (outcome.errors ?? []).length > 0) throw refused(outcome?.errors ?? [])
  return outcome.event_id
}

function observationsOf(thing: Node): readonly Node[] {
  return [...(thing.related.get('Datastreams') ?? [])].flatMap((stream) => [
    ...(stream.related.get('Observations') ?? []),
  ])
}

function eventIdOf({ parameters }: Node['entity']): unknown {
  return isObject(parameters) ? parameters.event_id : undefined
}
