import {
  type Context,
  type FoundReading,
  findReadings,
  listSeries,
  type SensorType,
  type SeriesRow,
  sensorKind,
  sensorTypes,
  unitOf,
  type WholeReading,
  wholeReadings,
} from '../../../engine/index.ts'
import type { Node } from '../../../projections/sensorthings/graph.ts'
import { idWithin, linkTo, partsOfId, rootUrl, type SetName } from '../../../projections/sensorthings/links.ts'
import type { Bounds } from '../../../projections/sensorthings/query/index.ts'

/** A Datastream of what a sensor measured: the series that it is of. */
const series = new WeakMap<Node, SeriesRow>()

/** The series that a Datastream is of; undefined for those of a status. */
export function seriesOf(stream: Node): SeriesRow | undefined {
  return series.get(stream)
}

/** The most series of one timeline. */
const maxSeries = 500

/** Observations that are read at once. */
export const readAtOnce = 200

/** What sensors have measured of the Thing: its Datastreams, each with its Sensor and ObservedProperty. */
export async function measuredStreams(context: Context, thing: Node, timeline: string): Promise<readonly Node[]> {
  const { series: rows } = await listSeries(context, { where: { timeline } }, { limit: maxSeries })
  return rows.map((row) => streamOf(context, thing, row))
}

/** What a series is of. */
export type SeriesNamed = Pick<SeriesRow, 'type' | 'device' | 'component'>

/** The id of the Datastream of a series within its Thing. */
export function ownIdOf({ type, device, component }: SeriesNamed): string {
  const parts = [device ?? '', component ?? ''].map(encodeURIComponent)
  return [type, ...parts].join(':').replace(/:+$/, '')
}

