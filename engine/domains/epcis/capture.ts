import { requireScopes } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { Event, RecordedEvent } from '../../kernel/event.ts'
import type { ShapesOf } from '../../kernel/event-shape.ts'
import type { Finding } from '../../kernel/finding.ts'
import type { Reading } from '../../kernel/projection.ts'
import type { ReadModel } from '../../kernel/read-model.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { isoOf } from '../../kernel/time.ts'
import { toNewEvent } from '../../store/to-new-event.ts'

/** A capture job (EPCIS 2.0, section 12.5), which is finished when its id is known. */
export interface CaptureJob {
  readonly id: string
  /** Whether every event was captured, or known already. */
  readonly success: boolean
  readonly error_behaviour: 'rollback' | 'proceed'
  /** ISO 8601. */
  readonly created_at: string
  readonly finished_at: string
  /** Why events were refused. No part of the document is repeated, because it may be personal. */
  readonly errors: readonly Pick<Finding, 'path' | 'code'>[]
}

/** A document was captured, or refused. */
type EpcisCaptureFinished = Event<'EpcisCaptureFinished', Omit<CaptureJob, 'id'> & { readonly provider: string }>

/** The shape of the event of a capture. */
export const captureEventShapes: ShapesOf<EpcisCaptureFinished> = {
  EpcisCaptureFinished: {
    errors: 'list',
    created_at: 'text',
    success: 'flag',
    error_behaviour: 'text',
    finished_at: 'text',
    provider: 'text',
  },
}

/** The most errors that a job lists. */
const maxErrors = 1_000

const scopes = ['otep:ingest']

const streamOf = (id: string): StreamName => `epcis_capture-${id}`

/** The jobs of a provider, in order of their time. */
export const captureModel = {
  name: 'epcis_captures',
  version: 1,
  category: 'epcis_capture',
  columns: { provider: 'text', at: 'integer', id: 'text' },
  key: ['provider', 'at', 'id'],
  indexes: [],
  rows: (event) => {
    const { data, stream } = event as RecordedEvent<EpcisCaptureFinished>
    return [{ provider: data.provider, at: Date.parse(data.created_at), id: stream.slice(streamOf('').length) }]
  },
} as const satisfies ReadModel

/** Captures the readings of a document. Refuses a document that has no valid envelope. */
export async function captureEpcis(
  context: Context,
  readings: readonly Reading[],
  error_behaviour: CaptureJob['error_behaviour'],
): Promise<CaptureJob> {
  requireScopes(context, scopes)
  const envelope = readings.find(({ path, findings = [] }) => path === '' && findings.length > 0)
  if (envelope?.findings !== undefined)
    throw new EngineError('invalid_input', { count: envelope.findings.length }, envelope.findings)
  const created_at = isoOf(context.clock())
  const results = await context.ports.epcis.ingest(context, readings, error_behaviour === 'rollback')
  const findings = results.flatMap(({ errors }) => errors)
  const errors = findings.slice(0, maxErrors).map(({ path, code }) => ({ path, code }))
  const success = findings.length === 0
  const job = { success, error_behaviour, created_at, finished_at: isoOf(context.clock()), errors }
  const id = context.randomId()
  const data = { ...job, provider: context.caller.name }
  const fact = toNewEvent<EpcisCaptureFinished>(context)({ type: 'EpcisCaptureFinished', data })
  await context.store.append(streamOf(id), [fact], 'no-stream')
  return { id, ...job }
}

/** A capture job of the caller; refuses any other with `capture_job_not_found`. */
export async function captureJob(context: Context, id: string): Promise<CaptureJob> {
  requireScopes(context, scopes)
  const [fact] = (await context.store.read(streamOf(id), { limit: 1 })) as readonly EpcisCaptureFinished[]
  if (fact === undefined || fact.data.provider !== context.caller.name) throw new EngineError('capture_job_not_found')
  const { provider: _, ...job } = fact.data
  return { id, ...job }
}

/** A page of the caller's capture jobs, newest first, and the number of all. */
export async function captureJobs(
  context: Context,
  page: { readonly offset: number; readonly limit: number },
): Promise<{ readonly jobs: readonly CaptureJob[]; readonly total: number }> {
  requireScopes(context, scopes)
  const query = { where: { provider: context.caller.name }, newestFirst: true, ...page }
  const { rows, total } = await context.models.page(captureModel, query)
  const jobs: CaptureJob[] = []
  for (const { id } of rows) jobs.push(await captureJob(context, String(id)))
  return { jobs, total }
}

/** Captures a single event, and returns its id and why it was refused. */
export async function captureEvent(
  context: Context,
  readings: readonly Reading[],
): Promise<{ readonly id: string | undefined; readonly errors: readonly Finding[] }> {
  requireScopes(context, scopes)
  const results = await context.ports.epcis.ingest(context, readings, true)
  return {
    id: readings.find(({ source }) => source !== undefined)?.source?.id,
    errors: results.flatMap(({ errors }) => errors),
  }
}
