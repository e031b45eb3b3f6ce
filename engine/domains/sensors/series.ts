import type { Context } from '../../kernel/context.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import { millionths, unitOf } from '../../kernel/sensor-kinds.ts'
import { type SensorReading, type SeriesKey, seriesText } from '../../kernel/sensor-reading.ts'
import { idInStream, type StreamName } from '../../kernel/stream.ts'
import { isoOf } from '../../kernel/time.ts'
import type { SensorSummary } from '../../kernel/timeline.ts'
import {
  type Hours,
  hourOf,
  type SensorSeriesSummed,
  type SeriesFact,
  type SeriesTotal,
  seriesStream,
} from './events.ts'

/** What is known of all series of a timeline. */
export type SeriesState = SensorSeriesSummed['data']

/** The state, and the revision of the last event of its stream; -1 if there is none. */
export interface SeriesAt {
  readonly state: SeriesState
  readonly revision: number
}

/** The last events of a stream: an erasure may come after what says everything. */
const lastFacts = 2

/** What is known of all series of the timeline in a stream, which its last event says. */
export async function readSeries({ store }: Pick<Context, 'store'>, timeline: StreamName): Promise<SeriesAt> {
  const range = { backwards: true, limit: lastFacts }
  const facts = (await store.read(seriesStream(timeline), range)) as readonly RecordedEvent<SeriesFact>[]
  const summed = facts.find(({ type }) => type === 'SensorSeriesSummed') as
    | RecordedEvent<SensorSeriesSummed>
    | undefined
  const state = summed?.data ?? { timeline: idInStream(timeline), series: [], hours: [] }
  const isErased = facts.some(({ type }) => type === 'SensorPositionsErased')
  return { state: isErased ? { ...state, erased: true } : state, revision: facts[0]?.revision ?? -1 }
}

/** The state after more readings, none of which it has already. */
export function summed(state: SeriesState, readings: readonly SensorReading[]): SeriesState {
  const totals = new Map(state.series.map((total) => [seriesText(total), total]))
  const hours = new Set<number>()
  const placed = new Set<number>()
  for (const reading of readings) {
    const name = seriesText(reading)
    totals.set(name, added(totals.get(name), reading))
    hours.add(hourOf(reading.at))
    if (reading.location !== undefined) placed.add(hourOf(reading.at))
  }
  const { placed: before = [], ...rest } = state
  const withPlaces = withHours(before, placed)
  return {
    ...rest,
    series: [...totals.values()],
    hours: withHours(state.hours, hours),
    ...(withPlaces.length > 0 && { placed: withPlaces }),
  }
}

function added(total: SeriesTotal | undefined, { at, value, type, device, component }: SensorReading): SeriesTotal {
  const key: SeriesKey = {
    type,
    ...(device !== undefined && { device }),
    ...(component !== undefined && { component }),
  }
  const one = value === null ? null : Math.round(value * millionths)
  if (total === undefined) {
    const all = { ...key, count: 1, first: [at, one], last: [at, one] } as const
    return one === null ? all : { ...all, min: one, max: one, sum: one }
  }
  const { count, first, last, min = 0, max = 0, sum = 0 } = total
  const all = {
    ...key,
    count: count + 1,
    first: comesBefore([at, one], first) ? ([at, one] as const) : first,
    last: comesBefore(last, [at, one]) ? ([at, one] as const) : last,
  }
  return one === null ? all : { ...all, min: Math.min(min, one), max: Math.max(max, one), sum: sum + one }
}

/** Of two values of one instant the smaller one comes first, so that the order of arrival does not matter. */
function comesBefore(one: SeriesTotal['first'], other: SeriesTotal['first']): boolean {
  return one[0] === other[0] ? (one[1] ?? 0) < (other[1] ?? 0) : one[0] < other[0]
}

/** Spans of hours with further hours. */
export function withHours(spans: readonly Hours[], hours: Iterable<number>): readonly Hours[] {
  const all = [...spans, ...[...hours].map((hour): Hours => [hour, hour])].sort(([one], [other]) => one - other)
  const joined: [number, number][] = []
  for (const [from, to] of all) {
    const before = joined.at(-1)
    if (before !== undefined && from <= before[1] + 1) before[1] = Math.max(before[1], to)
    else joined.push([from, to])
  }
  return joined
}

/** The hours in spans, in order. */
export function* hoursIn(spans: readonly Hours[]): Generator<number> {
  for (const [from, to] of spans) for (let hour = from; hour <= to; hour++) yield hour
}

/** A series as answers have it. */
export function summaryOf(total: SeriesTotal): SensorSummary {
  const { type, device, component, count, first, last, min, max, sum } = total
  const unit = unitOf(type)
  const point = ([at, value]: SeriesTotal['first']) => ({ time: isoOf(at), ...(value !== null && said(type, value)) })
  const range =
    min === undefined || max === undefined || sum === undefined || type === 'door'
      ? {}
      : { minimum: min / millionths, maximum: max / millionths, mean: Math.round(sum / count / 1000) / 1000 }
  return {
    type,
    ...(device !== undefined && { device }),
    ...(component !== undefined && { component }),
    ...(unit !== undefined && { unit }),
    count,
    ...range,
    first: point(first),
    last: point(last),
  }
}

function said(type: string, value: number) {
  return { value: type === 'door' ? value !== 0 : value / millionths }
}
