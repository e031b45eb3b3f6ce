import { type Named, ownId } from '../../entity/access.ts'
import { staff } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Decider, Reducer } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { ReadModel } from '../../kernel/read-model.ts'
import { tallyOf } from '../../kernel/rows.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { isoOf } from '../../kernel/time.ts'
import { type JobAccepted, type JobEvent, type JobRowsDone, jobEventShapes, type RatedRow } from './job-events.ts'
import type { BookedRow } from './rows.ts'

/** A job: many shipments that are booked or quoted later. */
export interface Job {
  readonly accepted: JobAccepted['data']
  /** Number of shipments that are done. */
  readonly done: number
  readonly booked: readonly BookedRow[]
  readonly rated: readonly RatedRow[]
  /** ISO 8601, UTC. */
  readonly finishedAt?: string
  readonly isForgotten?: true
}

/** The commands of a job. `at` is ISO 8601, UTC. */
type JobCommand =
  | ({ readonly type: 'AcceptJob'; readonly requests: readonly unknown[] } & Omit<JobAccepted['data'], 'rows'>)
  /** Recorded once for each chunk; earlier results do not change. */
  | ({ readonly type: 'RecordRows'; readonly at: string } & JobRowsDone['data'])
  | { readonly type: 'ForgetJob'; readonly at: string }

/** Number of shipments in a chunk. */
const chunkSize = 25

/** How long the rates of a job are kept, in milliseconds: until none of them can be booked any more. */
const ratesLifetime = 24 * 3_600_000

const evolve: Reducer<Job | undefined, JobEvent> = (job, event) => {
  if (event.type === 'UniorderJobAccepted') return { accepted: event.data, done: 0, booked: [], rated: [] }
  if (job === undefined) return undefined
  switch (event.type) {
    case 'UniorderJobRowsDone': {
      const { rows, booked = [], personal } = event.data
      return {
        ...{ ...job, done: job.done + rows, booked: inOrder([...job.booked, ...booked]) },
        rated: inOrder([...job.rated, ...(personal?.rated ?? [])]),
      }
    }
    case 'UniorderJobFinished':
      return { ...job, finishedAt: event.data.at }
    case 'UniorderJobForgotten':
      return { ...job, isForgotten: true, rated: [] }
    default:
      return job
  }
}

function inOrder<Row extends { readonly index: number }>(rows: readonly Row[]): readonly Row[] {
  return [...rows].sort((one, other) => one.index - other.index)
}

function decide(command: JobCommand, job: Job | undefined): readonly JobEvent[] {
  if (command.type === 'AcceptJob') return accepted(command)
  if (job === undefined) throw new EngineError('uniorder_job_not_found', { job: 0 })
  const { job_id, kind, rows } = job.accepted
  const forgotten = (at: string): JobEvent => ({ type: 'UniorderJobForgotten', data: { at, job_id } })
  if (command.type === 'ForgetJob')
    return job.isForgotten || job.finishedAt === undefined ? [] : [forgotten(command.at)]
  const { type: _, at, ...data } = command
  if (isDone(job, data.from)) return []
  const done: JobEvent = { type: 'UniorderJobRowsDone', data }
  if (job.done + data.rows < rows) return [done]
  const tally = kind === 'create' && tallyOf([...job.booked, ...(data.booked ?? [])])
  const finished: JobEvent = { type: 'UniorderJobFinished', data: { at, job_id, kind, ...tally } }
  // What was booked has the shipments from now on.
  return kind === 'create' ? [done, finished, forgotten(at)] : [done, finished]
}

/** Whether the shipment at this place is done. */
export function isDone({ booked, rated }: Job, index: number): boolean {
  return [...booked, ...rated].some((row) => row.index === index)
}

function accepted({ requests, type: _, ...data }: JobCommand & { readonly type: 'AcceptJob' }): readonly JobEvent[] {
  const chunks = Array.from({ length: Math.ceil(requests.length / chunkSize) }, (_, index) => index * chunkSize)
  return [
    { type: 'UniorderJobAccepted', data: { ...data, rows: requests.length } },
    ...chunks.map((from): JobEvent => {
      const some = requests.slice(from, from + chunkSize)
      return { type: 'UniorderJobRowsGiven', data: { from, rows: some.length, personal: { requests: some } } }
    }),
  ]
}

/** The decider of a job. */
export const jobs: Decider<Job | undefined, JobCommand, JobEvent> = { initial: () => undefined, evolve, decide }

/** The stream of a job. */
export function jobStream(id: number): StreamName {
  return `uniorder_job-${id}`
}

/** Jobs, as callers name them by an id: an account sees its own, and staff all of their business. */
export const jobKind: Named<Job> = {
  entity: {
    category: 'uniorder_job',
    refusals: { missing: 'uniorder_job_not_found', param: 'job' },
    access: {
      belongs: (context, { accepted: { business_id, by } }) => {
        const { id, role, business } = accountOf(context)
        return business_id === business.id && (by === id || staff.includes(role))
      },
    },
  },
  decider: jobs,
}

/** What the id of a job names. */
export const jobId = ownId(jobKind)

/** When the rates of jobs are erased. */
export const jobModel = {
  name: 'uniorder_jobs',
  version: 1,
  category: 'uniorder_job',
  columns: { job_id: 'integer', is_waiting: 'integer', due_at: 'text' },
  key: ['job_id'],
  indexes: [['is_waiting']],
  opens: () => false,
  rows: (recorded) => {
    const event = recorded as RecordedEvent<JobEvent>
    if (!Object.hasOwn(jobEventShapes, event.type)) return []
    if (event.type === 'UniorderJobForgotten') return [{ job_id: event.data.job_id, is_waiting: 0, due_at: null }]
    if (event.type !== 'UniorderJobFinished' || event.data.kind !== 'rate') return []
    const due_at = isoOf(Date.parse(event.data.at) + ratesLifetime)
    return [{ job_id: event.data.job_id, is_waiting: 1, due_at }]
  },
} as const satisfies ReadModel
