import type { Context, Facts } from '../../kernel/context.ts'
import type { Condition, Row } from '../../kernel/read-model.ts'
import { millionths, type SensorType } from '../../kernel/sensor-kinds.ts'
import type { SensorReading } from '../../kernel/sensor-reading.ts'
import { seriesText } from '../../kernel/sensor-reading.ts'
import type { StreamName } from '../../kernel/stream.ts'
import type { SensorSummary } from '../../kernel/timeline.ts'
import { readingsOfHours } from './chunks.ts'
import { hourOf } from './events.ts'
import { readingModel, seriesModel } from './models.ts'
import { readSeries, summaryOf } from './series.ts'

/** What the sensors of the timeline in a stream have measured; `publicly` without what names devices and places. */
export async function sensorsOf(
  facts: Pick<Facts, 'store'>,
  timeline: StreamName,
  publicly = false,
): Promise<readonly SensorSummary[]> {
  const { series, erased } = (await readSeries(facts, timeline)).state
  const told = erased || publicly ? series.filter(({ type }) => type !== 'location') : series
  const summaries = told.map(summaryOf)
  if (!publicly) return summaries
  return summaries.map(({ device: _, component: __, ...shown }) => shown)
}

/** A series, as look-ups name it: what was measured, by which device and component. */
export interface SeriesRow {
  /** The name of the timeline. */
  readonly timeline: string
  /** Names the series within its timeline. */
  readonly series: string
  readonly type: SensorType
  readonly device: string | null
  readonly component: string | null
  readonly count: number
  /** Epoch milliseconds. */
  readonly first_at: number
  readonly last_at: number
}

/** Series by their timelines, types or devices, and how many there are; in order of timeline and series. */
export async function listSeries(
  { models }: Pick<Facts, 'models'>,
  condition: Condition,
  range: { readonly limit: number; readonly offset?: number },
): Promise<{ readonly series: readonly SeriesRow[]; readonly total: number }> {
  const { rows, total } = await models.page(seriesModel, { ...condition, ...range })
  return { series: rows as unknown as readonly SeriesRow[], total }
}

/** A reading as a look-up finds it. */
export interface FoundReading {
  readonly timeline: string
  readonly series: string
  readonly type: SensorType
  /** Tells readings of one instant of a series apart. */
  readonly id: string
  /** Epoch milliseconds. */
  readonly at: number
  /** In the canonical unit; 1 and 0 for booleans; null for positions, which `positionsOf` reads. */
  readonly value: number | null
}

/** What readings are looked for; each bound is inclusive. */
export interface ReadingQuery {
  /** Names of timelines, at most 500; those that the caller may see have to be named, as a look-up does not know them. */
  readonly timelines?: readonly string[]
  readonly series?: string
  readonly type?: SensorType
  /** The only types; all if absent. */
  readonly types?: readonly SensorType[]
  readonly at?: readonly [from: number | undefined, to: number | undefined]
  readonly value?: readonly [from: number | undefined, to: number | undefined]
  readonly id?: string
}

/** Readings by series and time, by type and value, or by time alone. The total is counted only if it is `counted`. */
export async function findReadings(
  { models }: Pick<Facts, 'models'>,
  query: ReadingQuery,
  {
    orderBy = 'at',
    counted = false,
    ...range
  }: {
    readonly limit: number
    readonly offset?: number
    readonly newestFirst?: boolean
    readonly orderBy?: 'at' | 'value'
    readonly counted?: boolean
  },
): Promise<{ readonly readings: readonly FoundReading[]; readonly total: number }> {
  const condition = conditionOf(query)
  const { rows, total } = await models.page(readingModel, {
    ...condition,
    ...range,
    orderBy,
    ...(counted ? {} : { uncounted: true }),
  })
  return { readings: rows.map(foundIn), total }
}

function conditionOf({ timelines, series, type, types, at, value, id }: ReadingQuery): Condition {
  const [one, ...more] = timelines ?? []
  const where = {
    ...(one !== undefined && more.length === 0 && { timeline: one }),
    ...(series !== undefined && { series }),
    ...(type !== undefined && { type }),
    ...(id !== undefined && { id }),
  }
  const millionth = (bound: number | undefined) => (bound === undefined ? bound : Math.round(bound * millionths))
  return {
    where,
    among: {
      ...(timelines !== undefined && timelines.length !== 1 && { timeline: timelines }),
      ...(types !== undefined && { type: types }),
    },
    between: {
      ...(at && { at }),
      ...(value && { value: [millionth(value[0]), millionth(value[1])] as const }),
    },
  }
}

function foundIn({ timeline, series, type, id, at, value }: Row): FoundReading {
  const known = { timeline: String(timeline), series: String(series), type: type as SensorType, id: String(id) }
  return { ...known, at: Number(at), value: value === null ? null : Number(value) / millionths }
}

/** A reading that was found, with what names its device and place. */
export type WholeReading = FoundReading & Pick<SensorReading, 'location' | 'device' | 'component'>

/** The whole readings that were found, with their positions; those that were erased meanwhile are left out. */
export async function wholeReadings(
  context: Pick<Context, 'store' | 'pause'>,
  found: readonly FoundReading[],
): Promise<readonly WholeReading[]> {
  const chunks = new Map<string, readonly SensorReading[]>()
  const whole: WholeReading[] = []
  for (const one of found) {
    const hour = hourOf(one.at)
    const name = `${one.timeline} ${hour}`
    const chunk = chunks.get(name) ?? (await readingsOfHours(context, one.timeline, [hour]))
    chunks.set(name, chunk)
    const same = chunk.filter((reading) => reading.at === one.at && seriesText(reading) === one.series)
    const reading = same.find(({ value }) => value === one.value)
    if (reading === undefined) continue
    const { location, device, component } = reading
    whole.push({
      ...one,
      ...(location && { location }),
      ...(device !== undefined && { device }),
      ...(component !== undefined && { component }),
    })
  }
  return whole
}
