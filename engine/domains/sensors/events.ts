import type { Event } from '../../kernel/event.ts'
import type { ShapesOf } from '../../kernel/event-shape.ts'
import type { SensorType } from '../../kernel/sensor-kinds.ts'
import type { Position, SensorReading, SeriesKey } from '../../kernel/sensor-reading.ts'
import { idInStream, type StreamName } from '../../kernel/stream.ts'
import type { Breach, Run } from './breach.ts'

/** Readings of one series: each is its time in epoch milliseconds, and its value. */
interface Recorded extends SeriesKey {
  readonly readings: readonly (readonly [at: number, value: number | null])[]
}

/** The place of a reading in its event, and the position where it was measured. */
type Placed = readonly [series: number, reading: number, latitude: number, longitude: number]

/** Readings of one timeline that were measured in one hour. Positions are encrypted, since they say where people were. */
export type SensorReadingsRecorded = Event<
  'SensorReadingsRecorded',
  {
    readonly provider: string
    /** The name of the timeline. */
    readonly timeline: string
    readonly series: readonly Recorded[]
    readonly personal?: { readonly places: readonly Placed[] }
  }
>

/** What is known of a series as a whole. Values are millionths, so that sums do not depend on the order of readings. */
export interface SeriesTotal extends SeriesKey {
  readonly count: number
  readonly first: readonly [at: number, value: number | null]
  readonly last: readonly [at: number, value: number | null]
  /** Absent for positions. */
  readonly min?: number
  readonly max?: number
  readonly sum?: number
}

/** Hours since the epoch, from the first to the last, both included. */
export type Hours = readonly [from: number, to: number]

/** What is known of all readings of a timeline after a call has added some. The last event says everything. */
export type SensorSeriesSummed = Event<
  'SensorSeriesSummed',
  {
    readonly timeline: string
    readonly series: readonly SeriesTotal[]
    /** The hours with readings, and those of them with positions. */
    readonly hours: readonly Hours[]
    readonly placed?: readonly Hours[]
    /** What was out of its limits. */
    readonly runs?: readonly Run[]
    readonly breaches?: readonly Breach[]
    /** The limits that all readings were compared with. */
    readonly judged?: readonly number[]
    /** The number of the last breach. */
    readonly numbered?: number
    readonly erased?: true
  }
>

/** A limit was passed for longer than it tolerates. */
export type SensorLimitBreached = Event<'SensorLimitBreached', BreachSaid>

/** What passed a limit is within it again. */
export type SensorBreachEnded = Event<'SensorBreachEnded', BreachSaid>

/** Late readings say that a breach began or ended at another time. */
export type SensorBreachCorrected = Event<'SensorBreachCorrected', BreachSaid>

/** Late readings say that there was no such breach, or that it was a part of another. */
export type SensorBreachWithdrawn = Event<'SensorBreachWithdrawn', BreachSaid>

interface BreachSaid {
  readonly timeline: string
  /** The business that has set the limit. */
  readonly business: number
  /** What was measured. */
  readonly measured: SensorType
  /** The bounds of the limit, in millionths. */
  readonly minimum?: number
  readonly maximum?: number
  readonly breach: Breach
  /** When the breach began as it was reported before, if it was corrected. */
  readonly was?: number
}

/** The positions of readings were erased; none is kept any more. */
export type SensorPositionsErased = Event<'SensorPositionsErased', { readonly at: string; readonly timeline: string }>

/** The events of an hour of readings. */
export type ChunkFact = SensorReadingsRecorded | SensorPositionsErased

/** The events that say how breaches went. */
export type BreachFact = SensorLimitBreached | SensorBreachEnded | SensorBreachCorrected | SensorBreachWithdrawn

/** The events of all series of a timeline. */
export type SeriesFact = SensorSeriesSummed | BreachFact | SensorPositionsErased

/** The shapes of the events of an hour of readings. */
export const chunkEventShapes: ShapesOf<ChunkFact> = {
  SensorReadingsRecorded: { provider: 'text', timeline: 'text', series: 'list' },
  SensorPositionsErased: { at: 'text', timeline: 'text' },
}

const breachShape = {
  timeline: 'text',
  business: 'number',
  measured: 'text',
  minimum: 'number?',
  maximum: 'number?',
  breach: 'object',
  was: 'number?',
} as const

/** The shapes of the events of all series of a timeline. */
export const seriesEventShapes: ShapesOf<SeriesFact> = {
  SensorSeriesSummed: {
    timeline: 'text',
    series: 'list',
    hours: 'list',
    placed: 'list?',
    runs: 'list?',
    breaches: 'list?',
    judged: 'list?',
    numbered: 'number?',
    erased: 'flag?',
  },
  SensorLimitBreached: breachShape,
  SensorBreachEnded: breachShape,
  SensorBreachCorrected: breachShape,
  SensorBreachWithdrawn: breachShape,
  SensorPositionsErased: { at: 'text', timeline: 'text' },
}

/** The stream of all series of a timeline, by the stream of the timeline. */
export function seriesStream(timeline: StreamName): StreamName {
  return `sensor_series-${idInStream(timeline)}`
}

/** The stream of the readings of a timeline, by its name, in an hour since the epoch. */
export function chunkStream(timeline: string, hour: number): StreamName {
  return `sensor_readings-${timeline}@${hour}`
}

/** The stream of the timeline with a name. */
export function timelineStreamOf(name: string): StreamName {
  return `tracking-${name}`
}

/** The hour since the epoch of an instant in epoch milliseconds. */
export function hourOf(at: number): number {
  return Math.floor(at / 3_600_000)
}

/** The readings that an event recorded; positions are missing once they were erased, and so are readings that are only one. */
export function readingsIn({ data }: SensorReadingsRecorded): readonly SensorReading[] {
  const places = new Map((data.personal?.places ?? []).map(([series, at, ...place]) => [`${series} ${at}`, place]))
  return data.series.flatMap(({ readings, ...key }, index) =>
    readings.flatMap(([at, value], place): readonly SensorReading[] => {
      const [latitude, longitude] = places.get(`${index} ${place}`) ?? []
      const location: Position | undefined =
        latitude === undefined || longitude === undefined ? undefined : { latitude, longitude }
      if (value === null && location === undefined) return []
      return [location === undefined ? { ...key, at, value } : { ...key, at, value, location }]
    }),
  )
}

/** The event that records readings of one hour. */
export function recordedReadings(
  timeline: string,
  provider: string,
  readings: readonly SensorReading[],
): SensorReadingsRecorded {
  const groups = new Map<string, { readonly key: SeriesKey; readonly readings: [number, number | null][] }>()
  const places: Placed[] = []
  for (const { at, value, location, ...key } of readings) {
    const name = JSON.stringify([key.type, key.device, key.component])
    const group = groups.get(name) ?? { key, readings: [] }
    groups.set(name, group)
    if (location !== undefined)
      places.push([[...groups.keys()].indexOf(name), group.readings.length, location.latitude, location.longitude])
    group.readings.push([at, value])
  }
  const series = [...groups.values()].map(({ key, readings: some }) => ({ ...key, readings: some }))
  const data = { provider, timeline, series }
  return { type: 'SensorReadingsRecorded', data: places.length === 0 ? data : { ...data, personal: { places } } }
}
