import {
  type Context,
  checkedReadings,
  EngineError,
  isEngineError,
  omitUndefined,
  type Position,
  parse,
  readingSchema,
  readVisible,
  recordReadings,
  type SensorReading,
} from '../../../engine/index.ts'
import type { Node } from '../../../projections/sensorthings/graph.ts'
import { idWithin } from '../../../projections/sensorthings/links.ts'
import type { Bounds } from '../../../projections/sensorthings/query/index.ts'
import { measuredThing, readingsAfter, type SeriesNamed, seriesOf } from './measured.ts'
import { checked, type ObservationInput, orRefusal, positionIn, refused, type Stream } from './observation-input.ts'
import { sourceFor } from './source.ts'

/** Records what a sensor measured, in one append; a Datastream begins with its first Observation. */
export async function createReadings(
  context: Context,
  { thing, own }: Stream,
  series: SeriesNamed,
  bodies: readonly unknown[],
): Promise<readonly (Node | EngineError)[]> {
  const { name, timeline } = await readVisible(context, thing)
  const inputs: (SensorReading | EngineError)[] = []
  for (const body of bodies)
    inputs.push(await orRefusal(() => readingOf(context, idWithin(name, measuredThing), series, checked(body))))
  const readings = inputs.filter((input): input is SensorReading => !isEngineError(input))
  if (readings.length === 0) return inputs.filter((input): input is EngineError => isEngineError(input))
  await recordReadings(context, { subject: timeline.subject, readings })
  const stream = await sourceFor(context).find('Datastreams', idWithin(name, own))
  const made: (Node | EngineError)[] = []
  for (const input of inputs) {
    await context.pause()
    made.push(isEngineError(input) ? input : await madeOf(context, stream, input))
  }
  return made
}

/** The Observation that was made of a reading. */
async function madeOf(context: Context, stream: Node, { at, value }: SensorReading): Promise<Node | EngineError> {
  const row = seriesOf(stream)
  const bounds: Bounds = { at: [at, at], ...(value !== null && { value: [value, value] as const }) }
  const found = row && (await readingsAfter(context, stream, row, { bounds })).nodes.at(-1)
  return found ?? new EngineError('resource_not_found')
}

function readingOf(
  { clock }: Context,
  itself: string,
  { type, device, component }: SeriesNamed,
  { phenomenonTime, result, parameters, FeatureOfInterest: place }: ObservationInput,
): SensorReading {
  if (parameters !== undefined)
    throw refused([{ path: 'parameters', code: 'unknown_field', params: { field: 'parameters' } }])
  const isLink = place !== undefined && '@iot.id' in place
  if (isLink && place['@iot.id'] !== itself)
    throw refused([{ path: 'FeatureOfInterest', code: 'bad_pattern', params: { expected: itself } }])
  const { value, findings: wrong } = parse(readingSchema, {
    ...{ type, value: resultOf(result), time: phenomenonTime ?? new Date(clock()).toISOString() },
    ...omitUndefined({
      device: device ?? undefined,
      component: component ?? undefined,
      location: place === undefined || isLink ? undefined : positionIn(place),
    }),
  })
  if (value === undefined) throw refused(wrong)
  const { readings, findings } = checkedReadings([value], { path: '', now: clock() })
  const [reading] = readings
  if (reading === undefined)
    throw refused(findings.map(({ path, ...finding }) => ({ ...finding, path: path.replace(/^\[0\]\.?/, '') })))
  return reading
}

/** A position is a point in GeoJSON, with longitude first. */
function resultOf(result: ObservationInput['result']): string | number | boolean | Position {
  if (typeof result !== 'object') return result
  const [longitude, latitude] = result.coordinates
  return { latitude, longitude }
}
