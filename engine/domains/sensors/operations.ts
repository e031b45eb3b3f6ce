import * as v from 'valibot'
import { EngineError } from '../../kernel/errors.ts'
import type { Finding } from '../../kernel/finding.ts'
import type { Code } from '../../kernel/messages/index.ts'
import { exampled, named } from '../../kernel/named.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import type { Operation } from '../../kernel/operation.ts'
import { operation } from '../../kernel/operation.ts'
import { pageAnswerEntries, pageEntries, pageOf } from '../../kernel/paging.ts'
import { instant, maxCharacters, providerName } from '../../kernel/schemas.ts'
import { sensorTypes, unitOf } from '../../kernel/sensor-kinds.ts'
import { checkedReadings, positionSchema, readingSchema } from '../../kernel/sensor-reading.ts'
import { idInStream } from '../../kernel/stream.ts'
import { isoOf } from '../../kernel/time.ts'
import { findReadings, sensorsOf, type WholeReading, wholeReadings } from './read.ts'
import { maxReadings, recordReadings } from './record.ts'

const tag = 'Sensors'
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const number = v.pipe(v.string(), v.minLength(1), maxCharacters(500), v.description('As of a timeline.'))

const refusals = [
  'identifiers_disagree',
  'other_identifier',
  'ambiguous_identifier',
  'other_business',
  'too_many_readings',
  'too_many_series',
  'contention',
] as const satisfies readonly Code[]

/** Records readings of sensors. */
const recordSensorReadings = operation({
  name: 'record_sensor_readings',
  summary: 'Record what sensors of a parcel have measured. A reading that comes twice is kept once.',
  scopes: ['otep:ingest'],
  risk: 'medium',
  tag,
  mcp: { title: 'Record readings of sensors', server: 'developer', idempotent: true },
  input: v.strictObject({
    tracking_number: exampled(v.pipe(v.string(), v.minLength(1), maxCharacters(100)), 'SR1'),
    provider: v.exactOptional(
      v.pipe(
        providerName,
        v.description('Whose sensors they are; the caller if absent. Only an operator names another.'),
      ),
    ),
    readings: v.pipe(v.array(readingSchema), v.minLength(1), v.maxLength(maxReadings)),
  }),
  output: v.strictObject({ result: v.literal(true), timeline: v.string(), accepted: count, duplicate: count }),
  errors: [...refusals],
  rest: { method: 'POST', path: '/api/v1/otep/trackings/{tracking_number}/sensors', bodyLimit: 4 * 1024 * 1024 },
  handle: async (context, { tracking_number, provider, readings: inputs }) => {
    const { caller } = context
    if (provider !== undefined && provider !== caller.name && caller.kind !== 'operator')
      throw refused([
        { path: 'provider', code: 'source_mismatch', params: { expected: caller.name, received: provider } },
      ])
    const { readings, findings } = checkedReadings(inputs, { path: 'readings', now: context.clock() })
    if (findings.length > 0) throw refused(findings)
    return { result: true, ...(await recordReadings(context, { subject: { tracking_number }, readings, provider })) }
  },
})

function refused(findings: readonly Finding[]): EngineError {
  return new EngineError('invalid_input', { count: findings.length }, findings)
}

const found = named(
  'RecordedSensorReading',
  v.strictObject({
    type: v.string(),
    time: v.pipe(v.string(), v.description('ISO 8601, UTC.')),
    value: v.exactOptional(v.union([v.number(), v.boolean()])),
    unit: v.exactOptional(v.string()),
    device: v.exactOptional(v.string()),
    component: v.exactOptional(v.string()),
    location: v.exactOptional(positionSchema),
  }),
)

const value = v.strictObject({ time: v.string(), value: v.exactOptional(v.union([v.number(), v.boolean()])) })

/** What a sensor has measured over all its readings. */
const summary = named(
  'SensorSummary',
  v.strictObject({
    type: v.string(),
    device: v.exactOptional(v.string()),
    component: v.exactOptional(v.string()),
    unit: v.exactOptional(v.pipe(v.string(), v.description('Of UCUM.'))),
    count,
    minimum: v.exactOptional(v.number()),
    maximum: v.exactOptional(v.number()),
    mean: v.exactOptional(v.number()),
    first: value,
    last: value,
  }),
)

const readErrors = [
  'timeline_not_found',
  'ambiguous_identifier',
  'invalid_link',
  'wrong_postal_code',
  'too_many_requests',
] as const satisfies readonly Code[]

/** Lists what sensors of a thing have measured. */
const listSensorSeries = operation({
  name: 'list_sensor_series',
  summary: 'What sensors of a parcel have measured: lowest, highest, mean, first and last value of each series.',
  scopes: [],
  risk: 'low',
  tag,
  hasViews: true,
  mcp: { title: 'Sensors of a tracking number', server: 'developer', idempotent: true },
  input: v.strictObject({ tracking_number: number }),
  output: v.strictObject({ result: v.literal(true), series: v.array(summary) }),
  errors: readErrors,
  rest: { method: 'GET', path: '/api/v1/otep/trackings/{tracking_number}/sensors' },
  handle: async (context, { tracking_number }) => {
    const { stream, view } = await context.ports.sensors.findVisible(context, tracking_number)
    return { result: true, series: await sensorsOf(context, stream, view === 'reduced') }
  },
})

/** Lists the readings of sensors of a thing. */
const listSensorReadings = operation({
  name: 'list_sensor_readings',
  summary: 'Readings of the sensors of a parcel, oldest first, by type and time.',
  scopes: [],
  risk: 'low',
  tag,
  hasViews: true,
  mcp: { title: 'Readings of sensors of a tracking number', server: 'developer', idempotent: true },
  input: v.strictObject({
    tracking_number: number,
    type: v.exactOptional(v.pipe(v.picklist(sensorTypes), v.description('What was measured.'))),
    from: v.exactOptional(v.pipe(instant, v.description('The first instant.'))),
    to: v.exactOptional(v.pipe(instant, v.description('The last instant.'))),
    ...pageEntries,
  }),
  output: v.strictObject({ result: v.literal(true), readings: v.array(found), ...pageAnswerEntries }),
  errors: readErrors,
  rest: { method: 'GET', path: '/api/v1/otep/trackings/{tracking_number}/readings' },
  handle: async (context, { tracking_number, type, from, to, ...page }) => {
    const { stream, view } = await context.ports.sensors.findVisible(context, tracking_number)
    const { range, paging } = pageOf(page)
    const at = [from && Date.parse(from), to && Date.parse(to)].map((bound) => bound || undefined)
    const isPublic = view === 'reduced'
    const types = sensorTypes.filter((one) => (type ?? one) === one && !(isPublic && one === 'location'))
    const query = { timelines: [idInStream(stream)], at: [at[0], at[1]] as const, types }
    const { readings, total } = await findReadings(context, query, { ...range, counted: true })
    const whole = await wholeReadings(context, readings)
    return { result: true, readings: whole.map((one) => answered(one, isPublic)), total, ...paging }
  },
})

function answered(reading: WholeReading, isPublic: boolean) {
  const { type, at, value: known, device, component, location } = reading
  const unit = unitOf(type)
  return {
    type,
    time: isoOf(at),
    ...(known !== null && { value: type === 'door' ? known !== 0 : known }),
    ...(unit !== undefined && { unit }),
    ...(!isPublic && omitUndefined({ device, component, location })),
  }
}

/** All operations on readings. */
export const sensorOperations: readonly Operation[] = [recordSensorReadings, listSensorSeries, listSensorReadings]
