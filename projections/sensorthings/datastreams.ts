import { isAfter, type Source, visitInSteps } from '../../engine/index.ts'
import { sources } from '../shared/identity.ts'
import { segment } from '../shared/subject.ts'
import { cached, constant, joined, object, type Plain, plain, streamedList, text } from '../shared/template/index.ts'
import { idWithin, linkTo } from './links.ts'
import { type ObservationInput, observation } from './observations.ts'
import type { Datastream } from './schema.ts'

/** The events of one source: its Observations in order, and when the first and the last of them were recorded. */
export interface Stream {
  readonly id: string
  readonly root: Plain
  readonly profile: string
  readonly source: Source | undefined
  readonly observations: ObservationInput[]
  earliest: string
  latest: string
}

type Sensor = Datastream['Sensor']
type ObservedProperty = Datastream['ObservedProperty']

const sensor = object<Stream, Sensor>({
  '@iot.id': text(({ id }) => id),
  '@iot.selfLink': plain(({ root, id }) => linkTo(root, 'Sensors', id)),
  name: text(nameOf),
  description: constant('A source of events.'),
  encodingType: constant('text/plain'),
  metadata: text(({ source }) =>
    source === undefined ? 'The source is not told.' : `A source of the kind ${source.type}.`,
  ),
  properties: object<Stream, Sensor['properties']>({
    type: text(({ source }) => source?.type),
    provider: text(({ source }) => source?.provider),
  }),
  'Datastreams@iot.navigationLink': plain(({ root, id }) => joined(linkTo(root, 'Sensors', id), '/Datastreams')),
})

const observedProperty = object<Stream, ObservedProperty>({
  '@iot.id': text(statusOf),
  '@iot.selfLink': plain((stream) => linkTo(stream.root, 'ObservedProperties', statusOf(stream))),
  name: text(({ profile }) => statusProperty(profile).name),
  description: text(({ profile }) => statusProperty(profile).description),
  definition: text(({ profile }) => statusProperty(profile).definition),
  'Datastreams@iot.navigationLink': plain((stream) =>
    joined(linkTo(stream.root, 'ObservedProperties', statusOf(stream)), '/Datastreams'),
  ),
})

/** What is observed by those who report a status in the words of a profile. */
export function statusProperty(profile: string) {
  return {
    name: 'Status',
    description: `The status of what is tracked, a code of the profile ${profile}.`,
    definition: `urn:otep:profile:${segment(profile)}`,
  }
}

/** Each profile has its own words for a status. */
function statusOf({ profile }: Pick<Stream, 'profile'>): string {
  return `status:${profile.toWellFormed()}`
}

/** The events of one source, as a Datastream (18-088, 8.2.4). */
export const datastream = object<Stream, Datastream>({
  '@iot.id': text(({ id }) => id),
  '@iot.selfLink': plain(({ root, id }) => linkTo(root, 'Datastreams', id)),
  name: text((stream) => `Status by ${nameOf(stream)}`),
  description: constant('What one source has told of the status.'),
  observationType: constant('http://www.opengis.net/def/observationType/OGC-OM/2.0/OM_CategoryObservation'),
  unitOfMeasurement: constant({ name: null, symbol: null, definition: null }),
  phenomenonTime: text(
    ({ observations }) => `${observations[0]?.event.occurred_at}/${observations.at(-1)?.event.occurred_at}`,
  ),
  resultTime: text(({ earliest, latest }) => `${earliest}/${latest}`),
  'Thing@iot.navigationLink': plain(({ root, id }) => joined(linkTo(root, 'Datastreams', id), '/Thing')),
  Sensor: sensor,
  ObservedProperty: observedProperty,
  Observations: streamedList(({ observations }) => observations, observation),
})

function nameOf({ source }: Stream): string {
  return source?.provider ?? source?.type ?? 'Unknown source'
}

/** Groups the events by source, because a Datastream has one Sensor (18-088, 8.2.4). */
export function* streamsOf(
  { root, thing, profile }: Pick<Stream, 'root' | 'profile'> & { readonly thing: string },
  all: readonly ObservationInput[],
): Generator<void, readonly Stream[]> {
  const streams = new Map<string, Stream>()
  yield* visitInSteps(all, (one) => {
    const { source, recorded_at } = one.event
    const id = source === undefined ? 'unknown' : idOf(source)
    const stream = streams.get(id)
    if (stream === undefined) {
      streams.set(id, {
        id: idWithin(thing, id),
        root,
        profile,
        source,
        observations: [one],
        earliest: recorded_at,
        latest: recorded_at,
      })
      return
    }
    stream.observations.push(one)
    if (isAfter(stream.earliest, recorded_at)) stream.earliest = recorded_at
    if (isAfter(recorded_at, stream.latest)) stream.latest = recorded_at
  })
  return [...streams.values()]
}

/** `carrier_tracking:acme`; types are from a closed list and contain no colon. */
const idOf = cached(
  ({ type, provider }: Source) =>
    provider === undefined ? segment(type) : `${segment(type)}:${provider.toWellFormed()}`,
  sources,
)