/** The series that an id within a Thing names; undefined if it is of a status. */
export function seriesNamed(own: string): SeriesNamed | undefined {
  const [name, device, component] = own.split(':').map(decoded)
  const type = sensorTypes.find((one) => one === name)
  return type === undefined ? undefined : { type, device: device || null, component: component || null }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function nodeOf({ baseUrl }: Pick<Context, 'baseUrl'>, set: SetName, id: string, members: object): Node {
  const control = { '@iot.id': id, '@iot.selfLink': linkTo(rootUrl({ baseUrl }), set, id) }
  return { set, entity: { ...control, ...members }, related: new Map() }
}

function streamOf(context: Context, thing: Node, row: SeriesRow): Node {
  const { type, device, component, first_at, last_at } = row
  const of = String(thing.entity['@iot.id'])
  const what = titleOf(type)
  const by = [device, component].filter((one) => one !== null).join(', ')
  const unit = unitOf(type) ?? null
  const stream = nodeOf(context, 'Datastreams', idWithin(of, ownIdOf(row)), {
    name: by === '' ? what : `${what} by ${by}`,
    description: `What a sensor has measured: ${type}.`,
    observationType: `http://www.opengis.net/def/observationType/OGC-OM/2.0/OM_${observationTypes[sensorKind(type).value]}`,
    unitOfMeasurement: { name: unit, symbol: unit, definition: unit === null ? null : 'https://ucum.org/ucum' },
    phenomenonTime: `${isoAt(first_at)}/${isoAt(last_at)}`,
  })
  const name = device ?? 'Unknown sensor'
  const sensor = nodeOf(context, 'Sensors', idWithin(of, `device:${encodeURIComponent(device ?? '')}`), {
    ...{ name, description: 'A device that measures.', encodingType: 'text/plain', metadata: name },
    properties: device === null ? {} : { device },
  })
  relate(stream, 'Thing', thing)
  relate(stream, 'Sensor', sensor)
  relate(stream, 'ObservedProperty', measuredProperty(context, type))
  series.set(stream, row)
  return stream
}

const observationTypes = { number: 'Measurement', boolean: 'TruthObservation', position: 'Observation' } as const

/** What is observed by sensors of a type. */
export function measuredProperty(context: Pick<Context, 'baseUrl'>, type: SensorType): Node {
  const [word] = sensorKind(type).gs1
  const isOfGs1 = word !== undefined && sensorKind(type).value === 'number'
  return nodeOf(context, 'ObservedProperties', type, {
    name: titleOf(type),
    description: `What sensors of the type ${type} measure.`,
    definition: isOfGs1 ? `https://gs1.org/voc/${word}` : `urn:otep:measurement:${type}`,
  })
}

function titleOf(type: SensorType): string {
  return type.charAt(0).toUpperCase() + type.slice(1).replaceAll('_', ' ')
}

function isoAt(at: number): string {
  return new Date(at).toISOString()
}

function relate(from: Node, name: string, to: Node): void {
  from.related.set(name, new Set([to]))
}

/** Observations of a Datastream, and where the next ones begin. */
export interface ReadingPage {
  readonly nodes: readonly Node[]
  /** Undefined at the end. */
  readonly next?: ReadingPlace
}

/** After this reading the next page begins. */
export interface ReadingPlace {
  readonly at: number
  readonly id: string
}

/** The next Observations of a series, in order of time. Bounds are only a help: what is beyond them is not looked at. */
export async function readingsAfter(
  context: Context,
  stream: Node,
  row: SeriesRow,
  {
    bounds = {},
    after,
    newestFirst = false,
  }: { bounds?: Bounds; after?: ReadingPlace | undefined; newestFirst?: boolean },
): Promise<ReadingPage> {
  const { timeline, series: name, type } = row
  const [from, to] = bounds.at ?? [undefined, undefined]
  const at = newestFirst ? ([from, after?.at ?? to] as const) : ([after?.at ?? from, to] as const)
  const value = sensorKind(type).value === 'number' && bounds.value !== undefined ? { value: bounds.value } : {}
  const query = { timelines: [timeline], series: name, at, ...value }
  const { readings } = await findReadings(context, query, { limit: readAtOnce + sameInstant, newestFirst })
  const isLater = ({ at: one, id }: FoundReading) =>
    after === undefined || one !== after.at || (newestFirst ? id < after.id : id > after.id)
  const later = readings.filter(isLater)
  const found = later.slice(0, readAtOnce)
  const last = found.at(-1)
  return {
    nodes: await observationsOf(context, stream, row, found),
    ...((later.length > readAtOnce || readings.length === readAtOnce + sameInstant) &&
      last !== undefined && { next: { at: last.at, id: last.id } }),
  }
}

/** The most readings of one series at one instant that a page may begin among. */
const sameInstant = 100

async function observationsOf(
  context: Context,
  stream: Node,
  { type, device, component }: SeriesRow,
  found: readonly FoundReading[],
): Promise<readonly Node[]> {
  const whole = type === 'location' ? await wholeReadings(context, found) : found
  return whole.map((reading) => {
    const { at, id, value } = reading
    const place = (reading as WholeReading).location
    const point = place && { type: 'Point', coordinates: [place.longitude, place.latitude] }
    const node = nodeOf(context, 'Observations', `${stream.entity['@iot.id']}@${at}:${id}`, {
      phenomenonTime: isoAt(at),
      resultTime: null,
      result: type === 'door' ? value !== 0 : type === 'location' ? (point ?? null) : value,
      parameters: { type, ...(device !== null && { device }), ...(component !== null && { component }) },
    })
    relate(node, 'Datastream', stream)
    relate(node, 'FeatureOfInterest', features.get(stream) ?? featureOf(context, stream))
    return node
  })
}

/** What the Observations of a Datastream are about. */
const features = new WeakMap<Node, Node>()

/** Says what the Observations of a Datastream are about, so that its Observations are found, too. */
export function observes(stream: Node, feature: Node): void {
  features.set(stream, feature)
  feature.related.set('Datastreams', new Set([...(feature.related.get('Datastreams') ?? []), stream]))
}

/** What sensors measure is the Thing itself. */
export function featureOf(context: Context, stream: Node): Node {
  const [thing] = stream.related.get('Thing') ?? []
  const of = String(thing?.entity['@iot.id'])
  return nodeOf(context, 'FeaturesOfInterest', idWithin(of, measuredThing), {
    ...{ name: String(thing?.entity.name), description: 'What sensors measured: the thing itself.' },
    ...{ encodingType: 'application/geo+json', feature: { type: 'Feature', geometry: null, properties: {} } },
    properties: {},
  })
}

/** The id of the FeatureOfInterest within its Thing. */
export const measuredThing = 'itself'

/** The id of the Datastream, and the place of the reading, that the id of an Observation names; undefined for others. */
export function readingNamed(id: string): { readonly stream: string; readonly place: ReadingPlace } | undefined {
  const [, stream, at, reading] = /^(.*)@(-?\d{1,15}):([\d.]{1,40})$/s.exec(id) ?? []
  if (stream === undefined || at === undefined || reading === undefined) return undefined
  const own = partsOfId(stream)?.[1]
  if (own === undefined || seriesNamed(own) === undefined) return undefined
  return { stream, place: { at: Number(at), id: reading } }
}

/** The Observation at a place; undefined if there is none. */
export async function readingAt(
  context: Context,
  stream: Node,
  row: SeriesRow,
  { at, id }: ReadingPlace,
): Promise<Node | undefined> {
  const query = { timelines: [row.timeline], series: row.series, at: [at, at] as const, id }
  const { readings } = await findReadings(context, query, { limit: 1 })
  return (await observationsOf(context, stream, row, readings))[0]
}
