import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import { EngineError, isEngineError } from '../../kernel/errors.ts'
import { type Finding, remark } from '../../kernel/finding.ts'
import { sha256 } from '../../kernel/id.ts'
import { isObject } from '../../kernel/members.ts'
import { type Code, en, messageOf } from '../../kernel/messages/index.ts'
import { operation } from '../../kernel/operation.ts'
import { cut } from '../../kernel/parse.ts'
import { profileNamed } from '../../kernel/profile.ts'
import type { Projection } from '../../kernel/projection.ts'
import type { Timeline, TimelineEvent } from '../../kernel/timeline.ts'
import {
  batchAnswerSchema,
  conformanceSchema,
  eventsAnswerSchema,
  ingestAnswerSchema,
  timelineAnswerSchema,
} from './answers.ts'
import { ingest, type Outcome, type Verdict } from './ingest.ts'
import { findStream, readTimeline, remarksOn, revisionOf } from './read.ts'
import { recordsOf } from './records.ts'
import { maxEvents } from './schema.ts'
import { validate } from './validate.ts'

const number = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(500),
  v.description('Tracking number, or any other identifier of the subject.'),
)
const format = v.exactOptional(v.pipe(v.string(), v.description('Token of the output format; otep where absent.')))
const timelineDocument = v.pipe(v.unknown(), v.metadata({ $ref: '#/components/schemas/Timeline' }))
const ingestDocument = v.pipe(v.unknown(), v.metadata({ $ref: '#/components/schemas/IngestDocument' }))
const mebibyte = 1024 * 1024

/** Of one event in an ingest so many findings are told; the validator tells a thousand of a document. */
const maxListed = 20

/** So many events one batch answers at most; further numbers are to be asked for by themselves. */
const maxBatchEvents = 20_000

/** Names the state of a timeline in a format: it changes with every fact, and with the projection's version. */
async function versionOf({ store, formats }: Context, value: string, token?: string): Promise<string> {
  const { name, version } = formatOf(formats, token)
  const stream = await findStream(store, value)
  return `${sha256(stream).slice(0, 12)}-${await revisionOf(store, stream)}-${name}.${version}`
}

function formatOf(formats: readonly [Projection, ...Projection[]], token: string | undefined): Projection {
  const found = token === undefined ? formats[0] : formats.find(({ name }) => name === token)
  if (found !== undefined) return found
  throw new EngineError('unknown_format', {
    received: token?.slice(0, 40) ?? '',
    expected: formats.map(({ name }) => name).join(', '),
  })
}

/** What is answered of a timeline beside its format. */
function answerOf({ profiles }: Context, timeline: Timeline, { project }: Projection) {
  const profile = profileNamed(profiles, timeline.profile)
  // In English whatever the caller's language: an answer that is kept under an entity tag has one wording.
  const warnings = remarksOn(timeline, profile).map((finding) => remark(finding, en))
  return { result: true, data: project(timeline), ...(warnings.length === 0 ? {} : { warnings }) }
}

/** The timeline of one tracked thing. */
export const otepTracking = operation({
  name: 'otep_tracking',
  summary: 'Unified timeline of a tracking number.',
  scopes: [],
  risk: 'low',
  input: v.strictObject({ tracking_number: number, format }),
  output: timelineAnswerSchema,
  errors: ['timeline_not_found', 'ambiguous_identifier', 'unknown_format'],
  rest: { method: 'GET', path: '/api/v1/otep/trackings/{tracking_number}', cache: 'public, no-cache' },
  version: (context, input) => versionOf(context, input.tracking_number, input.format),
  handle: async (context, input) => {
    const projection = formatOf(context.formats, input.format)
    const { timeline } = await readTimeline(context, await findStream(context.store, input.tracking_number))
    const { result, ...rest } = answerOf(context, timeline, projection)
    return { result, format: projection.name, ...rest }
  },
})

/** Its events alone, by pages where asked for. */
export const otepTrackingEvents = operation({
  name: 'otep_tracking_events',
  summary: 'Only the events of a timeline, in order of occurrence.',
  scopes: [],
  risk: 'low',
  input: v.strictObject({
    tracking_number: number,
    limit: v.exactOptional(
      v.pipe(
        v.number(),
        v.safeInteger(),
        v.minValue(1),
        v.maxValue(maxEvents),
        v.description('At most this many events.'),
      ),
    ),
    after: v.exactOptional(v.pipe(v.string(), v.maxLength(1000), v.description('`next` of the page before.'))),
  }),
  output: eventsAnswerSchema,
  errors: ['timeline_not_found', 'ambiguous_identifier'],
  rest: { method: 'GET', path: '/api/v1/otep/trackings/{tracking_number}/events', cache: 'public, no-cache' },
  version: async (context, { tracking_number, limit = '', after = '' }) =>
    `${await versionOf(context, tracking_number)}-${limit}-${sha256(after).slice(0, 12)}`,
  handle: async (context, { tracking_number, limit, after }) => {
    const { timeline } = await readTimeline(context, await findStream(context.store, tracking_number))
    const { events } = timeline
    const start = after === undefined ? 0 : events.findIndex((event) => cursorOf(event) === after) + 1
    if (after !== undefined && start === 0) throw unknownEvent(after)
    const page = events.slice(start, limit === undefined ? undefined : start + limit)
    const more = start + page.length < events.length
    return { result: true, format: 'otep', data: page, ...(more ? { next: page.slice(-1).map(cursorOf)[0] } : {}) }
  },
})

/** Names an event within its timeline; ids are their producers' own, so two may have the same. */
function cursorOf({ event_id, source }: TimelineEvent): string {
  return Buffer.from(JSON.stringify([source?.provider ?? '', event_id])).toString('base64url')
}

