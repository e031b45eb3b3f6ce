import type { Timeline } from '../../../engine/index.ts'
import type { Judged } from '../judge.ts'
import { type Entity, entitiesIn, relatedIn } from './entities.ts'
import { linkFaults } from './links.ts'

/** The errors of a Thing that no schema can express (18-088, clause 8; RFC 7946). */
export function faultsOf(thing: Entity, judged: Judged): readonly (string | false)[] {
  try {
    const { timeline } = judged
    return [
      ...linkFaults(thing, judged),
      ...whereabouts(thing),
      ...relatedIn(thing, 'Datastreams').flatMap(streamFaults),
      ...observationFaults(thing, timeline),
      ...placeFaults(thing, timeline),
    ]
  } catch (error) {
    return [`It is no Thing: ${error}.`]
  }
}

/** A Thing is at the place of the latest HistoricalLocation; they are in order, and each is a move (18-088, 8.2.3). */
function whereabouts(thing: Entity): readonly (string | false)[] {
  const history = relatedIn(thing, 'HistoricalLocations')
  const times = history.map(({ time }) => Date.parse(String(time)))
  const placesOf = (entity: Entity) => JSON.stringify(relatedIn(entity, 'Locations').map((place) => place['@iot.id']))
  const last = history.at(-1)
  return [
    times.some((time, index) => time < (times[index - 1] ?? time)) && 'HistoricalLocations are not in order.',
    history.some((one) => relatedIn(one, 'Locations').length !== 1) && 'A HistoricalLocation has not one Location.',
    placesOf(thing) !== (last === undefined ? '[]' : placesOf(last)) && 'It is not where it was last.',
    history.some((one, index) => index > 0 && placesOf(one) === placesOf(history[index - 1] ?? one)) &&
      'A HistoricalLocation is no move.',
  ]
}

function streamFaults(stream: Entity): readonly (string | false)[] {
  const { observationType, unitOfMeasurement } = stream
  const kind = String(observationType).replace(/^.*OM_/, '')
  const observations = relatedIn(stream, 'Observations')
  const units = Object.values(unitOfMeasurement as object)
  const hasUnit = units.some((unit) => unit !== null)
  return [
    /^(Category|Truth)/.test(kind) && hasUnit && `${kind} has a unit.`,
    kind === 'Measurement' && !hasUnit && 'A Measurement has no unit.',
    observations.some(({ result }) => !isResult(kind, result)) && `A result is none of a ${kind}.`,
    ...(['phenomenonTime', 'resultTime'] as const).map(
      (member) =>
        !spans(stream[member], observations, member) && `${member} of a Datastream is not that of its Observations.`,
    ),
  ]
}

/** The data type of a result follows from the observation type (18-088, table 12). */
function isResult(kind: string, result: unknown): boolean {
  if (kind === 'CategoryObservation') return typeof result === 'string' && isUri(result)
  if (kind === 'CountObservation') return Number.isInteger(result)
  if (kind === 'Measurement') return typeof result === 'number'
  if (kind === 'TruthObservation') return typeof result === 'boolean'
  return result !== undefined
}

function isUri(text: string): boolean {
  return URL.canParse(text) && /^[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/.test(text) && !/%(?![\da-f]{2})/i.test(text)
}

/** Whether an interval begins with the first and ends with the last of the Observations. */
function spans(interval: unknown, observations: readonly Entity[], member: string): boolean {
  if (interval === undefined) return true
  const [start = '', end = ''] = String(interval).split('/')
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const observation of observations) {
    first = Math.min(first, Date.parse(String(observation[member])))
    last = Math.max(last, Date.parse(String(observation[member])))
  }
  return Date.parse(start) === first && Date.parse(end) === last
}

/** Every current event is one Observation, with its time and status. */
function observationFaults(thing: Entity, { profile, events }: Timeline): readonly (string | false)[] {
  const observations = relatedIn(thing, 'Datastreams').flatMap((stream) => relatedIn(stream, 'Observations'))
  const written = observations.map(({ phenomenonTime, resultTime, result }) => [phenomenonTime, resultTime, result])
  const due = events.map((event) => [
    event.occurred_at,
    event.recorded_at,
    ['otep', ...[profile, event.status_code].map(encoded)].join(':'),
  ])
  const inOrder = (list: readonly unknown[]) => JSON.stringify(list.map((one) => JSON.stringify(one)).toSorted())
  return [inOrder(written) !== inOrder(due) && 'The Observations are not those of the events.']
}

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** Longitude comes first (RFC 7946, 3.1.1), and every place is a place of an event. */
function placeFaults(thing: Entity, { events }: Timeline): readonly (string | false)[] {
  const known = new Set(events.map(({ location }) => JSON.stringify([location?.longitude, location?.latitude])))
  return entitiesIn('Things', thing).flatMap(({ entity }) => {
    const place = (entity.location ?? entity.feature) as { readonly coordinates?: readonly number[] } | undefined
    if (place?.coordinates === undefined) return []
    const [longitude = Number.NaN, latitude = Number.NaN] = place.coordinates
    return [
      !(Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90) && `${place.coordinates} is no longitude and latitude.`,
      !known.has(JSON.stringify(place.coordinates)) && `No event was at ${place.coordinates}.`,
    ]
  })
}
