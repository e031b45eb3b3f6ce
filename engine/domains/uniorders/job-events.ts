import type { Event } from '../../kernel/event.ts'
import type { ShapesOf } from '../../kernel/event-shape.ts'
import type { RowRefusal } from '../../kernel/rows.ts'
import type { BookedRow } from './rows.ts'

/** What a job does with each of its shipments. */
export const jobKinds = ['create', 'rate'] as const

/** What a job does with each of its shipments. */
type JobKind = (typeof jobKinds)[number]

/** Shipments were accepted, to be booked or quoted later. */
export type JobAccepted = Event<
  'UniorderJobAccepted',
  {
    /** ISO 8601, UTC. */
    readonly at: string
    /** The account on whose behalf they are booked or quoted. */
    readonly by: number
    readonly job_id: number
    readonly business_id: number
    readonly kind: JobKind
    readonly rows: number
    /** Whether carriers are asked for rates, too. */
    readonly quote_labels?: boolean
    /** Milliseconds that carriers have to answer. */
    readonly wait_ms?: number
    /** The owner of the callback that was given with the job. */
    readonly callback?: string
  }
>

/** A chunk of the shipments from this place on, as they came in. */
export type JobRowsGiven = Event<
  'UniorderJobRowsGiven',
  { readonly from: number; readonly rows: number; readonly personal?: { readonly requests: readonly unknown[] } }
>

/** The rates of a shipment, by its place from 0. They tell of places, so they are personal. */
export interface RatedRow {
  readonly index: number
  readonly reference?: string
  readonly rates: readonly unknown[]
  readonly unanswered: readonly unknown[]
  /** The members that customs need beside what was asked. */
  readonly customs_missing?: readonly string[]
  /** Why it could not be quoted. */
  readonly refusal?: RowRefusal
}

/** The shipments of one chunk were booked or refused, or quoted. */
export type JobRowsDone = Event<
  'UniorderJobRowsDone',
  {
    readonly from: number
    readonly rows: number
    readonly booked?: readonly BookedRow[]
    readonly personal?: { readonly rated: readonly RatedRow[] }
  }
>

/** All shipments are done. */
type JobFinished = Event<
  'UniorderJobFinished',
  {
    readonly at: string
    readonly job_id: number
    readonly kind: JobKind
    /** How many were booked and refused; of a job that books. */
    readonly created?: number
    readonly failed?: number
  }
>

/** The shipments, and what they cost, are erased for good. */
type JobForgotten = Event<'UniorderJobForgotten', { readonly at: string; readonly job_id: number }>

/** The events of a job. */
export type JobEvent = JobAccepted | JobRowsGiven | JobRowsDone | JobFinished | JobForgotten

/** The shapes of the events of a job. */
export const jobEventShapes: ShapesOf<JobEvent> = {
  UniorderJobAccepted: {
    at: 'text',
    by: 'number',
    job_id: 'number',
    business_id: 'number',
    kind: 'text',
    rows: 'number',
    quote_labels: 'flag?',
    wait_ms: 'number?',
    callback: 'text?',
  },
  UniorderJobRowsGiven: { from: 'number', rows: 'number' },
  UniorderJobRowsDone: { from: 'number', rows: 'number', booked: 'list?' },
  UniorderJobFinished: { at: 'text', job_id: 'number', kind: 'text', created: 'number?', failed: 'number?' },
  UniorderJobForgotten: { at: 'text', job_id: 'number' },
}
