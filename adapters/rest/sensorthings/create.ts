import {
  type Context,
  call,
  EngineError,
  type Finding,
  isEngineError,
  isObject,
  otepIngest,
  readVisible,
  requireScopes,
  type Subject,
} from '../../../engine/index.ts'
import type { Node } from '../../../projections/sensorthings/graph.ts'
import { partsOfId } from '../../../projections/sensorthings/links.ts'
import { createReadings } from './create-readings.ts'
import { seriesNamed } from './measured.ts'
import { checked, type ObservationInput, orRefusal, positionIn, refused, type Stream } from './observation-input.ts'
import { sourceFor } from './source.ts'

/**
 * Creates an Observation in a Datastream, and returns it. Those of a status are events of the caller, a provider; they come in
 * through the same door as all events. Throws `invalid_input` and the refusals of events.
 */
export async function createObservation(context: Context, datastream: string, body: unknown): Promise<Node> {
  const [made] = await createObservations(context, datastream, [body])
  if (made === undefined || isEngineError(made)) throw made ?? new EngineError('resource_not_found')
  return made
}

/** Creates Observations in a Datastream: each, or why it is refused. Throws what concerns all of them. */
export async function createObservations(
  context: Context,
  datastream: string,
  bodies: readonly unknown[],
): Promise<readonly (Node | EngineError)[]> {
  requireScopes(context, ['otep:ingest'])
  const [thing, own] = partsOfId(datastream) ?? []
  if (thing === undefined || own === undefined || own === '') throw new EngineError('resource_not_found')
  const series = seriesNamed(own)
  if (series !== undefined) return createReadings(context, { thing, own }, series, bodies)
  const made: (Node | EngineError)[] = []
  for (const body of bodies) {
    await context.pause()
    made.push(await orRefusal(async () => createStatus(context, { thing, own }, checked(body))))
  }
  return made
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
  return { location: { name: place.name, ...positionIn(place) } }
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
