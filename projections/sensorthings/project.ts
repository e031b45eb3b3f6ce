import { mapInSteps, type Target, type Timeline, visitInSteps } from '../../engine/index.ts'
import { nameOf } from '../shared/subject.ts'
import {
  documentsInSteps,
  flag,
  joined,
  list,
  object,
  only,
  type Plain,
  type Prepared,
  plain,
  ready,
  streamedList,
  text,
  within,
} from '../shared/template/index.ts'
import { codeUri } from './codes.ts'
import { datastream, type Stream, streamsOf } from './datastreams.ts'
import { idWithin, keyOf, linkTo, rootUrl, thingIdOf, uniqueIds } from './links.ts'
import { subject } from './members.ts'
import type { ObservationInput } from './observations.ts'
import { placesOf } from './places.ts'
import type { HistoricalLocation, Location, Thing } from './schema.ts'

/** When it arrived at a place. */
interface Move {
  readonly id: string
  readonly link: Plain
  readonly time: string
  readonly location: Prepared<Location>
}

const historicalLocation = object<Move, HistoricalLocation>({
  '@iot.id': text(({ id }) => id),
  '@iot.selfLink': plain(({ link }) => link),
  time: text(({ time }) => time),
  'Thing@iot.navigationLink': plain(({ link }) => joined(link, '/Thing')),
  Locations: only(ready(({ location }) => location)),
})

const properties = object<Timeline, Thing['properties']>({
  otep_version: text(({ otep_version }) => otep_version),
  profile: text(({ profile }) => profile),
  subject: within((timeline) => timeline.subject, subject),
  current_status: text(({ current_status }) => current_status),
  delivered: flag(({ delivered }) => delivered),
})

/** The input of a document. */
interface ThingInput {
  readonly timeline: Timeline
  readonly root: Plain
  readonly id: string
  readonly kind: string
  readonly name: string
  readonly moves: readonly Move[]
  readonly streams: readonly Stream[]
}

/**
 * The parcel as a Thing (18-088, clause 8): events are Observations of its status, one Datastream for each source; its
 * Location is where it was last seen, and every move is a HistoricalLocation.
 */
const thing = object<ThingInput, Thing>({
  '@iot.id': text(({ id }) => id),
  '@iot.selfLink': plain(({ root, id }) => linkTo(root, 'Things', id)),
  name: text(({ name }) => name),
  description: text(({ kind, name }) => `What is tracked under the ${kind} ${name}.`),
  properties: within(({ timeline }) => timeline, properties),
  Locations: list(
    ({ moves }) => moves.slice(-1),
    ready(({ location }: Move) => location),
  ),
  HistoricalLocations: streamedList(({ moves }) => moves, historicalLocation),
  Datastreams: streamedList(({ streams }) => streams, datastream),
})

/** The timeline as a Thing with all its related entities. */
export const documents = documentsInSteps(thingInput, thing)

function* thingInput(timeline: Timeline, target: Target): Generator<void, ThingInput> {
  const root = rootUrl(target)
  const id = thingIdOf(target, timeline.subject)
  const { kind, value } = nameOf(timeline.subject)
  const observations = yield* observationInputs(root, id, timeline)
  return {
    timeline,
    root,
    id,
    kind,
    name: value.toWellFormed(),
    moves: yield* movesOf(root, observations),
    streams: yield* streamsOf({ root, thing: id, profile: timeline.profile }, observations),
  }
}

function* observationInputs(
  root: Plain,
  thing: string,
  { profile, events }: Timeline,
): Generator<void, readonly ObservationInput[]> {
  const idOf = uniqueIds()
  const placeOf = placesOf(root, thing)
  return yield* mapInSteps(events, (event) => {
    const id = idWithin(thing, idOf(event.event_id))
    const result = codeUri(profile, event.status_code)
    return { root, event, id, key: keyOf(id), result, place: placeOf(event.location) }
  })
}

/** The first events at each new place. */
function* movesOf(root: Plain, observations: readonly ObservationInput[]): Generator<void, readonly Move[]> {
  const moves: Move[] = []
  yield* visitInSteps(observations, ({ event, id, key, place: { location } }) => {
    if (location === undefined || location === moves.at(-1)?.location) return
    moves.push({ id, link: joined(root, '/HistoricalLocations', key), time: event.occurred_at, location })
  })
  return moves
}
