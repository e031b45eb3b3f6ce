import type { Decider } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { StreamName } from '../../kernel/stream.ts'
import type { BatchEvent, RowResult } from './events.ts'

/** The state of a batch. */
export interface Batch {
  readonly id: number
  readonly businessId: number
  /** The account on whose behalf the orders are created. */
  readonly by: number
  readonly rows: number
  readonly acceptedAt: string
  readonly finishedAt?: string
  /** In order of place. */
  readonly results: readonly RowResult[]
}

/** Undefined before it was accepted. */
type BatchState = Batch | undefined

/** The commands of a batch. `at` is ISO 8601, UTC. */
type BatchCommand =
  | {
      readonly type: 'AcceptBatch'
      readonly at: string
      readonly by: number
      readonly customer_id?: number
      readonly batch_id: number
      readonly business_id: number
      readonly orders: readonly unknown[]
      readonly callback?: string
    }
  /** The results of one chunk of orders. Recorded once; earlier results do not change. */
  | { readonly type: 'RecordRows'; readonly at: string; readonly from: number; readonly results: readonly RowResult[] }

/** Number of orders created in one transaction. */
export const chunkSize = 25

/** The stream of a batch. */
export function batchStream(id: number): StreamName {
  return `batch-${id}`
}

/** The decider of an asynchronous batch of orders. */
export const batches: Decider<BatchState, BatchCommand, BatchEvent> = { initial: () => undefined, evolve, decide }

function evolve(state: BatchState, event: BatchEvent): BatchState {
  if (event.type === 'BatchAccepted') {
    const { batch_id: id, business_id: businessId, by, rows, at: acceptedAt } = event.data
    return { id, businessId, by, rows, acceptedAt, results: [] }
  }
  if (state === undefined) return undefined
  switch (event.type) {
    case 'BatchRowsDone':
      return { ...state, results: inOrder([...state.results, ...event.data.results]) }
    case 'BatchFinished':
      return { ...state, finishedAt: event.data.at }
    default:
      return state
  }
}

function inOrder(results: readonly RowResult[]): readonly RowResult[] {
  return [...results].sort((one, other) => one.index - other.index)
}

function decide(command: BatchCommand, state: BatchState): readonly BatchEvent[] {
  if (command.type === 'AcceptBatch') return accepted(command)
  if (state === undefined) throw new EngineError('batch_not_found', { batch: 0 })
  const { from, results, at } = command
  if (isDone(state, from)) return []
  const done: BatchEvent = { type: 'BatchRowsDone', data: { from, results } }
  const all = inOrder([...state.results, ...results])
  return all.length < state.rows ? [done] : [done, finished(state, all, at)]
}

/** Whether the order at this place was created or refused. */
export function isDone({ results }: Batch, index: number): boolean {
  return results.some((result) => result.index === index)
}

function accepted({ orders, ...command }: BatchCommand & { readonly type: 'AcceptBatch' }): readonly BatchEvent[] {
  const { type: _, ...data } = command
  const chunks = Array.from({ length: Math.ceil(orders.length / chunkSize) }, (_, index) => index * chunkSize)
  return [
    { type: 'BatchAccepted', data: { ...data, rows: orders.length } },
    ...chunks.map((from): BatchEvent => {
      const rows = orders.slice(from, from + chunkSize)
      return { type: 'BatchRowsGiven', data: { from, rows: rows.length, personal: { orders: rows } } }
    }),
  ]
}

function finished({ id, businessId, by }: Batch, results: readonly RowResult[], at: string): BatchEvent {
  const created = results.filter(({ result }) => result).length
  const failed = results.length - created
  return {
    type: 'BatchFinished',
    data: { at, batch_id: id, business_id: businessId, by, created, failed, results },
  }
}
