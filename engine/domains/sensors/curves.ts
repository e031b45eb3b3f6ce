import type { Context } from '../../kernel/context.ts'
import { millionths, type SensorType, sensorKind, unitOf } from '../../kernel/sensor-kinds.ts'
import { seriesText } from '../../kernel/sensor-reading.ts'
import { idInStream, type StreamName } from '../../kernel/stream.ts'
import type { Subject } from '../../kernel/timeline.ts'
import { limitsOf } from './limits.ts'
import { findReadings } from './read.ts'
import { readSeries } from './series.ts'

/** What a sensor of a thing has measured, to be drawn. */
export interface Curve {
  readonly type: SensorType
  /** Absent in the reduced view. */
  readonly device?: string | undefined
  /** Of UCUM; absent where values have none. */
  readonly unit?: string | undefined
  /** When (epoch milliseconds) and the value, in order of time. */
  readonly points: readonly (readonly [at: number, value: number])[]
  /** The narrowest bounds that are set for it. */
  readonly minimum?: number | undefined
  readonly maximum?: number | undefined
}

/** The most series that are drawn, and the most readings of each: the newest ones. */
const most = { series: 8, readings: 2000 } as const

/** The series of a timeline whose values are numbers or switches; `publicly` without the names of devices. */
export async function curvesOf(
  context: Context,
  timeline: StreamName,
  { subject, publicly }: { readonly subject: Subject; readonly publicly: boolean },
): Promise<readonly Curve[]> {
  const { series } = (await readSeries(context, timeline)).state
  const drawn = series.filter(({ type }) => sensorKind(type).value !== 'position').slice(0, most.series)
  if (drawn.length === 0) return []
  const limits = await limitsOf(context, subject)
  const curves: Curve[] = []
  for (const total of drawn) {
    const { type, device } = total
    const query = { timelines: [idInStream(timeline)], series: seriesText(total) }
    const { readings } = await findReadings(context, query, { limit: most.readings, newestFirst: true })
    const own = limits.filter((limit) => limit.type === type)
    curves.push({
      type,
      ...(!publicly && { device }),
      unit: unitOf(type),
      points: readings.map(({ at, value }) => [at, value ?? 0] as const).reverse(),
      minimum: narrowest(
        Math.max,
        own.map(({ minimum }) => minimum),
      ),
      maximum: narrowest(
        Math.min,
        own.map(({ maximum }) => maximum),
      ),
    })
  }
  return curves
}

function narrowest(of: (...all: readonly number[]) => number, bounds: readonly (number | undefined)[]) {
  const set = bounds.filter((bound) => bound !== undefined)
  return set.length === 0 ? undefined : of(...set) / millionths
}
