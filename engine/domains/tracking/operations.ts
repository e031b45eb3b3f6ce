import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import { EngineError, isEngineError } from '../../kernel/errors.ts'
import { sha256 } from '../../kernel/id.ts'
import { type Code, messageOf } from '../../kernel/messages/index.ts'
import { operation } from '../../kernel/operation.ts'
import { unpriced } from '../../kernel/prices.ts'
import { projectInSteps } from '../../kernel/projection.ts'
import { inSteps } from '../../kernel/steps.ts'
import { batchAnswerSchema, ingestAnswerSchema, missesIn, timelineAnswerSchema } from './answers.ts'
import { answerOf, targetOf, textOfTimeline, timelineIn, versionOf } from './documents.ts'
import { type RequestedFormat, requestedFormat } from './formats.ts'
import { ingest } from './ingest.ts'
import { pageSize, revisionOf } from './read.ts'
import { ingestReadings, listedInSteps, readerOf, readingsOf } from './readings.ts'
import { recordsOf } from './records.ts'
import { ingestAnswer } from './results.ts'
import { numberSchema as number } from './schema.ts'
import { findVisible, readOf, readVisible, visibility } from './visible.ts'

const format = v.exactOptional(v.pipe(v.string(), v.description('Token of the output format. Default: otep.')))
const formatOption = v.pipe(v.string(), v.description('An option of the format, as named in the list of formats.'))
const ingestDocument = v.pipe(v.unknown(), v.metadata({ $ref: '#/components/schemas/IngestDocument' }))
const mebibyte = 1024 * 1024

/** The most events in the answer of one batch; further numbers have to be requested separately. */
const maxBatchEvents = 20_000

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
  input: v.objectWithRest({ tracking_number: number, format }, formatOption),
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
    versionOf(context, tracking_number, requestedFormat(context, format, options)),
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
  version: (context, { tracking_number, format, path }) => {
    const version = versionOf(context, tracking_number, requestedFormat(context, format))
    const part = sha256(path).slice(0, 12)
    return async () => `${await version()}-${part}`
  },
  handle: async (context, { tracking_number, format, path }) => {
    const requested = requestedFormat(context, format)
    const { projection } = requested
    if (projection.resource === undefined) throw new EngineError('resource_not_found')
    const read = await readVisible(context, tracking_number)
    const target = targetOf(requested, read)
    const timeline = timelineIn(requested, read, context)
    const document = await projectInSteps(projection, timeline, target, context.pause)
    const data = projection.resource(document, path, target)
    if (data === undefined) throw new EngineError('resource_not_found')
    return { format: projection.name, data }
  },
})

/** Returns many timelines in one call, each with its own result. */
export const otepTrackingsBatch = operation({
  name: 'otep_trackings_batch',
  summary: 'Timelines of up to 500 tracking numbers, in the requested order, each with its own result.',
  scopes: [],
  risk: 'low',
  tag: 'OTEP',
  input: v.objectWithRest(
    { tracking_numbers: v.pipe(v.array(number), v.minLength(1), v.maxLength(500)), format },
    formatOption,
  ),
  output: batchAnswerSchema,
  errors: ['unknown_format', 'not_acceptable'],
  rest: { method: 'POST', path: '/api/v1/otep/trackings/batch', bodyLimit: mebibyte, formats: 'many' },
  limit: 'batch',
  misses: missesIn,
  hasViews: true,
  // A postal code or a link is for one number, not for many.
  handle: async ({ pass: _, ...context }, { tracking_numbers, format, ...options }) => {
    const requested = requestedFormat(context, format, options)
    const data: object[] = []
    let left = maxBatchEvents
    let worked = 0
    for (const tracking_number of tracking_numbers) {
      const { answer, events } = await answerOfBatch(context, tracking_number, requested, left)
      data.push(answer)
      left -= events
      // Finding a number is about as much work as reading a few events.
      worked += events + 4
      if (worked < pageSize) continue
      worked = 0
      await context.pause()
    }
    return { result: true, format: requested.projection.name, data }
  },
})

/** Errors that refuse one number; any other error fails the whole call. */
const refusals: readonly Code[] = ['timeline_not_found', 'ambiguous_identifier', 'batch_too_large']

/** The answer for one number and its count of events; refused if it has more than `left`. */
async function answerOfBatch(context: Context, tracking_number: string, requested: RequestedFormat, left: number) {
  try {
    const visible = await findVisible(context, tracking_number)
    if ((await revisionOf(context.store, visible.stream)) >= left) throw new EngineError('batch_too_large')
    const read = await readOf(context, visible)
    const { events, withdrawn_events: withdrawn = [] } = read.timeline
    const answer = { tracking_number, ...(await answerOf(context, read, requested)) }
    return { answer, events: events.length + withdrawn.length }
  } catch (error) {
    if (!isEngineError(error) || !refusals.includes(error.code)) throw error
    const { code, params } = error
    const message = messageOf(code, params, context.messages)
    return { answer: { tracking_number, result: false, code, message }, events: 0 }
  }
}

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
  errors: ['unknown_format', 'format_not_read', 'too_many_events', 'nothing_accepted', 'nothing_stored', 'contention'],
  rest: { method: 'POST', path: '/api/v1/otep/ingest', document: 'document', lines: true, bodyLimit: 16 * mebibyte },
  handle: async (context, { document, format, atomic = false }) => {
    const { projection, target } = requestedFormat(context, format)
    if (projection === context.formats[0]) {
      const records = await listedInSteps(recordsOf(document), context)
      return ingestAnswer(context, await ingest(context, records, atomic), atomic)
    }
    if (projection.parse === undefined) throw notRead(context, projection.name)
    const readings = await inSteps(readingsOf(document, readerOf(projection, target)), context.pause)
    return ingestAnswer(context, await ingestReadings(context, readings, atomic), atomic)
  },
})

function notRead({ formats }: Context, received: string): EngineError {
  const expected = formats.filter(({ parse }, index) => index === 0 || parse !== undefined).map(({ name }) => name)
  return new EngineError('format_not_read', { received, expected: expected.join(', ') })
}
