import type { Event } from '../../kernel/event.ts'
import type { Finding } from '../../kernel/finding.ts'
import type { Params } from '../../kernel/messages/index.ts'

/** What became of one order of a batch, by its place in it from 0; nothing in it tells of people. */
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
      /** Members that are wrong, where the order itself is. */
      readonly errors?: readonly Finding[]
    }

/** Orders were taken, to be created later. */
export type BatchAccepted = Event<
  'BatchAccepted',
  {
    /** ISO 8601, UTC. */
    readonly at: string
    /** The account in whose name they are created. */
    readonly by: number
    /** The same account, where it is a customer's. */
    readonly customer_id?: number
    readonly batch_id: number
    readonly business_id: number
    readonly rows: number
  }
>

/** Some of the orders as they were given, from this place on. */
export type BatchRowsGiven = Event<
  'BatchRowsGiven',
  { readonly from: number; readonly rows: number; readonly personal?: { readonly orders: readonly unknown[] } }
>

/** The orders of one `BatchRowsGiven` were created or refused. */
export type BatchRowsDone = Event<'BatchRowsDone', { readonly from: number; readonly results: readonly RowResult[] }>

/** All were. What was given is erased by it, since the orders have it. */
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

/** What happened to a batch. */
export type BatchEvent = BatchAccepted | BatchRowsGiven | BatchRowsDone | BatchFinished

const types: Readonly<Record<BatchEvent['type'], true>> = {
  BatchAccepted: true,
  BatchRowsGiven: true,
  BatchRowsDone: true,
  BatchFinished: true,
}

/** The types of the events of batches. */
export const batchEventTypes: readonly string[] = Object.keys(types)
