import { instantOf, type Source, type Timeline } from '../../engine/index.ts'
import { segment } from '../shared/subject.ts'
import { linkTo } from './links.ts'
import type { Datastream, Observation } from './schema.ts'

/** What one source says: its Observations in order, and when the first and the last of them came to be known. */
interface Told {
  readonly source: Source | undefined
  readonly observations: Observation[]
  earliest: string
  latest: string
}

/** Sorts Observations by their source, because a Datastream has one Sensor (18-088, 8.2.4). */
export function tellers(): {
  readonly tell: (source: Source | undefined, observation: Observation) => void
  readonly datastreams: (root: string, timeline: Timeline) => Datastream[]
} {
  const told = new Map<string, Told>()
  const tell = (source: Source | undefined, observation: Observation) => {
    const id = idOf(source)
    const { resultTime } = observation
    const known = told.get(id)
    if (known === undefined) {
      told.set(id, { source, observations: [observation], earliest: resultTime, latest: resultTime })
      return
    }
    known.observations.push(observation)
    if (instantOf(resultTime) < instantOf(known.earliest)) known.earliest = resultTime
    if (instantOf(resultTime) > instantOf(known.latest)) known.latest = resultTime
  }
  const datastreams = (root: string, { profile }: Timeline) =>
    Array.from(told, ([id, one]) => datastreamOf(root, profile, id, one))
  return { tell, datastreams }
}

/** `carrier_tracking:acme`; a type has no colon, being a word of a closed list. */
function idOf(source: Source | undefined): string {
  if (source === undefined) return 'unknown'
  const { type, provider } = source
  return provider === undefined ? segment(type) : `${segment(type)}:${provider.toWellFormed()}`
}

function datastreamOf(root: string, profile: string, id: string, told: Told): Datastream {
  const { source, observations, earliest, latest } = told
  const link = linkTo(root, 'Datastreams', id)
  const sensor = linkTo(root, 'Sensors', id)
  const property = linkTo(root, 'ObservedProperties', 'status')
  const name = source?.provider ?? source?.type ?? 'Unknown source'
  return {
    '@iot.id': id,
    '@iot.selfLink': link,
    name: `Status by ${name}`,
    description: 'What one source has told of the status.',
    observationType: 'http://www.opengis.net/def/observationType/OGC-OM/2.0/OM_CategoryObservation',
    unitOfMeasurement: { name: null, symbol: null, definition: null },
    phenomenonTime: `${observations[0]?.phenomenonTime}/${observations.at(-1)?.phenomenonTime}`,
    resultTime: `${earliest}/${latest}`,
    'Thing@iot.navigationLink': `${link}/Thing`,
    Sensor: {
      '@iot.id': id,
      '@iot.selfLink': sensor,
      name,
      description: 'A source of events.',
      encodingType: 'text/plain',
      metadata: source === undefined ? 'The source is not told.' : `A source of the kind ${source.type}.`,
      properties: propertiesOf(source),
      'Datastreams@iot.navigationLink': `${sensor}/Datastreams`,
    },
    ObservedProperty: {
      '@iot.id': 'status',
      '@iot.selfLink': property,
      name: 'Status',
      description: `The status of what is tracked, a code of the profile ${profile}.`,
      definition: `urn:otep:profile:${segment(profile)}`,
      'Datastreams@iot.navigationLink': `${property}/Datastreams`,
    },
    Observations: observations,
  }
}

function propertiesOf(source: Source | undefined): { type?: string; provider?: string } {
  if (source === undefined) return {}
  const { type, provider } = source
  return provider === undefined ? { type } : { type, provider }
}