function unknownEvent(received: string): EngineError {
  return new EngineError('invalid_input', { count: 1 }, [
    { path: 'after', code: 'unknown_event', params: { received: received.slice(0, 60) } },
  ])
}

/** Many timelines in one call, each with its own result. */
export const otepTrackingsBatch = operation({
  name: 'otep_trackings_batch',
  summary: 'Timelines of up to 500 tracking numbers, in the order asked for, each with its own result.',
  scopes: [],
  risk: 'low',
  input: v.strictObject({ tracking_numbers: v.pipe(v.array(number), v.minLength(1), v.maxLength(500)), format }),
  output: batchAnswerSchema,
  errors: ['unknown_format'],
  rest: { method: 'POST', path: '/api/v1/otep/trackings/batch', bodyLimit: mebibyte },
  handle: async (context, input) => {
    const projection = formatOf(context.formats, input.format)
    const data: object[] = []
    let left = maxBatchEvents
    for (const tracking_number of input.tracking_numbers) {
      const { answer, events } = await answerOfBatch(context, tracking_number, projection, left)
      data.push(answer)
      left -= events
    }
    return { result: true, format: projection.name, data }
  },
})

/** What refuses one number; any other error concerns the whole call. */
const refusals: readonly Code[] = ['timeline_not_found', 'ambiguous_identifier', 'batch_too_large']

/** One number's answer, and how many events it took; refused where more than `left` are in it. */
async function answerOfBatch(context: Context, tracking_number: string, projection: Projection, left: number) {
  try {
    const stream = await findStream(context.store, tracking_number)
    if ((await revisionOf(context.store, stream)) >= left) throw new EngineError('batch_too_large')
    const { timeline } = await readTimeline(context, stream)
    const events = timeline.events.length + (timeline.withdrawn_events?.length ?? 0)
    return { answer: { tracking_number, ...answerOf(context, timeline, projection) }, events }
  } catch (error) {
    if (!isEngineError(error) || !refusals.includes(error.code)) throw error
    const { code, params } = error
    const message = messageOf(code, params, context.messages)
    return { answer: { tracking_number, result: false, code, message }, events: 0 }
  }
}

/** Events from a provider. */
export const otepIngest = operation({
  name: 'otep_ingest',
  summary: 'Record events: a timeline, {timelines: [...]}, or one event with its subject a line (NDJSON).',
  scopes: ['otep:ingest'],
  risk: 'medium',
  input: v.strictObject({
    document: ingestDocument,
    atomic: v.exactOptional(
      v.pipe(v.boolean(), v.description('All or nothing: store nothing where any event is refused.')),
    ),
  }),
  output: ingestAnswerSchema,
  errors: ['too_many_events', 'nothing_accepted', 'nothing_stored', 'contention'],
  rest: { method: 'POST', path: '/api/v1/otep/ingest', document: 'document', lines: true, bodyLimit: 16 * mebibyte },
  handle: async (context, { document, atomic = false }) => {
    const records = recordsOf(document)
    if (records.length > maxEvents) throw new EngineError('too_many_events', { limit: maxEvents })
    return ingestAnswer(context, await ingest(context, records, atomic), atomic)
  },
})

function ingestAnswer({ messages }: Context, verdicts: readonly Verdict[], atomic: boolean) {
  const count = (outcome: Outcome) => verdicts.filter((verdict) => verdict.outcome === outcome).length
  const rejected = count('rejected')
  const words = (findings: readonly Finding[]) => cut(findings, maxListed).map((finding) => remark(finding, messages))
  const events = verdicts.map(({ errors, warnings, ...verdict }) => ({
    ...verdict,
    ...(errors.length === 0 ? {} : { errors: words(errors) }),
    ...(warnings.length === 0 ? {} : { warnings: words(warnings) }),
  }))
  const [accepted, duplicate, enriched] = [count('accepted'), count('duplicate'), count('enriched')]
  const data = { accepted, duplicate, enriched, rejected, withheld: count('withheld'), events }
  if (rejected === 0 || (!atomic && rejected < verdicts.length)) return { result: true, data }
  const code = atomic && rejected < verdicts.length ? 'nothing_stored' : 'nothing_accepted'
  return { result: false, code, message: messageOf(code, { count: rejected }, messages), data }
}

/** How many events a document lists, before anything of it is looked at. */
function sizeOf(document: unknown): number {
  if (!isObject(document)) return 0
  const { events, withdrawn_events: withdrawn } = document
  return (Array.isArray(events) ? events.length : 0) + (Array.isArray(withdrawn) ? withdrawn.length : 0)
}

/** The conformance of a timeline document. */
export const otepValidate = operation({
  name: 'otep_validate',
  summary: 'Conformance of a timeline: exact errors and warnings, and the level that it reaches.',
  scopes: [],
  risk: 'low',
  input: v.strictObject({ document: timelineDocument }),
  output: conformanceSchema,
  errors: ['too_many_events'],
  rest: { method: 'POST', path: '/api/v1/otep/validate', document: 'document', bodyLimit: 8 * mebibyte },
  handle: async (context, { document }) => {
    if (sizeOf(document) > maxEvents) throw new EngineError('too_many_events', { limit: maxEvents })
    const { errors, warnings, ...verdict } = validate(document, context)
    const words = (finding: (typeof errors)[number]) => ({
      ...remark(finding, context.messages),
      requirement: finding.requirement,
    })
    return { ...verdict, errors: errors.map(words), warnings: warnings.map(words) }
  },
})
