import type { Event } from '../../kernel/event.ts'
import type { ShapesOf } from '../../kernel/event-shape.ts'
import type { Finding } from '../../kernel/finding.ts'
import type { Params } from '../../kernel/messages/index.ts'

/** The result of one order of a batch, by its place from 0, without personal data. */
export type RowResult =
  | {
      readonly index: number
      readonly result: true
      readonly reference?: string
      readonly order_id: number
      readonly tracking_number: string
    }
  | {
      readonly index: number
      readonly result: false
      readonly reference?: string
      readonly code: string
      readonly params: Params
      /** The invalid members of the order. */
      readonly errors?: readonly Finding[]
      /** The owner of the callback that was given with the order. */
      readonly callback?: string
    }

/** Orders were accepted, to be created later. */
export type BatchAccepted = Event<
  'BatchAccepted',
  {
    /** ISO 8601, UTC. */
    readonly at: string
    /** The account on whose behalf they are created. */
    readonly by: number
    /** The same account, if it is a customer. */
    readonly customer_id?: number
    readonly batch_id: number
    readonly business_id: number
    readonly rows: number
    /** The owner of the callback that was given with the batch. */
    readonly callback?: string
  }
>

/** A chunk of the orders from this place on, as they came in. */
export type BatchRowsGiven = Event<
  'BatchRowsGiven',
  { readonly from: number; readonly rows: number; readonly personal?: { readonly orders: readonly unknown[] } }
>

/** The orders of one `BatchRowsGiven` were created or refused. */
export type BatchRowsDone = Event<'BatchRowsDone', { readonly from: number; readonly results: readonly RowResult[] }>

/** All orders are done. This erases the stored input, because the orders now have it. */
export type BatchFinished = Event<
  'BatchFinished',
  {
    readonly at: string
    readonly batch_id: number
    readonly business_id: number
    readonly by: number
    readonly created: number
    readonly failed: number
    readonly results: readonly RowResult[]
  }
>

/** The events of a batch. */
export type BatchEvent = BatchAccepted | BatchRowsGiven | BatchRowsDone | BatchFinished

/** The shapes of batch events. */
export const batchEventShapes: ShapesOf<BatchEvent> = {
  BatchAccepted: {
    at: 'text',
    by: 'number',
    customer_id: 'number?',
    batch_id: 'number',
    business_id: 'number',
    rows: 'number',
    callback: 'text?',
  },
  BatchRowsGiven: { from: 'number', rows: 'number' },
  BatchRowsDone: { from: 'number', results: 'list' },
  BatchFinished: {
    at: 'text',
    batch_id: 'number',
    business_id: 'number',
    by: 'number',
    created: 'number',
    failed: 'number',
    results: 'list',
  },
}
