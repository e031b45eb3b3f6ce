import * as v from 'valibot'
import { EngineError } from '../../kernel/errors.ts'
import { sha256 } from '../../kernel/id.ts'
import { operation } from '../../kernel/operation.ts'
import { unpriced } from '../../kernel/prices.ts'
import { inSteps } from '../../kernel/steps.ts'
import { ingestAnswerSchema, timelineAnswerSchema } from './answers.ts'
import { answerOf, projectedFor, versionOf } from './documents.ts'
import { formatOption, formatToken, requestedDialect, requestedFormat } from './formats.ts'
import { ingest } from './ingest.ts'
import { ingestReadings, listedInSteps, readerOf, readingsOf } from './readings.ts'
import { recordsOf } from './records.ts'
import { ingestAnswer } from './results.ts'
import { numberSchema as number } from './schema.ts'
import { textOfTimeline } from './text.ts'
import { readVisible, visibility } from './visible.ts'

const ingestDocument = v.pipe(v.unknown(), v.metadata({ $ref: '#/components/schemas/IngestDocument' }))
const mebibyte = 1024 * 1024

/** Returns the timeline of a tracked thing. */
export const otepTracking = operation({
  name: 'otep_tracking',
  summary: 'Unified timeline of a tracking number, in the native form or in another format.',
  scopes: [],
  risk: 'low',
  tag: 'OTEP',
  mcp: {
    title: 'Timeline of a tracking number',
    idempotent: true,
    hint: 'The list of formats is at /api/v1/otep/formats. Without a format, the answer is a timeline of the protocol itself.',
  },
  input: v.objectWithRest({ tracking_number: number, format: formatToken }, formatOption),
  output: timelineAnswerSchema,
  errors: [...visibility, 'unknown_format', 'not_acceptable'],
  hasViews: true,
  rest: {
    method: 'GET',
    path: '/api/v1/otep/trackings/{tracking_number}',
    cache: 'public, no-cache',
    formats: 'one',
  },
  version: (context, { tracking_number, format, ...options }) =>
    versionOf(tracking_number, requestedFormat(context, format, options)),
  handle: async (context, { tracking_number, format, ...options }) => {
    const requested = requestedFormat(context, format, options)
    const read = await readVisible(context, tracking_number)
    const { result, ...rest } = await answerOf(context, read, requested)
    return { result, format: requested.projection.name, ...rest }
  },
  text: (context, { tracking_number, format, ...options }, representation) =>
    textOfTimeline(context, tracking_number, requestedFormat(context, format, options), representation),
})

/** Returns a part of a projected document, at the address that the document's links use. */
export const otepTrackingResource = operation({
  name: 'otep_tracking_resource',
  summary:
    "A part of a document in a format, at the address of the document's links: an Observation, a logistics event.",
  scopes: [],
  risk: 'low',
  tag: 'OTEP',
  input: v.strictObject({
    tracking_number: number,
    format: v.pipe(v.string(), v.description('Token of a format whose documents link to their own parts.')),
    path: v.pipe(v.string(), v.maxLength(2000), v.description('Path of the part, from the link.')),
  }),
  output: v.strictObject({ format: v.string(), data: unpriced(v.record(v.string(), v.unknown())) }),
  errors: [...visibility, 'unknown_format', 'resource_not_found'],
  hasViews: true,
  rest: {
    method: 'GET',
    path: '/api/v1/otep/trackings/{tracking_number}/{format}/{path...}',
    cache: 'public, no-cache',
    bare: true,
  },
  version: (context, { tracking_number, format, path }) =>
    versionOf(tracking_number, requestedFormat(context, format), `-${sha256(path).slice(0, 12)}`),
  handle: async (context, { tracking_number, format, path }) => {
    const requested = requestedFormat(context, format)
    const { projection } = requested
    if (projection.resource === undefined) throw new EngineError('resource_not_found')
    const { document, target } = await projectedFor(context, await readVisible(context, tracking_number), requested)
    const data = projection.resource(document, path, target)
    if (data === undefined) throw new EngineError('resource_not_found')
    return { format: projection.name, data }
  },
})

/** Ingests events of a provider. */
export const otepIngest = operation({
  name: 'otep_ingest',
  summary:
    'Record events: a timeline, {timelines: [...]}, one event with its subject on each line (NDJSON), or a document of another format.',
  scopes: ['otep:ingest'],
  risk: 'medium',
  tag: 'OTEP',
  input: v.strictObject({
    document: ingestDocument,
    format: v.exactOptional(v.pipe(v.string(), v.description('Token of the document format. Default: otep.'))),
    atomic: v.exactOptional(
      v.pipe(v.boolean(), v.description('All or nothing: store nothing if any event is refused.')),
    ),
  }),
  output: ingestAnswerSchema,
  errors: [
    'unknown_format',
    'format_not_read',
    'too_many_events',
    'too_many_things',
    'event_too_large',
    'too_many_readings',
    'too_many_series',
    'nothing_accepted',
    'nothing_stored',
    'contention',
  ],
  rest: { method: 'POST', path: '/api/v1/otep/ingest', document: 'document', lines: true, bodyLimit: 16 * mebibyte },
  handle: async (context, { document, format, atomic = false }) => {
    const { dialect, target } = requestedDialect(context, format)
    if (dialect === context.formats[0]) {
      const records = await listedInSteps(recordsOf(document), context)
      return ingestAnswer(context, await ingest(context, records, atomic), atomic)
    }
    const readings = await inSteps(readingsOf(document, readerOf(dialect, target)), context.pause)
    return ingestAnswer(context, await ingestReadings(context, readings, atomic), atomic)
  },
})
