import * as v from 'valibot'
import { loadOwn } from '../../entity/access.ts'
import { staff } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import { type Callback, callbackEntries, callbackIn, callbackProblem } from '../../kernel/callback.ts'
import { shipmentEntries } from '../../kernel/carrier.ts'
import type { Context } from '../../kernel/context.ts'
import { named } from '../../kernel/named.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { operation } from '../../kernel/operation.ts'
import { pageAnswerEntries, pageEntries, pageOf } from '../../kernel/paging.ts'
import { refusedRowAnswer, refuseLongRows, rowRefusalEntries, tallyOf } from '../../kernel/rows.ts'
import { id, refusingMember, word } from '../../kernel/schemas.ts'
import { isoOf } from '../../kernel/time.ts'
import { zonedIso } from '../../kernel/zone.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { nextNumbers } from '../../store/sequence.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { requestRow } from './batch.ts'
import { type Job, jobId, jobKind, jobStream, jobs } from './job.ts'
import { type JobAccepted, jobKinds, type RatedRow } from './job-events.ts'

/** The most shipments of a job (document 1, limits). */
const maxShipments = 500

const common = { roles: [...staff, 'customer'], tag: 'Uniorder' } as const
const accepting = { ...common, output: v.strictObject({ result: v.literal(true), job_id: v.number() }) } as const
const bodyLimit = 4 * 1024 * 1024

/** Accepts shipments that are booked later. */
export const uniorderCreateBatchAsync = operation({
  ...accepting,
  name: 'uniorder_create_batch_async',
  summary: `Accept up to ${maxShipments} shipments, which are booked one after the other. Returns a job_id at once.`,
  scopes: ['uniorder:write'],
  risk: 'high',
  mcp: {
    title: 'Book very many shipments',
    destructive: false,
    hint: 'uniorder_job returns the result of each shipment. A refused shipment does not stop the others.',
  },
  rest: { method: 'POST', path: '/api/v1/uniorder/batch-async', bodyLimit },
  ids: { 'orders.*.rate_id': 'each' },
  input: v.pipe(
    v.strictObject({
      orders: v.pipe(v.array(requestRow), v.minLength(1), v.maxLength(maxShipments)),
      ...callbackEntries,
    }),
    refusingMember((input) => callbackProblem(input)),
  ),
  errors: ['invalid_input', 'contention'],
  handle: async (context, { orders, ...input }) => {
    refuseLongRows('orders', orders)
    return { result: true, job_id: await acceptJob(context, { kind: 'create' }, orders, callbackIn(input)) }
  },
})

/** Accepts shipments that are quoted later. */
export const uniorderRateBatchAsync = operation({
  ...accepting,
  name: 'uniorder_rate_batch_async',
  summary: `Accept up to ${maxShipments} shipments, which are quoted as by uniorder_rate. Returns a job_id at once.`,
  scopes: ['uniorder:read'],
  risk: 'low',
  writes: true,
  mcp: {
    title: 'Quote very many shipments',
    destructive: false,
    hint: 'uniorder_job returns the rates of each shipment, at most 20, for a day.',
  },
  rest: { method: 'POST', path: '/api/v1/uniorder/rate/batch-async', bodyLimit },
  input: v.pipe(
    v.strictObject({
      shipments: v.pipe(
        v.array(v.strictObject({ reference: v.exactOptional(word(100)), ...shipmentEntries })),
        v.minLength(1),
        v.maxLength(maxShipments),
      ),
      quote_labels: v.exactOptional(
        v.pipe(v.boolean(), v.description('Whether every carrier of the business is asked, too; no where absent.')),
      ),
      wait_ms: v.exactOptional(
        v.pipe(
          v.number(),
          v.safeInteger(),
          v.minValue(100),
          v.maxValue(10_000),
          v.description('Milliseconds that carriers have to answer; 5,000 where absent.'),
        ),
      ),
      ...callbackEntries,
    }),
    refusingMember((input) => callbackProblem(input)),
  ),
  errors: ['invalid_input', 'contention'],
  handle: async (context, { shipments, quote_labels, wait_ms, ...input }) => ({
    result: true,
    job_id: await acceptJob(
      context,
      { kind: 'rate', ...omitUndefined({ quote_labels, wait_ms }) },
      shipments,
      callbackIn(input),
    ),
  }),
})

