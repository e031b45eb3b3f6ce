import * as v from 'valibot'
import { type Finding, pathTo } from './finding.ts'
import { named } from './named.ts'
import { instant, word } from './schemas.ts'
import { converted, rounded, type SensorType, sensorKind, sensorTypes } from './sensor-kinds.ts'

const degrees = (limit: number) => v.pipe(v.number(), v.minValue(-limit), v.maxValue(limit))

/** A position on earth, in degrees (WGS 84). */
export const positionSchema = named('Position', v.strictObject({ latitude: degrees(90), longitude: degrees(180) }))

/** A position on earth. */
export type Position = v.InferOutput<typeof positionSchema>

/** No measured value is larger: its millionths are then whole numbers that are kept exactly. */
const measured = v.pipe(v.number(), v.minValue(-1e9), v.maxValue(1e9))

/** A reading as a producer sends it. */
export const readingSchema = named(
  'SensorReading',
  v.strictObject({
    type: v.pipe(v.picklist(sensorTypes), v.description('What was measured.')),
    value: v.exactOptional(
      v.pipe(
        v.union([measured, v.boolean(), positionSchema]),
        v.description('A number; for `door` whether it was open; for `location` a latitude and a longitude.'),
      ),
    ),
    unit: v.exactOptional(
      v.pipe(
        word(20),
        v.description(
          'Of UCUM (`Cel`) or UN/CEFACT recommendation 20 (`CEL`). Without it, the value is in the unit that answers have.',
        ),
      ),
    ),
    time: v.exactOptional(
      v.pipe(instant, v.description('When it was measured. In an event, that of the event if absent.')),
    ),
    device: v.exactOptional(
      v.pipe(word(300), v.description('URI or name of the device, which must not name a person.')),
    ),
    component: v.exactOptional(v.pipe(word(100), v.description('The part of the device, or of the value: `x`.'))),
    location: v.exactOptional(positionSchema),
  }),
)

/** A reading as a producer sends it. */
export type ReadingInput = v.InferOutput<typeof readingSchema>

/** What a series is of: readings of one type, by one device and component. */
export interface SeriesKey {
  readonly type: SensorType
  readonly device?: string | undefined
  readonly component?: string | undefined
}

/** One measured value in the canonical unit of its type. */
export interface SensorReading extends SeriesKey {
  /** Epoch milliseconds. */
  readonly at: number
  /** 1 for true and 0 for false; null for a position. */
  readonly value: number | null
  /** Where it was measured, and the value of a position. */
  readonly location?: Position | undefined
}

/** What is wrong with a reading: the member, and the code. */
export interface ReadingProblem {
  readonly path: string
  readonly code: 'reading_value_wrong' | 'unknown_unit' | 'time_required'
  readonly params?: Readonly<Record<string, string>>
}

/** A reading in the canonical unit, or what is wrong with it. `time` is that of readings without one, in epoch milliseconds. */
export function readingIn(input: ReadingInput, time: number | undefined): SensorReading | ReadingProblem {
  const { type, value, unit, device, component, location } = input
  const at = input.time === undefined ? time : Date.parse(input.time)
  if (at === undefined) return { path: 'time', code: 'time_required' }
  const kind = sensorKind(type)
  const key = { type, ...(device !== undefined && { device }), ...(component !== undefined && { component }) }
  if (kind.value === 'position') {
    const place = typeof value === 'object' ? value : value === undefined ? location : undefined
    return place === undefined ? wrongValue(type, kind.value) : { ...key, at, value: null, location: place }
  }
  const where = location === undefined ? {} : { location }
  if (kind.value === 'boolean')
    return typeof value === 'boolean' ? { ...key, at, value: value ? 1 : 0, ...where } : wrongValue(type, kind.value)
  if (typeof value !== 'number') return wrongValue(type, kind.value)
  const inUnit = converted(type, value, unit)
  if (inUnit === undefined) {
    const expected = kind.units.flatMap(({ ucum, code }) => [ucum, code]).join(', ')
    return { path: 'unit', code: 'unknown_unit', params: { received: unit ?? '', type, expected } }
  }
  return { ...key, at, value: rounded(inUnit), ...where }
}

function wrongValue(type: string, expected: string): ReadingProblem {
  return { path: 'value', code: 'reading_value_wrong', params: { type, expected } }
}

/** Whether this is what is wrong with a reading. */
export function isProblem(read: SensorReading | ReadingProblem): read is ReadingProblem {
  return 'code' in read
}

/** The text of a series in names and rows: the same for each reading of it. */
export function seriesText({ type, device = '', component = '' }: SeriesKey): string {
  return component === '' && device === '' ? type : JSON.stringify([type, device, component])
}

/** What a reading is recognised by: one that has come before is kept once. */
export function readingText(reading: SensorReading): string {
  const { at, value, location } = reading
  return `${seriesText(reading)} ${at} ${value ?? `${location?.latitude},${location?.longitude}`}`
}

/** Milliseconds by which a reading may be ahead of the clock. */
const tolerance = 86_400_000

/** The readings of a list in canonical units, or what is wrong with them. `time` is that of readings without one. */
export function checkedReadings(
  inputs: readonly ReadingInput[],
  { path, time, now }: { readonly path: string; readonly time?: number | undefined; readonly now: number },
): { readonly readings: readonly SensorReading[]; readonly findings: readonly Finding[] } {
  const readings: SensorReading[] = []
  const findings: Finding[] = []
  for (const [index, input] of inputs.entries()) {
    const read = readingIn(input, time)
    const at = pathTo(path, index)
    if (isProblem(read)) findings.push({ ...read, path: pathTo(at, read.path) })
    else if (read.at > now + tolerance) findings.push({ path: pathTo(at, 'time'), code: 'reading_in_future' })
    else readings.push(read)
  }
  return { readings, findings }
}
