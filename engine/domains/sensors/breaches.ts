import type { Context } from '../../kernel/context.ts'
import { millionths } from '../../kernel/sensor-kinds.ts'
import { type SensorReading, seriesText } from '../../kernel/sensor-reading.ts'
import type { Subject } from '../../kernel/timeline.ts'
import { compared, isTooLong, maxBreaches, type Point, type Run, runsOf, spansOf } from './breach.ts'
import { readingsOfHours } from './chunks.ts'
import type { BreachFact, SeriesTotal } from './events.ts'
import { type LimitOfThing, limitsOf } from './limits.ts'
import { hoursIn, type SeriesState } from './series.ts'

/** Readings that are added to a timeline: what was known before and after them. */
export interface AddedToSeries {
  readonly subject: Subject
  readonly before: SeriesState
  readonly next: SeriesState
  readonly fresh: readonly SensorReading[]
}

/** What is known of the limits of a timeline. */
type Judged = Pick<SeriesState, 'runs' | 'breaches' | 'numbered' | 'judged'>

/** What readings that came change in the breaches of a timeline. */
export async function breachesAfter(
  context: Context,
  added: AddedToSeries,
): Promise<Judged & { readonly facts: readonly BreachFact[] }> {
  const { before, next, fresh, subject } = added
  const measured = new Set(fresh.map(({ type }) => type))
  const limits = (await limitsOf(context, subject)).filter(({ type }) => measured.has(type))
  if (limits.length === 0) return { facts: [] }
  const { runs: known = [], breaches: told = [], numbered = 0, judged = [] } = before
  const isNew = ({ id }: LimitOfThing) => !judged.includes(id)
  const late = new Set(lateSeries(before.series, fresh))
  const needsAll = limits.some(
    (limit) => isNew(limit) || fresh.some((one) => isOf(limit, one) && late.has(seriesText(one))),
  )
  const earlier = needsAll ? await readingsOfHours(context, next.timeline, hoursIn(before.hours)) : []
  const runs: Run[] = known.filter(({ limit }) => limits.every(({ id }) => id !== limit))
  const breaches = told.filter(({ limit }) => limits.every(({ id }) => id !== limit))
  const facts: BreachFact[] = []
  let number = numbered
  for (const limit of limits) {
    const own = runsAfter(limit, { known, late, earlier, fresh, isNew: isNew(limit) })
    const of = told.filter((breach) => breach.limit === limit.id)
    const after = compared(of, spansOf(limit, own), number + 1)
    number = after.next - 1
    runs.push(...kept(limit, own))
    breaches.push(...after.breaches)
    for (const { type, ...news } of after.news) facts.push({ type, data: { ...saidOf(next.timeline, limit), ...news } })
  }
  const all = [...new Set([...judged, ...limits.map(({ id }) => id)])]
  return { facts, runs, breaches, numbered: number, judged: all }
}

/** Series of which readings came that are not later than those before. */
function lateSeries(totals: readonly SeriesTotal[], fresh: readonly SensorReading[]): readonly string[] {
  const ends = new Map(totals.map((total) => [seriesText(total), total.last[0]]))
  return fresh.flatMap((reading) => {
    const name = seriesText(reading)
    return reading.at <= (ends.get(name) ?? Number.NEGATIVE_INFINITY) ? [name] : []
  })
}

function isOf({ type }: LimitOfThing, reading: SensorReading): boolean {
  return reading.type === type && reading.value !== null
}

interface Came {
  readonly known: readonly Run[]
  readonly late: ReadonlySet<string>
  readonly earlier: readonly SensorReading[]
  readonly fresh: readonly SensorReading[]
  readonly isNew: boolean
}

/** The runs of a limit after readings came: where none is late, those before go on, and else all are made again. */
function runsAfter(limit: LimitOfThing, { known, late, earlier, fresh, isNew }: Came): readonly Run[] {
  const before = known.filter((run) => run.limit === limit.id)
  const came = pointsBySeries(limit, fresh)
  const all = pointsBySeries(limit, [...earlier, ...fresh])
  const again = [...all.keys()].filter((series) => isNew || (late.has(series) && came.has(series)))
  const runs = before.filter(
    ({ series, until }) => !again.includes(series) && (until !== undefined || !came.has(series)),
  )
  for (const series of again) runs.push(...runsOf(limit, series, all.get(series) ?? []))
  for (const [series, points] of came) {
    if (again.includes(series)) continue
    const open = before.find((run) => run.series === series && run.until === undefined)
    runs.push(...runsOf(limit, series, points, open))
  }
  return runs
}

function pointsBySeries(
  limit: LimitOfThing,
  readings: readonly SensorReading[],
): ReadonlyMap<string, readonly Point[]> {
  const found = new Map<string, Point[]>()
  for (const reading of readings) {
    if (!isOf(limit, reading)) continue
    const name = seriesText(reading)
    const points = found.get(name) ?? []
    found.set(name, points)
    points.push([reading.at, Math.round((reading.value ?? 0) * millionths)])
  }
  for (const points of found.values()) points.sort(([one], [other]) => one - other)
  return found
}

/** The runs that are remembered: those that are too long, and those that may still become so. */
function kept(limit: LimitOfThing, runs: readonly Run[]): readonly Run[] {
  const open = runs.filter(({ until }) => until === undefined)
  const long = runs.filter((run) => run.until !== undefined && isTooLong(limit, run))
  const bySeries = new Map<string, number>()
  const first = long
    .sort((one, other) => one.from - other.from)
    .filter(({ series }) => {
      const count = (bySeries.get(series) ?? 0) + 1
      bySeries.set(series, count)
      return count <= maxBreaches
    })
  return [...first, ...open]
}

function saidOf(timeline: string, { type, minimum, maximum, business }: LimitOfThing) {
  const bounds = { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) }
  return { timeline, business, measured: type, ...bounds }
}