function acceptJob(
  context: Context,
  asked: Pick<JobAccepted['data'], 'kind' | 'quote_labels' | 'wait_ms'>,
  requests: readonly unknown[],
  callback: Callback | undefined,
): Promise<number> {
  const { id: by, business } = accountOf(context)
  return retryOnConflict(async () => {
    const { first: job_id, append } = await nextNumbers(context, 'uniorder_job')
    const at = isoOf(context.clock())
    const called = callback && (await context.ports.uniorders.registerCallback(context, callback))
    const whose = { by, business_id: business.id, ...(called && { callback: called.owner }) }
    const command = { type: 'AcceptJob', at, job_id, ...whose, ...asked, requests } as const
    const events = jobs.decide(command, undefined).map(toNewEvent(context))
    const accepted = { stream: jobStream(job_id), events, expected: 'no-stream' } as const
    await context.store.appendMany([append, accepted, ...(called?.appends ?? [])])
    return job_id
  })
}

const bookedRow = named(
  'UniorderJobRow',
  v.strictObject({
    index: v.pipe(v.number(), v.description('Place in the job, from 0.')),
    result: v.boolean(),
    reference: v.exactOptional(v.string()),
    uniorder_id: v.exactOptional(v.string()),
    ...rowRefusalEntries,
  }),
)

/** Returns the progress and the results of a job; `ratesEntries` is what the rates of a shipment look like. */
export const uniorderJob = (ratesEntries: v.ObjectEntries) =>
  operation({
    ...common,
    name: 'uniorder_job',
    summary: 'The progress of a job, and the results of its shipments by pages.',
    scopes: ['uniorder:read'],
    risk: 'low',
    mcp: { title: 'Result of a job' },
    rest: { method: 'GET', path: '/api/v1/uniorder/jobs/{job_id}' },
    ids: { job_id: jobId },
    input: v.strictObject({ job_id: v.pipe(id, v.description('The job_id of the job.')), ...pageEntries }),
    output: v.strictObject({
      result: v.literal(true),
      job_id: v.number(),
      kind: v.picklist(jobKinds),
      status: v.pipe(
        v.picklist(['accepted', 'running', 'finished', 'expired']),
        v.description('The rates of an expired job are erased.'),
      ),
      done: v.pipe(v.number(), v.description('Number of shipments that were booked, refused or quoted.')),
      created: v.exactOptional(v.number()),
      failed: v.exactOptional(v.number()),
      accepted_at: v.string(),
      finished_at: v.exactOptional(v.string()),
      ...pageAnswerEntries,
      orders: v.exactOptional(
        v.pipe(v.array(bookedRow), v.description('Of a job that books: those that are done, in order of place.')),
      ),
      shipments: v.exactOptional(
        v.pipe(
          v.array(
            v.strictObject({
              ...{ index: v.number(), reference: v.exactOptional(v.string()) },
              ...{ ...ratesEntries, ...rowRefusalEntries },
            }),
          ),
          v.description('Of a job that quotes: those that are done, in order of place.'),
        ),
      ),
    }),
    errors: ['uniorder_job_not_found'],
    handle: async (context, { job_id, ...page }) => {
      const { state } = await loadOwn(context, jobKind, job_id)
      return { result: true, ...answerOf(context, state, pageOf(page)) }
    },
  })

function answerOf(context: Context, job: Job, { range, paging }: ReturnType<typeof pageOf>) {
  const { accepted, done, booked, rated, finishedAt } = job
  const { job_id, kind, rows: total } = accepted
  const inZone = (instant: string) => zonedIso(Date.parse(instant), accountOf(context).business.timeZone)
  const { offset, limit } = range
  const paged = <Row>(rows: readonly Row[]) => rows.slice(offset, offset + limit)
  return {
    ...{ job_id, kind, status: statusOf(job), total, done },
    ...(kind === 'create' && tallyOf(booked)),
    accepted_at: inZone(accepted.at),
    ...omitUndefined({ finished_at: finishedAt && inZone(finishedAt) }),
    ...paging,
    ...(kind === 'create'
      ? { orders: paged(booked).map((row) => (row.result ? row : refusedRowAnswer(row, context.messages))) }
      : { shipments: paged(rated).map((row) => ratedAnswer(context, row)) }),
  }
}

function ratedAnswer({ messages }: Context, { refusal, ...row }: RatedRow) {
  return refusal === undefined ? row : refusedRowAnswer({ ...row, ...refusal }, messages)
}

function statusOf({ accepted: { kind }, done, finishedAt, isForgotten }: Job) {
  if (finishedAt === undefined) return done === 0 ? 'accepted' : 'running'
  return kind === 'rate' && isForgotten ? 'expired' : 'finished'
}
