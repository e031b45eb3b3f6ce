import { callerOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import { dueIn } from '../../kernel/due.ts'
import { EngineError, isRefusal } from '../../kernel/errors.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { Append } from '../../kernel/event-store.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { rowRefusalOf } from '../../kernel/rows.ts'
import { isoOf } from '../../kernel/time.ts'
import { execute, retryOnConflict } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { isDone, type Job, jobModel, jobStream, jobs } from './job.ts'
import type { JobEvent, JobRowsDone, JobRowsGiven, RatedRow } from './job-events.ts'
import type { RateRequest } from './ports.ts'
import { type BookedRow, draftRows } from './rows.ts'

/** The most rates of a shipment that a job keeps. */
const maxRates = 20

/** What a chunk came to, and the appends that it needs beside. */
interface Worked {
  readonly done: Omit<JobRowsDone['data'], 'from' | 'rows'>
  readonly appends: readonly Append[]
}

/**
 * Books or quotes one chunk of the shipments of a job, on behalf of the account that sent them, in one transaction with the
 * results. So each is booked once, however often this is called.
 */
export async function workOnJob(context: Context, event: RecordedEvent<JobEvent>): Promise<void> {
  if (event.type !== 'UniorderJobRowsGiven') return
  const { data, stream } = event
  await retryOnConflict(async () => {
    const history = (await context.store.read(stream as `${string}-${string}`)) as readonly RecordedEvent<JobEvent>[]
    const job = fold(jobs, history)
    const last = history.at(-1)
    if (job === undefined || last === undefined || isDone(job, data.from)) return
    const { done, appends } = await worked(context, job, data)
    const at = isoOf(context.clock())
    const command = { type: 'RecordRows', at, from: data.from, rows: data.rows, ...done } as const
    const events = jobs.decide(command, job).map(toNewEvent(context))
    await context.store.appendMany([
      ...appends,
      { stream: jobStream(job.accepted.job_id), events, expected: last.revision },
    ])
  })
}

/** Does nothing for an account that is erased or disabled. */
async function worked(
  context: Context,
  { accepted }: Job,
  { from, rows, personal }: JobRowsGiven['data'],
): Promise<Worked> {
  const person = await context.directory.person(context, accepted.by)
  const requests = person?.isActive ? personal?.requests : undefined
  if (person === undefined || requests === undefined)
    return { done: refusedAll(accepted.kind, from, rows), appends: [] }
  const asCaller = { ...context, caller: callerOf(person) }
  if (accepted.kind === 'rate') {
    const rated = await Promise.all(
      (requests as readonly RateRequest[]).map((request, place) => ratedRow(asCaller, accepted, request, from + place)),
    )
    return { done: { personal: { rated } }, appends: [] }
  }
  const { rows: booked, appends } = await draftRows(asCaller, requests, from)
  return { done: { booked }, appends }
}

async function ratedRow(
  context: Context,
  { quote_labels, wait_ms }: Job['accepted'],
  { reference, ...shipment }: RateRequest,
  index: number,
): Promise<RatedRow> {
  const asking = omitUndefined({ quote_labels, wait_ms })
  const row = { index, ...omitUndefined({ reference }) }
  try {
    const { rates, ...more } = await context.ports.uniorders.ratesFor(context, shipment, asking)
    return { ...row, rates: rates.slice(0, maxRates), ...more }
  } catch (error) {
    if (!isRefusal(error)) throw error
    return { ...row, rates: [], unanswered: [], refusal: rowRefusalOf(error) }
  }
}

function refusedAll(kind: Job['accepted']['kind'], from: number, rows: number): Worked['done'] {
  const places = Array.from({ length: rows }, (_, place) => from + place)
  if (kind === 'rate') return { personal: { rated: places.map((index) => ({ index, rates: [], unanswered: [] })) } }
  const refusal = rowRefusalOf(new EngineError('account_required'))
  return { booked: places.map((index): BookedRow => ({ index, result: false, ...refusal })) }
}

/** Jobs whose rates are to be erased before an instant (epoch milliseconds), with ids after `after`, in order of id. */
export const dueJobs = dueIn(jobModel, 'due_at', { is_waiting: 1 })

/** Erases the rates of a finished job for good; does nothing if they are erased. */
export async function forgetJob(context: Context, id: number): Promise<void> {
  const command = { type: 'ForgetJob', at: isoOf(context.clock()) } as const
  await execute(context.store, jobs, jobStream(id), command, toNewEvent(context))
}
